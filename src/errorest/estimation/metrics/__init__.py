"""Metrics: the error rate, costs, Brier score, log loss, AUC, and others."""

from errorest.estimation.metrics.calibration import Reliability, reliability
from errorest.estimation.metrics.metric import ERROR_RATE, BoundMetric, CaseMetric, Metric, Statistic
from errorest.estimation.metrics.registry import METRICS, parse_metric

__all__ = [
    "ERROR_RATE",
    "METRICS",
    "BoundMetric",
    "CaseMetric",
    "Metric",
    "Reliability",
    "Statistic",
    "parse_metric",
    "reliability",
]
