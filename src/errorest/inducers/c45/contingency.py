"""Contingency tables of nominal values and classes, handed down from node to node.

The largest branch takes its parent's table less the cases of the others; with whole weights such sums are exact.
"""

from __future__ import annotations

from errorest.compiled import inner

SCRATCH = 0
_BEFORE = 1


@inner
def _count(cases, work, v, table, sign):  # type: ignore[no-untyped-def]
    """Add the cases of node v to a table, or take them away with ``sign`` -1."""
    cell, y, place = cases.cell, cases.y, work.place
    for q in range(work.part[v].start, work.part[v].start + work.part[v].size):
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
    """Free all tables and give the root its own, from that of the tree before."""
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
        if part[u].size > part[largest].size:
            largest = u
    others = part[v].size - part[largest].size
    if t <= SCRATCH or not state[largest].whole or not state[largest].open or others >= part[largest].size:
        give_back(work.free, t)
        return
    table = work.tables[t]
    for u in range(first, end):
        if u == largest:
            continue
        if state[u].open and 2 * part[u].size * cases.cell.shape[1] > table.shape[0] and work.free[0] > 0:
            counted = work.tables[table_of(cases, work, u)]
            for e in range(table.shape[0]):
                table[e] -= counted[e]
        else:
            _count(cases, work, u, table, -1.0)
    state[largest].table = t
