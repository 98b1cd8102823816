"""What a score is: a mean of losses of probabilities, or a statistic of what was said of many tested cases.

A :class:`CaseScore` is a loss a case, so that it goes through every estimator and interval of the error rate.
A :class:`Statistic` (AUC, F1, ...) is a number of a whole set of tested cases, and is no mean over them: it says
which estimators and intervals are legal with it.

Estimators work on losses, of which less is better.  A statistic of which more is better enters them as what it
lacks of its best value, and comes back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from errorest.spec import Spec, settings_of

__all__ = ["CaseScore", "Score", "Statistic"]


@dataclass(frozen=True, eq=False)
class Score(Spec):
    """A number that says how good a classifier's answers are: a frozen dataclass whose fields are its settings.

    Attributes
    ----------
    title : str
        What it is called in a sentence.
    rising : bool
        Whether more is better.
    best : float
    limits : (float, float)
        What it cannot leave.
    of_one_class : bool
        Whether it speaks of one class, called positive, against all others.
    """

    title: ClassVar[str] = ""
    rising: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    limits: ClassVar[tuple[float, float]] = (0.0, 1.0)
    of_one_class: ClassVar[bool] = False

    @property
    def additive(self) -> bool:
        """Whether it is a mean of losses of cases."""
        return isinstance(self, CaseScore)

    @property
    def needs_probabilities(self) -> bool:
        """Whether labels alone do not tell it."""
        return True

    @classmethod
    def settings(cls) -> str:
        """Write its settings with their defaults."""
        return ", ".join(f"{setting.name}={setting.default}" for setting in settings_of(cls))

    def bounds(self, n_classes: int) -> tuple[float, float]:
        """Return what it cannot leave with so many classes."""
        return self.limits

    def as_loss(self, value: float) -> float:
        """Turn a value into a loss, of which less is better."""
        return self.best - value if self.rising else value

    def from_loss(self, loss: float) -> float:
        """Turn a loss into a value; the inverse of :meth:`as_loss`."""
        return self.best - loss if self.rising else loss


@dataclass(frozen=True, eq=False)
class CaseScore(Score):
    """A score that is the mean of a loss of each case."""

    def costs(self, said: np.ndarray) -> np.ndarray:
        """Tell what probabilities cost, should the case be of each class; float arrays, shape (T, K)."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Statistic(Score):
    """A score of a set of tested cases.

    Attributes
    ----------
    estimators : tuple of str
        Names of the estimators of errors that may estimate it.
    """

    estimators: ClassVar[tuple[str, ...]] = (
        "resubstitution",
        "holdout",
        "cv",
        "loo",
        "e0",
        "632",
        "632+",
        "loo*",
        "bs",
        "bscv",
        "bsx2",
    )

    def coded(
        self, y: np.ndarray, said: np.ndarray, positive: int, n_classes: int
    ) -> tuple[np.ndarray, np.ndarray, int]:
        """Reduce classes and answers to what the statistic reads."""
        raise NotImplementedError

    def of_rows(self, truth: np.ndarray, answers: np.ndarray, start: np.ndarray, classes: int) -> np.ndarray:
        """Return the statistic of the tests ``start[r]`` to ``start[r + 1]`` of each row, NaN where undefined."""
        raise NotImplementedError

    def no_information(self, truth: np.ndarray, answers: np.ndarray, classes: int) -> float:
        """Return what is expected if the answers are permuted among the cases (Efron & Tibshirani's gamma)."""
        raise NotImplementedError

    def influence(
        self, truth: np.ndarray, answers: np.ndarray, classes: int, shares: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the empirical influence of each test on the statistic of all; float array, shape (T,)."""
        raise NotImplementedError

    def of(self, truth: np.ndarray, answers: np.ndarray, classes: int = 2) -> float:
        """Return the statistic of one set of tests, NaN where undefined."""
        return float(self.of_rows(truth, answers, np.array([0, truth.shape[0]]), classes)[0])
