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
    from errorest import report
    from errorest.assessment.choose import CandidateResult, Choice, choose
    from errorest.assessment.compare import Difference, PracticalEquality, compare
    from errorest.assessment.estimate import estimate
    from errorest.assessment.from_predictions import from_predictions
    from errorest.assessment.learning_curve import Expected, LearningCurve, learning_curve
    from errorest.assessment.permutation import PermutationTest, permutation_test
    from errorest.assessment.predictions import Predictions
    from errorest.assessment.resample import resample
    from errorest.assessment.results import ConfidenceInterval, Estimate, Estimates, Result
    from errorest.conformance import check_classifier
    from errorest.estimation.learning_curves import test_size_for

    __version__: str

__all__ = [
    "CandidateResult",
    "Choice",
    "ConfidenceInterval",
    "Difference",
    "Estimate",
    "Estimates",
    "Expected",
    "LearningCurve",
    "PermutationTest",
    "PracticalEquality",
    "Predictions",
    "Result",
    "__version__",
    "check_classifier",
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
    "assessment.choose": ("CandidateResult", "Choice", "choose"),
    "assessment.compare": ("Difference", "PracticalEquality", "compare"),
    "assessment.estimate": ("estimate",),
    "assessment.from_predictions": ("from_predictions",),
    "assessment.learning_curve": ("Expected", "LearningCurve", "learning_curve"),
    "assessment.permutation": ("PermutationTest", "permutation_test"),
    "assessment.predictions": ("Predictions",),
    "assessment.resample": ("resample",),
    "assessment.results": ("ConfidenceInterval", "Estimate", "Estimates", "Result"),
    "conformance": ("check_classifier",),
    "estimation.learning_curves": ("test_size_for",),
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        # what reads it loads the standard library's readers of e-mail and archives
        from importlib import metadata

        return metadata.version("errorest")
    if name == "report":
        return import_module("errorest.report")
    home = next((module for module, names in _MODULES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'errorest' has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f"errorest.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
