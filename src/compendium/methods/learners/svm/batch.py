"""Labels for rows of resamples, for stacks and for their folds, by the same layout, solver and vote as a single fit."""

from __future__ import annotations

import numpy as np

from compendium.methods.learners.svm.kernel import (
    gram,
    kernel_row,
    lay_out,
    make_machines,
    make_work,
    scale_cases,
    scaling,
    stride,
)
from compendium.methods.learners.svm.machines import decision, mark_present, pair_of, take_over, train, train_pair, vote
from errorest.compiled import inner, maker, numpy_kernel
from errorest.resampling.multisets import training_row


@maker
def _multiplicities(distinct, u):  # type: ignore[no-untyped-def]
    counts = np.zeros(u, dtype=np.int64)
    for i in range(distinct.shape[0]):
        counts[distinct[i]] += 1
    return counts


@inner
def _own_gram(values, counts, rule, mean, deviation, scaled, K, ticks):  # type: ignore[no-untyped-def]
    """Write the Gram matrix of cases by the scale of a training multiset of them; return its gamma."""
    if rule.standardize:
        scaling(values, counts, mean, deviation)
    scale_cases(values, mean, deviation, scaled)
    gamma = rule.gamma
    if not (gamma > 0.0 or rule.linear):
        # by scale: 1 / (d var) of all values of the multiset, 1 where they are equal
        d, u = scaled.shape
        m = d * counts.sum()
        total, squares = 0.0, 0.0
        for a in range(d):
            for t in range(u):
                total += counts[t] * scaled[a, t]
        mean_of_all = total / m
        for a in range(d):
            for t in range(u):
                squares += counts[t] * ((scaled[a, t] - mean_of_all) * (scaled[a, t] - mean_of_all))
        gamma = m / (d * squares) if squares > 0.0 else 1.0
    gram(scaled, rule.linear, gamma, K, ticks)
    return gamma


@numpy_kernel
def train_sample(X, y, n_classes, rule):  # type: ignore[no-untyped-def]
    """Train on one sample."""
    layout = lay_out(X, y, n_classes)
    values = layout.values
    d, u = values.shape
    counts = _multiplicities(layout.distinct, u)
    mean = np.zeros(d)
    deviation = np.ones(d)
    K = np.zeros((u, stride(u)))
    ticks = np.empty(u)
    scaled = np.empty((d, u))
    gamma = _own_gram(values, counts, rule, mean, deviation, scaled, K, ticks)
    work = make_work(n_classes, u)
    machines = make_machines(n_classes, u)
    train(K, layout.begin, counts, rule, work, machines)
    return scaled, mean, deviation, gamma, machines


@numpy_kernel
def answer_tests(tests, values, mean, deviation, gamma, machines, rule, labels, decisions):  # type: ignore[no-untyped-def]
    """Write the labels of cases, shape (m, d), or where ``decisions`` has rows the functions of their pairs."""
    d, u = values.shape
    point, row, ticks = np.empty(d), np.empty(u), np.empty(u)
    scores = np.empty(machines.present.shape[0])
    for i in range(tests.shape[0]):
        for a in range(d):
            point[a] = (tests[i, a] - mean[a]) / deviation[a] if rule.standardize else tests[i, a]
        kernel_row(values, u, point, rule.linear, gamma, row, ticks)
        if decisions.shape[0] == 0:
            labels[i], _ = vote(machines, row, rule.weighted, scores)
            continue
        for pair in range(machines.size.shape[0]):
            if machines.size[pair] >= 0:
                decisions[i, pair] = decision(machines, pair, row)


@numpy_kernel
def label_rows(X, y, n_classes, rule, compact, start, cases, labels):  # type: ignore[no-untyped-def]
    """Train on every row that tests cases, and label them; return the first row without a training case, or -1."""
    layout = lay_out(X, y, n_classes)
    values, begin, distinct = layout.values, layout.begin, layout.distinct
    d, u = values.shape
    sampled = np.empty(compact.n, dtype=np.int32)
    counts = np.empty(u, dtype=np.int64)
    K = np.zeros((u, stride(u)))
    ticks = np.empty(u)
    mean, deviation, scaled = np.zeros(d), np.ones(d), np.empty((d, u))
    work = make_work(n_classes, u)
    machines = make_machines(n_classes, u)
    if not rule.own_scale:
        gram(values, rule.linear, rule.gamma, K, ticks)
    for r in range(start.shape[0] - 1):
        if start[r] == start[r + 1]:
            continue
        training_row(compact, r, sampled)
        counts[:] = 0
        trained = 0
        for i in range(compact.n):
            counts[distinct[i]] += sampled[i]
            trained += sampled[i]
        if trained == 0:
            return r
        if rule.own_scale:
            _own_gram(values, counts, rule, mean, deviation, scaled, K, ticks)
        train(K, begin, counts, rule, work, machines)
        for t in range(start[r], start[r + 1]):
            labels[t], _ = vote(machines, K[distinct[cases[t]]], rule.weighted, work.scores)
    return -1


