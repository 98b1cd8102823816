"""Decision trees: structure, prediction and text."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numba as nb
import numpy as np

from errorest.compiled import inner
from errorest.data.sample import Attribute
from errorest.inducers.base import Fitted


@inner
def walk(nodes, arity, case):  # type: ignore[no-untyped-def]
    """Return the leaf of a case, or the inner node whose attribute has no declared value there."""
    node = 0
    while nodes[node, 0] >= 0:
        a = nodes[node, 0]
        value = case[a]
        if not (value >= 0 and value < arity[a]):
            return node
        v = np.int64(value)
        if v != value:
            return node
        node = nodes[node, 1] + v
    return node


@nb.njit(cache=True)
def share_of(nodes, counts, arity, case, shares):  # type: ignore[no-untyped-def]
    """Write the class shares of the node of a case; a leaf without training cases has those of its parent."""
    node = walk(nodes, arity, case)
    if counts[node].sum() == 0:
        parent = 0
        while nodes[parent, 0] < 0 or not nodes[parent, 1] <= node < nodes[parent, 1] + arity[nodes[parent, 0]]:
            parent += 1
        node = parent
    total = counts[node].sum()
    for c in range(shares.shape[0]):
        shares[c] = counts[node, c] / total


@nb.njit(cache=True)
def _answer_cases(nodes, counts, arity, X, labels, probabilities):  # type: ignore[no-untyped-def]
    """Write the labels of cases, or where ``probabilities`` has rows these."""
    for i in range(X.shape[0]):
        if probabilities.shape[0] == 0:
            labels[i] = nodes[walk(nodes, arity, X[i]), 2]
        else:
            share_of(nodes, counts, arity, X[i], probabilities[i])


class DecisionTree(Fitted):
    """A fitted tree: sizes and text; nodes go from 0, the root, children consecutive and above their parent."""

    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]

    _stroke: ClassVar[str] = "|  "
    """Stands before a line of the text, once for each level above."""

    _goes_on: ClassVar[str] = ""
    """Ends the line of a branch that leads to another test."""

    @property
    @abstractmethod
    def _tested(self) -> np.ndarray:
        """Column tested at each node, -1 at leaves."""

    @abstractmethod
    def children(self, node: int) -> range:
        """Return the children of a node in the order of its branches; none at a leaf."""

    @abstractmethod
    def _branch_text(self, node: int, parent: int) -> str:
        """Write the outcome of the parent's test that leads to a node."""

    @abstractmethod
    def _leaf_text(self, node: int) -> str:
        """Write a leaf's class and training cases."""

    @property
    def n_nodes(self) -> int:
        """Number of nodes: inner nodes, leaves and empty leaves."""
        return int(self._tested.shape[0])

    @property
    def n_leaves(self) -> int:
        """Number of leaves, empty ones included."""
        return int((self._tested < 0).sum())

    @property
    def depth(self) -> int:
        """Number of tests on the longest way from the root to a leaf."""
        level = np.zeros(self.n_nodes, dtype=np.int64)
        for node in range(self.n_nodes):
            level[self.children(node)] = level[node] + 1
        return int(level.max())

    def to_text(self) -> str:
        """Print the tree, one branch a line, indented by level, with the training cases of its leaves."""
        if self._tested[0] < 0:
            return self._leaf_text(0)
        lines = []
        pending = [(node, 0, 0) for node in reversed(self.children(0))]
        while pending:
            node, parent, level = pending.pop()
            test = f"{self.attributes[self._tested[parent]].name} {self._branch_text(node, parent)}"
            end = f": {self._leaf_text(node)}" if self._tested[node] < 0 else self._goes_on
            lines.append(self._stroke * level + test + end)
            pending += [(kid, node, level + 1) for kid in reversed(self.children(node))]
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Tree(DecisionTree):
    """A fitted multiway tree; a node has a child for each declared value of its attribute.

    A case whose value is none of these (unseen, missing) stops at the node, with the majority and shares of its
    training cases; at a leaf that no training case came to, probabilities are the shares of its parent.
    """

    attribute: np.ndarray  # column tested at a node, -1 at leaves
    child: np.ndarray  # first child of a node, -1 at leaves; value v leads to ``child + v``
    label: np.ndarray  # class predicted for a case that stops at the node
    counts: np.ndarray  # training cases of each node by class; all zero at an empty leaf
    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]

    @property
    def _tested(self) -> np.ndarray:
        return self.attribute

    def children(self, node: int) -> range:
        """Return the children of a node in the order of the attribute's values; none at a leaf."""
        a, first = int(self.attribute[node]), int(self.child[node])
        return range(0) if a < 0 else range(first, first + len(self.attributes[a].categories))

    def _answer(self, values: np.ndarray, labels: np.ndarray, probabilities: np.ndarray) -> None:
        arity = np.array([len(a.categories) for a in self.attributes], dtype=np.int64)
        nodes = np.column_stack([self.attribute, self.child, self.label])
        _answer_cases(nodes, np.ascontiguousarray(self.counts), arity, values, labels, probabilities)

    def _branch_text(self, node: int, parent: int) -> str:
        return "= " + self.attributes[self.attribute[parent]].categories[node - int(self.child[parent])]

    def _leaf_text(self, node: int) -> str:
        # (5) if all are of that class, (3 of 5) if three are
        here, mine = int(self.counts[node].sum()), int(self.counts[node, self.label[node]])
        cases = "no case" if here == 0 else str(here) if mine == here else f"{mine} of {here}"
        return f"{self.classes[self.label[node]]} ({cases})"
