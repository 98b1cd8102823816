"""Growing a tree top down (Quinlan 1993, chapter 2): sorted lists are split off the parent's, never sorted again."""

from __future__ import annotations

import numpy as np

from errorest.compiled import inner
from errorest.learners.c45.criterion import begin_tables, give_back, hand_down, nominal_gains, number_gains, table_of
from errorest.learners.c45.work import MEAN_SLACK, TIE


@inner
def majority(dist):  # type: ignore[no-untyped-def]
    """Return the class of the largest weight; the first of equal ones."""
    best = 0
    for c in range(1, dist.shape[0]):
        if dist[c] > dist[best] + TIE:
            best = c
    return best


@inner
def _plant(cases, counts, work):  # type: ignore[no-untyped-def]
    """Make the root; return the number of its cases."""
    place, dist, y = work.place, work.dist[0], cases.y
    for c in range(dist.shape[0]):
        dist[c] = 0.0
    at = 0
    for i in range(counts.shape[0]):
        if counts[i] > 0:
            place[at].case = i
            place[at].weight = counts[i]
            dist[y[i]] += counts[i]
            at += 1
    for j in range(cases.values.shape[0]):
        order, listed = cases.order[j], work.sorted_cases[j]
        n = 0
        for q in range(cases.n_known[j]):
            if counts[order[q]] > 0:
                listed[n] = order[q]
                n += 1
        work.n_sorted[0, j] = n
    work.part[0].start = 0
    work.part[0].n_places = at
    work.part[0].share = 1.0
    _begin_node(work, np.int64(0), np.bool_(True))
    return at


@inner
def _begin_node(work, v, whole):  # type: ignore[no-untyped-def]
    work.tree[v].attribute = -1
    work.tree[v].first_child = -1
    work.tree[v].n_children = 0
    work.tree[v].threshold = np.nan
    work.state[v].table = -1
    work.state[v].whole = whole


@inner
def total_and_most(dist):  # type: ignore[no-untyped-def]
    """Return the weight of all classes, and of the largest."""
    total = 0.0
    most = 0.0
    for c in range(dist.shape[0]):
        total += dist[c]
        most = max(most, dist[c])
    return total, most


@inner
def _is_open(dist, min_cases):  # type: ignore[no-untyped-def]
    """Say whether cases with these class weights may be split: enough of them, and of two classes."""
    # two branches must have the least number of cases
    total, most = total_and_most(dist)
    return total >= 2.0 * min_cases - TIE and total - most >= TIE


@inner
def _choose(cases, work, v, grown_on, rule):  # type: ignore[no-untyped-def]
    """Return the attribute to test at node v, or -1."""
    dist = work.dist[v]
    total = 0.0
    n_present = np.int64(0)  # not a literal: that would compile what it is passed to twice
    for c in range(dist.shape[0]):
        if dist[c] > 0.0:
            work.by_class[n_present].present = c
            n_present += 1
            total += dist[c]
    if cases.values.shape[0] > 0:
        place, by_case = work.place, work.by_case
        for q in range(work.part[v].start, work.part[v].start + work.part[v].n_places):
            by_case[place[q].case].weight = place[q].weight
        number_gains(cases, work, v, n_present, total, rule)
    if cases.cell.shape[1] > 0:
        table = work.tables[table_of(cases, work, v)]
        nominal_gains(cases, work, table, v, n_present, total, rule.min_cases)
    # the best gain ratio among attributes of at least average gain (Quinlan 1986, section 7; 1993, section 2.2);
    # nominal ones with more values than 0.3 times the cases do not enter the average unless there are no others.
    # Neither text has that share; trees with it equal the recorded ones of J48
    kind, column, first_slot, results = cases.kind, cases.column, cases.first_slot, work.by_attribute
    mean_of_few = 0.0
    mean_of_all = 0.0
    n_few = 0
    n_all = 0
    any_few = False
    for a in range(kind.shape[0]):
        few = kind[a] == 1 or first_slot[column[a] + 1] - first_slot[column[a]] - 1 < 0.3 * grown_on
        any_few = any_few or few
        if results[a].gain > -TIE:
            n_all += 1
            mean_of_all += results[a].gain
            if few:
                n_few += 1
                mean_of_few += results[a].gain
    mean = mean_of_few / max(n_few, 1) if any_few else mean_of_all / max(n_all, 1)
    best = -1
    ratio = 0.0
    for a in range(kind.shape[0]):
        # the average guards against a ratio that is large for a tiny split information alone
        if results[a].gain > TIE and results[a].gain >= mean - MEAN_SLACK and results[a].ratio > ratio + TIE:
            best = a
            ratio = results[a].ratio
    return best


@inner
def _snap(order, values, n_known, counts, middle):  # type: ignore[no-untyped-def]
    """Return the largest training value that is not above ``middle``."""
    # a threshold is a value that occurs, not the midpoint (Quinlan 1993, section 2.4); found by bisection
    low = 0
    high = n_known
    while low < high:
        centre = (low + high) // 2
        if values[order[centre]] <= middle:
            low = centre + 1
        else:
            high = centre
    q = low - 1
    while counts[order[q]] == 0:
        q -= 1
    return values[order[q]]


