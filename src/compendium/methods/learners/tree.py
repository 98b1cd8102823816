"""Multiway decision trees: prediction and text."""

from __future__ import annotations

import numpy as np

from errorest.compiled import kernel
from errorest.learners.trees import DecisionTree, descend


@kernel
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


@kernel
def _answer_cases(nodes, counts, kind, X, labels, probabilities):  # type: ignore[no-untyped-def]
    """Write the labels of cases, or where ``probabilities`` has rows these."""
    for i in range(X.shape[0]):
        if probabilities.shape[0] == 0:
            labels[i] = nodes[descend(nodes, kind, X[i], np.int64(0))].label
        else:
            share_of(nodes, counts, kind, X[i], probabilities[i])


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
