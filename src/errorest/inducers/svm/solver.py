"""One two-class machine: sequential minimal optimisation over cases with multiplicities.

A case that stands c times has one coefficient of the range of c of them, which is the same
problem.  Coefficients carry the sign of their class, so that a step adds to one what it takes from
another.  Pairs are chosen by second-order information (Fan, Chen & Lin 2005, JMLR 6:1889-1918).
"""

from __future__ import annotations

import numpy as np

from errorest.inducers.svm.work import inner

__all__ = ["bias", "give_up", "solve"]

LEAST_CURVATURE = 1e-12
"""Stands for the curvature along a pair of cases whose kernel values do not tell them apart."""


_SNAP = 1e-12


@inner
def _snapped(value, lower, upper):  # type: ignore[no-untyped-def]
    """Return an end of the range for what is there but for rounding: a free case decides on the constant."""
    slack = _SNAP * (upper - lower)
    if upper - value <= slack:
        return upper
    return lower if value - lower <= slack else value


@inner
def solve(Q, m, lower, upper, beta, residual, tolerance, limit):  # type: ignore[no-untyped-def]
    """Maximise sum(y beta) - beta Q beta / 2 with sum(beta) = 0 and lower <= beta <= upper.

    Parameters
    ----------
    Q : float array, at least (m, m)
        Kernel values.
    m : int
    lower, upper : float arrays, at least m long
        (0, c C) for a case of the first class that stands c times, (-c C, 0) for one of the second.
    beta, residual : float arrays, at least m long
        The start, and y - Q beta there; they are led to the solution.
    tolerance : float
        Stop once no pair of cases violates the conditions of optimality by more.
    limit : int
        Steps after which the solution is left as it is.

    Returns
    -------
    float
        The largest violation that is left.
    """
    gap = np.inf
    for _ in range(limit):
        i = -1
        top = -np.inf
        for t in range(m):
            if residual[t] > top and beta[t] < upper[t]:
                top = residual[t]
                i = t
        if i < 0:
            return 0.0
        row = Q[i]
        own = row[i]
        bottom = np.inf
        j = -1
        gain = -1.0
        curvature = 1.0
        for t in range(m):
            if beta[t] > lower[t]:
                here = residual[t]
                bottom = min(bottom, here)
                fall = top - here
                if fall > 0.0:
                    bend = max(own + Q[t, t] - 2.0 * row[t], LEAST_CURVATURE)
                    if fall * fall * curvature > gain * bend:
                        gain = fall * fall
                        curvature = bend
                        j = t
        gap = top - bottom
        if j < 0 or gap < tolerance:
            return max(gap, 0.0)
        step = min((top - residual[j]) / curvature, upper[i] - beta[i], beta[j] - lower[j])
        beta[i] = _snapped(beta[i] + step, lower[i], upper[i])
        beta[j] = _snapped(beta[j] - step, lower[j], upper[j])
        other = Q[j]
        for t in range(m):
            residual[t] -= step * (row[t] - other[t])
    return gap


@inner
def bias(m, lower, upper, beta, residual):  # type: ignore[no-untyped-def]
    """Return the constant of the discriminant function.

    The mean residual of the cases inside their ranges; where there is none, the middle of what
    the cases at the ends of theirs allow.
    """
    total = 0.0
    free = 0
    top = -np.inf
    bottom = np.inf
    for t in range(m):
        rises = beta[t] < upper[t]
        falls = beta[t] > lower[t]
        if rises and falls:
            total += residual[t]
            free += 1
        elif rises:
            top = max(top, residual[t])
        elif falls:
            bottom = min(bottom, residual[t])
    return total / free if free > 0 else (top + bottom) / 2.0


@inner
def give_up(Q, m, lower, upper, beta, residual, t):  # type: ignore[no-untyped-def]
    """Lead coefficient t back into a range that has shrunk, the others taking what it gives up.

    Each time, the case that loses least of the objective (or wins most) takes as much as its own
    range lets it.  A coefficient that is in its range stays as it is, and the solution the same:
    leaving out a case that is no support vector costs nothing.
    """
    while beta[t] > upper[t] or beta[t] < lower[t]:
        falls = beta[t] > upper[t]
        excess = beta[t] - upper[t] if falls else lower[t] - beta[t]
        row = Q[t]
        best = -np.inf
        taker = -1
        taken = 0.0
        for j in range(m):
            room = upper[j] - beta[j] if falls else beta[j] - lower[j]
            if j == t or not room > 0.0:
                continue
            step = min(excess, room)
            slope = residual[j] - residual[t] if falls else residual[t] - residual[j]
            won = step * (slope - 0.5 * step * (row[t] + Q[j, j] - 2.0 * row[j]))
            if won > best:
                best = won
                taker = j
                taken = step
        if taker < 0:
            break  # only rounding is left over: nobody has room for it
        step = taken if falls else -taken
        beta[taker] = _snapped(beta[taker] + step, lower[taker], upper[taker])
        beta[t] = (upper[t] if falls else lower[t]) if taken == excess else beta[t] - step
        other = Q[taker]
        for k in range(m):
            residual[k] -= step * (other[k] - row[k])
    beta[t] = _snapped(beta[t], lower[t], upper[t])
