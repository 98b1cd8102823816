"""Learning curves: how often their limits hold the error, how far off they are, and what their test cases yield."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Estimate, every
from compendium.evidence.monte_carlo import mean
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.growing.experiment import GrowingParameters, cells_of, curve_study, sizes_of, truth_study
from compendium.guide.growing.figures import (
    END,
    INDUCER_TITLES,
    KINDS,
    TWICE,
    draw_growing_coverage,
    draw_growing_offsets,
    place_title,
)
from compendium.guide.held import made_once, within

# Points of coverage up to which a promise counts as kept
_SLACK = 5.0


def predictions(p: GrowingParameters, run: Run) -> pd.DataFrame:
    """One row per sample and predicted size: limits of the curve, the true mean error, whether the limits hold it."""
    truth, curves = run(truth_study(p)), run(curve_study(p))
    return made_once("growing", [truth, curves], lambda: _predictions(p, truth, curves))


def _predictions(p: GrowingParameters, truth: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    truths = {key: mean(own["error"].to_numpy()) for key, own in truth.groupby(["data", "inducer", "m"])}
    tables = []
    for cell, (_, lines) in zip(cells_of(p), curves.groupby("cell"), strict=True):
        end, *beyond = sizes_of(cell, p)
        for kind in KINDS:
            for m in (end, *beyond):
                own = lines[(lines["quantity"] == ("measured" if m == end else kind)) & (lines["m"] == m)]
                low, high, error = own["low"].to_numpy(), own["high"].to_numpy(), truths[cell.data, cell.inducer, m]
                place = END if m == end else TWICE if m == 2 * cell.n else f"{m}-cases"
                covered = {
                    name: within(low, high, error.value + shift * error.se).astype(float)
                    for name, shift in (("held", 0), ("held_up", 1), ("held_down", -1))
                }
                tables.append(
                    own[["replicate", "m", "value", "low", "high"]].assign(
                        **cell._asdict(), kind=kind, place=place, truth=error.value, truth_se=error.se, **covered
                    )
                )
    return pd.concat(tables, ignore_index=True)


def _groups(table: pd.DataFrame, p: GrowingParameters) -> Iterator[tuple[str, int, str, pd.DataFrame]]:
    """Yield the predictions by kind, cases and place, in the order of the tables."""
    places = [END, TWICE, *(f"{m}-cases" for m in sorted(p.ahead))]
    by = parts(table, "kind", "n", "place")
    yield from ((*key, by[key]) for kind in KINDS for n in p.cases for q in places if (key := (kind, n, q)) in by)


def _doubt(cell: pd.DataFrame) -> float:
    """How far the share of a cell that is held moves with one standard error of the truth."""
    return abs(float(cell["held_up"].mean() - cell["held_down"].mean())) / 2


def average(own: pd.DataFrame, column: str, doubt: float | None = None) -> Estimate:
    """Average cells with equal weights (percent).

    Learners of a set share samples, so they are averaged sample by sample first; their doubts add up, since their
    classifiers of one training set err together.  ``doubt`` is that of a cell, by default from the truth's error.
    """
    total = own.groupby(["data", "inducer"]).ngroups
    value = variance = 0.0
    for part in parts(own, "data").values():
        cells = parts(part, "inducer")
        doubts = [_doubt(cell) if doubt is None else doubt for cell in cells.values()]
        shared = mean(np.mean([cell[column].to_numpy(dtype=float) for cell in cells.values()], axis=0))
        weight = len(cells) / total
        value += weight * shared.value
        variance += (weight * hypot(shared.se, float(np.mean(doubts)))) ** 2
    return Estimate(value, sqrt(variance), len(own)) * 100


def coverage_of_cell(cell: pd.DataFrame) -> Estimate:
    """Coverage of a cell (percent), its error by Laplace's rule: that a few held is no proof that all do."""
    covered = cell["held"]
    smoothed = (covered.sum() + 1) / (len(covered) + 2)
    se = hypot(sqrt(smoothed * (1 - smoothed) / len(covered)), _doubt(cell))
    return Estimate(float(covered.mean()), se, len(covered)) * 100


@dataclass(frozen=True)
class Coverage:
    """What the claims speak of: predictions beyond the measured sizes, and the least coverage that counts (percent)."""

    p: GrowingParameters
    table: pd.DataFrame
    least: float

    def groups(self, kind: str) -> list[tuple[str, pd.DataFrame]]:
        """Return the predictions of a kind by place and cases, with a label."""
        return [
            (f"{place_title(place)} from {n}", own)
            for k, n, place, own in _groups(self.table, self.p)
            if k == kind and place != END
        ]

    def means(self) -> list[Condition]:
        """Ask each mean over sets and learners for enough coverage."""
        return [average(own, "held").named(at, "%", 1, "") > self.least for at, own in self.groups("expected")]

    def cells(self) -> list[Condition]:
        """Ask each set and learner for it, with some slack."""
        return [
            coverage_of_cell(cell).named(
                f"{INDUCER_TITLES[inducer]} on {data.replace('two-normals', 'two normals')}, {at}", "%", 1, ""
            )
            > self.least - _SLACK
            for at, own in self.groups("expected")
            for (data, inducer), cell in parts(own, "data", "inducer").items()
        ]

    def gains(self) -> list[Condition]:
        """Ask for more coverage with a slope that wanders than without."""
        pairs = zip(self.groups("expected"), self.groups("at-their-word"), strict=True)
        # another sample might differ where none did
        doubt = 1 / (self.p.samples + 2)
        return [
            average(a.assign(gain=a["held"].to_numpy() - b["held"].to_numpy()), "gain", doubt).named(at) > 0
            for (at, a), (_, b) in pairs
        ]


