"""One tree a row of resamples in one compiled pass, one tree of one sample, and the labels that trees give.

A missing value follows every branch in fractions (Quinlan 1993, section 3.2).
"""

from __future__ import annotations

import numpy as np

from errorest.compiled import inner, numpy_kernel
from errorest.learners.c45.grow import grow, majority, total_and_most
from errorest.learners.c45.prune import collapse, prune
from errorest.learners.c45.work import Cases, Rule, make_work
from errorest.learners.trees import descend


@inner
def settle(n_nodes, work):  # type: ignore[no-untyped-def]
    """Label all nodes; one without training cases takes its parent's class weights."""
    tree, part, dist = work.tree, work.part, work.dist
    for v in range(n_nodes):  # children come after parents
        tree[v].label = majority(dist[v])
        tree[v].share = part[v].share
        for u in range(tree[v].first_child, tree[v].first_child + tree[v].n_children):
            if part[u].n_places == 0:
                for c in range(dist.shape[1]):
                    dist[u, c] = dist[v, c]


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
        v = descend(tree, kind, x, np.int64(stack[depth]))
        w = portion[depth]
        if tree[v].attribute < 0:
            # the leaf's class shares, weighted by the part of the case that reached it (Quinlan 1993, section 3.2)
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


@numpy_kernel
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
        v = descend(tree, kind, x, np.int64(0))
        if tree[v].attribute < 0:
            labels[t] = tree[v].label
        else:
            _spread(tree, dist, kind, x, stack, portion, out)
            labels[t] = majority(out)


_FIRST_NODES = 256
_FIRST_LEVELS = 12


@inner
def _induce(cases, counts, rule, work):  # type: ignore[no-untyped-def]
    """Make the tree of weighted cases in ``work``; False if it does not fit there."""
    n_nodes, top = grow(cases, counts, rule, work)
    if n_nodes < 0:
        return False
    collapse(n_nodes, work)
    if rule.prune and not prune(cases, rule, n_nodes, top, work):
        return False
    settle(n_nodes, work)
    return True


@numpy_kernel
def label_rows(cases, distinct, weights, start, tested, X, rule, labels, probabilities):  # type: ignore[no-untyped-def]
    """Grow a tree for every resample and return the labels, or the class probabilities, of its tested cases."""
    n_nodes = _FIRST_NODES
    n_places = _FIRST_LEVELS * cases.y.shape[0]
    work = make_work(cases, n_nodes, n_places)
    counts = np.empty(cases.y.shape[0], np.int64)
    for r in range(start.shape[0] - 1):
        counts[:] = 0
        for i in range(distinct.shape[0]):
            counts[distinct[i]] += weights[r, i]
        if counts.sum() == 0:
            if start[r] < start[r + 1]:
                return r, work.tree, work.dist
            continue
        while not _induce(cases, counts, rule, work):
            n_nodes *= 2
            n_places *= 2
            work = make_work(cases, n_nodes, n_places)
        row = slice(start[r], start[r + 1])
        answer_cases(work.tree, work.dist, cases.kind, X, tested[row], labels[row], probabilities[row])
    return -1, work.tree, work.dist


def one_tree(cases: Cases, distinct: np.ndarray, weights: np.ndarray, rule: Rule) -> tuple[np.ndarray, np.ndarray]:
    """Make one tree of the nodes that can be reached from the root, numbered level by level."""
    start, none = np.zeros(2, dtype=np.int64), np.empty(0, dtype=np.int32)
    X, labels, output = np.empty((0, cases.kind.shape[0])), np.empty(0, dtype=np.int64), np.empty((0, 0))
    _, tree, dist = label_rows(cases, distinct, weights[None, :], start, none, X, rule, labels, output)
    old = [0]
    for v in old:
        first = int(tree[v]["first_child"])
        old.extend(range(first, first + int(tree[v]["n_children"])))
    nodes = tree[old]
    inside = nodes["n_children"] > 0
    nodes["first_child"][inside] = 1 + np.concatenate([[0], np.cumsum(nodes["n_children"][inside])[:-1]])
    return nodes, dist[old]
