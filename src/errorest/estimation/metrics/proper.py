"""Metrics of probabilities that are means over cases: the Brier score and the log loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from errorest.counting import count_each
from errorest.estimation.metrics.metric import CaseMetric


@dataclass(frozen=True, eq=False)
class ProbabilityMetric(CaseMetric):
    """The mean of a loss of each case's probabilities."""

    def costs(self, probabilities: np.ndarray) -> np.ndarray:
        """Return what probabilities cost, should the case be of each class; float array, shape (T, K)."""
        raise NotImplementedError

    def baseline(self, shares: np.ndarray, positive: int) -> tuple[float | None, str]:
        """Return the mean loss of the shares of the classes, taken as everybody's probabilities."""
        # sum_k p_k cost(p, k): the class prior as a forecast, the best one that looks at no attribute
        return float((shares * self.costs(shares[None])[0]).sum()), "class prior"

    def losses(self, y: np.ndarray, predictions: np.ndarray) -> np.ndarray:
        """Return the cost of each prediction for the class of its case."""
        return np.asarray(self.costs(predictions)[np.arange(y.size), y])

    def no_information(self, y: np.ndarray, predictions: np.ndarray, n_classes: int) -> float:
        """Return the mean over all pairs of a case and a prediction (Efron & Tibshirani 1997, section 3)."""
        # gamma = sum_k p_k (mean over predictions of their cost, were the case of class k)
        p = count_each(y, minlength=n_classes) / y.size
        return float((p * np.ascontiguousarray(self.costs(predictions)).mean(axis=0)).sum())


@dataclass(frozen=True, eq=False)
class Brier(ProbabilityMetric):
    """The mean squared distance of probabilities from what happened, for two classes of one of them.

    For two classes it is ``(p - 1)^2`` of the class's own probability p, from 0 to 1; for more the sum over the
    classes of ``(p_c - [c is the class])^2``, from 0 to 2, as scikit-learn has it.
    Brier (1950), Monthly Weather Review 78.
    """

    name = "brier"
    title = "Brier score"
    limits = (0.0, 2.0)

    def bounds(self, n_classes: int) -> tuple[float, float]:
        return 0.0, 1.0 if n_classes == 2 else 2.0

    def costs(self, probabilities: np.ndarray) -> np.ndarray:
        if probabilities.shape[1] == 2:
            return np.asarray(probabilities[:, ::-1] ** 2)  # 1 - p of the one class is p of the other
        # sum_c p_c^2 - p_k^2 + (1 - p_k)^2 for a case of class k
        squares = probabilities**2
        return np.asarray(squares.sum(axis=1, keepdims=True) - squares + (1.0 - probabilities) ** 2)


@dataclass(frozen=True, eq=False)
class LogLoss(ProbabilityMetric):
    """The mean of minus the natural logarithm of the class's own probability.

    A probability is held in [clip, 1 - clip] first: a class that was called impossible costs -log(clip), 34.5 with
    the default, and not infinity.
    """

    name = "log-loss"
    title = "log loss"
    limits = (0.0, float("inf"))
    requirements: ClassVar = {"clip": (lambda p: 0 < p < 0.5, "a probability in (0, 0.5); the usual one is 1e-15")}

    clip: float = 1e-15

    def costs(self, probabilities: np.ndarray) -> np.ndarray:
        return np.asarray(-np.log(np.clip(probabilities, self.clip, 1.0 - self.clip)))
