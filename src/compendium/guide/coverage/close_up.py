"""Close-up: coverage of small samples by population and inducer."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide import marks
from compendium.guide.coverage.methods import RECOMMENDED
from compendium.guide.coverage.parameters import CoverageParameters
from compendium.guide.coverage.results import (
    FIRST,
    covered,
    share,
)
from compendium.guide.names import INTERVALS, TARGETS
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, COLOURS, GREY

# What the close-up shows: the recommended three and what people use instead
CLOSE_UP = (*RECOMMENDED, "holdout-Wilson", "10-fold-CV-Wald", "out-of-bag", ".632+")


@plots.in_style
def draw_close_up(p: CoverageParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the coverage of single cells at small sizes, a panel for each size and target."""
    table = made.largest[1].data["cells"]
    methods = [m for m in CLOSE_UP if m in set(table["method"])]
    both = pd.concat([table.assign(target=t, percent=100 * table[t]) for t in TARGETS])
    panels = {(n, t): f"n = {n}, {TARGETS[t].title}" for n in p.close_up for t in TARGETS}
    height = 1.3 + (0.5 + 0.4 * len(methods)) * len(p.close_up)
    levels = {m: INTERVALS[m] for m in methods}
    picture = Picture(
        height, panels, ("n", "target"), letters=True, x="coverage (%)", y_levels=levels, sharex=True, sharey=True
    )
    picture.guide(x=100 * p.confidence, linestyle="--")
    colours = [*COLOURS, BLACK] * len(p.inducers)
    looks = {i: {**marks.look(k), "color": colours[k], "alpha": 0.85} for k, i in enumerate(p.inducers)}
    picture.scatter(
        both, "percent", "method", by="inducer", looks=looks, names=marks.learner_name, dodge=0.12, markersize=4
    )
    for axes in picture.axes.values():
        axes.grid(axis="x", color=GREY, alpha=0.2)
    # two standard errors of a share of one half
    return picture.done(columns=5, nominal=f"{100 * p.confidence:g}", error=f"{100 / p.repetitions**0.5:.1f}")


@artifact("guide-coverage-close-up", draw=draw_close_up, matrix=True)
def close_up(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Coverage by population and inducer of the recommended intervals and some others, at small sizes (percent)."""
    cells = covered(p, run).cells
    cells = cells[cells["n"].isin(p.close_up) & cells["method"].isin(CLOSE_UP)]
    rows = [
        Row.of("literal", f"{c['population']}-at-{n}/{c['inducer']}", c["method"], share(c[FIRST], c["samples"]) * 100)
        for n in p.close_up
        for c in cells[cells["n"] == n].to_dict("records")
    ]
    return ArtifactResult(rows, {"cells": cells})
