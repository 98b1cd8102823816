"""Intervals of statistics that treat whole resamples: repeated splits, and the bootstrap with all inside.

Each is the interval of the same name for error rates, with a statistic of a resample in the place of its mean
loss; resamples without a statistic are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from errorest.estimation.estimators import (
    Bootstrap632Plus,
    Estimator,
    LeaveOneOutCV,
    RandomSubsampling,
    point_632_plus,
)
from errorest.estimation.intervals.draws import MarkedResamples
from errorest.estimation.intervals.method import Limits, Measured
from errorest.estimation.intervals.percentile import BootstrapCaseCV, LocationShifted, TwoStage
from errorest.estimation.intervals.resampled import ConservativeZ, CorrectedT
from errorest.estimation.losses import mean_of_known
from errorest.estimation.scores.method import MeasuredStatistic, StatisticInterval
from errorest.estimation.scores.outcomes import StatisticOutcome

__all__ = [
    "BootstrapCaseCVOfStatistic",
    "ConservativeZOfStatistic",
    "CorrectedTOfStatistic",
    "LocationShiftedOfStatistic",
    "TwoStageOfStatistic",
]


@dataclass(frozen=True, eq=False)
class CorrectedTOfStatistic(CorrectedT, StatisticInterval):
    """Corrected resampled t of the splits' own statistics, of those that have one.

    Parameters
    ----------
    splits : int
        Random splits, J.
    ratio : share of the cases trained on, in (0, 1)

    References
    ----------
    Nadeau & Bengio (2003), section 3.
    """

    @property
    def surrounds(self) -> Estimator:
        """Repeated holdout."""
        return RandomSubsampling(1 - Fraction(self.ratio), self.splits)

    def reduce(self, measured: Measured) -> Limits:
        """Widen the variance of the statistics for the cases that splits share."""
        (scheme,) = self.schemes
        rates, n = measured.row_means(scheme), measured.sample.n
        rates = rates[~np.isnan(rates)]
        if rates.size < 2:
            return Limits(float("nan"), float("nan"), float("nan"), float("nan"), n)
        tested = float(measured.outcome(scheme).tested.mean())
        se = sqrt(rates.var(ddof=1) * (1 / rates.size + tested / (n - tested)))
        return Limits.around(float(rates.mean()), se, measured.t(rates.size - 1), n)


@dataclass(frozen=True, eq=False)
class ConservativeZOfStatistic(ConservativeZ, StatisticInterval):
    """Conservative z of the splits' own statistics, of those that have one.

    Parameters
    ----------
    splits : int
        Random splits of the sample and of each half, J.
    halvings : int
        Times the sample is halved, M.
    ratio : share of the cases trained on, above 1/2

    References
    ----------
    Nadeau & Bengio (2003), section 4.
    """

    @property
    def surrounds(self) -> Estimator:
        """Repeated holdout."""
        return RandomSubsampling(1 - Fraction(self.ratio), self.splits)

    def reduce(self, measured: Measured) -> Limits:
        """Take the squared differences of the halves."""
        whole, halves = self.schemes
        rates = measured.row_means(halves).reshape(self.halvings, 2, self.splits)
        known = ~np.isnan(rates)
        some = known.any(axis=2).all(axis=1)
        if not some.any():
            return Limits(float("nan"), float("nan"), float("nan"), float("nan"), measured.sample.n)
        means = np.where(known, rates, 0.0).sum(axis=2)[some] / known.sum(axis=2)[some]
        v = float(((means[:, 0] - means[:, 1]) ** 2).sum() / (2 * some.sum()))
        return Limits.around(measured.mean(whole), sqrt(v), measured.z, measured.sample.n)


@dataclass(frozen=True, eq=False)
class BootstrapCaseCVOfStatistic(BootstrapCaseCV, StatisticInterval):
    """Percentiles of leave-one-out statistics of bootstrap samples, all copies of a case left out at once.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B.
    bias : {"reduced", "plain"}
        As in :class:`~errorest.estimation.intervals.percentile.BootstrapCaseCV`.

    References
    ----------
    Jiang, Varma & Simon (2008), sections 2.5 and 2.6.
    """

    @property
    def surrounds(self) -> Estimator:
        """Leave-one-out."""
        return LeaveOneOutCV()

    def reduce(self, measured: Measured) -> Limits:
        """Take the percentiles of the samples' statistics."""
        assert isinstance(measured, MeasuredStatistic)
        n = measured.sample.n
        rates = measured.statistic(self.schemes[0]).of_rows(np.arange(self.replicates + 1) * n)
        low, high = measured.percentiles(rates)
        mean = mean_of_known(rates)
        estimate = measured.mean(self.schemes[1]) if self.bias == "reduced" else mean
        return Limits(estimate, low - (mean - estimate), high - (mean - estimate), float("nan"), n)


