"""Other populations: coverage where tails are heavy, labels flipped, attributes many, or classes several."""

from __future__ import annotations

from collections.abc import Mapping

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.coverage.methods import settings_at
from compendium.guide.coverage.parameters import CoverageParameters
from compendium.guide.coverage.results import FIRST, PROCEDURE, Coverage, covered_elsewhere, share
from errorest.estimation.intervals import parse_interval

# The column of what an interval aims at
TARGET_OF: Mapping[str, str] = {"classifier": FIRST, "procedure": PROCEDURE}


@artifact("guide-coverage-elsewhere", matrix=True)
def elsewhere(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Coverage of what each interval aims at, by population and size: mean over inducers, and the worst, percent."""
    found = covered_elsewhere(p, run)
    if found is None:
        return ArtifactResult([])
    rows = []
    aims = {m: TARGET_OF[parse_interval(settings_at(m, min(p.world_sizes))[-1]).target] for m in found.methods}
    for name, cells in parts(found.cells, "population").items():
        means = Coverage(found.samples[found.samples["population"] == name], cells).means
        for r in means[means["target"] == means["method"].map(aims)].to_dict("records"):
            at = f"{name}-at-{r['n']}"
            mean = Estimate(r["coverage"], r["se"], int(r["samples"])) * 100
            rows.append(Row.of("literal", f"mean/{at}", r["method"], mean))
            rows.append(Row.of("literal", f"worst/{at}", r["method"], share(r["worst"], r["worst_samples"]) * 100))
    return ArtifactResult(rows, {"cells": found.cells})
