"""Machines of all pairs of classes, whose problems are solved two at a time, and their vote."""

from __future__ import annotations

import numpy as np

from compendium.methods.learners.svm.kernel import CASES, FIT, GAP, PAIR
from compendium.methods.learners.svm.solver import begin_problem, bias, give_up, solve, solve_one_of
from errorest.compiled import inner, within

_LEAST_LIMIT = 100_000
_LIMIT_PER_CASE = 100
_LEAST_SHARE = 1e-8


@inner
def pair_of(a, b, n_classes):  # type: ignore[no-untyped-def]
    """Return the number of the pair of classes a < b, counted (0, 1), (0, 2), ..., (1, 2), ..."""
    return a * n_classes - a * (a + 1) // 2 + b - a - 1


@inner
def _gather(fits, f, a, b, work):  # type: ignore[no-untyped-def]
    """List the kept cases of two classes of a fit, copy their kernel values, return (cases, cases of class a)."""
    begin, kept, members = fits.begin[f], fits.kept[f], work.members
    m = 0
    for t in range(begin[a], begin[a + 1]):
        if kept[t] > 0:
            members[m] = t
            m += 1
    of_a = m
    for t in range(begin[b], begin[b + 1]):
        if kept[t] > 0:
            members[m] = t
            m += 1
    if m < fits.cases[f]:
        K, Q = fits.K[fits.gram[f]], work.Q
        for i in range(m):
            member = members[i]
            for j in range(m):
                Q[i, j] = K[member, members[j]]
    return m, of_a


@within
def _kernel_of(fits, work):  # type: ignore[no-untyped-def]
    """Return the kernel values of a problem: a copy, or where it has all cases of its fit, those of the fit."""
    f = work.whole[FIT]
    return work.Q if work.whole[CASES] < fits.cases[f] else fits.K[fits.gram[f]]


@inner
def _load(fits, f, a, b, rule, work, machines, whole, warm):  # type: ignore[no-untyped-def]
    """Make the problem of classes a < b of a fit ready; return whether there is one to be solved."""
    n_classes = machines.present.shape[1]
    pair = pair_of(a, b, n_classes)
    begin, g = fits.begin[f], fits.left_out[f]
    if g >= 0 and not (rule.own_scale or begin[a] <= g < begin[a + 1] or begin[b] <= g < begin[b + 1]):
        if warm:
            take_over(pair, whole, machines, f)
        return False
    if not (machines.present[f, a] and machines.present[f, b]):
        machines.size[f, pair] = -1
        return False
    m, of_a = _gather(fits, f, a, b, work)
    work.whole[FIT], work.whole[PAIR], work.whole[CASES] = f, pair, m
    Q = _kernel_of(fits, work)
    beta, residual = work.beta, work.residual
    largest = 0.0
    for s in range(m):
        largest = max(largest, Q[s, s])
        reach = rule.cost * fits.counts[f, work.members[s]]
        positive = s < of_a
        work.upper[s] = reach if positive else 0.0
        work.lower[s] = 0.0 if positive else -reach
        beta[s] = 0.0
        residual[s] = 1.0 if positive else -1.0
    if warm:
        place = 0
        for s in range(m):
            t = work.members[s]
            beta[s] = whole.beta[0, pair, t]
            if t == g:
                place = s
            if not rule.own_scale:
                residual[s] = whole.residual[0, pair, t]
        if rule.own_scale:
            for j in range(m):
                if beta[j] != 0.0:
                    row = Q[j]
                    for s in range(m):
                        residual[s] -= beta[j] * row[s]
        give_up(Q, m, work.lower, work.upper, beta, residual, place)
    limit = max(_LEAST_LIMIT, _LIMIT_PER_CASE * m)
    # where C is small, coefficients cross their whole ranges within the tolerance, and the constant jumps
    tolerance = rule.tolerance * max(min(1.0, rule.cost * largest), _LEAST_SHARE)
    begin_problem(Q, m, work, tolerance, limit)
    return True


@inner
def _load_next(queue, fits, number, rule, work, machines, whole, warm):  # type: ignore[no-untyped-def]
    """Make the next problem of the first fits ready, of those that are asked for; return whether there is one."""
    n_classes = machines.present.shape[1]
    while queue[0] < number:
        f, a, b = queue[0], queue[1], queue[2]
        queue[2] += 1
        if queue[2] == n_classes:
            queue[1], queue[2] = a + 1, a + 2
        if queue[2] == n_classes:
            queue[0], queue[1], queue[2] = f + 1, 0, 1
        if fits.asked[f] and _load(fits, f, a, b, rule, work, machines, whole, warm):
            return True
    return False


