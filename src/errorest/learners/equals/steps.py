"""Transformers of a pipeline, fitted on each training multiset: imputer, scalers and principal components.

One call turns all cases of a row into what the classifier is given; singular cases are left to scikit-learn.
"""

from __future__ import annotations

from math import inf, isnan, nan, sqrt
from typing import NamedTuple

import numpy as np

from errorest.compiled import inner, kernel
from errorest.resampling.multisets import training_row
from errorest.symmetric_matrices import eigen

IMPUTE, STANDARD, RANGE, COMPONENTS = range(4)
MEAN, MEDIAN, MOST_FREQUENT, CONSTANT = range(4)

# A variance below this share of the squared mean is constant to scikit-learn, or nearly so
_NEARLY_CONSTANT = 1e-16
# Eigenvalues that are nearer by this share of the largest leave the subspace of the first ones open
_GAP = 1e-6
# Squared means above this many times the gap of variances
_OFFSET = 1e4


class Steps(NamedTuple):
    """Transformers in order, as compiled code reads them."""

    kind: np.ndarray  # int, shape (S,)
    numbers: np.ndarray  # settings of each, float, shape (S, 3)
    order: np.ndarray  # cases by the value of a column, int, shape (d, n), where an imputer needs it, else (0, 0)
    width: int  # columns of the last step


class StepWork(NamedTuple):
    """Working memory: the transformed cases, and of columns shift, factor and matrices."""

    Z: np.ndarray
    mean: np.ndarray
    deviation: np.ndarray
    scatter: np.ndarray
    vectors: np.ndarray


@kernel
def transform_rows(X, steps, compact, first, start, tables, left):  # type: ignore[no-untyped-def]
    """Write the cases as every row from the first on transforms them; mark rows that scikit-learn must transform."""
    n, d = X.shape
    side = d if (steps.kind == COMPONENTS).any() else 0
    work = StepWork(np.empty((n, d)), np.empty(d), np.empty(d), np.empty((side, side)), np.empty((side, side)))
    weights = np.empty(n, np.int32)
    for r in range(first, first + tables.shape[0]):
        if start[r] == start[r + 1]:
            continue
        training_row(compact, r, weights)
        m = weights.sum()
        left[r] = m == 0 or not _transform(X, weights, m, steps, work)
        if not left[r]:
            tables[r - first] = work.Z[:, : steps.width]


@inner
def _transform(X, weights, m, steps, work):  # type: ignore[no-untyped-def]
    """Write all cases as steps fitted on m weighted cases give them; False where scikit-learn must do it."""
    n, width = X.shape
    for i in range(n):
        for a in range(width):
            work.Z[i, a] = X[i, a]
    for s in range(steps.kind.shape[0]):
        kind, numbers = steps.kind[s], steps.numbers[s]
        if kind == IMPUTE:
            # later steps see no missing value, so that it stands first or does nothing
            if s == 0 and not _impute(work.Z, weights, steps.order, int(numbers[0]), numbers[1]):
                return False
        elif kind == STANDARD:
            if not _standardize(work.Z, weights, m, width, numbers[0] > 0.0, numbers[1] > 0.0, work):
                return False
        elif kind == RANGE:
            if not _scale_range(work.Z, weights, width, numbers[0], numbers[1]):
                return False
        else:
            if not _project(work.Z, weights, m, width, int(numbers[0]), numbers[1] > 0.0, numbers[2] > 0.0, work):
                return False
            width = int(numbers[0])
    return True


@inner
def _impute(Z, weights, order, strategy, constant):  # type: ignore[no-untyped-def]
    """Replace missing values by a statistic of the training cases that know the column."""
    for a in range(order.shape[0]):
        known, total = 0, 0.0
        for i in range(Z.shape[0]):
            if not isnan(Z[i, a]):
                known += weights[i]
                total += weights[i] * Z[i, a]
        if known == 0:  # scikit-learn drops the column
            return False
        fill = constant
        if strategy == MEAN:
            fill = total / known
        elif strategy == MEDIAN:
            fill = _median(Z, weights, order[a], a, known)
        elif strategy == MOST_FREQUENT:
            fill = _mode(Z, weights, order[a], a)
        for i in range(Z.shape[0]):
            if isnan(Z[i, a]):
                Z[i, a] = fill
    return True


@inner
def _median(Z, weights, order, a, known):  # type: ignore[no-untyped-def]
    """Return the median of a column's multiset: the middle value, or the mean of the two in the middle."""
    lower, upper, covered = nan, nan, 0
    for q in range(order.shape[0]):
        i = order[q]
        if weights[i] == 0 or isnan(Z[i, a]):
            continue
        covered += weights[i]
        if isnan(lower) and 2 * covered >= known:
            lower = Z[i, a]
        if isnan(upper) and 2 * covered > known:
            upper = Z[i, a]
    return 0.5 * (lower + upper)


