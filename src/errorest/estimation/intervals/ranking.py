"""Score interval for the AUC of repeated cross-validation, on Hanley and McNeil's variance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from errorest.estimation.intervals.cross_validation import OfFolds
from errorest.estimation.intervals.method import Limits, Measured
from errorest.estimation.metrics.ranking import score_limits
from errorest.estimation.metrics.statistics import Auc
from errorest.estimation.outcomes import StatisticOutcome

__all__ = ["LEAST_OF_A_CLASS", "CvHanleyMcNeil"]

LEAST_OF_A_CLASS = 4
"""With fewer cases of the smaller class there is no interval."""

_TRAINING_SETS = 1.4


@dataclass(frozen=True, eq=False)
class CvHanleyMcNeil(OfFolds):
    """Score interval around the mean AUC of the folds of repeated cross-validation.

    The limits are the AUCs a with (A - a)^2 = t^2 c V(a), where A is the estimate, V Hanley and McNeil's variance for
    n1 positive and n0 other cases, and t the quantile of Student's distribution with 2 m - 2 degrees of freedom,
    m = min(n1, n0).  The factor c = 1.4 stands for what training sets add to the variance.  It was fitted by
    simulation: smaller ones cover too seldom where classes are noise (notebook ``guide/07-scores``).  With
    groups, n1 and n0 count the groups that have a case of the class.

    References
    ----------
    Hanley & McNeil (1982); Wilson (1927) for limits from the variance at the limit.
    """

    name = "cv-hanley-mcneil"
    target = "classifier"
    aim = "the error of the classifier made of the whole sample"
    counts_groups = True
    statistics = (Auc.name,)
    undefined_note = f"the smaller class has fewer than {LEAST_OF_A_CLASS} cases"

    stratified: bool = True

    def reduce(self, measured: Measured) -> Limits:
        """Solve for the limits."""
        outcome, n = measured.outcome(self.schemes[0]), measured.sample.n
        assert isinstance(outcome, StatisticOutcome)
        # each case, or group, counts once, however often it is tested
        units = outcome.resamples.cases if measured.groups is None else measured.groups[outcome.resamples.cases]
        n_pos, n_neg = (np.unique(units[outcome.coded == kind]).size for kind in (1, 0))
        smaller, loss = min(n_pos, n_neg), outcome.mean_row_rate
        if smaller < LEAST_OF_A_CLASS or np.isnan(loss):
            return Limits(loss, np.nan, np.nan, np.nan, n)
        quantile = measured.t(2 * smaller - 2)
        low, high = score_limits(1 - loss, n_pos, n_neg, quantile, _TRAINING_SETS)
        return Limits(loss, float(1 - high), float(1 - low), float(high - low) / (2 * quantile), n)
