"""Decision trees over nominal attributes: structure, prediction, text, and where to draw what.

A :class:`Tree` is a handful of arrays, so that compiled inducers can fill it and a
page can read it.  :class:`TreeLayout` holds coordinates and texts only; plotting is
done elsewhere.  :func:`interval_tree_layout` gives the tree that is equivalent to a
classifier on one real attribute (Martin & Hirschberg 1996, section 5, Figure 8).
"""

from __future__ import annotations

from dataclasses import dataclass

import numba as nb
import numpy as np

from errorest.data.sample import Attribute
from errorest.errors import UsageError
from errorest.inducers.base import IntervalClassifier

__all__ = ["Tree", "TreeLayout", "interval_tree_layout"]


@nb.njit(cache=True)
def walk(nodes, arity, case):  # type: ignore[no-untyped-def]
    """Return the node that a case comes to rest in; for compiled callers.

    A row of ``nodes`` is the tested attribute (-1 at leaves), the first child and the label.

    That is a leaf, or the inner node whose attribute has none of the declared
    values in this case (missing, a fraction, or a number out of range).
    """
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
def _predict(nodes, arity, X):  # type: ignore[no-untyped-def]
    labels = np.empty(X.shape[0], dtype=np.int64)
    for i in range(X.shape[0]):
        labels[i] = nodes[walk(nodes, arity, X[i]), 2]
    return labels


@dataclass(frozen=True, eq=False)
class TreeLayout:
    """Where the nodes of a tree stand on a page, and what is written at them.

    Node 0 is the root.  Leaves stand at x = 0, 1, 2, ... from left to right, an inner
    node midway between its outermost children; y counts the levels below the root.

    Parameters
    ----------
    x, y : float arrays, shape (n_nodes,)
        Coordinates, in units of one leaf and one level; draw y downwards.
    parent : int array, shape (n_nodes,)
        Parent of each node, -1 for the root.
    leaf : bool array, shape (n_nodes,)
    text : tuple of str
        The test at an inner node, the class at a leaf.
    branch : tuple of str
        What is written at the line from the parent; empty for the root.
    label : int array, shape (n_nodes,)
        Class number of a leaf, -1 at inner nodes.

    Examples
    --------
    >>> from errorest.inducers.base import IntervalClassifier
    >>> layout = interval_tree_layout(IntervalClassifier((0.5,), (0, 1)), "x", ("a", "b"))
    >>> layout.text, layout.branch, layout.x.tolist(), layout.y.tolist()
    (('x <= 0.5', 'a', 'b'), ('', 'yes', 'no'), [0.5, 0.0, 1.0], [0.0, 1.0, 1.0])
    """

    x: np.ndarray
    y: np.ndarray
    parent: np.ndarray
    leaf: np.ndarray
    text: tuple[str, ...]
    branch: tuple[str, ...]
    label: np.ndarray


