"""Tables 4 and 5: fourteen estimators on a linear discriminant of one attribute, in two readings of its reversal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isfinite, nan, sqrt

import numpy as np

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, most
from compendium.evidence.results import ArtifactResult, Row, Run, rows_of
from compendium.evidence.trials import Trials
from compendium.papers.martin_hirschberg.discriminant.experiment import (
    READINGS,
    DiscriminantParameters,
    study_of,
    study_of_own,
)
from compendium.papers.martin_hirschberg.estimators import ESTIMATOR_IDS
from compendium.papers.martin_hirschberg.names import FACTORS, NAMES

LOO, BOOT, APPARENT, TRUTH = "loo", "bootstrap-632", "resubstitution", "true-error"
OTHERS = [e for e in ESTIMATOR_IDS if e != BOOT]
NEGLIGIBLE = 0.5  # A mean bias up to this, points, is none


def trials(p: DiscriminantParameters, run: Run) -> list[Trials]:
    """Return the samples of each reading of the reversal rule, the reader's own estimators in further columns."""
    results, own = run(study_of(p)), {name: run(study_of_own(p, name)) for name in p.own}
    matches = []
    for rule in p.reversal_rules:
        t = Trials.of(results, rule, reading=READINGS[rule], names=NAMES, factors=FACTORS)
        more = {name: Trials.of(table, rule).frame[name] for name, table in own.items()}
        matches.append(replace(t, frame=t.frame.assign(**more)))
    return matches


def iterated(k: int) -> Callable[[Trials], list[Condition]]:
    """Ask that iterating k-fold cross-validation lowers its spread and leaves its bias."""
    once, often = f"cv-{k}", f"repeated-cv-{k}"
    return lambda t: [
        t.rms_gap(t.difference(once), t.difference(often)).named("rms, once minus iterated", "points") > 0,
        abs(t.gap(once, often).named("bias, once minus iterated")) <= NEGLIGIBLE,
    ]


TABLE_4 = Claims(
    "martin-hirschberg-table-4",
    {
        "far": lambda t: every("rms", [t.rms(e).named(sign="") > 5 for e in ESTIMATOR_IDS]),
        "unbiased": lambda t: [abs(t.bias(e)) <= NEGLIGIBLE for e in (LOO, BOOT)],
        "632-best": lambda t: [
            every("bias of the others beyond its own", [t.bias_gap(e, BOOT) > 0 for e in OTHERS]),
            every(
                "rms of the others beyond its own",
                [t.named(t.rms_gap(t.difference(e), t.difference(BOOT)), e, unit="points") > 0 for e in OTHERS],
            ),
        ],
        "pessimistic": lambda t: every("bias", [t.bias(e) > 0 for e in OTHERS if e not in (LOO, APPARENT)]),
        "iterated-2": iterated(2),
        "iterated-5": iterated(5),
        "iterated-10": iterated(10),
    },
)


@artifact("martin-hirschberg-table-4", once=("all",))
def table_4(p: DiscriminantParameters, run: Run) -> ArtifactResult:
    """Table 4: bias and root mean square of estimate minus true error, points, with two kinds of half-width."""
    made = ArtifactResult()
    for t in trials(p, run):
        # the paper's rule: an rms from n normal differences has the standard error rms/√(2n), here 2.2 % / 1.96
        share = 1.96 / sqrt(2 * t.n)
        rows = []
        for e in p.estimators:
            bias, rms = t.bias(e), t.rms(e)
            columns = {
                "bias-percent": bias,
                # the paper's rule: 1.96 s/√n over all samples, as if they were of one population
                "bias-percent/halfwidth": monte_carlo.standard_deviation(t.difference(e)) * (1.96 / sqrt(t.n)),
                # ours: populations are strata, and the tails of the differences count
                "bias-percent/honest-halfwidth": Estimate(1.96 * bias.se, nan, t.n),
                "rms-percent": rms,
                "rms-percent/halfwidth": rms * share,
                "rms-percent/honest-halfwidth": Estimate(1.96 * rms.se, nan, t.n),
            }
            rows += rows_of(t.reading, e, columns.items())
        rows.append(Row(t.reading, "all", "rms-halfwidth-percent-of-rms", 100 * share, 0.0, t.n))
        made = made + ArtifactResult(rows, checks=judge_claims(TABLE_4, t, reading=t.reading))
    return made