@inner
def divide(cases, work, v, part, dist, top):  # type: ignore[no-untyped-def]
    """Hand the cases of node v to its children by its test."""
    place, by_case, by_branch, y = work.place, work.by_case, work.by_branch, cases.y
    a = work.tree[v].attribute
    first = work.tree[v].first_child
    branches = work.tree[v].n_children
    begin = part[v].start
    end = begin + part[v].n_places
    for b in range(branches):
        by_branch[b].bag = 0.0
        by_branch[b].filled = 0
        for c in range(dist.shape[1]):
            dist[first + b, c] = 0.0
    if cases.kind[a] == 1:
        values, threshold = cases.values[cases.column[a]], work.tree[v].threshold
        for q in range(begin, end):
            i = place[q].case
            by_case[i].branch = (0 if values[i] <= threshold else 1) if values[i] == values[i] else -1
    else:
        codes = cases.codes[cases.column[a]]
        for q in range(begin, end):
            by_case[place[q].case].branch = codes[place[q].case]
    missing = 0
    for q in range(begin, end):
        b = by_case[place[q].case].branch
        if b >= 0:
            by_branch[b].bag += place[q].weight
            by_branch[b].filled += 1
        else:
            missing += 1
    known = 0.0
    for b in range(branches):
        known += by_branch[b].bag
    for b in range(branches):
        size = by_branch[b].filled + (missing if by_branch[b].filled > 0 else 0)
        # a case with a missing value goes down each branch with the branch's share of the known cases as its weight
        # (Quinlan 1993, section 3.2)
        part[first + b].share = by_branch[b].bag / known
        part[first + b].start = top
        part[first + b].n_places = size
        by_branch[b].filled = top
        top += size
    if top > place.shape[0]:
        return -1, missing
    for q in range(begin, end):
        i = place[q].case
        w = place[q].weight
        b = by_case[i].branch
        if b >= 0:
            place[by_branch[b].filled].case = i
            place[by_branch[b].filled].weight = w
            dist[first + b, y[i]] += w
            by_branch[b].filled += 1
            continue
        for e in range(branches):
            if part[first + e].n_places > 0:
                place[by_branch[e].filled].case = i
                place[by_branch[e].filled].weight = w * part[first + e].share
                dist[first + e, y[i]] += w * part[first + e].share
                by_branch[e].filled += 1
    return top, missing


@inner
def _divide_orders(cases, work, v):  # type: ignore[no-untyped-def]
    """Split the sorted lists of node v into those of its children, where these need any."""
    by_case, by_branch, state, part = work.by_case, work.by_branch, work.state, work.part
    first = work.tree[v].first_child
    branches = work.tree[v].n_children
    for j in range(cases.values.shape[0]):
        listed = work.sorted_cases[j]
        for b in range(branches):
            by_branch[b].filled = part[first + b].start
        for q in range(part[v].start, part[v].start + work.n_sorted[v, j]):
            i = listed[q]
            b = by_case[i].branch
            for e in range(b if b >= 0 else 0, b + 1 if b >= 0 else branches):
                if state[first + e].open:
                    # stable: a child's list is in order, since the parent's is; a missing value goes into every branch
                    listed[by_branch[e].filled] = i
                    by_branch[e].filled += 1
        for b in range(branches):
            work.n_sorted[first + b, j] = by_branch[b].filled - part[first + b].start


@inner
def grow(cases, counts, rule, work):  # type: ignore[no-untyped-def]
    """Grow a tree from weighted cases."""
    tree, state = work.tree, work.state
    top = _plant(cases, counts, work)
    begin_tables(cases, counts, work)
    grown_on = counts.sum()
    n_nodes = 1
    depth = 0
    if _is_open(work.dist[0], rule.min_cases):
        work.stack[0] = 0
        depth = 1
    while depth > 0:
        depth -= 1
        v = np.int64(work.stack[depth])
        a = _choose(cases, work, v, grown_on, rule)
        if a < 0:
            give_back(work.free, state[v].table)
            continue
        j = cases.column[a]
        branches = 2
        if cases.kind[a] == 1:
            cut = work.by_attribute[a].cut
            tree[v].threshold = _snap(cases.order[j], cases.values[j], cases.n_known[j], counts, cut)
        else:
            branches = cases.first_slot[j + 1] - cases.first_slot[j] - 1
        if n_nodes + branches > tree.shape[0]:
            return -1, 0
        tree[v].attribute = a
        tree[v].first_child = n_nodes
        tree[v].n_children = branches
        top, missing = divide(cases, work, v, work.part, work.dist, top)
        if top < 0:
            return -1, 0
        for u in range(n_nodes, n_nodes + branches):
            _begin_node(work, u, state[v].whole and missing == 0)
            state[u].open = _is_open(work.dist[u], rule.min_cases)
            if state[u].open:
                work.stack[depth] = u
                depth += 1
        _divide_orders(cases, work, v)
        hand_down(cases, work, v)
        n_nodes += branches
    return n_nodes, top
