"""Bootstrap bias-corrected cross-validation: what a choice among candidates adds to the winner's good looks.

The losses of all candidates on all cases are at hand after cross-validation.  A bootstrap sample of the cases
chooses among the candidates as the person does, and the chosen one is judged on the cases that the sample
lacks, which had no say: the mean of that over many samples is the error of choosing and of what is chosen.
No classifier is made anew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba as nb
import numpy as np

from errorest.errors import UsageError

__all__ = ["BiasCorrected", "bias_corrected_error", "case_sums"]

_SAME = 1e-9
"""Errors that differ by a smaller share of the larger are equal."""


@dataclass(frozen=True, eq=False)
class BiasCorrected:
    """What bootstrap samples of the cases say of a choice.

    Parameters
    ----------
    error : float
        Of choosing and of what is chosen: mean over the samples of the chosen candidate's error on the cases that
        the sample lacks.
    low, high : float
        Percentiles of these errors.
    wins : float array, shape (C,)
        Shares of the samples in which a candidate errs least; a tie is shared.
    ranks : float array, shape (C, C)
        ``ranks[c, r]`` is the share of the samples in which candidate c has rank r, counted from 0; ties are shared.
    outside : float array, shape (B,)
        The errors, one a sample that lacks some case.

    Examples
    --------
    >>> losses = np.array([[0.0, 1.0], [1.0, 0.0]] * 8)
    >>> found = bias_corrected_error(losses, rng=np.random.default_rng(0))
    >>> found.error > 0.5, [round(share, 1) for share in found.wins.tolist()]
    (True, [0.5, 0.5])
    """

    error: float
    low: float
    high: float
    wins: np.ndarray
    ranks: np.ndarray
    outside: np.ndarray


def case_sums(cases: np.ndarray, losses: np.ndarray, units: np.ndarray | None, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Sum losses and tests of every unit: a case, or a group of cases."""
    of = cases if units is None else units[cases]
    number = n if units is None else int(units.max()) + 1
    tests = np.bincount(of, minlength=number).astype(np.float64)
    sums = np.stack([np.bincount(of, weights=own, minlength=number) for own in losses], axis=1)
    tested = tests > 0
    return np.ascontiguousarray(sums[tested]), tests[tested]


def bias_corrected_error(
    losses: np.ndarray,
    tests: np.ndarray | None = None,
    *,
    draws: int = 1000,
    confidence: float = 0.95,
    rng: np.random.Generator,
) -> BiasCorrected:
    """Correct the error of the best of several candidates for having been chosen.

    Parameters
    ----------
    losses : float array, shape (n, C)
        Sums of the losses of each case (or group) by each candidate, from resamples that are the same for all.
    tests : float array, shape (n,), optional
        How many losses were summed; by default one each.
    draws : int
        Bootstrap samples.
    confidence : float
        Of the interval, a proportion.
    rng : numpy.random.Generator

    Returns
    -------
    BiasCorrected

    Raises
    ------
    UsageError
        If there are fewer than two cases, no candidate, or no bootstrap sample.

    Notes
    -----
    Of equally good candidates the first is chosen, in the samples as by the person.  The interval is wide for its
    confidence where cases are few, since only about .37 n of them are outside a sample.

    References
    ----------
    Tsamardinos, Greasidou & Borboudakis (2018), algorithm 2 (BBC-CV) and section 4.2 for the interval.

    Examples
    --------
    >>> coins = np.random.default_rng(1).integers(0, 2, size=(30, 20)).astype(float)
    >>> found = bias_corrected_error(coins, rng=np.random.default_rng(2))
    >>> round(float(coins.mean(axis=0).min()), 2), round(found.error, 1)
    (0.3, 0.5)
    """
    values = np.ascontiguousarray(losses, dtype=np.float64)
    if values.ndim != 2 or values.shape[0] < 2 or not values.shape[1]:
        raise UsageError(
            f"the losses have shape {values.shape}; expected (n, C), a line for each of at least two cases and a "
            "column for each candidate; mend the losses"
        )
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or draws < 1:
        raise UsageError(f"n_resamples = {draws!r} was given; expected a whole number from 1; take 1000")
    counted = np.ones(values.shape[0]) if tests is None else np.ascontiguousarray(tests, dtype=np.float64)
    drawn = rng.integers(values.shape[0], size=(int(draws), values.shape[0]), dtype=np.int32)
    wins, ranks = np.zeros(values.shape[1]), np.zeros((values.shape[1], values.shape[1]))
    outside = np.empty(int(draws))
    _choose(drawn, values, counted, outside, wins, ranks)
    known = outside[~np.isnan(outside)]
    if not known.size:
        raise UsageError(
            f"every bootstrap sample of {values.shape[0]} cases held all of them; expected some that lacks a case; "
            "ask for more draws"
        )
    tail = (1.0 - confidence) / 2
    low, high = np.quantile(known, [tail, 1.0 - tail])
    return BiasCorrected(float(known.mean()), float(low), float(high), wins / draws, ranks / draws, known)


@nb.njit(cache=True)
def _choose(drawn, sums, tests, outside, wins, ranks):  # type: ignore[no-untyped-def]
    n, candidates = sums.shape
    counts = np.zeros(n, dtype=np.int64)
    within = np.empty(candidates)
    without = np.empty(candidates)
    for b in range(drawn.shape[0]):
        counts[:] = 0
        for j in range(drawn.shape[1]):
            counts[drawn[b, j]] += 1
        within[:] = 0.0
        without[:] = 0.0
        tested = 0.0
        for i in range(n):
            if counts[i]:
                for c in range(candidates):
                    within[c] += counts[i] * sums[i, c]
            else:
                tested += tests[i]
                for c in range(candidates):
                    without[c] += sums[i, c]
        best = first_least(within)
        outside[b] = without[best] / tested if tested > 0 else np.nan
        for c in range(candidates):
            less = 0
            same = 0
            for o in range(candidates):
                gap = _SAME * max(abs(within[o]), abs(within[c]))
                if within[o] < within[c] - gap:
                    less += 1
                elif within[o] <= within[c] + gap:
                    same += 1
            for rank in range(less, less + same):
                ranks[c, rank] += 1.0 / same
            if less == 0:
                wins[c] += 1.0 / same


@nb.njit(cache=True)
def first_least(errors):  # type: ignore[no-untyped-def]
    """Return the position of the least number; the first of those that are equal up to rounding."""
    best = 0
    for c in range(1, errors.shape[0]):
        if errors[c] < errors[best] - _SAME * max(abs(errors[c]), abs(errors[best])):
            best = c
    return best
