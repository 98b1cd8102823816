"""Classifiers: what an inducer makes of a training set.

A classifier labels cases.  The two plain forms here are what a population can
give an exact true error for: one class always, and cut-points on one attribute.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

__all__ = ["Classifier", "ConstantClassifier", "IntervalClassifier"]


class Classifier(Protocol):
    """What ``fit`` returns."""

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases; X has shape (m, d), the result is int of shape (m,)."""
        ...


@dataclass(frozen=True)
class ConstantClassifier:
    """Predict one class always.

    Parameters
    ----------
    label : int
        Class number.

    Examples
    --------
    >>> ConstantClassifier(1).predict(np.zeros((2, 1))).tolist()
    [1, 1]
    """

    label: int

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases; X has shape (m, d)."""
        return np.full(np.shape(X)[0], self.label, dtype=np.int64)


@dataclass(frozen=True)
class IntervalClassifier:
    """A classifier on one real attribute: cut-points and the class between them.

    Class ``labels[i]`` is predicted for ``cuts[i - 1] < x <= cuts[i]``.

    Parameters
    ----------
    cuts : tuple of float
        Ascending; -inf and +inf may stand.
    labels : tuple of int
        One more than the cuts.

    Examples
    --------
    >>> IntervalClassifier((0.0,), (0, 1)).predict(np.array([[0.0], [0.1]])).tolist()
    [0, 1]
    """

    cuts: tuple[float, ...]
    labels: tuple[int, ...]

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases; X has shape (m, 1) or (m,)."""
        x = np.asarray(X, dtype=float)
        x = x[:, 0] if x.ndim == 2 else x
        return np.asarray(self.labels)[np.searchsorted(np.asarray(self.cuts), x, side="left")]
