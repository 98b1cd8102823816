"""Figures of the study of learning curves: coverage by how far they look, and where their middles lie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.lines import Line2D

from errorest.evidence.regenerated import Made, at_largest
from errorest.guide.growing.experiment import GrowingParameters
from errorest.guide.growing.results import END, KINDS, TWICE, places
from errorest.plots import BLUE, COLOURS, GREY, ORANGE, Drawn, in_style, legend_below, new_figure, panel_title

__all__ = ["INDUCER_TITLES", "SET_TITLES", "draw_growing_coverage", "draw_growing_offsets"]

INDUCER_TITLES: Mapping[str, str] = {"naive-bayes": "Naive Bayes", "c4.5": "C4.5", "1-nn": "1-NN", "ldf": "LDF"}
"""What the inducers are called in a sentence."""

SET_TITLES: Mapping[str, str] = {
    "two-normals": "two normals",
    "mushroom": "mushroom",
    "chess": "chess",
    "land-sat": "land-sat",
    "wine": "wine",
    "digits": "digits",
}
"""What the sets are called in a sentence."""

_KIND_TITLES = dict(zip(KINDS, ("expected", "laws at their word"), strict=True))
_MARKERS = "osD^vP*"


def _place_title(place: str) -> str:
    return {END: "largest measured", TWICE: "twice the cases"}.get(place, place.replace("-", " "))


@in_style
def draw_growing_coverage(p: GrowingParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the mean coverage by how far a curve looks, a panel for each number of cases; dots are cells."""
    scale, result = at_largest(made)
    table, cells = result.data["map"], result.data["cells"]
    figure, grid = new_figure(1, len(p.cases), 3.8, sharey=True)
    said = []
    for column, n in enumerate(p.cases):
        axes = grid[0, column]
        axes.axvline(100 * p.confidence, color=GREY, linewidth=1, linestyle="--")
        for place, (kind, colour) in enumerate(zip(KINDS, (BLUE, ORANGE), strict=True)):
            at = table[(table["n"] == n) & (table["kind"] == kind)]
            y = [places(p).index(one) + 0.24 * (place - 0.5) for one in at["place"]]
            dots = cells[(cells["n"] == n) & (cells["kind"] == kind)]
            axes.plot(
                dots["coverage"],
                [places(p).index(one) + 0.24 * (place - 0.5) for one in dots["place"]],
                linestyle="none",
                marker=".",
                markersize=4,
                alpha=0.5,
                color=colour,
            )
            axes.errorbar(
                at["coverage"], y, xerr=2 * at["se"], linestyle="none", marker=_MARKERS[place], color=colour, capsize=2
            )
            beyond = at[at["place"] != END]
            said.append(
                f"from {n} cases, {_KIND_TITLES[kind]}: "
                + ", ".join(f"{_place_title(str(r.place))} {r.coverage:.0f} %" for r in beyond.itertuples())
            )
        axes.set_yticks(range(len(places(p))), [_place_title(one) for one in places(p)])
        axes.set_ylim(len(places(p)) - 0.5, -0.5)
        axes.grid(axis="x")
        axes.set_xlabel("coverage (%)")
        panel_title(axes, "abcdefgh"[column % 8], f"from {n} cases")
    handles: list[Any] = [
        Line2D([], [], color=colour, marker=_MARKERS[k], linestyle="none") for k, colour in enumerate((BLUE, ORANGE))
    ]
    legend_below(figure, handles, list(_KIND_TITLES.values()), columns=2)
    return Drawn(
        figure,
        f"Coverage of what a learning curve expects, by training cases. {'; '.join(said)}.",
        f"How often the interval of nominal {100 * p.confidence:g} % (dashed) holds the mean error at so many training "
        f"cases: mean over sets and inducers with bars of two standard errors, and a dot for each set and inducer; "
        f"{p.samples:,} samples each ({scale} scale).",
    )


@in_style
def draw_growing_offsets(p: GrowingParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw expected less true error at twice the cases, a line for each set and inducer, a mark for each size."""
    scale, result = at_largest(made)
    table = result.data["offsets"]
    table = table[table["place"] == TWICE]
    names = list(dict.fromkeys(zip(table["set"], table["inducer"], strict=True)))
    figure, grid = new_figure(1, 1, 1.4 + 0.26 * len(names))
    axes = grid[0, 0]
    axes.axvline(0, color=GREY, linewidth=1, linestyle="--")
    said = []
    for place, n in enumerate(p.cases):
        at = table[table["n"] == n]
        y = [
            names.index(pair) + 0.2 * (place - (len(p.cases) - 1) / 2)
            for pair in zip(at["set"], at["inducer"], strict=True)
        ]
        axes.errorbar(
            at["offset"],
            y,
            xerr=2 * at["se"],
            linestyle="none",
            marker=_MARKERS[place % len(_MARKERS)],
            color=COLOURS[place % len(COLOURS)],
            capsize=2,
        )
        most = at.iloc[int(at["offset"].abs().to_numpy().argmax())]
        said.append(
            f"from {n} to {2 * n} cases the farthest is {INDUCER_TITLES[most['inducer']]} on {SET_TITLES[most['set']]} "
            f"with {most['offset']:+.1f} points"
        )
    axes.set_yticks(range(len(names)), [f"{SET_TITLES[s]}, {INDUCER_TITLES[i]}" for s, i in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x")
    axes.set_xlabel("expected less true error at twice the cases (points)")
    handles: list[Any] = [
        Line2D([], [], color=COLOURS[k % len(COLOURS)], marker=_MARKERS[k % len(_MARKERS)], linestyle="none")
        for k in range(len(p.cases))
    ]
    legend_below(figure, handles, [f"from {n} cases" for n in p.cases], columns=max(1, min(4, len(p.cases))))
    return Drawn(
        figure,
        f"Mean of what a curve expects at twice its cases less the mean error there, in points. {'; '.join(said)}.",
        f"Right of 0 a curve expects too many errors ({scale} scale); bars are two standard errors, those of the truth "
        "among them.",
    )
