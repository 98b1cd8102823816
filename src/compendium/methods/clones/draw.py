"""Drawing clones in compiled code: Algorithm 5 of Shakhnarovich, El-Yaniv & Baram (2001).

Random numbers are taken case by case, so that a stack of clones is the same however it is cut into blocks.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from compendium.methods.clones.bandwidths import fill_epanechnikov
from errorest.compiled import inner, kernel, maker

# Noise that is rejected as often as this around one case leaves nearly nothing of its kernel inside the bounds.
MOST_REJECTIONS = 100_000


class Plan(NamedTuple):
    """All that drawing needs of a sample of n cases with p continuous, q integer and w nominal attributes."""

    X: np.ndarray
    y: np.ndarray
    continuous: np.ndarray  # columns of each kind
    integer: np.ndarray
    nominal: np.ndarray
    low: np.ndarray  # (p,) bounds, infinite where there are none
    high: np.ndarray
    gaussian: bool  # the kernel; otherwise it is Epanechnikov's
    group: np.ndarray  # (n,) the noise of each case: its class and its pattern of known values
    # as in ContinuousSmoothing, by group
    rank: np.ndarray
    noise: np.ndarray
    scaled: np.ndarray
    smoothing: np.ndarray  # (n,) row of the integer attributes' arrays, which are as in IntegerSmoothing
    level: np.ndarray
    support: np.ndarray
    total: np.ndarray
    table: np.ndarray
    start: np.ndarray
    size: np.ndarray
    table_start: np.ndarray
    log_h: np.ndarray
    family: np.ndarray  # (n,) cases of one class and one pattern lend each other their nominal values
    member_start: np.ndarray  # (F + 1,) the cases of each family
    member: np.ndarray


@maker
def _summed(plan):  # type: ignore[no-untyped-def]
    """Sum each row of the table of weights up to each of its values."""
    size, table_start = plan.size, plan.table_start
    passed = np.empty_like(plan.table)
    for k in range(size.shape[0]):
        for j in range(size.shape[1]):
            if table_start[k, j] < 0:
                continue
            for t in range(size[k, j]):
                row = table_start[k, j] + t * size[k, j]
                total = 0.0
                for a in range(size[k, j]):
                    total += plan.table[row + a]
                    passed[row + a] = total
    return passed


@kernel
def draw_clones(plan, rng, X, y):  # type: ignore[no-untyped-def]
    """Fill X (S, n, d) and y (S, n) with clones."""
    values, labels, group, rank, noise = plan.X, plan.y, plan.group, plan.rank, plan.noise
    continuous, integer, nominal = plan.continuous, plan.integer, plan.nominal
    low, high, gaussian = plan.low, plan.high, plan.gaussian
    smoothing, own_level, support, start = plan.smoothing, plan.level, plan.support, plan.start
    size, table_start, passed = plan.size, plan.table_start, _summed(plan)
    cases, d = values.shape
    p, q = continuous.shape[0], integer.shape[0]
    w, v, noisy = np.zeros(p), np.empty(p), np.empty(p)
    level = np.empty(q, dtype=np.int64)
    weights = np.empty(cases)
    for s in range(X.shape[0]):
        for c in range(X.shape[1]):
            i = int(rng.random() * cases)
            y[s, c] = labels[i]
            for j in range(d):
                X[s, c, j] = values[i, j]
            g = group[i]
            if rank[g] > 0:
                for j in range(p):
                    v[j] = values[i, continuous[j]]
                if not _add_noise(v, noise[g], rank[g], low, high, gaussian, rng, w, noisy):
                    return i
                for j in range(p):
                    X[s, c, continuous[j]] = noisy[j]
            k = smoothing[i]
            for j in range(q):
                t = own_level[i, j]
                level[j] = t
                if t < 0 or size[k, j] == 1:
                    continue
                # Algorithm 3: the first value whose weights with those before it pass u, else the case's own
                u = rng.random()
                if table_start[k, j] >= 0:
                    row = table_start[k, j] + t * size[k, j]
                    below = 0
                    for a in range(size[k, j]):
                        below += passed[row + a] <= u
                    level[j] = below if below < size[k, j] else t
                else:
                    level[j] = _draw_untabled(plan, k, j, t, u)
                X[s, c, integer[j]] = support[start[k, j] + level[j]]
            if nominal.shape[0] > 0:
                lender = _draw_lender(plan, i, w, level, weights, rng)
                for j in nominal:
                    X[s, c, j] = values[lender, j]
    return -1


@inner
def _add_noise(v, noise, rank, low, high, gaussian, rng, w, noisy):  # type: ignore[no-untyped-def]
    """Draw noise w until v with it is inside the bounds (Algorithm 1, section 7.1); False if it never is."""
    p = v.shape[0]
    for _ in range(MOST_REJECTIONS):
        if gaussian:
            for k in range(rank):
                w[k] = rng.standard_normal()
        else:
            fill_epanechnikov(rng, w, rank)
        for j in range(p):
            noisy[j] = v[j]
        for k in range(rank):
            for j in range(p):
                noisy[j] += w[k] * noise[k, j]
        inside = True
        for j in range(p):
            # a missing value is neither below nor above
            inside &= not (noisy[j] < low[j] or noisy[j] > high[j])
        if inside:
            return True
    return False


@inner
def _draw_untabled(plan, k, j, t, u):  # type: ignore[no-untyped-def]
    """Draw the place of an integer value by Algorithm 3, its weights computed on the way."""
    first = plan.start[k, j]
    passed = 0.0
    for s in range(plan.size[k, j]):
        apart = plan.support[first + s] - plan.support[first + t]
        passed += math.exp(plan.log_h[k, j] * apart * apart) / plan.total[first + t]
        if u < passed:
            return s
    return t


@inner
def _draw_lender(plan, i, w, level, weights, rng):  # type: ignore[no-untyped-def]
    """Draw the case that lends its nominal values, in proportion to how near its numbers are.

    Algorithm 4 draws one nominal value after another, each given those before it; that is to
    draw a case by its numeric kernels and to take all its nominal values.
    """
    member, scaled, gaussian, own_level = plan.member, plan.scaled, plan.gaussian, plan.level
    support, start, size, log_h, totals = plan.support, plan.start, plan.size, plan.log_h, plan.total
    table, table_start = plan.table, plan.table_start
    first, last = plan.member_start[plan.family[i]], plan.member_start[plan.family[i] + 1]
    rank = plan.rank[plan.group[i]]
    q = level.shape[0]
    k = plan.smoothing[i]
    u = rng.random()
    if rank == 0 and q == 0:
        return member[first + int(u * (last - first))]
    total = 0.0
    for m in range(first, last):
        other = member[m]
        weight = 1.0
        for a in range(rank):
            apart = scaled[i, a] + w[a] - scaled[other, a]
            if gaussian:
                weight *= math.exp(-0.5 * apart * apart)
            else:
                weight *= max(1.0 - apart * apart, 0.0)
            if weight == 0.0:
                break
        for j in range(q):
            if weight == 0.0:
                break
            s, t = level[j], own_level[other, j]
            if (t < 0) != (s < 0):
                weight = 0.0
            elif t >= 0 and table_start[k, j] >= 0:
                weight *= table[table_start[k, j] + t * size[k, j] + s]
            elif t >= 0:
                apart = support[start[k, j] + s] - support[start[k, j] + t]
                weight *= math.exp(log_h[k, j] * apart * apart) / totals[start[k, j] + t]
        total += weight
        weights[m - first] = total
    for m in range(first, last):
        if u * total < weights[m - first]:
            return member[m]
    # every weight is too small for a number: the case itself is nearest
    return i
