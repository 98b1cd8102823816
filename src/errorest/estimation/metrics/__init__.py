"""Metrics: the error rate, costs, Brier score, log loss, AUC, and others, by name."""

from errorest.estimation.metrics.calibration import CalibrationIntercept, CalibrationSlope, Reliability, reliability
from errorest.estimation.metrics.metric import (
    ERROR_RATE,
    Accuracy,
    BoundMetric,
    CaseMetric,
    ErrorRate,
    Metric,
    Statistic,
)
from errorest.estimation.metrics.proper import Brier, LogLoss
from errorest.estimation.metrics.ranking import Auc, AveragePrecision, MacroAuc
from errorest.estimation.metrics.statistics import (
    F1,
    BalancedAccuracy,
    CohenKappa,
    MacroF1,
    Mcc,
    NegativePredictiveValue,
    Precision,
    Sensitivity,
    Specificity,
)
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
        ErrorRate,
        Accuracy,
        Brier,
        LogLoss,
        Auc,
        MacroAuc,
        AveragePrecision,
        BalancedAccuracy,
        Mcc,
        CohenKappa,
        F1,
        MacroF1,
        Sensitivity,
        Specificity,
        Precision,
        NegativePredictiveValue,
        CalibrationSlope,
        CalibrationIntercept,
    ),
    "auc or sensitivity(threshold=0.3)",
)
"""Metrics other than costs, by the name that stands before the parenthesis of an id."""


def parse_metric(text: str) -> Metric:
    """Read a metric from its id."""
    return METRICS.parse(text)
