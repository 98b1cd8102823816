"""Percentile intervals: bootstrap case cross-validation, location-shifted and two-stage bootstrap.

Percentiles are linear between order statistics.  The first is of Jiang, Varma & Simon
(2008), the other two of Noma, Shinozaki, Iba, Teramukai & Furukawa (2021).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from errorest.counting import count_each, repeat_each
from errorest.estimation.estimators import Bootstrap632Plus, Estimator, LeaveOneOutCV, point_632_plus
from errorest.estimation.intervals.draws import LeaveCaseOutOfBootstrap, MarkedResamples, TwoStageBootstrap
from errorest.estimation.intervals.method import OF_THE_WHOLE, IntervalMethod, Limits, Measured
from errorest.estimation.intervals.out_of_bag import point_of_632_plus
from errorest.estimation.outcomes import StatisticOutcome, case_means, mean_of_known
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import APPARENT, Bootstrap, LeaveOneOut
from errorest.spec import at_least


@dataclass(frozen=True, eq=False)
class _Percentiles(IntervalMethod):
    target = "classifier"
    aim = OF_THE_WHOLE
    statistics = ()


@dataclass(frozen=True, eq=False)
class BootstrapCaseCV(_Percentiles):
    """Percentiles of leave-one-out rates of bootstrap samples, all copies of a case left out at once.

    Each left-out case counts as often as the bootstrap sample holds it.  The percentiles are shifted by (mean of the
    rates - leave-one-out rate) and centred on the latter; or plain, centred on the mean of the rates (Jiang, Varma &
    Simon 2008, sections 2.5 and 2.6).
    """

    name = "bootstrap-case-cv"
    estimators = ("loo",)
    requirements = at_least(replicates=2)

    replicates: int = 100
    bias: Literal["reduced", "plain"] = "reduced"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        copies = LeaveCaseOutOfBootstrap(self.replicates)
        return (copies, LeaveOneOut()) if self.bias == "reduced" else (copies,)

    @property
    def point_estimator(self) -> Estimator:
        return LeaveOneOutCV()

    def reduce(self, measured: Measured) -> Limits:
        # every copy is tested, so that a left-out case counts as often as it stands in the sample
        rates = measured.outcome(self.schemes[0]).block_rates(measured.sample.n)
        low, high = measured.percentiles(rates)
        mean = mean_of_known(rates)
        estimate = measured.mean(self.schemes[1]) if self.bias == "reduced" else mean
        # the mean of the rates of bootstrap samples is off by what their copies change; that is taken off both limits
        shift = mean - estimate
        # plain: the shift is 0, and the percentiles are those of the rates themselves
        return Limits(estimate, low - shift, high - shift, float("nan"), measured.sample.n)


@dataclass(frozen=True, eq=False)
class LocationShifted(_Percentiles):
    """Percentiles of the apparent rates of bootstrap classifiers, shifted by (apparent rate - .632+).

    An inducer that memorizes its training set has no apparent errors, and the interval no width.  Each classifier is
    tested on its own sample, and for .632+ on the cases that this lacks (Noma et al. 2021, algorithm 1).
    """

    name = "location-shifted"
    estimators = ("632+",)
    trusts_apparent = True
    requirements = at_least(replicates=2)

    replicates: int = 200

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        # every case is tested once: its count in the sample says to which side it belongs
        return APPARENT, Bootstrap(self.replicates, "all")

    @property
    def point_estimator(self) -> Estimator:
        # of a statistic with the mean over replicates
        return Bootstrap632Plus(self.replicates, "replicate")

    def reduce(self, measured: Measured) -> Limits:
        own, scheme = self.schemes
        n, outcome = measured.sample.n, measured.outcome(scheme)
        counts = outcome.resamples.compact.counts
        lacked = counts == 0
        if isinstance(outcome, StatisticOutcome):
            # the apparent statistic is of the classifier's training sample, with copies counted
            tests = repeat_each(np.arange(counts.size), counts.ravel())
            apparent = outcome.score_parts(
                outcome.y_true[tests], outcome.y_score[tests], np.arange(len(counts) + 1) * n
            )
            ends = np.concatenate([[0], np.cumsum(lacked.sum(axis=1))])
            err1 = mean_of_known(
                outcome.score_parts(outcome.y_true[lacked.ravel()], outcome.y_score[lacked.ravel()], ends)
            )
        else:
            losses = measured.losses(scheme).reshape(self.replicates, n)
            # apparent rate of classifier b: (1/n) sum_i N_ib loss_ib; and Err1 of the cases that each sample lacks
            apparent = (counts * losses).sum(axis=1) / n
            err1 = mean_of_known(case_means(np.nonzero(lacked)[1], losses[lacked], n)[0])
        estimate = point_of_632_plus(measured, err1)
        # algorithm 1: the apparent rates are too low by the optimism, apparent rate - .632+, on average
        shift = measured.mean(own) - estimate
        low, high = measured.percentiles(apparent)
        return Limits(estimate, low - shift, high - shift, float("nan"), n)


@dataclass(frozen=True, eq=False)
class TwoStage(_Percentiles):
    """Percentiles of .632+ recomputed, by an inner bootstrap, in outer bootstrap samples.

    An outer sample is taken for the sample, its copies of a case being cases of their own, so that one may be tested by
    a classifier that has seen another; or, with copies together, a case is tested only where the inner sample has none
    of them, as in the benchmark, whose software tells cases apart by their number (Noma et al. 2021, algorithm 2).
    """

    name = "two-stage"
    estimators = ("632+",)
    needs_all_rows = True
    requirements = at_least(replicates=1)

    outer: int = 200
    inner: int = 10
    replicates: int = 200  # of the estimate itself, .632+ of the sample
    copies: Literal["apart", "together"] = "apart"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        stages = TwoStageBootstrap(self.copies == "apart", self.inner, self.outer)
        return APPARENT, Bootstrap(self.replicates), stages

    @property
    def point_estimator(self) -> Estimator:
        # of a statistic with the mean over replicates
        return Bootstrap632Plus(self.replicates, "replicate")

    def reduce(self, measured: Measured) -> Limits:
        _, scheme, stages = self.schemes
        n, outer, k = measured.sample.n, self.outer, measured.sample.n_classes
        outcome, sampled = measured.outcome(stages), measured.outcome(scheme)
        resamples = outcome.resamples
        assert isinstance(resamples, MarkedResamples)
        if isinstance(outcome, StatisticOutcome):
            # the mean over inner samples: one case has no statistic to be averaged over
            rates = outcome.row_rates
            apparent, inner = rates[:outer], rates[outer:].reshape(outer, self.inner)
            err1 = np.array([mean_of_known(line) for line in inner])
            whole = sampled.mean_row_rate
        else:
            losses = measured.losses(stages)
            apparent = losses[: outer * n].reshape(outer, n).mean(axis=1)
            # of each outer sample the mean over its positions of their mean out-of-bag loss
            row = repeat_each(np.arange(outer), np.diff(resamples.start[outer :: self.inner]))
            at = row * n + resamples.mark[outer * n :]
            total = count_each(at, losses[outer * n :], outer * n).reshape(outer, n)
            lacked = count_each(at, minlength=outer * n).reshape(outer, n)
            means = np.divide(total, lacked, out=np.zeros((outer, n)), where=lacked > 0)
            with np.errstate(invalid="ignore"):
                # cumulated, so that terms are added in their order
                err1 = means.cumsum(axis=1)[:, -1] / (lacked > 0).sum(axis=1)
            whole = mean_of_known(case_means(sampled.resamples.cases, sampled.losses, n)[0])
        # algorithm 2: .632+ of each outer sample from its own apparent rate, Err1 and gamma
        gamma = [outcome.no_information(k, slice(b * n, (b + 1) * n)) for b in range(outer)]
        points = np.array([point_632_plus(apparent[b], err1[b], gamma[b]) for b in range(outer)])
        low, high = measured.percentiles(points)
        return Limits(point_of_632_plus(measured, whole), low, high, float("nan"), n)
