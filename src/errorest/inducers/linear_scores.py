"""Linear discriminant scores in compiled code: training, labels, resamples and stacks.

One training function takes a list of training positions and serves a sample, the rows of
its resamples, the samples of a stack and their folds, so that all give equal bits.  From 101
attributes on, a training set with fewer cases than attributes goes through
:mod:`~errorest.inducers.wide_scores`.
"""

from __future__ import annotations

from math import exp, inf, log, sqrt

import numba as nb
import numpy as np

from errorest.compiled import inner
from errorest.inducers.linear_sums import (
    Model,
    Rule,
    class_means,
    empty_model,
    is_degenerate,
    room_for,
    totals,
    within_sums,
)
from errorest.inducers.wide_scores import LEAST_ATTRIBUTES, is_degenerate_wide, is_wide, wide_weights, within_rows
from errorest.resampling.draw import training_row
from errorest.symmetric_matrices import cholesky, eigen, solve

__all__ = [
    "NO_CASES",
    "RANK_TOLERANCE",
    "TIE_TOLERANCE",
    "Model",
    "Rule",
    "cross_validate_samples",
    "predict_cases",
    "predict_rows",
    "predict_samples",
    "share_cases",
    "share_rows",
    "train_all",
]

RANK_TOLERANCE = 1e-10
"""Within-class variance below this share of the total variance counts as none."""

TIE_TOLERANCE = 1e-12
"""Scores that differ by less than this share of the sum of their terms' sizes are equal."""

TWO_CLASSES = -1
SEVERAL_CLASSES = -2
SINGULAR = -3
NO_CASES = -4


@inner
def _scale(room):  # type: ignore[no-untyped-def]
    """Write one by each attribute's total deviation, or 0."""
    for a in range(room.total.shape[0]):
        room.floor[a] = 1.0 / sqrt(room.total[a]) if room.total[a] > 0.0 else 0.0


@inner
def _singular_weights(base, freedom, model, room):  # type: ignore[no-untyped-def]
    """Weights where the within-class matrix has no inverse: the limit of a ridge that goes to 0.

    Attributes are scaled by their total deviation.  Directions with within-class variance
    get the inverse there; differences of means along the others go into ``null_weights``.
    """
    d = room.total.shape[0]
    _scale(room)
    for a in range(d):
        for b in range(d):
            room.matrix[a, b] = room.within[a, b] * room.floor[a] * room.floor[b]
    eigen(room.matrix, room.vectors, True)
    for c in range(base + 1, model.counts.shape[0]):
        model.weights[c] = 0.0
        model.null_weights[c] = 0.0
        if model.counts[c] == 0:
            continue
        length = 0.0
        null_length = 0.0
        for k in range(d):
            along = 0.0
            for a in range(d):
                along += room.vectors[k, a] * room.floor[a] * (room.means[c, a] - room.means[base, a])
            length += along * along
            if room.matrix[k, k] > RANK_TOLERANCE:
                along *= freedom / room.matrix[k, k]
                for a in range(d):
                    model.weights[c, a] += along * room.vectors[k, a] * room.floor[a]
            else:
                null_length += along * along
                for a in range(d):
                    model.null_weights[c, a] += along * room.vectors[k, a] * room.floor[a]
        if null_length <= RANK_TOLERANCE * length:
            model.null_weights[c] = 0.0


@nb.njit(cache=True)
def _train(X, y, rows, m, rule, model, room):  # type: ignore[no-untyped-def]
    """Write the model of the first m training positions of ``rows``.

    Returns the class that is always predicted, or whether there is a discriminant.
    """
    if m == 0:
        return NO_CASES
    d = X.shape[1]
    class_means(X, y, rows, m, model.counts, room.means)
    n_classes = model.counts.shape[0]
    present = 0
    for c in range(n_classes):
        if model.counts[c] > 0:
            if present < 2:
                model.pair[present] = c
            present += 1
    base = model.pair[0]
    if present == 1:
        return base
    wide = is_wide(d, m)
    F = np.empty((0, 0))
    if wide:
        F = within_rows(X, y, rows, m, n_classes)
    else:
        within_sums(X, y, rows, m, room)
    totals(model.counts, m, F, room)
    if rule.threshold >= 0.0:
        if wide and is_degenerate_wide(F, room.total, rule.threshold, rule.total):
            return base
        if not wide and is_degenerate(model.counts, rule, room):
            return base
    freedom = max(m - present, 1)
    first = rows[0]
    for c in range(base + 1, n_classes):
        if model.counts[c] > 0:
            for a in range(d):
                model.middles[c, a] = X[first, a] + 0.5 * (room.means[c, a] + room.means[base, a])
            ratio = model.counts[c] / model.counts[base]
            model.offsets[c] = log(ratio) if rule.sample_priors else 0.0
    if wide:
        _scale(room)
        wide_weights(
            F,
            room.means,
            model.counts,
            base,
            freedom,
            room.floor,
            RANK_TOLERANCE,
            model.weights,
            model.null_weights,
        )
        return SINGULAR
    for a in range(d):
        room.floor[a] = RANK_TOLERANCE * room.total[a]
    if not cholesky(room.within, room.floor, room.factor):
        _singular_weights(base, freedom, model, room)
        return SINGULAR
    for c in range(base + 1, n_classes):
        if model.counts[c] > 0:
            for a in range(d):
                model.weights[c, a] = freedom * (room.means[c, a] - room.means[base, a])
            solve(room.factor, model.weights[c], model.weights[c])
    return TWO_CLASSES if present == 2 else SEVERAL_CLASSES


