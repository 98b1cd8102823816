"""What the drawings of the estimates share: ticks, looks, lines and dots by data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.records import distinct
from compendium.papers.kohavi.inducers import title_of
from compendium.papers.kohavi.parameters import EstimateParameters
from compendium.plots.picture import Line, Picture, Series
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, FONT_SIZE, GREY, VERMILION

SCHEME_LOOKS: dict[str, Line] = {
    "plain": {"color": BLUE, "marker": "o"},
    "bootstrap": {"color": BLUE, "marker": "o"},
    "stratified": {"color": VERMILION, "marker": "s"},
}

_MARKERS = "osDv^P*X<>"

SCHEME_NAMES = {"plain": "plain", "bootstrap": ".632 bootstrap", "stratified": "stratified"}


def _looks_of(sets: Sequence[str]) -> dict[str, Line]:
    """Return how the line of each data set is drawn."""
    kinds = zip(sets, [*COLOURS, BLACK, GREY] * len(sets), _MARKERS * len(sets), strict=False)
    return {name: {"color": colour, "marker": marker, "markersize": 4.5} for name, colour, marker in kinds}


def samples_text(table: pd.DataFrame) -> str:
    """Say how many samples stand behind the lines of a table."""
    return " or ".join(str(n) for n in sorted({int(n) for n in table["n"]}))


def ticks_of(p: EstimateParameters, scheme: str) -> dict[str, str]:
    """Label points as the paper does: folds as they are, leave-k-out as a negative number."""
    return {q.name: f"{'−' * (q.kind == 'leave-out')}{q.number}" for q in p.points if q.scheme == scheme}


def panel_title_of(name: str) -> str:
    """Return a name for the title of one of three panels."""
    return title_of(name).replace("Naive Bayes", "Bayes")


def small_ticks(picture: Picture) -> None:
    for axes in picture.axes.values():
        axes.tick_params(axis="x", labelsize=FONT_SIZE - 2)


def tick_labels(p: EstimateParameters, *schemes: str) -> list[str]:
    """Return the labels of the points of some schemes, each once."""
    return list(dict.fromkeys(tick for scheme in schemes for tick in ticks_of(p, scheme).values()))


def lines_by_set(picture: Picture, p: EstimateParameters, table: pd.DataFrame, *y: str, linewidth: float) -> None:
    """Draw a line a data set over the points of each panel's scheme, side by side; ``y`` names value and error."""
    ticks = {name: tick for scheme in SCHEME_LOOKS for name, tick in ticks_of(p, scheme).items()}
    table, looks = table.assign(tick=table["point"].map(ticks)), _looks_of(distinct(table["set"]))
    picture.lines(
        table, "tick", y[0], se=y[1], z=1.0, by="set", looks=looks, dodge=0.05, linewidth=linewidth, elinewidth=0.8
    )
    small_ticks(picture)


def dots_by_set(
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
    looks = {i: Line(color=c, marker=m) for i, c, m in zip(inducers, COLOURS, _MARKERS, strict=False)}
    picture.scatter(
        table, value, "set", x_se="se", by="inducer", looks=looks, names=title_of, dodge=0.26, markersize=5, capsize=2
    )
    if printed:
        keys = zip(table[panels["panel"]] if "panel" in panels else [""] * len(table), table["set"], strict=True)
        known = np.where(table["inducer"] == inducers[0], [printed.get(key, np.nan) for key in keys], np.nan)
        series: Series = {"by": "inducer", "looks": looks, "dodge": 0.26, "label": "printed", "printed": True}
        series |= {"marker": "D", "markerfacecolor": "none", "markersize": 10}
        picture.scatter(table.assign(known=known), "known", "set", **series)
    return picture
