"""Score intervals for rankings under repeated cross-validation, from the variance of independent tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from errorest.estimation.estimators import CrossValidation, Estimator
from errorest.estimation.intervals.cross_validation import OfFolds
from errorest.estimation.intervals.method import Limits, Measured
from errorest.estimation.metrics.ranking import Auc, AveragePrecision, MacroAuc, Ranking, score_limits
from errorest.estimation.outcomes import StatisticOutcome

LEAST_OF_A_CLASS = 4
"""With fewer cases of the smallest class there is no interval."""

TRAINING_SETS = {Auc.name: 1.4, MacroAuc.name: 1.4, AveragePrecision.name: 1.0}
"""What training sets add to the variance, as a factor; fitted by simulation (notebook ``guide/07-scores``)."""


@dataclass(frozen=True, eq=False)
class _Score(OfFolds):
    target = "classifier"
    aim = "the error of the classifier made of the whole sample"
    counts_groups = True
    undefined_note = f"the smallest class has fewer than {LEAST_OF_A_CLASS} cases"
    metric: ClassVar[type[Ranking]]

    stratified: bool = True

    @property
    def surrounds(self) -> Estimator:
        """The folds, averaged or each repetition pooled."""
        return CrossValidation(self.k, self.repeats, self.stratified, self.metric.weights)

    def reduce(self, measured: Measured) -> Limits:
        """Solve for the limits."""
        outcome, n = measured.outcome(self.schemes[0]), measured.sample.n
        assert isinstance(outcome, StatisticOutcome)
        assert isinstance(outcome.statistic, Ranking)
        metric, loss = outcome.statistic, self.surrounds.reduce(measured.sample, measured.outcomes)
        # each case, or group, counts once, however often it is tested
        units = outcome.resamples.cases if measured.groups is None else measured.groups[outcome.resamples.cases]
        sizes = np.array([np.unique(units[outcome.coded == kind]).size for kind in range(outcome.classes)])
        if sizes.min() < LEAST_OF_A_CLASS or np.isnan(loss):
            return Limits(loss, np.nan, np.nan, np.nan, n)
        quantile = measured.t(2 * int(sizes.min()) - 2)
        low, high = score_limits(1 - loss, lambda a: TRAINING_SETS[metric.name] * metric.variance(a, sizes), quantile)
        return Limits(loss, 1 - high, 1 - low, (high - low) / (2 * quantile), n)


@dataclass(frozen=True, eq=False)
class CvHanleyMcNeil(_Score):
    """Score interval around the mean AUC of the folds of repeated cross-validation.

    The limits are the AUCs a with (A - a)^2 = t^2 c V(a), where A is the estimate, V Hanley and McNeil's variance for
    n1 positive and n0 other cases, and t the quantile of Student's distribution with 2 m - 2 degrees of freedom,
    m = min(n1, n0).  The factor c = 1.4 stands for what training sets add to the variance.  It was fitted by
    simulation: smaller ones cover too seldom where classes are noise (notebook ``guide/07-scores``).  With
    groups, n1 and n0 count the groups that have a case of the class.  For several classes V is that of the mean of
    their AUCs, as if any two had a correlation of 1 / (K - 1), and m is the size of the smallest.

    References
    ----------
    Hanley & McNeil (1982); Wilson (1927) for limits from the variance at the limit.
    """

    name = "cv-hanley-mcneil"
    metric = Auc
    statistics = (Auc.name, MacroAuc.name)


@dataclass(frozen=True, eq=False)
class CvBoyd(_Score):
    """Score interval around the average precision of repeated cross-validation, each repetition pooled.

    The limits are the values a with (A - a)^2 = t^2 a (1 - a) / n1, of n1 positive cases: Wilson's, with a t quantile
    of 2 m - 2 degrees of freedom, m the size of the smaller class.

    References
    ----------
    Boyd, Eng & Page (2013), section 3, for the binomial variance; Wilson (1927).
    """

    name = "cv-boyd"
    metric = AveragePrecision
    statistics = (AveragePrecision.name,)
