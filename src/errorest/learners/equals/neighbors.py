"""k nearest neighbours and nearest centroids as scikit-learn has them, by Euclidean distance."""

from __future__ import annotations

from math import inf, log

import numpy as np

from errorest.compiled import inner, kernel
from errorest.learners.equals.batch import MARGIN, class_means, count_classes, decide
from errorest.resampling.multisets import training_row

# |x|^2 + |z|^2 - 2 x z, as scikit-learn computes squared distances by matrices, errs by some roundings of its terms
_ROUNDING = 1e-13
# Above this squared length, in within-class deviations, that error would reach 1e-10
_LONG = 1e3


@inner
def _neighbor_votes(squared, classes, copies, size, k, wider, near, inside, border):  # type: ignore[no-untyped-def]
    """Count the votes of the k nearest by class, inside and at the k-th distance; return how many votes are open.

    ``wider`` is added to the distance up to which two distances are taken for equal.
    """
    covered = 0
    for j in range(size):
        for _ in range(min(copies[j], k)):
            if covered == k and squared[j] >= near[k - 1]:
                break
            p = covered if covered < k else k - 1
            while p > 0 and near[p - 1] > squared[j]:
                near[p] = near[p - 1]
                p -= 1
            near[p] = squared[j]
            covered = min(covered + 1, k)
    radius = near[k - 1]
    tolerance = MARGIN * radius + wider
    for c in range(inside.shape[0]):
        inside[c] = border[c] = 0
    open_votes = k
    for j in range(size):
        if squared[j] < radius - tolerance:
            inside[classes[j]] += copies[j]
            open_votes -= copies[j]
        elif squared[j] <= radius + tolerance:
            border[classes[j]] += copies[j]
    return open_votes


@inner
def _settle_votes(inside, border, open_votes):  # type: ignore[no-untyped-def]
    """Return the winner whichever cases at the k-th distance vote, or -1; the lowest class wins a tie."""
    total = border.sum()
    for w in range(inside.shape[0]):
        # of the open votes a class gets at least what the others at that distance cannot fill
        least = inside[w] + max(0, open_votes - (total - border[w]))
        wins = True
        for c in range(inside.shape[0]):
            most = inside[c] + min(border[c], open_votes)
            if c != w and (most > least or (most == least and c < w)):
                wins = False
        if wins:
            return w
    return -1


@kernel
def nearest_neighbors(tables, y, compact, first, last, start, cases, rule, labels, probabilities, doubtful, left):  # type: ignore[no-untyped-def]
    """Answer by the k nearest training cases of every row; the rule holds k, whether a tree is used, and K."""
    k, by_tree, n_classes = rule
    n, d = tables.shape[1:]
    weights, classes, copies = np.empty(n, np.int32), np.empty(n, np.int64), np.empty(n, np.int64)
    inside, border = np.empty(n_classes, np.int64), np.empty(n_classes, np.int64)
    columns, squared, near = np.empty((d, n)), np.empty(n), np.empty(k)
    for r in range(first, last):
        if start[r] == start[r + 1] or left[r]:
            continue
        Z = tables[min(r - first, tables.shape[0] - 1)]
        training_row(compact, r, weights)
        m = weights.sum()
        if m < k:
            left[r] = True
            continue
        size, longest = 0, 0.0
        for i in range(n):
            if weights[i] > 0:
                length = 0.0
                for a in range(d):
                    columns[a, size] = Z[i, a]
                    length += Z[i, a] * Z[i, a]
                classes[size], copies[size] = y[i], weights[i]
                longest = max(longest, length)
                size += 1
        # "auto" takes a tree for few columns and few neighbours, and sums squared differences there
        trees = by_tree and d <= 15 and k < m // 2
        for t in range(start[r], start[r + 1]):
            x, length = Z[cases[t]], 0.0
            squared[:size] = 0.0
            for a in range(d):
                length += x[a] * x[a]
                for j in range(size):
                    squared[j] += (x[a] - columns[a, j]) * (x[a] - columns[a, j])
            wider = 0.0 if trees else _ROUNDING * (length + longest)
            open_votes = _neighbor_votes(squared, classes, copies, size, k, wider, near, inside, border)
            winner = _settle_votes(inside, border, open_votes)
            labels[t], doubtful[t] = max(winner, 0), winner < 0
            if probabilities.shape[0] > 0:
                candidates = 0
                for c in range(n_classes):
                    candidates += border[c] > 0
                # shares are certain where one class is at the k-th distance, or all cases there vote
                doubtful[t] = doubtful[t] or (candidates > 1 and border.sum() > open_votes)
                for c in range(n_classes):
                    probabilities[t, c] = (inside[c] + min(border[c], open_votes)) / k