COVERAGE = Claims(
    "guide-growing-coverage",
    {
        "on-average": lambda c: every("places", c.means()),
        "everywhere": lambda c: every("cells", c.cells()),
        "at-their-word": lambda c: every("differences in points", c.gains()),
    },
)


@artifact("guide-growing-coverage", draw=draw_growing_coverage, matrix=True)
def curve_coverage(p: GrowingParameters, run: Run) -> ArtifactResult:
    """Coverage of the extrapolation by how far it goes: mean over the cells, the worst cell, and each (percent)."""
    result = predictions(p, run)
    rows, worst_rows, each_rows, table, cells = [], [], [], [], []
    for kind, n, place, own in _groups(result, p):
        first, row = {"kind": kind, "n": n, "place": place}, f"{kind}/{n}-cases"
        each = {key: coverage_of_cell(cell) for key, cell in parts(own, "data", "inducer").items()}
        group, worst = average(own, "held"), min(each.values(), key=lambda e: e.value)
        rows.append(Row.of("literal", row, place, group))
        worst_rows.append(Row.of("literal", f"worst/{row}", place, worst))
        each_rows += [Row.of("literal", f"{data}/{i}/{row}", place, e) for (data, i), e in each.items()]
        table.append({**first, "coverage": group.value, "se": group.se, "worst": worst.value})
        cells += [{**first, "set": data, "inducer": i, "coverage": e.value} for (data, i), e in each.items()]
    least = 100 * p.confidence - _SLACK
    checks = judge_claims(COVERAGE, Coverage(p, result, least), least=least, slack=least - _SLACK)
    return ArtifactResult(
        rows + worst_rows + each_rows, {"map": pd.DataFrame(table), "cells": pd.DataFrame(cells)}, checks
    )


@artifact("guide-growing-offsets", draw=draw_growing_offsets, matrix=True)
def curve_offsets(p: GrowingParameters, run: Run) -> ArtifactResult:
    """Mean of expected less true error (points), and shares of intervals above and below the truth (percent)."""
    result = predictions(p, run)
    result = result[result["kind"] == "expected"]
    rows, table = [], []
    for (data, inducer, n, place), cell in parts(result, "data", "inducer", "n", "place").items():
        off = mean((cell["value"] - cell["truth"]).to_numpy())
        off = Estimate(off.value, hypot(off.se, cell["truth_se"].iloc[0]), off.n) * 100
        rows.append(Row.of("literal", f"offset/{data}/{inducer}/{n}-cases", place, off))
        table.append({"set": data, "inducer": inducer, "n": n, "place": place, "offset": off.value, "se": off.se})
    result = result.assign(too_high=result["low"] > result["truth"], too_low=result["high"] < result["truth"])
    for _, n, place, own in _groups(result, p):
        for side in ("too-high", "too-low"):
            rows.append(Row.of("literal", f"{side}/{n}-cases", place, average(own, side.replace("-", "_"), 0.0)))
    return ArtifactResult(rows, {"offsets": pd.DataFrame(table)})


@dataclass(frozen=True)
class Tested:
    """What the test cases that the curves asked for yielded, by the cases at hand: widths (points) and coverage (%)."""

    p: GrowingParameters
    by_cases: dict[int, dict[str, Estimate]]

    def widths(self) -> list[Condition]:
        """Ask for a mean width of at most a tenth more than was wanted."""
        return [self._of(n, "width-points", "points") < 110 * self.p.width for n in self.by_cases]

    def coverages(self) -> list[Condition]:
        """Ask for nearly the nominal coverage."""
        nominal, slack = 100 * self.p.confidence, _SLACK - 2
        each = [self._of(n, "held-percent", "%") for n in self.by_cases]
        return [e.within(nominal - slack, nominal + slack) for e in each]

    def _of(self, n: int, column: str, unit: str) -> Estimate:
        return self.by_cases[n][column].named(f"from {n}", unit, 1, "")


TESTED = Claims("guide-growing-test-cases", {"width": lambda t: t.widths(), "coverage": lambda t: t.coverages()})


@artifact("guide-growing-test-cases", matrix=True)
def curve_test_cases(p: GrowingParameters, run: Run) -> ArtifactResult:
    """Test cases asked for, widths measured on as many (points), shares as narrow as wanted and holding (percent)."""
    lines = run(curve_study(p))
    numbers = pd.Series([cell.n for cell in cells_of(p)])
    tested, own = (lines[lines["quantity"] == name] for name in ("tested", "this-classifier"))
    n, width = numbers.to_numpy()[tested["cell"]], (tested["high"] - tested["low"]).to_numpy()
    values = {
        "test-cases": tested["m"].to_numpy(dtype=float),
        "width-points": 100 * width,
        "as-narrow-percent": 100.0 * (width <= p.width + 1e-9),
        "held-percent": 100.0 * within(tested["low"].to_numpy(), tested["high"].to_numpy(), own["value"].to_numpy()),
    }
    cell = tested["cell"].to_numpy()
    measured = {c: {k: mean(v[n == c], cell[n == c]) for k, v in values.items()} for c in p.cases}
    rows = [Row.of("literal", f"{c}-cases", name, m) for c in p.cases for name, m in measured[c].items()]
    checks = judge_claims(TESTED, Tested(p, measured), wanted=100 * p.width, slack=_SLACK - 2)
    return ArtifactResult(rows, checks=checks)