@inner
def _store(work, machines):  # type: ignore[no-untyped-def]
    """Write the machine that a problem's solution is."""
    f, pair, m = work.whole[FIT], work.whole[PAIR], work.whole[CASES]
    machines.gap[f, pair] = max(work.real[GAP], 0.0)
    machines.bias[f, pair] = bias(m, work.lower, work.upper, work.beta, work.residual)
    size = 0
    for s in range(m):
        t = work.members[s]
        machines.beta[f, pair, t] = work.beta[s]
        machines.residual[f, pair, t] = work.residual[s]
        if work.beta[s] != 0.0:
            machines.case[f, pair, size] = t
            machines.coef[f, pair, size] = work.beta[s]
            size += 1
    machines.size[f, pair] = size


@inner
def train(fits, number, rule, work, machines, whole, warm):  # type: ignore[no-untyped-def]
    """Make the machines of all pairs of the first fits that are asked for, two at a time.

    With ``warm`` they start from the machines of the whole sample, of which a fit leaves one case out.
    """
    one, two, queue = work.one, work.two, work.queue
    n_classes = machines.present.shape[1]
    for f in range(number):
        for c in range(n_classes):
            trained = 0
            for t in range(fits.begin[f, c], fits.begin[f, c + 1]):
                trained += fits.counts[f, t]
            machines.present[f, c] = trained > 0
    queue[0], queue[1], queue[2] = number if n_classes < 2 else 0, 0, 1
    first = _load_next(queue, fits, number, rule, one, machines, whole, warm)
    second = _load_next(queue, fits, number, rule, two, machines, whole, warm)
    while first and second:
        solved1, solved2 = solve_one_of(_kernel_of(fits, one), one, _kernel_of(fits, two), two)
        if solved1:
            _store(one, machines)
            first = _load_next(queue, fits, number, rule, one, machines, whole, warm)
        if solved2:
            _store(two, machines)
            second = _load_next(queue, fits, number, rule, two, machines, whole, warm)
    if first:
        solve(_kernel_of(fits, one), one)
        _store(one, machines)
    if second:
        solve(_kernel_of(fits, two), two)
        _store(two, machines)


@inner
def take_over(pair, whole, machines, f):  # type: ignore[no-untyped-def]
    """Copy what a decision needs from a pair whose training set is the same."""
    size = whole.size[0, pair]
    machines.size[f, pair] = size
    machines.bias[f, pair] = whole.bias[0, pair]
    for i in range(size):
        machines.case[f, pair, i] = whole.case[0, pair, i]
        machines.coef[f, pair, i] = whole.coef[0, pair, i]


@inner
def decision(machines, f, pair, row):  # type: ignore[no-untyped-def]
    """Return the discriminant function at a case with kernel values ``row``; positive is the first class."""
    total = 0.0
    for i in range(machines.size[f, pair]):
        total += machines.coef[f, pair, i] * row[machines.case[f, pair, i]]
    return total + machines.bias[f, pair]


@inner
def vote(machines, f, row, weighted, scores):  # type: ignore[no-untyped-def]
    """Return the label of a case, and how far its decision values are from another one."""
    n_classes = machines.present.shape[1]
    margin = np.inf
    pairs = 0
    pair = 0
    scores[:] = 0.0
    for a in range(n_classes):
        for b in range(a + 1, n_classes):
            if machines.size[f, pair] >= 0:
                value = decision(machines, f, pair, row)
                winner = a if value >= 0.0 else b
                scores[winner] += abs(value) if weighted else 1.0
                margin = min(margin, abs(value))
                pairs += 1
            pair += 1
    label = -1
    for c in range(n_classes):
        if machines.present[f, c] and (label < 0 or scores[c] > scores[label]):
            label = c
    if weighted and pairs > 1:
        margin = np.inf
        for c in range(n_classes):
            if c != label:
                margin = min(margin, scores[label] - scores[c])
        # changing every value by e changes a score by (classes - 1) e at most
        margin /= 2.0 * (n_classes - 1)
    return label, margin
