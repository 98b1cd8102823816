"""Figures of the study of learning curves: coverage by how far they look, and where their middles lie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from compendium.evidence.results import ResultsByScale
from compendium.guide.growing.experiment import GrowingParameters
from compendium.guide.marks import look
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLUE, ORANGE

END, TWICE = "largest-measured", "twice-the-cases"

# What the library expects, and what the laws say at their word, with their looks
KINDS: Mapping[str, Mapping[str, Any]] = {
    "expected": {"marker": "o", "color": BLUE},
    "at-their-word": {"marker": "s", "color": ORANGE},
}

INDUCER_TITLES: Mapping[str, str] = {"naive-bayes": "Naive Bayes", "c4.5": "C4.5", "1-nn": "1-NN", "ldf": "LDF"}


def place_title(place: str) -> str:
    """Name a place on the curve in words."""
    return {END: "largest measured"}.get(place, place.replace("-", " "))


@plots.in_style
def draw_growing_coverage(p: GrowingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the mean coverage by how far a curve looks, a panel for each number of cases; dots are cells."""
    result = made.largest[1]
    table, cells = result.data["map"], result.data["cells"]
    places = {place: place_title(place) for place in (END, TWICE, *(f"{m}-cases" for m in sorted(p.ahead)))}
    panels = {n: f"from {n} cases" for n in p.cases}
    picture = Picture(3.8, panels, "n", letters=True, x="coverage (%)", y_levels=places, sharey=True)
    picture.guide(x=100 * p.confidence, linestyle="--")
    dots = {kind: {"color": own["color"], "marker": ".", "alpha": 0.5} for kind, own in KINDS.items()}
    picture.scatter(cells, "coverage", "place", by="kind", looks=dots, names=lambda _: "", dodge=0.24, markersize=4)
    names = {"expected": "expected", "at-their-word": "laws at their word"}
    picture.scatter(table, "coverage", "place", x_se="se", by="kind", looks=KINDS, names=names, dodge=0.24)
    for axes in picture.axes.values():
        axes.grid(axis="x")
    return picture.done(columns=2, nominal=f"{100 * p.confidence:g}")


@plots.in_style
def draw_growing_offsets(p: GrowingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw expected less true error at twice the cases, a line for each set and inducer, a mark for each size."""
    table = made.largest[1].data["offsets"]
    table = table[table["place"] == TWICE]
    table = table.assign(line=table["set"].str.replace("-n", " n") + ", " + table["inducer"].map(INDUCER_TITLES))
    lines = list(dict.fromkeys(table["line"]))
    x = "expected less true error at twice the cases (points)"
    picture = Picture(1.4 + 0.26 * len(lines), x=x, y_levels=lines)
    picture.guide(x=0, linestyle="--")
    looks = {n: look(place) for place, n in enumerate(p.cases)}
    picture.scatter(table, "offset", "line", x_se="se", by="n", looks=looks, names="from {} cases".format, dodge=0.2)
    for axes in picture.axes.values():
        axes.grid(axis="x")
    return picture.done(columns=max(1, min(4, len(p.cases))))
