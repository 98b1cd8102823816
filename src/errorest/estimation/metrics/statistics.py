"""Functions of the confusion matrix of a whole set of tested cases.

A set of tests that lacks a class on which the statistic rests has none: NaN, which averages leave out and
results count.  Influences of confusion matrices are derivatives by complex steps, exact to rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numba as nb
import numpy as np

from errorest.estimation.metrics.metric import Statistic

_STEP = 1e-30


@nb.njit(cache=True)
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

    def coded(
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

    def of_rows(self, truth: np.ndarray, answers: np.ndarray, start: np.ndarray, classes: int) -> np.ndarray:
        return np.asarray(self.of_matrices(_confusion_rows(truth, answers, start, classes)))

    def _weighted(self, truth: np.ndarray, answers: np.ndarray, counts: np.ndarray, classes: int) -> np.ndarray:
        cells = np.eye(classes * classes)[truth * classes + answers]
        return np.asarray(
            self.of_matrices((np.asarray(counts, dtype=np.float64) @ cells).reshape(-1, classes, classes))
        )

    def no_information(self, truth: np.ndarray, answers: np.ndarray, classes: int) -> float:
        """Return the value where answers are independent of classes: the mean over all permutations.

        With margins given, each of these statistics is linear in the matrix.
        """
        p, q = (np.bincount(v, minlength=classes) / v.size for v in (truth, answers))
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
                slopes[i, j] = self.of_matrices(step).imag / _STEP
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
    return _over(2 * np.diagonal(matrix, axis1=-2, axis2=-1), np.where(there != 0, there + called, 0))


@dataclass(frozen=True, eq=False)
class Sensitivity(_OfLabels):
    """The share of the positive cases that is called so (recall)."""

    name = "sensitivity"
    title = "sensitivity"
    of_one_class = True

    def recalled(self, classes: int) -> Sequence[int]:
        return (1,)

    def of_matrices(self, matrix: np.ndarray) -> np.ndarray:
        return _recall(matrix)[..., 1]


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

    def recalled(self, classes: int) -> Sequence[int]:
        return range(classes)

    def of_matrices(self, matrix: np.ndarray) -> np.ndarray:
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

    def of_matrices(self, matrix: np.ndarray) -> np.ndarray:
        total = matrix.sum(axis=(-2, -1))
        shares = matrix / np.where(total != 0, total, 1)[..., None, None]
        p, q = shares.sum(axis=-1), shares.sum(axis=-2)
        covariance = np.diagonal(shares, axis1=-2, axis2=-1).sum(axis=-1) - (p * q).sum(axis=-1)
        of_classes, of_answers = 1 - (p * p).sum(axis=-1), 1 - (q * q).sum(axis=-1)
        varied = of_answers.real > 1e-12
        result = _over(covariance, np.sqrt(of_classes * np.where(varied, of_answers, 1)))
        return np.asarray(np.where(of_classes.real > 1e-12, np.where(varied, result, 0), np.nan))
