"""Where the nodes of a tree stand in a drawing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd


def lay_out(children: Sequence[Sequence[int]], text: Sequence[str], branch: Sequence[str]) -> pd.DataFrame:
    """Put leaves side by side, and every other node midway between its outermost children.

    Returns a row a node, numbered like ``children``: ``parent`` (-1 for the root), ``x`` (0, 1, 2, ... for leaves),
    ``y`` (levels below the root), ``leaf``, ``text`` at the node, and ``branch``, the text at the line from the parent.
    """
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
    leaf = [not kids for kids in children]
    return pd.DataFrame({"parent": parent, "x": x, "y": level, "leaf": leaf, "text": text, "branch": branch})
