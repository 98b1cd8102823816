"""All scores by name, and how a text such as ``sensitivity(threshold=0.3)`` is read."""

from __future__ import annotations

from errorest.estimation.scores.calibration import CalibrationIntercept, CalibrationSlope
from errorest.estimation.scores.proper import Brier, LogLoss
from errorest.estimation.scores.score import Score
from errorest.estimation.scores.statistics import F1, Auc, BalancedAccuracy, Mcc, Sensitivity, Specificity
from errorest.spec import Family

__all__ = ["SCORES", "parse_score"]

SCORES: Family[Score] = Family(
    "score",
    {
        made.name: made
        for made in (
            Brier,
            LogLoss,
            Auc,
            BalancedAccuracy,
            Mcc,
            F1,
            Sensitivity,
            Specificity,
            CalibrationSlope,
            CalibrationIntercept,
        )
    },
    "auc or sensitivity(threshold=0.3)",
)
"""Scores by the name that stands before the parenthesis of an id."""


def parse_score(text: str) -> Score:
    """Read a score from its id."""
    return SCORES.parse(text)
