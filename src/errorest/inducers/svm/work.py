"""Settings and working memory of the compiled support vector machines.

One :class:`Work` serves all training sets of a batch, and its machines are those of the last one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from errorest.compiled import inner, maker

__all__ = ["Machines", "Rule", "Work", "make_machines", "make_work", "padded", "stride"]

_LANES = 16
"""Cases that a pass of the solver takes at once; four vectors of four floats."""

_CROWDED = 64
"""Rows of a multiple of as many floats lie in the same few lines of a cache."""


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
    """Settings as compiled code reads them; gamma 0 goes by scale.

    ``own_scale``: whether every training set has a Gram matrix of its own.  ``guard``: where a start from another
    solution leads to a decision that is closer than this, the decision is made again from the start that a fit uses.
    """

    linear: bool
    gamma: float
    cost: float
    standardize: bool
    own_scale: bool
    weighted: bool
    tolerance: float
    guard: float


class Machines(NamedTuple):
    """The machines of all pairs of classes, by :func:`errorest.inducers.svm.machines.pair_of`.

    ``present[c]`` says whether class c has a training case.  Pair p has ``size[p]`` support vectors,
    the distinct cases ``case[p]`` with coefficients ``coef[p]``, and the constant ``bias[p]``; its
    size is -1 where a class of it has no case.
    ``beta[p]`` and ``residual[p]`` are the solution by distinct case, ``gap[p]`` is what is left
    of the violation of its conditions.
    """

    present: np.ndarray
    size: np.ndarray
    case: np.ndarray
    coef: np.ndarray
    bias: np.ndarray
    beta: np.ndarray
    residual: np.ndarray
    gap: np.ndarray


class Work(NamedTuple):
    """Memory for one problem of two classes: its cases, kernel values, ranges and solution.

    ``rising`` and ``falling`` are 0 where a coefficient may do so, and minus and plus infinity
    where not; ``gains`` are what the cases would win as partners, ``diagonal`` is that of ``Q``.
    """

    members: np.ndarray
    Q: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    beta: np.ndarray
    residual: np.ndarray
    rising: np.ndarray
    falling: np.ndarray
    diagonal: np.ndarray
    gains: np.ndarray
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
