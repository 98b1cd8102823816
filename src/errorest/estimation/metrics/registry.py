"""The metrics by name, and how a text such as ``sensitivity(threshold=0.3)`` is read."""

from __future__ import annotations

from errorest.estimation.metrics.calibration import CalibrationIntercept, CalibrationSlope
from errorest.estimation.metrics.metric import Metric
from errorest.estimation.metrics.proper import Brier, LogLoss
from errorest.estimation.metrics.ranking import Auc, AveragePrecision, MacroAuc
from errorest.estimation.metrics.statistics import F1, BalancedAccuracy, MacroF1, Mcc, Sensitivity, Specificity
from errorest.spec import Family

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
