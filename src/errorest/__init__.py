"""errorest: how far can you trust a measured error rate?

Estimators of a classifier's error rate on small samples, exact and fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errorest.lazy_imports import lazy_names

if TYPE_CHECKING:
    from errorest.assessment import (
        choose,
        from_predictions,
        learning_curve,
        permutation_test,
        predict_runtime,
        test_size_for,
    )
    from errorest.assessment.comparing import compare
    from errorest.assessment.estimating import estimate
    from errorest.conformance import check_classifier

    __version__: str

__all__ = [
    "__version__",
    "check_classifier",
    "choose",
    "compare",
    "estimate",
    "from_predictions",
    "learning_curve",
    "permutation_test",
    "predict_runtime",
    "test_size_for",
]

# ``import errorest`` stays fast
_named, __dir__ = lazy_names(
    __name__,
    {
        "assessment": (
            "permutation_test",
            "choose",
            "compare",
            "predict_runtime",
            "estimate",
            "from_predictions",
            "learning_curve",
            "test_size_for",
        ),
        "conformance": ("check_classifier",),
        "assessment.resample": ("resample",),
        "assessment.predictions": ("Predictions",),
    },
)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        # what reads it loads the standard library's readers of e-mail and archives
        from importlib import metadata

        return metadata.version("errorest")
    return _named(name)
