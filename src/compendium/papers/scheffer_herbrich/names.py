"""What readers of Scheffer & Herbrich call the keys of its tables."""

from __future__ import annotations

from collections.abc import Mapping

from compendium.evidence.names import Name
from errorest.tuning_bias.sizing import Scene

__all__ = ["DATA", "EXAMPLES", "INDUCERS", "SCENARIOS", "WAYS"]

DATA = {"pima": "Diabetes", "heart": "Heart", "vehicle": "Vehicle"}
"""Data sets, as the papers name them."""

INDUCERS = {"k-nn": "k-NN", "tree": "tree", "svm": "SVM"}
"""Inducers that are tuned."""

EXAMPLES = {
    "land-sat": "Land-sat",
    "land-sat-16": "Land-sat",
    "dna": "DNA",
    "fem-mesh-26": "Mesh, 26 %",
    "fem-mesh-31": "Mesh, 31 %",
    "diabetes": "Diabetes",
    "heart-c4.5": "Heart, C4.5",
    "heart-knn": "Heart, k-NN",
}
"""The examples of the calculations."""

WAYS = {
    "untuned": Name("Untuned", "untuned", "Untuned"),
    "best-of-grid": Name("Best of grid", "best of grid", "Best of grid"),
    "per-fold": Name("Tuned per fold", "tuned per fold", "Tuned per fold"),
    "nested": Name("Nested", "nested", "Nested"),
}
"""Ways of reporting a cross-validated error."""

SCENARIOS: Mapping[Scene, Name] = {
    "greedy": Name("Greedy worst case", "greedy worst case", "Greedy worst case"),
    "independent": Name("Best of t independent", "best of t independent", "Best of t independent"),
    "listed": Name("Bound, settings listed", "bound, settings listed", "Bound, settings listed"),
    "adaptive": Name("Bound, adaptive", "bound, adaptive", "Bound, adaptive"),
}
"""Ways of seeing the same tuning."""
