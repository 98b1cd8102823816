"""Section 7's seven conclusions, each executed on the samples of sections 3, 5 and 6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, most, some
from compendium.evidence.results import ArtifactResult, Run
from compendium.papers.martin_hirschberg.conclusions_study import ConclusionsParameters, Method, Methods, methods_of
from compendium.papers.martin_hirschberg.estimators import NAMES

CV, LOO, BOOT, STAR = "cv-10", "loo", "bootstrap-632", "loo-star"
EVERYWHERE = ("resubstitution", CV, LOO, BOOT, STAR)  # Estimators that all three sections have
OTHERS = ("resubstitution", BOOT, STAR)
HOLDOUT = ("holdout-1/2", "holdout-1/3", "holdout-1/4")
MUCH = 1.25  # A standard deviation this many times another's is much larger
LITTLE = 0.1  # A ratio of standard deviations this close to one is little different from one
AFFECTED = 0.1  # Biases and standard deviations further apart than this, points, are affected
WEAK = 0.5  # A mean correlation below this is poor


def biases(methods: Methods, estimator: str) -> Iterator[Estimate]:
    """Bias in each population and size."""
    for m in methods.all:
        for cell in m.cells(*(factor for factor in m.factors if factor in m.frame)):
            yield cell.bias(estimator).named(cell.label)


def lower_spread(methods: Sequence[Method], one: str, *others: str) -> list[Condition]:
    """Ask that an estimate varies less than others."""
    return [
        m.sd_ratio(one, e).named(f"{m.label}, to {NAMES[e].markdown}", sign="") < 1 for m in methods for e in others
    ]


def rms_beyond(m: Method, one: str, other: str) -> Estimate:
    """Root mean square of one estimator minus that of another, points."""
    return m.rms_gap(m.difference(one), m.difference(other)).named(f"root mean square ({m.label})", "points")


def iterated_over_once(methods: Methods, k: int) -> list[Estimate]:
    """Standard deviation of iterated cross-validation over that of one iteration."""
    return [m.sd_ratio(f"repeated-cv-{k}", f"cv-{k}").named(f"k = {k}, {m.label}") for m in methods.discriminants]


def by_overfitting(methods: Methods, estimator: str) -> Estimate:
    """Bias for one neighbour minus that for most neighbours."""
    return methods.neighbors[0].bias_beyond(methods.neighbors[-1], estimator)


CONCLUSIONS = Claims("martin-hirschberg-conclusions")


@CONCLUSIONS.claim
def conclusion_1_little_bias(m: Methods, limit: float) -> list[Conditions]:
    return [most(NAMES[e].markdown, [abs(b) <= limit for b in biases(m, e)]) for e in (CV, LOO)]


@CONCLUSIONS.claim
def conclusion_1_only_ones(m: Methods, limit: float) -> list[Conditions]:
    return [some(NAMES[e].markdown, [abs(b) > limit for b in biases(m, e)]) for e in OTHERS]


@CONCLUSIONS.claim
def conclusion_1_precision(m: Methods, limit: float) -> list[Condition]:
    return [abs(rms_beyond(one, CV, LOO)) <= limit for one in m.all]


@CONCLUSIONS.claim
def conclusion_2_subsample(m: Methods, limit: float) -> list[Conditions]:
    return [
        every(
            "its mean estimate, which is its own classifier's error, minus that of 10-CV",
            [d.gap(e, CV) > 0 for d in m.discriminants for e in HOLDOUT],
        ),
        every(
            "its standard deviation over that of 10-CV",
            [d.sd_ratio(e, CV) > MUCH for d in m.discriminants for e in HOLDOUT],
        ),
    ]


@CONCLUSIONS.claim
def conclusion_3_iterating_spread(m: Methods, limit: float) -> list[Conditions]:
    return [
        every("below k = 10, iterated over once", [r < 1 for k in (2, 5) for r in iterated_over_once(m, k)]),
        every("at k = 10, iterated over once", [r.within(1 - LITTLE, 1) for r in iterated_over_once(m, 10)]),
    ]


@CONCLUSIONS.claim
def conclusion_3_pessimistic(m: Methods, limit: float) -> Conditions:
    return every("mean bias", [d.bias(e) > 0 for d in m.discriminants for e in ("cv-2", "cv-5")])


@CONCLUSIONS.claim
def conclusion_3_iterating_bias(m: Methods, limit: float) -> Conditions:
    return every(
        "iterated minus once",
        [abs(d.gap(f"repeated-cv-{k}", f"cv-{k}")) <= limit / 2 for d in m.discriminants for k in (2, 5, 10)],
    )


@CONCLUSIONS.claim
def conclusion_4_lower_spread(m: Methods, limit: float) -> list[Condition]:
    return lower_spread(m.all, BOOT, CV)


@CONCLUSIONS.claim
def conclusion_4_bias_differs(m: Methods, limit: float) -> list[Condition]:
    results = sorted((one.bias(BOOT) for one in m.all), key=lambda e: e.value)
    return [results[-1] - results[0] > 0, abs(by_overfitting(m, BOOT)) > AFFECTED]


@CONCLUSIONS.claim
def conclusion_5_unbiased(m: Methods, limit: float) -> list[Conditions]:
    return [
        every("mean bias", [abs(one.bias(STAR)) <= limit for one in (*m.discriminants, *m.neighbors)]),
        every("its standard deviation over theirs", lower_spread([*m.discriminants, *m.neighbors], STAR, LOO, CV)),
    ]


@CONCLUSIONS.claim
def conclusion_5_biased_on_trees(m: Methods, limit: float) -> Condition:
    return abs(m.trees[0].bias(STAR)) > limit / 2


@CONCLUSIONS.claim
def conclusion_5_precision_on_trees(m: Methods, limit: float) -> Condition:
    return rms_beyond(m.trees[0], STAR, LOO) > -limit / 2


@CONCLUSIONS.claim
def conclusion_5_variance(m: Methods, limit: float) -> list[Condition]:
    return [d.sd_ratio(STAR, BOOT).within(1 - LITTLE, 1 + LITTLE) for d in m.discriminants]


@CONCLUSIONS.claim
def conclusion_6_overfitting(m: Methods, limit: float) -> list[Conditions]:
    return [
        some("bias", [abs(by_overfitting(m, e)) > AFFECTED for e in (CV, BOOT)]),
        some(
            "standard deviation",
            [abs(m.neighbors[0].spread_beyond(m.neighbors[-1], e)) > AFFECTED for e in (CV, BOOT)],
        ),
    ]


@CONCLUSIONS.claim
def conclusion_7_correlations(m: Methods, limit: float) -> list[Conditions]:
    # of the resampling estimates that vary with the true error at all
    varying = [(one, e) for one in m.all for e in EVERYWHERE[1:] if one.correlations(e)]
    return [
        every("mean correlations", [one.correlation(e) < WEAK for one, e in varying]),
        some("single correlations", [r < 0 for one, e in varying for r in one.correlations(e)]),
    ]


@artifact("martin-hirschberg-conclusions")
def conclusions(p: ConclusionsParameters, run: Run) -> ArtifactResult:
    """Execute section 7's seven conclusions."""
    methods = methods_of(p, run)
    columns: dict[str, Any] = {"bias-percent": Method.bias, "std-percent": Method.spread}
    columns["correlation"] = Method.correlation
    rows = [row for m in methods.all for row in m.rows(m.estimators, columns, row="{key}/{}")]
    return ArtifactResult(rows, checks=judge_claims(CONCLUSIONS, methods, p.negligible))
