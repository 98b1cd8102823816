"""What an inducer, an estimator or an interval of your own must keep to, put to the test.

Each function returns what it tried, and raises :class:`~errorest.errors.UsageError` at the first
demand that is not met, with what was seen.  :func:`check_classifier` looks at classifiers of anybody's, and returns
cautions.
"""

from errorest.conformance.classifiers import check_classifier
from errorest.conformance.estimators import check_estimator
from errorest.conformance.inducers import check_inducer
from errorest.conformance.intervals import check_interval

__all__ = ["check_classifier", "check_estimator", "check_inducer", "check_interval"]
