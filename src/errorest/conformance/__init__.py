"""Checks of classifiers and inducers.

:func:`check_inducer` returns what it tried, and raises :class:`~errorest.errors.UsageError` at the first demand that an
inducer of your own does not meet, with what was seen.  :func:`check_classifier` looks at classifiers of anybody's, and
returns cautions.
"""

from errorest.conformance.classifiers import check_classifier
from errorest.conformance.inducers import check_inducer

__all__ = ["check_classifier", "check_inducer"]
