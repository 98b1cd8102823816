"""Scores of probabilities that are means over cases: the Brier score and the log loss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from errorest.errors import UsageError
from errorest.estimation.losses import Loss
from errorest.estimation.scores.score import CaseScore

__all__ = ["Brier", "LogLoss", "ScoreLoss"]


@dataclass(frozen=True, eq=False)
class Brier(CaseScore):
    """The mean squared distance of probabilities from what happened, for two classes of one of them.

    For two classes it is ``(p - 1)^2`` of the class's own probability p, from 0 to 1; for more the sum over the
    classes of ``(p_c - [c is the class])^2``, from 0 to 2, as scikit-learn has it.

    References
    ----------
    Brier (1950), Monthly Weather Review 78.
    """

    name = "brier"
    title = "Brier score"
    limits = (0.0, 2.0)

    def bounds(self, n_classes: int) -> tuple[float, float]:
        """Return 0 and 1 for two classes, 0 and 2 for more."""
        return 0.0, 1.0 if n_classes == 2 else 2.0

    def costs(self, said: np.ndarray) -> np.ndarray:
        """Return the squared distances of each class's indicator."""
        if said.shape[1] == 2:
            return np.asarray(said[:, ::-1] ** 2)
        squares = said**2
        return np.asarray(squares.sum(axis=1, keepdims=True) - squares + (1.0 - said) ** 2)


@dataclass(frozen=True, eq=False)
class LogLoss(CaseScore):
    """The mean of minus the natural logarithm of the class's own probability.

    A probability is held in [clip, 1 - clip] first: a class that was called impossible costs -log(clip), 34.5 with
    the default, and not infinity.

    Parameters
    ----------
    clip : float
        In (0, 0.5).
    """

    name = "log-loss"
    title = "log loss"
    limits = (0.0, float("inf"))

    clip: float = 1e-15

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.clip < 0.5:
            raise UsageError(
                f"log-loss was given clip = {self.clip}; expected a probability in (0, 0.5); the usual one is 1e-15"
            )

    def costs(self, said: np.ndarray) -> np.ndarray:
        """Return minus the logarithms of the clipped probabilities."""
        return np.asarray(-np.log(np.clip(said, self.clip, 1.0 - self.clip)))


class ScoreLoss(Loss):
    """What numbered answers cost: the labels of an outcome are lines of a table.

    Parameters
    ----------
    costs : float array, shape (lines, K)
        What a line costs, should the case be of each class.
    """

    zero_one = False

    def __init__(self, costs: np.ndarray) -> None:
        self._costs = costs

    def of(self, y: np.ndarray, said: np.ndarray) -> np.ndarray:
        """Return the cost of each answer for its case's class."""
        return np.asarray(self._costs[said, y])

    def no_information(self, y: np.ndarray, said: np.ndarray, n_classes: int) -> float:
        """Return the mean over all pairs of a case and an answer, each with each.

        References
        ----------
        Efron & Tibshirani (1997), section 3, which defines it for any loss.
        """
        p = np.bincount(y, minlength=n_classes) / y.size
        return float((p * self._costs[said].mean(axis=0)).sum())
