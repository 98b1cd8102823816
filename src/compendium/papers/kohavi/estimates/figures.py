"""Figures of the estimates: means and spreads against folds and bootstrap samples, and what follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.records import distinct, parts, printed_values
from compendium.evidence.results import ResultsByScale
from compendium.papers.kohavi.estimates.experiment import EstimateParameters
from compendium.papers.kohavi.names import column_and_reading, title_of
from compendium.papers.kohavi.truth.artifacts import printed_accuracies
from compendium.plots.panels import over_columns
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, FONT_SIZE, GREY, VERMILION

_Z = 1.96
_LINES: dict[str, dict[str, Any]] = {
    "plain": {"color": BLUE, "marker": "o"},
    "bootstrap": {"color": BLUE, "marker": "o"},
    "stratified": {"color": VERMILION, "marker": "s"},
}
_MARKERS = "osDv^P*X<>"
_NAMES = {"plain": "plain", "bootstrap": ".632 bootstrap", "stratified": "stratified"}


def _looks_of(sets: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return how the line of each data set is drawn."""
    kinds = zip(sets, [*COLOURS, BLACK, GREY] * len(sets), _MARKERS * len(sets), strict=False)
    return {name: {"color": colour, "marker": marker, "markersize": 4.5} for name, colour, marker in kinds}


def _counts_text(table: pd.DataFrame) -> str:
    """Say how many samples stand behind the lines of a table."""
    return " or ".join(str(n) for n in sorted({int(n) for n in table["n"]}))


def _ticks(p: EstimateParameters, scheme: str) -> dict[str, str]:
    """Label points as the paper does: folds as they are, leave-k-out as a negative number."""
    return {q.name: f"{'−' * (q.kind == 'leave-out')}{q.number}" for q in p.points if q.scheme == scheme}


def _draw_means(
    p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame, *, base: str, across: str
) -> Drawing:
    """Draw Figures 1 and 2 for every data set and inducer."""
    scale, result = made.largest
    table, truths = result.data["points"], result.data["truths"]
    cells, inducers, ticks = list(parts(table, "set", "inducer")), distinct(table["inducer"]), _ticks(p, base)
    # stratified folds stand beside the plain ones of the same number, Table 1 behind the last
    levels = {tick: tick for tick in ticks.values()} | {"Table 1": ""}
    table = table.assign(tick=table["point"].map(ticks | _ticks(p, "stratified")))
    picture = Picture(
        1.3 + 1.75 * ceil(len(cells) / len(inducers)),
        {cell: cell[0] for cell in cells},
        ("set", "inducer"),
        columns=len(inducers),
        x=across,
        y="accuracy (%)",
        x_levels=levels,
    )
    reach = pd.concat([truths.assign(tick=end) for end in (next(iter(levels)), "Table 1")])
    how: dict[str, Any] = {"se": "se", "z": _Z}
    picture.lines(reach, "tick", "accuracy", **how, band=True, label="true accuracy", color=GREY, linewidth=0.8)
    look: dict[str, Any] = {"looks": _LINES, "names": _NAMES, "markersize": 4, "capsize": 2, "elinewidth": 1.1}
    shown = table[table["tick"].isin(levels)]
    picture.lines(shown, "tick", "mean", **how, by="scheme", dodge=0.2, **look, linewidth=1.3)
    known = printed_accuracies(made)
    if known:
        accuracies = pd.Series(
            {cell: known.get((cell[0], column_and_reading(cell[1])[0])) for cell in cells}, dtype=float
        )
        printed = (
            accuracies.dropna().rename_axis(["set", "inducer"]).reset_index(name="accuracy").assign(tick="Table 1")
        )
        picture.scatter(printed, "tick", "accuracy", label="Table 1", printed=True, markersize=6)
    picture.limits(xlim=(-0.5, len(ticks) + 0.4), ymargin=0.15)
    _small_ticks(picture)
    if len(inducers) > 1:
        over_columns(list(picture.axes.values()), map(title_of, inducers), 24)
    first, *_, last = [*ticks.values(), *ticks.values()]
    return picture.done(columns=4, counts=_counts_text(table), scale=scale, first=first, last=last)


