"""Distances of cases, lists of the nearest and votes, for compiled nearest-neighbour rules.

Distances are rounded before they are compared, so that equal ones are ties whatever
the order of their sums' rounding.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from errorest.compiled import inner, within
from errorest.resampling.draw import training_row

__all__ = [
    "DISTANCE_BITS",
    "end_of_ties",
    "nearest_classes",
    "order_of",
    "round_distances",
    "share",
    "share_rows",
    "squared_distance",
    "vote",
]

DISTANCE_BITS = 40
"""Squared distances are rounded to this many binary digits after the first; equal ones are ties.

That is a relative tolerance of about 1e-12.  Rounding, unlike a comparison with a tolerance,
does not depend on which other cases are there.
"""

_DROPPED_BITS = 52 - DISTANCE_BITS


@inner
def squared_distance(A, i, B, j, differs):  # type: ignore[no-untyped-def]
    """Return the squared distance of row i of A and row j of B, summed in the order of the columns."""
    total = 0.0
    for a in range(A.shape[1]):
        difference = A[i, a] - B[j, a]
        if differs[a]:
            total += 1.0 if difference != 0.0 else 0.0
        else:
            total += difference * difference
    return total


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


@nb.njit(cache=True)
def share_rows(keys, order, place, y, k, compact, start, cases, said):  # type: ignore[no-untyped-def]
    """Write the class shares of the neighbours of the tested cases of a block in every row.

    ``place`` says where a case stands in the block, or -1; ``order`` lists all cases by distance, or has no row.
    Returns the first row that holds fewer than k cases, and their number; else -1.
    """
    counts = np.empty(compact.n, dtype=np.int32)
    near = np.empty(k, dtype=np.int64)
    classes = np.empty(k, dtype=np.int64)
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
                held, at = 0, 0
                while held < k:
                    j = order[b, at]
                    for _ in range(min(counts[j], k - held)):
                        classes[held] = y[j]
                        held += 1
                    at += 1
            share(classes, k, said[t])
    return -1, 0


@inner
def nearest_classes(keys, y, counts, k, near, classes):  # type: ignore[no-untyped-def]
    """Write the classes of the k nearest cases in order; ties of ``keys`` go by row order."""
    held = 0
    for i in range(y.shape[0]):
        if counts[i] == 0 or (held == k and keys[i] >= near[k - 1]):
            continue
        for _ in range(min(counts[i], k)):
            if held == k and keys[i] >= near[k - 1]:
                break
            p = held if held < k else k - 1
            while p > 0 and near[p - 1] > keys[i]:
                near[p] = near[p - 1]
                classes[p] = classes[p - 1]
                p -= 1
            near[p] = keys[i]
            classes[p] = y[i]
            held = min(held + 1, k)
