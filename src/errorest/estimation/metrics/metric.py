"""Metrics: what predictions are measured by, a mean of losses of cases or a statistic of many tested cases.

A :class:`CaseMetric` has a loss for each tested case, so that every estimator and interval of the error rate serves
it.  A :class:`Statistic` (AUC, F1, ...) is a number of a whole set of tested cases and no mean over them: it says
which estimators are legal with it.

Estimators reduce losses, of which less is better.  A statistic of which more is better enters them as its distance
from the best value (:meth:`Metric.as_loss`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from errorest.counting import count_each, repeat_each
from errorest.errors import UsageError, refuse_complex
from errorest.spec import Spec

Weights = Literal["test-size", "folds"]
"""Whether the tests of all folds of a repetition are pooled, or folds have equal weight."""

LossFunction = Callable[[np.ndarray, np.ndarray], Any]
"""``loss(y_true, y_pred)`` of class numbers, arrays of one shape, returning a number a case."""


@dataclass(frozen=True, eq=False)
class Metric(Spec):
    """A measure of predictions: a frozen dataclass whose fields are its settings."""

    title: ClassVar[str] = ""  # its name in a sentence
    greater_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    limits: ClassVar[tuple[float, float]] = (0.0, 1.0)  # least and largest value
    of_one_class: ClassVar[bool] = False  # of the positive class against all others
    decomposable: ClassVar[bool] = False  # a mean of losses of cases
    zero_one: ClassVar[bool] = False  # these losses are 0 and 1
    ranks: ClassVar[bool] = False  # compares cases with one another, so that folds are stratified and repeated
    weights: ClassVar[Weights] = "test-size"  # a value of each repetition, or of each fold
    percent: ClassVar[bool] = False  # a proportion of cases, written in percent
    chance: ClassVar[tuple[float | None, str]] = (None, "")  # the baseline's value and name

    @property
    def needs_probabilities(self) -> bool:
        """Whether it is computed from probabilities, not from labels."""
        return True

    @property
    def needs_pos_label(self) -> bool:
        """Whether it, or its threshold, is of one class against all others."""
        return self.of_one_class

    def baseline(self, shares: np.ndarray, positive: int) -> tuple[float | None, str]:
        """Return the value without a classifier and its name, for classes of these shares; None where there is none."""
        return self.chance

    def bounds(self, n_classes: int) -> tuple[float, float]:
        """Return its least and largest value for a number of classes."""
        return self.limits

    def as_loss(self, value: Any) -> Any:
        """Turn a value into a loss, of which less is better."""
        # best - (best - value) = value, and the reflection leaves the size of differences and standard errors as it is
        return self.best - value if self.greater_is_better else value

    def from_loss(self, loss: Any) -> Any:
        """Turn a loss into a value; the inverse of :meth:`as_loss`."""
        return self.best - loss if self.greater_is_better else loss


@dataclass(frozen=True, eq=False)
class CaseMetric(Metric):
    """A metric that is the mean of a loss of each tested case."""

    decomposable = True

    def losses(self, y: np.ndarray, predictions: np.ndarray) -> np.ndarray:
        """Return the loss of every tested case; array, shape (T,)."""
        raise NotImplementedError

    def no_information(self, y: np.ndarray, predictions: np.ndarray, n_classes: int) -> float:
        """Return gamma, the mean loss with class and prediction independent (Efron & Tibshirani 1997, section 3)."""
        raise NotImplementedError


class LabelMetric(CaseMetric):
    """A metric that is the mean of a loss of each case's class and label."""

    @property
    def needs_probabilities(self) -> bool:
        return False


@dataclass(frozen=True, eq=False)
class ErrorRate(LabelMetric):
    """The share of wrong labels: the mean 0/1 loss."""

    name = "error"
    title = "error rate"
    zero_one = True
    percent = True

    def losses(self, y: np.ndarray, predictions: np.ndarray) -> np.ndarray:
        return np.asarray(predictions != y)

    def no_information(self, y: np.ndarray, predictions: np.ndarray, n_classes: int) -> float:
        """Return the error rate if classes and labels were independent (Efron & Tibshirani 1997, equation 28)."""
        # gamma = sum_k p_k (1 - q_k), p_k the share of class k among the cases, q_k among the labels
        p = count_each(y, minlength=n_classes) / y.shape[0]
        q = count_each(predictions, minlength=n_classes) / predictions.shape[0]
        return float(np.sum(p * (1.0 - q)))


ERROR_RATE = ErrorRate()


@dataclass(frozen=True, eq=False)
class Accuracy(ErrorRate):
    """The share of right labels, 1 minus the error rate; estimators and intervals reduce the 0/1 losses."""

    name = "accuracy"
    title = "accuracy"
    greater_is_better = True
    best = 1.0


@dataclass(frozen=True, eq=False)
class LabelCosts(LabelMetric):
    """The mean of what labels cost, from a table with a row for each class and a column for each label."""

    name = "costs"
    title = "mean cost"

    # no setting: an id cannot hold it
    table: np.ndarray = field(compare=False, repr=False)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def bounds(self, n_classes: int) -> tuple[float, float]:
        return float(self.table.min()), float(self.table.max())

    def losses(self, y: np.ndarray, predictions: np.ndarray) -> np.ndarray:
        return np.asarray(self.table[y, predictions])

    def no_information(self, y: np.ndarray, predictions: np.ndarray, n_classes: int) -> float:
        """Return the mean cost if classes and labels were independent."""
        p = count_each(y, minlength=n_classes) / y.size
        q = count_each(predictions, minlength=n_classes) / predictions.size
        # gamma of any loss: sum over classes i and labels j of p_i q_j cost_ij
        return float((p[:, None] * q[None, :] * self.table).sum())


