"""Other populations, learners and groups: where tails are heavy, attributes many, ensembles learn, or cases alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import average
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.coverage.counted import lines_of
from compendium.guide.coverage.groups import group_lines
from compendium.guide.coverage.methods import settings_at
from compendium.guide.coverage.parameters import CoverageParameters
from compendium.guide.coverage.results import (
    FIRST,
    PROCEDURE,
    Coverage,
    covered_elsewhere,
    covered_of_learners,
    share,
)
from errorest.estimation.intervals import parse_interval
from errorest.estimation.intervals.coverage_table import Counted

# The column of what an interval aims at
TARGET_OF: Mapping[str, str] = {"classifier": FIRST, "procedure": PROCEDURE}


@artifact("guide-coverage-elsewhere", matrix=True)
def elsewhere(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Coverage of what each interval aims at, by population and size: mean over inducers, and the worst, percent."""
    measured = covered_elsewhere(p, run)
    if measured is None:
        return ArtifactResult([])
    rows = []
    aims = {m: TARGET_OF[parse_interval(settings_at(m, min(p.world_sizes))[-1]).target] for m in measured.methods}
    for name, cells in parts(measured.cells, "population").items():
        means = Coverage(measured.samples[measured.samples["population"] == name], cells).means
        for r in means[means["target"] == means["method"].map(aims)].to_dict("records"):
            at = f"{name}-at-{r['n']}"
            mean = Estimate(r["coverage"], r["se"], int(r["samples"])) * 100
            rows.append(Row.of("literal", f"mean/{at}", r["method"], mean))
            rows.append(Row.of("literal", f"worst/{at}", r["method"], share(r["worst"], r["worst_samples"]) * 100))
    return ArtifactResult(rows, {"cells": measured.cells})


@artifact("guide-coverage-learners", matrix=True)
def learners(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Coverage of what each interval aims at, by learner and size: mean over populations, and the worst, percent."""
    measured = covered_of_learners(p, run)
    if measured is None:
        return ArtifactResult([])
    cells: dict[tuple[str, str], list[Counted]] = {}
    for method, line in lines_of(measured):
        cells.setdefault((f"{line.inducer}-at-{line.n}", method), []).append(line)
    # populations do not share samples
    means = {place: average([_share(line) for line in own]) for place, own in cells.items()}
    return ArtifactResult(_mean_and_worst(cells, means))


@artifact("guide-coverage-groups", matrix=True)
def groups(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Coverage where cases come in groups, by population and number of groups: mean over inducers, and the worst."""
    cells: dict[tuple[str, str], list[Counted]] = {}
    for method, line in group_lines(p, run):
        cells.setdefault((f"{line.population}-at-{line.n}", method), []).append(line)
    # inducers share samples: their errors are added up as if they moved together, which is the most they can
    means = {
        place: Estimate(fmean(e.value for e in all_of), fmean(e.se for e in all_of), sum(e.n for e in all_of))
        for place, own in cells.items()
        for all_of in [[_share(line) for line in own]]
    }
    return ArtifactResult(_mean_and_worst(cells, means))


def _share(line: Counted) -> Estimate:
    return share(line.share(parse_interval(line.interval).target), line.samples)


def _mean_and_worst(
    cells: Mapping[tuple[str, str], Iterable[Counted]], means: Mapping[tuple[str, str], Estimate]
) -> list[Row]:
    """Make the rows of cells by place and method."""
    rows = []
    for (place, method), own in cells.items():
        worst = min((_share(line) for line in own), key=lambda e: e.value)
        rows.append(Row.of("literal", f"mean/{place}", method, means[place, method] * 100))
        rows.append(Row.of("literal", f"worst/{place}", method, worst * 100))
    return rows
