"""Contingency tables, and gain and gain ratio of all attributes at one node (Quinlan 1993, chapters 2 and 3).

The largest branch takes its parent's table less the cases of the others; with whole weights such sums are exact.
Information is kept as ``N log2 N - sum n_c log2 n_c``; the gain counts known cases and is multiplied by their fraction;
the split information has the missing cases as one more branch.
"""

from __future__ import annotations

import numpy as np

from errorest.compiled import inner, within
from errorest.learners.c45.work import TIE

SCRATCH = 0
_BEFORE = 1


@inner
def _count(cases, work, v, table, sign):  # type: ignore[no-untyped-def]
    """Add the cases of node v to a table, or take them away with ``sign`` -1."""
    cell, y, place = cases.cell, cases.y, work.place
    for q in range(work.part[v].start, work.part[v].start + work.part[v].n_places):
        i = place[q].case
        w = sign * place[q].weight
        for j in range(cell.shape[1]):
            table[cell[i, j] + y[i]] += w


@inner
def _take(free):  # type: ignore[no-untyped-def]
    """Return the number of a free table, or ``SCRATCH``."""
    if free[0] == 0:
        return SCRATCH
    t = free[free[0]]
    free[0] -= 1
    return t


@inner
def give_back(free, t):  # type: ignore[no-untyped-def]
    """Free table t; a negative t is none (samples of numbers alone have no tables)."""
    if t > SCRATCH:
        free[0] += 1
        free[free[0]] = t


@inner
def begin_tables(cases, counts, work):  # type: ignore[no-untyped-def]
    """Free all tables, and update the table of the last tree's root to that of this root."""
    cell, y, by_case, free, before = cases.cell, cases.y, work.by_case, work.free, work.tables[_BEFORE]
    free[0] = work.tables.shape[0] - 2
    for t in range(free[0]):
        free[t + 1] = t + 2
    for i in range(counts.shape[0]):
        change = counts[i] - by_case[i].last_count
        if change != 0:
            by_case[i].last_count = counts[i]
            for j in range(cell.shape[1]):
                before[cell[i, j] + y[i]] += change
    t = _take(free)
    work.state[0].table = t
    root = work.tables[t]
    for e in range(root.shape[0]):
        root[e] = before[e]


@inner
def table_of(cases, work, v):  # type: ignore[no-untyped-def]
    """Return the number of the table of node v, counted now unless it was handed down."""
    if work.state[v].table < 0:
        t = _take(work.free)
        work.state[v].table = t
        table = work.tables[t]
        for e in range(table.shape[0]):
            table[e] = 0.0
        _count(cases, work, v, table, 1.0)
    return work.state[v].table


@inner
def hand_down(cases, work, v):  # type: ignore[no-untyped-def]
    """Turn the table of node v into that of its largest branch, where that saves counting; free it elsewhere."""
    t, part, state = work.state[v].table, work.part, work.state
    first = work.tree[v].first_child
    end = first + work.tree[v].n_children
    largest = first
    for u in range(first, end):
        if part[u].n_places > part[largest].n_places:
            largest = u
    others = part[v].n_places - part[largest].n_places
    if t <= SCRATCH or not state[largest].whole or not state[largest].open or others >= part[largest].n_places:
        give_back(work.free, t)
        return
    table = work.tables[t]
    for u in range(first, end):
        if u == largest:
            continue
        if state[u].open and 2 * part[u].n_places * cases.cell.shape[1] > table.shape[0] and work.free[0] > 0:
            counted = work.tables[table_of(cases, work, u)]
            for e in range(table.shape[0]):
                table[e] -= counted[e]
        else:
            _count(cases, work, u, table, -1.0)
    state[largest].table = t


@within
def _xlogx(x, log):  # type: ignore[no-untyped-def]
    whole = np.int64(x)
    if whole == x and whole < log.shape[0]:
        return log[np.uint32(whole)]
    return x * np.log2(x) if x > 0.0 else 0.0


@inner
def nominal_gains(cases, work, table, v, n_present, total, min_cases):  # type: ignore[no-untyped-def]
    """Write gain (bits) and gain ratio of every nominal attribute at node v; a gain of -1 where no split is allowed."""
    kind, column, first_slot, log = cases.kind, cases.column, cases.first_slot, cases.xlogx
    by_class, by_branch, results, dist = work.by_class, work.by_branch, work.by_attribute, work.dist[v]
    k = cases.n_classes
    whole_set = _xlogx(total, log)
    for a in range(kind.shape[0]):
        if kind[a] == 1:
            continue
        results[a].gain = -1.0
        results[a].ratio = 0.0
        # two branches at least must have the minimum number of cases
        first = first_slot[column[a]]
        last = first_slot[column[a] + 1] - 1
        large = 0
        for s in range(first, last):
            bag = 0.0
            for p in range(n_present):
                bag += table[s * k + by_class[p].present]
            by_branch[s - first].bag = bag
            if bag >= min_cases - TIE:
                large += 1
        if large < 2:
            continue
        missing = 0.0
        for p in range(n_present):
            missing += table[last * k + by_class[p].present]
        inside = 0.0
        split = 0.0
        for s in range(first, last):
            bag = by_branch[s - first].bag
            if bag > 0.0:
                term = _xlogx(bag, log)
                inside += term
                split += term
                for p in range(n_present):
                    w = table[s * k + by_class[p].present]
                    inside -= _xlogx(w, log)
        # entropies times their totals are sums of n log2 n: H(n_1, ..., n_k) n = n log2 n - sum n_i log2 n_i.  The gain
        # is the entropy of the known cases less that of the branches, times the share that is known (Quinlan 1993,
        # chapter 2 and, for missing values, chapter 3)
        known = total - missing
        before = _xlogx(known, log)
        for p in range(n_present):
            c = by_class[p].present
            # class weights of the cases that know the attribute: those of the node less the missing ones
            w = dist[c] - table[last * k + c]
            before -= _xlogx(w, log)
        gain = (before - inside) / total
        results[a].gain = gain
        # missing cases count as a branch of their own
        split_info = (whole_set - split - _xlogx(missing, log)) / total
        # gain ratio = gain / split information; with nearly all cases in one branch the latter vanishes
        if split_info > TIE:
            results[a].ratio = gain / split_info


