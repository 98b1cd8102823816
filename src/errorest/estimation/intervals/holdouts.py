"""Intervals of one holdout, and those of Nadeau & Bengio (2003) from repeated ones.

A holdout's errors are binomial given its classifier.  The corrected resampled t widens the t interval of the splits'
rates for the cases they share; the conservative z measures the variance on pairs of half samples, which overstates it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, sqrt
from typing import ClassVar

import numpy as np

from errorest.counting import count_each
from errorest.estimation.estimators import Estimator, RandomSubsampling
from errorest.estimation.intervals.draws import PairedHalves
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured
from errorest.estimation.intervals.shares import SHARES, limits_of_shares
from errorest.estimation.metrics.ranking import Auc, delong_variance
from errorest.estimation.outcomes import StatisticOutcome
from errorest.estimation.proportions import Interval, clopper_pearson_interval, wilson_interval
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Holdout
from errorest.spec import at_least


@dataclass(frozen=True, eq=False)
class OfHoldout(IntervalMethod):
    """An interval of one holdout; ``test`` is a share of the cases, rounded up, or a number of them."""

    target = "classifier"
    aim = "the error of the classifier made of the training part of the split"
    estimators = ("holdout",)

    test: Fraction | float | int = Fraction(1, 3)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (Holdout(self.test),)

    @property
    def point_estimator(self) -> Estimator:
        return RandomSubsampling(self.test)


NO_INFLUENCE = "at an end of its scale, and where all answers are alike, the score has a standard error of 0"
"""Why an interval of an influence function has no width."""


def influence_limits(measured: Measured, scheme: Scheme, per_fold: bool) -> Limits:
    """Return the limits of a statistic, plus and minus z standard errors of its influence function.

    The standard error is the root of the sum of squares of what each tested case adds to the statistic (the
    infinitesimal jackknife: Efron 1982, chapter 6).  With groups it is that of what each of G groups adds, times
    sqrt(G / (G - 1)), and Student's quantile with G - 1 degrees of freedom takes the place of z.  G counts the groups
    that are tested; for shares of classes those with a case of the class, of the class that has fewest.
    """
    outcome, n = measured.outcome(scheme), measured.sample.n
    assert isinstance(outcome, StatisticOutcome)
    # se^2 = sum over tests of (influence / tests)^2; influences have a mean of 0 to first order, so that none is taken
    # off
    added = outcome.influence(per_fold)
    estimate = outcome.mean_row_rate if per_fold else outcome.rate
    if measured.groups is None:
        return Limits.around(estimate, sqrt(float((added**2).sum())), measured.z, n)
    group = measured.groups[outcome.resamples.cases]
    # the recall of a class varies with the groups that have the class, of which there may be fewer
    kinds = [group[outcome.y_true == c] for c in outcome.statistic.recalled(outcome.classes)] or [group]
    groups = min(np.unique(own).size for own in kinds)
    if groups < 2:
        return Limits.undefined(n)
    squares = float((count_each(group, added) ** 2).sum())
    # sums of groups are the independent terms, whose variance divides by G - 1
    return Limits.around(estimate, sqrt(squares * groups / (groups - 1)), measured.t(groups - 1), n)


@dataclass(frozen=True, eq=False)
class HoldoutWald(OfHoldout):
    """Wald's interval of one holdout: mean loss plus and minus z sqrt(v / m), of m tested cases."""

    name = "holdout-wald"
    symmetric = True
    counts_groups = True

    def reduce(self, measured: Measured) -> Limits:
        # v is divided by m: for k errors it is the binomial p (1 - p)
        losses = measured.losses(self.schemes[0])
        return Limits.around(losses.mean(), sqrt(losses.var() / losses.size), measured.z, losses.size)

    def reduce_groups(self, measured: Measured) -> Limits:
        # of the few groups that are tested: v divided by their number less one, and Student's quantile
        losses = measured.losses(self.schemes[0])
        if losses.size < 2:
            return Limits.undefined(losses.size)
        se = sqrt(losses.var(ddof=1) / losses.size)
        return Limits.around(losses.mean(), se, measured.t(losses.size - 1), losses.size)


@dataclass(frozen=True, eq=False)
class HoldoutInfluence(OfHoldout):
    """Statistic of one holdout, plus and minus z standard errors of its influence function (the delta method)."""

    name = "holdout-influence"
    symmetric = True
    counts_groups = True
    statistics = ()
    no_width_note = NO_INFLUENCE

    def reduce(self, measured: Measured) -> Limits:
        return influence_limits(measured, self.schemes[0], per_fold=False)


@dataclass(frozen=True, eq=False)
class HoldoutWilson(OfHoldout):
    """Wilson's score interval of the errors of one holdout, or of the recalls of the classes."""

    name = "holdout-wilson"
    losses = "0/1"
    statistics = SHARES
    limits_of: ClassVar[Callable[..., Interval]] = staticmethod(wilson_interval)
    holds: ClassVar[str] = "about"  # as often as it says, on average over proportions

    def reduce(self, measured: Measured) -> Limits:
        outcome = measured.outcome(self.schemes[0])
        if isinstance(outcome, StatisticOutcome):
            return Limits.of_shares(limits_of_shares(outcome, measured.confidence, type(self).limits_of))
        # the errors of one classifier on m independent cases are binomial given the classifier
        errors, cases = int(outcome.errors[0]), int(outcome.tested[0])
        low, high = type(self).limits_of(errors, cases, measured.confidence)
        rate = errors / cases
        # the standard error is told beside: Wilson's limits do not come from it
        return Limits(rate, float(low), float(high), sqrt(rate * (1 - rate) / cases), cases)


