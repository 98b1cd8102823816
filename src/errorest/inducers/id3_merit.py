"""How good a split of ID3 is, by each criterion; for compiled code that grows trees."""

from __future__ import annotations

from typing import Literal

import numpy as np

from errorest.compiled import within

Criterion = Literal[
    "gain", "gain-ratio", "normalised-gain", "gain-per-value", "gini", "chi-square", "misclassification"
]

_GAIN, _RATIO, _NORMALISED, _PER_VALUE, _GINI, _CHI_SQUARE, _ERRORS = range(7)


@within
def _gain(table, begin, arity, counts, node, cases, plogp):  # type: ignore[no-untyped-def]
    """Return (gain, entropy of the branch sizes) in bits; -1 where all cases take one value."""
    classes = counts.shape[1]
    gain = plogp[cases]
    for c in range(classes):
        gain -= plogp[counts[node, c]]
    between = plogp[cases]
    present = 0
    at = begin
    for _ in range(arity):
        n = 0
        for _ in range(classes):
            n += table[at]
            gain += plogp[table[at]]
            at += 1
        if n > 0:
            present += 1
            gain -= plogp[n]
            between -= plogp[n]
    if present < 2:
        return -1.0, 0.0
    return max(gain / cases, 0.0), between / cases


@within
def _decrease(table, begin, arity, counts, node, cases, criterion):  # type: ignore[no-untyped-def]
    """Return the merit by Gini index, chi-square or misclassification; -1 where all cases take one value."""
    classes = counts.shape[1]
    gini = 0.0
    chi_square = 0.0
    right = 0
    present = 0
    at = begin
    for _ in range(arity):
        n = 0
        largest = 0
        for c in range(classes):
            n += table[at + c]
            largest = max(largest, table[at + c])
        if n > 0:
            present += 1
            right += largest
            for c in range(classes):
                if table[at + c] > 0:
                    square = float(table[at + c] * table[at + c])
                    gini += square / n
                    chi_square += square / (n * counts[node, c])
        at += classes
    if present < 2:
        return -1.0
    if criterion == _CHI_SQUARE:
        return max(cases * (chi_square - 1.0), 0.0)
    most = 0
    for c in range(classes):
        most = max(most, counts[node, c])
        gini -= counts[node, c] * counts[node, c] / cases
    return (right - most) / cases if criterion == _ERRORS else max(gini / cases, 0.0)


@within
def merit_of(table, begin, arity, counts, node, cases, criterion, plogp):  # type: ignore[no-untyped-def]
    """Return how good a split is by the criterion, or -1 where all cases take one value."""
    if criterion >= _GINI:
        return _decrease(table, begin, arity, counts, node, cases, criterion)
    gain, between = _gain(table, begin, arity, counts, node, cases, plogp)
    if criterion == _GAIN or gain < 0.0:
        return gain
    if criterion == _RATIO:
        return gain / between
    return gain / np.log2(arity) if criterion == _NORMALISED else gain / arity
