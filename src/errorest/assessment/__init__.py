"""One's own data: how wrong a classifier will be, how sure that is, and what it costs to know.

:func:`estimate_error` for one classifier, :func:`compare_errors` for two, :func:`estimate_cost` before
either, and :func:`from_splitter` for scikit-learn's splitters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errorest.faces import lazy_face

if TYPE_CHECKING:
    from errorest.assessment.compare import ErrorDifference, compare_errors
    from errorest.assessment.cost import Cost, estimate_cost
    from errorest.assessment.estimate import estimate_error
    from errorest.assessment.paired import PracticalEquality
    from errorest.assessment.result import ConfidenceInterval, ErrorEstimate, Fits
    from errorest.assessment.splitters import from_splitter

__all__ = [
    "ConfidenceInterval",
    "Cost",
    "ErrorDifference",
    "ErrorEstimate",
    "Fits",
    "PracticalEquality",
    "compare_errors",
    "estimate_cost",
    "estimate_error",
    "from_splitter",
]

# a worker that fits classifiers loads no engine
__getattr__, __dir__ = lazy_face(
    __name__,
    {
        "compare": ("ErrorDifference", "compare_errors"),
        "cost": ("Cost", "estimate_cost"),
        "estimate": ("estimate_error",),
        "paired": ("PracticalEquality",),
        "result": ("ConfidenceInterval", "ErrorEstimate", "Fits"),
        "splitters": ("from_splitter",),
    },
)
