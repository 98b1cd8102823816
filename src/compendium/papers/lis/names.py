"""What the LIS course page calls the keys of its tables."""

from __future__ import annotations

from compendium.evidence.names import Name

__all__ = ["ESTIMATORS", "INDUCERS", "SCHEMES"]

ESTIMATORS = {
    "resubstitution": "training set",
    "holdout-1/3": "holdout",
    "random-subsampling": "random subsampling",
    "repeated-cv-2": "repeated 2-fold",
    "cv-10": "10-fold",
    "stratified-cv-10": "stratified 10-fold",
    "loo": "leave-one-out",
    "bootstrap-e0": "e0",
    "bootstrap-632": ".632B",
}
"""Estimators, as the page names them."""

INDUCERS = {
    "threshold": Name("Threshold", "a threshold", "A threshold"),
    "1-nn": Name("Nearest neighbour", "the nearest neighbour", "The nearest neighbour"),
}
"""The inducers of the study."""

SCHEMES = {
    "holdout": "Holdout",
    "random-subsampling": "Random subsampling",
    "leave-one-out": "Leave-one-out",
    "cv-10": "10-fold cross-validation",
    "bootstrap": "Bootstrap",
}
"""Schemes that the tables count."""
