"""Intervals that are legal for statistics of many cases, such as the AUC, and with which estimators.

A mean of losses takes every interval of :data:`~errorest.estimation.intervals.INTERVALS`.  A statistic has no
losses of cases: it takes intervals that treat whole resamples (repeated splits, the bootstrap with the whole
procedure inside), and those of influence functions, of which there is one for each statistic here.
Resamples without a statistic, such as an AUC of one class, are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

import numpy as np

from errorest.errors import UsageError
from errorest.estimation.estimators import CrossValidation, Estimator, RandomSubsampling
from errorest.estimation.estimators.estimator import Weights
from errorest.estimation.intervals.method import Limits, Measured, at_least
from errorest.estimation.intervals.resampled import ConservativeZ, CorrectedT
from errorest.estimation.scores.method import MeasuredStatistic, StatisticInterval
from errorest.estimation.scores.resampled import (
    BootstrapCaseCVOfStatistic,
    ConservativeZOfStatistic,
    CorrectedTOfStatistic,
    LocationShiftedOfStatistic,
    TwoStageOfStatistic,
)
from errorest.estimation.scores.score import Score
from errorest.estimation.scores.statistics import Auc, delong_variance
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Holdout, KFold
from errorest.spec import Family, name_and_settings, settings_of

__all__ = [
    "SCORE_INTERVALS",
    "CvCorrectedT",
    "CvInfluence",
    "HoldoutDeLong",
    "fitting_interval",
    "parse_score_interval",
]


@dataclass(frozen=True, eq=False)
class CvInfluence(StatisticInterval):
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
        assert isinstance(measured, MeasuredStatistic)
        outcome, per_fold = measured.statistic(self.schemes[0]), self.weights == "folds"
        added = outcome.influence(per_fold)
        if measured.groups is not None:
            added = np.bincount(measured.groups[outcome.resamples.cases], added)
        estimate = outcome.mean_row_rate if per_fold else outcome.rate
        return Limits.around(estimate, sqrt(float((added**2).sum())), measured.z, measured.sample.n)


@dataclass(frozen=True, eq=False)
class CvCorrectedT(StatisticInterval):
    """Corrected t of the statistics of the folds of repeated cross-validation, of those that have one.

    The J statistics of all folds have mean m and standard deviation s; the limits are
    m plus and minus t_{J-1} s sqrt(1/J + n2/n1), with n1 cases to train on and n2 to test in a fold.

    Parameters
    ----------
    k : int
        Folds.
    repeats : int
        Independent splits into folds.
    stratified : bool
        Keep the classes in proportion in every fold.

    References
    ----------
    Nadeau & Bengio (2003), section 3; Bouckaert & Frank (2004) for repeated cross-validation.
    """

    name = "cv-corrected-t"
    target = "procedure"
    aim = "the mean error of classifiers made of the training part of a fold"
    estimators = ("cv",)
    even = True
    counts_groups = True

    k: int = 10
    repeats: int = 10
    stratified: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(self.k, 2, self.name, "folds")
        at_least(self.repeats, 1, self.name, "repeats")

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """The folds."""
        return (KFold(self.k, self.repeats, self.stratified),)

    @property
    def surrounds(self) -> Estimator:
        """The mean of the folds' statistics."""
        return CrossValidation(self.k, self.repeats, self.stratified, "folds")

    @property
    def least(self) -> int:
        """One case a fold."""
        return self.k

    def reduce(self, measured: Measured) -> Limits:
        """Widen the variance of the folds' statistics for the cases that training sets share."""
        (scheme,) = self.schemes
        rates, n = measured.row_means(scheme), measured.sample.n
        rates = rates[~np.isnan(rates)]
        if rates.size < 2:
            return Limits(float("nan"), float("nan"), float("nan"), float("nan"), n)
        tested = float(measured.outcome(scheme).tested.mean())
        se = sqrt(rates.var(ddof=1) * (1 / rates.size + tested / (n - tested)))
        return Limits.around(float(rates.mean()), se, measured.t(rates.size - 1), n)


@dataclass(frozen=True, eq=False)
class HoldoutDeLong(StatisticInterval):
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
    scores = (Auc.name,)
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
        assert isinstance(measured, MeasuredStatistic)
        outcome = measured.statistic(self.schemes[0])
        se = sqrt(delong_variance(outcome.truth, outcome.answers))
        return Limits.around(outcome.rate, se, measured.z, outcome.truth.size)


SCORE_INTERVALS: Family[StatisticInterval] = Family(
    "interval of a statistic",
    {
        made.name: made
        for made in (
            CvInfluence,
            CvCorrectedT,
            HoldoutDeLong,
            CorrectedTOfStatistic,
            ConservativeZOfStatistic,
            BootstrapCaseCVOfStatistic,
            LocationShiftedOfStatistic,
            TwoStageOfStatistic,
        )
    },
    "cv-influence(k=10)",
)
"""Intervals that statistics may have, by the name that stands before the parenthesis of an id."""


def parse_score_interval(text: str, score: Score) -> StatisticInterval:
    """Read an interval of a statistic from its id."""
    method = SCORE_INTERVALS.parse(text)
    if not method.legal_for(score):
        legal = [name for name, make in SCORE_INTERVALS.items() if make().legal_for(score)]
        raise UsageError(
            f"interval {method.id} is not legal with score {score.id}; expected one of {', '.join(legal)}; choose one "
            "of these"
        )
    return method


def fitting_interval(text: str, estimator: Estimator, score: Score) -> StatisticInterval:
    """Read an interval that surrounds the estimate of an estimator, with its settings where none are given."""
    method = parse_score_interval(text, score)
    given = name_and_settings(text)
    if not (given and given[1]) and estimator.name in method.estimators:
        own = {f.name for f in settings_of(type(estimator))}
        shared = {f.name: estimator.written(f.name) for f in settings_of(type(method)) if f.name in own}
        if isinstance(estimator, RandomSubsampling) and isinstance(method, CorrectedT | ConservativeZ):
            share = Fraction(estimator.test)
            if 0 < share < 1 and estimator.repeats > 1:
                shared = {"splits": str(estimator.repeats), "ratio": str(1 - share)}
        method = SCORE_INTERVALS.make(method.name, shared)
    if method.surrounds != estimator:
        raise UsageError(
            f"interval {method.id} surrounds {method.surrounds.id} and estimator {estimator.id} was named; expected "
            "one estimate and an interval that surrounds it; leave out the estimator, or the interval"
        )
    return method
