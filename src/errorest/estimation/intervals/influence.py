"""Intervals for statistics, such as the AUC, from their influence functions.

A mean of losses takes every interval of :data:`~errorest.estimation.intervals.INTERVALS`.  A statistic has no
losses of cases: it takes the intervals here, and those that treat whole resamples (repeated splits, the bootstrap with
the whole procedure inside).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

import numpy as np

from errorest.estimation.estimators import CrossValidation, Estimator, RandomSubsampling
from errorest.estimation.estimators.estimator import Weights
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured, at_least
from errorest.estimation.metrics.ranking import Auc, delong_variance
from errorest.estimation.outcomes import StatisticOutcome
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Holdout, KFold


@dataclass(frozen=True, eq=False)
class CvInfluence(IntervalMethod):
    """Cross-validated statistic, plus and minus z standard errors of its influence function.

    For the AUC with ``weights="folds"`` this is the interval of LeDell, Petersen & van der Laan.  The influence of
    a tested case is taken as if the classifiers of the folds were given, as in ``cv-wald`` for error rates.

    Parameters
    ----------
    k : int
        Folds.
    stratified : bool
        Keep the classes in proportion in every fold.
    weights : {"test-size", "folds"}
        The statistic of all tests pooled, or the mean of the folds' own statistics, of those that have one.

    References
    ----------
    LeDell, Petersen & van der Laan (2015), section 4, for the AUC.
    """

    name = "cv-influence"
    target = "classifier"
    aim = "the mean error of the classifiers of this cross-validation, each made of all folds but one"
    estimators = ("cv",)
    even = True
    counts_groups = True
    statistics = ()

    k: int = 10
    stratified: bool = False
    weights: Weights = "test-size"

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(self.k, 2, self.name, "folds")

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """The folds."""
        return (KFold(self.k, stratified=self.stratified),)

    @property
    def surrounds(self) -> Estimator:
        """Cross-validation."""
        return CrossValidation(self.k, 1, self.stratified, self.weights)

    @property
    def least(self) -> int:
        """One case a fold."""
        return self.k

    def reduce(self, measured: Measured) -> Limits:
        """Sum the squared influences of cases, or of groups."""
        outcome, per_fold = measured.outcome(self.schemes[0]), self.weights == "folds"
        assert isinstance(outcome, StatisticOutcome)
        added = outcome.influence(per_fold)
        if measured.groups is not None:
            added = np.bincount(measured.groups[outcome.resamples.cases], added)
        estimate = outcome.mean_row_rate if per_fold else outcome.rate
        return Limits.around(estimate, sqrt(float((added**2).sum())), measured.z, measured.sample.n)


@dataclass(frozen=True, eq=False)
class HoldoutDeLong(IntervalMethod):
    """AUC on one part held out, plus and minus z standard errors of DeLong, DeLong & Clarke-Pearson.

    Parameters
    ----------
    test : share or number of cases tested (a share is rounded up)

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988).
    """

    name = "holdout-delong"
    target = "classifier"
    aim = "the error of the classifier made of the training part of the split"
    estimators = ("holdout",)
    statistics = (Auc.name,)
    even = True

    test: Fraction | float | int = Fraction(1, 3)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """The split."""
        return (Holdout(self.test),)

    @property
    def surrounds(self) -> Estimator:
        """One holdout."""
        return RandomSubsampling(self.test)

    def reduce(self, measured: Measured) -> Limits:
        """Take DeLong's variance."""
        outcome = measured.outcome(self.schemes[0])
        assert isinstance(outcome, StatisticOutcome)
        se = sqrt(delong_variance(outcome.coded, outcome.answers))
        return Limits.around(outcome.rate, se, measured.z, outcome.coded.size)
