"""Metrics: the error rate, costs, Brier score, log loss, AUC, and others, by name."""

from errorest.estimation.metrics.calibration import CalibrationIntercept, CalibrationSlope, Reliability, reliability
from errorest.estimation.metrics.metric import ERROR_RATE, BoundMetric, CaseMetric, Metric, Statistic
from errorest.estimation.metrics.proper import Brier, LogLoss
from errorest.estimation.metrics.ranking import Auc, AveragePrecision, MacroAuc
from errorest.estimation.metrics.statistics import F1, BalancedAccuracy, MacroF1, Mcc, Sensitivity, Specificity
from errorest.spec import Family

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

METRICS: Family[Metric] = Family(
    "score",
    (
        Brier,
        LogLoss,
        Auc,
        MacroAuc,
        AveragePrecision,
        BalancedAccuracy,
        Mcc,
        F1,
        MacroF1,
        Sensitivity,
        Specificity,
        CalibrationSlope,
        CalibrationIntercept,
    ),
    "auc or sensitivity(threshold=0.3)",
)
"""Metrics other than the error rate and costs, by the name that stands before the parenthesis of an id."""


def parse_metric(text: str) -> Metric:
    """Read a metric from its id."""
    return METRICS.parse(text)
