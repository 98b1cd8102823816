"""Distances of cases, lists of the nearest, and votes, in compiled code.

Distances are rounded before they are compared, so that equal ones are ties whatever the rounding of their sums.
"""

from __future__ import annotations

from math import inf, sqrt

import numba as nb
import numpy as np

from errorest.compiled import inner, within
from errorest.resampling.draw import training_row

DISTANCE_BITS = 40
"""Squared distances are rounded to this many binary digits after the first; equal ones are ties.

That is a relative tolerance of about 1e-12.  Rounding, unlike a comparison with a tolerance,
does not depend on which other cases are there.
"""

_DROPPED_BITS = 52 - DISTANCE_BITS
_FAR = np.iinfo(np.int64).max


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
    for i in range(bits.shape[0]):
        keys[i] = (bits[i] + (1 << (_DROPPED_BITS - 1))) >> _DROPPED_BITS


@within
def end_of_ties(bits):  # type: ignore[no-untyped-def]
    """Return the first double, read as an integer like ``bits``, that rounds to more than that one does."""
    half = 1 << (_DROPPED_BITS - 1)
    return ((((bits + half) >> _DROPPED_BITS) + 1) << _DROPPED_BITS) - half


@inner
def vote(classes, k, votes, lowest_class):  # type: ignore[no-untyped-def]
    """Return the most frequent of the first k classes; ``votes`` comes and goes as zeros."""
    most = 0
    for p in range(k):
        votes[classes[p]] += 1
        most = max(most, votes[classes[p]])
    winner = votes.shape[0]
    for p in range(k):
        c = classes[p]
        if votes[c] == most and (winner == votes.shape[0] or (lowest_class and c < winner)):
            winner = c
    for p in range(k):
        votes[classes[p]] = 0
    return winner


@inner
def share(classes, k, said):  # type: ignore[no-untyped-def]
    """Write the share of each class among the first k classes."""
    for c in range(said.shape[0]):
        said[c] = 0.0
    for p in range(k):
        said[classes[p]] += 1.0
    for c in range(said.shape[0]):
        said[c] /= k


@inner
def nearest_classes(keys, y, counts, k, near, classes):  # type: ignore[no-untyped-def]
    """Write the classes of the k nearest cases in order; ties of ``keys`` go by row order."""
    covered = 0
    for i in range(y.shape[0]):
        if counts[i] == 0 or (covered == k and keys[i] >= near[k - 1]):
            continue
        for _ in range(min(counts[i], k)):
            if covered == k and keys[i] >= near[k - 1]:
                break
            p = covered if covered < k else k - 1
            while p > 0 and near[p - 1] > keys[i]:
                near[p] = near[p - 1]
                classes[p] = classes[p - 1]
                p -= 1
            near[p] = keys[i]
            classes[p] = y[i]
            covered = min(covered + 1, k)


@inner
def distances(case, columns, differs, squared):  # type: ignore[no-untyped-def]
    """Write the squared distances of a case from all cases, which stand as columns, shape (d, n)."""
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
def _transpose(X, columns):  # type: ignore[no-untyped-def]
    for j in range(X.shape[0]):
        for a in range(X.shape[1]):
            columns[a, j] = X[j, a]


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
            centre = total / size
            for i in range(X.shape[0]):
                for _ in range(counts[i]):
                    squares += (X[i, a] - centre) * (X[i, a] - centre)
            mean[a] = centre
            if least < largest and squares > 0.0:
                deviation[a] = sqrt(squares / size)
        for i in range(X.shape[0]):
            columns[a, i] = (X[i, a] - mean[a]) / deviation[a]


@inner
def _nearest(bits):  # type: ignore[no-untyped-def]
    """Return the first position whose number, rounded, is least; ``bits`` are doubles read as integers."""
    least = bits[0]
    for j in range(bits.shape[0]):
        least = min(least, bits[j])
    end = end_of_ties(least)
    for j in range(bits.shape[0]):
        if bits[j] < end:
            return j
    return 0


@inner
def _label(keys, y, k, near, classes, votes, lowest_class):  # type: ignore[no-untyped-def]
    """Return the vote of the k nearest; equal keys go by position, and k keys at least are not far."""
    near[:] = _FAR
    last = _FAR
    for j in range(keys.shape[0]):
        key = keys[j]
        if key >= last:
            continue
        p = k - 1
        while p > 0 and near[p - 1] > key:
            near[p] = near[p - 1]
            classes[p] = classes[p - 1]
            p -= 1
        near[p] = key
        classes[p] = y[j]
        last = near[k - 1]
    return vote(classes, k, votes, lowest_class)


