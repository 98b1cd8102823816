"""What an inducer is: a plain face and a batch face that must agree.

An inducer makes a classifier from a sample.  ``fit`` is the plain face;
``predict_resamples`` labels the tested cases of every row of a
:class:`~errorest.resampling.Resamples` in one pass.  The two give identical
labels: the batch form does, row by row, the arithmetic of the plain one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from errorest.classifiers import Classifier, ConstantClassifier, IntervalClassifier
from errorest.resampling import Resamples
from errorest.sample import Sample

__all__ = ["Classifier", "ConstantClassifier", "Inducer", "IntervalClassifier", "predict_by_loop"]


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
