"""From resamples to numbers: running schemes, error-rate estimators and intervals."""

from errorest.estimation.estimators import ESTIMATORS, Estimator, parse_estimator
from errorest.estimation.intervals import INTERVALS, IntervalMethod, interval, intervals, parse_interval
from errorest.estimation.run import estimate, run_schemes

__all__ = [
    "ESTIMATORS",
    "INTERVALS",
    "Estimator",
    "IntervalMethod",
    "estimate",
    "interval",
    "intervals",
    "parse_estimator",
    "parse_interval",
    "run_schemes",
]