@dataclass(frozen=True, eq=False)
class Tree:
    """A fitted multiway tree.

    Nodes are numbered from 0, the root; the children of a node are consecutive, one
    for each declared value of its attribute.  Every node counts in :attr:`n_nodes`,
    inner nodes and leaves alike.  For the contact lenses (one attribute of three values
    and three of two) a tree with all 24 leaves has 39 nodes if the three-valued
    attribute is tested last everywhere and 46, the paper's saturation, if it is the root.

    Parameters
    ----------
    attribute : int array, shape (n_nodes,)
        Column tested at a node, -1 at leaves.
    child : int array, shape (n_nodes,)
        First child of a node, -1 at leaves; value v leads to ``child + v``.
    label : int array, shape (n_nodes,)
        Class number predicted for a case that stops at the node.
    counts : int array, shape (n_nodes, n_classes)
        Training cases that came to each node, by class; all zero at an empty leaf.
    attributes : tuple of Attribute
    classes : tuple of str

    Examples
    --------
    >>> t = Tree(np.array([0, -1, -1]), np.array([1, -1, -1]), np.array([0, 0, 1]),
    ...          np.array([[2, 1], [2, 0], [0, 1]]), (Attribute("wet", "nominal", ("no", "yes")),), ("stay", "go"))
    >>> t.n_nodes, t.n_leaves, t.depth
    (3, 2, 1)
    >>> print(t.to_text())
    wet = no: stay (2)
    wet = yes: go (1)
    """

    attribute: np.ndarray
    child: np.ndarray
    label: np.ndarray
    counts: np.ndarray
    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]

    @property
    def n_nodes(self) -> int:
        """Number of nodes: inner nodes, leaves and empty leaves."""
        return int(self.attribute.shape[0])

    @property
    def n_leaves(self) -> int:
        """Number of leaves, empty ones included."""
        return int((self.attribute < 0).sum())

    @property
    def n_empty_leaves(self) -> int:
        """Number of leaves that no training case came to."""
        return int(((self.attribute < 0) & (self.counts.sum(axis=1) == 0)).sum())

    @property
    def depth(self) -> int:
        """Number of tests on the longest way from the root to a leaf."""
        return int(self._levels().max())

    def children(self, node: int) -> tuple[int, ...]:
        """Return the children of a node in the order of the attribute's values; none at a leaf."""
        a = int(self.attribute[node])
        first = int(self.child[node])
        return () if a < 0 else tuple(range(first, first + len(self.attributes[a].categories)))

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases.

        A case whose value of a tested attribute is none of the declared ones (unseen,
        or missing) stops at that node and gets the majority of its training cases.

        Parameters
        ----------
        X : array, shape (m, d)
            Category numbers.

        Returns
        -------
        int64 array, shape (m,)

        Raises
        ------
        UsageError
            If X has not one column for each attribute.
        """
        values = np.ascontiguousarray(X, dtype=np.float64)
        if values.ndim != 2 or values.shape[1] != len(self.attributes):
            raise UsageError(
                f"the tree was given cases of shape {values.shape} to label; "
                f"expected (m, {len(self.attributes)}); give one column for each attribute"
            )
        arity = np.array([len(a.categories) for a in self.attributes], dtype=np.int64)
        return _predict(np.column_stack([self.attribute, self.child, self.label]), arity, values)

    def to_text(self) -> str:
        """Print the tree, one branch a line, indented by level.

        A leaf shows its class and its training cases: ``(5)`` if all are of that class,
        ``(3 of 5)`` if three are, ``(no case)`` if none came there.
        """
        if self.attribute[0] < 0:
            return self._leaf_text(0)
        lines = []
        pending = [(node, 0, 0) for node in reversed(self.children(0))]
        while pending:
            node, parent, level = pending.pop()
            inner = self.attribute[node] >= 0
            end = "" if inner else ": " + self._leaf_text(node)
            lines.append("|  " * level + f"{self._test_text(parent)} = {self._branch_text(node, parent)}{end}")
            pending += [(kid, node, level + 1) for kid in reversed(self.children(node))]
        return "\n".join(lines)

    def layout(self) -> TreeLayout:
        """Place the nodes for drawing; node numbers are those of the tree."""
        parent = self._parents()
        leaf = self.attribute < 0
        text = tuple(
            self.classes[self.label[i]] if leaf[i] else self.attributes[self.attribute[i]].name
            for i in range(self.n_nodes)
        )
        branch = ("", *(self._branch_text(i, int(parent[i])) for i in range(1, self.n_nodes)))
        x = _spread([self.children(i) for i in range(self.n_nodes)])
        return TreeLayout(
            x, self._levels().astype(float), parent, leaf, text, branch, np.where(leaf, self.label, -1).astype(np.int64)
        )

    def _test_text(self, node: int) -> str:
        return self.attributes[self.attribute[node]].name

    def _branch_text(self, node: int, parent: int) -> str:
        return self.attributes[self.attribute[parent]].categories[node - int(self.child[parent])]

    def _leaf_text(self, node: int) -> str:
        here, mine = int(self.counts[node].sum()), int(self.counts[node, self.label[node]])
        cases = "no case" if here == 0 else str(here) if mine == here else f"{mine} of {here}"
        return f"{self.classes[self.label[node]]} ({cases})"

    def _parents(self) -> np.ndarray:
        parent = np.full(self.n_nodes, -1, dtype=np.int64)
        for i in range(self.n_nodes):
            parent[list(self.children(i))] = i
        return parent

    def _levels(self) -> np.ndarray:
        # a child has a higher number than its parent, so one pass suffices
        level = np.zeros(self.n_nodes, dtype=np.int64)
        parent = self._parents()
        for i in range(1, self.n_nodes):
            level[i] = level[parent[i]] + 1
        return level


def _spread(children: list[tuple[int, ...]]) -> np.ndarray:
    x = np.zeros(len(children))
    leaves = 0
    order: list[int] = []
    pending = [0]
    while pending:
        node = pending.pop()
        order.append(node)
        pending += reversed(children[node])
        if not children[node]:
            x[node] = leaves
            leaves += 1
    # a parent comes before its children in this order: place it after them
    for node in reversed(order):
        if children[node]:
            x[node] = (x[children[node][0]] + x[children[node][-1]]) / 2
    return x


def interval_tree_layout(
    classifier: IntervalClassifier, name: str, classes: tuple[str, ...], *, digits: int = 3
) -> TreeLayout:
    """Lay out the binary tree that predicts what a classifier on one attribute predicts.

    Each inner node tests one cut-point, the middle one of those that are left, so that the
    tree is as low as can be; its left branch is ``x <= cut``.

    Parameters
    ----------
    classifier : IntervalClassifier
    name : str
        The attribute's name, for the texts.
    classes : tuple of str
        Class labels by number.
    digits : int
        Significant digits of a cut-point in the texts.

    Returns
    -------
    TreeLayout

    References
    ----------
    Martin & Hirschberg (1996), section 5 and Figures 8c, 8d.

    Examples
    --------
    >>> interval_tree_layout(IntervalClassifier((1.0, 2.0), (0, 1, 0)), "x", ("O", "X")).text
    ('x <= 2', 'x <= 1', 'O', 'O', 'X')
    """
    first, last = [0], [len(classifier.cuts)]
    parent, level, branch = [-1], [0], [""]
    text: list[str] = []
    label: list[int] = []
    children: list[tuple[int, ...]] = []
    node = 0
    while node < len(first):
        a, b = first[node], last[node]
        if a == b:
            text.append(classes[classifier.labels[a]])
            label.append(classifier.labels[a])
            children.append(())
        else:
            middle = (a + b) // 2
            text.append(f"{name} <= {classifier.cuts[middle]:.{digits}g}")
            label.append(-1)
            children.append((len(first), len(first) + 1))
            first += [a, middle + 1]
            last += [middle, b]
            parent += [node, node]
            level += [level[node] + 1] * 2
            branch += ["yes", "no"]
        node += 1
    numbers = np.array(label, dtype=np.int64)
    return TreeLayout(
        _spread(children),
        np.array(level, dtype=float),
        np.array(parent, dtype=np.int64),
        numbers >= 0,
        tuple(text),
        tuple(branch),
        numbers,
    )