@inner
def _score(x, weights, middle, offset):  # type: ignore[no-untyped-def]
    """Return offset + weights . (x - middle), and the sum of the terms' sizes."""
    score = offset
    size = abs(offset)
    for a in range(x.shape[0]):
        term = weights[a] * (x[a] - middle[a])
        score += term
        size += abs(term)
    return score, size


@inner
def _best_class(x, outcome, model):  # type: ignore[no-untyped-def]
    """Return the class of the largest score; among equal ones the lowest that is present."""
    best = model.pair[0]
    best_score, best_size, best_null, best_null_size = 0.0, 0.0, 0.0, 0.0
    for c in range(best + 1, model.counts.shape[0]):
        if model.counts[c] == 0:
            continue
        score, size = _score(x, model.weights[c], model.middles[c], model.offsets[c])
        null, null_size = 0.0, 0.0
        if outcome == SINGULAR:
            null, null_size = _score(x, model.null_weights[c], model.middles[c], 0.0)
        step = null - best_null
        tolerance = TIE_TOLERANCE * max(null_size, best_null_size)
        wins = step > tolerance
        if not wins and step >= -tolerance:
            wins = score - best_score > TIE_TOLERANCE * max(size, best_size)
        if wins:
            best, best_score, best_size, best_null, best_null_size = c, score, size, null, null_size
    return best


@inner
def _label(X, cases, outcome, model, labels):  # type: ignore[no-untyped-def]
    """Write the classes of the listed rows of X."""
    if outcome == TWO_CLASSES:
        base, other = model.pair
        weights, middle, offset = model.weights[other], model.middles[other], model.offsets[other]
        for u in range(cases.shape[0]):
            score, size = _score(X[cases[u]], weights, middle, offset)
            labels[u] = other if score > TIE_TOLERANCE * size else base
        return
    for u in range(cases.shape[0]):
        labels[u] = outcome if outcome >= 0 else _best_class(X[cases[u]], outcome, model)


@inner
def _share(X, cases, outcome, model, said):  # type: ignore[no-untyped-def]
    """Write the class probabilities of the listed rows of X: the scores are log ratios of them.

    Where directions without within-class variance decide, they do so with certainty, among the classes that are
    level with the best along them.
    """
    for u in range(cases.shape[0]):
        x, p = X[cases[u]], said[u]
        best = outcome if outcome >= 0 else _best_class(x, outcome, model)
        top_null, top_size, most = 0.0, 0.0, -inf
        if outcome == SINGULAR:
            top_null, top_size = _score(x, model.null_weights[best], model.middles[best], 0.0)
        for c in range(p.shape[0]):
            p[c] = -inf
            if c == best and outcome >= 0:
                p[c] = 0.0
            elif outcome < 0 and model.counts[c] > 0:
                null, size = top_null, top_size
                if outcome == SINGULAR:
                    null, size = _score(x, model.null_weights[c], model.middles[c], 0.0)
                if abs(null - top_null) <= TIE_TOLERANCE * max(size, top_size):
                    p[c] = _score(x, model.weights[c], model.middles[c], model.offsets[c])[0]
            most = max(most, p[c])
        whole = 0.0
        for c in range(p.shape[0]):
            p[c] = exp(p[c] - most)
            whole += p[c]
        for c in range(p.shape[0]):
            p[c] /= whole


@nb.njit(cache=True)
def share_cases(X, outcome, model):  # type: ignore[no-untyped-def]
    said = np.empty((X.shape[0], model.counts.shape[0]))
    _share(X, np.arange(X.shape[0]), outcome, model, said)
    return said


@nb.njit(cache=True)
def train_all(X, y, n_classes, rule):  # type: ignore[no-untyped-def]
    model = empty_model(X.shape[1], n_classes)
    outcome = _train(X, y, np.arange(y.shape[0]), y.shape[0], rule, model, room_for(X.shape[1], n_classes, y.shape[0]))
    return outcome, model


