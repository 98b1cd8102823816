"""Sequential minimal optimisation of a problem of two classes, or of two problems side by side.

Coefficients carry the sign of their class.  Pairs are chosen by second-order information (Fan, Chen & Lin 2005), in
four passes without branches that compile to vector instructions; floats are compared as integers.
"""

from __future__ import annotations

import numpy as np

from compendium.methods.learners.svm.kernel import BOTTOM, CASES, GAP, STEPS, TOLERANCE, TOP, padded
from errorest.compiled import bits_of, float_of, inner, within

LEAST_CURVATURE = 1e-12
"""Stands for the curvature along a pair of cases whose kernel values do not tell them apart."""

_SNAP = 1e-12
# What wins less than this share of the most can win no comparison by rounding
_NEARLY = 1.0 - 1e-11
_MAGNITUDE = np.int64(0x7FFFFFFFFFFFFFFF)
_LOWEST, _HIGHEST = -_MAGNITUDE, _MAGNITUDE
# A hit at place t adds this and t to a sum, which tells the place of a single one
_HIT = 1 << 32


@within
def _ordered(bits):  # type: ignore[no-untyped-def]
    """Turn the bits of a float into a whole number of the floats' order, and back."""
    return bits ^ ((bits >> 63) & _MAGNITUDE)


@inner
def _snapped(value, lower, upper):  # type: ignore[no-untyped-def]
    """Return an end of the range for what is there but for rounding: a free case decides on the constant."""
    slack = _SNAP * (upper - lower)
    if upper - value <= slack:
        return upper
    return lower if value - lower <= slack else value


@within
def _mark(t, lower, upper, beta, rising, falling):  # type: ignore[no-untyped-def]
    """Write what takes case t out of a search where its coefficient cannot rise or cannot fall."""
    rising[t] = 0.0 if beta[t] < upper[t] else -np.inf
    falling[t] = 0.0 if beta[t] > lower[t] else np.inf


@within
def _move(residual, rising, falling, Q, i, j, step, wide):  # type: ignore[no-untyped-def]
    """Lead the residuals on after a step; returns the largest that may rise and the least that may fall."""
    top = _LOWEST
    bottom = _HIGHEST
    for t in range(wide):
        now = residual[t] - step * (Q[i, t] - Q[j, t])
        residual[t] = now
        top = max(top, _ordered(bits_of(now + rising[t])))
        bottom = min(bottom, _ordered(bits_of(now + falling[t])))
    return float_of(_ordered(top)), float_of(_ordered(bottom))


@within
def _first(residual, rising, top, wide):  # type: ignore[no-untyped-def]
    """Return the first case that may rise and has the residual ``top``."""
    hits = 0
    for t in range(wide):
        hits += _HIT + t if residual[t] + rising[t] >= top else 0
    first = hits - _HIT
    if first >= _HIT:
        first = 0
        while residual[first] + rising[first] < top:
            first += 1
    return first


@within
def _invert(Q, i, diagonal, inverse, wide):  # type: ignore[no-untyped-def]
    """Write the reciprocal curvatures along the pairs of case i: a case comes up several times, and divisions cost."""
    own = diagonal[i]
    for t in range(wide):
        bend = own + diagonal[t] - 2.0 * Q[i, t]
        inverse[i, t] = 1.0 / (bend if bend > LEAST_CURVATURE else LEAST_CURVATURE)


@within
def _weigh(residual, falling, inverse, i, top, gains, wide):  # type: ignore[no-untyped-def]
    """Write what each case wins as the partner of case i, -1 for none; returns the most, as bits."""
    most = _LOWEST
    for t in range(wide):
        fall = top - (residual[t] + falling[t])
        gain = fall * fall * inverse[i, t]
        gain = gain if fall > 0.0 else -1.0
        gains[t] = gain
        most = max(most, bits_of(gain))
    return most


@within
def _closest(gains, least, wide):  # type: ignore[no-untyped-def]
    """Return the first and the last case that wins ``least``."""
    hits = 0
    for t in range(wide):
        hits += _HIT + t if gains[t] >= least else 0
    first = last = hits - _HIT
    if first >= _HIT:
        first, last = 0, wide - 1
        while gains[first] < least:
            first += 1
        while gains[last] < least:
            last -= 1
    return first, last


@inner
def _winner(row, own, top, work, least, first, last):  # type: ignore[no-untyped-def]
    """Return which of those that win nearly as much wins most, by products, which round less than quotients."""
    winner = first
    gain = -1.0
    curvature = 1.0
    for t in range(first, last + 1):
        if work.gains[t] >= least:
            fall = top - work.residual[t]
            bend = max(own + work.diagonal[t] - 2.0 * row[t], LEAST_CURVATURE)
            if fall * fall * curvature > gain * bend:
                gain = fall * fall
                curvature = bend
                winner = t
    return winner


@within
def _rising_case(Q, work, top, wide):  # type: ignore[no-untyped-def]
    """Choose the case whose residual is the largest that may rise."""
    i = _first(work.residual, work.rising, top, wide)
    if not work.inverted[i]:
        _invert(Q, i, work.diagonal, work.inverse, wide)
        work.inverted[i] = True
    return i


@within
def _partner(Q, work, i, top, most, wide):  # type: ignore[no-untyped-def]
    """Choose the case that wins most as the partner of case i; -1 where none can fall."""
    least = float_of(most) * _NEARLY
    j, last = _closest(work.gains, least, wide)
    if last < 0:
        j = -1
    elif j < last:
        j = _winner(Q[i], work.diagonal[i], top, work, least, j, last)
    return j


