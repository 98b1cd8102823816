"""Settings and working memory of the compiled support vector machines."""

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
    """The machines of all pairs of classes, by :func:`errorest.inducers.svm.machines.pair_of`."""

    present: np.ndarray  # whether a class has a training case
    size: np.ndarray  # support vectors of a pair; -1 where a class of it has no case
    case: np.ndarray  # the support vectors, distinct cases
    coef: np.ndarray
    bias: np.ndarray
    beta: np.ndarray  # the solution by distinct case
    residual: np.ndarray
    gap: np.ndarray  # what is left of the violation of its conditions


class Work(NamedTuple):
    """Memory for one problem of two classes: its cases, kernel values, ranges and solution."""

    members: np.ndarray
    Q: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    beta: np.ndarray
    residual: np.ndarray
    rising: np.ndarray  # 0 where a coefficient may rise, else minus infinity
    falling: np.ndarray  # 0 where it may fall, else infinity
    diagonal: np.ndarray  # of Q
    gains: np.ndarray  # what cases would win as partners
    scores: np.ndarray


@maker
def make_machines(n_classes, u):  # type: ignore[no-untyped-def]
    """Return machines of up to u distinct cases, all of them absent."""
    pairs = n_classes * (n_classes - 1) // 2
    return Machines(
        np.zeros(n_classes, dtype=np.bool_),
        np.full(pairs, -1, dtype=np.int64),
        np.empty((pairs, u), dtype=np.int64),
        np.empty((pairs, u)),
        np.zeros(pairs),
        np.zeros((pairs, u)),
        np.zeros((pairs, u)),
        np.zeros(pairs),
    )


@maker
def make_work(n_classes, u):  # type: ignore[no-untyped-def]
    """Return memory for problems of up to u distinct cases."""
    wide = padded(u)
    return Work(
        np.empty(u, dtype=np.int64),
        np.zeros((u, stride(u))),
        np.empty(u),
        np.empty(u),
        np.empty(u),
        np.empty(wide),
        np.empty(wide),
        np.empty(wide),
        np.empty(wide),
        np.empty(wide),
        np.empty(n_classes),
    )
