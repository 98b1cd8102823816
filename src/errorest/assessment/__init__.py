"""One's own data: how wrong a classifier will be, how sure that is, and what it costs to know.

:func:`estimate` for one classifier, :func:`compare` for two,
:func:`choose` for more, :func:`permutation_test` for whether there is anything to learn,
:func:`learning_curve` for what more cases would bring, :func:`predict_runtime` before any of them,
:func:`test_size_for` for how many test cases an interval of a wanted width takes,
:func:`from_predictions` for predictions that another program made, and :func:`from_splitter` for scikit-learn's
splitters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errorest.lazy_imports import lazy_names

if TYPE_CHECKING:
    from errorest.assessment.chance.better import monte_carlo_p, permutation_test
    from errorest.assessment.chance.result import ChanceTest
    from errorest.assessment.choosing.bias_corrected import BiasCorrected, bias_corrected_error
    from errorest.assessment.choosing.choice import CandidateResult, Choice
    from errorest.assessment.choosing.choose import choose
    from errorest.assessment.comparing import ErrorDifference, PracticalEquality, compare
    from errorest.assessment.cost import Cost, predict_runtime
    from errorest.assessment.estimates import ErrorEstimate, ScoreEstimate
    from errorest.assessment.estimating import estimate
    from errorest.assessment.learning import Expected, LearningCurve, learning_curve
    from errorest.assessment.old_predictions import from_predictions
    from errorest.assessment.result import ConfidenceInterval, Fits, Result
    from errorest.assessment.splitters import from_splitter
    from errorest.estimation.learning_curves import test_size_for

__all__ = [
    "BiasCorrected",
    "CandidateResult",
    "ChanceTest",
    "Choice",
    "ConfidenceInterval",
    "Cost",
    "ErrorDifference",
    "ErrorEstimate",
    "Expected",
    "Fits",
    "LearningCurve",
    "PracticalEquality",
    "Result",
    "ScoreEstimate",
    "bias_corrected_error",
    "choose",
    "compare",
    "estimate",
    "from_predictions",
    "from_splitter",
    "learning_curve",
    "monte_carlo_p",
    "permutation_test",
    "predict_runtime",
    "test_size_for",
]

# a worker that fits classifiers loads no engine
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "chance.better": ("permutation_test", "monte_carlo_p"),
        "chance.result": ("ChanceTest",),
        "choosing.bias_corrected": ("BiasCorrected", "bias_corrected_error"),
        "choosing.choice": ("Choice", "CandidateResult"),
        "choosing.choose": ("choose",),
        "comparing": ("ErrorDifference", "PracticalEquality", "compare"),
        "cost": ("Cost", "predict_runtime"),
        "estimating": ("estimate",),
        "learning": ("Expected", "LearningCurve", "learning_curve", "test_size_for"),
        "estimates": ("ErrorEstimate", "ScoreEstimate"),
        "old_predictions": ("from_predictions",),
        "result": ("ConfidenceInterval", "Fits", "Result"),
        "splitters": ("from_splitter",),
    },
)
