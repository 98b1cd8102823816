"""What compiled support vector machines work with: settings, memory, distinct cases in canonical order, Gram matrices.

Sums run over the attributes in their order, so that a kernel value has the same bits wherever it is computed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from errorest.compiled import inner, maker

# Cases that a pass of the solver takes at once; four vectors of four floats
_LANES = 16

# Rows of a multiple of as many floats lie in the same few lines of a cache
_CROWDED = 64


@inner
def padded(m):  # type: ignore[no-untyped-def]
    """Return the number of cases that passes over m of them read."""
    return (m + _LANES - 1) // _LANES * _LANES


@inner
def stride(m):  # type: ignore[no-untyped-def]
    """Return the length of a row of kernel values of m cases."""
    wide = padded(m)
    return wide + _LANES if wide % _CROWDED == 0 else wide


class Rule(NamedTuple):
    """Settings as compiled code reads them."""

    linear: bool
    gamma: float  # 0 goes by scale
    cost: float
    standardize: bool
    own_scale: bool  # whether every training set has a Gram matrix of its own
    weighted: bool
    tolerance: float
    guard: float  # a closer decision reached from another solution is made again from the start of a fit


class Machines(NamedTuple):
    """The machines of some fits; pairs by :func:`compendium.methods.learners.svm.machines.pair_of`."""

    present: np.ndarray  # whether a class has a training case
    size: np.ndarray  # support vectors of a pair; -1 where a class of it has no case
    case: np.ndarray  # the support vectors, distinct cases
    coef: np.ndarray
    bias: np.ndarray
    beta: np.ndarray  # the solution by distinct case
    residual: np.ndarray
    gap: np.ndarray  # what is left of the violation of its conditions


class Fits(NamedTuple):
    """Training sets that are worked on together, the first dimension of all arrays."""

    cases: np.ndarray  # distinct cases that have kernel values
    begin: np.ndarray  # where those of each class begin
    counts: np.ndarray  # how often each is trained on
    kept: np.ndarray  # 0 for a case that its problems leave out
    asked: np.ndarray  # whether machines are to be made
    left_out: np.ndarray  # the case that the whole sample has once more, -1 where there is none
    mean: np.ndarray
    deviation: np.ndarray
    gamma: np.ndarray
    scaled: np.ndarray  # scaled[f, a, t]: attribute a of distinct case t
    gram: np.ndarray  # whose kernel values are a fit's
    K: np.ndarray


FIT, PAIR, CASES, STEPS = range(4)
"""Places in :attr:`Problem.whole`: whose problem it is, how many cases it has, how many steps it may still take."""
TOP, BOTTOM, GAP, TOLERANCE = range(4)
"""Places in :attr:`Problem.real`: the largest residual that may rise, the least that may fall, what they violate."""


class Problem(NamedTuple):
    """Memory for one problem of two classes: its cases, kernel values, ranges and solution."""

    whole: np.ndarray
    real: np.ndarray
    members: np.ndarray
    Q: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    beta: np.ndarray
    residual: np.ndarray
    rising: np.ndarray  # 0 where a coefficient may rise, else minus infinity
    falling: np.ndarray  # 0 where it may fall, else infinity
    diagonal: np.ndarray  # of Q
    inverse: np.ndarray  # reciprocal curvatures along the pairs of a case, in the rows of those inverted
    inverted: np.ndarray
    gains: np.ndarray  # what cases would win as partners


class Work(NamedTuple):
    """The two problems that are solved side by side, the fit and classes of the next, and scores of classes."""

    one: Problem
    two: Problem
    queue: np.ndarray
    scores: np.ndarray


@maker
def make_machines(number, n_classes, u):  # type: ignore[no-untyped-def]
    """Return machines of some fits of up to u distinct cases, all of them absent."""
    pairs = n_classes * (n_classes - 1) // 2
    return Machines(
        np.zeros((number, n_classes), dtype=np.bool_),
        np.full((number, pairs), -1, dtype=np.int64),
        np.empty((number, pairs, u), dtype=np.int64),
        np.empty((number, pairs, u)),
        np.zeros((number, pairs)),
        np.zeros((number, pairs, u)),
        np.zeros((number, pairs, u)),
        np.zeros((number, pairs)),
    )


@maker
def make_fits(number, n_classes, d, u):  # type: ignore[no-untyped-def]
    """Return memory for some fits of up to u distinct cases of d attributes, each with its own kernel values."""
    return Fits(
        np.zeros(number, dtype=np.int64),
        np.zeros((number, n_classes + 1), dtype=np.int64),
        np.zeros((number, u), dtype=np.int64),
        np.zeros((number, u), dtype=np.int64),
        np.ones(number, dtype=np.bool_),
        np.full(number, -1),
        np.zeros((number, d)),
        np.ones((number, d)),
        np.zeros(number),
        np.empty((number, d, u)),
        np.arange(number),
        np.zeros((number, u, stride(u))),
    )


@maker
def make_problem(u):  # type: ignore[no-untyped-def]
    """Return memory for problems of up to u distinct cases."""
    wide = padded(u)
    return Problem(
        np.zeros(4, dtype=np.int64),
        np.zeros(4),
        np.empty(u, dtype=np.int64),
        np.zeros((u, stride(u))),
        np.empty(u),
        np.empty(u),
        np.empty(u),
        np.empty(wide),
        np.empty(wide),
        np.empty(wide),
        np.empty(wide),
        np.empty((u, stride(u))),
        np.empty(u, dtype=np.bool_),
        np.empty(wide),
    )


@maker
def make_work(n_classes, u):  # type: ignore[no-untyped-def]
    """Return memory for fits of up to u distinct cases."""
    return Work(make_problem(u), make_problem(u), np.zeros(3, dtype=np.int64), np.empty(n_classes))


_LOG2_E = 1.4426950408889634
_ROUND = 6755399441055744.0  # 1.5 * 2**52: a double to which this is added is rounded to a whole number
_LN2_HIGH = 0.6931471803691238  # ends in zero bits, so that small multiples are exact
_LN2_LOW = 1.9082149292705877e-10
_LEAST = -700.0


class Layout(NamedTuple):
    """The distinct cases of a sample, sorted by class and then by their values."""

    values: np.ndarray  # values[a, t]: attribute a of distinct case t
    begin: np.ndarray  # where the cases of each class begin
    distinct: np.ndarray  # the distinct case that each case is


@inner
def _precedes(X, y, i, j):  # type: ignore[no-untyped-def]
    """Whether case i comes before case j: by class, then by the first attribute in which they differ."""
    if y[i] != y[j]:
        return y[i] < y[j]
    for a in range(X.shape[1]):
        if X[i, a] != X[j, a]:
            return X[i, a] < X[j, a]
    return False


@maker
def lay_out(X, y, n_classes):  # type: ignore[no-untyped-def]
    """Lay the distinct cases of a sample out."""
    n, d = X.shape
    order = np.empty(n, dtype=np.int64)
    for i in range(n):  # stable, by binary insertion: few cases, which most often differ in their first attribute
        low, high = 0, i
        while low < high:
            middle = (low + high) // 2
            if _precedes(X, y, i, order[middle]):
                high = middle
            else:
                low = middle + 1
        for k in range(i, low, -1):
            order[k] = order[k - 1]
        order[low] = i
    distinct = np.empty(n, dtype=np.int64)
    first = np.empty(n, dtype=np.int64)
    begin = np.zeros(n_classes + 1, dtype=np.int64)
    u = 0
    for k in range(n):
        i = order[k]
        if k == 0 or _precedes(X, y, order[k - 1], i):
            first[u] = i
            begin[y[i] + 1] += 1
            u += 1
        distinct[i] = u - 1
    for c in range(n_classes):
        begin[c + 1] += begin[c]
    values = np.empty((d, u))
    for t in range(u):
        for a in range(d):
            values[a, t] = X[first[t], a]
    return Layout(values, begin, distinct)


@inner
def scaling(values, u, counts, mean, deviation):  # type: ignore[no-untyped-def]
    """Write mean and deviation (divisor: all cases; 1 for a constant) of the attributes of a training multiset."""
    n = 0
    for t in range(u):
        n += counts[t]
    for a in range(values.shape[0]):
        total = 0.0
        least = np.inf
        greatest = -np.inf
        for t in range(u):
            if counts[t] > 0:
                total += counts[t] * values[a, t]
                least = min(least, values[a, t])
                greatest = max(greatest, values[a, t])
        centre = total / n
        squares = 0.0
        for t in range(u):
            if counts[t] > 0:
                difference = values[a, t] - centre
                squares += counts[t] * (difference * difference)
        mean[a] = centre
        deviation[a] = np.sqrt(squares / n) if least < greatest and squares > 0.0 else 1.0


@inner
def scale_cases(values, u, mean, deviation, scaled):  # type: ignore[no-untyped-def]
    """Write standardised values of the first u cases."""
    for a in range(values.shape[0]):
        for t in range(u):
            scaled[a, t] = (values[a, t] - mean[a]) / deviation[a]


@inner
def _exponentials(row, m, gamma, ticks):  # type: ignore[no-untyped-def]
    """Replace squared distances by exp(-gamma * them), to the last bit or two, at least exp(-700)."""
    for t in range(m):
        x = -gamma * row[t]
        x = x if x > _LEAST else _LEAST
        tick = x * _LOG2_E + _ROUND
        ticks[t] = tick
        whole = tick - _ROUND
        r = (x - whole * _LN2_HIGH) - whole * _LN2_LOW
        p = 1.0 / 6227020800.0
        p = p * r + 1.0 / 479001600.0
        p = p * r + 1.0 / 39916800.0
        p = p * r + 1.0 / 3628800.0
        p = p * r + 1.0 / 362880.0
        p = p * r + 1.0 / 40320.0
        p = p * r + 1.0 / 5040.0
        p = p * r + 1.0 / 720.0
        p = p * r + 1.0 / 120.0
        p = p * r + 1.0 / 24.0
        p = p * r + 1.0 / 6.0
        p = p * r + 0.5
        p = p * r + 1.0
        row[t] = p * r + 1.0
    bits = row.view(np.int64)
    tick_bits = ticks.view(np.int64)
    for t in range(m):
        # the last bits of a tick are the power of two, which is added to the exponent
        bits[t] += tick_bits[t] << 52


@inner
def kernel_row(values, m, case, linear, gamma, row, ticks):  # type: ignore[no-untyped-def]
    """Write the kernel values of a case with the first m of the laid-out cases."""
    d = values.shape[0]
    for t in range(m):
        row[t] = 0.0
    a = 0
    if linear:
        for a in range(d):
            here = case[a]
            for t in range(m):
                row[t] += values[a, t] * here
        return
    while a + 4 <= d:  # four attributes in one sweep, still added one after another
        c0, c1, c2, c3 = case[a], case[a + 1], case[a + 2], case[a + 3]
        for t in range(m):
            d0 = values[a, t] - c0
            d1 = values[a + 1, t] - c1
            d2 = values[a + 2, t] - c2
            d3 = values[a + 3, t] - c3
            row[t] = (((row[t] + d0 * d0) + d1 * d1) + d2 * d2) + d3 * d3
        a += 4
    while a < d:
        here = case[a]
        for t in range(m):
            difference = values[a, t] - here
            row[t] += difference * difference
        a += 1
    _exponentials(row, m, gamma, ticks)


@maker
def gram(values, u, linear, gamma, K, ticks):  # type: ignore[no-untyped-def]
    """Write the kernel values of all pairs of the first u laid-out cases."""
    d = values.shape[0]
    case = np.empty(d)
    for s in range(u):
        for a in range(d):
            case[a] = values[a, s]
        kernel_row(values, s + 1, case, linear, gamma, K[s], ticks)
        for t in range(s):
            K[t, s] = K[s, t]
