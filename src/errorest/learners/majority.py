"""The majority inducer: the class that the training set has most of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from errorest.compiled import kernel
from errorest.data.sample import Sample
from errorest.learners.base import ConstantClassifier, RowLearner
from errorest.resampling.multisets import Resamples, training_row


@kernel
def _predict_rows(y, n_classes, compact, start, labels):  # type: ignore[no-untyped-def]
    counts = np.empty(compact.n, dtype=np.int32)
    tally = np.empty(n_classes, dtype=np.int64)
    for r in range(start.shape[0] - 1):
        if start[r] == start[r + 1]:
            continue
        training_row(compact, r, counts)
        tally[:] = 0
        for i in range(compact.n):
            tally[y[i]] += counts[i]
        best = 0
        for c in range(1, n_classes):
            if tally[c] > tally[best]:
                best = c
        labels[start[r] : start[r + 1]] = best


@dataclass(frozen=True, eq=False)
class Majority(RowLearner):
    """Predict the most frequent class of the training set; the lowest class number wins a tie.

    References
    ----------
    Kohavi (1995), section 2.

    Examples
    --------
    >>> s = Sample.from_arrays([0.0, 1.0, 4.0], ["a", "b", "b"])
    >>> Majority().fit(s).label
    1
    """

    name = "majority"

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> ConstantClassifier:
        """Make the classifier of a whole sample."""
        return ConstantClassifier(int(np.argmax(sample.class_counts())))

    def _answer(self, sample: Sample, resamples: Resamples, labels: np.ndarray, probabilities: np.ndarray) -> int:
        _predict_rows(sample.y, sample.n_classes, resamples.compact, resamples.start, labels)
        return -1
