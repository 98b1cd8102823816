"""errorest: how far can you trust a measured error rate?

Estimators of a classifier's error rate, and of other metrics, on small samples.

:func:`estimate` for one classifier, :func:`compare` for two, :func:`choose` for more, :func:`permutation_test` for
whether there is anything to learn, :func:`learning_curve` for what more cases would bring, :func:`test_size_for` for
how many test cases an interval of a wanted width takes, :func:`resample` and :class:`Predictions` for fitting once and
asking more than once, :func:`from_predictions` for predictions that another program made.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errorest.assessment import report
    from errorest.assessment.chance.better import permutation_test
    from errorest.assessment.choosing.choose import choose
    from errorest.assessment.comparing import compare
    from errorest.assessment.estimate import estimate
    from errorest.assessment.given import from_predictions
    from errorest.assessment.learning import learning_curve
    from errorest.assessment.predictions import Predictions
    from errorest.assessment.resample import resample
    from errorest.conformance import check_classifier, check_inducer
    from errorest.estimation.learning_curves import test_size_for

    __version__: str

__all__ = [
    "Predictions",
    "__version__",
    "check_classifier",
    "check_inducer",
    "choose",
    "compare",
    "estimate",
    "from_predictions",
    "learning_curve",
    "permutation_test",
    "report",
    "resample",
    "test_size_for",
]

# ``import errorest`` stays fast
_MODULES = {
    "Predictions": "assessment.predictions",
    "check_classifier": "conformance",
    "check_inducer": "conformance",
    "choose": "assessment.choosing.choose",
    "compare": "assessment.comparing",
    "estimate": "assessment.estimate",
    "from_predictions": "assessment.given",
    "learning_curve": "assessment.learning",
    "permutation_test": "assessment.chance.better",
    "resample": "assessment.resample",
    "test_size_for": "estimation.learning_curves",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        # what reads it loads the standard library's readers of e-mail and archives
        from importlib import metadata

        return metadata.version("errorest")
    if name == "report":
        return import_module("errorest.assessment.report")
    if name not in _MODULES:
        raise AttributeError(f"module 'errorest' has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f"errorest.{_MODULES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