@inner
def _mode(Z, weights, order, a):  # type: ignore[no-untyped-def]
    """Return the most frequent value of a column's multiset, the least of equally frequent ones."""
    best, most, value, count = nan, 0, nan, 0
    for q in range(order.shape[0]):
        i = order[q]
        if weights[i] == 0 or isnan(Z[i, a]):
            continue
        count = count + weights[i] if Z[i, a] == value else weights[i]
        value = Z[i, a]
        if count > most:
            best, most = value, count
    return best


@inner
def _standardize(Z, weights, m, width, centres, scales, work):  # type: ignore[no-untyped-def]
    """Subtract the training mean and divide by the training deviation, with divisor m."""
    for a in range(width):
        mean, squares = 0.0, 0.0
        for i in range(Z.shape[0]):
            mean += weights[i] * Z[i, a]
        mean /= m
        least, largest = inf, -inf
        for i in range(Z.shape[0]):
            if weights[i] > 0:
                squares += weights[i] * (Z[i, a] - mean) ** 2
                least, largest = min(least, Z[i, a]), max(largest, Z[i, a])
        variance, factor = squares / m, 1.0
        if least == largest:
            mean = least  # of equal values exactly, and a constant column is divided by 1
        elif variance < _NEARLY_CONSTANT * max(1.0, m) * mean * mean:
            return False
        elif scales:
            factor = 1.0 / sqrt(variance)
        shift = mean if centres else 0.0
        for i in range(Z.shape[0]):
            Z[i, a] = (Z[i, a] - shift) * factor
    return True


@inner
def _scale_range(Z, weights, width, low, high):  # type: ignore[no-untyped-def]
    """Map the training range of every column on [low, high]."""
    for a in range(width):
        least, largest = inf, -inf
        for i in range(Z.shape[0]):
            if weights[i] > 0:
                least, largest = min(least, Z[i, a]), max(largest, Z[i, a])
        between = largest - least
        # to scikit-learn a range below ten roundings of 1 is none
        if 0.0 < between < 1e-14:
            return False
        factor = (high - low) / (between if between > 0.0 else 1.0)
        for i in range(Z.shape[0]):
            Z[i, a] = (Z[i, a] - least) * factor + low
    return True


@inner
def _project(Z, weights, m, width, k, whitens, auto, work):  # type: ignore[no-untyped-def]
    """Replace the columns by the first k principal components, whose signs are arbitrary."""
    # more components than the rank are refused; a larger training set that is not tall is projected at random
    if k > min(m, width) or (auto and m > 500 and m < 10 * width and k < 0.8 * min(m, width)):
        return False
    for a in range(width):
        work.mean[a] = 0.0
        for i in range(Z.shape[0]):
            work.mean[a] += weights[i] * Z[i, a]
        work.mean[a] /= m
        for b in range(width):
            work.scatter[a, b] = 0.0
    for i in range(Z.shape[0]):
        if weights[i] > 0:
            for a in range(width):
                left = weights[i] * (Z[i, a] - work.mean[a])
                for b in range(a + 1):
                    work.scatter[a, b] += left * (Z[i, b] - work.mean[b])
    for a in range(width):
        for b in range(a):
            work.scatter[b, a] = work.scatter[a, b]
    S, V = work.scatter[:width, :width], work.vectors[:width, :width]
    eigen(S, V, True)
    # the eigenvectors of the largest eigenvalues first, as rows of V
    for p in range(min(k + 1, width)):
        top = p
        for q in range(p + 1, width):
            if S[q, q] > S[top, top]:
                top = q
        S[p, p], S[top, top] = S[top, top], S[p, p]
        for a in range(width):
            V[p, a], V[top, a] = V[top, a], V[p, a]
    if S[0, 0] <= 0.0 or (k < width and S[k - 1, k - 1] - S[k, k] < _GAP * S[0, 0]):
        return False
    # scikit-learn's covariance_eigh subtracts squared means from mean squares, which loses their digits
    apart = S[k - 1, k - 1] - (S[k, k] if k < width else 0.0)
    for a in range(width):
        if work.mean[a] * work.mean[a] > _OFFSET * apart / m:
            return False
    if whitens and (m < 2 or S[k - 1, k - 1] < _GAP * S[0, 0]):
        return False
    for i in range(Z.shape[0]):
        for p in range(k):
            along = 0.0
            for a in range(width):
                along += (Z[i, a] - work.mean[a]) * V[p, a]
            # whitening divides by the deviation along the component, with divisor m - 1
            work.deviation[p] = along / sqrt(S[p, p] / (m - 1)) if whitens else along
        for p in range(k):
            Z[i, p] = work.deviation[p]
    return True
