"""The battery for error-rate estimators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isnan

import numpy as np

from errorest.conformance.demands import check_id, check_schemes, check_settings, demand
from errorest.conformance.inducers import hard_samples
from errorest.data.sample import Sample
from errorest.estimation.estimators import ESTIMATORS, Estimator
from errorest.estimation.run import run_schemes
from errorest.inducers import KNN, Inducer, LinearDiscriminant, Majority
from errorest.resampling.schemes import Bootstrap, KFold, LeaveOneOut
from errorest.streams import Streams

__all__ = ["check_estimator"]

_BESIDE = (LeaveOneOut(), KFold(3), Bootstrap(7))
_INDUCERS = (Majority(), KNN(1), LinearDiscriminant())
_SAMPLES = ("numbers", "repeated cases", "three classes", "one class")
_ROUNDING = 1e-12


def check_estimator(estimator: Estimator, samples: Mapping[str, Sample] | None = None) -> tuple[str, ...]:
    """Put an estimator to the test: does it depend on nothing but its settings, the sample and the seed?

    The demands: an id that stays and that another estimator of equal settings shares; schemes that are
    declared, and no others read; estimates from 0 to 1, or NaN where undefined; equal bytes for equal
    seeds, whatever other schemes are run; no dependence on the names of the classes, nor, where nothing
    is drawn, on the order of the cases; nothing but 0 where no classifier errs; inputs left as they are.

    Parameters
    ----------
    estimator : Estimator
    samples : mapping of str to Sample, optional
        By default some of :func:`~errorest.conformance.inducers.hard_samples`; numeric ones.

    Returns
    -------
    tuple of str
        The samples on which it was defined for every inducer.

    Raises
    ------
    UsageError
        If a demand is not met.

    Examples
    --------
    >>> from errorest.estimation.estimators import parse_estimator
    >>> check_estimator(parse_estimator("cv(k=5)"))
    ('numbers', 'repeated cases', 'three classes', 'one class')
    """
    who = check_id(estimator)
    check_settings(who, estimator, ESTIMATORS)
    check_schemes(who, estimator)
    given = {name: hard_samples()[name] for name in _SAMPLES} if samples is None else samples
    defined = []
    for name, sample in given.items():
        estimates = [_check(f"{who} of {inducer.id} on {name}", estimator, inducer, sample) for inducer in _INDUCERS]
        if not any(isnan(estimate) for estimate in estimates):
            defined.append(name)
    apart = np.repeat([-1000.0, 1000.0], 12) + np.random.default_rng(0).normal(size=24)
    clear = Sample.from_arrays(apart, np.repeat([0, 1], 12))
    never = _estimate(estimator, KNN(1), clear, 1)
    demand(
        isnan(never) or abs(never) <= _ROUNDING,
        who,
        f"it is {never} where no classifier errs",
        "0, however it weighs what it sees",
        "mend the reduction",
    )
    return tuple(defined)


def _check(who: str, estimator: Estimator, inducer: Inducer, sample: Sample) -> float:
    before = sample.digest()
    outcomes = run_schemes(sample, inducer, estimator.schemes, Streams(1))
    sums = {scheme: (outcome.errors.copy(), outcome.tested.copy()) for scheme, outcome in outcomes.items()}
    try:
        estimate = float(estimator.reduce(sample, outcomes))
    except KeyError as exc:
        demand(False, who, f"its reduction reads {exc}", "schemes that it declares", "name it among its schemes")
    demand(
        isnan(estimate) or 0.0 <= estimate <= 1.0,
        who,
        f"it is {estimate}",
        "a proportion from 0 to 1, or NaN where it is undefined",
        "cut it, or mend the reduction",
    )
    _equal(who, estimate, float(estimator.reduce(sample, outcomes)), "when it is reduced again", "keep no state")
    kept = all(
        np.array_equal(errors, outcomes[s].errors) and np.array_equal(tested, outcomes[s].tested)
        for s, (errors, tested) in sums.items()
    )
    demand(kept and sample.digest() == before, who, "its inputs are others now", "that inputs stay", "copy first")
    _equal(
        who, estimate, _estimate(estimator, inducer, sample, 1), "for the same seed", "draw nothing in the reduction"
    )
    beside = run_schemes(sample, inducer, (*_BESIDE, *estimator.schemes), Streams(1))
    _equal(
        who,
        estimate,
        float(estimator.reduce(sample, beside)),
        "with other schemes beside it",
        "read its own schemes alone",
    )
    renamed = replace(sample, classes=tuple(f"{name}, renamed" for name in sample.classes))
    _equal(who, estimate, _estimate(estimator, inducer, renamed, 1), "with classes of other names", "use numbers")
    if isinstance(inducer, Majority) and not any(_draws(estimator, sample)):
        order = np.random.default_rng(4).permutation(sample.n)
        turned = _estimate(estimator, inducer, sample.take(order), 1)
        demand(
            abs(turned - estimate) <= _ROUNDING or isnan(estimate),
            who,
            f"it is {turned} with the cases in another order and {estimate} before, though nothing is drawn",
            "one estimate whatever the order",
            "mend the reduction",
        )
    return estimate


def _draws(estimator: Estimator, sample: Sample) -> list[bool]:
    """Tell of each scheme whether another seed gives other resamples; clones are always drawn."""
    out = []
    for scheme in estimator.schemes:
        one, other = (None if scheme.cloned else scheme.draw(sample, Streams(seed)) for seed in (1, 2))
        out.append(one is None or other is None or not np.array_equal(one.training_counts(), other.training_counts()))
    return out


def _estimate(estimator: Estimator, inducer: Inducer, sample: Sample, seed: int) -> float:
    return float(estimator.reduce(sample, run_schemes(sample, inducer, estimator.schemes, Streams(seed))))


def _equal(who: str, one: float, other: float, when: str, remedy: str) -> None:
    same = one == other or (isnan(one) and isnan(other))
    demand(same, who, f"it is {one} and {other} {when}", "equal estimates", remedy)
