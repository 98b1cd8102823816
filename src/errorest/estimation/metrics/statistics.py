"""Functions of the confusion matrix of a whole set of tested cases.

A set of tests that lacks a class on which the statistic rests has none: NaN, which averages leave out and
results count.  Influences of confusion matrices are derivatives by complex steps, exact to rounding.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from errorest.compiled import kernel
from errorest.counting import count_each
from errorest.errors import UsageError
from errorest.estimation.metrics.metric import Statistic, Weights

# An imaginary step: f(x + ih) = f(x) + ih f'(x) + O(h^2), and no difference is taken that would cancel
_STEP = 1e-30


@kernel
def _confusion_rows(truth, answers, start, classes):  # type: ignore[no-untyped-def]
    out = np.zeros((start.shape[0] - 1, classes, classes))
    for r in range(out.shape[0]):
        for t in range(start[r], start[r + 1]):
            out[r, truth[t], answers[t]] += 1.0
    return out


@dataclass(frozen=True, eq=False)
class _OfLabels(Statistic):
    """A function of the confusion matrix: rows are classes, columns answers.

    A case is called positive where the probability of the positive class is at least the threshold; without one the
    classifier's own labels are taken.
    """

    greater_is_better = True
    best = 1.0
    requirements: ClassVar = {
        "threshold": (lambda p: p is None or 0 <= p <= 1, "a probability from 0 to 1; 30 % is written 0.3")
    }

    threshold: float | None = None

    @property
    def needs_probabilities(self) -> bool:
        return self.threshold is not None

    @property
    def needs_pos_label(self) -> bool:
        return self.of_one_class or self.threshold is not None

    def encode(
        self, y: np.ndarray, predictions: np.ndarray, positive: int, n_classes: int
    ) -> tuple[np.ndarray, np.ndarray, int]:
        """Take the labels, of two kinds where there is a threshold or one class is spoken of."""
        if self.threshold is None and not self.of_one_class:
            return y, predictions, n_classes
        called = predictions == positive if self.threshold is None else predictions[:, positive] >= self.threshold
        return (y == positive).astype(np.int64), called.astype(np.int64), 2

    def of_matrices(self, matrix: np.ndarray) -> np.ndarray:
        """Return the statistic of confusion matrices, counts or shares; shape (..., K, K), maybe complex."""
        raise NotImplementedError

    def score_splits(self, truth: np.ndarray, answers: np.ndarray, start: np.ndarray, classes: int) -> np.ndarray:
        return np.asarray(self.of_matrices(_confusion_rows(truth, answers, start, classes)))

    def _weighted(self, truth: np.ndarray, answers: np.ndarray, counts: np.ndarray, classes: int) -> np.ndarray:
        # each test as an indicator of its cell, so that one product gives the confusion matrices of all weightings
        cells = np.eye(classes * classes)[truth * classes + answers]
        return np.asarray(
            self.of_matrices((np.asarray(counts, dtype=np.float64) @ cells).reshape(-1, classes, classes))
        )

    def no_information(self, truth: np.ndarray, answers: np.ndarray, classes: int) -> float:
        """Return the value where answers are independent of classes: the mean over all permutations.

        With margins given, each of these statistics is linear in the matrix.
        """
        # the matrix expected of permuted answers has the products of its margins
        p, q = (count_each(v, minlength=classes) / v.size for v in (truth, answers))
        return float(self.of_matrices(np.outer(p, q)))

    def influence(
        self, truth: np.ndarray, answers: np.ndarray, classes: int, shares: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the derivative of the statistic towards each test."""
        matrix = _confusion_rows(truth, answers, np.array([0, truth.size]), classes)[0] / truth.size
        slopes = np.empty((classes, classes))
        for i in range(classes):
            for j in range(classes):
                step = matrix.astype(np.complex128)
                step[i, j] += 1j * _STEP
                # Im f(M + ih E_ij) / h is the derivative towards cell (i, j), without cancellation (complex step)
                slopes[i, j] = self.of_matrices(step).imag / _STEP
        # the derivative towards a cell of the matrix of shares, less its mean: influences sum to 0
        return np.asarray(slopes[truth, answers] - (matrix * slopes).sum())


