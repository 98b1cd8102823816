"""Naive Bayes as scikit-learn has it: normal densities, ones and zeros, and categories."""

from __future__ import annotations

from math import log, pi

import numpy as np

from errorest.compiled import inner, kernel
from errorest.learners.equals.batch import MARGIN, class_means, decide, prepare_row


@kernel
def gaussian(tables, y, compact, first, last, start, cases, rule, labels, probabilities, doubtful, left):  # type: ignore[no-untyped-def]
    """Fit GaussianNB on every row; the rule holds priors, variance smoothing and the number of classes."""
    priors, smoothing, n_classes = rule
    d = tables.shape[2]
    weights, counts = np.empty(compact.n, np.int32), np.empty(n_classes, np.int64)
    mean, inverse = np.empty((n_classes, d)), np.empty((n_classes, d))
    constant, scores, grand = np.empty(n_classes), np.empty(n_classes), np.empty(d)
    for r in range(first, last):
        if start[r] == start[r + 1] or left[r]:
            continue
        Z = tables[min(r - first, tables.shape[0] - 1)]
        m = prepare_row(compact, r, y, priors, True, weights, counts, constant)
        if m == 0:
            left[r] = True
            continue
        class_means(Z, y, weights, counts, mean)
        inverse[:], grand[:] = 0.0, 0.0
        for a in range(d):
            for c in range(n_classes):
                grand[a] += counts[c] * mean[c, a] / m
        # two passes: sums of squares about the class means, with divisor n_c
        for i in range(compact.n):
            if weights[i] > 0:
                for a in range(d):
                    inverse[y[i], a] += weights[i] * (Z[i, a] - mean[y[i], a]) ** 2
        largest = 0.0
        for a in range(d):
            # total sum of squares = within classes + between them
            total = 0.0
            for c in range(n_classes):
                total += inverse[c, a] + counts[c] * (mean[c, a] - grand[a]) ** 2
            largest = max(largest, total / m)
        # every variance is raised by this share of the largest variance over all classes
        epsilon = smoothing * largest
        for c in range(n_classes):
            if counts[c] == 0:
                continue
            for a in range(d):
                variance = inverse[c, a] / counts[c] + epsilon
                if not variance > 0.0:
                    left[r] = True
                    break
                # log prior + sum over attributes of log N(x; mean, variance)
                constant[c] -= 0.5 * log(2.0 * pi * variance)
                inverse[c, a] = 1.0 / variance
        if left[r]:
            continue
        for t in range(start[r], start[r + 1]):
            i = cases[t]
            for c in range(n_classes):
                scores[c] = constant[c]
                if counts[c] > 0:
                    apart = 0.0
                    for a in range(d):
                        apart += (Z[i, a] - mean[c, a]) ** 2 * inverse[c, a]
                    scores[c] -= 0.5 * apart
            decide(scores, MARGIN, t, labels, probabilities, doubtful)


@kernel
def bernoulli(tables, y, compact, first, last, start, cases, rule, labels, probabilities, doubtful, left):  # type: ignore[no-untyped-def]
    """Fit BernoulliNB on every row; the rule holds priors, threshold, alpha, fit_prior, whether steps transform, K."""
    priors, threshold, alpha, fit_prior, transformed, n_classes = rule
    d = tables.shape[2]
    weights, counts = np.empty(compact.n, np.int32), np.empty(n_classes, np.int64)
    ones, zeros = np.empty((n_classes, d)), np.empty((n_classes, d))
    constant, scores = np.empty(n_classes), np.empty(n_classes)
    for r in range(first, last):
        if start[r] == start[r + 1] or left[r]:
            continue
        Z = tables[min(r - first, tables.shape[0] - 1)]
        if prepare_row(compact, r, y, priors, fit_prior, weights, counts, constant) == 0:
            left[r] = True
            continue
        # as they are, values are compared as scikit-learn compares them; transformed, up to rounding
        if transformed and _crosses(Z, d, threshold):
            left[r] = True
            continue
        ones[:] = 0.0
        for i in range(compact.n):
            if weights[i] > 0:
                for a in range(d):
                    ones[y[i], a] += weights[i] if Z[i, a] > threshold else 0
        for c in range(n_classes):
            if counts[c] > 0:
                for a in range(d):
                    # P(x_a = 1 | c) = (ones + alpha) / (n_c + 2 alpha)
                    share = (ones[c, a] + alpha) / (counts[c] + 2.0 * alpha)
                    ones[c, a], zeros[c, a] = (
                        log(share),
                        log((counts[c] - ones[c, a] + alpha) / (counts[c] + 2 * alpha)),
                    )
        for t in range(start[r], start[r + 1]):
            for c in range(n_classes):
                scores[c] = constant[c]
                if counts[c] > 0:
                    for a in range(d):
                        scores[c] += ones[c, a] if Z[cases[t], a] > threshold else zeros[c, a]
            decide(scores, MARGIN, t, labels, probabilities, doubtful)


@inner
def _crosses(Z, width, threshold):  # type: ignore[no-untyped-def]
    """Whether rounding might move a value over the threshold."""
    for i in range(Z.shape[0]):
        for a in range(width):
            if abs(Z[i, a] - threshold) <= MARGIN * max(1.0, abs(threshold)):
                return True
    return False


@kernel
def categorical(tables, y, compact, first, last, start, cases, rule, labels, probabilities, doubtful, left):  # type: ignore[no-untyped-def]
    """Fit CategoricalNB on every row.

    The rule holds priors, least categories, first columns of a table of categories, alpha, fit_prior and K.
    """
    priors, least, begin, alpha, fit_prior, n_classes = rule
    d = tables.shape[2]
    weights, counts = np.empty(compact.n, np.int32), np.empty(n_classes, np.int64)
    table, size = np.empty((n_classes, begin[d])), np.empty(d, np.int64)
    constant, scores = np.empty(n_classes), np.empty(n_classes)
    codes = tables[0].astype(np.int64)
    for r in range(first, last):
        if start[r] == start[r + 1] or left[r]:
            continue
        if prepare_row(compact, r, y, priors, fit_prior, weights, counts, constant) == 0:
            left[r] = True
            continue
        table[:] = 0.0
        size[:] = least
        for i in range(compact.n):
            if weights[i] > 0:
                for a in range(d):
                    table[y[i], begin[a] + codes[i, a]] += weights[i]
                    size[a] = max(size[a], codes[i, a] + 1)
        for c in range(n_classes):
            if counts[c] > 0:
                for a in range(d):
                    for v in range(begin[a], begin[a + 1]):
                        # P(x_a = v | c) = (count + alpha) / (n_c + alpha categories)
                        table[c, v] = log((table[c, v] + alpha) / (counts[c] + alpha * size[a]))
        for t in range(start[r], start[r + 1]):
            for c in range(n_classes):
                scores[c] = constant[c]
            for a in range(d):
                code = codes[cases[t], a]
                if code >= size[a]:  # a category that the training set does not know is refused
                    left[r] = True
                    break
                for c in range(n_classes):
                    if counts[c] > 0:
                        scores[c] += table[c, begin[a] + code]
            decide(scores, MARGIN, t, labels, probabilities, doubtful)
