"""A C4.5 tree as a classifier: labels, probabilities, text, sizes, and where to draw what."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from errorest.data.sample import Attribute
from errorest.errors import UsageError
from errorest.inducers.c45.predict import label_cases, probabilities_of_cases
from errorest.inducers.trees import TreeLayout

__all__ = ["C45Tree"]


@dataclass(frozen=True, eq=False)
class C45Tree:
    """A fitted tree of :class:`~errorest.inducers.c45.C45`.

    Parameters
    ----------
    nodes : structured array, shape (n_nodes,)
        ``attribute`` tested (-1 at a leaf), ``first_child``, ``n_children``, ``label`` (majority),
        ``threshold`` (numbers up to it go to the first child), ``share`` of the parent's known training cases.
        Node 0 is the root, children have higher numbers than their parents.
    dist : float array, shape (n_nodes, K)
        Training cases of each node by class; its parent's at an empty leaf, whose share is 0.
    attributes : tuple of Attribute
    classes : tuple of str

    Examples
    --------
    >>> from errorest.inducers.c45 import C45
    >>> from errorest.data.sample import Sample
    >>> s = Sample.from_arrays([1.0, 2.0, 3.0, 7.0, 8.0, 9.0], ["a", "a", "a", "b", "b", "b"])
    >>> tree = C45().fit(s)
    >>> print(tree.to_text())
    x1 <= 3: a (3)
    x1 > 3: b (3)
    >>> tree.n_nodes, tree.n_leaves, tree.predict([[4.0], [float("nan")]]).tolist()
    (3, 2, [1, 0])
    """

    nodes: np.ndarray
    dist: np.ndarray
    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves and empty leaves included."""
        return self.nodes["attribute"].shape[0]

    @property
    def n_leaves(self) -> int:
        """Number of leaves, empty ones included."""
        return int((self.nodes["attribute"] < 0).sum())

    @property
    def depth(self) -> int:
        """Number of tests on the longest path."""
        return int(self._levels().max())

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases.

        A missing value (NaN, or a number that is no category of its attribute) follows every
        branch in fractions.  A category that no training case had at a node gets the majority of that node.

        Parameters
        ----------
        X : array-like, shape (m, d)

        Returns
        -------
        int64 array, shape (m,)

        Raises
        ------
        UsageError
            If the number of columns is wrong.
        """
        values = self._checked(X)
        labels = np.empty(values.shape[0], dtype=np.int64)
        label_cases(self.nodes, self.dist, self._kinds(), values, np.arange(values.shape[0], dtype=np.int32), labels)
        return labels

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Return the training proportions at the leaves that a case reaches, shape (m, K); no correction is made."""
        return probabilities_of_cases(self.nodes, self.dist, self._kinds(), self._checked(X))

    def to_text(self) -> str:
        """Print the tree as C4.5 does: a branch a line, a stroke and three blanks for each level above.

        A leaf shows its class and, in brackets, its training cases and after a stroke the
        wrong ones among them; both may be fractions where values were missing.
        """
        if self.nodes["attribute"][0] < 0:
            return self._leaf_text(0)
        lines = []
        pending = [(u, 0, 0) for u in reversed(self._children(0))]
        while pending:
            u, parent, level = pending.pop()
            end = " " + self._leaf_text(u) if self.nodes["attribute"][u] < 0 else ""
            lines.append("|   " * level + self._test_text(parent) + " " + self._branch_text(u, parent) + ":" + end)
            pending += [(kid, u, level + 1) for kid in reversed(self._children(u))]
        return "\n".join(lines)

    def layout(self) -> TreeLayout:
        """Place the nodes for drawing; node numbers are those of the tree."""
        n = self.n_nodes
        leaf = self.nodes["attribute"] < 0
        parent = self._parents()
        text = tuple(self.classes[self.nodes["label"][v]] if leaf[v] else self._test_text(v) for v in range(n))
        branch = ("", *(self._branch_text(v, int(parent[v])) for v in range(1, n)))
        label = np.where(leaf, self.nodes["label"], -1).astype(np.int64)
        return TreeLayout(self._across(), self._levels().astype(float), parent, leaf, text, branch, label)

    def _checked(self, X: np.ndarray) -> np.ndarray:
        values = np.array(X, dtype=np.float64, order="C")  # a copy: read-only arrays would be compiled for anew
        if values.ndim != 2 or values.shape[1] != len(self.attributes):
            raise UsageError(
                f"X has shape {values.shape}; expected (m, {len(self.attributes)}), the attributes that the tree "
                "was trained on; give one column for each"
            )
        return values

    def _kinds(self) -> np.ndarray:
        return np.array([a.kind != "nominal" for a in self.attributes], dtype=np.int8)

    def _children(self, v: int) -> range:
        first = int(self.nodes["first_child"][v])
        return range(first, first + int(self.nodes["n_children"][v]))

    def _test_text(self, v: int) -> str:
        return self.attributes[self.nodes["attribute"][v]].name

    def _branch_text(self, u: int, parent: int) -> str:
        attribute = self.attributes[self.nodes["attribute"][parent]]
        place = u - int(self.nodes["first_child"][parent])
        if attribute.kind == "nominal":
            return "= " + attribute.categories[place]
        return ("<= ", "> ")[place] + f"{self.nodes['threshold'][parent]:.6g}"

    def _leaf_text(self, v: int) -> str:
        label = int(self.nodes["label"][v])
        cases = float(self.dist[v].sum()) if self.nodes["share"][v] > 0 else 0.0
        wrong = cases - float(self.dist[v, label]) if cases > 0 else 0.0
        among = "" if wrong < 0.005 else f"/{round(wrong, 2):g}"
        return f"{self.classes[label]} ({round(cases, 2):g}{among})"

    def _parents(self) -> np.ndarray:
        parent = np.full(self.n_nodes, -1, dtype=np.int64)
        for v in range(self.n_nodes):
            parent[list(self._children(v))] = v
        return parent

    def _levels(self) -> np.ndarray:
        parent = self._parents()
        level = np.zeros(self.n_nodes, dtype=np.int64)
        for v in range(1, self.n_nodes):
            level[v] = level[parent[v]] + 1
        return level

    def _across(self) -> np.ndarray:
        """Put leaves side by side and every other node midway between its outermost children."""
        x = np.zeros(self.n_nodes)
        leaves = 0
        pending = [0]
        while pending:
            v = pending.pop()
            pending += reversed(self._children(v))
            if self.nodes["attribute"][v] < 0:
                x[v] = leaves
                leaves += 1
        for v in range(self.n_nodes - 1, -1, -1):
            if self.nodes["attribute"][v] >= 0:
                children = self._children(v)
                x[v] = (x[children[0]] + x[children[-1]]) / 2
        return x