def _over(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Divide, with NaN where nothing is below."""
    return np.divide(above, below, out=np.full(np.shape(above), np.nan, dtype=np.result_type(above)), where=below != 0)


def _recall(matrix: np.ndarray) -> np.ndarray:
    """Return the share of each class that is got right."""
    return _over(np.diagonal(matrix, axis1=-2, axis2=-1), matrix.sum(axis=-1))


def _f1(matrix: np.ndarray) -> np.ndarray:
    """Return the F1 of each class against all others."""
    there, called = matrix.sum(axis=-1), matrix.sum(axis=-2)
    # 2 TP / (2 TP + FN + FP)
    return _over(2 * np.diagonal(matrix, axis1=-2, axis2=-1), np.where(there != 0, there + called, 0))


@dataclass(frozen=True, eq=False)
class Sensitivity(_OfLabels):
    """The share of the positive cases that is called so (recall).

    With ``specificity``, the threshold is not given but chosen on the tested cases: the lowest one at which at least
    that share of the other cases lies below.  The statistic is then a point of the ROC curve, and compares cases with
    one another as the AUC does.

    Pepe (2003), sections 2.1 and 5.2.
    """

    name = "sensitivity"
    of_one_class = True
    requirements: ClassVar = {
        **_OfLabels.requirements,
        "specificity": (lambda p: p is None or 0 < p < 1, "a proportion in (0, 1); 90 % is written 0.9"),
    }

    specificity: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.specificity is not None and self.threshold is not None:
            raise UsageError("sensitivity was given a threshold and a specificity; expected one of them")

    @property
    def title(self) -> str:  # type: ignore[override]
        """Its name in a sentence."""
        return "sensitivity" + ("" if self.specificity is None else f" at specificity {self.specificity:g}")

    @property
    def ranks(self) -> bool:  # type: ignore[override]
        """Whether it compares cases with one another."""
        return self.specificity is not None

    @property
    def weights(self) -> Weights:  # type: ignore[override]
        """How folds are weighted: those of a ranking are not pooled, as their scores are of different classifiers."""
        return "folds" if self.ranks else "test-size"

    @property
    def needs_probabilities(self) -> bool:
        return self.threshold is not None or self.ranks

    def baseline(self, shares: np.ndarray, positive: int) -> tuple[float | None, str]:
        return (None, "") if self.specificity is None else (round(1 - self.specificity, 12), "a random ranking")

    def encode(
        self, y: np.ndarray, predictions: np.ndarray, positive: int, n_classes: int
    ) -> tuple[np.ndarray, np.ndarray, int]:
        if not self.ranks:
            return super().encode(y, predictions, positive, n_classes)
        return (y == positive).astype(np.int64), np.ascontiguousarray(predictions[:, positive]), 2

    def recalled(self, classes: int) -> Sequence[int]:
        return () if self.ranks else (1,)

    def of_matrices(self, matrix: np.ndarray) -> np.ndarray:
        return _recall(matrix)[..., 1]

    def score_splits(self, truth: np.ndarray, answers: np.ndarray, start: np.ndarray, classes: int) -> np.ndarray:
        if self.specificity is None:
            return super().score_splits(truth, answers, start, classes)
        parts = (slice(a, b) for a, b in pairwise(start))
        return np.array([self._roc(truth[p], answers[p], 1 - self.specificity) for p in parts])

    @staticmethod
    def _roc(truth: np.ndarray, answers: np.ndarray, false_positives: float) -> float:
        """Return the ROC curve: the largest sensitivity where at most this share of the other cases is called."""
        # the threshold is the score of the first of the other cases, from above, that must not be called positive
        positives, others = answers[truth == 1], np.sort(answers[truth == 0])[::-1]
        if not positives.size or not others.size:
            return float("nan")
        called = int(false_positives * others.size + 1e-9)  # .1 x 30 is 3, whatever the last bit says
        return float((positives > (others[called] if called < others.size else -np.inf)).mean())

    def _weighted(self, truth: np.ndarray, answers: np.ndarray, counts: np.ndarray, classes: int) -> np.ndarray:
        if self.specificity is None:
            return super()._weighted(truth, answers, counts, classes)
        return Statistic._weighted(self, truth, answers, counts, classes)

    def no_information(self, truth: np.ndarray, answers: np.ndarray, classes: int) -> float:
        """Return the share called positive: of answers without ties and many cases, 1 minus the specificity."""
        return super().no_information(truth, answers, classes) if self.specificity is None else 1 - self.specificity

    def influence(
        self, truth: np.ndarray, answers: np.ndarray, classes: int, shares: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the derivative towards each test; other cases count by the slope of the ROC curve, as they move t."""
        if self.specificity is None:
            return super().influence(truth, answers, classes, shares)
        share = count_each(truth, minlength=2) / truth.size if shares is None else shares
        at, value = 1 - self.specificity, self._roc(truth, answers, 1 - self.specificity)
        others = np.sort(answers[truth == 0])[::-1]
        called = answers > others[min(int(at * others.size + 1e-9), others.size - 1)] if others.size else truth == 1
        # Pepe (2003), section 5.2: the slope is the ratio of the densities at the threshold; here the difference
        # quotient of the curve over 1 / sqrt(m) of the m other cases on either side: a window of 1 / sqrt(m) shrinks
        # with m while the number of cases in it, sqrt(m), grows
        low, high = max(0.0, at - others.size**-0.5), min(1.0, at + others.size**-0.5)
        slope = (self._roc(truth, answers, high) - self._roc(truth, answers, low)) / (high - low)
        # a positive case adds 1 or 0, less the sensitivity; another moves the threshold, by which the sensitivity falls
        # with the slope. Each is divided by the share of its class, of whose cases alone it is one
        return np.where(truth == 1, (called - value) / share[1], -slope * (called - at) / share[0])


@dataclass(frozen=True, eq=False)
class Specificity(_OfLabels):
    """The share of the other cases that is not called positive."""

    name = "specificity"
    title = "specificity"
    of_one_class = True

    def recalled(self, classes: int) -> Sequence[int]:
        return (0,)

    def of_matrices(self, matrix: np.ndarray) -> np.ndarray:
        return _recall(matrix)[..., 0]


@dataclass(frozen=True, eq=False)
class Precision(_OfLabels):
    """The share of the cases called positive that are so (positive predictive value); undefined where none is."""

    name = "precision"
    title = "precision"
    of_one_class = True

    def baseline(self, shares: np.ndarray, positive: int) -> tuple[float | None, str]:
        """Return the share of positive cases, what labels at random have."""
        return float(shares[positive]), "random labels"

    def of_matrices(self, matrix: np.ndarray) -> np.ndarray:
        # the precision is the recall of labels in place of classes: the same share of the transposed matrix
        return _recall(np.swapaxes(matrix, -2, -1))[..., 1]


@dataclass(frozen=True, eq=False)
class NegativePredictiveValue(_OfLabels):
    """The share of the cases not called positive that are not; undefined where all are called so."""

    name = "npv"
    title = "negative predictive value"
    of_one_class = True

    def baseline(self, shares: np.ndarray, positive: int) -> tuple[float | None, str]:
        """Return the share of the other cases, what labels at random have."""
        return 1 - float(shares[positive]), "random labels"

    def of_matrices(self, matrix: np.ndarray) -> np.ndarray:
        return _recall(np.swapaxes(matrix, -2, -1))[..., 0]


@dataclass(frozen=True, eq=False)
class F1(_OfLabels):
    """The harmonic mean of sensitivity and precision; undefined where no positive case is tested."""

    name = "f1"
    title = "F1"
    of_one_class = True

    def of_matrices(self, matrix: np.ndarray) -> np.ndarray:
        return _f1(matrix)[..., 1]


@dataclass(frozen=True, eq=False)
class BalancedAccuracy(_OfLabels):
    """The mean over the classes of the share that is got right; undefined where a class is not tested."""

    name = "balanced-accuracy"
    title = "balanced accuracy"

    def baseline(self, shares: np.ndarray, positive: int) -> tuple[float | None, str]:
        """Return 1 / K: one class has a recall of 1, the others of 0; a threshold makes two classes."""
        return 1 / (shares.size if self.threshold is None else 2), "one class always"

    def recalled(self, classes: int) -> Sequence[int]:
        return range(classes)

    def of_matrices(self, matrix: np.ndarray) -> np.ndarray:
        # (1 / K) sum of c_kk / (cases of class k); for two classes (sensitivity + specificity) / 2
        return np.asarray(_recall(matrix).mean(axis=-1))


@dataclass(frozen=True, eq=False)
class MacroF1(_OfLabels):
    """The mean F1 of all classes, each against all others; undefined where a class is not tested."""

    name = "macro-f1"
    title = "macro F1"

    def of_matrices(self, matrix: np.ndarray) -> np.ndarray:
        return np.asarray(_f1(matrix).mean(axis=-1))


@dataclass(frozen=True, eq=False)
class Mcc(_OfLabels):
    """Matthews' correlation of classes and answers, for any number of classes; 0 where all answers are alike.

    Undefined where one class alone is tested.  Matthews (1975); for several classes Gorodkin (2004).
    """

    name = "mcc"
    title = "Matthews correlation"
    limits = (-1.0, 1.0)
    chance = (0.0, "random labels")

    def of_matrices(self, matrix: np.ndarray) -> np.ndarray:
        total = matrix.sum(axis=(-2, -1))
        shares = matrix / np.where(total != 0, total, 1)[..., None, None]
        p, q = shares.sum(axis=-1), shares.sum(axis=-2)
        # Gorodkin's R_K: cov(classes, labels) / sqrt(cov(classes, classes) cov(labels, labels)) of indicator vectors,
        # whose covariances sum to sum_k c_kk - p_k q_k, 1 - sum p_k^2 and 1 - sum q_k^2
        covariance = np.diagonal(shares, axis1=-2, axis2=-1).sum(axis=-1) - (p * q).sum(axis=-1)
        of_classes, of_answers = 1 - (p * p).sum(axis=-1), 1 - (q * q).sum(axis=-1)
        # 1 - sum q_k^2 is 0 where all labels are one, rounding aside; the numerator is 0 too, and by convention the
        # ratio. The real part decides, since derivatives are taken by imaginary steps
        varied = of_answers.real > 1e-12
        result = _over(covariance, np.sqrt(of_classes * np.where(varied, of_answers, 1)))
        return np.asarray(np.where(of_classes.real > 1e-12, np.where(varied, result, 0), np.nan))


@dataclass(frozen=True, eq=False)
class CohenKappa(_OfLabels):
    """Agreement of classes and labels beyond chance: (p_o - p_e) / (1 - p_e), for any number of classes.

    p_o is the share of right labels, p_e the one expected of independent labels with the same margins.  Undefined where
    p_e is 1.  Cohen (1960), Educational and Psychological Measurement 20.
    """

    name = "cohen-kappa"
    title = "Cohen's kappa"
    limits = (-1.0, 1.0)
    chance = (0.0, "random labels")

    def of_matrices(self, matrix: np.ndarray) -> np.ndarray:
        total = matrix.sum(axis=(-2, -1))
        shares = matrix / np.where(total != 0, total, np.nan)[..., None, None]
        # p_o = sum_k c_kk and p_e = sum_k p_k q_k, of shares c_kl with the margins p of classes and q of labels
        observed = np.diagonal(shares, axis1=-2, axis2=-1).sum(axis=-1)
        expected = (shares.sum(axis=-1) * shares.sum(axis=-2)).sum(axis=-1)
        below = 1 - expected
        return _over(observed - expected, np.where(np.abs(below) > 1e-12, below, 0))


@dataclass(frozen=True, eq=False)
class UserStatistic(_OfLabels):
    """A user's ``function(y_true, y_pred)`` of a whole set of labels that returns one number."""

    name = "function"
    requirements: ClassVar = {}
    # what labels at random would give is not known, on which .632+ rests
    estimators = ("resubstitution", "holdout", "cv", "loo", "e0", "632")

    function: Any = field(compare=False, default=None)
    labels: Any = field(compare=False, default=None)
    larger: bool = field(compare=False, default=True)  # whether a larger number is better
    called: str = field(compare=False, default="score")
    between: tuple[float, float] = field(compare=False, default=(-float("inf"), float("inf")))  # least, largest value

    @property
    def id(self) -> str:
        """The function's name."""
        return self.called

    title = id

    @property
    def greater_is_better(self) -> bool:  # type: ignore[override]
        """Whether a larger number is better."""
        return self.larger

    def bounds(self, n_classes: int) -> tuple[float, float]:
        return self.between

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def score_splits(self, truth: np.ndarray, answers: np.ndarray, start: np.ndarray, classes: int) -> np.ndarray:
        """Call the function for each row; NaN where nothing is tested."""
        return np.array([self._value(truth[a:b], answers[a:b]) if b > a else np.nan for a, b in pairwise(start)])

    def _value(self, truth: np.ndarray, answers: np.ndarray) -> float:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # scikit-learn's, of a class that is not tested
                return float(self.function(self.labels[truth], self.labels[answers]))
        except (Exception, SystemExit) as exc:  # a user's function may raise anything
            raise UsageError(
                f"the score {self.called} failed ({type(exc).__name__}: {exc}); expected f(y_true, y_pred) of two "
                "arrays of labels, one number"
            ) from None

    def _weighted(self, truth: np.ndarray, answers: np.ndarray, counts: np.ndarray, classes: int) -> np.ndarray:
        return Statistic._weighted(self, truth, answers, counts, classes)

    def influence(
        self, truth: np.ndarray, answers: np.ndarray, classes: int, shares: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the jackknife's influence, (n - 1) (value - value without the test), equal for tests of one cell."""
        _, first, cell = np.unique(truth * classes + answers, return_index=True, return_inverse=True)
        without = np.array([self._value(np.delete(truth, t), np.delete(answers, t)) for t in first])
        # a function of the user's has no known derivative: leaving a test out takes the place of the infinitesimal
        # change; tests of one cell of the confusion matrix are exchangeable, so that one of each is left out
        return np.asarray((truth.size - 1) * (self._value(truth, answers) - without))[cell]
