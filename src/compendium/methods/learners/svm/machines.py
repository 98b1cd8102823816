"""Machines of all pairs of classes on one Gram matrix: sequential minimal optimisation, and their vote.

Coefficients carry the sign of their class.  Pairs are chosen by second-order information (Fan, Chen & Lin 2005), in
four passes without branches that compile to vector instructions; floats are compared as integers.
"""

from __future__ import annotations

import numpy as np

from compendium.methods.learners.svm.kernel import padded
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


@inner
def solve(Q, m, work, tolerance, limit):  # type: ignore[no-untyped-def]
    """Maximise sum(y beta) - beta Q beta / 2 with sum(beta) = 0 and lower <= beta <= upper."""
    lower, upper, beta, residual = work.lower, work.upper, work.beta, work.residual
    rising, falling, diagonal, gains = work.rising, work.falling, work.diagonal, work.gains
    inverse, inverted = work.inverse, work.inverted
    wide = padded(m)
    for t in range(m):
        diagonal[t] = Q[t, t]
        inverted[t] = False
        _mark(t, lower, upper, beta, rising, falling)
    # the last lanes hold what no search finds
    for t in range(m, wide):
        diagonal[t] = 1.0
        residual[t] = 0.0
        rising[t] = -np.inf
        falling[t] = np.inf
    gap = np.inf
    top, bottom = _move(residual, rising, falling, Q, 0, 0, 0.0, wide)
    for _ in range(limit):
        gap = top - bottom
        if not gap >= tolerance:
            break
        i = _first(residual, rising, top, wide)
        if not inverted[i]:
            _invert(Q, i, diagonal, inverse, wide)
            inverted[i] = True
        most = _weigh(residual, falling, inverse, i, top, gains, wide)
        least = float_of(most) * _NEARLY
        j, last = _closest(gains, least, wide)
        if last < 0:
            break
        if j < last:
            j = _winner(Q[i], diagonal[i], top, work, least, j, last)
        bend = max(diagonal[i] + diagonal[j] - 2.0 * Q[i, j], LEAST_CURVATURE)
        step = min((top - residual[j]) / bend, upper[i] - beta[i], beta[j] - lower[j])
        beta[i] = _snapped(beta[i] + step, lower[i], upper[i])
        beta[j] = _snapped(beta[j] - step, lower[j], upper[j])
        _mark(i, lower, upper, beta, rising, falling)
        _mark(j, lower, upper, beta, rising, falling)
        top, bottom = _move(residual, rising, falling, Q, i, j, step, wide)
    return max(gap, 0.0)


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


_LEAST_LIMIT = 100_000
_LIMIT_PER_CASE = 100
_LEAST_SHARE = 1e-8


@inner
def pair_of(a, b, n_classes):  # type: ignore[no-untyped-def]
    """Return the number of the pair of classes a < b, counted (0, 1), (0, 2), ..., (1, 2), ..."""
    return a * n_classes - a * (a + 1) // 2 + b - a - 1


@inner
def _gather(K, begin, a, b, kept, work):  # type: ignore[no-untyped-def]
    """List the kept cases of two classes, copy their kernel values, return (cases, cases of class a)."""
    m = 0
    for t in range(begin[a], begin[a + 1]):
        if kept[t] > 0:
            work.members[m] = t
            m += 1
    of_a = m
    for t in range(begin[b], begin[b + 1]):
        if kept[t] > 0:
            work.members[m] = t
            m += 1
    if m < K.shape[0]:
        members, Q = work.members, work.Q
        for s in range(m):
            member = members[s]
            for t in range(m):
                Q[s, t] = K[member, members[t]]
    return m, of_a


@inner
def mark_present(begin, counts, machines):  # type: ignore[no-untyped-def]
    """Note which classes have training cases."""
    for c in range(begin.shape[0] - 1):
        cases = 0
        for t in range(begin[c], begin[c + 1]):
            cases += counts[t]
        machines.present[c] = cases > 0


