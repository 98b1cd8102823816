"""Outcomes: what the classifiers of a scheme predicted, measured by a metric.

An :class:`Outcome` holds the prediction for every tested case and the losses under a metric; a
:class:`StatisticOutcome` the statistic of each row instead.  :class:`RowErrors` are sums of losses alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from errorest.compiled import kernel
from errorest.counting import count_each, repeat_each
from errorest.errors import UsageError
from errorest.estimation.metrics.metric import ERROR_RATE, BoundMetric, CaseMetric, Statistic
from errorest.resampling.multisets import Resamples


@dataclass(frozen=True, eq=False)
class RowErrors:
    """Sums of losses (with 0/1: wrong labels) and tested cases of each row, with its repetition; arrays, shape (R,)."""

    errors: np.ndarray
    tested: np.ndarray
    replicate: np.ndarray
    repeats: int

    @property
    def n_rows(self) -> int:
        """Number of rows: classifiers, or folds."""
        return int(self.tested.shape[0])

    @cached_property
    def repeat_rates(self) -> np.ndarray:
        """Mean loss of each repetition's rows pooled; float array, shape (repeats,), NaN where nothing is tested."""
        wrong, cases = (count_each(self.replicate, counts, self.repeats) for counts in (self.errors, self.tested))
        return np.divide(wrong, cases, out=np.full(self.repeats, np.nan), where=cases > 0)

    @cached_property
    def repeat_means(self) -> np.ndarray:
        """Mean over each repetition's rows of their own mean losses; float array, shape (repeats,)."""
        known = ~np.isnan(self.row_rates)
        of, rates = self.replicate[known], self.row_rates[known]
        rows = count_each(of, minlength=self.repeats)
        out = np.full(self.repeats, np.nan)
        return np.divide(count_each(of, rates, self.repeats), rows, out=out, where=rows > 0)

    @cached_property
    def rate(self) -> float:
        """Mean loss, with 0/1 the error rate (a proportion): the rows of each repeat pooled, the repeats averaged."""
        # a repetition is one cross-validation of all cases; each has one pooled rate, and their mean weighs repetitions
        # alike even where rows failed and were left out
        return self.pooled_rate if self.repeats == 1 else float(self.repeat_rates.mean())

    @property
    def pooled_rate(self) -> float:
        """Mean loss of all tested cases; NaN where there is none."""
        return float(self.errors.sum() / cases) if (cases := self.tested.sum()) else float("nan")

    @cached_property
    def row_rates(self) -> np.ndarray:
        """Mean loss of each row; float array, shape (R,), NaN where nothing is tested."""
        return np.divide(self.errors, self.tested, out=np.full(self.n_rows, np.nan), where=self.tested > 0)

    @cached_property
    def mean_row_rate(self) -> float:
        """Mean of the rows' own mean losses; NaN where no row tests anything."""
        some = self.tested > 0
        return float((self.errors[some] / self.tested[some]).mean()) if some.any() else float("nan")


@dataclass(frozen=True, eq=False)
class Outcome(RowErrors):
    """What one scheme yielded on one sample: predicted class numbers, shape (T,), or probabilities, shape (T, K)."""

    resamples: Resamples
    predictions: np.ndarray
    y: np.ndarray
    metric: Any = ERROR_RATE

    @classmethod
    def of(
        cls, resamples: Resamples, predictions: np.ndarray, y: np.ndarray, metric: CaseMetric = ERROR_RATE
    ) -> Outcome:
        """Measure predictions by the mean of a loss."""
        tested = resamples.start[1:] - resamples.start[:-1]
        if metric.zero_one:
            errors = _row_errors(predictions, y, resamples.start, resamples.cases)
        else:
            errors = segment_sums(metric.losses(y[resamples.cases], predictions), resamples.start)
        return cls(errors, tested, resamples.replicate, resamples.repeats, resamples, predictions, y, metric)

    @property
    def decomposable(self) -> bool:
        """Whether the metric is a mean of losses of cases."""
        return bool(self.metric.decomposable)

    @cached_property
    def truth(self) -> np.ndarray:
        """Class of every tested case; int array, shape (T,)."""
        return self.y[self.resamples.cases]

    @cached_property
    def losses(self) -> np.ndarray:
        """Loss of every tested case; array, shape (T,), of bool for the error rate."""
        return np.asarray(self.metric.losses(self.truth, self.predictions))

    def under(self, metric: CaseMetric) -> Outcome:
        """Return the same predictions measured by another metric."""
        return self if metric is self.metric else Outcome.of(self.resamples, self.predictions, self.y, metric)

    def no_information(self, n_classes: int, part: slice = slice(None)) -> float:
        """Mean loss, of all or some of the tests, if classes and predictions were independent (gamma)."""
        return float(self.metric.no_information(self.truth[part], self.predictions[part], n_classes))

    def block_rates(self, size: int) -> np.ndarray:
        """Mean loss of each block of so many consecutive tests; float array."""
        return np.asarray(self.losses.astype(np.float64).reshape(-1, size).mean(axis=1))


