"""The price: width of every interval by sample size."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run
from compendium.guide import marks
from compendium.guide.coverage.methods import RECOMMENDED
from compendium.guide.coverage.parameters import CoverageParameters
from compendium.guide.coverage.results import (
    covered,
    made_of,
    rows_by_size,
)
from compendium.guide.names import INTERVALS
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, COLOURS, GREY

_NAMED = (*RECOMMENDED, "holdout-Wilson", "10-fold-CV-Wald", ".632+", *marks.DEFAULTS)
_OTHERS = "#B5B5B5"


@plots.in_style
def draw_widths(p: CoverageParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw each interval's width, as a multiple of the binomial one, against the sample size."""
    table = made.largest[1].data["same-cells"]
    picture = Picture(4.6, x="cases of the sample (logarithmic)", y="width, multiples of the binomial")
    others = [m for m in made_of(table["method"]) if m not in _NAMED]
    grey = {m: {"color": _OTHERS, "linewidth": 1, "marker": ".", "markersize": 4} for m in others}
    looks = {m: {**marks.look(k), "color": [*COLOURS, BLACK, GREY][k]} for k, m in enumerate(_NAMED)}
    picture.lines(table, "n", "multiple", by="method", looks=grey, names=lambda _: "")
    picture.lines(table, "n", "multiple", by="method", looks=looks, names=INTERVALS, ends=True)
    picture.guide(y=1, linestyle="--")
    for axes in picture.axes.values():
        plots.log_axis(axes, p.sizes)
        axes.set_ylim(0, None)
    return picture.done(others=", ".join(INTERVALS[m] for m in others) or "none")


@artifact("guide-coverage-width", draw=draw_widths, matrix=True)
def widths(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Mean width of the intervals (points), and as a multiple of the binomial width of n independent tests."""
    result = covered(p, run)
    rows = [
        *rows_by_size("points", result.widths, "width", "se"),
        *rows_by_size("multiple-of-binomial", result.widths, "multiple", "multiple_se", factor=1),
    ]
    return ArtifactResult(rows, {"widths": result.widths, "same-cells": result.at_every_size(p.sizes).widths})
