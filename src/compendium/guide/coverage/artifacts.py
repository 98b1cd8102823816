"""Tables of the coverage study: coverage, width, single cells, intervals without width, claims, what was run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Estimate, every, exact
from compendium.evidence.records import each, parts
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.coverage.experiment import (
    METHODS,
    RECOMMENDED,
    CoverageParameters,
    LeftOut,
    illegal,
    laid_out,
    made_for,
    settings_at,
    small_errors_laid_out,
)
from compendium.guide.coverage.figures import CLOSE_UP, draw_close_up, draw_map, draw_small_errors, draw_widths
from compendium.guide.coverage.populations import NORMALS, normal_population, population_named
from compendium.guide.coverage.results import (
    FIRST,
    PROCEDURE,
    Coverage,
    by_size,
    covered,
    covered_of_small_errors,
    rows_by_size,
    share,
)
from compendium.guide.names import INTERVALS, POPULATIONS, TARGETS
from errorest.estimation.intervals import fits_of
from errorest.streams import Streams

# The smallest samples of the benchmark of Schulz-Kuempel et al. (arXiv 2409.18836).
BENCHMARK_FROM = 100

# Intervals that are compared in large samples
LARGE = (
    "10-fold-CV-Wald",
    "corrected-t",
    "nested-CV",
    "out-of-bag",
    "out-of-bag-uncorrected",
    ".632+",
    ".632+-uncorrected",
    ".632+-to-out-of-bag",
    ".632+-to-Wilson",
)

# The library's default interval of errors, and the hull that was its default before, which lacks Wilson's limits
DEFAULT, HULL = ".632+-to-Wilson", ".632+-to-out-of-bag"

# Intervals that are compared where errors are few, and the mean error up to which the hull is held to fall short
WHERE_FEW = (DEFAULT, HULL, ".632+", "10-fold-CV-equation-3", "10-fold-CV-Wald", "corrected-t", "nested-CV")
FEWEST = 0.01


@artifact("guide-coverage-map", draw=draw_map, matrix=True)
def coverage_map(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Coverage of every interval by sample size, for both targets: mean over the cells and worst cell, in percent."""
    result = covered(p, run)
    rows = [r for t, part in parts(result.means, "target").items() for r in rows_by_size(t, part, "coverage", "se")]
    rows += [
        by_size(f"worst-cell-{r.target}/{r.method}", r.n, share(r.worst, r.worst_samples) * 100)
        for r in each(result.means)
    ]
    rows += [by_size("cells", n, exact(own["cells"].max())) for n, own in parts(result.means, "n").items()]
    return ArtifactResult(rows, {"cells": result.cells, "map": result.means})


