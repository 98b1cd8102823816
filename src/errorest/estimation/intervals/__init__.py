"""Confidence intervals for an error rate, from Wald's to nested cross-validation.

:func:`interval` makes one from a sample and an inducer; :data:`INTERVALS` names the methods,
each of which says what it is legal with, what it costs and which target it aims at.  The
intervals of a plain binomial proportion, with their exact coverage, are in
:mod:`~errorest.estimation.proportions`.
"""

from errorest.estimation.intervals.coverage_table import MeasuredCoverage, measured_coverage
from errorest.estimation.intervals.method import IntervalMethod, IntervalResult, Limits, Measured, MonteCarloError
from errorest.estimation.intervals.registry import (
    INTERVALS,
    STATISTIC_INTERVALS,
    fits_of,
    fitting_interval,
    interval,
    intervals,
    parse_interval,
    registry_of,
    require_legal,
)

__all__ = [
    "INTERVALS",
    "STATISTIC_INTERVALS",
    "IntervalMethod",
    "IntervalResult",
    "Limits",
    "Measured",
    "MeasuredCoverage",
    "MonteCarloError",
    "fits_of",
    "fitting_interval",
    "interval",
    "intervals",
    "measured_coverage",
    "parse_interval",
    "registry_of",
    "require_legal",
]
