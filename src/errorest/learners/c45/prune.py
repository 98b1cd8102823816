"""Pessimistic pruning with subtree raising (Quinlan 1993, chapter 4).

The errors that a leaf would make are the upper confidence limit of a binomial
rate.  A node becomes a leaf, or takes the place of its largest branch's
subtree, where that is estimated to make no more errors.  Children have higher
numbers than their parents, so one pass from the last node to the first is the
post-order, and a raised subtree is only marked to be looked at again.
"""

from __future__ import annotations

import math

import numpy as np

from errorest.compiled import inner, numpy_kernel
from errorest.learners.c45.grow import divide, total_and_most
from errorest.learners.c45.work import COLLAPSE_SLACK, PRUNE_SLACK, TIE


@numpy_kernel
def added_errors(n, e, confidence, z):  # type: ignore[no-untyped-def]
    """Return how many errors to add to e observed ones in n cases: the upper limit of a binomial rate, less e."""
    # exact for no error, interpolated up to one, above it Wilson's limit with half an error for continuity
    if e < 1.0:
        # p with (1 - p)^n = confidence: so many errors would be none with that chance
        none = n * (1.0 - math.exp(math.log(confidence) / n))
        if e <= TIE:
            return none
        # between 0 and 1 error (fractional weights) linear between the limits for none and for one
        one = max(n - 1.0, 0.0) if n <= 1.5 else _limit(n, 1.0, z)
        return none + e * (one - none)
    # nearly every case is an error: the upper limit of the rate is 1
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    return _limit(n, e, z)


@inner
def _limit(n, e, z):  # type: ignore[no-untyped-def]
    # the upper root of (f - p)^2 = z^2 p (1 - p) / n, Wilson's limit, with half an error for continuity in f
    f = (e + 0.5) / n
    zz = z * z / n
    upper = (f + zz / 2.0 + z * math.sqrt(f * (1.0 - f) / n + zz / (4.0 * n))) / (1.0 + zz)
    return n * upper - e


@inner
def _leaf_errors(dist, rule):  # type: ignore[no-untyped-def]
    total, most = total_and_most(dist)
    if total <= TIE:
        return 0.0
    # errors on the training cases, and what the upper confidence limit adds to them
    return total - most + added_errors(total, total - most, rule.confidence, rule.z)


@inner
def _make_leaf(tree, v):  # type: ignore[no-untyped-def]
    tree[v].attribute = -1
    tree[v].first_child = -1
    tree[v].n_children = 0
    tree[v].threshold = math.nan


@inner
def collapse(n_nodes, work):  # type: ignore[no-untyped-def]
    """Turn each subtree into a leaf that makes no fewer errors on the training cases than the leaf would."""
    # children before parents: the errors below a node are sums of those below its children
    tree, state, dist = work.tree, work.state, work.dist
    for v in range(n_nodes - 1, -1, -1):
        total, most = total_and_most(dist[v])
        wrong = total - most
        if tree[v].attribute >= 0:
            below = 0.0
            for u in range(tree[v].first_child, tree[v].first_child + tree[v].n_children):
                below += state[u].errors
            if below >= wrong - COLLAPSE_SLACK:
                _make_leaf(tree, v)
            else:
                wrong = below
        state[v].errors = wrong


@inner
def _route(cases, work, v, u, top, rule):  # type: ignore[no-untyped-def]
    """Send the cases of node v down node u; return estimated errors, the new top (-1: no room), and missing values."""
    tree = work.tree
    work.new_part[u] = work.part[v]
    for c in range(work.dist.shape[1]):
        work.new_dist[u, c] = work.dist[v, c]
    errors = 0.0
    any_missing = False
    work.stack[0] = u
    depth = 1
    while depth > 0:
        depth -= 1
        t = np.int64(work.stack[depth])
        if tree[t].attribute < 0:
            errors += _leaf_errors(work.new_dist[t], rule)
            continue
        top, missing = divide(cases, work, t, work.new_part, work.new_dist, top)
        if top < 0:
            return 0.0, -1, any_missing
        any_missing = any_missing or missing > 0
        for s in range(tree[t].first_child, tree[t].first_child + tree[t].n_children):
            work.stack[depth] = s
            depth += 1
    return errors, top, any_missing