@dataclass(frozen=True, eq=False)
class LocationShiftedOfStatistic(LocationShifted, StatisticInterval):
    """Percentiles of the apparent statistics of bootstrap classifiers, shifted by (apparent - .632+).

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B.

    References
    ----------
    Noma et al. (2021), algorithm 1, which is for the AUC.
    """

    @property
    def surrounds(self) -> Estimator:
        """.632+ with the replicates' own statistics."""
        return Bootstrap632Plus(self.replicates, "replicate")

    def reduce(self, measured: Measured) -> Limits:
        """Take the percentiles of the samples' apparent statistics."""
        assert isinstance(measured, MeasuredStatistic)
        _, scheme = self.schemes
        n, o = measured.sample.n, measured.statistic(scheme)
        counts = o.resamples.compact.counts.ravel()
        truth, answers = np.repeat(o.truth, counts), np.repeat(o.answers, counts)
        apparent = _rows_of(o, truth, answers, np.arange(self.replicates + 1) * n)
        lacked = counts == 0
        start = np.concatenate([[0], np.cumsum(lacked.reshape(-1, n).sum(axis=1))])
        err1 = mean_of_known(_rows_of(o, o.truth[lacked], o.answers[lacked], start))
        rate, gamma = measured.apparent
        estimate = point_632_plus(rate, err1, gamma)
        shift = rate - estimate
        low, high = measured.percentiles(apparent)
        return Limits(estimate, low - shift, high - shift, float("nan"), n)


@dataclass(frozen=True, eq=False)
class TwoStageOfStatistic(TwoStage, StatisticInterval):
    """Percentiles of .632+ recomputed, by an inner bootstrap, in outer bootstrap samples.

    Parameters
    ----------
    outer, inner : int
        Outer bootstrap samples, and inner ones of each.
    replicates : int
        Bootstrap samples of the estimate itself.
    copies : {"apart", "together"}
        As in :class:`~errorest.estimation.intervals.percentile.TwoStage`.

    References
    ----------
    Noma et al. (2021), algorithm 2, which is for the AUC.
    """

    @property
    def surrounds(self) -> Estimator:
        """.632+ with the replicates' own statistics."""
        return Bootstrap632Plus(self.replicates, "replicate")

    def reduce(self, measured: Measured) -> Limits:
        """Take the percentiles of .632+ in the outer samples."""
        assert isinstance(measured, MeasuredStatistic)
        _, scheme, stages = self.schemes
        n, outer = measured.sample.n, self.outer
        o = measured.statistic(stages)
        assert isinstance(o.resamples, MarkedResamples)
        apparent, inner = o.row_rates[:outer], o.row_rates[outer:].reshape(outer, self.inner)
        points = np.empty(outer)
        for b in range(outer):
            part = slice(b * n, (b + 1) * n)
            gamma = o.statistic.as_loss(o.statistic.no_information(o.truth[part], o.answers[part], o.classes))
            points[b] = point_632_plus(float(apparent[b]), mean_of_known(inner[b]), gamma)
        low, high = measured.percentiles(points)
        rate, gamma = measured.apparent
        estimate = point_632_plus(rate, measured.statistic(scheme).mean_row_rate, gamma)
        return Limits(estimate, low, high, float("nan"), n)


def _rows_of(o: StatisticOutcome, truth: np.ndarray, answers: np.ndarray, start: np.ndarray) -> np.ndarray:
    values = o.statistic.of_rows(truth, answers, start, o.classes)
    return np.asarray(o.statistic.best - values if o.statistic.rising else values)