@inner
def _old_cut(cuts, tries):  # type: ignore[no-untyped-def]
    """Return the cut of the best gain ratio among those of at least average gain; the last of equal ones."""
    # the rule for attributes (Quinlan 1993, section 2.2), applied to the cuts of one number
    mean = 0.0
    for t in range(tries):
        mean += cuts[t].gain
    mean /= tries
    best = -1
    for t in range(tries):
        if cuts[t].gain >= mean - TIE and (best < 0 or cuts[t].ratio >= cuts[best].ratio - TIE):
            best = t
    return best


@inner
def _known_weights(y, order, size, dist, work, n_present, n_classes, log):  # type: ignore[no-untyped-def]
    """Write the known weight of each class and clear the left side; return their sum and that of n log2 n."""
    by_class, by_case = work.by_class, work.by_case
    for c in range(n_classes):
        by_class[c].known = dist[c] if order.shape[0] == size else 0.0
    if order.shape[0] < size:
        for q in range(order.shape[0]):
            by_class[y[order[q]]].known += by_case[order[q]].weight
    known = 0.0
    inside = 0.0
    for p in range(n_present):
        c = by_class[p].present
        w = by_class[c].known
        term = _xlogx(w, log)
        by_class[c].left = 0.0
        by_class[c].left_term = 0.0
        by_class[c].right_term = term
        known += w
        inside += term
    return known, inside


@inner
def _move_left(by_class, c, w, log):  # type: ignore[no-untyped-def]
    """Move a case of class c to the left side; return by how much the sum of n log2 n over both sides changes."""
    left = by_class[c].left + w
    left_term = _xlogx(left, log)
    right_term = _xlogx(by_class[c].known - left, log)
    # only the terms of this class change, one on either side
    change = (left_term - by_class[c].left_term) + (right_term - by_class[c].right_term)
    by_class[c].left = left
    by_class[c].left_term = left_term
    by_class[c].right_term = right_term
    return change


@inner
def number_gains(cases, work, v, n_present, total, rule):  # type: ignore[no-untyped-def]
    """Write gain (bits), gain ratio and midpoint cut of every number at node v; a gain of -1 where none is allowed."""
    kind, column, y, log = cases.kind, cases.column, cases.y, cases.xlogx
    by_class, by_case, results, dist = work.by_class, work.by_case, work.by_attribute, work.dist[v]
    start, size = work.part[v].start, work.part[v].n_places
    old_release, min_cases, n_classes = rule.release < 8, rule.min_cases, cases.n_classes
    for a in range(kind.shape[0]):
        if kind[a] == 0:
            continue
        results[a].gain = -1.0
        results[a].ratio = 0.0
        values = cases.values[column[a]]
        order = work.sorted_cases[column[a], start : start + work.n_sorted[v, column[a]]]
        known, inside = _known_weights(y, order, size, dist, work, n_present, n_classes, log)
        # at least a tenth of the mean number of cases of a class on either side, at most 25 (Quinlan 1993, chapter 3)
        least = max(min(25.0, 0.1 * known / n_classes), min_cases) - TIE
        if known < 2.0 * least:
            continue
        before = _xlogx(known, log) - inside
        split_all = _xlogx(total, log) - _xlogx(total - known, log)
        # the entropy behind a cut, times the cases: the sum of n log2 n over the sides less that over sides and classes
        below, best, best_split = 0.0, -np.inf, 1.0
        tries, place = 0, -1
        for q in range(order.shape[0] - 1):
            i = order[q]
            w = by_case[i].weight
            inside += _move_left(by_class, y[i], w, log)
            below += w
            above = known - below
            if above < least:
                break
            if below < least or values[i] == values[order[q + 1]]:
                continue
            halves = _xlogx(below, log) + _xlogx(above, log)
            gain = (before - (halves - inside)) / total
            if old_release:
                by_case[tries].gain = gain
                by_case[tries].ratio = gain * total / (split_all - halves)
                by_case[tries].place = q
            elif gain > best + TIE:
                best = gain
                best_split = (split_all - halves) / total
                place = q
            tries += 1
        if tries == 0:
            continue
        if old_release:
            chosen = _old_cut(by_case, tries)
            gain, ratio, place = by_case[chosen].gain, by_case[chosen].ratio, by_case[chosen].place
        else:
            # less log2 of the number of cuts that were tried, over the cases: release 8 (Quinlan 1996)
            gain = best - np.log2(tries) / total
            ratio = gain / best_split
        if gain <= TIE:
            continue
        results[a].gain = gain
        results[a].ratio = ratio
        # two close doubles may have the upper one as their rounded midpoint
        low, high = values[order[place]], values[order[place + 1]]
        middle = 0.5 * (low + high)
        results[a].cut = middle if middle < high else low
