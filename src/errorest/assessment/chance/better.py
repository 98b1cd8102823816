"""Whether a classifier is better than chance: a permutation test of any estimate of its error."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import beta

from errorest.assessment.caution import checked_ids, heeded
from errorest.assessment.chance.permuted import estimates_under
from errorest.assessment.chance.permuting import permuting_of
from errorest.assessment.chance.result import ChanceTest
from errorest.assessment.classifiers import OwnClassifier
from errorest.assessment.costs import Costs, read_costs
from errorest.assessment.estimate import best_constant, checked_on_failure, on_cores, planned, streams_of
from errorest.assessment.inputs import Problem, prepare
from errorest.assessment.plan import Plan
from errorest.assessment.progress import teller
from errorest.assessment.runs import OnFailure
from errorest.assessment.threads import checked_threads, limited
from errorest.assessment.training import training_cautions
from errorest.errors import UsageError
from errorest.estimation.intervals.proportions import check_confidence
from errorest.estimation.losses import Loss

__all__ = ["better_than_chance", "monte_carlo_p"]

_SAME = 1e-9
"""Estimates that differ by a smaller share are equal."""


def better_than_chance(
    classifier: Any,
    X: Any,
    y: Any = None,
    *,
    estimator: Any = "auto",
    permutations: int = 1000,
    rng: np.random.Generator | int | None = None,
    groups: Any = None,
    strata: Any = None,
    loss: Any = "0/1",
    on_failure: OnFailure = "raise",
    confidence: float = 0.95,
    encode: bool = False,
    jobs: int = 1,
    threads: int | None = 1,
    progress: bool = False,
    ignore: Iterable[str] | str = (),
) -> ChanceTest:
    """Test whether a classifier errs less than if labels had nothing to do with attributes.

    The whole estimate is repeated with the labels in other places.  Where there are no more arrangements than
    permutations asked for, all are looked at and the p-value is exact.

    Parameters
    ----------
    classifier, X, y, estimator, rng, loss, on_failure, encode, jobs, threads, progress, ignore
        As :func:`~errorest.assessment.estimate_error`.
    groups, strata : array-like, optional
        As there.  Where every group has one label, whole groups change places; where some has several, labels change
        places inside groups.  Strata are never left.
    permutations : int
        Arrangements of the labels to draw.
    confidence : float
        Of the limits of a drawn p-value; one less it is the level of the verdict.

    Returns
    -------
    ChanceTest

    Raises
    ------
    UsageError
        As :func:`~errorest.assessment.estimate_error`; or if no label can change places, as within strata of the class.

    References
    ----------
    Ojala & Garriga (2010), test 1; Phipson & Smyth (2010) for the p-value of drawn permutations.

    Examples
    --------
    >>> X, y = np.arange(30.0)[:, None], [0] * 15 + [1] * 15
    >>> found = better_than_chance("knn", X, y, permutations=99, rng=1)
    >>> found.exact, found.p_value, found.as_good
    (False, 0.01, 0)
    """
    began = time.perf_counter()
    check_confidence(confidence)
    most, ignored = checked_threads(threads), checked_ids(ignore)
    options = {"groups": groups, "strata": strata, "encode": encode}
    problem = prepare(classifier, X, y, **options, jobs=on_cores(jobs), threads=most)
    number = _checked_number(permutations)
    costs = read_costs(loss, problem.labels, problem.class_counts)
    streams, seed = streams_of(rng)
    plan = planned(problem, estimator, None, streams, costs.loss.zero_one)
    _check_plan(plan, costs)
    places = permuting_of(problem.sample.y, problem.groups, problem.strata)
    exact = places.number <= number
    wanted = places.all() if exact else places.draw(streams.generator("permutations"), number)
    failure, cost_of = checked_on_failure(on_failure), _cost_of(problem, loss, costs)
    tell = _teller(problem, places.number if exact else number) if progress else None
    with limited(most if isinstance(problem.inducer, OwnClassifier) else None):
        shared = partial(estimates_under, problem, estimator, plan, streams, cost_of, on_failure=failure)
        own = float(shared([problem.sample.y])[0])
        chance = shared(wanted, told=tell)
    _check_known(own, chance, plan)
    made = _result(problem, plan, own, chance, exact, confidence, costs)
    return replace(
        made,
        permuted=places.told,
        seconds=time.perf_counter() - began,
        warnings=heeded(training_cautions("the classifier", problem.inducer), ignored),
        seed=seed,
    )


def _result(
    problem: Problem, plan: Plan, own: float, chance: np.ndarray, exact: bool, confidence: float, costs: Costs
) -> ChanceTest:
    """Put together what the estimates say; time and cautions are told by who made them."""
    number = int(chance.size)
    as_good = int((chance <= own + _SAME * abs(own)).sum())
    p, low, high = (as_good / number,) * 3 if exact else monte_carlo_p(as_good, number, confidence)
    constant, bar = best_constant(problem, costs.loss)
    return ChanceTest(
        p,
        low,
        high,
        exact,
        own,
        number,
        as_good,
        "",
        problem.inducer.id,
        plan.estimator.id if plan.estimator is not None else "",
        problem.sample.classes[constant],
        bar,
        problem.n,
        sum(s.fits(problem.n) for s in plan.schemes) * (1 + number),
        0.0,
        confidence,
        loss=costs.kind,
        costs=costs.told,
        _chance=chance,
        _source=problem.source,
    )


def monte_carlo_p(as_good: int, drawn: int, confidence: float = 0.95) -> tuple[float, float, float]:
    """Return the p-value of drawn permutations, and limits of what all of them would give.

    Parameters
    ----------
    as_good : int
        Drawn permutations whose estimate is no larger than the one at hand, b.
    drawn : int
        m.
    confidence : float

    Returns
    -------
    p : float
        (1 + b) / (1 + m), which is no smaller than the level more often than it may be.
    low, high : float
        Clopper & Pearson's limits of the share of all permutations.

    References
    ----------
    Phipson & Smyth (2010); Clopper & Pearson (1934).

    Examples
    --------
    >>> p, low, high = monte_carlo_p(0, 99)
    >>> p, low, round(high, 4)
    (0.01, 0.0, 0.0366)
    """
    tail = (1 - confidence) / 2
    low = float(beta.ppf(tail, as_good, drawn - as_good + 1)) if as_good else 0.0
    high = float(beta.ppf(1 - tail, as_good + 1, drawn - as_good)) if as_good < drawn else 1.0
    return (1 + as_good) / (1 + drawn), low, high


def _checked_number(permutations: Any) -> int:
    if not isinstance(permutations, int | np.integer) or isinstance(permutations, bool) or permutations < 1:
        raise UsageError(
            f"permutations = {permutations!r} was given; expected a whole number from 1, such as 1000; mend it"
        )
    return int(permutations)


def _check_plan(plan: Plan, costs: Costs) -> None:
    if not costs.loss.zero_one and any(s.cloned for s in plan.schemes):
        raise UsageError(
            "a loss of your own and clones were asked for; expected the 0/1 loss, since clones count errors; name an "
            "estimator without clones, or loss='0/1'"
        )


def _check_known(own: float, chance: np.ndarray, plan: Plan) -> None:
    if np.isnan(own) or np.isnan(chance).any():
        name = plan.estimator.id if plan.estimator is not None else ""
        raise UsageError(
            f"{name} is undefined under {int(np.isnan(chance).sum())} of {chance.size} arrangements of the labels; "
            "expected an estimate under each; name cv(k=10), or ask for more replicates"
        )


def _cost_of(problem: Problem, loss: Any, costs: Costs) -> Callable[[np.ndarray], Loss]:
    """Return the loss for class numbers; where whole groups change places the classes may change their sizes."""
    counts = problem.class_counts

    def of(labels: np.ndarray) -> Loss:
        if costs.kind != "balanced":
            return costs.loss
        own = np.bincount(labels, minlength=counts.size)
        return costs.loss if (own == counts).all() else read_costs(loss, problem.labels, own).loss

    return of


def _teller(problem: Problem, number: int) -> Callable[[], None]:
    tell = teller(f"{problem.inducer.id}, permuted")
    return lambda: tell(1, number)
