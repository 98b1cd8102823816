"""Linear and quadratic discriminants as scikit-learn has them, where the covariance matrices are well conditioned."""

from __future__ import annotations

from math import inf, log

import numpy as np

from errorest.compiled import inner, kernel
from errorest.learners.equals.batch import MARGIN, class_means, decide, prepare_row
from errorest.symmetric_matrices import cholesky, eigen, solve

# Least eigenvalue of a correlation matrix: a hundred thousand roundings above what matters to the label, and far above
# scikit-learn's own tolerance of rank, 1e-4 for singular values
_LEAST_EIGENVALUE = 1e-5
# Least share of an eigenvalue of a covariance matrix of its trace, where scikit-learn does not scale the columns
_LEAST_OF_LARGEST = 1e-5
# Least share of the largest direction between class means; scikit-learn drops those below 1e-8 of squares
_LEAST_BETWEEN = 1e-6


@inner
def _add_scatter(Z, y, weights, only, mean, share, scatter):  # type: ignore[no-untyped-def]
    """Add the weighted squares and products about the class means, of one class or (-1) of all, each with its share."""
    d = mean.shape[1]
    for i in range(y.shape[0]):
        c = y[i]
        if weights[i] > 0 and only in (-1, c):
            for a in range(d):
                left = share[c] * weights[i] * (Z[i, a] - mean[c, a])
                for b in range(a + 1):
                    scatter[a, b] += left * (Z[i, b] - mean[c, b])
    for a in range(d):
        for b in range(a):
            scatter[b, a] = scatter[a, b]


@inner
def _inverse_trace(L, column):  # type: ignore[no-untyped-def]
    """Return the trace of the inverse of L L', the diagonal of L as reciprocals; one over it bounds the eigenvalues."""
    d = L.shape[0]
    trace = 0.0
    for j in range(d):
        # column j of the inverse of L, by forward substitution; the trace of (L L')^-1 is the sum of their squares
        for i in range(j, d):
            entry = 1.0 if i == j else 0.0
            for k in range(j, i):
                entry -= L[i, k] * column[k]
            column[i] = entry * L[i, i]
            trace += column[i] * column[i]
    return trace


@inner
def _factor(scatter, floor, scale, matrix, L, column):  # type: ignore[no-untyped-def]
    """Write the Cholesky factor of the correlation matrix and 1 / deviation; False where it is badly conditioned."""
    d = floor.shape[0]
    for a in range(d):
        floor[a] = 0.0
        if not scatter[a, a] > 0.0:
            return False
        scale[a] = 1.0 / np.sqrt(scatter[a, a])
    for a in range(d):
        for b in range(d):
            matrix[a, b] = scatter[a, b] * scale[a] * scale[b]
    return cholesky(matrix, floor, L) and _inverse_trace(L, column) < 1.0 / _LEAST_EIGENVALUE


@inner
def _least_eigenvalue(scale, L, column):  # type: ignore[no-untyped-def]
    """Return a lower bound of the eigenvalues of the covariance matrix whose correlations were factored."""
    # that of the correlation matrix times the least variance
    least = inf
    for a in range(scale.shape[0]):
        least = min(least, 1.0 / (scale[a] * scale[a]))
    return least / _inverse_trace(L, column)


@kernel
def linear(tables, y, compact, first, last, start, cases, rule, labels, probabilities, doubtful, left):  # type: ignore[no-untyped-def]
    """Fit LinearDiscriminantAnalysis on every row.

    The rule holds priors, whether covariances are weighted by them, whether their divisor is m minus classes, and K.
    """
    priors, by_priors, unbiased, n_classes = rule
    n, d = tables.shape[1:]
    weights, counts, share = np.empty(n, np.int32), np.empty(n_classes, np.int64), np.empty(n_classes)
    mean, coefficients = np.empty((n_classes, d)), np.empty((n_classes, d))
    scatter, matrix, L = np.empty((d, d)), np.empty((d, d)), np.empty((d, d))
    floor, scale, grand, column = np.empty(d), np.empty(d), np.empty(d), np.empty(d)
    log_prior, constant, scores = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    between, vectors = np.empty((n_classes, n_classes)), np.empty((0, 0))
    for r in range(first, last):
        if start[r] == start[r + 1] or left[r]:
            continue
        Z = tables[min(r - first, tables.shape[0] - 1)]
        m = prepare_row(compact, r, y, priors, True, weights, counts, log_prior)
        present = (counts > 0).sum()
        if m == 0 or m - present < d:
            left[r] = True
            continue
        class_means(Z, y, weights, counts, mean)
        grand[:], scatter[:] = 0.0, 0.0
        for c in range(n_classes):
            prior = np.exp(log_prior[c])
            share[c] = 1.0 / (m - present) if unbiased else 1.0 / m
            if by_priors:
                # sum of prior_c S_c, S_c with divisor n_c
                share[c] = prior / max(counts[c], 1)
            for a in range(d):
                grand[a] += prior * mean[c, a]
        _add_scatter(Z, y, weights, -1, mean, share, scatter)
        if not _factor(scatter, floor, scale, matrix, L, column):
            left[r] = True
            continue
        # lsqr solves with the covariance matrix as it is, whatever the units of the columns
        if by_priors and _least_eigenvalue(scale, L, column) < _LEAST_OF_LARGEST * np.trace(scatter):
            left[r] = True
            continue
        for c in range(n_classes):
            for a in range(d):
                column[a] = (mean[c, a] - grand[a]) * scale[a]
            solve(L, column, coefficients[c])
            constant[c] = log_prior[c]
            for a in range(d):
                # S^-1 (mean_c - grand), by the correlation matrix
                coefficients[c, a] *= scale[a]
                # log prior_c + (mean_c - grand)' S^-1 (x - grand) - (mean_c - grand)' S^-1 (mean_c - grand) / 2
                constant[c] -= 0.5 * coefficients[c, a] * (mean[c, a] - grand[a])
        if present > 2 and not by_priors:
            # scikit-learn's svd drops directions in which class means hardly differ
            for c in range(n_classes):
                for e in range(n_classes):
                    between[c, e] = 0.0
                    for a in range(d):
                        between[c, e] += coefficients[c, a] * (mean[e, a] - grand[a])
                    between[c, e] *= np.exp(0.5 * (log_prior[c] + log_prior[e]))
            if not _spans(between, vectors, min(present - 1, d)):
                left[r] = True
                continue
        for t in range(start[r], start[r + 1]):
            x = Z[cases[t]]
            for c in range(n_classes):
                scores[c] = constant[c]
                if counts[c] > 0:
                    for a in range(d):
                        scores[c] += coefficients[c, a] * (x[a] - grand[a])
            decide(scores, MARGIN, t, labels, probabilities, doubtful)