@inner
def train_pair(K, begin, a, b, kept, counts, rule, work, machines, start, left_out, fresh):  # type: ignore[no-untyped-def]
    """Make the machine of classes a < b."""
    pair = pair_of(a, b, begin.shape[0] - 1)
    if not (machines.present[a] and machines.present[b]):
        machines.size[pair] = -1
        return
    m, of_a = _gather(K, begin, a, b, kept, work)
    Q = work.Q if m < K.shape[0] else K
    beta, residual = work.beta, work.residual
    largest = 0.0
    for s in range(m):
        largest = max(largest, Q[s, s])
        reach = rule.cost * counts[work.members[s]]
        positive = s < of_a
        work.upper[s] = reach if positive else 0.0
        work.lower[s] = 0.0 if positive else -reach
        beta[s] = 0.0
        residual[s] = 1.0 if positive else -1.0
    if left_out >= 0:
        place = 0
        for s in range(m):
            t = work.members[s]
            beta[s] = start.beta[pair, t]
            if t == left_out:
                place = s
            if not fresh:
                residual[s] = start.residual[pair, t]
        if fresh:
            for j in range(m):
                if beta[j] != 0.0:
                    row = Q[j]
                    for s in range(m):
                        residual[s] -= beta[j] * row[s]
        give_up(Q, m, work.lower, work.upper, beta, residual, place)
    limit = max(_LEAST_LIMIT, _LIMIT_PER_CASE * m)
    # where C is small, coefficients cross their whole ranges within the tolerance, and the constant jumps
    tolerance = rule.tolerance * max(min(1.0, rule.cost * largest), _LEAST_SHARE)
    machines.gap[pair] = solve(Q, m, work, tolerance, limit)
    machines.bias[pair] = bias(m, work.lower, work.upper, beta, residual)
    size = 0
    for s in range(m):
        t = work.members[s]
        machines.beta[pair, t] = beta[s]
        machines.residual[pair, t] = residual[s]
        if beta[s] != 0.0:
            machines.case[pair, size] = t
            machines.coef[pair, size] = beta[s]
            size += 1
    machines.size[pair] = size


@inner
def train(K, begin, counts, rule, work, machines):  # type: ignore[no-untyped-def]
    """Make the machines of all pairs from a cold start; parameters as in :func:`train_pair`."""
    n_classes = begin.shape[0] - 1
    mark_present(begin, counts, machines)
    for a in range(n_classes):
        for b in range(a + 1, n_classes):
            train_pair(K, begin, a, b, counts, counts, rule, work, machines, machines, -1, False)


@inner
def take_over(pair, start, machines):  # type: ignore[no-untyped-def]
    """Copy what a decision needs from a pair whose training set is the same."""
    size = start.size[pair]
    machines.size[pair] = size
    machines.bias[pair] = start.bias[pair]
    for s in range(size):
        machines.case[pair, s] = start.case[pair, s]
        machines.coef[pair, s] = start.coef[pair, s]


@inner
def decision(machines, pair, row):  # type: ignore[no-untyped-def]
    """Return the discriminant function at a case with kernel values ``row``; positive is the first class."""
    total = 0.0
    for s in range(machines.size[pair]):
        total += machines.coef[pair, s] * row[machines.case[pair, s]]
    return total + machines.bias[pair]


@inner
def vote(machines, row, weighted, scores):  # type: ignore[no-untyped-def]
    """Return the label of a case, and how far its decision values are from another one."""
    n_classes = machines.present.shape[0]
    margin = np.inf
    pairs = 0
    pair = 0
    scores[:] = 0.0
    for a in range(n_classes):
        for b in range(a + 1, n_classes):
            if machines.size[pair] >= 0:
                value = decision(machines, pair, row)
                winner = a if value >= 0.0 else b
                scores[winner] += abs(value) if weighted else 1.0
                margin = min(margin, abs(value))
                pairs += 1
            pair += 1
    label = -1
    for c in range(n_classes):
        if machines.present[c] and (label < 0 or scores[c] > scores[label]):
            label = c
    if weighted and pairs > 1:
        margin = np.inf
        for c in range(n_classes):
            if c != label:
                margin = min(margin, scores[label] - scores[c])
        # changing every value by e changes a score by (classes - 1) e at most
        margin /= 2.0 * (n_classes - 1)
    return label, margin
