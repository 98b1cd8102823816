"""Nearest neighbours of many small samples in compiled code: predictions and cross-validation.

Distances of a case to all others are summed attribute by attribute for many cases at once,
each in the order of the attributes, so that they are those of a single pair to the bit.
Cross-validation computes each distance of a sample once, whatever the folds.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from errorest.compiled import inner
from errorest.inducers.near_cases import end_of_ties, round_distances, vote

__all__ = ["cross_validate_samples", "distances", "predict_samples"]

_FAR = np.iinfo(np.int64).max


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
def predict_samples(X, y, n_classes, k, differs, lowest_class, tested):  # type: ignore[no-untyped-def]
    """Label cases by each sample as training list."""
    samples, n, d = X.shape
    labels = np.empty((samples, tested.shape[1]), dtype=np.int64)
    columns = np.empty((d, n))
    squared = np.empty(n)
    bits = squared.view(np.int64)
    keys = np.empty(n, dtype=np.int64)
    near = np.empty(k, dtype=np.int64)
    classes = np.empty(k, dtype=np.int64)
    votes = np.zeros(n_classes, dtype=np.int64)
    for s in range(samples):
        cases = tested[s if tested.shape[0] > 1 else 0]
        _transpose(X[s], columns)
        for i in range(cases.shape[0]):
            distances(cases[i], columns, differs, squared)
            if k == 1:
                labels[s, i] = y[s, _nearest(bits)]
                continue
            round_distances(squared, keys)
            labels[s, i] = _label(keys, y[s], k, near, classes, votes, lowest_class)
    return labels


@nb.njit(cache=True)
def cross_validate_samples(X, y, n_classes, k, differs, lowest_class, folds):  # type: ignore[no-untyped-def]
    """Label each case of each sample by the other folds of that sample as training list."""
    samples, n, d = X.shape
    labels = np.empty((samples, n), dtype=np.int64)
    columns = np.empty((d, n))
    squared = np.empty(n)
    bits = squared.view(np.int64)
    keys = np.empty(n, dtype=np.int64)
    near = np.empty(k, dtype=np.int64)
    classes = np.empty(k, dtype=np.int64)
    votes = np.zeros(n_classes, dtype=np.int64)
    smallest = n
    for s in range(samples):
        _transpose(X[s], columns)
        fold = folds[s]
        for i in range(n):
            distances(X[s, i], columns, differs, squared)
            order = bits
            if k > 1:
                round_distances(squared, keys)
                order = keys
            own = 0
            for j in range(n):
                if fold[j] == fold[i]:
                    order[j] = _FAR
                    own += 1
            smallest = min(smallest, n - own)
            if n - own < k:
                continue
            if k == 1:
                labels[s, i] = y[s, _nearest(bits)]
            else:
                labels[s, i] = _label(keys, y[s], k, near, classes, votes, lowest_class)
    return labels, smallest
