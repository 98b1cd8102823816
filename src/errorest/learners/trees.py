"""Decision trees: structure, prediction and text."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numba as nb
import numpy as np

from errorest.compiled import inner
from errorest.data.sample import Attribute
from errorest.learners.base import Fitted

NODE = np.dtype(
    [
        ("attribute", np.int32),
        ("first_child", np.int32),
        ("n_children", np.int32),
        ("label", np.int32),
        ("threshold", np.float64),
        ("share", np.float64),
    ],
    align=True,
)
"""A node: ``attribute`` tested (-1 at a leaf); children from ``first_child`` on, numbered above it;
``label``, the majority; ``threshold``, numbers up to which go to the first child; ``share``, the part of the
parent's known training cases that came here."""


@inner
def descend(nodes, kind, x, v):  # type: ignore[no-untyped-def]
    """Follow a case down from node v to a leaf, or to the first test that has no branch for its value."""
    while nodes[v].attribute >= 0:
        value = x[nodes[v].attribute]
        if kind[nodes[v].attribute] == 1:
            if value != value:
                return v
            v = nodes[v].first_child + (0 if value <= nodes[v].threshold else 1)
        else:
            if not (value >= 0.0 and value < nodes[v].n_children and value == np.floor(value)):
                return v
            v = nodes[v].first_child + np.int64(value)
    return v


@nb.njit(cache=True)
def share_of(nodes, counts, kind, case, shares):  # type: ignore[no-untyped-def]
    """Write the class shares of the node of a case; a leaf without training cases has those of its parent."""
    node = descend(nodes, kind, case, np.int64(0))
    if counts[node].sum() == 0:
        parent = 0
        while not 0 < nodes[parent].first_child <= node < nodes[parent].first_child + nodes[parent].n_children:
            parent += 1
        node = parent
    total = counts[node].sum()
    for c in range(shares.shape[0]):
        shares[c] = counts[node, c] / total


@nb.njit(cache=True)
def _answer_cases(nodes, counts, kind, X, labels, probabilities):  # type: ignore[no-untyped-def]
    """Write the labels of cases, or where ``probabilities`` has rows these."""
    for i in range(X.shape[0]):
        if probabilities.shape[0] == 0:
            labels[i] = nodes[descend(nodes, kind, X[i], np.int64(0))].label
        else:
            share_of(nodes, counts, kind, X[i], probabilities[i])


@dataclass(frozen=True, eq=False)
class DecisionTree(Fitted):
    """A fitted tree: nodes (:data:`NODE`; node 0 is the root) and training cases of each node by class."""

    nodes: np.ndarray
    counts: np.ndarray
    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]

    _stroke: ClassVar[str] = "|  "
    """Stands before a line of the text, once for each level above."""

    _goes_on: ClassVar[str] = ""
    """Ends the line of a branch that leads to another test."""

    @abstractmethod
    def _leaf_text(self, node: int) -> str:
        """Write a leaf's class and training cases."""

    @property
    def _kinds(self) -> np.ndarray:
        return np.array([a.kind != "nominal" for a in self.attributes], dtype=np.int8)

    @property
    def n_nodes(self) -> int:
        """Number of nodes: inner nodes, leaves and empty leaves."""
        return int(self.nodes.shape[0])

    @property
    def n_leaves(self) -> int:
        """Number of leaves, empty ones included."""
        return int((self.nodes["attribute"] < 0).sum())

    @property
    def depth(self) -> int:
        """Number of tests on the longest way from the root to a leaf."""
        level = np.zeros(self.n_nodes, dtype=np.int64)
        for node in range(self.n_nodes):
            level[self.children(node)] = level[node] + 1
        return int(level.max())

    def children(self, node: int) -> range:
        """Return the children of a node in the order of its branches; none at a leaf."""
        first = int(self.nodes["first_child"][node])
        return range(first, first + int(self.nodes["n_children"][node]))

    def to_text(self) -> str:
        """Print the tree, one branch a line, indented by level, with the training cases of its leaves."""
        if self.n_nodes == 1:
            return self._leaf_text(0)
        lines = []
        pending = [(node, 0, 0) for node in reversed(self.children(0))]
        while pending:
            node, parent, level = pending.pop()
            leaf = self.nodes["attribute"][node] < 0
            end = f": {self._leaf_text(node)}" if leaf else self._goes_on
            attribute = self.attributes[self.nodes["attribute"][parent]]
            place = node - int(self.nodes["first_child"][parent])
            if attribute.kind == "nominal":
                branch = f"{attribute.name} = {attribute.categories[place]}"
            else:
                branch = f"{attribute.name} {('<=', '>')[place]} {self.nodes['threshold'][parent]:.6g}"
            lines.append(self._stroke * level + branch + end)
            pending += [(kid, node, level + 1) for kid in reversed(self.children(node))]
        return "\n".join(lines)


class Tree(DecisionTree):
    """A fitted multiway tree; a node has a child for each declared value of its attribute.

    A case whose value is none of these (unseen, missing) stops at the node, with the majority and shares of its
    training cases; at a leaf that no training case came to, probabilities are the shares of its parent.
    """

    def _answer(self, values: np.ndarray, labels: np.ndarray, probabilities: np.ndarray) -> None:
        _answer_cases(self.nodes, self.counts, self._kinds, values, labels, probabilities)

    def _leaf_text(self, node: int) -> str:
        # (5) if all are of that class, (3 of 5) if three are
        label = int(self.nodes["label"][node])
        here, mine = int(self.counts[node].sum()), int(self.counts[node, label])
        cases = "no case" if here == 0 else str(here) if mine == here else f"{mine} of {here}"
        return f"{self.classes[label]} ({cases})"
