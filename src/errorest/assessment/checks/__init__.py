"""Checks of data, classifier, method and interval, which give warnings: one function for each id.

``checks.toml`` has the title, reason, remedy and text of every id.
"""

from errorest.assessment.checks import classifier, data, estimate
from errorest.assessment.checks.warning import filter_warnings, run_checks

__all__ = ["OF_TRAINING", "classifier", "data", "estimate", "filter_warnings", "run_checks"]

OF_TRAINING = ("E101", "E102")
"""Checks of what is trained, which need no predictions."""
