"""One tree a row of resamples, in one compiled pass; and one tree of one sample."""

from __future__ import annotations

import numba as nb
import numpy as np

from errorest.compiled import inner
from errorest.inducers.c45.cases import Cases
from errorest.inducers.c45.grow import grow
from errorest.inducers.c45.predict import answer_cases, settle
from errorest.inducers.c45.prune import collapse, prune
from errorest.inducers.c45.work import NODE, Rule, make_work

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


@nb.njit(cache=True, error_model="numpy")
def label_rows(cases, distinct, weights, start, tested, X, rule, labels, probabilities):  # type: ignore[no-untyped-def]
    """Grow a tree for every resample and return the labels, or the class probabilities, of its tested cases."""
    n_nodes = _FIRST_NODES
    n_places = _FIRST_LEVELS * cases.y.shape[0]
    work = make_work(cases, n_nodes, n_places)
    counts = np.empty(cases.y.shape[0], np.int64)
    for r in range(start.shape[0] - 1):
        for i in range(counts.shape[0]):
            counts[i] = 0
        trained = 0
        for i in range(distinct.shape[0]):
            counts[distinct[i]] += weights[r, i]
            trained += weights[r, i]
        if trained == 0:
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
    """Make one tree."""
    none = np.empty(0, dtype=np.int32)
    start = np.zeros(2, dtype=np.int64)
    X = np.empty((0, cases.kind.shape[0]))
    row = weights.astype(np.int32)[None, :]
    labels, output = np.empty(0, dtype=np.int64), np.empty((0, 0))
    _, tree, dist = label_rows(cases, distinct, row, start, none, X, rule, labels, output)
    return _reached(tree, dist)


def _reached(tree: np.ndarray, dist: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Copy the nodes that can be reached from the root, renumbered level by level."""
    old = [0]
    for v in old:
        first = int(tree[v]["first_child"])
        old.extend(range(first, first + int(tree[v]["n_children"])))
    nodes = np.empty(len(old), dtype=NODE)
    nodes[:] = tree[old]
    inner = nodes["n_children"] > 0
    nodes["first_child"][inner] = 1 + np.concatenate([[0], np.cumsum(nodes["n_children"][inner])[:-1]])
    return nodes, dist[old]
