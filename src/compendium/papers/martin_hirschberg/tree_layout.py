"""Where the nodes of a tree stand in a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from compendium.methods.learners.tree import Tree


@dataclass(frozen=True, eq=False)
class TreeLayout:
    """Where the nodes of a tree stand on a page, and what is written at them."""

    x: np.ndarray  # 0, 1, 2, ... for leaves; an inner node stands midway between its outermost children
    y: np.ndarray  # levels below the root
    parent: np.ndarray  # -1 for the root
    leaf: np.ndarray
    text: tuple[str, ...]  # the test at an inner node, the class at a leaf
    branch: tuple[str, ...]  # what is written at the line from the parent; empty for the root
    label: np.ndarray  # class number of a leaf, -1 at inner nodes


def lay_out(
    children: Sequence[Sequence[int]], text: tuple[str, ...], branch: tuple[str, ...], label: np.ndarray
) -> TreeLayout:
    """Put leaves side by side, and every other node midway between its outermost children."""
    n = len(children)
    x, level, parent = np.zeros(n), np.zeros(n), np.full(n, -1, dtype=np.int64)
    # a child has a higher number than its parent
    for node, kids in enumerate(children):
        for kid in kids:
            parent[kid], level[kid] = node, level[node] + 1
    leaves, pending = 0, [0]
    while pending:
        node = pending.pop()
        pending += reversed(children[node])
        if not children[node]:
            x[node] = leaves
            leaves += 1
    for node in range(n - 1, -1, -1):
        if children[node]:
            x[node] = (x[children[node][0]] + x[children[node][-1]]) / 2
    return TreeLayout(x, level, parent, np.array([not kids for kids in children]), text, branch, label)


def layout_of(tree: Tree) -> TreeLayout:
    """Place the nodes of a tree; node numbers are those of the tree."""
    children = [tree.children(v) for v in range(tree.n_nodes)]
    tested, label = tree.nodes["attribute"], tree.nodes["label"]
    leaf = tested < 0
    text = [tree.classes[label[v]] if leaf[v] else tree.attributes[tested[v]].name for v in range(leaf.size)]
    branch = [""] * leaf.size
    for v, kids in enumerate(children):
        for kid, category in zip(kids, tree.attributes[tested[v]].categories, strict=False):
            branch[kid] = category
    return lay_out(children, tuple(text), tuple(branch), np.where(leaf, label, -1))