@inner
def _spans(between, vectors, rank):  # type: ignore[no-untyped-def]
    """Whether class means differ clearly in as many directions as they can."""
    for c in range(between.shape[0]):
        for e in range(c):
            between[c, e] = between[e, c] = 0.5 * (between[c, e] + between[e, c])
    eigen(between, vectors, False)
    largest, clear = 0.0, 0
    for c in range(between.shape[0]):
        largest = max(largest, between[c, c])
    for c in range(between.shape[0]):
        clear += between[c, c] > _LEAST_BETWEEN * largest
    return clear >= rank


@kernel
def quadratic(tables, y, compact, first, last, start, cases, rule, labels, probabilities, doubtful, left):  # type: ignore[no-untyped-def]
    """Fit QuadraticDiscriminantAnalysis on every row; the rule holds priors, tolerance, divisor n_c - 1 or n_c, K."""
    priors, tolerance, unbiased, n_classes = rule
    n, d = tables.shape[1:]
    weights, counts, share = np.empty(n, np.int32), np.empty(n_classes, np.int64), np.empty(n_classes)
    mean, scale = np.empty((n_classes, d)), np.empty((n_classes, d))
    scatter, matrix, L = np.empty((d, d)), np.empty((d, d)), np.empty((n_classes, d, d))
    floor, column = np.empty(d), np.empty(d)
    constant, scores = np.empty(n_classes), np.empty(n_classes)
    for r in range(first, last):
        if start[r] == start[r + 1] or left[r]:
            continue
        Z = tables[min(r - first, tables.shape[0] - 1)]
        if prepare_row(compact, r, y, priors, True, weights, counts, constant) == 0:
            left[r] = True
            continue
        class_means(Z, y, weights, counts, mean)
        for c in range(n_classes):
            if counts[c] == 0:
                continue
            share[c] = 1.0 / (counts[c] - 1 if unbiased and counts[c] > 1 else counts[c])
            scatter[:] = 0.0
            _add_scatter(Z, y, weights, c, mean, share, scatter)
            if counts[c] <= d or not _factor(scatter, floor, scale[c], matrix, L[c], column):
                left[r] = True
                break
            for a in range(d):
                # log prior - log det(S_c) / 2: twice the logs of the factor's diagonal, which is written as reciprocals
                constant[c] += log(L[c, a, a]) + log(scale[c, a])
            # variances are compared with an absolute tolerance, and singular values lose digits of the largest one
            least = max(2.0 * tolerance, _LEAST_OF_LARGEST**2 * np.trace(scatter))
            if _least_eigenvalue(scale[c], L[c], column) < least:
                left[r] = True
        if left[r]:
            continue
        for t in range(start[r], start[r + 1]):
            x = Z[cases[t]]
            for c in range(n_classes):
                scores[c] = constant[c]
                if counts[c] == 0:
                    continue
                # -(x - mean_c)' S_c^-1 (x - mean_c) / 2 = -|L^-1 (x - mean_c)|^2 / 2, scaled to correlations
                for i in range(d):
                    entry = (x[i] - mean[c, i]) * scale[c, i]
                    for k in range(i):
                        entry -= L[c, i, k] * column[k]
                    column[i] = entry * L[c, i, i]
                    scores[c] -= 0.5 * column[i] * column[i]
            decide(scores, MARGIN, t, labels, probabilities, doubtful)
