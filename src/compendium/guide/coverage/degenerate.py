"""No width: intervals without width, and undefined ones."""

from __future__ import annotations

import numpy as np

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Run
from compendium.guide.coverage.methods import METHODS
from compendium.guide.coverage.parameters import CoverageParameters
from compendium.guide.coverage.results import (
    by_size,
    covered,
)


@artifact("guide-coverage-degenerate", matrix=True)
def degenerate(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Share of intervals without width, and of samples on which an interval is undefined (percent)."""
    cells = covered(p, run).cells
    rows = []
    for name in ("no_width", "undefined"):
        for method in (m for m in METHODS if (cells.loc[cells["method"] == m, name] > 0).any()):
            for n, own in parts(cells[cells["method"] == method], "n").items():
                q, samples = own[name].to_numpy(dtype=float), own["samples"].to_numpy()
                se = float(np.sqrt((q * (1 - q) / samples).sum())) / len(q)
                measured = Estimate(float(q.mean()), se, int(samples.sum())) * 100
                rows.append(by_size(f"{name.replace('_', '-')}/{method}", n, measured))
    return ArtifactResult(rows, {"cells": cells})