@nb.njit(cache=True)
def keys_of(X, block, differs):  # type: ignore[no-untyped-def]
    """Return the rounded distances of the cases of a block from every case."""
    columns = np.ascontiguousarray(X.T)
    keys = np.empty((block.shape[0], X.shape[0]), dtype=np.int64)
    squared = np.empty(X.shape[0])
    for b in range(block.shape[0]):
        distances(X[block[b]], columns, differs, squared)
        round_distances(squared, keys[b])
    return keys


@nb.njit(cache=True)
def answer_rows(  # type: ignore[no-untyped-def]
    keys, order, place, y, k, lowest_class, compact, start, cases, labels, probabilities
):
    """Write labels or probabilities of a block's tests in every row; return a row with fewer than k cases, or -1."""
    counts = np.empty(compact.n, dtype=np.int32)
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
        for t in range(start[r], start[r + 1]):
            b = place[cases[t]]
            if b < 0:
                continue
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


@nb.njit(cache=True)
def answer_standardized_rows(  # type: ignore[no-untyped-def]
    X, y, k, differs, lowest_class, compact, start, cases, labels, probabilities
):
    """Write what :func:`answer_rows` does, of attributes that are standardised in every training set."""
    n, d = X.shape
    counts = np.empty(n, dtype=np.int32)
    columns, mean, deviation = np.empty((d, n)), np.empty(d), np.empty(d)
    case, squared = np.empty(d), np.empty(n)
    keys = np.empty(n, dtype=np.int64)
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
        _standardize(X, counts, differs, columns, mean, deviation)
        for t in range(start[r], start[r + 1]):
            case[:] = columns[:, cases[t]]
            distances(case, columns, differs, squared)
            round_distances(squared, keys)
            nearest_classes(keys, y, counts, k, near, classes)
            if probabilities.shape[0] > 0:
                share(classes, k, probabilities[t])
            else:
                labels[t] = vote(classes, k, votes, lowest_class)
    return -1, 0


@nb.njit(cache=True)
def shares_of_cases(A, X, y, n_classes, k, differs, standardized):  # type: ignore[no-untyped-def]
    """Return the share of each class among the neighbours of the rows of A."""
    n, d = X.shape
    shares = np.empty((A.shape[0], n_classes))
    counts = np.ones(n, dtype=np.int32)
    columns, mean, deviation = np.empty((d, n)), np.zeros(d), np.ones(d)
    if standardized:
        _standardize(X, counts, differs, columns, mean, deviation)
    else:
        _transpose(X, columns)
    squared = np.empty(n)
    keys = np.empty(n, dtype=np.int64)
    near = np.empty(k, dtype=np.int64)
    classes = np.empty(k, dtype=np.int64)
    for i in range(A.shape[0]):
        distances((A[i] - mean) / deviation, columns, differs, squared)
        round_distances(squared, keys)
        nearest_classes(keys, y, counts, k, near, classes)
        share(classes, k, shares[i])
    return shares


@nb.njit(cache=True)
def label_samples(X, y, n_classes, k, differs, standardized, lowest_class, tested, folds):  # type: ignore[no-untyped-def]
    """Label cases by each sample of a stack, or with ``folds`` its own; return also the least training size."""
    samples, n, d = X.shape
    cross = folds.shape[0] > 0
    labels = np.empty((samples, n if cross else tested.shape[1]), dtype=np.int64)
    columns, mean, deviation, point = np.empty((d, n)), np.empty(d), np.empty(d), np.empty(d)
    counts = np.ones(n, dtype=np.int32)
    squared = np.empty(n)
    bits = squared.view(np.int64)
    keys = np.empty(n, dtype=np.int64)
    near = np.empty(k, dtype=np.int64)
    classes = np.empty(k, dtype=np.int64)
    votes = np.zeros(n_classes, dtype=np.int64)
    smallest = n
    for s in range(samples):
        cases = X[s] if cross else tested[s if tested.shape[0] > 1 else 0]
        if not standardized:
            _transpose(X[s], columns)
        for i in range(cases.shape[0]):
            case = cases[i]
            if standardized:
                if cross:
                    for j in range(n):
                        counts[j] = folds[s, j] != folds[s, i]
                if cross or i == 0:
                    _standardize(X[s], counts, differs, columns, mean, deviation)
                for a in range(d):
                    point[a] = (case[a] - mean[a]) / deviation[a]
                case = point
            distances(case, columns, differs, squared)
            order = bits
            if k > 1:
                round_distances(squared, keys)
                order = keys
            size = n
            if cross:
                for j in range(n):
                    if folds[s, j] == folds[s, i]:
                        order[j] = _FAR
                        size -= 1
                smallest = min(smallest, size)
            if size < k:
                continue
            if k == 1:
                labels[s, i] = y[s, _nearest(bits)]
            else:
                labels[s, i] = _label(keys, y[s], k, near, classes, votes, lowest_class)
    return labels, smallest
