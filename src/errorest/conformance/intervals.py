"""The battery for interval methods."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from errorest.conformance.demands import Refused, check_id, check_schemes, check_settings, demand, tried
from errorest.data.sample import Sample
from errorest.estimation.intervals import INTERVALS, IntervalMethod, IntervalResult, interval
from errorest.estimation.intervals.method import Measured
from errorest.estimation.run import run_schemes
from errorest.inducers import KNN, Inducer, LinearDiscriminant, Majority
from errorest.resampling.schemes import Bootstrap, KFold, LeaveOneOut
from errorest.streams import Streams

__all__ = ["check_interval"]

_BESIDE = (LeaveOneOut(), KFold(3), Bootstrap(7))
_INDUCERS = (Majority(), KNN(1), LinearDiscriminant())
_CONFIDENCES = (0.5, 0.8, 0.95)
_COST = 3.0
_ROUNDING = 1e-9


def check_interval(method: IntervalMethod) -> tuple[str, ...]:
    """Put an interval method to the test: are its limits in order, nested, and what it declares?

    The demands: an id that stays and that another method of equal settings shares; schemes that are
    declared, and no others read; a target, an aim in words and losses that are known; limits in order,
    or both NaN; a higher confidence never narrower on either side; limits that lie evenly about the
    estimate where :attr:`~errorest.estimation.intervals.IntervalMethod.even` says so; equal limits for
    equal seeds, whatever other schemes are run; a loss of three where the 0/1 loss is one gives limits
    three times as far from 0, or is refused; a sample of fewer than its fewest cases is refused.

    Parameters
    ----------
    method : IntervalMethod

    Returns
    -------
    tuple of str
        Ids of the inducers for which it was defined.

    Raises
    ------
    UsageError
        If a demand is not met.

    Examples
    --------
    >>> from errorest.estimation.intervals import parse_interval
    >>> check_interval(parse_interval("cv-wald(k=5)"))
    ('majority', 'knn(k=1)', 'linear-discriminant')
    """
    who = check_id(method)
    check_settings(who, method, INTERVALS)
    check_schemes(who, method)
    known = method.target in ("classifier", "procedure") and method.losses in ("0/1", "any") and method.aim.strip()
    demand(
        known,
        who,
        f"it declares target {method.target!r}, losses {method.losses!r} and aim {method.aim!r}",
        "target 'classifier' or 'procedure', losses '0/1' or 'any', and the aim in words",
        "mend the class attributes",
    )
    sample = _sample(max(36, method.least))
    small = tried(lambda: method.check(_sample(method.least - 1)))
    demand(isinstance(small, Refused), who, "it takes fewer cases than it needs", "that they are refused", "see check")
    return tuple(inducer.id for inducer in _INDUCERS if _check(f"{who} of {inducer.id}", method, inducer, sample))


def _sample(n: int) -> Sample:
    rng = np.random.default_rng(5)
    y = np.arange(n) % 2
    return Sample.from_arrays(rng.normal(size=(n, 2)) + y[:, None], y, classes=["a", "b"])


def _check(who: str, method: IntervalMethod, inducer: Inducer, sample: Sample) -> bool:
    outcomes = run_schemes(sample, inducer, method.schemes, Streams(1))
    before = sample.digest()
    try:
        found = [method.result(Measured(sample, outcomes, confidence)) for confidence in _CONFIDENCES]
    except KeyError as exc:
        demand(False, who, f"its reduction reads {exc}", "schemes that it declares", "name it among its schemes")
    demand(sample.digest() == before, who, "its inputs are others now", "that inputs stay", "copy first")
    for one in found:
        undefined = np.isnan(one.low) and np.isnan(one.high)
        demand(
            undefined or one.low <= one.high,
            who,
            f"its limits are {one.low} and {one.high}",
            "low <= high, or both NaN where it is undefined",
            "mend the reduction",
        )
    for less, more in pairwise(found):
        nested = more.low <= less.low + _ROUNDING and less.high <= more.high + _ROUNDING
        demand(
            nested or np.isnan(less.low),
            who,
            f"with confidence {less.confidence} it is {less.low} to {less.high}, with {more.confidence} {more.low} to "
            f"{more.high}",
            "that more confidence holds what less does",
            "mend the quantiles",
        )
    own = found[-1]
    if method.even:
        lean = (own.low + own.high) / 2 - own.estimate
        demand(np.isnan(lean) or abs(lean) <= _ROUNDING, who, f"it leans by {lean}", "none, as it declares", "see even")
    again = interval(sample, inducer, method, Streams(1))
    _equal(who, own, again, "for the same seed", "draw nothing in the reduction")
    beside = run_schemes(sample, inducer, (*_BESIDE, *method.schemes), Streams(1))
    other = method.result(Measured(sample, beside, _CONFIDENCES[-1]))
    _equal(who, own, other, "with other schemes beside it", "read its own schemes alone")
    _check_losses(who, method, inducer, sample, own)
    return not np.isnan(own.low)


def _check_losses(who: str, method: IntervalMethod, inducer: Inducer, sample: Sample, own: IntervalResult) -> None:
    costly = tried(
        lambda: interval(sample, inducer, method, Streams(1), loss=lambda true, said: _COST * (true != said))
    )
    declared = f"and declares losses {method.losses!r}"
    if isinstance(costly, Refused):
        demand(
            method.losses == "0/1", who, f"it refuses a loss of one's own {declared}", "that it takes it", "see losses"
        )
        return
    demand(method.losses == "any", who, f"it takes a loss of one's own {declared}", "that it is refused", "see check")
    scaled = replace(own, estimate=_COST * own.estimate, low=_COST * own.low, high=_COST * own.high)
    _equal(who, scaled, costly, f"times {_COST:g} and with a loss of {_COST:g}", "cut nothing at 0 and 1")


def _equal(who: str, one: IntervalResult, other: IntervalResult, when: str, remedy: str) -> None:
    same = np.allclose(
        [one.estimate, one.low, one.high],
        [other.estimate, other.low, other.high],
        rtol=_ROUNDING,
        atol=_ROUNDING,
        equal_nan=True,
    )
    limits = f"it is {one.low} to {one.high} and {other.low} to {other.high} {when}"
    demand(same, who, limits, "equal limits", remedy)
