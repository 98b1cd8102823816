"""errorest: how far can you trust a measured error rate?

Estimators of a classifier's error rate on small samples, exact and fast, and
the compendium that measures how good they are.
"""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING

from errorest.faces import lazy_face

if TYPE_CHECKING:
    from errorest.assessment import compare_errors, estimate_cost, estimate_error
    from errorest.conformance import check_estimator, check_inducer, check_interval

__version__ = metadata.version("errorest")
__all__ = [
    "__version__",
    "check_estimator",
    "check_inducer",
    "check_interval",
    "compare_errors",
    "estimate_cost",
    "estimate_error",
]

# ``import errorest`` stays fast
__getattr__, __dir__ = lazy_face(
    __name__,
    {
        "assessment": ("compare_errors", "estimate_cost", "estimate_error"),
        "conformance": ("check_estimator", "check_inducer", "check_interval"),
    },
)
