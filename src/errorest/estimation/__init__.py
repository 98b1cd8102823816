"""From resamples to numbers: running schemes, error-rate estimators and intervals."""

from errorest.estimation.estimators import ESTIMATORS, Estimator, estimate, estimate_many, parse_estimator
from errorest.estimation.intervals import INTERVALS, IntervalMethod, interval, intervals, parse_interval
from errorest.estimation.run import run_schemes

__all__ = [
    "ESTIMATORS",
    "INTERVALS",
    "Estimator",
    "IntervalMethod",
    "estimate",
    "estimate_many",
    "interval",
    "intervals",
    "parse_estimator",
    "parse_interval",
    "run_schemes",
]