@within
def _step(Q, work, i, j, top, wide):  # type: ignore[no-untyped-def]
    """Lead two coefficients on; returns the largest residual that may rise and the least that may fall."""
    lower, upper, beta, residual, diagonal = work.lower, work.upper, work.beta, work.residual, work.diagonal
    bend = max(diagonal[i] + diagonal[j] - 2.0 * Q[i, j], LEAST_CURVATURE)
    step = min((top - residual[j]) / bend, upper[i] - beta[i], beta[j] - lower[j])
    beta[i] = _snapped(beta[i] + step, lower[i], upper[i])
    beta[j] = _snapped(beta[j] - step, lower[j], upper[j])
    _mark(i, lower, upper, beta, work.rising, work.falling)
    _mark(j, lower, upper, beta, work.rising, work.falling)
    return _move(residual, work.rising, work.falling, Q, i, j, step, wide)


@inner
def begin_problem(Q, m, work, tolerance, limit):  # type: ignore[no-untyped-def]
    """Make the ranges, coefficients and residuals of m cases ready for the first step."""
    wide = padded(m)
    for t in range(m):
        work.diagonal[t] = Q[t, t]
        work.inverted[t] = False
        _mark(t, work.lower, work.upper, work.beta, work.rising, work.falling)
    # the last lanes hold what no search finds
    for t in range(m, wide):
        work.diagonal[t] = 1.0
        work.residual[t] = 0.0
        work.rising[t] = -np.inf
        work.falling[t] = np.inf
    work.whole[CASES] = m
    work.whole[STEPS] = limit
    work.real[TOP], work.real[BOTTOM] = _move(work.residual, work.rising, work.falling, Q, 0, 0, 0.0, wide)
    work.real[GAP], work.real[TOLERANCE] = np.inf, tolerance


@inner
def solve(Q, work):  # type: ignore[no-untyped-def]
    """Maximise sum(y beta) - beta Q beta / 2 with sum(beta) = 0 and lower <= beta <= upper."""
    wide, steps = padded(work.whole[CASES]), work.whole[STEPS]
    top, bottom, gap, tolerance = work.real[TOP], work.real[BOTTOM], work.real[GAP], work.real[TOLERANCE]
    while steps > 0:
        steps -= 1
        gap = top - bottom
        if not gap >= tolerance:
            break
        i = _rising_case(Q, work, top, wide)
        most = _weigh(work.residual, work.falling, work.inverse, i, top, work.gains, wide)
        j = _partner(Q, work, i, top, most, wide)
        if j < 0:
            break
        top, bottom = _step(Q, work, i, j, top, wide)
    work.real[GAP] = gap


@inner
def solve_one_of(Q1, work1, Q2, work2):  # type: ignore[no-untyped-def]
    """Lead two problems on until one of them is solved; returns whether the first is, and whether the second.

    Each search waits for the result of the one before; meanwhile the processor goes on with the other problem.
    """
    wide1, steps1 = padded(work1.whole[CASES]), work1.whole[STEPS]
    wide2, steps2 = padded(work2.whole[CASES]), work2.whole[STEPS]
    top1, bottom1, gap1, tolerance1 = work1.real[TOP], work1.real[BOTTOM], work1.real[GAP], work1.real[TOLERANCE]
    top2, bottom2, gap2, tolerance2 = work2.real[TOP], work2.real[BOTTOM], work2.real[GAP], work2.real[TOLERANCE]
    solved1 = solved2 = False
    while True:
        solved1, solved2 = solved1 or steps1 == 0, solved2 or steps2 == 0
        if not solved1:
            gap1 = top1 - bottom1
            solved1 = not gap1 >= tolerance1
        if not solved2:
            gap2 = top2 - bottom2
            solved2 = not gap2 >= tolerance2
        if solved1 or solved2:
            break
        steps1 -= 1
        steps2 -= 1
        i1 = _rising_case(Q1, work1, top1, wide1)
        i2 = _rising_case(Q2, work2, top2, wide2)
        most1 = _weigh(work1.residual, work1.falling, work1.inverse, i1, top1, work1.gains, wide1)
        most2 = _weigh(work2.residual, work2.falling, work2.inverse, i2, top2, work2.gains, wide2)
        j1 = _partner(Q1, work1, i1, top1, most1, wide1)
        j2 = _partner(Q2, work2, i2, top2, most2, wide2)
        if j1 >= 0:
            top1, bottom1 = _step(Q1, work1, i1, j1, top1, wide1)
        if j2 >= 0:
            top2, bottom2 = _step(Q2, work2, i2, j2, top2, wide2)
        solved1, solved2 = j1 < 0, j2 < 0
    work1.whole[STEPS], work2.whole[STEPS] = steps1, steps2
    work1.real[TOP], work1.real[BOTTOM], work1.real[GAP] = top1, bottom1, gap1
    work2.real[TOP], work2.real[BOTTOM], work2.real[GAP] = top2, bottom2, gap2
    return solved1, solved2


@inner
def bias(m, lower, upper, beta, residual):  # type: ignore[no-untyped-def]
    """Return the constant: the mean residual of free cases, or the middle of what the others allow."""
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
    """Lead coefficient t back into a range that has shrunk; the others take what it gives up, at least loss first."""
    # in each step the case that loses least of the objective takes as much as its range lets it
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
