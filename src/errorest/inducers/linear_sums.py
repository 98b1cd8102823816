"""What the linear discriminant sums of a training set, in compiled code: means, products, totals.

The room for these sums is made once for many classifiers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from errorest.compiled import inner, maker
from errorest.inducers.wide_scores import is_wide
from errorest.symmetric_matrices import eigen

__all__ = ["Model", "Room", "Rule", "class_means", "empty_model", "is_degenerate", "room_for", "totals", "within_sums"]


class Rule(NamedTuple):
    """Settings, as compiled code reads them; ``threshold`` < 0: no degenerate matrix is looked for."""

    sample_priors: bool
    threshold: float
    total: bool


class Model(NamedTuple):
    """Scores against the first class that is present, by class.

    ``pair`` holds the first two classes present.  A case's score for class c is
    offset + weights . (x - middle); ``null_weights`` give another that goes first, in the
    directions without within-class variance.
    """

    counts: np.ndarray
    pair: np.ndarray
    weights: np.ndarray
    null_weights: np.ndarray
    middles: np.ndarray
    offsets: np.ndarray


class Room(NamedTuple):
    """Arrays to work in, made once for many classifiers."""

    means: np.ndarray
    within: np.ndarray
    factor: np.ndarray
    matrix: np.ndarray
    vectors: np.ndarray
    floor: np.ndarray
    total: np.ndarray
    grand: np.ndarray
    deviations: np.ndarray


@maker
def empty_model(d, n_classes):  # type: ignore[no-untyped-def]
    return Model(
        np.zeros(n_classes, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros((n_classes, d)),
        np.zeros((n_classes, d)),
        np.zeros((n_classes, d)),
        np.zeros(n_classes),
    )


@maker
def room_for(d, n_classes, m):  # type: ignore[no-untyped-def]
    """Make room for training sets of up to m cases; matrices of attributes only where one will need them."""
    side = 0 if is_wide(d, m) else d
    return Room(
        np.empty((n_classes, d)),
        np.empty((side, side)),
        np.empty((side, side)),
        np.empty((side, side)),
        np.empty((side, side)),
        np.empty(d),
        np.empty(d),
        np.empty(d),
        np.empty((4, d)),
    )


@inner
def class_means(X, y, rows, m, counts, means):  # type: ignore[no-untyped-def]
    """Write class counts and class means.

    Means are of differences from the first case, so that an attribute with one value has
    no deviations at all, not those of rounding.
    """
    d = X.shape[1]
    n_classes = counts.shape[0]
    first = rows[0]
    for c in range(n_classes):
        counts[c] = 0
        for a in range(d):
            means[c, a] = 0.0
    for t in range(m):
        i = rows[t]
        c = y[i]
        counts[c] += 1
        for a in range(d):
            means[c, a] += X[i, a] - X[first, a]
    for c in range(n_classes):
        if counts[c] > 0:
            for a in range(d):
                means[c, a] /= counts[c]


@inner
def within_sums(X, y, rows, m, room):  # type: ignore[no-untyped-def]
    """Write the within-class sums of squares and products."""
    d = X.shape[1]
    means, within, deviations = room.means, room.within, room.deviations
    first = rows[0]
    for a in range(d):
        for b in range(d):
            within[a, b] = 0.0
    # four cases at a time, the last ones filled up with zeros: a quarter of the loads and stores
    for begin in range(0, m, 4):
        for u in range(4):
            if begin + u < m:
                i = rows[begin + u]
                c = y[i]
                for a in range(d):
                    deviations[u, a] = (X[i, a] - X[first, a]) - means[c, a]
            else:
                deviations[u] = 0.0
        for a in range(d):
            p, q, r, s = deviations[0, a], deviations[1, a], deviations[2, a], deviations[3, a]
            for b in range(d):
                within[a, b] += (p * deviations[0, b] + q * deviations[1, b]) + (
                    r * deviations[2, b] + s * deviations[3, b]
                )


@inner
def totals(counts, m, F, room):  # type: ignore[no-untyped-def]
    """Write the total sums of squares and the grand means; F' is given where there is no matrix of attributes."""
    d = room.total.shape[0]
    for a in range(d):
        grand = 0.0
        for c in range(counts.shape[0]):
            grand += counts[c] * room.means[c, a]
        grand /= m
        between = 0.0
        for c in range(counts.shape[0]):
            if counts[c] > 0:
                between += counts[c] * (room.means[c, a] - grand) ** 2
        room.grand[a] = grand
        within = 0.0
        if F.shape[0] > 0:
            for k in range(F.shape[1]):
                within += F[a, k] * F[a, k]
        else:
            within = room.within[a, a]
        room.total[a] = within + between


@inner
def is_degenerate(counts, rule, room):  # type: ignore[no-untyped-def]
    """Return whether the least eigenvalue is less than the threshold's share of the largest."""
    d = room.total.shape[0]
    for a in range(d):
        for b in range(d):
            entry = room.within[a, b]
            if rule.total:
                for c in range(counts.shape[0]):
                    if counts[c] > 0:
                        left = room.means[c, a] - room.grand[a]
                        entry += counts[c] * left * (room.means[c, b] - room.grand[b])
            room.matrix[a, b] = entry
    eigen(room.matrix, room.vectors, False)
    least = room.matrix[0, 0]
    largest = least
    for a in range(1, d):
        least = min(least, room.matrix[a, a])
        largest = max(largest, room.matrix[a, a])
    return largest <= 0.0 or least < rule.threshold * largest
