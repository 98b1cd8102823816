"""Labelling cases with a tree; missing values follow every branch in fractions (Quinlan 1993, section 3.2)."""

from __future__ import annotations

import numba as nb
import numpy as np

from errorest.compiled import inner
from errorest.inducers.c45.grow import majority, total_and_most


@inner
def settle(n_nodes, work):  # type: ignore[no-untyped-def]
    """Label all nodes; one without training cases takes its parent's class weights."""
    tree, part, dist = work.tree, work.part, work.dist
    for v in range(n_nodes):  # children come after parents
        tree[v].label = majority(dist[v])
        tree[v].share = part[v].share
        for u in range(tree[v].first_child, tree[v].first_child + tree[v].n_children):
            if part[u].size == 0:
                for c in range(dist.shape[1]):
                    dist[u, c] = dist[v, c]


@inner
def _descend(tree, kind, x, v):  # type: ignore[no-untyped-def]
    """Follow a case down from node v to a leaf, or to the first test whose value it lacks."""
    while tree[v].attribute >= 0:
        value = x[tree[v].attribute]
        if kind[tree[v].attribute] == 1:
            if value != value:
                return v
            v = tree[v].first_child + (0 if value <= tree[v].threshold else 1)
        else:
            if not (value >= 0.0 and value < tree[v].n_children and value == np.floor(value)):
                return v
            v = tree[v].first_child + np.int64(value)
    return v


@inner
def _spread(tree, dist, kind, x, stack, portion, out):  # type: ignore[no-untyped-def]
    """Write the class probabilities of one case into ``out``."""
    for c in range(out.shape[0]):
        out[c] = 0.0
    stack[0] = 0
    portion[0] = 1.0
    depth = 1
    while depth > 0:
        depth -= 1
        v = _descend(tree, kind, x, np.int64(stack[depth]))
        w = portion[depth]
        if tree[v].attribute < 0:
            total, _ = total_and_most(dist[v])
            for c in range(out.shape[0]):
                out[c] += w * dist[v, c] / total
            continue
        first = tree[v].first_child
        for u in range(first + tree[v].n_children - 1, first - 1, -1):
            if tree[u].share > 0.0:
                stack[depth] = u
                portion[depth] = w * tree[u].share
                depth += 1


@nb.njit(cache=True, error_model="numpy")
def answer_cases(tree, dist, kind, X, which, labels, probabilities):  # type: ignore[no-untyped-def]
    """Write the labels of the rows ``which`` of X, or where ``probabilities`` has rows these."""
    stack = np.empty(tree.shape[0], np.int32)
    portion = np.empty(tree.shape[0], np.float64)
    out = np.empty(dist.shape[1], np.float64)
    for t in range(which.shape[0]):
        x = X[which[t]]
        if probabilities.shape[0] > 0:
            _spread(tree, dist, kind, x, stack, portion, probabilities[t])
            continue
        v = _descend(tree, kind, x, np.int64(0))
        if tree[v].attribute < 0:
            labels[t] = tree[v].label
        else:
            _spread(tree, dist, kind, x, stack, portion, out)
            labels[t] = majority(out)