draw_fold_means = partial(_draw_means, base="plain", across="folds")
draw_bootstrap_means = partial(_draw_means, base="bootstrap", across="bootstrap samples")


def _small_ticks(picture: Picture) -> None:
    for axes in picture.axes.values():
        axes.tick_params(axis="x", labelsize=FONT_SIZE - 2)


def _levels(p: EstimateParameters, *schemes: str) -> list[str]:
    """Return the labels of the points of some schemes, each once."""
    return list(dict.fromkeys(tick for scheme in schemes for tick in _ticks(p, scheme).values()))


def _lines_by_set(picture: Picture, p: EstimateParameters, table: pd.DataFrame, *y: str, linewidth: float) -> None:
    """Draw a line a data set over the points of each panel's scheme, side by side; ``y`` names value and error."""
    ticks = {name: tick for scheme in _LINES for name, tick in _ticks(p, scheme).items()}
    how: dict[str, Any] = {"by": "set", "looks": _looks_of(distinct(table["set"])), "dodge": 0.05}
    look = {"linewidth": linewidth, "elinewidth": 0.8}
    picture.lines(table.assign(tick=table["point"].map(ticks)), "tick", y[0], se=y[1], z=1.0, **how, **look)
    _small_ticks(picture)


def _draw_spread(
    p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame, *, schemes: list[str], across: str
) -> Drawing:
    """Draw Figures 3 and 4 for every inducer."""
    scale, result = made.largest
    table = result.data["points"]
    inducers, cells = distinct(table["inducer"]), parts(table, "scheme", "inducer")
    titles = {
        (scheme, inducer): title_of(inducer) + (", stratified" if scheme == "stratified" else "")
        for scheme in schemes
        for inducer in inducers
        if (scheme, inducer) in cells
    }
    picture = Picture(
        1.7 + 2.9 * ceil(len(titles) / len(inducers)),
        titles,
        ("scheme", "inducer"),
        columns=len(inducers),
        letters=True,
        x=across,
        y="standard deviation (points)",
        x_levels=_levels(p, *schemes),
        sharey=True,
    )
    _lines_by_set(picture, p, table, "sd", "sd_se", linewidth=1.3)
    top = max(p.std_axis, 1.03 * float(table["sd"].max()))
    picture.limits(ylim=(0, top))
    texts = []
    for (cell, title), letter in zip(titles.items(), "abcdef", strict=False):
        mean = cells[cell].groupby("point", sort=False)["sd"].mean()
        first, *_, last = [*_ticks(p, cell[0]).values()] * 2
        course = f", {mean.min():.1f} at least, {mean.iloc[-1]:.1f} at {last}" if len(mean) > 1 else ""
        texts.append(f"{letter} {title}: {mean.iloc[0]:.1f} at {first}{course}")
    beyond = "" if top == p.std_axis else f" The axis is longer than {p.std_axis:g}, where the paper's ends."
    return picture.done(counts=_counts_text(table), scale=scale, beyond=beyond, averages="; ".join(texts))


draw_fold_spread = partial(_draw_spread, schemes=["plain", "stratified"], across="folds")
draw_bootstrap_spread = partial(_draw_spread, schemes=["bootstrap"], across="bootstrap samples")


