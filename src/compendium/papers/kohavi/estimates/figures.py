"""Figures of the estimates: means and spreads against folds and bootstrap samples, and what follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from compendium.evidence.records import distinct, parts, printed_values, smallest
from compendium.evidence.results import ResultsByScale
from compendium.papers.kohavi.estimates.experiment import EstimateParameters
from compendium.papers.kohavi.looks import HOLLOW, MARKERS, counts_said, looks_of, printed_accuracies
from compendium.papers.kohavi.names import column_and_reading, title_of
from compendium.plots.picture import Drawing
from errorest import plots
from errorest.plots import BLUE, COLOURS, GREY, PUBLISHED, VERMILION
from errorest.plots.annotations import over_columns

_BAND = "#D5D5D5"
_Z = 1.96
_LINES: dict[str, dict[str, Any]] = {
    "plain": {"color": BLUE, "marker": "o", "markersize": 4},
    "bootstrap": {"color": BLUE, "marker": "o", "markersize": 4},
    "stratified": {"color": VERMILION, "marker": "s", "markersize": 4},
}


def _ticks(p: EstimateParameters, scheme: str) -> dict[str, str]:
    """Label points as the paper does: folds as they are, leave-k-out as a negative number."""
    return {q.name: f"{'−' * (q.kind == 'leave-out')}{q.number}" for q in p.points if q.scheme == scheme}


def _ends(ticks: Mapping[str, str]) -> tuple[str, str]:
    """Return the labels of the first and the last point, which may be the same."""
    labels = list(ticks.values())
    return labels[0], labels[-1]


def _means_panel(
    axes: Axes, of_schemes: Mapping[str, pd.DataFrame], base: str, ticks: Mapping[str, str], numbers: Mapping[str, str]
) -> None:
    """Draw the means on one data set by one inducer, plain and stratified folds."""
    points = list(ticks)
    look: dict[str, Any] = {"capsize": 2, "elinewidth": 1.1, "linewidth": 1.3}
    one = of_schemes[base].set_index("point").loc[points]
    axes.errorbar(range(len(points)), one["mean"], _Z * one["se"], **_LINES[base], **look)
    if "stratified" in of_schemes:
        other = of_schemes["stratified"]
        # beside the plain folds of the same number
        place = {number: points.index(name) for name, number in ticks.items()}
        kept = other[[numbers[q] in place for q in other["point"]]]
        if len(kept):
            x = np.array([place[numbers[q]] for q in kept["point"]]) + 0.2
            axes.errorbar(x, kept["mean"], _Z * kept["se"], **_LINES["stratified"], **look)
    axes.set_xlim(-0.5, len(points))
    axes.set_xticks(range(len(points)), list(ticks.values()))
    axes.margins(y=0.15)


def _draw_means(p: EstimateParameters, made: ResultsByScale, base: str, across: str) -> Drawing:
    scale, result = made.largest
    table, truths = result.data["points"], result.data["truths"].set_index(["set", "inducer"])
    _sets, inducers = distinct(table["set"]), distinct(table["inducer"])
    cells, printed, ticks = parts(table, "set", "inducer"), printed_accuracies(made), _ticks(p, base)
    figure, shown = plots.panels(
        [name for name, _ in cells],
        lambda rows: 1.3 + 1.75 * rows,
        columns=len(inducers),
        across=across,
        up="accuracy (%)",
    )
    for axes, ((name, inducer), own) in zip(shown, cells.items(), strict=True):
        truth = truths.loc[(name, inducer)]
        reach = _Z * truth.se
        axes.axhspan(truth.accuracy - reach, truth.accuracy + reach, color=_BAND, linewidth=0)
        axes.axhline(truth.accuracy, color=GREY, linewidth=0.8)
        _means_panel(axes, parts(own, "scheme"), base, ticks, _ticks(p, "stratified"))
        value = printed.get((name, column_and_reading(inducer)[0]))
        if value is not None:
            axes.plot([len(ticks) - 0.3], [value], zorder=5, **{**PUBLISHED, "markersize": 6})
    if len(inducers) > 1:
        over_columns(shown, map(title_of, inducers), 24)
    looks: dict[str, Any] = {".632 bootstrap" if base == "bootstrap" else base: _LINES[base]}
    if "stratified" in set(table["scheme"]):
        looks["stratified"] = _LINES["stratified"]
    looks["true accuracy"] = Patch(color=_BAND)
    if printed:
        looks["Table 1"] = PUBLISHED
    plots.legend_of(figure, looks, columns=4)
    first, last = _ends(ticks)
    facts = {"counts": counts_said(table), "scale": scale, "first": first, "last": last}
    return Drawing(figure, facts=facts, printed=bool(printed))


@plots.in_style
def draw_fold_means(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 1 for every data set and inducer, plain and stratified folds."""
    return _draw_means(p, made, "plain", "folds")