# Table 5: cells of a size and an inherent error

DIFFERENCES = {"5a": (LOO, TRUTH), "5b": (BOOT, TRUTH), "5c": (LOO, BOOT)}


def cells_of_table_5(t: Trials) -> list[tuple[str, str, Trials]]:
    """Return inherent error in percent, size and samples of a cell; where no printed size was run, of all sizes."""
    printed = t.where(t.frame["n"].isin([10, 30, 100]))
    cells = (printed if printed.n else t).cells("inherent_error", "n")
    return [(f"{100 * cell.level('inherent_error'):.10g}", f"N={cell.level('n')}", cell) for cell in cells]


def at_ten(t: Trials, low: float = 0.25, high: float = 0.5) -> list[Trials]:
    """Return the cells of N = 10 with an inherent error from ``low`` to ``high``; by default, the hard ones."""
    small = t.at(n=10)
    return small.where(small.frame["inherent_error"].between(low, high)).cells("inherent_error")


def less_variable(t: Trials, part: str, *than: str) -> Conditions:
    """Ask for differences with a lower standard deviation than those of other tables, in most cells; jackknifed."""
    results = []
    for _, _, cell in cells_of_table_5(t):
        narrow, *wide = (cell.difference(*DIFFERENCES[name]) for name in (part, *than))
        left = np.min([monte_carlo.without_each(w) for w in wide], axis=0) - monte_carlo.without_each(narrow)
        gap = min(w.std(ddof=1) for w in wide) - narrow.std(ddof=1)
        results.append(cell.named(monte_carlo.jackknife(gap, left), unit="points") > 0)
    return most("cells with a lower standard deviation", results)


TABLE_5 = {
    "5a": Claims("martin-hirschberg-table-5a", {"loo-positive": lambda t: [cell.bias(LOO) > 0 for cell in at_ten(t)]}),
    "5b": Claims(
        "martin-hirschberg-table-5b",
        {
            "632-negative": lambda t: [cell.bias(BOOT) < 0 for cell in at_ten(t)],
            "less-variable": lambda t: less_variable(t, "5b", "5a"),
        },
    ),
    "5c": Claims(
        "martin-hirschberg-table-5c",
        {
            "small-then-large": lambda t: [
                every("up to 10 %", [cell.gap(LOO, BOOT).within(-1, 0) for cell in at_ten(t, 0, 0.1)]),
                every("from 25 %", [cell.gap(LOO, BOOT) > 1 for cell in at_ten(t)]),
            ],
            "less-variable": lambda t: less_variable(t, "5c", "5a", "5b"),
        },
    ),
}


@artifact("martin-hirschberg-table-5a", part="5a")
@artifact("martin-hirschberg-table-5b", part="5b")
@artifact("martin-hirschberg-table-5c", part="5c")
def table_5_differences(p: DiscriminantParameters, run: Run, *, part: str) -> ArtifactResult:
    """Tables 5a, b and c: mean paired difference for each size and inherent error, points."""
    made = ArtifactResult()
    for t in trials(p, run):
        rows = []
        for error, size, cell in cells_of_table_5(t):
            d = cell.difference(*DIFFERENCES[part])
            halfwidth = monte_carlo.standard_deviation(d) * (2 / sqrt(cell.n))
            rows += rows_of(t.reading, error, [(size, cell.average(d)), (f"{size}/halfwidth", halfwidth)])
        made = made + ArtifactResult(rows, checks=judge_claims(TABLE_5[part], t, reading=t.reading))
    return made


CORRELATED = {"loo-ter": (LOO, TRUTH), "632-ter": (BOOT, TRUTH), "632-loo": (BOOT, LOO)}

TABLE_5D = Claims(
    "martin-hirschberg-table-5d",
    {
        "with-one-another": lambda mean: [mean["632-loo"] - mean[pair] > 0 for pair in ("loo-ter", "632-ter")],
        "largely-independent": lambda mean: [mean[pair] < 0.5 for pair in ("loo-ter", "632-ter")],
    },
)


@artifact("martin-hirschberg-table-5d")
def table_5_correlations(p: DiscriminantParameters, run: Run) -> ArtifactResult:
    """Table 5d: correlations between leave-one-out, 632b and the true error in each cell."""
    made = ArtifactResult()
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
        made = made + ArtifactResult(rows, checks=judge_claims(TABLE_5D, mean, reading=t.reading))
    return made