@dataclass(frozen=True, eq=False)
class HoldoutClopperPearson(HoldoutWilson):
    """Clopper & Pearson's interval of the errors of one holdout, or of the recalls of the classes."""

    name = "holdout-clopper-pearson"
    limits_of = staticmethod(clopper_pearson_interval)
    holds = "at least"


@dataclass(frozen=True, eq=False)
class HoldoutDeLong(OfHoldout):
    """AUC on one part held out, plus and minus z standard errors of DeLong, DeLong & Clarke-Pearson."""

    name = "holdout-delong"
    statistics = (Auc.name,)
    symmetric = True

    def reduce(self, measured: Measured) -> Limits:
        outcome = measured.outcome(self.schemes[0])
        assert isinstance(outcome, StatisticOutcome)
        # given the classifier, as Wald's: the variance of its training set is not in it
        se = sqrt(delong_variance(outcome.y_true, outcome.y_score))
        return Limits.around(outcome.rate, se, measured.z, outcome.y_true.size)


def corrected_resampled_t(measured: Measured, scheme: Scheme, sets: int | None = None) -> Limits:
    """Return m plus and minus t s sqrt(1/J + n2/n1) for the J rates (Nadeau & Bengio 2003, section 3).

    Student's t has J - 1 degrees of freedom; of repeated folds ``sets`` - 1, for as many as are disjoint.
    Differences of classifiers have a wider form, with at most n/n2 in place of J:
    :func:`errorest.assessment.shared_splits.corrected_spread`.
    """
    rates, n = measured.row_means(scheme), measured.sample.n
    # splits on which a statistic is undefined are left out, and are not counted in J
    rates = rates[~np.isnan(rates)]
    if rates.size < 2:
        return Limits.undefined(n)
    tested = float(measured.outcome(scheme).tested.mean())
    # s^2/J is the variance of J independent rates; n2/n1 is rho/(1 - rho) of the correlation rho = n2/n of two
    # splits, which their training sets share
    se = sqrt(rates.var(ddof=1) * (1 / rates.size + tested / (n - tested)))
    df = (rates.size if sets is None else min(sets, rates.size)) - 1
    return Limits.around(float(rates.mean()), se, measured.t(df), n)


@dataclass(frozen=True, eq=False)
class _OfSplits(IntervalMethod):
    target = "procedure"
    symmetric = True
    aim = "the mean error of classifiers made of n1 cases, the training part of a split"
    estimators = ("holdout",)
    needs_all_rows = True
    counts_groups = True
    statistics = ()
    parts: ClassVar[int] = 1  # of the sample that are split apart

    splits: int = 25

    @property
    def tested(self) -> Fraction:
        """Share of the sample that a split tests; its number of cases, n2, is rounded up."""
        return 1 - Fraction(self.ratio)  # type: ignore[attr-defined]  # of each, in its own place of the id

    @property
    def point_estimator(self) -> Estimator:
        return RandomSubsampling(self.tested, self.splits)

    @property
    def least(self) -> int:
        # each part has cases to test and one to train on
        n = 2 * self.parts
        while ceil(self.tested * n) >= n // self.parts:
            n += 1
        return n


@dataclass(frozen=True, eq=False)
class CorrectedT(_OfSplits):
    """Corrected resampled t: mean of J rates, plus and minus t_{J-1} s sqrt(1/J + n2/n1)."""

    name = "corrected-t"
    requirements: ClassVar = {
        **at_least(splits=2),
        "ratio": (lambda share: 0 < share < 1, "a share in (0, 1); 90 % is written 0.9"),
    }

    ratio: Fraction | float = Fraction(9, 10)  # trained on

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (Holdout(self.tested, self.splits),)

    def reduce(self, measured: Measured) -> Limits:
        return corrected_resampled_t(measured, self.schemes[0])


@dataclass(frozen=True, eq=False)
class ConservativeZ(_OfSplits):
    """Conservative z: mean of J rates, plus and minus z sqrt(v), v from pairs of half samples.

    The sample is halved M times; on each half J splits with the *same* number of tested cases
    n2 and n/2 - n2 training cases are averaged; ``v = sum (difference of the two)^2 / (2 M)``
    (Nadeau & Bengio 2003, section 4).  A sample of odd size leaves one case out of each halving.
    """

    name = "conservative-z"
    parts = 2
    requirements: ClassVar = {
        **at_least(splits=1, halvings=1),
        "ratio": (lambda share: 0.5 < share < 1, "a share in (1/2, 1); each half tests as many cases as the whole"),
    }

    splits: int = 15
    halvings: int = 10
    ratio: Fraction | float = Fraction(9, 10)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return Holdout(self.tested, self.splits), PairedHalves(self.halvings, self.tested, self.splits)

    def reduce(self, measured: Measured) -> Limits:
        whole, halves = self.schemes
        rates = measured.row_means(halves).reshape(self.halvings, 2, self.splits)
        # a halving counts where each half has a value; of its splits those that have one are averaged
        known = ~np.isnan(rates)
        some = known.any(axis=2).all(axis=1)
        if not some.any():
            return Limits.undefined(measured.sample.n)
        means = np.where(known, rates, 0.0).sum(axis=2)[some] / known.sum(axis=2)[some]
        # section 4: the two halves are independent, so that half the squared difference estimates the variance of the
        # mean of J splits of n/2 cases, which is larger than that of n
        v = float(((means[:, 0] - means[:, 1]) ** 2).sum() / (2 * some.sum()))
        return Limits.around(measured.mean(whole), sqrt(v), measured.z, measured.sample.n)
