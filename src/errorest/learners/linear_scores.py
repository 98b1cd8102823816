"""Linear discriminant scores in compiled code: sums of a training set, weights, labels and probabilities.

One training function serves samples, resamples, stacks and folds, so that all give equal bits.
"""

from __future__ import annotations

from math import inf, log, sqrt
from typing import NamedTuple

import numpy as np

from errorest.compiled import inner, kernel, maker
from errorest.learners.base import normalize
from errorest.learners.wide_scores import LEAST_ATTRIBUTES, is_wide, wide_weights, within_rows
from errorest.resampling.multisets import training_row
from errorest.symmetric_matrices import cholesky, eigen, solve

# far above the rounding of sums over some hundred cases (1e-14), far below what attributes of data vary
RANK_TOLERANCE = 1e-10
"""Within-class variance below this share of the total variance counts as none."""

# some thousand times the rounding of a double, 1.1e-16
TIE_TOLERANCE = 1e-12
"""Scores that differ by less than this share of the sum of their terms' sizes are equal."""

REGULAR = -1
SINGULAR = -2
NO_CASES = -3


class Rule(NamedTuple):
    """Settings, as compiled code reads them; ``threshold`` < 0: no degenerate matrix is looked for."""

    sample_priors: bool
    threshold: float
    total: bool


class Model(NamedTuple):
    """Scores against the first class that is present, by class: offset + weights . (x - middle)."""

    counts: np.ndarray
    weights: np.ndarray
    null_weights: np.ndarray  # of a score that goes first, in the directions without within-class variance
    middles: np.ndarray
    offsets: np.ndarray


class Work(NamedTuple):
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
        np.zeros((n_classes, d)),
        np.zeros((n_classes, d)),
        np.zeros((n_classes, d)),
        np.zeros(n_classes),
    )


