"""Checks of learners: :func:`check_classifier` returns warnings, :func:`check_inducer` raises at the first fault."""

from errorest.conformance.classifiers import check_classifier
from errorest.conformance.inducers import check_inducer

__all__ = ["check_classifier", "check_inducer"]
