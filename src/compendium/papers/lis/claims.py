"""The claims of the page's text, judged in the cells of one study, classifier by classifier."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from math import exp
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claim, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, exact, some
from compendium.evidence.monte_carlo import average
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.evidence.trials import Trials
from compendium.papers.bootstrap import distinct_share
from compendium.papers.lis.iterations import EXCESS, draw_iterations, iterations_needed, widening
from compendium.papers.lis.study import B632, E0, HALVES, HOLDOUT, LOO, NAMES, FieldGuideParameters, trials_of
from compendium.studies.experiment import TRUE_ERROR

CLAIMS = Claims("lis-claims")
Claimed = Condition | dict[str, Condition]
Ask = Callable[[Trials], Claimed]
Together = Callable[[str, Sequence[Condition]], Condition | Conditions]


def in_cells(together: Together = every, **positions: int) -> Callable[[Ask], Ask]:
    """Declare a claim that is asked of each cell, inducers apart; ``n=0`` takes the smallest, -1 the largest."""

    def declare(ask: Ask) -> Ask:
        @CLAIMS.claim
        @wraps(ask)
        def judge(trials: Mapping[str, Trials]) -> list[Condition | Conditions]:
            judged: dict[str, dict[str, list[Condition]]] = {}
            for name, t in trials.items():
                wanted = {factor: t.levels(factor)[position] for factor, position in positions.items()}
                for cell in t.cells("n", "inherent_error"):
                    if all(cell.level(factor) == level for factor, level in wanted.items()):
                        claimed = ask(cell)
                        for what, one in claimed.items() if isinstance(claimed, dict) else [("", claimed)]:
                            labelled = replace(one, estimate=one.estimate.named(cell.label))
                            judged.setdefault(what, {}).setdefault(name, []).append(labelled)
            return [together(NAMES["sentences"][n] + w, c) for w, of in judged.items() for n, c in of.items()]

        return ask

    return declare


def on_average(name: str, cells: Sequence[Condition]) -> Condition:
    """Ask it of the mean over the cells, whose samples are independent."""
    like = cells[0].estimate
    mean = average(c.estimate for c in cells).named(f"{name}, mean of {len(cells)} cells", like.unit, sign=like.sign)
    return replace(cells[0], estimate=mean)


def less_rms(t: Trials, one: str, *others: str, factor: float = 1.0) -> Claimed:
    """Ask for less rms than (some times that of) other estimates on the same samples."""
    gaps = {e: t.rms_gap(t.difference(one), factor * t.difference(e)).named(unit="points") for e in others}
    return {f" against {NAMES['estimators'][e]}": gap < 0 for e, gap in gaps.items()}


def less_sd(t: Trials, one: str, other: str) -> Claimed:
    """Ask for a smaller standard deviation than that of another estimate on the same samples."""
    gap = t.rms_gap(*(t[e] - t[e].mean() for e in (one, other))).named(unit="points")
    return {f" against {NAMES['estimators'][other]}": gap < 0}


@in_cells(on_average)
def resubstitution(t: Trials) -> Claimed:
    return t.bias("resubstitution") < 0


@in_cells()
def random_subsampling(t: Trials) -> Claimed:
    return less_rms(t, "random-subsampling", HOLDOUT)


@in_cells()
def loo_unbiased(t: Trials) -> Claimed:
    return abs(t.bias(LOO)) <= 1


@in_cells(n=0)
def loo_variance(t: Trials) -> Claimed:
    return less_sd(t, B632, LOO)


@in_cells(n=0)
def loo_inaccuracy(t: Trials) -> Claimed:
    # variance of the errors minus their squared mean; the standard error by linearization at the mean
    errors = t.difference(LOO)
    bias = errors.mean()
    return t.average((errors - bias) ** 2 - 2 * bias * errors + bias**2).named(unit="squared points") > 0


@in_cells(n=-1)
def loo_accurate(t: Trials) -> Claimed:
    return t.rms(LOO).named(sign="") < 5


@in_cells(n=-1)
def cv_10_adequate(t: Trials) -> Claimed:
    return less_rms(t, "cv-10", LOO, factor=1.1)


@in_cells(on_average)
def stratification(t: Trials) -> Claimed:
    return less_rms(t, "stratified-cv-10", "cv-10")


@in_cells()
def e0_approximated(t: Trials) -> Claimed:
    return abs(t.gap(E0, HALVES)) <= 1


@in_cells(on_average)
def e0_pessimistic(t: Trials) -> Claimed:
    return t.bias(E0) > 0


@in_cells(on_average)
def e0_variance(t: Trials) -> Claimed:
    return less_sd(t, E0, LOO)


@in_cells(on_average)
def bootstrap_632_variance(t: Trials) -> Claimed:
    return less_sd(t, B632, LOO)


@in_cells(inherent_error=-1)
def e0_strong(t: Trials) -> Claimed:
    return less_rms(t, E0, LOO, B632)


@in_cells(n=0, inherent_error=0)
def bootstrap_632_strong(t: Trials) -> Claimed:
    return less_rms(t, B632, LOO, E0)


@in_cells(some, n=0)
def loo_not_inferior(t: Trials) -> Claimed:
    return less_rms(t, LOO, E0, B632)


@in_cells(n=-1)
def bootstrap_632_optimistic(t: Trials) -> Claimed:
    return t.bias(B632) < -1


@in_cells(on_average, n=0)
def lowest_fifth(t: Trials) -> Claimed:
    return {" by e0": of_lowest_fifth(t, E0, LOO) < 0, " by repeated 2-fold": of_lowest_fifth(t, HALVES, LOO) < 0}


def of_lowest_fifth(t: Trials, one: str, other: str) -> Estimate:
    """Mean true error in the fifth of the samples with one estimate's lowest values, minus that with another's."""
    truth, few = t[TRUE_ERROR], max(1, t.n // 5)
    # samples in both fifths have no weight, and add no noise
    weights = np.zeros(t.n)
    for estimator, sign in ((one, 1), (other, -1)):
        weights[np.argsort(t[estimator], kind="stable")[:few]] += sign / few
    se = float(np.sqrt((weights**2).sum()) * truth.std(ddof=1))
    return Estimate(float(weights @ truth), se, t.n, unit="points")


@CLAIMS.claim
def partition(trials: Mapping[str, Trials]) -> list[Conditions]:
    # less rms of the holdout with the largest samples than with the smallest
    results = []
    for name, t in trials.items():
        few, many = t.levels("n")[0], t.levels("n")[-1]
        gains = [(c.label, c.at(n=many).rms(HOLDOUT) - c.at(n=few).rms(HOLDOUT)) for c in t.cells("inherent_error")]
        results.append(every(NAMES["sentences"][name], [gain.named(label, "points") < 0 for label, gain in gains]))
    return results


@artifact("lis-claims", draw=draw_iterations)
def claims(p: FieldGuideParameters, run: Run) -> ArtifactResult:
    """Judge the claims in the page's text: distinct cases, iterations, biases and spreads."""
    trials = trials_of(p, run)
    lines: list[dict[str, Any]] = []
    for name, t in trials.items():
        for cell in t.cells("n", "inherent_error"):
            e = iterations_needed(cell.frame, p.bootstrap_replicates)
            of_cell = {"inducer": name, "size": cell.level("n"), "inherent error": cell.level("inherent_error")}
            lines.append({**of_cell, "value": e.value, "se": e.se, "n": e.n})
    result = pd.DataFrame(lines)
    most = max(lines, key=lambda line: line["value"])
    needed = Estimate(most["value"], most["se"], most["n"])
    # the expected share of distinct cases, in the limit and of the page's example
    limit, at_100 = 1.0 - exp(-1.0), distinct_share(100)
    shares = {
        ("literal", "distinct-fraction"): limit,
        ("unstated:n=100", "distinct-fraction"): at_100,
        ("literal", "test-fraction"): 1.0 - limit,
        ("unstated:n=100", "test-fraction"): 1.0 - at_100,
        ("literal", "distinct-cases-percent"): 100.0 * limit,
    }
    rows = [Row.exact(reading, "text", name, share) for (reading, name), share in shares.items()]
    reading = "unstated:one-percent-of-spread"
    rows.append(Row.of(reading, "text", "iterations-needed", needed))
    rows.append(Row.of(reading, "bootstrap", "iterations", needed, artifact="lis-figure-7"))
    checks = judge_claims(CLAIMS, trials, many=max(p.sizes), few=min(p.sizes))
    more = [exact(p.bootstrap_replicates - n, f"n = {n}", "fits", sign="+") > 0 for n in p.sizes]
    checks.append(judge_claim("lis-claims", "cost", every("fits more than n", more), B=p.bootstrap_replicates))
    return ArtifactResult(rows, {"iterations": result, "widening": widening(result, EXCESS)}, checks)
