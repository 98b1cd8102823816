"""Below the benchmark: what holds of its advice on smaller samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, exact
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Run
from compendium.guide.coverage.methods import RECOMMENDED
from compendium.guide.coverage.parameters import CoverageParameters
from compendium.guide.coverage.results import (
    PROCEDURE,
    Coverage,
    by_size,
    covered,
    share,
)
from compendium.guide.names import INTERVALS, TARGETS

# The smallest samples of the benchmark of Schulz-Kuempel et al. (arXiv 2409.18836).
BENCHMARK_FROM = 100


@dataclass(frozen=True)
class Small:
    """Samples smaller than the benchmark's, for one target; coverages in percent."""

    coverage: Coverage
    target: str
    sizes: Sequence[int]
    nominal: float
    enough: float
    """The least coverage that still counts as nominal."""

    def means(self, methods: Sequence[str]) -> list[Estimate]:
        """Return the mean coverage of each interval at each size at which it was made."""
        each = [(m, n, self.coverage.mean(m, self.target, n)) for m in methods for n in self.sizes]
        return [e.named(f"{INTERVALS[m]} at n = {n}", "%", 1, "") for m, n, e in each if e.n]

    def cells(self, method: str) -> list[Condition]:
        """Ask each cell of an interval for enough coverage."""
        own = self.coverage.cells[self.coverage.cells["method"] == method]
        return [
            (share(c[self.target], c["samples"]) * 100).named(
                f"{c['inducer']} on {c['population']} at n = {c['n']}", "%", 1, ""
            )
            > self.enough
            for c in own.to_dict("records")
        ]

    def others(self) -> list[Condition]:
        """Ask each other interval that was made at all sizes for too little coverage at one of them."""
        means = {m: self.means([m]) for m in self.coverage.methods if m not in RECOMMENDED}
        whole = [own for own in means.values() if len(own) == len(self.sizes)]
        return [min(own, key=lambda e: e.value) < self.enough for own in whole]


BENCHMARK = Claims("guide-coverage-benchmark")
CONSERVATIVE = Claims("guide-coverage-benchmark")


@BENCHMARK.claim
def on_average(small: Small) -> list[Condition]:
    return [e > small.enough for e in small.means(RECOMMENDED)]


@BENCHMARK.claim
def everywhere(small: Small) -> list[Conditions]:
    return [every(INTERVALS[m], small.cells(m)) for m in RECOMMENDED]


@BENCHMARK.claim
def no_other(small: Small) -> Conditions:
    return every("the others", small.others())


@CONSERVATIVE.claim
def conservative(small: Small) -> list[Condition]:
    return [e > small.nominal for e in small.means(["conservative-z"])]


@artifact("guide-coverage-benchmark", matrix=True)
def benchmark(p: CoverageParameters, run: Run) -> ArtifactResult:
    """The recommended intervals, cell by cell: how many fall short of the nominal coverage.

    A cell falls short if its coverage, and Wilson's upper limit of it, lies below the nominal one by more than
    ``slack``.
    """
    result, enough = covered(p, run), p.confidence - p.slack
    groups = parts(result.cells, "method", "n")
    # counts of simulated coverages are not exact; their errors are not known
    rows = [
        by_size(
            f"cells-short-{target}/{method}", n, Estimate(int((own[f"{target}_high"] < enough).sum()), nan, len(own))
        )
        for target in TARGETS
        for (method, n), own in groups.items()
    ]
    rows += [by_size(f"of-all-cells/{method}", n, exact(len(own))) for (method, n), own in groups.items()]
    sizes = [n for n in p.sizes if n < BENCHMARK_FROM]
    part = result.where(lambda frame: frame["n"].isin(sizes))
    small = {t: Small(part, t, sizes, 100 * p.confidence, 100 * enough) for t in TARGETS}
    words = {t: TARGETS[t].words for t in TARGETS}
    checks = [c for t in TARGETS for c in judge_claims(BENCHMARK, small[t], below=BENCHMARK_FROM, words=words[t])]
    # the conservative z aims at the procedure
    checks += judge_claims(CONSERVATIVE, small[PROCEDURE], below=BENCHMARK_FROM, words=words[PROCEDURE])
    return ArtifactResult(rows, checks=checks)
