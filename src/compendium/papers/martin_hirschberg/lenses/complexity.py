"""How large trees on the lenses can be, and how many of the items a sample holds: exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
import pandas as pd

from errorest.data.sample import Sample
from errorest.inducers.trees import Tree

__all__ = ["distinct_items", "fewest_leaves", "largest_tree", "nodes_of"]


def distinct_items(n: int, items: int) -> float:
    """Expected number of distinct items among n draws with replacement."""
    return items * (1.0 - (1.0 - 1.0 / items) ** n)


def largest_tree(arity: Sequence[int]) -> tuple[int, int]:
    """Nodes and leaves of the largest tree in which every path tests every attribute.

    The largest one tests the attribute of most values first.
    """
    values = sorted(arity, reverse=True)
    return 1 + sum(prod(values[: i + 1]) for i in range(len(values))), prod(values)


def fewest_leaves(sample: Sample) -> int:
    """Fewest leaves of a multiway tree that is right on every case, found by trying all splits."""

    def least(X: np.ndarray, y: np.ndarray, left: tuple[int, ...]) -> int:
        if np.unique(y).size < 2:
            return 1
        found = []
        for a in left:
            rest = tuple(b for b in left if b != a)
            parts = [X[:, a] == v for v in range(len(sample.attributes[a].categories))]
            found.append(sum(least(X[part], y[part], rest) for part in parts))
        return min(found)

    return least(sample.X, sample.y, tuple(range(sample.d)))


def nodes_of(tree: Tree) -> pd.DataFrame:
    """A row a node of a tree, with its place in a drawing and its cases."""
    place = tree.layout()
    columns = {name: getattr(place, name) for name in ("parent", "x", "y", "leaf", "text", "branch")}
    return pd.DataFrame({"node": np.arange(tree.n_nodes), **columns, "cases": tree.counts.sum(axis=1)})
