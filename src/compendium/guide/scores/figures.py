"""Figures of the study of scores: coverage and mean offset, a panel for each score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from compendium.evidence.results import ResultsByScale
from compendium.guide.marks import beside, legend_by_place, look, name_lines
from compendium.guide.names import TARGETS
from compendium.guide.scores.experiment import METHODS, ScoresParameters
from errorest.plots import GREY, Drawn, in_style, new_figure, panel_title

__all__ = ["INTERVAL_TITLES", "draw_score_coverage", "draw_score_offsets"]

INTERVAL_TITLES: Mapping[str, str] = {
    "cv-wald": "10-fold, Wald",
    "corrected-t": "corrected t",
    "nested-cv": "nested CV",
    "oob": "out-of-bag",
    "632+": ".632+",
    "632+span": ".632+ to out-of-bag",
    "cv-influence": "5-fold, pooled influence",
    "cv-influence-folds": "5-fold, LeDell",
    "conservative-z": "conservative z",
    "bootstrap-case-cv": "bootstrap case CV",
    "location-shifted": "location-shifted",
    "two-stage": "two-stage",
}
"""What the intervals are called in a heading."""

_TITLES = {"brier": "Brier score", "auc": "AUC"}
_SHORT = {"brier": "Brier", "auc": "AUC"}


def _marks(axes: Any, p: ScoresParameters, own: pd.DataFrame, methods: list[str], column: str) -> None:
    for place, n in enumerate(p.sizes):
        at = own[own["n"] == n]
        y = beside([methods.index(m) for m in at["method"]], place, len(p.sizes))
        axes.errorbar(at[column], y, xerr=2 * at["se"], linestyle="none", markersize=5, capsize=2, **look(place))
    name_lines(axes, [INTERVAL_TITLES[m] for m in methods])


def _legend(figure: Any, p: ScoresParameters) -> None:
    legend_by_place(figure, [f"n = {n}" for n in p.sizes], columns=len(p.sizes), linestyle="none")


@in_style
def draw_score_coverage(p: ScoresParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawn:
    """Draw the mean coverage of each interval by size, a row of panels for each score, a column for each target."""
    scale, result = made.largest
    table = result.data["map"]
    figure, grid = new_figure(len(METHODS), 2, 6.2, sharex=True)
    said = []
    for row, (score, own) in enumerate(METHODS.items()):
        methods = list(own)
        for column, (target, whose) in enumerate(zip(TARGETS, ("this classifier", "the procedure"), strict=True)):
            axes = grid[row, column]
            at = table[(table["score"] == score) & (table["target"] == target)]
            axes.axvline(100 * p.confidence, color=GREY, linewidth=1, linestyle="--")
            _marks(axes, p, at, methods, "coverage")
            panel_title(axes, "abcd"[2 * row + column], f"{_SHORT[score]}: {whose}")
            if column:
                axes.set_yticklabels([])
            if row == len(METHODS) - 1:
                axes.set_xlabel("coverage (%)")
            low, high = (at.iloc[int(place)] for place in (at["coverage"].argmin(), at["coverage"].argmax()))
            ends = [
                f"{one['coverage']:.0f} % ({INTERVAL_TITLES[one['method']]}, n = {one['n']})" for one in (low, high)
            ]
            same = low["coverage"] == high["coverage"]
            told = f"{low['coverage']:.0f} % throughout" if same else f"from {' to '.join(ends)}"
            said.append(f"{_TITLES[score]} of {whose}: {told}")
    _legend(figure, p)
    return Drawn(
        figure,
        f"Coverage of intervals, a panel for each score and target, a mark for each sample size. {'; '.join(said)}.",
        f"How often intervals of nominal {100 * p.confidence:g} % (dashed) hold the true score of *this* classifier "
        f"(left) and the mean score of the procedure (right); mean over {len(p.distances) * len(p.inducers)} cells of "
        f"{p.repetitions:,} samples ({scale} scale), with bars of two standard errors.",
    )


@in_style
def draw_score_offsets(p: ScoresParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawn:
    """Draw the mean offset of each estimate by size, a panel for each score."""
    scale, result = made.largest
    table = result.data["offsets"]
    figure, grid = new_figure(len(METHODS), 1, 5.6)
    said = []
    for row, (score, own) in enumerate(METHODS.items()):
        axes, at = grid[row, 0], table[table["score"] == score]
        axes.axvline(0, color=GREY, linewidth=1, linestyle="--")
        _marks(axes, p, at, list(own), "offset")
        panel_title(axes, "ab"[row], _TITLES[score])
        axes.set_xlabel("estimate less truth (hundredths)")
        most = at.iloc[int(at["offset"].abs().to_numpy().argmax())]
        said.append(
            f"{_TITLES[score]}: farthest from 0 is {INTERVAL_TITLES[most['method']]} at n = {most['n']} with "
            f"{most['offset']:+.1f} hundredths"
        )
    _legend(figure, p)
    return Drawn(
        figure,
        f"Mean of estimate less truth in hundredths, a panel for each score, a mark for each size. {'; '.join(said)}.",
        "How far the centre of each interval lies from the true score of the sample's classifier on the average "
        f"({scale} scale), with bars of two standard errors. Right of 0 a Brier score is too high, that is too "
        "pessimistic; left of 0 an AUC is too low, which is pessimistic too.",
    )