@dataclass(frozen=True, eq=False)
class BalancedError(LabelCosts):
    """The mean of the classes' error rates: a wrong label costs n / (K n_c) for each of the n_c cases of class c."""

    name = "balanced"
    title = "balanced error rate"
    percent = True

    @classmethod
    def of_counts(cls, counts: np.ndarray) -> BalancedError:
        """Return the metric for classes of these numbers of cases."""
        # the n_c cases of class c cost n / (K n_c) each: their sum over n is the class's error rate / K
        costs = counts.sum() / (counts.size * counts)
        return cls(costs[:, None] * (1 - np.eye(counts.size)))

    def bounds(self, n_classes: int) -> tuple[float, float]:
        return self.limits


@dataclass(frozen=True, eq=False)
class LabelLoss(LabelCosts):
    """The mean of a user's loss of class and label."""

    name = "loss"
    title = "mean loss"


class _Losses(CaseMetric):
    """The mean of predictions that are losses already."""

    def losses(self, y: np.ndarray, predictions: np.ndarray) -> np.ndarray:
        return predictions


LOSSES = _Losses()


def metric_of_loss(function: LossFunction | None, n_classes: int) -> CaseMetric:
    """Return the metric of a loss function, called for every pair of classes at once; None is the error rate."""
    if function is None:
        return ERROR_RATE
    true, predicted = (a.ravel() for a in np.indices((n_classes, n_classes)))
    try:
        values, fewer = np.asarray(function(true, predicted)), np.asarray(function(true[:-1], predicted[:-1]))
        refuse_complex(values, "what the loss returned")
        values, fewer = values.astype(np.float64), fewer.astype(np.float64)
    except UsageError:
        raise
    except (Exception, SystemExit) as exc:  # a user's function may raise anything
        raise UsageError(
            f"the loss failed ({type(exc).__name__}: {exc}); expected loss(y_true, y_pred) for arrays of labels, "
            "one finite number a case"
        ) from None
    if values.shape != true.shape or not np.isfinite(values).all():
        raise UsageError(
            f"the loss returned values of shape {values.shape} for {true.size} cases, or some that are not finite; "
            "expected one finite number a case; write loss(y_true, y_pred) for arrays"
        )
    # a loss of single cases is the same with another case left out; a statistic such as F1 is not
    if not np.array_equal(fewer, values[:-1]):
        raise UsageError(
            "the loss of a case depends on the other cases, as that of a score of many cases does; expected a loss of "
            "single cases; name a score, or write loss(y_true, y_pred) case by case"
        )
    table = values.reshape(n_classes, n_classes)
    return ERROR_RATE if (table == 1.0 - np.eye(n_classes)).all() else LabelLoss(table)


@dataclass(frozen=True, eq=False)
class Statistic(Metric):
    """A metric of a set of tested cases, with the names of the estimators that may estimate it."""

    estimators: ClassVar[tuple[str, ...]] = (
        *("resubstitution", "holdout", "cv", "loo"),
        *("e0", "632", "632+"),
    )

    def encode(
        self, y: np.ndarray, predictions: np.ndarray, positive: int, n_classes: int
    ) -> tuple[np.ndarray, np.ndarray, int]:
        """Reduce classes and predictions to what the statistic is computed from, and the number of classes there."""
        raise NotImplementedError

    def score_splits(self, truth: np.ndarray, answers: np.ndarray, start: np.ndarray, classes: int) -> np.ndarray:
        """Return the statistic of the tests ``start[r]`` to ``start[r + 1]`` of each row, NaN where undefined."""
        raise NotImplementedError

    def recalled(self, classes: int) -> Sequence[int]:
        """Return the classes, as coded, of whose recalls it is the mean; none where it is no such mean.

        The recall of a class is a proportion, of which limits are known.
        """
        return ()

    def no_information(self, truth: np.ndarray, answers: np.ndarray, classes: int) -> float:
        """Return the expected value if predictions are permuted among the cases (Efron & Tibshirani's gamma)."""
        raise NotImplementedError

    def influence(
        self, truth: np.ndarray, answers: np.ndarray, classes: int, shares: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the empirical influence of each test on the statistic of all; float array, shape (T,)."""
        raise NotImplementedError

    def weighted(self, truth: np.ndarray, answers: np.ndarray, counts: np.ndarray, classes: int) -> np.ndarray:
        """Return the statistic of each line of ``counts``, which tells how often every test counts; shape (B,).

        Counts are whole numbers and their sums exact, so that values are those of the tests repeated one by one.
        """
        out = np.full(counts.shape[0], np.nan)
        some = counts.any(axis=1)
        if some.any():
            out[some] = self._weighted(truth, answers, counts[some], classes)
        return out

    def _weighted(self, truth: np.ndarray, answers: np.ndarray, counts: np.ndarray, classes: int) -> np.ndarray:
        whole = counts.astype(np.int64)
        return np.array([self.of(repeat_each(truth, c), repeat_each(answers, c), classes) for c in whole])

    def of(self, truth: np.ndarray, answers: np.ndarray, classes: int = 2) -> float:
        """Return the statistic of one set of tests, NaN where undefined."""
        return float(self.score_splits(truth, answers, np.array([0, truth.shape[0]]), classes)[0])


@dataclass(frozen=True)
class BoundMetric:
    """A metric with the classes that it is computed for; ``positive`` is a class number."""

    metric: Metric
    positive: int
    n_classes: int

    @property
    def needs_probabilities(self) -> bool:
        return self.metric.needs_probabilities