@artifact("guide-coverage-width", draw=draw_widths, matrix=True)
def widths(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Mean width of the intervals (points), and as a multiple of the binomial width of n independent tests."""
    result = covered(p, run)
    rows = [
        *rows_by_size("points", result.widths, "width", "se"),
        *rows_by_size("multiple-of-binomial", result.widths, "multiple", "multiple_se", factor=1),
    ]
    return ArtifactResult(rows, {"widths": result.widths, "same-cells": result.at_every_size(p.sizes).widths})


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


@dataclass(frozen=True)
class Small:
    """Samples smaller than the benchmark's, for one target; coverages in percent."""

    found: Coverage
    target: str
    sizes: Sequence[int]
    nominal: float
    enough: float
    """The least coverage that still counts as nominal."""

    def means(self, methods: Sequence[str]) -> list[Estimate]:
        """Return the mean coverage of each interval at each size at which it was made."""
        each = [(m, n, self.found.mean(m, self.target, n)) for m in methods for n in self.sizes]
        return [e.named(f"{INTERVALS[m]} at n = {n}", "%", 1, "") for m, n, e in each if e.n]

    def cells(self, method: str) -> list[Condition]:
        """Ask each cell of an interval for enough coverage."""
        own = self.found.cells[self.found.cells["method"] == method]
        return [
            (share(c[self.target], c["samples"]) * 100).named(
                f"{c['inducer']} on {c['population']} at n = {c['n']}", "%", 1, ""
            )
            > self.enough
            for c in own.to_dict("records")
        ]

    def others(self) -> list[Condition]:
        """Ask each other interval that was made at all sizes for too little coverage at one of them."""
        means = {m: self.means([m]) for m in self.found.methods if m not in RECOMMENDED}
        whole = [own for own in means.values() if len(own) == len(self.sizes)]
        return [min(own, key=lambda e: e.value) < self.enough for own in whole]


BENCHMARK = Claims(
    "guide-coverage-benchmark",
    {
        "on-average": lambda small: [e > small.enough for e in small.means(RECOMMENDED)],
        "everywhere": lambda small: [every(INTERVALS[m], small.cells(m)) for m in RECOMMENDED],
        "no-other": lambda small: every("the others", small.others()),
    },
)

CONSERVATIVE = Claims(
    "guide-coverage-benchmark",
    {"conservative": lambda small: [e > small.nominal for e in small.means(["conservative-z"])]},
)


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
    words: dict[str, dict[str, Any]] = {t: {"below": BENCHMARK_FROM, "words": TARGETS[t].words} for t in TARGETS}
    checks = [check for t in TARGETS for check in judge_claims(BENCHMARK, small[t], **words[t])]
    # the conservative z aims at the procedure
    return ArtifactResult(rows, checks=checks + judge_claims(CONSERVATIVE, small[PROCEDURE], **words[PROCEDURE]))


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


@dataclass(frozen=True)
class Few:
    """Coverage of a small mean error, over the inducers, a row an interval, population and size; in percent."""

    means: pd.DataFrame
    enough: float
    """The least coverage that still counts as nominal."""

    def of(self, method: str, most: float = 1.0) -> list[Estimate]:
        """Return the coverage of an interval wherever the mean error is at most a proportion."""
        own = self.means[(self.means["method"] == method) & (self.means["error"] <= most)]
        return [_mean_of(r).named(f"{r['population']} at n = {r['n']}", "%", 1, "") for r in own.to_dict("records")]


def _mean_of(row: dict[Any, Any]) -> Estimate:
    return Estimate(row["coverage"], row["se"], int(row["samples"])) * 100


FEW = Claims(
    "guide-coverage-small-errors",
    {
        "default": lambda few: every(INTERVALS[DEFAULT], [e > few.enough for e in few.of(DEFAULT)]),
        "hull": lambda few: every(INTERVALS[HULL], [e < few.enough for e in few.of(HULL, FEWEST)]),
    },
)


@artifact("guide-coverage-small-errors", draw=draw_small_errors, matrix=True)
def small_errors(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Coverage of the mean error where few cases are misclassified, by least error and size; then mean widths.

    Means over the inducers, and the worst of them, in percent; widths, and the mean error, in points.
    """
    found = covered_of_small_errors(p, run)
    if found is None:
        return ArtifactResult([])
    found = found.where(lambda frame: frame["method"].isin(WHERE_FEW))
    rows, tables = [], []
    for name in p.small_errors:
        own = Coverage(*(frame[frame["population"] == name] for frame in (found.samples, found.cells)))
        errors = own.cells.groupby("n")["error"].mean()
        means = own.means[own.means["target"] == PROCEDURE]
        means = means.assign(population=name, error=means["n"].map(errors))
        tables.append(means)
        for r in means.to_dict("records"):
            at = f"{name}-at-{r['n']}"
            rows.append(Row.of("literal", f"mean/{at}", r["method"], _mean_of(r)))
            rows.append(Row.of("literal", f"worst/{at}", r["method"], share(r["worst"], r["worst_samples"]) * 100))
        for r in own.widths.to_dict("records"):
            width = Estimate(r["width"], r["se"], int(r["samples"])) * 100
            rows.append(Row.of("literal", f"width/{name}-at-{r['n']}", r["method"], width))
        # how exact a mean of errors is depends on what their inducers share, and is not known
        rows += [
            Row.of("literal", f"mean/{name}-at-{n}", "mean-error", Estimate(100 * e, nan, p.repetitions))
            for n, e in errors.items()
        ]
    table = pd.concat(tables, ignore_index=True)
    few = Few(table, 100 * (p.confidence - p.slack))
    checks = judge_claims(FEW, few, enough=f"{few.enough:g}", fewest=f"{100 * FEWEST:g}")
    return ArtifactResult(rows, {"cells": found.cells, "means": table}, checks=checks)


@artifact("guide-coverage-run", matrix=True)
def how_it_was_run(p: CoverageParameters, run: Run) -> ArtifactResult:
    """What was run and what was left out, with the reason, and how exact the true errors are."""
    (cells, left_out), (few, few_left_out) = laid_out(p), small_errors_laid_out(p)
    cells, left_out = cells + few, left_out + few_left_out
    populations = list(dict.fromkeys([*p.populations, *p.small_errors]))
    ids = {(method, c.n): text for c in cells for method, text in c.methods.items()}
    settings = pd.DataFrame(
        [(m, n, ids.get((m, n), ""), ids.get((m, n)) or settings_at(m, n)[-1]) for m in METHODS for n in p.sizes],
        columns=["method", "n", "interval", "cheapest"],
    )
    settings["classifiers"] = [fits_of([s.cheapest], s.n) for s in each(settings)]
    rows = [
        by_size(
            f"{'classifiers-of-a-sample' if s.interval else 'left-out-for-cost'}/{s.method}", s.n, exact(s.classifiers)
        )
        for s in settings.sort_values("interval", key=lambda text: text == "", kind="stable").pipe(each)
    ]
    ran = {(c.population, c.inducer, c.n) for c in cells}
    rows += [
        by_size(f"{name}/{inducer}", n, exact(p.repetitions * ((name, inducer, n) in ran)))
        for name in populations
        for inducer in p.inducers
        for n in p.sizes
    ]
    rows += integration(p)
    named = pd.DataFrame([(name, POPULATIONS[name]) for name in populations], columns=["population", "what it is"])
    left = pd.DataFrame(left_out, columns=list(LeftOut._fields))
    return ArtifactResult(rows, {"left-out": left, "settings": settings, "populations": named})


def integration(p: CoverageParameters, samples: int = 3) -> list[Row]:
    """By how much sixteen times the points move the true errors that are integrals: root mean square, points."""
    squares, n = [], max(p.close_up)
    for name in (name for name in p.populations if name in NORMALS):
        coarse, fine = population_named(name), normal_population(NORMALS[name](), 15)
        for number in range(samples):
            sample = coarse.sample(n, Streams(p.seed).child("guide-integration", name, number).generator("sample"))
            for inducer in (i for i in p.inducers if not illegal(name, i)):
                classifier = made_for(inducer, coarse).fit(sample, np.random.default_rng(p.seed))
                squares.append((100 * (coarse.true_error(classifier) - fine.true_error(classifier))) ** 2)
    if not squares:
        return []
    root = float(np.sqrt(np.mean(squares)))
    se = float(np.std(squares, ddof=1) / np.sqrt(len(squares)) / (2 * root)) if root > 0 else 0.0
    return [by_size("true-errors-off-by/points", n, Estimate(root, se, len(squares)))]
