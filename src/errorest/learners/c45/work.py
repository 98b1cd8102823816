"""What compiled tree code reads and writes: laid-out cases, settings, tolerances and working memory.

Distinct cases are in canonical order, so that weights and repeated rows meet the same numbers in the same order, and
their trees are equal to the last bit.  The memory is a few arrays of records, since compile time grows with arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from errorest.compiled import maker, records
from errorest.data.sample import Sample
from errorest.learners.trees import NODE


class Cases(NamedTuple):
    """The arrays that compiled code reads; m distinct cases."""

    n_classes: int
    y: np.ndarray
    kind: np.ndarray  # 1 for a number, 0 for a nominal attribute
    column: np.ndarray  # place of an attribute among its kind
    values: np.ndarray  # of numbers
    order: np.ndarray  # order[j, :n_known[j]]: the cases that know number j by ascending value
    n_known: np.ndarray
    codes: np.ndarray  # of nominal attributes, -1 where missing
    cell: np.ndarray  # cell[i, j]: where the row of case i begins in the flat contingency table
    first_slot: np.ndarray  # first row of a nominal attribute; the last one before the next is that of missing values
    xlogx: np.ndarray  # k log2 k


def lay_out(sample: Sample) -> tuple[Cases, np.ndarray]:
    """Merge and sort the cases of a sample."""
    rows = np.empty((sample.n, sample.d + 1))
    # + 0.0 merges the two zeros; inf is no value of a sample
    rows[:, :-1] = np.where(np.isnan(sample.X), np.inf, sample.X) + 0.0
    rows[:, -1] = sample.y
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1])))[:, 0]
    _, first, distinct = np.unique(keys, return_index=True, return_inverse=True)
    X = sample.X[first]
    nominal = np.array([a.kind == "nominal" for a in sample.attributes], dtype=bool)
    kind = (~nominal).astype(np.int8)
    column = np.where(nominal, np.cumsum(nominal), np.cumsum(~nominal)).astype(np.int32) - np.int32(1)
    values = np.ascontiguousarray(X[:, ~nominal].T)
    order = np.argsort(values, axis=1, kind="stable").astype(np.uint32)  # NaN sorts last
    n_known = (~np.isnan(values)).sum(axis=1).astype(np.int32)
    sizes = np.array([len(a.categories) for a in sample.attributes if a.kind == "nominal"], dtype=np.int32)
    first_slot = np.concatenate([[0], np.cumsum(sizes + 1)]).astype(np.int32)
    codes = np.where(np.isnan(X[:, nominal]), -1.0, X[:, nominal]).astype(np.int32)
    slots = np.where(codes < 0, sizes, codes) + first_slot[:-1]
    k = np.arange(2, sample.n + 2, dtype=np.float64)
    xlogx = np.concatenate([[0.0, 0.0], k * np.log2(k)])
    return (
        Cases(
            sample.n_classes,
            sample.y[first].astype(np.uint32),
            kind,
            column,
            values,
            order,
            n_known,
            np.ascontiguousarray(codes.T),
            np.ascontiguousarray((slots * sample.n_classes).astype(np.uint32)),
            first_slot,
            xlogx,
        ),
        distinct.astype(np.int64),
    )


TIE = 1e-6
"""Absolute tolerance of every comparison of gains (bits), gain ratios, weights (cases) and errors (cases)."""

MEAN_SLACK = 1e-3
"""How far (bits) a gain may lie below the average and its attribute still compete."""

PRUNE_SLACK = 0.1
"""How many more estimated errors a leaf or a raised branch may make than the subtree in its place."""

COLLAPSE_SLACK = 1e-3
"""How many training errors a subtree must save, or it becomes a leaf even without pruning."""

# At most so many contingency tables, and bytes of them; where none is free, a node is counted in scratch
_TABLES = 64
_TABLE_BYTES = 1 << 22

_PART = np.dtype([("start", np.int64), ("n_places", np.int64), ("share", np.float64)], align=True)
_STATE = np.dtype(
    [("errors", np.float64), ("table", np.int32), ("whole", np.bool_), ("open", np.bool_), ("dirty", np.bool_)],
    align=True,
)
_PLACE = np.dtype([("case", np.uint32), ("weight", np.float64)], align=True)
_CASE = np.dtype(
    [
        ("weight", np.float64),
        ("gain", np.float64),
        ("ratio", np.float64),
        ("place", np.int32),
        ("branch", np.int32),
        ("last_count", np.int64),
    ],
    align=True,
)
_ATTRIBUTE = np.dtype([("gain", np.float64), ("ratio", np.float64), ("cut", np.float64)], align=True)
_CLASS = np.dtype(
    [
        ("known", np.float64),
        ("left", np.float64),
        ("left_term", np.float64),
        ("right_term", np.float64),
        ("present", np.int64),
    ],
    align=True,
)
_BRANCH = np.dtype([("bag", np.float64), ("filled", np.int64)], align=True)


class Rule(NamedTuple):
    """Settings for compiled code; ``z`` is the normal quantile of 1 - confidence."""

    release: int
    min_cases: float
    confidence: float
    z: float
    prune: bool
    subtree_raising: bool


class Work(NamedTuple):
    """A tree under construction, and scratch space."""

    # by node
    tree: np.ndarray
    part: np.ndarray  # start and number of its cases in ``place``, and their share of the parent's
    new_part: np.ndarray  # of a subtree as it would be with other cases, and so is ``new_dist``
    state: np.ndarray  # errors, contingency table, whether weights are whole, may be split, is yet to be pruned
    dist: np.ndarray  # weights by class
    new_dist: np.ndarray
    n_sorted: np.ndarray  # n_sorted[v, j] cases know number j: sorted, in sorted_cases[j] from the node's start on
    stack: np.ndarray
    place: np.ndarray
    sorted_cases: np.ndarray
    by_case: np.ndarray  # the cut after it, its weight and branch at the node at hand, its count in the tree before
    by_attribute: np.ndarray
    by_class: np.ndarray
    by_branch: np.ndarray
    tables: np.ndarray  # contingency tables: 0 is scratch, 1 the root's in the tree before
    free: np.ndarray  # numbers of free tables; free[0] is how many they are


@maker
def make_work(cases, n_nodes, n_places):  # type: ignore[no-untyped-def]
    """Allocate room for ``n_nodes`` nodes and ``n_places`` places of cases over all nodes."""
    m = cases.y.shape[0]
    k = cases.n_classes
    numbers = cases.values.shape[0]
    n_cells = np.int64(cases.first_slot[-1]) * k
    n_tables = 3 + min(_TABLES, _TABLE_BYTES // (8 * n_cells + 1))
    branches = 2
    for j in range(cases.first_slot.shape[0] - 1):
        branches = max(branches, cases.first_slot[j + 1] - cases.first_slot[j])
    by_case = records(m, _CASE)
    for i in range(m):
        by_case[i].last_count = 0
    tables = np.empty((n_tables, n_cells), np.float64)
    for e in range(n_cells):
        tables[1, e] = 0.0
    return Work(
        records(n_nodes, NODE),
        records(n_nodes, _PART),
        records(n_nodes, _PART),
        records(n_nodes, _STATE),
        np.empty((n_nodes, k), np.float64),
        np.empty((n_nodes, k), np.float64),
        np.empty((n_nodes, numbers), np.int32),
        np.empty(n_nodes, np.int32),
        records(n_places, _PLACE),
        np.empty((numbers, n_places), np.uint32),
        by_case,
        records(cases.kind.shape[0], _ATTRIBUTE),
        records(k, _CLASS),
        records(branches, _BRANCH),
        tables,
        np.empty(n_tables, np.int32),
    )