@dataclass(frozen=True, eq=False)
class StatisticOutcome(Outcome):
    """An outcome whose rates are statistics of the tests of a row, of a repetition, or of all.

    They are turned to losses, as :meth:`~errorest.estimation.metrics.metric.Metric.as_loss` does, so that estimators
    reduce them.  Means leave out rows where the statistic is undefined.  ``y_true`` and ``y_score`` are from
    :meth:`Statistic.encode`.
    """

    y_true: np.ndarray = None  # type: ignore[assignment]
    y_score: np.ndarray = None  # type: ignore[assignment]
    classes: int = 2

    @property
    def statistic(self) -> Statistic:
        """The metric."""
        assert isinstance(self.metric, Statistic)
        return self.metric

    @cached_property
    def losses(self) -> np.ndarray:
        raise UsageError(
            f"score {self.statistic.id} is no mean of losses of cases; expected an estimator and an interval that "
            "take whole resamples; average replicates (per=replicate), and see: errorest metrics"
        )

    def score_parts(self, coded: np.ndarray, answers: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Return the statistic, as a loss, of the tests ``start[r]`` to ``start[r + 1]``; NaN where undefined."""
        values = self.statistic.score_splits(coded, answers, np.asarray(start, dtype=np.int64), self.classes)
        return np.asarray(self.statistic.as_loss(values))

    def score_splits(self, start: np.ndarray) -> np.ndarray:
        """Return the statistic, as a loss, of the outcome's own tests from ``start[r]`` to ``start[r + 1]``."""
        return self.score_parts(self.y_true, self.y_score, start)

    def block_rates(self, size: int) -> np.ndarray:
        return self.score_splits(np.arange(0, self.y_true.size + 1, size))

    @cached_property
    def row_rates(self) -> np.ndarray:
        return self.score_splits(self.resamples.start)

    @cached_property
    def repeat_rates(self) -> np.ndarray:
        """The statistic of each repetition's rows pooled, as a loss; float array, shape (repeats,)."""
        if self.repeats == self.n_rows:
            return self.row_rates
        # a stable order keeps the tests of a repetition in their order, and with it the last bits of sums
        which = repeat_each(self.replicate, np.diff(self.resamples.start))
        order = np.argsort(which, kind="stable")
        start = np.searchsorted(which[order], np.arange(self.repeats + 1))
        return self.score_parts(self.y_true[order], self.y_score[order], start)

    @cached_property
    def rate(self) -> float:
        return mean_of_known(self.repeat_rates)

    @cached_property
    def pooled_rate(self) -> float:
        return float(self.score_splits(np.array([0, self.y_true.size]))[0])

    @cached_property
    def mean_row_rate(self) -> float:
        return mean_of_known(self.row_rates)

    def no_information(self, n_classes: int, part: slice = slice(None)) -> float:
        """Return the mean over permutations of the predictions among the cases, as a loss (gamma)."""
        value = self.statistic.no_information(self.y_true[part], self.y_score[part], self.classes)
        return float(self.statistic.as_loss(value))

    def influence(self, per_fold: bool) -> np.ndarray:
        """Return what each test adds to the estimate, to first order: influences over the number of tests."""
        # to first order, estimate - target = sum of influences / number of tests (von Mises expansion)
        if not per_fold:
            return self.statistic.influence(self.y_true, self.y_score, self.classes) / self.y_true.size
        known = np.flatnonzero(~np.isnan(self.row_rates))
        out = np.zeros(self.y_true.size) if known.size else np.full(self.y_true.size, np.nan)
        # class shares of all tests: those of a small fold vary, and influences are divided by them
        shares = count_each(self.y_true, minlength=self.classes) / self.y_true.size
        for r in known:
            part = slice(self.resamples.start[r], self.resamples.start[r + 1])
            # the estimate is the mean of the folds' statistics: a test adds its influence within its fold, over the
            # fold's tests and the number of folds
            own = self.statistic.influence(self.y_true[part], self.y_score[part], self.classes, shares)
            out[part] = own / (own.size * known.size)
        return out


def measured(resamples: Resamples, predictions: np.ndarray, y: np.ndarray, bound: BoundMetric | None) -> Outcome:
    """Measure predictions, labels or probabilities as the metric needs, by a metric; by default the error rate."""
    metric = ERROR_RATE if bound is None else bound.metric
    if bound is None or not isinstance(metric, Statistic):
        assert isinstance(metric, CaseMetric)
        return Outcome.of(resamples, predictions, y, metric)
    tested = np.diff(resamples.start)
    coded = metric.encode(y[resamples.cases], predictions, bound.positive, bound.n_classes)
    # a statistic has no sums of losses
    nothing = np.zeros(tested.size)
    shown = (nothing, tested, resamples.replicate, resamples.repeats, resamples, predictions, y, metric)
    return StatisticOutcome(*shown, *coded)


def case_means(cases: np.ndarray, losses: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Average the losses of each case over the rows that test it."""
    tested = count_each(cases, minlength=n)
    total = count_each(cases, weights=losses, minlength=n)
    return np.divide(total, tested, out=np.full(n, np.nan), where=tested > 0), tested


def mean_of_known(means: np.ndarray) -> float:
    """Average what is no NaN: of :func:`case_means`, Err1, the leave-one-out bootstrap error.

    References
    ----------
    Efron & Tibshirani (1997), section 2.
    """
    # a case that no row tests has no mean loss, and is left out
    known = means[~np.isnan(means)]
    return float(known.mean()) if known.size else float("nan")


@kernel
def _row_errors(labels, y, start, cases):  # type: ignore[no-untyped-def]
    rows = start.shape[0] - 1
    errors = np.zeros(rows, dtype=np.int64)
    for r in range(rows):
        wrong = 0
        for j in range(start[r], start[r + 1]):
            wrong += labels[j] != y[cases[j]]
        errors[r] = wrong
    return errors


@kernel
def segment_sums(values, start):  # type: ignore[no-untyped-def]
    """Sum the values of each row, in their order; float array, shape (R,)."""
    out = np.zeros(start.shape[0] - 1)
    for r in range(out.shape[0]):
        # in order, so that the bits of a row's sum do not depend on the rows before it
        for j in range(start[r], start[r + 1]):
            out[r] += values[j]
    return out
