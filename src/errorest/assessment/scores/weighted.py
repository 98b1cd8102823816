"""A statistic of many cases where each counts so often as a bootstrap sample holds it, for many samples at once.

Counts are whole numbers and sums of them exact, so that results are those of the cases written out one by one.
"""

from __future__ import annotations

import numpy as np

from errorest.estimation.metrics.metric import Statistic
from errorest.estimation.metrics.statistics import Auc

__all__ = ["weighted_statistic"]


def weighted_statistic(
    statistic: Statistic, truth: np.ndarray, answers: np.ndarray, counts: np.ndarray, classes: int
) -> np.ndarray:
    """Return a statistic of tests that are counted so often each."""
    out = np.full(counts.shape[0], np.nan)
    some = counts.any(axis=1)
    counts = np.asarray(counts[some], dtype=np.float64)
    of_matrices = getattr(statistic, "of_matrices", None)
    if isinstance(statistic, Auc):
        out[some] = _areas(truth, answers, counts)
    elif of_matrices is not None:
        cells = np.eye(classes * classes)[truth * classes + answers]
        out[some] = of_matrices((counts @ cells).reshape(-1, classes, classes))
    else:
        whole = counts.astype(np.int64)
        out[some] = [statistic.of(np.repeat(truth, c), np.repeat(answers, c), classes) for c in whole]
    return out


def _areas(truth: np.ndarray, answers: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Count the pairs of a positive and another test that are in order, ties half."""
    order = np.argsort(answers, kind="stable")
    ranked = answers[order]
    first = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    counts, positive = counts[:, order], truth[order] == 1
    up = np.add.reduceat(counts * positive, first, axis=1)
    down = np.add.reduceat(counts * ~positive, first, axis=1)
    pairs = (up * (np.cumsum(down, axis=1) - down / 2)).sum(axis=1)
    both = up.sum(axis=1) * down.sum(axis=1)
    return np.divide(pairs, both, out=np.full(counts.shape[0], np.nan), where=both > 0)
