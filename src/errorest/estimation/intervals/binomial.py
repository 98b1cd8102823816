"""Binomial intervals: of a holdout, and Kohavi's use of the same argument on cross-validation.

A holdout's errors are binomial given its classifier; those of a cross-validation are not,
which is what Kohavi's (1995) equation 3 leaves out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import ClassVar

from errorest.estimation.intervals.cross_validation import OfFolds
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured
from errorest.estimation.proportions import Interval, clopper_pearson_interval, wilson_interval
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Holdout, LeaveOneOut

_AIM = "the error of the classifier made of the whole sample, were the tested cases independent of it"


@dataclass(frozen=True, eq=False)
class _OfHoldout(IntervalMethod):
    """An interval of one holdout; ``test`` is a share of the cases, rounded up, or a number of them."""

    target = "classifier"
    aim = "the error of the classifier made of the training part of the split"
    estimators = ("holdout",)

    test: Fraction | float | int = Fraction(1, 3)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """One split."""
        return (Holdout(self.test),)


@dataclass(frozen=True, eq=False)
class HoldoutWald(_OfHoldout):
    """Wald's interval of one holdout: mean loss plus and minus z sqrt(v / m).

    v is the losses' variance divided by m, the number of tested cases: for k errors it is
    the binomial ``p (1 - p)``.
    """

    name = "holdout-wald"
    even = True

    def reduce(self, measured: Measured) -> Limits:
        """Take the variance of the losses."""
        losses = measured.losses(self.schemes[0])
        return Limits.around(losses.mean(), sqrt(losses.var() / losses.size), measured.z, losses.size)


@dataclass(frozen=True, eq=False)
class _OfCounts(_OfHoldout):
    losses = "0/1"
    needs_cases = False
    limits_of: ClassVar[Callable[..., Interval]]

    def reduce(self, measured: Measured) -> Limits:
        """Take the number of errors."""
        outcome = measured.outcome(self.schemes[0])
        errors, cases = int(outcome.errors[0]), int(outcome.tested[0])
        low, high = type(self).limits_of(errors, cases, measured.confidence)
        rate = errors / cases
        return Limits(rate, float(low), float(high), sqrt(rate * (1 - rate) / cases), cases)


@dataclass(frozen=True, eq=False)
class HoldoutWilson(_OfCounts):
    """Wilson's score interval of the errors of one holdout."""

    name = "holdout-wilson"
    limits_of = staticmethod(wilson_interval)


@dataclass(frozen=True, eq=False)
class HoldoutClopperPearson(_OfCounts):
    """Clopper & Pearson's interval of the errors of one holdout."""

    name = "holdout-clopper-pearson"
    limits_of = staticmethod(clopper_pearson_interval)


def _equation_3(measured: Measured, scheme: Scheme) -> Limits:
    """Take the mean rate for that of n independent tests."""
    n, rate = measured.sample.n, measured.mean(scheme)
    # rounding can carry a mean of repeats past all or none
    low, high = wilson_interval(min(max(rate, 0.0), 1.0) * n, n, measured.confidence)
    return Limits(rate, float(low), float(high), sqrt(max(rate * (1 - rate), 0.0) / n), n)


@dataclass(frozen=True, eq=False)
class CvKohavi(OfFolds):
    """Kohavi's equation 3 on a cross-validation, as if its n tested cases were independent.

    The mean error of repeats takes the place of the errors of one cross-validation.

    References
    ----------
    Kohavi (1995), section 2.1, equation (3), and section 5.
    """

    name = "kohavi"
    target = "classifier"
    aim = _AIM
    losses = "0/1"
    needs_cases = False

    repeats: int = 1

    def reduce(self, measured: Measured) -> Limits:
        """Apply equation 3."""
        return _equation_3(measured, self.schemes[0])


@dataclass(frozen=True, eq=False)
class LooKohavi(IntervalMethod):
    """Kohavi's equation 3 on leave-one-out."""

    name = "loo-kohavi"
    target = "classifier"
    aim = _AIM
    estimators = ("loo",)
    losses = "0/1"
    needs_cases = False

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Each case left out."""
        return (LeaveOneOut(),)

    def reduce(self, measured: Measured) -> Limits:
        """Apply equation 3."""
        return _equation_3(measured, self.schemes[0])
