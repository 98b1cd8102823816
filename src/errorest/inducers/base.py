"""What an inducer is: a plain face and a batch face that must agree.

An inducer makes a classifier from a sample.  ``fit`` is the plain face;
``predict_resamples`` labels the tested cases of every row of a
:class:`~errorest.resampling.Resamples` in one pass.  The two give identical
labels: the batch form does, row by row, the arithmetic of the plain one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from errorest.resampling import Resamples
from errorest.sample import Sample

__all__ = ["Classifier", "ConstantClassifier", "Inducer", "IntervalClassifier", "predict_by_loop"]


class Classifier(Protocol):
    """What ``fit`` returns."""

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases; X has shape (m, d), the result is int of shape (m,)."""
        ...


@runtime_checkable
class Inducer(Protocol):
    """A learning algorithm with its settings."""

    @property
    def id(self) -> str:
        """Unambiguous name with settings, such as ``k-nn(k=3)``."""
        ...

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Classifier:
        """Make a classifier from all cases of a sample (repeats stand as repeated cases).

        ``rng`` serves inducers that draw at random; others ignore it.
        """
        ...

    def predict_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Label the tested cases of every row; int64 array aligned with ``resamples.cases``.

        Row r of an inducer that draws at random uses the r-th of ``rng.spawn(R)``.
        """
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


def predict_by_loop(
    inducer: Inducer, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
) -> np.ndarray:
    """Label the tested cases with one ``fit`` a row: the slow form that every batch form equals.

    Parameters
    ----------
    inducer : Inducer
    sample : Sample
    resamples : Resamples
    rng : numpy.random.Generator, optional
        Spawns one generator a row.

    Returns
    -------
    int array, shape (T,)
    """
    streams: Sequence[np.random.Generator | None] = (
        [None] * resamples.n_rows if rng is None else rng.spawn(resamples.n_rows)
    )
    labels = np.empty(resamples.cases.shape[0], dtype=np.int64)
    for r in range(resamples.n_rows):
        tested = slice(resamples.start[r], resamples.start[r + 1])
        cases = resamples.cases[tested]
        if cases.size:
            training = np.repeat(np.arange(sample.n), resamples.training_counts(r, r + 1)[0])
            labels[tested] = inducer.fit(sample.take(training), streams[r]).predict(sample.X[cases])
    return labels
