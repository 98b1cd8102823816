"""Table 5: differences (a to c) and correlations (d) of leave-one-out, 632b and the true error in each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite, sqrt

import numpy as np

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, most
from compendium.evidence.results import ArtifactResult, Row, Run, rows_of
from compendium.evidence.trials import Trials
from compendium.papers.martin_hirschberg.discriminant.study import BOOT, LOO, TRUTH, DiscriminantParameters, trials

DIFFERENCES = {"5a": (LOO, TRUTH), "5b": (BOOT, TRUTH), "5c": (LOO, BOOT)}
CORRELATED = {"loo-ter": (LOO, TRUTH), "632-ter": (BOOT, TRUTH), "632-loo": (BOOT, LOO)}


def cells_of_table_5(t: Trials) -> list[tuple[str, str, Trials]]:
    """Return inherent error in percent, size and samples of a cell; where no printed size was run, of all sizes."""
    printed = t.where(t.frame["n"].isin([10, 30, 100]))
    cells = (printed if printed.n else t).cells("inherent_error", "n")
    return [(f"{100 * cell.level('inherent_error'):.10g}", f"N={cell.level('n')}", cell) for cell in cells]


def at_ten(t: Trials, low: float = 0.25, high: float = 0.5) -> list[Trials]:
    """Return the cells of N = 10 with an inherent error from ``low`` to ``high``; by default, the hard ones."""
    small = t.at(n=10)
    return small.where(small.frame["inherent_error"].between(low, high)).cells("inherent_error")


def varies_less(t: Trials, *, part: str, than: Sequence[str]) -> Conditions:
    """Ask for differences with a lower standard deviation than those of other tables, in most cells; jackknifed."""
    results = []
    for _, _, cell in cells_of_table_5(t):
        narrow, *wide = (cell.difference(*DIFFERENCES[name]) for name in (part, *than))
        left = np.min([monte_carlo.without_each(w) for w in wide], axis=0) - monte_carlo.without_each(narrow)
        gap = min(w.std(ddof=1) for w in wide) - narrow.std(ddof=1)
        results.append(cell.named(monte_carlo.jackknife(gap, left), unit="points") > 0)
    return most("cells with a lower standard deviation", results)


TABLE_5 = {part: Claims(f"martin-hirschberg-table-{part}") for part in DIFFERENCES}


@TABLE_5["5a"].claim
def loo_positive(t: Trials) -> list[Condition]:
    return [cell.bias(LOO) > 0 for cell in at_ten(t)]


@TABLE_5["5b"].claim
def bootstrap_632_negative(t: Trials) -> list[Condition]:
    return [cell.bias(BOOT) < 0 for cell in at_ten(t)]


TABLE_5["5b"].conditions["less-variable"] = partial(varies_less, part="5b", than=["5a"])


@TABLE_5["5c"].claim
def small_then_large(t: Trials) -> list[Conditions]:
    return [
        every("up to 10 %", [cell.gap(LOO, BOOT).within(-1, 0) for cell in at_ten(t, 0, 0.1)]),
        every("from 25 %", [cell.gap(LOO, BOOT) > 1 for cell in at_ten(t)]),
    ]


TABLE_5["5c"].conditions["less-variable"] = partial(varies_less, part="5c", than=["5a", "5b"])
TABLE_5D = Claims("martin-hirschberg-table-5d")


@TABLE_5D.claim
def with_one_another(mean: Mapping[str, Estimate]) -> list[Condition]:
    return [mean["632-loo"] - mean[pair] > 0 for pair in ("loo-ter", "632-ter")]


@TABLE_5D.claim
def largely_independent(mean: Mapping[str, Estimate]) -> list[Condition]:
    return [mean[pair] < 0.5 for pair in ("loo-ter", "632-ter")]


@artifact("martin-hirschberg-table-5a", part="5a")
@artifact("martin-hirschberg-table-5b", part="5b")
@artifact("martin-hirschberg-table-5c", part="5c")
def table_5_differences(p: DiscriminantParameters, run: Run, *, part: str) -> ArtifactResult:
    """Tables 5a, b and c: mean paired difference for each size and inherent error, points."""
    result = ArtifactResult()
    for t in trials(p, run):
        rows = []
        for error, size, cell in cells_of_table_5(t):
            d = cell.difference(*DIFFERENCES[part])
            halfwidth = monte_carlo.standard_deviation(d) * (2 / sqrt(cell.n))
            rows += rows_of(t.reading, error, [(size, cell.average(d)), (f"{size}/halfwidth", halfwidth)])
        result += ArtifactResult(rows, checks=judge_claims(TABLE_5[part], t, reading=t.reading))
    return result


@artifact("martin-hirschberg-table-5d")
def table_5_correlations(p: DiscriminantParameters, run: Run) -> ArtifactResult:
    """Table 5d: correlations between leave-one-out, 632b and the true error in each cell."""
    result = ArtifactResult()
    for t in trials(p, run):
        # where the true error is constant, at an inherent error of 50 %, it has no correlation
        results = [
            (pair, error, size, r)
            for error, size, cell in cells_of_table_5(t)
            for pair, columns in CORRELATED.items()
            if isfinite((r := cell.corr(*columns)).value)
        ]
        rows = [Row.of(t.reading, error, f"{pair}/{size}", r) for pair, error, size, r in results]
        mean = {
            pair: t.named(monte_carlo.average(r for of, _, _, r in results if of == pair), *columns)
            for pair, columns in CORRELATED.items()
        }
        result += ArtifactResult(rows, checks=judge_claims(TABLE_5D, mean, reading=t.reading))
    return result
