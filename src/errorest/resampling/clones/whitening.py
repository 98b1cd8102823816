"""Whitening: directions in which cases are uncorrelated, each smoothed by a bandwidth of its own."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from errorest.resampling.clones.bandwidths import bandwidth_of
from errorest.symmetric_matrices import eigen

# A direction is null where its variance is below this share of what uncorrelated attributes would give it.
NULL_SHARE = 1e-10


@nb.njit(cache=True)
def _covariance(X):  # type: ignore[no-untyped-def]
    n, p = X.shape
    mean = np.empty(p)
    centred = np.empty((p, n))
    for j in range(p):
        low = X[0, j]
        total = 0.0
        for i in range(n):
            total += X[i, j] - low
        offset = total / n
        mean[j] = low + offset
        for i in range(n):
            centred[j, i] = (X[i, j] - low) - offset
    covariance = np.zeros((p, p))
    if n > 1:
        for a in range(p):
            for b in range(a + 1):
                total = 0.0
                for i in range(n):
                    total += centred[a, i] * centred[b, i]
                covariance[a, b] = covariance[b, a] = total / (n - 1)
    return mean, covariance


@nb.njit(cache=True)
def directions_of(X):  # type: ignore[no-untyped-def]
    """Return mean, eigenvectors (r, p) and variances (r,) of the covariance (equations 15-17), null ones left out."""
    p = X.shape[1]
    mean, covariance = _covariance(X)
    spread = np.empty(p)
    for j in range(p):
        spread[j] = covariance[j, j]
    V = np.empty((p, p))
    eigen(covariance, V, True)
    taken = np.zeros(p, dtype=np.bool_)
    order = np.empty(p, dtype=np.int64)
    rank = 0
    for _ in range(p):
        best = -1
        for a in range(p):
            if not taken[a] and (best < 0 or covariance[a, a] > covariance[best, best]):
                best = a
        taken[best] = True
        uncorrelated = 0.0
        for j in range(p):
            uncorrelated += V[best, j] * V[best, j] * spread[j]
        if covariance[best, best] > NULL_SHARE * uncorrelated:
            order[rank] = best
            rank += 1
    directions = np.empty((rank, p))
    variances = np.empty(rank)
    for k in range(rank):
        a = order[k]
        largest = 0
        for j in range(1, p):
            if abs(V[a, j]) > abs(V[a, largest]):
                largest = j
        sign = -1.0 if V[a, largest] < 0.0 else 1.0
        for j in range(p):
            directions[k, j] = sign * V[a, j]
        variances[k] = covariance[a, a]
    return mean, directions, variances


@nb.njit(cache=True)
def smoothed_directions(X, stages, ratio):  # type: ignore[no-untyped-def]
    """Whiten cases (n, p) and choose bandwidths; return directions (r, p), variances and bandwidths (r,)."""
    n, p = X.shape
    mean, directions, variances = directions_of(X)
    rank = variances.shape[0]
    bandwidths = np.empty(rank)
    z = np.empty(n)
    for k in range(rank):
        scale = math.sqrt(variances[k])
        for i in range(n):
            total = 0.0
            for j in range(p):
                total += (X[i, j] - mean[j]) * directions[k, j]
            z[i] = total / scale
        bandwidths[k] = bandwidth_of(z, stages, ratio)
    return directions, variances, bandwidths
