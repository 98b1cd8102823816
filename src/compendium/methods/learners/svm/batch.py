"""Labels for rows of resamples, for stacks and for their folds, by the same layout, solver and vote as a single fit.

A few fits are made together, so that two of their problems are solved side by side.
"""

from __future__ import annotations

import numpy as np

from compendium.methods.learners.svm.kernel import (
    gram,
    kernel_row,
    lay_out,
    make_fits,
    make_machines,
    make_work,
    scale_cases,
    scaling,
)
from compendium.methods.learners.svm.machines import decision, train, vote
from errorest.compiled import inner, maker, numpy_kernel
from errorest.resampling.multisets import training_row

TOGETHER = 4
"""Fits that are made together."""


@maker
def _multiplicities(distinct, u):  # type: ignore[no-untyped-def]
    counts = np.zeros(u, dtype=np.int64)
    for i in range(distinct.shape[0]):
        counts[distinct[i]] += 1
    return counts


@maker
def _make_gram(values, rule, fits, f, ticks):  # type: ignore[no-untyped-def]
    """Write the kernel values of the cases of a fit by the scale of its training set, and its gamma."""
    u, counts = fits.cases[f], fits.counts[f]
    mean, deviation, scaled = fits.mean[f], fits.deviation[f], fits.scaled[f]
    if rule.standardize:
        scaling(values, u, counts, mean, deviation)
    scale_cases(values, u, mean, deviation, scaled)
    gamma = rule.gamma
    if not (gamma > 0.0 or rule.linear):
        # by scale: 1 / (d var) of all values of the multiset, 1 where they are equal
        d = scaled.shape[0]
        m = 0
        for t in range(u):
            m += d * counts[t]
        total, squares = 0.0, 0.0
        for a in range(d):
            for t in range(u):
                total += counts[t] * scaled[a, t]
        mean_of_all = total / m
        for a in range(d):
            for t in range(u):
                squares += counts[t] * ((scaled[a, t] - mean_of_all) * (scaled[a, t] - mean_of_all))
        gamma = m / (d * squares) if squares > 0.0 else 1.0
    fits.gamma[f] = gamma
    gram(scaled, u, rule.linear, gamma, fits.K[f], ticks)


@maker
def _lay_out_fit(X, y, n_classes, rule, fits, f, ticks):  # type: ignore[no-untyped-def]
    """Make a sample a fit with kernel values of its own."""
    layout = lay_out(X, y, n_classes)
    u = layout.values.shape[1]
    fits.cases[f] = u
    fits.begin[f] = layout.begin
    fits.counts[f, :u] = _multiplicities(layout.distinct, u)
    fits.kept[f] = fits.counts[f]
    _make_gram(layout.values, rule, fits, f, ticks)


@numpy_kernel
def train_sample(X, y, n_classes, rule):  # type: ignore[no-untyped-def]
    """Train on one sample."""
    n, d = X.shape
    fits = make_fits(1, n_classes, d, n)
    machines = make_machines(1, n_classes, n)
    _lay_out_fit(X, y, n_classes, rule, fits, 0, np.empty(n))
    train(fits, 1, rule, make_work(n_classes, n), machines, machines, False)
    return fits, machines


@numpy_kernel
def answer_tests(tests, fits, f, machines, rule, labels, decisions):  # type: ignore[no-untyped-def]
    """Write the labels of cases, shape (m, d), or where ``decisions`` has rows the functions of their pairs."""
    u, scaled, mean, deviation = fits.cases[f], fits.scaled[f], fits.mean[f], fits.deviation[f]
    d = scaled.shape[0]
    point, row, ticks = np.empty(d), np.empty(u), np.empty(u)
    scores = np.empty(machines.present.shape[1])
    for i in range(tests.shape[0]):
        for a in range(d):
            point[a] = (tests[i, a] - mean[a]) / deviation[a] if rule.standardize else tests[i, a]
        kernel_row(scaled, u, point, rule.linear, fits.gamma[f], row, ticks)
        if decisions.shape[0] == 0:
            labels[i], _ = vote(machines, f, row, rule.weighted, scores)
            continue
        for pair in range(machines.size.shape[1]):
            if machines.size[f, pair] >= 0:
                decisions[i, pair] = decision(machines, f, pair, row)