@maker
def work_for(d, n_classes, m):  # type: ignore[no-untyped-def]
    """Make working memory for training sets of up to m cases; matrices of attributes only where one will need them."""
    side = 0 if is_wide(d, m) else d
    return Work(
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
def _class_means(X, y, rows, m, counts, means):  # type: ignore[no-untyped-def]
    """Write class counts, and class means of differences from the first case."""
    # differences, so that an attribute with one value has no deviations at all, not those of rounding
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
def _within_sums(X, y, rows, m, work):  # type: ignore[no-untyped-def]
    """Write the within-class sums of squares and products."""
    d = X.shape[1]
    means, within, deviations = work.means, work.within, work.deviations
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
def _totals(counts, m, F, work):  # type: ignore[no-untyped-def]
    """Write the total sums of squares and the grand means; F' is given where there is no matrix of attributes."""
    d = work.total.shape[0]
    for a in range(d):
        grand = 0.0
        for c in range(counts.shape[0]):
            grand += counts[c] * work.means[c, a]
        grand /= m
        # total sum of squares = within classes + between them, sum of n_c (mean_c - mean)^2
        between = 0.0
        for c in range(counts.shape[0]):
            if counts[c] > 0:
                between += counts[c] * (work.means[c, a] - grand) ** 2
        work.grand[a] = grand
        within = 0.0
        if F.shape[0] > 0:
            for k in range(F.shape[1]):
                within += F[a, k] * F[a, k]
        else:
            within = work.within[a, a]
        work.total[a] = within + between


@inner
def _is_degenerate(counts, rule, work):  # type: ignore[no-untyped-def]
    """Return whether the least eigenvalue is less than the threshold's share of the largest."""
    d = work.total.shape[0]
    for a in range(d):
        for b in range(d):
            # sums of squares and products; a common divisor leaves the ratio of eigenvalues as it is
            entry = work.within[a, b]
            if rule.total:
                for c in range(counts.shape[0]):
                    if counts[c] > 0:
                        left = work.means[c, a] - work.grand[a]
                        entry += counts[c] * left * (work.means[c, b] - work.grand[b])
            work.matrix[a, b] = entry
    eigen(work.matrix, work.vectors, False)
    least = work.matrix[0, 0]
    largest = least
    for a in range(1, d):
        least = min(least, work.matrix[a, a])
        largest = max(largest, work.matrix[a, a])
    # the reciprocal of the condition number, least / largest eigenvalue, against the threshold
    return largest <= 0.0 or least < rule.threshold * largest


@inner
def _scale(work):  # type: ignore[no-untyped-def]
    """Write one by each attribute's total deviation, or 0."""
    for a in range(work.total.shape[0]):
        work.floor[a] = 1.0 / sqrt(work.total[a]) if work.total[a] > 0.0 else 0.0


@inner
def _singular_weights(base, freedom, model, work):  # type: ignore[no-untyped-def]
    """Write the weights of a singular within-class matrix: the limit of a ridge that goes to 0."""
    # attributes are scaled by their total deviation; directions with within-class variance get the inverse there, and
    # differences of means along the others go into null_weights
    d = work.total.shape[0]
    _scale(work)
    for a in range(d):
        for b in range(d):
            # S scaled to D^-1/2 S D^-1/2, D the total sums of squares: which directions count as null then does not
            # depend on units
            work.matrix[a, b] = work.within[a, b] * work.floor[a] * work.floor[b]
    eigen(work.matrix, work.vectors, True)
    for c in range(base + 1, model.counts.shape[0]):
        model.weights[c] = 0.0
        model.null_weights[c] = 0.0
        if model.counts[c] == 0:
            continue
        length = 0.0
        null_length = 0.0
        for k in range(d):
            # v' D^-1/2 (mean_c - mean_base): the difference of the means along eigenvector v
            along = 0.0
            for a in range(d):
                along += work.vectors[k, a] * work.floor[a] * (work.means[c, a] - work.means[base, a])
            length += along * along
            if work.matrix[k, k] > RANK_TOLERANCE:
                # v' (mean_c - mean_base) / eigenvalue, summed over the eigenvectors v: the inverse there
                along *= freedom / work.matrix[k, k]
                for a in range(d):
                    model.weights[c, a] += along * work.vectors[k, a] * work.floor[a]
            else:
                null_length += along * along
                for a in range(d):
                    model.null_weights[c, a] += along * work.vectors[k, a] * work.floor[a]
        if null_length <= RANK_TOLERANCE * length:
            model.null_weights[c] = 0.0


@kernel
def _train(X, y, rows, m, rule, model, work):  # type: ignore[no-untyped-def]
    """Write the model of m training positions; return the class always predicted, or the kind of discriminant."""
    if m == 0:
        return NO_CASES
    d = X.shape[1]
    _class_means(X, y, rows, m, model.counts, work.means)
    n_classes = model.counts.shape[0]
    present, base = 0, -1
    for c in range(n_classes):
        if model.counts[c] > 0:
            present += 1
            base = c if base < 0 else base
    if present == 1:
        return base
    wide = is_wide(d, m)
    F = np.empty((0, 0))
    if wide:
        F = within_rows(X, y, rows, m, n_classes)
    else:
        _within_sums(X, y, rows, m, work)
    _totals(model.counts, m, F, work)
    if rule.threshold >= 0.0:
        # with fewer cases than attributes the least eigenvalue is 0: the rank is m - 1 at most
        if wide and (rule.threshold > 0.0 or not (np.any(work.total) if rule.total else np.any(F))):
            return base
        if not wide and _is_degenerate(model.counts, rule, work):
            return base
    # the pooled covariance is the within-class sums over m - K; its inverse times m - K is that of the sums
    freedom = max(m - present, 1)
    # scores are differences from the lowest class, which another training set may not have had
    model.weights[base], model.null_weights[base], model.offsets[base] = 0.0, 0.0, 0.0
    first = rows[0]
    for c in range(base + 1, n_classes):
        if model.counts[c] > 0:
            # Fisher (1936): with S the pooled covariance the log odds against the base class are
            # log(n_c / n_base) + (mean_c - mean_base)' S^-1 (x - (mean_c + mean_base) / 2)
            for a in range(d):
                model.middles[c, a] = X[first, a] + 0.5 * (work.means[c, a] + work.means[base, a])
            ratio = model.counts[c] / model.counts[base]
            model.offsets[c] = log(ratio) if rule.sample_priors else 0.0
    if wide:
        _scale(work)
        means, counts, scale = work.means, model.counts, work.floor
        wide_weights(F, means, counts, base, freedom, scale, RANK_TOLERANCE, model.weights, model.null_weights)
        return SINGULAR
    for a in range(d):
        # a pivot is what an attribute varies given the ones before it; below this share of its total it is none
        work.floor[a] = RANK_TOLERANCE * work.total[a]
    if not cholesky(work.within, work.floor, work.factor):
        _singular_weights(base, freedom, model, work)
        return SINGULAR
    for c in range(base + 1, n_classes):
        if model.counts[c] > 0:
            for a in range(d):
                # S^-1 (mean_c - mean_base), by the Cholesky factor of the sums of squares; they are S times m - K
                model.weights[c, a] = freedom * (work.means[c, a] - work.means[base, a])
            solve(work.factor, model.weights[c], model.weights[c])
    return REGULAR


@inner
def _score(x, weights, middle, offset):  # type: ignore[no-untyped-def]
    """Return offset + weights . (x - middle), and the sum of the terms' sizes."""
    # the size bounds the rounding error of the sum, to which a tie is relative
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
    best = 0
    while model.counts[best] == 0:
        best += 1
    best_score, best_size, best_null, best_null_size = 0.0, 0.0, 0.0, 0.0
    for c in range(best + 1, model.counts.shape[0]):
        if model.counts[c] == 0:
            continue
        score, size = _score(x, model.weights[c], model.middles[c], model.offsets[c])
        null, null_size = 0.0, 0.0
        if outcome == SINGULAR:
            null, null_size = _score(x, model.null_weights[c], model.middles[c], 0.0)
        # directions without within-class variance decide first
        step = null - best_null
        tolerance = TIE_TOLERANCE * max(null_size, best_null_size)
        wins = step > tolerance
        if not wins and step >= -tolerance:
            wins = score - best_score > TIE_TOLERANCE * max(size, best_size)
        if wins:
            best, best_score, best_size, best_null, best_null_size = c, score, size, null, null_size
    return best


@inner
def _write_probabilities(x, best, outcome, model, p):  # type: ignore[no-untyped-def]
    """Write class probabilities; directions without within-class variance decide with certainty."""
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
            # log odds against the base class: their exponentials, divided by the sum, are the posterior probabilities
            if abs(null - top_null) <= TIE_TOLERANCE * max(size, top_size):
                p[c] = _score(x, model.weights[c], model.middles[c], model.offsets[c])[0]
        most = max(most, p[c])
    normalize(p, most)


@inner
def _answer(X, cases, outcome, model, labels, probabilities):  # type: ignore[no-untyped-def]
    """Write the labels of the listed rows of X, or where ``probabilities`` has rows these."""
    for u in range(cases.shape[0]):
        x = X[cases[u]]
        best = outcome if outcome >= 0 else _best_class(x, outcome, model)
        if probabilities.shape[0] == 0:
            labels[u] = best
        else:
            _write_probabilities(x, best, outcome, model, probabilities[u])


@kernel
def train_all(X, y, n_classes, rule):  # type: ignore[no-untyped-def]
    """Return the outcome and the model of a whole sample."""
    model = empty_model(X.shape[1], n_classes)
    outcome = _train(X, y, np.arange(y.shape[0]), y.shape[0], rule, model, work_for(X.shape[1], n_classes, y.shape[0]))
    return outcome, model


@kernel
def answer_cases(X, outcome, model, labels, probabilities):  # type: ignore[no-untyped-def]
    _answer(X, np.arange(X.shape[0]), outcome, model, labels, probabilities)


@kernel
def answer_rows(X, y, rule, compact, start, cases, labels, probabilities):  # type: ignore[no-untyped-def]
    """Write labels or probabilities of the tested cases; return the first tested row without training cases, or -1."""
    d, n_classes = X.shape[1], probabilities.shape[1]
    counts = np.empty(compact.n, dtype=np.int32)
    rows = np.empty(0, dtype=np.int64)
    model = empty_model(d, n_classes)
    most = 0
    if d >= LEAST_ATTRIBUTES:  # whether all training sets are wide
        for r in range(start.shape[0] - 1):
            training_row(compact, r, counts)
            most = max(most, counts.sum())
    work = work_for(d, n_classes, most)
    for r in range(start.shape[0] - 1):
        if start[r] == start[r + 1]:
            continue
        training_row(compact, r, counts)
        m = counts.sum()
        if m > rows.shape[0]:
            rows = np.empty(m, dtype=np.int64)
        at = 0
        for i in range(compact.n):
            for _ in range(counts[i]):
                rows[at] = i
                at += 1
        outcome = _train(X, y, rows, m, rule, model, work)
        if outcome == NO_CASES:
            return r
        tested = slice(start[r], start[r + 1])
        _answer(X, cases[tested], outcome, model, labels[tested], probabilities[tested])
    return -1


@kernel
def label_samples(X, y, n_classes, rule, tested, folds, labels):  # type: ignore[no-untyped-def]
    """Label cases by each sample of a stack, or with ``folds`` its own; return a sample in one fold, or -1."""
    samples, n, d = X.shape
    cross = folds.shape[0] > 0
    rows = np.arange(n)
    each = np.arange(labels.shape[1])
    result = np.empty(n, dtype=np.int64)
    none = np.empty((0, n_classes))
    model = empty_model(d, n_classes)
    work = work_for(d, n_classes, n)
    for s in range(samples):
        if not cross:
            outcome = _train(X[s], y[s], rows, n, rule, model, work)
            _answer(tested[s if tested.shape[0] > 1 else 0], each, outcome, model, labels[s], none)
            continue
        for fold in range(folds[s].max() + 1):
            m, last = 0, n
            for i in range(n):
                if folds[s, i] != fold:
                    rows[m] = i
                    m += 1
                else:
                    last -= 1
                    rows[last] = i
            if m == n:
                continue
            outcome = _train(X[s], y[s], rows, m, rule, model, work)
            if outcome == NO_CASES:
                return s
            _answer(X[s], rows[m:], outcome, model, result, none)
            for u in range(n - m):
                labels[s, rows[m + u]] = result[u]
    return -1
