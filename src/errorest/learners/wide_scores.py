"""The linear discriminant of many attributes and few cases, in matrices of cases by cases.

The within-class sums of squares and products, d x d, are F'F of fewer than m rows; FF', m x m at most, gives the
same scores for less time and memory.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from errorest.compiled import kernel
from errorest.symmetric_matrices import cholesky, eigen, solve

LEAST_ATTRIBUTES = 101
"""From this many attributes on a training set with fewer cases than attributes goes this way.

Below it the matrices of attributes are small enough, and results that were recorded with them keep their bits.
"""

# Least eigenvalue, as a share of their sum, from which a Cholesky factor is exact enough: of the sixteen digits of a
# double each of the two solves loses six at most
_FULL_RANK = 1e-6

# Share of a squared length that is rounding alone: (1e-12)^2
_NOTHING = 1e-24


@kernel
def is_wide(d, m):  # type: ignore[no-untyped-def]
    """Return whether m training cases with d attributes are done in matrices of cases."""
    return d >= LEAST_ATTRIBUTES and d > m


@kernel
def within_rows(X, y, rows, m, n_classes):  # type: ignore[no-untyped-def]
    """Return F', (d, r), whose F'F are the within-class sums of squares and products: steps from the running means."""
    # q different cases of a class give q - 1 columns; consecutive copies of a case are one case with that weight
    d = X.shape[1]
    first = rows[0]
    case = np.empty(m, dtype=np.int64)
    weight = np.zeros(m)
    distinct = 0
    for t in range(m):
        i = rows[t]
        same = False
        if distinct > 0:
            j = case[distinct - 1]
            same = y[i] == y[j]
            a = 0
            while same and a < d:
                same = X[i, a] == X[j, a]
                a += 1
        if not same:
            case[distinct] = i
            distinct += 1
        weight[distinct - 1] += 1.0
    before = np.zeros(n_classes)
    factor = np.empty(distinct)
    share = np.empty(distinct)
    column = np.empty(distinct, dtype=np.int64)
    r = 0
    for u in range(distinct):
        c = y[case[u]]
        column[u] = -1 if before[c] == 0.0 else r
        r += before[c] > 0.0
        # w cases at x change a class's sums of squares by w n / (n + w) (x - mean)(x - mean)', n and mean before them
        # (Chan, Golub & LeVeque 1983, The American Statistician 37)
        factor[u] = sqrt(weight[u] * before[c] / (before[c] + weight[u]))
        before[c] += weight[u]
        share[u] = weight[u] / before[c]
    F = np.empty((d, r))
    means = np.empty((n_classes, d))
    means[:] = 0.0
    for u in range(distinct):
        i = case[u]
        c = y[i]
        for a in range(d):
            step = (X[i, a] - X[first, a]) - means[c, a]
            if column[u] >= 0:
                F[a, column[u]] = factor[u] * step
                means[c, a] += share[u] * step
            else:
                means[c, a] = step
    return F


@kernel
def _products(F):  # type: ignore[no-untyped-def]
    """Return FF', four attributes at a time."""
    d, r = F.shape
    G = np.zeros((r, r))
    for a in range(0, d - d % 4, 4):
        p, q, s, t = F[a], F[a + 1], F[a + 2], F[a + 3]
        for i in range(r):
            row = G[i]
            for j in range(i + 1):
                # a fixed order of additions: the same bits wherever it runs
                row[j] += (p[i] * p[j] + q[i] * q[j]) + (s[i] * s[j] + t[i] * t[j])
    for a in range(d - d % 4, d):
        p = F[a]
        for i in range(r):
            for j in range(i + 1):
                G[i, j] += p[i] * p[j]
    for i in range(r):
        for j in range(i):
            G[j, i] = G[i, j]
    return G


@kernel
def _inverses(G, alongs, once, twice, tolerance):  # type: ignore[no-untyped-def]
    """Write G^-1 and G^-2, within eigenvalues above the tolerance, times each row of ``alongs``."""
    # with S = F'F and G = FF', S's pseudo-inverse is F' G^-2 F, and F' G^-1 F projects onto the span of F's rows
    r = G.shape[0]
    trace = 0.0
    for k in range(r):
        trace += G[k, k]
    shift = max(_FULL_RANK * trace, tolerance)
    shifted, L, floor = G.copy(), np.empty((r, r)), np.zeros(r)
    for k in range(r):
        shifted[k, k] -= shift
    # a factor of the shifted matrix exists if and only if all eigenvalues are above the shift
    if cholesky(shifted, floor, L) and cholesky(G, floor, L):
        for c in range(alongs.shape[0]):
            solve(L, alongs[c], once[c])
            solve(L, once[c], twice[c])
        return
    eigen(G, L, True)
    once[:] = 0.0
    twice[:] = 0.0
    for c in range(alongs.shape[0]):
        for k in range(r):
            if G[k, k] > tolerance:
                part = 0.0
                for t in range(r):
                    part += L[k, t] * alongs[c, t]
                part /= G[k, k]
                for t in range(r):
                    once[c, t] += part * L[k, t]
                    twice[c, t] += part / G[k, k] * L[k, t]


@kernel
def wide_weights(F, means, counts, base, freedom, scale, tolerance, weights, null_weights):  # type: ignore[no-untyped-def]
    """Write each class's weights within the span of F, and outside of it; F is overwritten."""
    d, r = F.shape
    classes = counts.shape[0]
    for a in range(d):
        for k in range(r):
            F[a, k] *= scale[a]
    alongs, once, twice = np.zeros((classes, r)), np.zeros((classes, r)), np.zeros((classes, r))
    for c in range(base + 1, classes):
        if counts[c] > 0:
            for a in range(d):
                step = scale[a] * (means[c, a] - means[base, a])
                for k in range(r):
                    alongs[c, k] += step * F[a, k]
    _inverses(_products(F), alongs, once, twice, tolerance)
    for c in range(base + 1, classes):
        weights[c] = 0.0
        null_weights[c] = 0.0
        if counts[c] == 0:
            continue
        length, inside_length, null_length = 0.0, 0.0, 0.0
        for a in range(d):
            step = scale[a] * (means[c, a] - means[base, a])
            inside, weight = 0.0, 0.0
            for k in range(r):
                inside += F[a, k] * once[c, k]
                # F' G^-1 F step, the projection of the step onto the span, and F' G^-2 F step, the pseudo-inverse of S
                # times it; once and twice hold G^-1 F step and G^-2 F step
                weight += F[a, k] * twice[c, k]
            length += step * step
            inside_length += inside * inside
            # what the projection leaves is orthogonal to all within-class variation
            null_length += (step - inside) ** 2
            weights[c, a] = freedom * weight * scale[a]
            null_weights[c, a] = (step - inside) * scale[a]
        if null_length <= tolerance * length:
            null_weights[c] = 0.0
        if inside_length <= _NOTHING * length:
            weights[c] = 0.0