@inner
def _select(layout, start, cases, r, sampled, own_scale, values, places, fits, f):  # type: ignore[no-untyped-def]
    """Make a row of resamples a fit of those distinct cases alone that it trains on or tests; return how many train.

    Kernel values that hold for all rows are kept as they are.
    """
    begin, distinct = layout.begin, layout.distinct
    counts, kept = fits.counts[f], fits.kept[f]
    u = layout.values.shape[1]
    for t in range(u):
        counts[t] = 0
        places[t] = -1
    trained = 0
    for i in range(distinct.shape[0]):
        counts[distinct[i]] += sampled[i]
        trained += sampled[i]
    for i in range(start[r], start[r + 1]):
        places[distinct[cases[i]]] = 0
    v = 0
    for c in range(begin.shape[0] - 1):
        fits.begin[f, c] = v
        for t in range(begin[c], begin[c + 1]):
            if own_scale and counts[t] == 0 and places[t] < 0:
                continue
            places[t] = v
            counts[v] = counts[t]
            kept[v] = counts[t]
            for a in range(values.shape[0]):
                values[a, v] = layout.values[a, t]
            v += 1
    fits.begin[f, begin.shape[0] - 1] = v
    fits.cases[f] = v
    return trained


@numpy_kernel
def label_rows(X, y, n_classes, rule, compact, start, cases, labels):  # type: ignore[no-untyped-def]
    """Train on every row that tests cases, and label them; return the first row without a training case, or -1."""
    layout = lay_out(X, y, n_classes)
    d, u = layout.values.shape
    sampled = np.empty(compact.n, dtype=np.int32)
    values, ticks = np.empty((d, u)), np.empty(u)
    places = np.empty((TOGETHER, u), dtype=np.int64)
    rows = np.empty(TOGETHER, dtype=np.int64)
    fits = make_fits(TOGETHER, n_classes, d, u)
    machines = make_machines(TOGETHER, n_classes, u)
    work = make_work(n_classes, u)
    if not rule.own_scale:
        fits.gram[:] = 0
        gram(layout.values, u, rule.linear, rule.gamma, fits.K[0], ticks)
    number = 0
    for r in range(start.shape[0]):
        if r < start.shape[0] - 1 and start[r] < start[r + 1]:
            training_row(compact, r, sampled)
            trained = _select(layout, start, cases, r, sampled, rule.own_scale, values, places[number], fits, number)
            if trained == 0:
                return r
            if rule.own_scale:
                _make_gram(values, rule, fits, number, ticks)
            rows[number] = r
            number += 1
        if number == TOGETHER or r == start.shape[0] - 1:
            train(fits, number, rule, work, machines, machines, False)
            for f in range(number):
                K = fits.K[fits.gram[f]]
                for i in range(start[rows[f]], start[rows[f] + 1]):
                    row = K[places[f, layout.distinct[cases[i]]]]
                    labels[i], _ = vote(machines, f, row, rule.weighted, work.scores)
            number = 0
    return -1


@numpy_kernel
def label_samples(X, y, tests, n_classes, rule, labels):  # type: ignore[no-untyped-def]
    """Train on every sample of a stack and label cases."""
    samples, n, d = X.shape
    none = np.empty((0, 0))
    ticks = np.empty(n)
    fits = make_fits(TOGETHER, n_classes, d, n)
    machines = make_machines(TOGETHER, n_classes, n)
    work = make_work(n_classes, n)
    for first in range(0, samples, TOGETHER):
        number = min(TOGETHER, samples - first)
        for f in range(number):
            _lay_out_fit(X[first + f], y[first + f], n_classes, rule, fits, f, ticks)
        train(fits, number, rule, work, machines, machines, False)
        for f in range(number):
            s = first + f
            answer_tests(tests[s if tests.shape[0] > 1 else 0], fits, f, machines, rule, labels[s], none)


