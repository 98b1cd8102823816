"""k nearest neighbours: any k, any number of attributes, training multiplicities.

One sort of a sample's distances serves every row of its resamples; a row skips the cases that it does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import ClassVar, Literal

import numba as nb
import numpy as np

from errorest.data.sample import Attribute, Sample
from errorest.data.stacks import SampleStack
from errorest.errors import UsageError
from errorest.inducers.answers import RowLearner, StackLearner
from errorest.inducers.base import IntervalClassifier
from errorest.inducers.inputs import cases_to_label, check_numeric, check_values
from errorest.inducers.near_cases import (
    answer_rows,
    answer_standardized_rows,
    keys_of,
    label_samples,
    order_of,
    shares_of_cases,
)
from errorest.resampling.draw import Resamples

Metric = Literal["euclidean", "hamming", "mixed"]
VoteTies = Literal["nearest", "lowest-class"]
Standardize = Literal["none", "training"]

_BLOCK_BYTES = 1 << 25


@dataclass(frozen=True, eq=False)
class NeighborsClassifier:
    """A training list that labels by its nearest cases; made by :meth:`KNN.fit`."""

    sample: Sample
    rule: KNN

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases."""
        values = cases_to_label(X, self.sample.d, self.rule.id)
        s = self.sample
        stack = SampleStack(np.ascontiguousarray(s.X)[None], s.y[None], s.attributes, s.classes)
        return self.rule.predict_stack(stack, values)[0]

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Return the share of each class among the k nearest cases; shape (m, K)."""
        values = cases_to_label(X, self.sample.d, self.rule.id)
        s, rule = self.sample, self.rule
        how = (rule.k, _differs(s.X, s.attributes, rule), rule.standardize == "training")
        return shares_of_cases(values, s.X, s.y, s.n_classes, *how)

    @cached_property
    def intervals(self) -> IntervalClassifier:
        """The same classifier as cut-points; for one attribute only."""
        return interval_classifier(self.sample, self.rule.k, ties=self.rule.ties)


@dataclass(frozen=True, eq=False)
class KNN(RowLearner, StackLearner):
    """Label by the most frequent class among the k nearest training cases.

    Cases at the same distance (:data:`DISTANCE_BITS`) come in the order of the training
    list, its repeats one after another.

    The name ``"knn"``, where :func:`~errorest.estimate` and its like take a model, stands for
    ``KNN(5, standardize="training")``, which is scikit-learn's default behind a ``StandardScaler``;
    the defaults here are those of the papers.

    Parameters
    ----------
    k : int
        Number of neighbours, at least 1.
    ties : {"nearest", "lowest-class"}
        Which of several most frequent classes is taken: that of the nearest of their cases,
        or the lowest class number.  With two classes and odd k there is no such tie.
    metric : {"euclidean", "hamming", "mixed"}
        ``hamming`` counts the attributes that differ and takes attributes of any kind;
        ``mixed`` is the root of the sum of squared differences, a nominal attribute that
        differs counting 1.
    standardize : {"none", "training"}
        ``training``: subtract from every number its mean in the training set and divide by its standard
        deviation there (divisor: all its cases; 1 for a constant), so that units do not matter.

    Raises
    ------
    UsageError
        If a setting is unknown; in fitting, if a value is missing, a nominal attribute
        meets the Euclidean metric, or a training set has fewer than k cases.

    References
    ----------
    Martin & Hirschberg (1996), section 5.

    Examples
    --------
    >>> from errorest.resampling.draw import leave_one_out
    >>> s = Sample.from_arrays([0.0, 1.0, 4.0, 5.0], ["a", "a", "b", "b"])
    >>> KNN(k=3).id, KNN(k=3).predict_resamples(s, leave_one_out(4)).tolist()
    ('knn(k=3)', [1, 1, 0, 0])
    """

    name = "knn"
    requirements: ClassVar = {
        "k": (lambda k: isinstance(k, int | np.integer) and bool(k >= 1), "a whole number from 1")
    }

    k: int = 1
    ties: VoteTies = "nearest"
    metric: Metric = "euclidean"
    standardize: Standardize = "none"

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> NeighborsClassifier:
        """Keep the sample as a training list."""
        _differs(sample.X, sample.attributes, self)
        self._check_size(sample.n)
        return NeighborsClassifier(sample, self)

    def _answer(self, sample: Sample, resamples: Resamples, labels: np.ndarray, probabilities: np.ndarray) -> None:
        differs, lowest = _differs(sample.X, sample.attributes, self), self.ties == "lowest-class"
        where = (lowest, resamples.compact, resamples.start, resamples.cases, labels, probabilities)
        if self.standardize == "training":
            results = [answer_standardized_rows(sample.X, sample.y, self.k, differs, *where)]
        else:
            results = [answer_rows(*b, sample.y, self.k, *where) for b in _blocks(sample.X, differs, resamples)]
        for row, size in results:
            if row >= 0:
                raise UsageError(
                    f"{self.id} meets a training set of {size} case(s) in row {row} of the resamples (replicate "
                    f"{resamples.replicate[row]}, fold {resamples.fold[row]}); expected at least k = {self.k} in "
                    "each row; choose a smaller k, or resamples with larger training sets"
                )

    def _label_samples(self, stack: SampleStack, tested: np.ndarray, folds: np.ndarray) -> np.ndarray:
        differs = _differs(stack.X, stack.attributes, self)
        self._check_size(stack.n)
        tested = cases_to_label(tested, stack.X.shape[2], self.id, stacked=True)
        X, y = np.ascontiguousarray(stack.X), np.ascontiguousarray(stack.y)
        rule = (self.k, differs, self.standardize == "training", self.ties == "lowest-class")
        labels, size = label_samples(X, y, stack.n_classes, *rule, tested, folds)
        self._check_size(size)
        return np.asarray(labels)

    def _check_size(self, size: int) -> None:
        if size < self.k:
            raise UsageError(
                f"{self.id} was given a training set of {size} case(s); expected at least k = {self.k}; "
                "choose a smaller k or a larger sample"
            )


def _differs(X: np.ndarray, attributes: tuple[Attribute, ...], rule: KNN) -> np.ndarray:
    """Check training values, and say of each attribute whether it counts 1 if it differs at all."""
    check_values(X, attributes, rule.id)
    if rule.metric == "euclidean":
        check_numeric(attributes, rule.id, "distance", "choose metric='hamming' or metric='mixed'")
    nominal = np.array([a.kind == "nominal" for a in attributes], dtype=np.bool_)
    return np.ones_like(nominal) if rule.metric == "hamming" else nominal


def _blocks(
    X: np.ndarray, differs: np.ndarray, resamples: Resamples
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield the distances of a block of tested cases, their order, and where a case stands in the block."""
    n = X.shape[0]
    tested = np.nonzero(np.bincount(resamples.cases, minlength=n))[0]
    step = max(1, _BLOCK_BYTES // (8 * n))
    # sorting pays where a case's neighbours are asked for more than once or twice
    sort = resamples.cases.shape[0] > 2 * tested.shape[0]
    for first in range(0, tested.shape[0], step):
        block = tested[first : first + step]
        keys = keys_of(X, block, differs)
        order = order_of(keys) if sort else np.empty((0, 0), dtype=np.int64)
        place = np.full(n, -1, dtype=np.int64)
        place[block] = np.arange(block.shape[0])
        yield keys, order, place


@nb.njit(cache=True)
def _intervals(x, y, n_classes, k, lowest_class):  # type: ignore[no-untyped-def]
    """Return (cuts, labels) of a training list sorted by value, then by row.

    Between the cut-points (x[j - 1] + x[j + k - 1]) / 2 and (x[j] + x[j + k]) / 2 the k
    nearest cases are j to j + k - 1.  Where their vote ties, the class changes within.
    """
    n = x.shape[0]
    cuts = np.empty(n * k + 1)
    labels = np.empty(n * k + 1, dtype=np.int64)
    at = 0
    votes = np.zeros(n_classes, dtype=np.int64)
    covered = np.empty(k, dtype=np.int64)
    for j in range(n - k + 1):
        end = (x[j] + x[j + k]) / 2.0 if j + k < n else inf
        begin = (x[j - 1] + x[j + k - 1]) / 2.0 if j > 0 else -inf
        if not begin < end:
            continue
        for p in range(k):
            covered[p] = j + p
        # equal values at the left edge: the first rows are the neighbours, wherever the window begins
        head = j
        while head > 0 and x[head - 1] == x[j]:
            head -= 1
        p = 0
        while head < j and p < k and x[j + p] == x[j]:
            covered[p] = head + p
            p += 1
        for p in range(k):
            votes[y[covered[p]]] += 1
        most = votes.max()
        tied = (votes == most).sum()
        lowest = np.argmax(votes)
        before = -1
        for p in range(k):
            c = y[covered[p]]
            if votes[c] < most or (before >= 0 and x[covered[p]] == x[before]):
                continue
            cut = begin if before < 0 else (x[before] + x[covered[p]]) / 2.0
            before = covered[p]
            cut = max(cut, begin)
            label = lowest if lowest_class else c
            if cut >= end:
                break
            # a later member that is nearest from the very beginning replaces the earlier ones
            if at > 0 and cuts[at - 1] == cut:
                at -= 1
            if at == 0 or labels[at - 1] != label:
                cuts[at] = cut
                labels[at] = label
                at += 1
            if tied == 1 or lowest_class:
                break
        votes[:] = 0
    return cuts[1:at].copy(), labels[:at].copy()


def interval_classifier(sample: Sample, k: int, *, ties: VoteTies = "nearest") -> IntervalClassifier:
    """Make the k-nearest-neighbour classifier of one attribute as cut-points (Martin & Hirschberg, 1996, section 5)."""
    if sample.d != 1:
        raise UsageError(
            f"interval_classifier was given {sample.d} attributes; expected one; use KNN, or choose one attribute"
        )
    rule = KNN(k, ties)
    rule.fit(sample)
    row = np.argsort(sample.X[:, 0], kind="stable")
    x, y = sample.X[row, 0], sample.y[row]
    cuts, labels = _intervals(x, y, sample.n_classes, k, ties == "lowest-class")
    return IntervalClassifier(tuple(cuts.tolist()), tuple(labels.tolist()))
