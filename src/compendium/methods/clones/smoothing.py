"""How the cases of a class are smoothed: noise along whitened directions, weights for integer attributes."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from compendium.methods.clones.bandwidths import FAR_WEIGHT, bandwidth_of
from errorest.compiled import kernel
from errorest.symmetric_matrices import eigen

# A direction is null where its variance is below this share of what uncorrelated attributes would give it.
NULL_SHARE = 1e-10


@kernel
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


@kernel
def directions_of(X):  # type: ignore[no-untyped-def]
    """Return mean, eigenvectors (r, p) and variances (r,) of the covariance (equations 15-17), null ones left out."""
    p = X.shape[1]
    mean, covariance = _covariance(X)
    spread = np.diag(covariance).copy()
    V = np.empty((p, p))
    eigen(covariance, V, True)
    directions = np.empty((p, p))
    variances = np.empty(p)
    rank = 0
    for a in np.argsort(-np.diag(covariance), kind="mergesort"):
        uncorrelated = 0.0
        for j in range(p):
            uncorrelated += V[a, j] * V[a, j] * spread[j]
        if covariance[a, a] > NULL_SHARE * uncorrelated:
            sign = -1.0 if V[a, np.argmax(np.abs(V[a]))] < 0.0 else 1.0
            directions[rank] = sign * V[a]
            variances[rank] = covariance[a, a]
            rank += 1
    return mean, directions[:rank], variances[:rank]


@kernel
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


# Integer attributes with more values than this have their weights computed when they are drawn.
_LARGEST_TABLE = 512


class ContinuousSmoothing(NamedTuple):
    """Noise for p continuous attributes of m cases, by pattern of known values (P of them)."""

    pattern: np.ndarray  # (m,) of each case
    rank: np.ndarray  # (P,) directions that are smoothed
    noise: np.ndarray  # (P, p, p) row k: what a unit of noise along direction k adds to each attribute
    bandwidths: np.ndarray  # (P, p) of each direction, in whitened units
    scaled: np.ndarray  # (m, p) cases in units of the bandwidths along the directions of their pattern


class IntegerSmoothing(NamedTuple):
    """Weights for q integer attributes of m cases; the values of all of them stand one after another (T of them)."""

    level: np.ndarray  # (m, q) place of each case's value among the attribute's, -1 where missing
    support: np.ndarray  # (T,) the distinct values of each attribute, rising
    start: np.ndarray  # (q,) where an attribute's values start in ``support``
    size: np.ndarray  # (q,) how many there are
    log_h: np.ndarray  # (q,) logarithm of the bandwidth, ln .05 / s²; 0 where the values do not vary
    total: np.ndarray  # (T,) sum of the weights around each value, before they are made proportions
    table: np.ndarray  # proportions, for each value of an attribute a row of its own
    table_start: np.ndarray  # (q,) where an attribute's rows start in ``table``, -1 where it has too many values


class Smoothing(NamedTuple):
    """Both kinds of smoothing of one class, or of all classes pooled."""

    continuous: ContinuousSmoothing
    integer: IntegerSmoothing


def fit_smoothing(V: np.ndarray, U: np.ndarray, stages: int, ratio: float) -> Smoothing:
    """Fit the smoothing of the cases of one class."""
    m, p = V.shape
    unknown = np.isnan(V)
    if unknown.any():
        known, pattern = np.unique(~unknown, axis=0, return_inverse=True)
        pattern = pattern.reshape(m)
    else:
        known, pattern = np.ones((1, p), dtype=bool), np.zeros(m, dtype=np.int64)
    P = known.shape[0]
    rank = np.zeros(P, dtype=np.int64)
    noise, bandwidths, scaled = np.zeros((P, p, p)), np.zeros((P, p)), np.zeros((m, p))
    for k in range(P):
        columns = np.flatnonzero(known[k])
        complete = V if P == 1 and columns.size == p else V[~unknown[:, columns].any(axis=1)]
        members = np.flatnonzero(pattern == k)
        fitted = rank[k : k + 1], noise[k], bandwidths[k], scaled
        _fit_pattern(np.ascontiguousarray(complete[:, columns]), V, columns, members, stages, ratio, *fitted)
    continuous = ContinuousSmoothing(pattern, rank, noise, bandwidths, scaled)
    return Smoothing(continuous, IntegerSmoothing(*_fit_integers(U)))


@kernel
def _fit_pattern(complete, V, columns, members, stages, ratio, rank, noise, bandwidths, scaled):  # type: ignore[no-untyped-def]
    result, eigenvalues, h = smoothed_directions(complete, stages, ratio)
    r, p = result.shape
    rank[0] = r
    for k in range(r):
        bandwidths[k] = h[k]
        width = math.sqrt(eigenvalues[k]) * h[k]
        for j in range(p):
            noise[k, columns[j]] = result[k, j] * width
        for i in members:
            total = 0.0
            for j in range(p):
                # distances alone matter, so that any origin near the cases will do
                total += (V[i, columns[j]] - complete[0, j]) * result[k, j]
            scaled[i, k] = total / width


@kernel
def _fit_integers(U):  # type: ignore[no-untyped-def]
    m, q = U.shape
    level = np.full((m, q), -1, dtype=np.int64)
    start, size = np.zeros(q, dtype=np.int64), np.zeros(q, dtype=np.int64)
    log_h, table_start = np.zeros(q), np.full(q, -1, dtype=np.int64)
    support = np.empty(m * q)
    values, places = 0, 0
    for j in range(q):
        cases = np.flatnonzero(~np.isnan(U[:, j]))
        start[j] = values
        if cases.size == 0:
            continue
        known = U[cases, j]
        distinct = np.unique(known)
        size[j] = distinct.size
        support[values : values + size[j]] = distinct
        values += size[j]
        level[cases, j] = np.searchsorted(distinct, known)
        if size[j] > 1:
            # from the first value, so that an offset costs no digits
            apart = known - known[0]
            apart -= apart.sum() / cases.size
            log_h[j] = math.log(FAR_WEIGHT) / ((apart * apart).sum() / (cases.size - 1))
        if size[j] <= _LARGEST_TABLE:
            table_start[j] = places
            places += size[j] * size[j]
    totals = np.empty(values)
    table = np.empty(places)
    for j in range(q):
        own = support[start[j] : start[j] + size[j]]
        for t in range(size[j]):
            total = 0.0
            for s in range(size[j]):
                total += math.exp(log_h[j] * (own[s] - own[t]) ** 2)
            totals[start[j] + t] = total
            if table_start[j] >= 0:
                row = table_start[j] + t * size[j]
                for s in range(size[j]):
                    table[row + s] = math.exp(log_h[j] * (own[s] - own[t]) ** 2) / total
    return level, support[:values].copy(), start, size, log_h, totals, table, table_start