@nb.njit(cache=True)
def predict_cases(X, outcome, model):  # type: ignore[no-untyped-def]
    labels = np.empty(X.shape[0], dtype=np.int64)
    _label(X, np.arange(X.shape[0]), outcome, model, labels)
    return labels


@nb.njit(cache=True)
def _list_row(compact, r, counts, rows):  # type: ignore[no-untyped-def]
    """List the training positions of a row, repeats kept, in an array that grows; return it and their number."""
    training_row(compact, r, counts)
    m = counts.sum()
    if m > rows.shape[0]:
        rows = np.empty(m, dtype=np.int64)
    at = 0
    for i in range(compact.n):
        for _ in range(counts[i]):
            rows[at] = i
            at += 1
    return rows, m


@nb.njit(cache=True)
def _most_cases(d, compact, start, counts):  # type: ignore[no-untyped-def]
    """Return the size of the largest training set, where it matters."""
    most = 0
    if d >= LEAST_ATTRIBUTES:
        for r in range(start.shape[0] - 1):
            training_row(compact, r, counts)
            most = max(most, counts.sum())
    return most


@nb.njit(cache=True)
def predict_rows(X, y, n_classes, rule, compact, start, cases):  # type: ignore[no-untyped-def]
    labels = np.empty(cases.shape[0], dtype=np.int64)
    counts = np.empty(compact.n, dtype=np.int32)
    rows = np.empty(0, dtype=np.int64)
    model = empty_model(X.shape[1], n_classes)
    room = room_for(X.shape[1], n_classes, _most_cases(X.shape[1], compact, start, counts))
    for r in range(start.shape[0] - 1):
        if start[r] == start[r + 1]:
            continue
        rows, m = _list_row(compact, r, counts, rows)
        outcome = _train(X, y, rows, m, rule, model, room)
        if outcome == NO_CASES:
            return labels, r
        tested = slice(start[r], start[r + 1])
        _label(X, cases[tested], outcome, model, labels[tested])
    return labels, -1


@nb.njit(cache=True)
def share_rows(X, y, n_classes, rule, compact, start, cases):  # type: ignore[no-untyped-def]
    """As :func:`predict_rows`, with class probabilities in place of labels."""
    said = np.empty((cases.shape[0], n_classes))
    counts = np.empty(compact.n, dtype=np.int32)
    rows = np.empty(0, dtype=np.int64)
    model = empty_model(X.shape[1], n_classes)
    room = room_for(X.shape[1], n_classes, _most_cases(X.shape[1], compact, start, counts))
    for r in range(start.shape[0] - 1):
        if start[r] == start[r + 1]:
            continue
        rows, m = _list_row(compact, r, counts, rows)
        outcome = _train(X, y, rows, m, rule, model, room)
        if outcome == NO_CASES:
            return said, r
        tested = slice(start[r], start[r + 1])
        _share(X, cases[tested], outcome, model, said[tested])
    return said, -1


@nb.njit(cache=True)
def predict_samples(X, y, n_classes, rule, tested):  # type: ignore[no-untyped-def]
    """Label the cases of ``tested``, shape (S, m, d), or (1, m, d) for the same cases each time."""
    labels = np.empty((X.shape[0], tested.shape[1]), dtype=np.int64)
    rows = np.arange(X.shape[1])
    each = np.arange(tested.shape[1])
    model = empty_model(X.shape[2], n_classes)
    room = room_for(X.shape[2], n_classes, X.shape[1])
    for s in range(X.shape[0]):
        cases = tested[s if tested.shape[0] > 1 else 0]
        outcome = _train(X[s], y[s], rows, rows.shape[0], rule, model, room)
        _label(cases, each, outcome, model, labels[s])
    return labels


@nb.njit(cache=True)
def cross_validate_samples(X, y, n_classes, rule, folds):  # type: ignore[no-untyped-def]
    n = X.shape[1]
    labels = np.empty((X.shape[0], n), dtype=np.int64)
    rows = np.empty(n, dtype=np.int64)
    found = np.empty(n, dtype=np.int64)
    model = empty_model(X.shape[2], n_classes)
    room = room_for(X.shape[2], n_classes, X.shape[1])
    for s in range(X.shape[0]):
        for fold in range(folds[s].max() + 1):
            m, tested = 0, n
            for i in range(n):
                if folds[s, i] != fold:
                    rows[m] = i
                    m += 1
                else:
                    tested -= 1
                    rows[tested] = i
            if m == n:
                continue
            outcome = _train(X[s], y[s], rows, m, rule, model, room)
            if outcome == NO_CASES:
                return labels, s
            _label(X[s], rows[m:], outcome, model, found)
            for u in range(n - m):
                labels[s, rows[m + u]] = found[u]
    return labels, -1
