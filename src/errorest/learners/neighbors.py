"""k nearest neighbours: any k, any number of attributes, training multiplicities.

One sort of a sample's distances serves every row of its resamples; a row skips the cases that it does not hold.
Distances are rounded before they are compared, so that rounding errors of their sums break no ties.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, sqrt
from typing import ClassVar, Literal

import numpy as np

from errorest.compiled import inner, kernel
from errorest.counting import count_each
from errorest.data.sample import Attribute, Sample, SampleStack
from errorest.errors import UsageError
from errorest.learners.base import NO_FOLDS, Fitted, ProbabilityLearner, StackLearner, check_numeric, check_values
from errorest.resampling.multisets import Resamples, training_row

Metric = Literal["euclidean", "hamming", "mixed"]
VoteTies = Literal["nearest", "lowest-class"]
Standardize = Literal["none", "training"]

DISTANCE_BITS = 40
"""Squared distances are rounded to this many binary digits after the first; equal ones are ties.

That is a relative tolerance of about 1e-12.  Rounding, unlike a comparison with a tolerance,
does not depend on which other cases are there.
"""

# a double has 52 binary digits after the first
_DROPPED_BITS = 52 - DISTANCE_BITS

# Memory of a block of distances
_BLOCK_BYTES = 1 << 25


def order_of(keys: np.ndarray) -> np.ndarray:
    """List the columns of each row of rounded distances by distance, equal ones by their number."""
    places = (keys.shape[1] - 1).bit_length()
    if places > _DROPPED_BITS:
        return np.argsort(keys, axis=1, kind="stable")
    # rounding left so many bits free that a column's number fits in beside its distance: numbers sort much faster
    packed = keys << places
    packed += np.arange(keys.shape[1])
    packed.sort(axis=1)
    packed &= (1 << places) - 1
    return packed


@inner
def round_distances(squared, keys):  # type: ignore[no-untyped-def]
    """Replace doubles, read as integers, by their leading bits; both orders are the same for numbers >= 0."""
    bits = squared.view(np.int64)
    # half of the last digit that stays is added, so that the shift rounds to nearest
    for i in range(bits.shape[0]):
        keys[i] = (bits[i] + (1 << (_DROPPED_BITS - 1))) >> _DROPPED_BITS


@inner
def vote(classes, k, votes, lowest_class):  # type: ignore[no-untyped-def]
    """Return the most frequent of the first k classes; ``votes`` comes and goes as zeros."""
    most = 0
    for p in range(k):
        votes[classes[p]] += 1
        most = max(most, votes[classes[p]])
    winner = votes.shape[0]
    # the nearest case of a most frequent class comes first
    for p in range(k):
        c = classes[p]
        # among the most frequent classes the first in order of distance wins, or the lowest number
        if votes[c] == most and (winner == votes.shape[0] or (lowest_class and c < winner)):
            winner = c
    for p in range(k):
        votes[classes[p]] = 0
    return winner


@inner
def share(classes, k, shares):  # type: ignore[no-untyped-def]
    """Write the share of each class among the first k classes."""
    for c in range(shares.shape[0]):
        shares[c] = 0.0
    for p in range(k):
        shares[classes[p]] += 1.0
    for c in range(shares.shape[0]):
        # the k-NN estimate of P(class | x): the share of the class among the k nearest
        shares[c] /= k


@inner
def nearest_classes(keys, y, counts, k, near, classes):  # type: ignore[no-untyped-def]
    """Write the classes of the k nearest cases in order; ties of ``keys`` go by row order."""
    covered = 0
    for i in range(y.shape[0]):
        if counts[i] == 0 or (covered == k and keys[i] >= near[k - 1]):
            continue
        # each copy of a case in a training multiset counts as one neighbour
        for _ in range(min(counts[i], k)):
            if covered == k and keys[i] >= near[k - 1]:
                break
            p = covered if covered < k else k - 1
            # insertion into the k nearest so far; a case at an equal distance stays behind those before it
            while p > 0 and near[p - 1] > keys[i]:
                near[p] = near[p - 1]
                classes[p] = classes[p - 1]
                p -= 1
            near[p] = keys[i]
            classes[p] = y[i]
            covered = min(covered + 1, k)


@inner
def distances(case, columns, differs, squared):  # type: ignore[no-untyped-def]
    """Write the squared distances of a case from all cases, which are columns, shape (d, n)."""
    # squared Euclidean distances: the root does not change the order
    squared[:] = 0.0
    a = 0
    while a < columns.shape[0]:
        if differs[a]:
            column = columns[a]
            for j in range(squared.shape[0]):
                squared[j] += 1.0 if case[a] != column[j] else 0.0
            a += 1
        elif a + 3 < columns.shape[0] and not (differs[a + 1] or differs[a + 2] or differs[a + 3]):
            # four attributes at once, added one after another: fewer loads and stores, the same sum
            first, second, third, fourth = columns[a], columns[a + 1], columns[a + 2], columns[a + 3]
            p, q, r, s = case[a], case[a + 1], case[a + 2], case[a + 3]
            for j in range(squared.shape[0]):
                total = squared[j] + (p - first[j]) * (p - first[j])
                total += (q - second[j]) * (q - second[j])
                total += (r - third[j]) * (r - third[j])
                squared[j] = total + (s - fourth[j]) * (s - fourth[j])
            a += 4
        else:
            column = columns[a]
            p = case[a]
            for j in range(squared.shape[0]):
                squared[j] += (p - column[j]) * (p - column[j])
            a += 1


@inner
def _standardize(X, counts, differs, columns, mean, deviation):  # type: ignore[no-untyped-def]
    """Write mean and deviation (divisor: n; 1 for a constant) of a training multiset, and all cases scaled by them."""
    for a in range(X.shape[1]):
        mean[a], deviation[a] = 0.0, 1.0
        if not differs[a]:
            size, total, squares, least, largest = 0, 0.0, 0.0, inf, -inf
            # copies are added one after another, so that counts and repeated cases give the same bits
            for i in range(X.shape[0]):
                for _ in range(counts[i]):
                    total += X[i, a]
                    least = min(least, X[i, a])
                    largest = max(largest, X[i, a])
                    size += 1
            # two passes: the mean, then the squared deviations from it, which lose no digits to a large mean
            centre = total / size
            for i in range(X.shape[0]):
                for _ in range(counts[i]):
                    squares += (X[i, a] - centre) * (X[i, a] - centre)
            mean[a] = centre
            if least < largest and squares > 0.0:
                deviation[a] = sqrt(squares / size)
        for i in range(X.shape[0]):
            # tested cases are scaled by the training set's mean and deviation: none of theirs is used
            columns[a, i] = (X[i, a] - mean[a]) / deviation[a]


@inner
def _nearest(bits):  # type: ignore[no-untyped-def]
    """Return the first position whose number, rounded, is least; ``bits`` are doubles read as integers."""
    least = bits[0]
    for j in range(bits.shape[0]):
        least = min(least, bits[j])
    # bits of doubles >= 0 are ordered as the numbers, so that rounding is an addition and a shift
    half = 1 << (_DROPPED_BITS - 1)
    # the first number that rounds to more than the least one does
    end = ((((least + half) >> _DROPPED_BITS) + 1) << _DROPPED_BITS) - half
    for j in range(bits.shape[0]):
        if bits[j] < end:
            return j
    return 0


@kernel
def keys_of(X, block, differs):  # type: ignore[no-untyped-def]
    """Return the rounded distances of the cases of a block from every case."""
    columns = np.ascontiguousarray(X.T)
    keys = np.empty((block.shape[0], X.shape[0]), dtype=np.int64)
    squared = np.empty(X.shape[0])
    for b in range(block.shape[0]):
        distances(X[block[b]], columns, differs, squared)
        round_distances(squared, keys[b])
    return keys


@kernel
def answer_rows(  # type: ignore[no-untyped-def]
    X, keys, order, place, y, k, differs, standardized, lowest_class, compact, start, cases, labels, probabilities
):
    """Write labels or probabilities of a block's tests in every row; return a row with fewer than k cases, or -1.

    Where attributes are standardised in every training set, the one row of ``keys`` is written for each test.
    """
    n, d = X.shape
    counts = np.empty(n, dtype=np.int32)
    columns, mean, deviation = np.empty((d if standardized else 0, n)), np.empty(d), np.empty(d)
    case, squared = np.empty(d), np.empty(n)
    near = np.empty(k, dtype=np.int64)
    classes = np.empty(k, dtype=np.int64)
    votes = np.zeros(probabilities.shape[1], dtype=np.int64)
    for r in range(start.shape[0] - 1):
        if start[r] == start[r + 1]:
            continue
        training_row(compact, r, counts)
        size = counts.sum()
        if size < k:
            return r, size
        if standardized:
            _standardize(X, counts, differs, columns, mean, deviation)
        for t in range(start[r], start[r + 1]):
            b = place[cases[t]]
            if b < 0:
                continue
            if standardized:
                case[:] = columns[:, cases[t]]
                distances(case, columns, differs, squared)
                round_distances(squared, keys[b])
            if order.shape[0] == 0:
                nearest_classes(keys[b], y, counts, k, near, classes)
            else:
                covered = 0
                at = 0
                while covered < k:
                    j = order[b, at]
                    for _ in range(min(counts[j], k - covered)):
                        classes[covered] = y[j]
                        covered += 1
                    at += 1
            if probabilities.shape[0] > 0:
                share(classes, k, probabilities[t])
            else:
                labels[t] = classes[0] if k == 1 else vote(classes, k, votes, lowest_class)
    return -1, 0


@kernel
def answer_samples(X, y, k, differs, standardized, lowest_class, tested, folds, labels, probabilities):  # type: ignore[no-untyped-def]
    """Label cases by each sample of a stack, or with ``folds`` its own; return the least training size.

    Where ``probabilities``, shape (S, 0 or m, K), has rows these are written in place of labels.
    """
    samples, n, d = X.shape
    cross = folds.shape[0] > 0
    columns, mean, deviation, point = np.empty((d, n)), np.zeros(d), np.ones(d), np.empty(d)
    counts = np.ones(n, dtype=np.int32)
    squared, keys = np.empty(n), np.empty(n, dtype=np.int64)
    bits = squared.view(np.int64)
    near = np.empty(k, dtype=np.int64)
    classes = np.empty(k, dtype=np.int64)
    votes = np.zeros(probabilities.shape[2], dtype=np.int64)
    smallest = n
    for s in range(samples):
        cases = X[s] if cross else tested[s if tested.shape[0] > 1 else 0]
        for a in range(d):
            columns[a] = X[s, :, a]
        for i in range(cases.shape[0]):
            size = n
            if cross:
                for j in range(n):
                    counts[j] = folds[s, j] != folds[s, i]
                size = counts.sum()
                smallest = min(smallest, size)
            if size < k:
                continue
            point[:] = cases[i]
            if standardized:
                if cross or i == 0:
                    _standardize(X[s], counts, differs, columns, mean, deviation)
                for a in range(d):
                    point[a] = (point[a] - mean[a]) / deviation[a]
            distances(point, columns, differs, squared)
            if k == 1 and probabilities.shape[1] == 0:  # without rounding all distances: twice as fast
                for j in range(n):
                    if counts[j] == 0:
                        squared[j] = np.inf
                labels[s, i] = y[s, _nearest(bits)]
                continue
            round_distances(squared, keys)
            nearest_classes(keys, y[s], counts, k, near, classes)
            if probabilities.shape[1] > 0:
                share(classes, k, probabilities[s, i])
            else:
                labels[s, i] = vote(classes, k, votes, lowest_class)
    return smallest


@dataclass(frozen=True, eq=False)
class NeighborsClassifier(Fitted):
    """A training list that labels by its nearest cases; made by :meth:`KNN.fit`."""

    sample: Sample
    rule: KNN

    takes_missing = False

    @property
    def _who(self) -> str:
        return self.rule.id

    @property
    def _size(self) -> tuple[int, int]:
        return self.sample.d, self.sample.n_classes

    def _answer(self, values: np.ndarray, labels: np.ndarray, probabilities: np.ndarray) -> None:
        s = self.sample
        training = np.ascontiguousarray(s.X)[None], s.y[None], *self.rule.checked_settings(s.X, s.attributes)
        answer_samples(*training, values[None], NO_FOLDS, labels[None], probabilities[None])


@dataclass(frozen=True, eq=False)
class KNN(ProbabilityLearner, StackLearner):
    """Label by the most frequent class among the k nearest training cases.

    Cases at the same distance (:data:`DISTANCE_BITS`) come in the order of the training
    list, its repeats one after another.

    The name ``"knn"``, where :func:`~errorest.estimate` and its like take a model, means
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
        self.checked_settings(sample.X, sample.attributes)
        self._check_size(sample.n)
        return NeighborsClassifier(sample, self)

    def checked_settings(self, X: np.ndarray, attributes: tuple[Attribute, ...]) -> tuple[int, np.ndarray, bool, bool]:
        """Check training values; return the settings with, of each attribute, whether it counts 1 if it differs."""
        check_values(X, attributes, self.id)
        if self.metric == "euclidean":
            check_numeric(attributes, self.id, "distance", "choose metric='hamming' or metric='mixed'")
        differs = np.array([a.kind == "nominal" or self.metric == "hamming" for a in attributes], dtype=np.bool_)
        return self.k, differs, self.standardize == "training", self.ties == "lowest-class"

    def _answer(self, sample: Sample, resamples: Resamples, labels: np.ndarray, probabilities: np.ndarray) -> int:
        how = self.checked_settings(sample.X, sample.attributes)
        rows = (resamples.compact, resamples.start, resamples.cases, labels, probabilities)
        for block in _blocks(sample.X, how[1], resamples, how[2]):
            row, size = answer_rows(sample.X, *block, sample.y, *how, *rows)
            if row >= 0:
                raise UsageError(
                    f"{self.id} was given a training set of {size} case(s) in row {row} of the resamples (replicate "
                    f"{resamples.replicate[row]}, fold {resamples.fold[row]}); expected at least k = {self.k} in "
                    "each row; choose a smaller k, or resamples with larger training sets"
                )
        return -1

    def _label_samples(self, stack: SampleStack, tested: np.ndarray, folds: np.ndarray, labels: np.ndarray) -> int:
        training = (
            np.ascontiguousarray(stack.X),
            np.ascontiguousarray(stack.y),
            *self.checked_settings(stack.X, stack.attributes),
        )
        none = np.empty((stack.n_samples, 0, stack.n_classes))
        self._check_size(stack.n)
        self._check_size(answer_samples(*training, tested, folds, labels, none))
        return -1

    def _check_size(self, size: int) -> None:
        if size < self.k:
            raise UsageError(
                f"{self.id} was given a training set of {size} case(s); expected at least k = {self.k}; "
                "choose a smaller k or a larger sample"
            )


def _blocks(
    X: np.ndarray, differs: np.ndarray, resamples: Resamples, standardized: bool
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield the distances of a block of tested cases, their order, and the place of each case in the block."""
    n = X.shape[0]
    unsorted = np.empty((0, 0), dtype=np.int64)
    if standardized:
        yield np.empty((1, n), dtype=np.int64), unsorted, np.zeros(n, dtype=np.int64)
        return
    tested = np.nonzero(count_each(resamples.cases, minlength=n))[0]
    step = max(1, _BLOCK_BYTES // (8 * n))
    # sorting pays where a case's neighbours are asked for more than once or twice
    sort = resamples.cases.shape[0] > 2 * tested.shape[0]
    for first in range(0, tested.shape[0], step):
        block = tested[first : first + step]
        keys = keys_of(X, block, differs)
        place = np.full(n, -1, dtype=np.int64)
        place[block] = np.arange(block.shape[0])
        yield keys, order_of(keys) if sort else unsorted, place