@numpy_kernel
def label_samples(X, y, tests, n_classes, rule, labels):  # type: ignore[no-untyped-def]
    """Train on every sample of a stack and label cases."""
    none = np.empty((0, 0))
    for s in range(X.shape[0]):
        values, mean, deviation, gamma, machines = train_sample(X[s], y[s], n_classes, rule)
        own = tests[s if tests.shape[0] > 1 else 0]
        answer_tests(own, values, mean, deviation, gamma, machines, rule, labels[s], none)


@inner
def _label_left_out(K, begin, kept, counts, g, rule, work, whole, part):  # type: ignore[no-untyped-def]
    """Label distinct case g by machines without a copy of it, starting from those of the whole sample."""
    n_classes = begin.shape[0] - 1
    mark_present(begin, counts, part)
    label = -1
    margin = -np.inf
    for left_out in (g, -1):
        for a in range(n_classes):
            for b in range(a + 1, n_classes):
                loses = begin[a] <= g < begin[a + 1] or begin[b] <= g < begin[b + 1]
                if loses or rule.own_scale:
                    train_pair(K, begin, a, b, kept, counts, rule, work, part, whole, left_out, rule.own_scale)
                elif left_out >= 0:
                    take_over(pair_of(a, b, n_classes), whole, part)
        label, margin = vote(part, K[g], rule.weighted, work.scores)
        if margin >= rule.guard:
            break
    return label


@numpy_kernel
def cross_validate(X, y, folds, n_classes, rule, labels):  # type: ignore[no-untyped-def]
    """Label the cases of every sample of a stack out of their folds; return a sample in one fold, or -1."""
    samples, n, d = X.shape
    mean, deviation = np.zeros(d), np.ones(d)
    ticks = np.empty(n)
    full = np.zeros((n, stride(n)))
    work = make_work(n_classes, n)
    whole = make_machines(n_classes, n)
    part = make_machines(n_classes, n)
    for s in range(samples):
        layout = lay_out(X[s], y[s], n_classes)
        values, begin, distinct = layout.values, layout.begin, layout.distinct
        u = values.shape[1]
        selected = _multiplicities(distinct, u)
        counts = np.empty_like(selected)
        alone = np.full(u, -1)
        K = full if u == n else np.zeros((u, stride(u)))
        scaled = np.empty_like(values)
        if not rule.own_scale:
            gram(values, rule.linear, rule.gamma, K, ticks)
        started = False
        by_fold = np.argsort(folds[s], kind="mergesort")
        last = 0
        while last < n:
            first = last
            while last < n and folds[s, by_fold[last]] == folds[s, by_fold[first]]:
                last += 1
            tested = by_fold[first:last]
            if tested.shape[0] == n:
                return s
            # a case left out alone starts from the machines of the whole sample; larger folds would gain nothing
            single = tested.shape[0] == 1
            g = distinct[tested[0]]
            if single and alone[g] >= 0:
                # another copy of the case was left out alone before
                labels[s, tested[0]] = alone[g]
                continue
            if single and not started:
                if rule.own_scale:
                    _own_gram(values, selected, rule, mean, deviation, scaled, K, ticks)
                train(K, begin, selected, rule, work, whole)
                started = True
            counts[:] = selected
            for i in tested:
                counts[distinct[i]] -= 1
            if rule.own_scale:
                _own_gram(values, counts, rule, mean, deviation, scaled, K, ticks)
            if single:
                alone[g] = _label_left_out(K, begin, selected, counts, g, rule, work, whole, part)
                labels[s, tested[0]] = alone[g]
                continue
            train(K, begin, counts, rule, work, part)
            for i in tested:
                labels[s, i], _ = vote(part, K[distinct[i]], rule.weighted, work.scores)
    return -1