@plots.in_style
def draw_bootstrap_means(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 2 for every data set and inducer."""
    return _draw_means(p, made, "bootstrap", "bootstrap samples")


def _lines_by_set(
    axes: Axes, own: pd.DataFrame, ticks: Mapping[str, str], sets: Sequence[str], linewidth: float
) -> None:
    """Draw a line a data set over the points, side by side; ``value`` and ``error`` are the columns read."""
    for place, (name, look) in enumerate(looks_of(sets).items()):
        line = own[own["set"] == name].set_index("point").loc[list(ticks)]
        x = np.arange(len(ticks)) + 0.05 * (place - len(sets) / 2)
        axes.errorbar(x, line["value"], line["error"], **look, linewidth=linewidth, elinewidth=0.8)
    axes.set_xticks(range(len(ticks)), list(ticks.values()))


def _draw_spread(p: EstimateParameters, made: ResultsByScale, schemes: list[str], across: str) -> Drawing:
    scale, result = made.largest
    table = result.data["points"].assign(value=lambda t: t["sd"], error=lambda t: t["sd_se"])
    sets, inducers = distinct(table["set"]), distinct(table["inducer"])
    cells = parts(table, "scheme", "inducer")
    shown = [(scheme, inducer) for scheme in schemes for inducer in inducers if (scheme, inducer) in cells]
    titles = [title_of(inducer) + (", stratified" if scheme == "stratified" else "") for scheme, inducer in shown]
    figure, drawn = plots.panels(
        titles,
        lambda rows: 1.7 + 2.9 * rows,
        columns=len(inducers),
        letters=True,
        across=across,
        up="standard deviation (points)",
        sharey=True,
    )
    top = max(p.std_axis, 1.03 * float(table["sd"].max()))
    said = []
    for axes, title, (scheme, inducer), letter in zip(drawn, titles, shown, "abcdef", strict=False):
        own, ticks = cells[scheme, inducer], _ticks(p, scheme)
        _lines_by_set(axes, own, ticks, sets, 1.3)
        axes.set_ylim(0, top)
        mean = own.groupby("point", sort=False)["sd"].mean()
        first, last = _ends(ticks)
        course = f", {mean.min():.1f} at least, {mean.iloc[-1]:.1f} at {last}" if len(mean) > 1 else ""
        said.append(f"{letter} {title}: {mean.iloc[0]:.1f} at {first}{course}")
    plots.legend_of(figure, looks_of(sets))
    beyond = "" if top == p.std_axis else f" The axis is longer than {p.std_axis:g}, where the paper's ends."
    facts = {"counts": counts_said(table), "scale": scale, "beyond": beyond, "averages": "; ".join(said)}
    return Drawing(figure, facts=facts)


@plots.in_style
def draw_fold_spread(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 3 for every inducer, plain and stratified folds."""
    return _draw_spread(p, made, ["plain", "stratified"], "folds")


@plots.in_style
def draw_bootstrap_spread(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 4 for every inducer."""
    return _draw_spread(p, made, ["bootstrap"], "bootstrap samples")


def _draw_by_set(
    tables: Mapping[str, pd.DataFrame], value: str, printed: Mapping[tuple[str, str], float], across: str
) -> Figure:
    """Draw a value with two standard errors by data set, a panel for each titled table; printed by title and set."""
    first = next(iter(tables.values()))
    sets, inducers = distinct(first["set"]), distinct(first["inducer"])
    figure, shown = plots.panels(
        list(tables),
        lambda rows: 1.0 + rows * (0.7 + 0.32 * len(sets)),
        letters=True,
        across=across,
        sharey=True,
        sharex=True,
    )
    shift = 0.13 * (len(inducers) - 1)
    looks = dict(zip(inducers, zip(COLOURS, MARKERS, strict=False), strict=False))
    for axes, (title, table) in zip(shown, tables.items(), strict=True):
        axes.axvline(0, color=GREY, linewidth=1, linestyle="--")
        for number, (inducer, (colour, marker)) in enumerate(looks.items()):
            own = table[table["inducer"] == inducer].set_index("set").loc[sets]
            y = np.arange(len(sets)) + 0.26 * number - shift
            axes.errorbar(own[value], y, xerr=2 * own["se"], fmt=marker, color=colour, markersize=5, capsize=2)
        for (panel, name), known in printed.items():
            if panel == title and name in sets:
                axes.plot([known], [sets.index(name) - shift], zorder=5, **HOLLOW)
        axes.set_ylim(len(sets) - 0.4, -0.6)
        axes.set_yticks(range(len(sets)), [plots.plain(s) for s in sets])
    entries = {title_of(i): {"color": c, "marker": m, "linestyle": "none"} for i, (c, m) in looks.items()}
    plots.legend_of(figure, {**entries, "printed": HOLLOW} if printed else entries)
    return figure


@plots.in_style
def draw_text_stratified(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing | None:
    """Draw what stratification adds to the estimated accuracy, a panel for each number of folds; nothing of none."""
    scale, result = made.largest
    table = result.data["gains"]
    if table.empty:
        return None
    tables = {f"{k} folds": own for k, own in parts(table, "k").items()}
    known = printed_values(published)
    printed = {
        (f"{k} folds", row): v for k in p.folds for (row, c), v in known.items() if c == f"gain-percent-at-{k}-folds"
    }
    figure = _draw_by_set(tables, "gain", printed, "gain (points)")
    return Drawing(figure, facts={"counts": counts_said(table), "scale": scale}, printed=bool(printed))


@plots.in_style
def draw_text_bootstrap(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the bias of the .632 bootstrap by data set."""
    scale, result = made.largest
    table = result.data["bias"]
    printed = {("", row.split("/")[0]): value for (row, _), value in printed_values(published).items()}
    figure = _draw_by_set({"": table}, "bias", printed, "bias (points)")
    facts = {"replicates": max(p.bootstrap_samples), "counts": counts_said(table), "scale": scale}
    return Drawing(figure, facts=facts, printed=bool(printed))


@plots.in_style
def draw_propositions(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the measured spread over the one that Proposition 1 predicts."""
    scale, result = made.largest
    table = result.data["spread"]
    table = table.assign(value=table["ratio"], error=table["se"] / table["predicted"].where(table["predicted"] > 0))
    of_inducers, sets = parts(table, "inducer"), distinct(table["set"])
    titles = [title_of(inducer) for inducer in of_inducers]
    figure, shown = plots.panels(
        titles,
        lambda _: 4.4,
        columns=len(titles),
        letters=True,
        across="folds",
        up="measured over predicted",
        sharey=True,
    )
    for axes, own in zip(shown, of_inducers.values(), strict=True):
        axes.axhline(1, color=GREY, linewidth=1, linestyle="--")
        _lines_by_set(axes, own, _ticks(p, "plain"), sets, 1.1)
    shown[0].set_ylim(0, None)
    plots.legend_of(figure, looks_of(sets))
    return Drawing(figure, facts={"counts": counts_said(table), "scale": scale})


@plots.in_style
def draw_model_selection(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing | None:
    """Draw how often each estimate picks the better inducer, and its distance from the truth; nothing of none."""
    scale, result = made.largest
    if "selection" not in result.data:
        return None
    table = result.data["selection"]
    both = bool(table["right"].notna().any())
    figure, grid = plots.new_figure(1, 2 if both else 1, 1.2 + 0.24 * len(table), sharey=True)
    kinds = [q.scheme for q in p.points]
    axes = grid[0, 0]
    _by_estimate(axes, table["rms"], table["rms_se"], kinds)
    axes.set_xlabel("rms error (points)")
    plots.panel_title(axes, "a" if both else "", "distance from the truth")
    names = [q.replace("=", " = ").replace("stratified-", "stratified ") for q in table["point"]]
    axes.set_yticks(range(len(table)), names)
    axes.set_ylim(len(table) - 0.4, -0.6)
    if both:
        _by_estimate(grid[0, 1], table["right"], table["se"], kinds)
        grid[0, 1].set_xlabel("right choices (%)")
        plots.panel_title(grid[0, 1], "b", "choosing an inducer")
    pair = " and ".join(title_of(i) for i in p.inducers[:2])
    nearest = smallest(table, "rms")
    first = table[table["right"] == table["right"].max()]["point"].tolist()
    who = f"{', '.join(first)} {'pick' if len(first) > 1 else 'picks'}"
    best = f"; {who} the better inducer most often" if both else ""
    choices = f" (b) How often the estimate picks the better of {pair}." if both else ""
    facts = {"nearest": nearest.point, "best": best, "pair": pair, "choices": choices, "scale": scale.capitalize()}
    return Drawing(figure, facts=facts)


def _by_estimate(axes: Axes, values: pd.Series, errors: pd.Series, kinds: Sequence[str]) -> None:
    """Draw a number of each estimate with its error, marked by the kind of its scheme."""
    looks = {"plain": (BLUE, "o"), "stratified": (VERMILION, "s"), "bootstrap": (COLOURS[2], "^")}
    for place, (value, error, kind) in enumerate(zip(values, errors, kinds, strict=True)):
        colour, marker = looks[kind]
        axes.errorbar(value, place, xerr=2 * error, color=colour, fmt=marker, markersize=5, elinewidth=1)
    axes.grid(axis="x")
