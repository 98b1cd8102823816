"""One's own data: how wrong a classifier will be, how sure that is, and what it costs to know.

:func:`estimate_error` and :func:`estimate_score` for one classifier, :func:`compare_errors` for two,
:func:`choose_classifier` for more, :func:`better_than_chance` for whether there is anything to learn,
:func:`learning_curve` for what more cases would bring, :func:`estimate_cost` before any of them,
:func:`from_predictions` for predictions that another program made, and :func:`from_splitter` for scikit-learn's
splitters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import errorest.assessment.cautions_of_choices  # noqa: F401  its ids join the registry
from errorest.lazy_imports import lazy_names

if TYPE_CHECKING:
    from errorest.assessment.chance.better import better_than_chance, monte_carlo_p
    from errorest.assessment.chance.result import ChanceTest
    from errorest.assessment.choosing.bias_corrected import BiasCorrected, bias_corrected_error
    from errorest.assessment.choosing.choice import Choice, Rival
    from errorest.assessment.choosing.choose import choose_classifier
    from errorest.assessment.compare import ErrorDifference, compare_errors
    from errorest.assessment.cost import Cost, estimate_cost
    from errorest.assessment.equality import PracticalEquality
    from errorest.assessment.estimate import estimate_error
    from errorest.assessment.estimates import ErrorEstimate, ScoreEstimate
    from errorest.assessment.learning import Expected, LearningCurve, learning_curve
    from errorest.assessment.predictions import from_predictions
    from errorest.assessment.result import ConfidenceInterval, Fits, Result
    from errorest.assessment.scores.estimate import estimate_score
    from errorest.assessment.splitters import from_splitter

__all__ = [
    "BiasCorrected",
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
    "Rival",
    "ScoreEstimate",
    "better_than_chance",
    "bias_corrected_error",
    "choose_classifier",
    "compare_errors",
    "estimate_cost",
    "estimate_error",
    "estimate_score",
    "from_predictions",
    "from_splitter",
    "learning_curve",
    "monte_carlo_p",
]

# a worker that fits classifiers loads no engine
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "chance.better": ("better_than_chance", "monte_carlo_p"),
        "chance.result": ("ChanceTest",),
        "choosing.bias_corrected": ("BiasCorrected", "bias_corrected_error"),
        "choosing.choice": ("Choice", "Rival"),
        "choosing.choose": ("choose_classifier",),
        "compare": ("ErrorDifference", "compare_errors"),
        "cost": ("Cost", "estimate_cost"),
        "equality": ("PracticalEquality",),
        "estimate": ("estimate_error",),
        "learning": ("Expected", "LearningCurve", "learning_curve"),
        "estimates": ("ErrorEstimate", "ScoreEstimate"),
        "predictions": ("from_predictions",),
        "result": ("ConfidenceInterval", "Fits", "Result"),
        "scores.estimate": ("estimate_score",),
        "splitters": ("from_splitter",),
    },
)