@inner
def _errors_with_siblings(cases, work, v, u, top, enough, rule):  # type: ignore[no-untyped-def]
    """Estimate the errors of child u with all cases of v, routing its siblings' alone; -1 where that is not exact."""
    # whole weights add up exactly, so that this is what _route finds; infinity once the errors are over ``enough``
    tree, part, state, dist = work.tree, work.part, work.state, work.dist
    new_part, new_dist, place = work.new_part, work.new_dist, work.place
    if not state[u].whole or top + part[v].n_places - part[u].n_places > place.shape[0]:
        return -1.0
    new_part[u].start = top
    for s in range(tree[v].first_child, tree[v].first_child + tree[v].n_children):
        if s != u:
            for q in range(part[s].start, part[s].start + part[s].n_places):
                place[top] = place[q]
                top += 1
    new_part[u].n_places = top - new_part[u].start
    for c in range(dist.shape[1]):
        # the siblings' class weights alone: those of u itself are added at the leaves
        new_dist[u, c] = dist[v, c] - dist[u, c]
    errors = 0.0
    work.stack[0] = u
    depth = 1
    while depth > 0:
        depth -= 1
        t = np.int64(work.stack[depth])
        if new_part[t].n_places == 0:
            errors += state[t].errors
        elif tree[t].attribute < 0:
            for c in range(dist.shape[1]):
                new_dist[t, c] += dist[t, c]
            errors += _leaf_errors(new_dist[t], rule)
        else:
            if not state[tree[t].first_child].whole:
                return -1.0
            top, missing = divide(cases, work, t, new_part, new_dist, top)
            if top < 0 or missing > 0:
                return -1.0
            for s in range(tree[t].first_child, tree[t].first_child + tree[t].n_children):
                work.stack[depth] = s
                depth += 1
        if errors > enough:
            return math.inf
    return errors


@inner
def _raise_branch(work, v, u, whole):  # type: ignore[no-untyped-def]
    """Let node v take the test and the children of node u, with the routed cases; return the highest number below."""
    tree, state = work.tree, work.state
    tree[v] = tree[u]
    state[v].dirty = True
    highest = v
    work.stack[0] = v
    depth = 1
    while depth > 0:
        depth -= 1
        t = np.int64(work.stack[depth])
        for s in range(tree[t].first_child, tree[t].first_child + tree[t].n_children):
            work.part[s] = work.new_part[s]
            for c in range(work.dist.shape[1]):
                work.dist[s, c] = work.new_dist[s, c]
            state[s].dirty = True
            state[s].whole = whole
            highest = max(highest, s)
            work.stack[depth] = s
            depth += 1
    return highest


@inner
def prune(cases, rule, n_nodes, top, work):  # type: ignore[no-untyped-def]
    """Prune the tree in ``work``; return False if there was no room to raise a subtree."""
    tree, state = work.tree, work.state
    for v in range(n_nodes):
        state[v].dirty = True
    v = n_nodes - 1
    while v >= 0:
        if not state[v].dirty:
            v -= 1
            continue
        state[v].dirty = False
        as_leaf = _leaf_errors(work.dist[v], rule)
        state[v].errors = as_leaf
        if tree[v].attribute >= 0:
            as_tree = 0.0
            largest = v
            most = -1.0
            for u in range(tree[v].first_child, tree[v].first_child + tree[v].n_children):
                as_tree += state[u].errors
                weight, _ = total_and_most(work.dist[u])
                if weight >= most - TIE:
                    most = weight
                    largest = u
            # a leaf or the largest branch in place of the subtree must make no more errors, but for the allowance
            enough = as_tree + PRUNE_SLACK + TIE
            as_branch = math.inf
            if rule.subtree_raising:
                as_branch = _errors_with_siblings(cases, work, v, largest, top, enough, rule)
                if as_branch < 0.0:
                    as_branch, end, _ = _route(cases, work, v, largest, top, rule)
                    if end < 0:
                        return False
            # a leaf is preferred to a raised branch, and that to the subtree, each with the allowance of PRUNE_SLACK
            if as_leaf <= enough and as_leaf <= as_branch + PRUNE_SLACK + TIE:
                _make_leaf(tree, v)
            elif as_branch <= enough:
                _, top, missing = _route(cases, work, v, largest, top, rule)
                if top < 0:
                    return False
                v = _raise_branch(work, v, largest, state[v].whole and not missing)
                continue
            else:
                state[v].errors = as_tree
        v -= 1
    return True
