"""What every batch returns, and what kernels share: counts, priors and means of classes, and how a label is decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf, log
from typing import Any, NamedTuple, Protocol

import numpy as np

from errorest.compiled import inner
from errorest.learners.base import normalize
from errorest.learners.equals.steps import Steps, transform_rows
from errorest.resampling.multisets import Compact, Resamples, training_row

MARGIN = 1e-9
"""A label is doubtful if the two best scores differ by less than this share of the best (at least of 1).

Sums of some hundred terms in another order differ by 1e-14 of their size.
"""
LARGE = 1e4
"""Size of scores of which 1e-14 would move a probability by 1e-10."""


# Memory of transformed tables
_BLOCK_BYTES = 1 << 25


class BatchAnswers(NamedTuple):
    """Class numbers, shape (T,), probabilities, shape (T, K) or None, and what scikit-learn itself must answer.

    ``doubtful``, bool of shape (T,), marks tests that rounding might decide; ``left``, bool of shape (R,), rows that
    the kernel does not fit: a singular matrix, a warning, an error.
    """

    labels: np.ndarray
    probabilities: np.ndarray | None
    doubtful: np.ndarray
    left: np.ndarray


class Batch(Protocol):
    """A classifier with settings on the rows of X, compiled."""

    @property
    def rounding(self) -> float:
        """Share of a probability by which rounding moves it at most; 0 of shares of whole numbers."""

    def answer(self, y: np.ndarray, n_classes: int, resamples: Resamples, scores: bool) -> BatchAnswers:
        """Fit on every row of resamples and answer its tests; y are class numbers in the order of sorted labels."""


@dataclass(frozen=True, eq=False)
class CompiledBatch:
    """A kernel with its rule on the cases of X, shape (n, d), which steps transform for every row."""

    kernel: Callable[..., None]
    rule: tuple[Any, ...]
    X: np.ndarray
    steps: Steps
    rounding: float

    def answer(self, y: np.ndarray, n_classes: int, resamples: Resamples, scores: bool) -> BatchAnswers:
        """Fit on every row and answer its tests."""
        tests = resamples.cases.shape[0]
        labels, doubtful = np.zeros(tests, dtype=np.int64), np.zeros(tests, dtype=np.bool_)
        probabilities = np.zeros((tests if scores else 0, n_classes))
        left = np.zeros(resamples.n_rows, dtype=np.bool_)
        n, form, *others = resamples.compact
        compact = Compact(n, _plain(form, np.int8), *(_plain(part, np.int32) for part in others))
        start, cases, codes = (_plain(a, np.int64) for a in (resamples.start, resamples.cases, y))
        # all rows at once share one table; transformed tables are made for as many as memory allows
        step = max(1, _BLOCK_BYTES // (8 * self.X.size)) if self.steps.kind.size else resamples.n_rows
        tables = self.X[None]
        for first in range(0, resamples.n_rows, max(step, 1)):
            last = min(first + step, resamples.n_rows)
            if self.steps.kind.size:
                tables = np.empty((last - first, n, self.steps.width))
                transform_rows(self.X, self.steps, compact, first, start, tables, left)
            rows = (compact, first, last, start, cases)
            self.kernel(tables, codes, *rows, self.rule, labels, probabilities, doubtful, left)
        return BatchAnswers(labels, probabilities if scores else None, doubtful, left)


def _plain(values: np.ndarray, dtype: type) -> np.ndarray:
    """Return an array of one type that can be written to, since a kernel is compiled for each kind of array."""
    return np.require(values, dtype, ["C", "W"])


@dataclass(frozen=True, eq=False)
class ConstantBatch:
    """DummyClassifier: the class shares of each training set, or its most frequent class."""

    most_frequent: bool
    rounding: float = 0.0

    def answer(self, y: np.ndarray, n_classes: int, resamples: Resamples, scores: bool) -> BatchAnswers:
        """Count the classes of every training set."""
        of_class = np.eye(n_classes, dtype=np.int64)[y]
        counts = np.concatenate([resamples.training_counts(*block) @ of_class for block in resamples.blocks()])
        label = counts.argmax(axis=1)  # the lowest class of equally frequent ones
        sizes = counts.sum(axis=1)
        row = resamples.row_of_test()
        shares = None
        if scores:
            certain = np.eye(n_classes)[label]
            shares = (certain if self.most_frequent else counts / np.maximum(sizes, 1)[:, None])[row]
        return BatchAnswers(label[row], shares, np.zeros(row.shape[0], dtype=np.bool_), sizes == 0)


@inner
def decide(scores, margin, t, labels, probabilities, doubtful):  # type: ignore[no-untyped-def]
    """Write the label of log posteriors up to a constant, -inf for a class that is absent; they are overwritten."""
    best = 0
    for c in range(1, scores.shape[0]):
        if scores[c] > scores[best]:
            best = c
    second = -inf
    for c in range(scores.shape[0]):
        if c != best:
            second = max(second, scores[c])
    labels[t] = best
    # false for NaN, so that it is doubtful
    doubtful[t] = not scores[best] - second > margin * max(1.0, abs(scores[best]))
    if probabilities.shape[0] > 0:
        # d p = p (1 - p) d score, and p (1 - p) is at most the second odds
        doubtful[t] = doubtful[t] or exp(second - scores[best]) * abs(scores[best]) > LARGE
        # log posteriors up to a constant: exponentials over their sum
        normalize(scores, scores[best])
        for c in range(scores.shape[0]):
            probabilities[t, c] = scores[c]


@inner
def count_classes(y, weights, counts):  # type: ignore[no-untyped-def]
    """Count the training cases of each class; return their number."""
    m = 0
    for c in range(counts.shape[0]):
        counts[c] = 0
    for i in range(y.shape[0]):
        counts[y[i]] += weights[i]
        m += weights[i]
    return m


@inner
def prepare_row(compact, r, y, priors, fit_prior, weights, counts, log_prior):  # type: ignore[no-untyped-def]
    """Write the training counts of a row by case and by class, and log priors, -inf for an absent class.

    Returns the number of training cases, or 0 where given priors meet an absent class.
    """
    training_row(compact, r, weights)
    m = count_classes(y, weights, counts)
    present = 0
    for c in range(counts.shape[0]):
        present += counts[c] > 0
    if priors.shape[0] > 0 and present < counts.shape[0]:
        return 0
    for c in range(counts.shape[0]):
        log_prior[c] = -inf
        if priors.shape[0] > 0:
            log_prior[c] = log(priors[c])
        elif counts[c] > 0:
            log_prior[c] = log(counts[c] / m) if fit_prior else -log(present)
    return m


@inner
def class_means(Z, y, weights, counts, mean):  # type: ignore[no-untyped-def]
    """Write the class means of a weighted training set."""
    mean[:] = 0.0
    for i in range(y.shape[0]):
        if weights[i] > 0:
            for a in range(mean.shape[1]):
                mean[y[i], a] += weights[i] * Z[i, a]
    for c in range(counts.shape[0]):
        for a in range(mean.shape[1]):
            mean[c, a] /= max(counts[c], 1)
