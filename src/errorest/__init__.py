"""errorest: how far can you trust a measured error rate?

Estimators of a classifier's error rate on small samples, exact and fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errorest.lazy_imports import lazy_names

if TYPE_CHECKING:
    from errorest.assessment import (
        better_than_chance,
        choose_classifier,
        compare_errors,
        estimate_cost,
        estimate_error,
        estimate_score,
        from_predictions,
        learning_curve,
    )
    from errorest.conformance import check_classifier, check_inducer

    __version__: str

__all__ = [
    "__version__",
    "better_than_chance",
    "check_classifier",
    "check_inducer",
    "choose_classifier",
    "compare_errors",
    "estimate_cost",
    "estimate_error",
    "estimate_score",
    "from_predictions",
    "learning_curve",
]

# ``import errorest`` stays fast
_named, __dir__ = lazy_names(
    __name__,
    {
        "assessment": (
            "better_than_chance",
            "choose_classifier",
            "compare_errors",
            "estimate_cost",
            "estimate_error",
            "estimate_score",
            "from_predictions",
            "learning_curve",
        ),
        "conformance": ("check_classifier", "check_inducer"),
    },
)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        # what reads it loads the standard library's readers of e-mail and archives
        from importlib import metadata

        return metadata.version("errorest")
    return _named(name)
