"""k nearest neighbours: any k, any number of attributes, training multiplicities.

A case that stands c times in a training set is c neighbours.  The order of neighbours
is a property of pairs of cases, so one sort of a sample's distances serves every row of
its resamples; a row only skips the cases that it does not hold.  For one attribute,
:func:`interval_classifier` gives the same classifier as cut-points (Martin & Hirschberg
1996, section 5), from which a true error can be computed exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Literal

import numba as nb
import numpy as np

from errorest.data.sample import Attribute, Sample
from errorest.data.stacks import SampleStack
from errorest.errors import UsageError
from errorest.inducers.base import IntervalClassifier
from errorest.inducers.inputs import cases_to_label, check_numeric, check_values
from errorest.inducers.near_cases import (
    DISTANCE_BITS,
    nearest_classes,
    order_of,
    round_distances,
    share,
    share_rows,
    squared_distance,
    vote,
)
from errorest.inducers.neighbor_stacks import cross_validate_samples, distances, predict_samples
from errorest.resampling.draw import Resamples, training_row
from errorest.spec import Spec

__all__ = ["DISTANCE_BITS", "KNN", "NeighborsClassifier", "interval_classifier"]

Metric = Literal["euclidean", "hamming", "mixed"]
VoteTies = Literal["nearest", "lowest-class"]

_BLOCK_BYTES = 1 << 25


@nb.njit(cache=True)
def _keys_of(X, block, differs):  # type: ignore[no-untyped-def]
    """Return the rounded distances of the cases of a block from every case."""
    columns = np.ascontiguousarray(X.T)
    keys = np.empty((block.shape[0], X.shape[0]), dtype=np.int64)
    squared = np.empty(X.shape[0])
    for b in range(block.shape[0]):
        distances(X[block[b]], columns, differs, squared)
        round_distances(squared, keys[b])
    return keys


@nb.njit(cache=True)
def _predict_rows(  # type: ignore[no-untyped-def]
    keys, order, place, y, n_classes, k, lowest_class, compact, start, cases, labels
):
    """Label the tested cases of a block in every row; ``place`` says where a case stands in it, or -1.

    ``order`` lists all cases by distance; where it has no row, a test searches ``keys``
    itself.  Returns the first row that holds fewer than k cases, and their number; else -1.
    """
    counts = np.empty(compact.n, dtype=np.int32)
    near = np.empty(k, dtype=np.int64)
    classes = np.empty(k, dtype=np.int64)
    votes = np.zeros(n_classes, dtype=np.int64)
    for r in range(start.shape[0] - 1):
        if start[r] == start[r + 1]:
            continue
        training_row(compact, r, counts)
        size = counts.sum()
        if size < k:
            return r, size
        for t in range(start[r], start[r + 1]):
            b = place[cases[t]]
            if b < 0:
                continue
            if order.shape[0] == 0:
                nearest_classes(keys[b], y, counts, k, near, classes)
                labels[t] = vote(classes, k, votes, lowest_class)
                continue
            held = 0
            at = 0
            while held < k:
                j = order[b, at]
                for _ in range(min(counts[j], k - held)):
                    classes[held] = y[j]
                    held += 1
                at += 1
            labels[t] = classes[0] if k == 1 else vote(classes, k, votes, lowest_class)
    return -1, 0


@nb.njit(cache=True)
def _share_cases(A, X, y, n_classes, k, differs):  # type: ignore[no-untyped-def]
    """Return the share of each class among the neighbours of the rows of A."""
    n = y.shape[0]
    said = np.zeros((A.shape[0], n_classes))
    counts = np.ones(n, dtype=np.int32)
    squared = np.empty(n)
    keys = np.empty(n, dtype=np.int64)
    near = np.empty(k, dtype=np.int64)
    classes = np.empty(k, dtype=np.int64)
    for i in range(A.shape[0]):
        for j in range(n):
            squared[j] = squared_distance(A, i, X, j, differs)
        round_distances(squared, keys)
        nearest_classes(keys, y, counts, k, near, classes)
        share(classes, k, said[i])
    return said


@dataclass(frozen=True, eq=False)
class NeighborsClassifier:
    """A training list that labels by its nearest cases; made by :meth:`KNN.fit`.

    Parameters
    ----------
    sample : Sample
        The training list.
    rule : KNN
    """

    sample: Sample
    rule: KNN

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases."""
        values = cases_to_label(X, self.sample.d, self.rule.id)
        s, rule = self.sample, self.rule
        differs = _differs(s.X, s.attributes, rule)
        X = np.ascontiguousarray(s.X)[None]
        ties = rule.ties == "lowest-class"
        return predict_samples(X, s.y[None], s.n_classes, rule.k, differs, ties, values[None])[0]

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Return the share of each class among the k nearest cases; shape (m, K)."""
        values = cases_to_label(X, self.sample.d, self.rule.id)
        s, rule = self.sample, self.rule
        return _share_cases(values, s.X, s.y, s.n_classes, rule.k, _differs(s.X, s.attributes, rule))

    @cached_property
    def intervals(self) -> IntervalClassifier:
        """The same classifier as cut-points; for one attribute only."""
        return interval_classifier(self.sample, self.rule.k, ties=self.rule.ties)


@dataclass(frozen=True, eq=False)
class KNN(Spec):
    """Label by the most frequent class among the k nearest training cases.

    Cases at the same distance (:data:`DISTANCE_BITS`) come in the order of the training
    list, its repeats one after another.  Attributes are taken as they are: not scaled.

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

    Raises
    ------
    UsageError
        If a setting is unknown; from the faces, if a value is missing, a nominal attribute
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

    k: int = 1
    ties: VoteTies = "nearest"
    metric: Metric = "euclidean"

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.k, bool) or not isinstance(self.k, int | np.integer) or self.k < 1:
            raise UsageError(
                f"knn was asked for k = {self.k!r} neighbours; expected a whole number from 1; choose another k"
            )

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> NeighborsClassifier:
        """Keep the sample as a training list."""
        _differs(sample.X, sample.attributes, self)
        self._check_size(sample.n)
        return NeighborsClassifier(sample, self)

    def predict_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Label the tested cases of every row; one sort of distances serves all rows.

        Distances are held for a block of cases at a time, some 64 MB of them.
        """
        labels = np.empty(resamples.cases.shape[0], dtype=np.int64)
        rule, where = (self.k, self.ties == "lowest-class"), (resamples.compact, resamples.start, resamples.cases)
        for block in self._blocks(sample, resamples):
            self._check_row(_predict_rows(*block, sample.y, sample.n_classes, *rule, *where, labels), resamples)
        return labels

    def predict_proba_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Tell the class shares of the k nearest cases of the tested cases of every row; shape (T, K)."""
        said = np.empty((resamples.cases.shape[0], sample.n_classes))
        where = (resamples.compact, resamples.start, resamples.cases)
        for block in self._blocks(sample, resamples):
            self._check_row(share_rows(*block, sample.y, self.k, *where, said), resamples)
        return said

    def _blocks(self, sample: Sample, resamples: Resamples) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Yield the distances of a block of tested cases, their order, and where a case stands in the block."""
        differs = _differs(sample.X, sample.attributes, self)
        tested = np.nonzero(np.bincount(resamples.cases, minlength=sample.n))[0]
        step = max(1, _BLOCK_BYTES // (8 * sample.n))
        # sorting pays where a case's neighbours are asked for more than once or twice
        sort = resamples.cases.shape[0] > 2 * tested.shape[0]
        for first in range(0, tested.shape[0], step):
            block = tested[first : first + step]
            keys = _keys_of(sample.X, block, differs)
            order = order_of(keys) if sort else np.empty((0, 0), dtype=np.int64)
            place = np.full(sample.n, -1, dtype=np.int64)
            place[block] = np.arange(block.shape[0])
            yield keys, order, place

    def _check_row(self, unfit: tuple[int, int], resamples: Resamples) -> None:
        row, size = unfit
        if row >= 0:
            raise UsageError(
                f"{self.id} meets a training set of {size} case(s) in row {row} of the resamples (replicate "
                f"{resamples.replicate[row]}, fold {resamples.fold[row]}); expected at least k = {self.k} in "
                "each row; choose a smaller k, or resamples with larger training sets"
            )

    def predict_stack(self, stack: SampleStack, X: np.ndarray) -> np.ndarray:
        """Label cases by each sample of a stack as training list.

        Parameters
        ----------
        stack : SampleStack
        X : float array, shape (m, d) or (S, m, d)
            The same cases for every sample, or each sample's own.

        Returns
        -------
        int64 array, shape (S, m)
        """
        differs = _differs(stack.X, stack.attributes, self)
        self._check_size(stack.n)
        tested = cases_to_label(X, stack.X.shape[2], self.id, stacked=True)
        return predict_samples(
            np.ascontiguousarray(stack.X),
            np.ascontiguousarray(stack.y),
            stack.n_classes,
            self.k,
            differs,
            self.ties == "lowest-class",
            tested[None] if tested.ndim == 2 else tested,
        )

    def cross_validate_stack(self, stack: SampleStack, folds: np.ndarray) -> np.ndarray:
        """Label each case of each sample from that sample's other folds; one distance matrix a sample.

        Parameters
        ----------
        stack : SampleStack
        folds : int array, shape (S, n)
            Fold of each case, from 0 on.

        Returns
        -------
        int64 array, shape (S, n)
        """
        differs = _differs(stack.X, stack.attributes, self)
        labels, size = cross_validate_samples(
            np.ascontiguousarray(stack.X),
            np.ascontiguousarray(stack.y),
            stack.n_classes,
            self.k,
            differs,
            self.ties == "lowest-class",
            np.ascontiguousarray(folds),
        )
        self._check_size(size)
        return labels

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
    held = np.empty(k, dtype=np.int64)
    for j in range(n - k + 1):
        end = (x[j] + x[j + k]) / 2.0 if j + k < n else inf
        begin = (x[j - 1] + x[j + k - 1]) / 2.0 if j > 0 else -inf
        if not begin < end:
            continue
        for p in range(k):
            held[p] = j + p
        # equal values at the left edge: the first rows are the neighbours, wherever the window begins
        head = j
        while head > 0 and x[head - 1] == x[j]:
            head -= 1
        p = 0
        while head < j and p < k and x[j + p] == x[j]:
            held[p] = head + p
            p += 1
        for p in range(k):
            votes[y[held[p]]] += 1
        most = votes.max()
        tied = (votes == most).sum()
        lowest = np.argmax(votes)
        before = -1
        for p in range(k):
            c = y[held[p]]
            if votes[c] < most or (before >= 0 and x[held[p]] == x[before]):
                continue
            cut = begin if before < 0 else (x[before] + x[held[p]]) / 2.0
            before = held[p]
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
    """Make the k-nearest-neighbour classifier of one attribute as cut-points and classes.

    The cut-points are (x_j + x_(j+k))/2 over the sorted training list, repeats standing as
    repeats; equal classes on both sides of one are merged.  Off the cut-points it predicts
    what ``KNN(k, ties)`` predicts; where ties = "nearest" has to decide, at even k or with
    three classes, midpoints of closer cases are cut-points too.

    References
    ----------
    Martin & Hirschberg (1996), section 5.
    """
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
