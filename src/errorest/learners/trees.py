"""Decision trees: structure, prediction and text."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

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