@maker
def _label_left_out(values, cases, rule, fits, work, whole, machines, alone, ticks):  # type: ignore[no-untyped-def]
    """Label distinct cases by machines without one copy of them, which start from those of the whole sample."""
    for first in range(0, cases.shape[0], TOGETHER):
        number = min(TOGETHER, cases.shape[0] - first)
        for f in range(number):
            g = cases[first + f]
            fits.counts[f] = fits.kept[f]
            fits.counts[f, g] -= 1
            fits.left_out[f] = g
            fits.asked[f] = True
            if rule.own_scale:
                _make_gram(values, rule, fits, f, ticks)
        for warm in (True, False):
            train(fits, number, rule, work, machines, whole, warm)
            for f in range(number):
                if fits.asked[f]:
                    g = cases[first + f]
                    alone[g], margin = vote(machines, f, fits.K[fits.gram[f], g], rule.weighted, work.scores)
                    # a close decision is made again from the start of a fit
                    fits.asked[f] = warm and not margin >= rule.guard
    fits.left_out[:] = -1
    fits.asked[:] = True


@numpy_kernel
def cross_validate(X, y, folds, n_classes, rule, labels):  # type: ignore[no-untyped-def]
    """Label the cases of every sample of a stack out of their folds; return a sample in one fold, or -1."""
    samples, n, d = X.shape
    ticks = np.empty(n)
    fits = make_fits(TOGETHER, n_classes, d, n)
    machines = make_machines(TOGETHER, n_classes, n)
    whole = make_machines(1, n_classes, n)
    work = make_work(n_classes, n)
    ends = np.empty((TOGETHER, 2), dtype=np.int64)
    if not rule.own_scale:
        fits.gram[:] = 0
    for s in range(samples):
        layout = lay_out(X[s], y[s], n_classes)
        values, distinct = layout.values, layout.distinct
        u = values.shape[1]
        selected = _multiplicities(distinct, u)
        for f in range(TOGETHER):
            fits.cases[f] = u
            fits.begin[f] = layout.begin
            fits.counts[f, :u] = selected
            fits.kept[f, :u] = selected
        _make_gram(values, rule, fits, 0, ticks)
        by_fold = np.argsort(folds[s], kind="mergesort")
        # distinct cases that are left out alone: they start from the machines of the whole sample, each once;
        # larger folds would gain nothing by that
        single = np.empty(u, dtype=np.int64)
        alone = np.full(u, -1)
        singles = 0
        number = 0
        last = 0
        while last < n:
            first = last
            while last < n and folds[s, by_fold[last]] == folds[s, by_fold[first]]:
                last += 1
            if last - first == n:
                return s
            g = distinct[by_fold[first]]
            if last - first == 1 and alone[g] < 0:
                alone[g] = 0
                single[singles] = g
                singles += 1
        if singles > 0:
            train(fits, 1, rule, work, whole, whole, False)
            _label_left_out(values, single[:singles], rule, fits, work, whole, machines, alone, ticks)
        last = 0
        while last < n:
            first = last
            while last < n and folds[s, by_fold[last]] == folds[s, by_fold[first]]:
                last += 1
            if last - first == 1:
                labels[s, by_fold[first]] = alone[distinct[by_fold[first]]]
            else:
                counts = fits.counts[number]
                counts[:u] = selected
                for k in range(first, last):
                    counts[distinct[by_fold[k]]] -= 1
                fits.kept[number] = counts
                if rule.own_scale:
                    _make_gram(values, rule, fits, number, ticks)
                ends[number] = first, last
                number += 1
            if number == TOGETHER or (number > 0 and last == n):
                train(fits, number, rule, work, machines, machines, False)
                for f in range(number):
                    for k in range(ends[f, 0], ends[f, 1]):
                        i = by_fold[k]
                        row = fits.K[fits.gram[f], distinct[i]]
                        labels[s, i], _ = vote(machines, f, row, rule.weighted, work.scores)
                number = 0
    return -1
