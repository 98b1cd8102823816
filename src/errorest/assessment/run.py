"""The predictions of one resampling scheme."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from errorest.assessment.learner import Failure
from errorest.counting import repeat_each
from errorest.errors import UsageError
from errorest.estimation.metrics.metric import Metric
from errorest.resampling.multisets import Resamples


@dataclass(frozen=True, eq=False)
class Run:
    """The predictions of one resampling scheme.

    Parameters
    ----------
    resamples : Resamples
        R rows, each with its training multiset and its tests, T in all.
    labels : int array, shape (T,), or None
        Predicted class numbers, in as few bytes as they take.
    scores : float array, shape (T, K), or None
        Probabilities, or values of a decision function.
    units : Resamples, optional
        The same rows with groups in place of cases.
    failures : tuple of Failure
        Rows that were left out since the classifier failed.
    """

    resamples: Resamples
    labels: np.ndarray | None = None
    scores: np.ndarray | None = None
    units: Resamples | None = None
    failures: tuple[Failure, ...] = ()

    def of(self, metric: Metric) -> np.ndarray:
        """Return what a metric reads: class numbers, shape (T,), or scores, shape (T, K)."""
        if metric.needs_probabilities:
            if self.scores is None:
                raise UsageError(
                    f"{metric.id} needs probabilities, and labels alone were predicted",
                    f"fit again with scoring={metric.id!r}, or take a metric of labels",
                )
            return self.scores
        if self.labels is None:
            raise UsageError(
                f"{metric.id} needs labels, and probabilities alone were predicted", "fit again with errorest.resample"
            )
        return self.labels.astype(np.int64)  # small integers would overflow in class * K + label

    @cached_property
    def sizes(self) -> np.ndarray:
        """Cases that each row trains on, repeats counted; int array, shape (R,)."""
        blocks = self.resamples.blocks()
        return np.concatenate([self.resamples.training_counts(*b).sum(axis=1) for b in blocks]).astype(np.int64)

    @cached_property
    def held_out(self) -> np.ndarray:
        """Whether each test is of a case that its row does not train on; bool array, shape (T,)."""
        r, parts = self.resamples, []
        for first, last in r.blocks():
            row = repeat_each(np.arange(last - first), np.diff(r.start[first : last + 1]))
            parts.append(r.training_counts(first, last)[row, r.cases[r.start[first] : r.start[last]]] == 0)
        return np.concatenate(parts)