@kernel
def nearest_centroid(tables, y, compact, first, last, start, cases, rule, labels, probabilities, doubtful, left):  # type: ignore[no-untyped-def]
    """Answer by the nearest class mean of every row; the rule holds K."""
    (n_classes,) = rule
    n, d = tables.shape[1:]
    weights, counts = np.empty(n, np.int32), np.empty(n_classes, np.int64)
    mean, variance, scores = np.empty((n_classes, d)), np.empty(d), np.empty(n_classes)
    for r in range(first, last):
        if start[r] == start[r + 1] or left[r]:
            continue
        Z = tables[min(r - first, tables.shape[0] - 1)]
        training_row(compact, r, weights)
        m = count_classes(y, weights, counts)
        present = (counts > 0).sum()
        if m <= present:
            left[r] = True
            continue
        class_means(Z, y, weights, counts, mean)
        variance[:] = 0.0
        for i in range(n):
            if weights[i] > 0:
                for a in range(d):
                    variance[a] += weights[i] * (Z[i, a] - mean[y[i], a]) ** 2
        for a in range(d):
            length = 0.0
            for c in range(n_classes):
                length = max(length, mean[c, a] * mean[c, a])
            # scikit-learn warns of a column without variance within classes
            if variance[a] <= 1e-20 * max(1.0, length) * m:
                left[r] = True
            variance[a] /= m - present
        if left[r]:
            continue
        for t in range(start[r], start[r + 1]):
            x, lengths = Z[cases[t]], 0.0
            for c in range(n_classes):
                scores[c] = 0.0 if counts[c] > 0 else -inf
                if counts[c] > 0:
                    length = 0.0
                    for a in range(d):
                        scores[c] -= (x[a] - mean[c, a]) ** 2
                        length += x[a] * x[a] + mean[c, a] * mean[c, a]
                    lengths = max(lengths, length)
            _nearest_mean(scores, t, lengths, labels, doubtful)
            if probabilities.shape[0] > 0:
                long = 0.0
                for c in range(n_classes):
                    if counts[c] > 0:
                        # -|x - mean_c|^2 in units of the within-class deviation, and twice the log of equal priors
                        scores[c] = -2.0 * log(present)
                        for a in range(d):
                            scores[c] -= (x[a] - mean[c, a]) ** 2 / variance[a]
                            long = max(long, (x[a] * x[a] + mean[c, a] * mean[c, a]) / variance[a])
                label, unsure = labels[t], doubtful[t]
                decide(scores, MARGIN, t, labels, probabilities, doubtful)
                labels[t], doubtful[t] = label, unsure or long * d > _LONG


@inner
def _nearest_mean(scores, t, lengths, labels, doubtful):  # type: ignore[no-untyped-def]
    """Write the class of the largest score, minus the squared distance, and whether rounding might decide."""
    best = 0
    for c in range(1, scores.shape[0]):
        if scores[c] > scores[best]:
            best = c
    labels[t], doubtful[t] = best, False
    for c in range(scores.shape[0]):
        if c != best and not scores[best] - scores[c] > MARGIN * -scores[best] + _ROUNDING * lengths:
            doubtful[t] = True
