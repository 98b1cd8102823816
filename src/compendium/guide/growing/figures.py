"""Figures of the study of learning curves: coverage by how far they look, and where their middles lie."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compendium.evidence.results import ResultsByScale
from compendium.guide.growing.experiment import GrowingParameters
from compendium.guide.growing.results import END, KINDS, TWICE, places
from compendium.guide.marks import beside, legend_by_place, look, name_lines
from errorest.plots import BLUE, GREY, ORANGE, Drawn, in_style, legend_of, new_figure, panel_title

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


def _place_title(place: str) -> str:
    return {END: "largest measured", TWICE: "twice the cases"}.get(place, place.replace("-", " "))


@in_style
def draw_growing_coverage(p: GrowingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawn:
    """Draw the mean coverage by how far a curve looks, a panel for each number of cases; dots are cells."""
    scale, result = made.largest
    table, cells = result.data["map"], result.data["cells"]
    looks = {kind: {"marker": m, "color": c} for kind, m, c in zip(KINDS, "os", (BLUE, ORANGE), strict=True)}
    figure, grid = new_figure(1, len(p.cases), 3.8, sharey=True)
    said = []
    for column, n in enumerate(p.cases):
        axes = grid[0, column]
        axes.axvline(100 * p.confidence, color=GREY, linewidth=1, linestyle="--")
        for place, kind in enumerate(KINDS):
            at = table[(table["n"] == n) & (table["kind"] == kind)]
            each = cells[(cells["n"] == n) & (cells["kind"] == kind)]
            y, own = (beside(map(places(p).index, of["place"]), place, 2, 0.24) for of in (at, each))
            axes.plot(each["coverage"], own, ".", markersize=4, alpha=0.5, color=looks[kind]["color"])
            axes.errorbar(at["coverage"], y, xerr=2 * at["se"], linestyle="none", capsize=2, **looks[kind])
            beyond = at[at["place"] != END]
            said.append(
                f"from {n} cases, {_KIND_TITLES[kind]}: "
                + ", ".join(f"{_place_title(str(r.place))} {r.coverage:.0f} %" for r in beyond.itertuples())
            )
        name_lines(axes, [_place_title(one) for one in places(p)])
        axes.set_xlabel("coverage (%)")
        panel_title(axes, "abcdefgh"[column % 8], f"from {n} cases")
    legend_of(figure, {_KIND_TITLES[kind]: {**own, "linestyle": "none"} for kind, own in looks.items()}, columns=2)
    return Drawn(
        figure,
        f"Coverage of what a learning curve expects, by training cases. {'; '.join(said)}.",
        f"How often the interval of nominal {100 * p.confidence:g} % (dashed) holds the mean error at so many training "
        f"cases: mean over sets and inducers with bars of two standard errors, and a dot for each set and inducer; "
        f"{p.samples:,} samples each ({scale} scale).",
    )


@in_style
def draw_growing_offsets(p: GrowingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawn:
    """Draw expected less true error at twice the cases, a line for each set and inducer, a mark for each size."""
    scale, result = made.largest
    table = result.data["offsets"]
    table = table[table["place"] == TWICE]
    names = list(dict.fromkeys(zip(table["set"], table["inducer"], strict=True)))
    figure, grid = new_figure(1, 1, 1.4 + 0.26 * len(names))
    axes = grid[0, 0]
    axes.axvline(0, color=GREY, linewidth=1, linestyle="--")
    said = []
    for place, n in enumerate(p.cases):
        at = table[table["n"] == n]
        lines = [names.index(pair) for pair in zip(at["set"], at["inducer"], strict=True)]
        y = beside(lines, place, len(p.cases))
        axes.errorbar(at["offset"], y, xerr=2 * at["se"], linestyle="none", capsize=2, **look(place))
        most = at.iloc[int(at["offset"].abs().to_numpy().argmax())]
        said.append(
            f"from {n} to {2 * n} cases the farthest is {INDUCER_TITLES[most['inducer']]} on {SET_TITLES[most['set']]} "
            f"with {most['offset']:+.1f} points"
        )
    name_lines(axes, [f"{SET_TITLES[s]}, {INDUCER_TITLES[i]}" for s, i in names])
    axes.set_xlabel("expected less true error at twice the cases (points)")
    columns = max(1, min(4, len(p.cases)))
    legend_by_place(figure, [f"from {n} cases" for n in p.cases], columns=columns, linestyle="none")
    return Drawn(
        figure,
        f"Mean of what a curve expects at twice its cases less the mean error there, in points. {'; '.join(said)}.",
        f"Right of 0 a curve expects too many errors ({scale} scale); bars are two standard errors, those of the truth "
        "among them.",
    )
