"""Large samples: coverage and width, and the nearest neighbour as an exception."""

from __future__ import annotations

from compendium.evidence.artifact import artifact
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Run
from compendium.guide.coverage.parameters import CoverageParameters
from compendium.guide.coverage.results import (
    FIRST,
    covered,
    rows_by_size,
)

# Intervals that are compared in large samples
LARGE = (
    "10-fold-CV-equation-3",
    "10-fold-CV-Wald",
    "10-fold-CV-Wilson",
    "stratified-CV-Wilson",
    "corrected-t",
    "nested-CV",
    "out-of-bag",
    "out-of-bag-uncorrected",
    ".632+",
    ".632+-uncorrected",
    ".632+-to-out-of-bag",
    ".632+-to-Wilson",
)


@artifact("guide-coverage-large", matrix=True)
def large_samples(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Coverage (percent) and width (points) of some intervals in large samples, over the same cells at every size.

    The nearest neighbour is an exception: .632+ misses its error by more than a narrow interval forgives.
    """
    result, sizes = covered(p, run), [n for n in p.sizes if n > p.full_to]
    same = result.at_every_size(sizes)
    means, width = (table[table["method"].isin(LARGE)] for table in (same.means, same.widths))
    nearest = result.where(lambda frame: (frame["inducer"] == "1-nn") & frame["n"].isin(sizes)).means
    nearest = nearest[nearest["method"].isin(LARGE) & (nearest["target"] == FIRST)]
    rows = [r for t, part in parts(means, "target").items() for r in rows_by_size(t, part, "coverage", "se")]
    rows += rows_by_size("points", width, "width", "se")
    rows += rows_by_size("nearest-neighbour", nearest, "coverage", "se")
    return ArtifactResult(rows, {"cells": same.cells[same.cells["method"].isin(LARGE)]})
