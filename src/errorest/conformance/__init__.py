"""Checks of classifiers: :func:`check_classifier` returns what makes an estimated error rate wrong."""

from errorest.conformance.classifiers import check_classifier

__all__ = ["check_classifier"]
