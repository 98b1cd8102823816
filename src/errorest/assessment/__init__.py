"""The public functions and their results: reach them as ``errorest.estimate`` and so on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errorest.lazy_imports import lazy_names

if TYPE_CHECKING:
    from errorest.assessment.estimates import ErrorEstimate, ScoreEstimate
    from errorest.assessment.estimating import estimate
    from errorest.assessment.old_predictions import from_predictions
    from errorest.assessment.result import ConfidenceInterval, Fits, Result
    from errorest.assessment.splitters import from_splitter
    from errorest.estimation.learning_curves import test_size_for

__all__ = [
    "ConfidenceInterval",
    "ErrorEstimate",
    "Fits",
    "Result",
    "ScoreEstimate",
    "estimate",
    "from_predictions",
    "from_splitter",
    "test_size_for",
]

# a worker that fits classifiers loads no engine
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "estimating": ("estimate",),
        "estimates": ("ErrorEstimate", "ScoreEstimate"),
        "old_predictions": ("from_predictions",),
        "result": ("ConfidenceInterval", "Fits", "Result"),
        "splitters": ("from_splitter",),
    },
)
