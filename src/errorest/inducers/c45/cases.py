"""A sample laid out for growing many trees: distinct cases in canonical order, slots and sort orders.

Weights and repeated rows so meet the same numbers in the same order, and their trees are equal to the last bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from errorest.data.sample import Sample


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


def _distinct(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return one index a distinct case, in canonical order, and the distinct case of each case."""
    rows = np.empty((X.shape[0], X.shape[1] + 1))
    rows[:, :-1] = np.where(np.isnan(X), np.inf, X) + 0.0  # + 0.0 merges the two zeros; inf is no value of a sample
    rows[:, -1] = y
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1])))[:, 0]
    _, first, distinct = np.unique(keys, return_index=True, return_inverse=True)
    return first, distinct.astype(np.int64)


def lay_out(sample: Sample) -> tuple[Cases, np.ndarray]:
    """Merge and sort the cases of a sample."""
    first, distinct = _distinct(sample.X, sample.y)
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
        distinct,
    )