def draw_propositions(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the measured spread over the one that Proposition 1 predicts."""
    scale, result = made.largest
    table = result.data["spread"]
    error = table["se"] / table["predicted"].where(table["predicted"] > 0)
    titles = {("plain", inducer): title_of(inducer) for inducer in distinct(table["inducer"])}
    picture = Picture(
        4.4,
        titles,
        ("scheme", "inducer"),
        columns=len(titles),
        letters=True,
        x="folds",
        y="measured over predicted",
        x_levels=_levels(p, "plain"),
        sharey=True,
    )
    picture.guide(y=1, linestyle="--")
    _lines_by_set(picture, p, table.assign(error=error), "ratio", "error", linewidth=1.1)
    picture.limits(ylim=(0, None))
    return picture.done(counts=_counts_text(table), scale=scale)


def _by_set(
    table: pd.DataFrame, value: str, printed: Mapping[tuple[Any, str], float], across: str, **panels: Any
) -> Picture:
    """Draw a value with two standard errors by data set; printed ones, of C4.5, by panel and set."""
    sets, inducers = distinct(table["set"]), distinct(table["inducer"])
    rows = ceil(len(panels.get("panels", "1")) / 2)
    picture = Picture(
        1.0 + rows * (0.7 + 0.32 * len(sets)),
        letters=True,
        x=across,
        y_levels={name: plots.plain(name) for name in sets},
        sharey=True,
        sharex=True,
        **panels,
    )
    picture.guide(x=0, linestyle="--")
    looks = {i: {"color": c, "marker": m} for i, c, m in zip(inducers, COLOURS, _MARKERS, strict=False)}
    how: dict[str, Any] = {"by": "inducer", "looks": looks, "dodge": 0.26}
    picture.scatter(table, value, "set", x_se="se", **how, names=title_of, markersize=5, capsize=2)
    if printed:
        keys = zip(table[panels["panel"]] if "panel" in panels else [""] * len(table), table["set"], strict=True)
        known = np.where(table["inducer"] == inducers[0], [printed.get(key, np.nan) for key in keys], np.nan)
        look: dict[str, Any] = {"marker": "D", "markerfacecolor": "none", "markersize": 10}
        picture.scatter(table.assign(known=known), "known", "set", **how, label="printed", printed=True, **look)
    return picture


def draw_text_stratified(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing | None:
    """Draw what stratification adds to the estimated accuracy, a panel for each number of folds; nothing of none."""
    scale, result = made.largest
    table = result.data["gains"]
    if table.empty:
        return None
    known = printed_values(published)
    printed = {(k, row): v for k in p.folds for (row, c), v in known.items() if c == f"gain-percent-at-{k}-folds"}
    panels = {k: f"{k} folds" for k in distinct(table["k"])}
    picture = _by_set(table, "gain", printed, "gain (points)", panels=panels, panel="k")
    return picture.done(counts=_counts_text(table), scale=scale)


def draw_text_bootstrap(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the bias of the .632 bootstrap by data set."""
    scale, result = made.largest
    table = result.data["bias"]
    printed = {("", row.split("/")[0]): value for (row, _), value in printed_values(published).items()}
    picture = _by_set(table, "bias", printed, "bias (points)")
    return picture.done(replicates=max(p.bootstrap_samples), counts=_counts_text(table), scale=scale)


def draw_model_selection(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing | None:
    """Draw how often each estimate picks the better inducer, and its distance from the truth; nothing of none."""
    scale, result = made.largest
    if "selection" not in result.data:
        return None
    table = result.data["selection"].assign(scheme=[q.scheme for q in p.points])
    panels = {"rms": "distance from the truth", "right": "choosing an inducer"}
    if table["right"].isna().all():
        del panels["right"]
    picture = Picture(
        1.2 + 0.24 * len(table),
        panels,
        "panel",
        letters=len(panels) > 1,
        x={"rms": "rms error (points)", "right": "right choices (%)"},
        y_levels={q: q.replace("=", " = ").replace("stratified-", "stratified ") for q in table["point"]},
        sharey=True,
    )
    looks = {"plain": (BLUE, "o"), "stratified": (VERMILION, "s"), "bootstrap": (COLOURS[2], "^")}
    ses = {"rms": "rms_se", "right": "se"}
    long = pd.concat([table.assign(panel=name, value=table[name], error=table[ses[name]]) for name in panels])
    styles = {scheme: {"color": colour, "marker": marker} for scheme, (colour, marker) in looks.items()}
    how: dict[str, Any] = {"by": "scheme", "looks": styles, "names": _NAMES, "markersize": 5, "elinewidth": 1}
    picture.scatter(long, "value", "point", x_se="error", **how)
    pair = " and ".join(title_of(i) for i in p.inducers[:2])
    first = table[table["right"] == table["right"].max()]["point"].tolist()
    who = f"{', '.join(first)} {'pick' if len(first) > 1 else 'picks'}"
    best = f"; {who} the better inducer most often" if "right" in panels else ""
    choices = f" (b) How often the estimate picks the better of {pair}." if "right" in panels else ""
    facts: dict[str, Any] = {
        "nearest": table["point"].iloc[table["rms"].argmin()],
        "best": best,
        "pair": pair,
        "choices": choices,
    }
    return picture.done(**facts, scale=scale.capitalize())
