"""A C4.5 tree as a classifier: labels, probabilities, text and sizes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from errorest.data.sample import Attribute
from errorest.inducers.c45.batch import answer_cases
from errorest.inducers.trees import DecisionTree


@dataclass(frozen=True, eq=False)
class C45Tree(DecisionTree):
    """A fitted tree: nodes (node 0 is the root), training cases of each node by class, attributes and classes.

    A missing value follows every branch in fractions; probabilities are the training proportions at the leaves that a
    case reaches, without correction.
    """

    nodes: np.ndarray
    dist: np.ndarray
    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]

    _stroke = "|   "
    _goes_on = ":"

    @property
    def _tested(self) -> np.ndarray:
        return self.nodes["attribute"]

    def children(self, node: int) -> range:
        """Return the children of a node in the order of its branches; none at a leaf."""
        first = int(self.nodes["first_child"][node])
        return range(first, first + int(self.nodes["n_children"][node]))

    def _answer(self, values: np.ndarray, labels: np.ndarray, probabilities: np.ndarray) -> None:
        kinds = np.array([a.kind != "nominal" for a in self.attributes], dtype=np.int8)
        which = np.arange(values.shape[0], dtype=np.int32)
        answer_cases(self.nodes, self.dist, kinds, values, which, labels, probabilities)

    def _branch_text(self, node: int, parent: int) -> str:
        attribute = self.attributes[self.nodes["attribute"][parent]]
        place = node - int(self.nodes["first_child"][parent])
        if attribute.kind == "nominal":
            return "= " + attribute.categories[place]
        return ("<= ", "> ")[place] + f"{self.nodes['threshold'][parent]:.6g}"

    def _leaf_text(self, node: int) -> str:
        label = int(self.nodes["label"][node])
        cases = float(self.dist[node].sum()) if self.nodes["share"][node] > 0 else 0.0
        wrong = cases - float(self.dist[node, label]) if cases > 0 else 0.0
        among = "" if wrong < 0.005 else f"/{round(wrong, 2):g}"
        return f"{self.classes[label]} ({round(cases, 2):g}{among})"
