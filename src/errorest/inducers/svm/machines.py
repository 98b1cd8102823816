"""Machines of all pairs of classes, trained on one Gram matrix, and their vote."""

from __future__ import annotations

import numpy as np

from errorest.compiled import inner
from errorest.inducers.svm.solver import bias, give_up, solve

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
