"""What the LIS course page calls the keys of its tables."""

from __future__ import annotations

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

INDUCERS = {"threshold": "Threshold", "1-nn": "Nearest neighbour"}
SENTENCES = {"threshold": "a threshold", "1-nn": "the nearest neighbour"}
"""The inducers of the study, in headings and in sentences."""

SCHEMES = {
    "holdout": "Holdout",
    "random-subsampling": "Random subsampling",
    "leave-one-out": "Leave-one-out",
    "cv-10": "10-fold cross-validation",
    "bootstrap": "Bootstrap",
}
"""Schemes that the tables count."""
