"""Scores beside the error rate: Brier score, log loss, AUC, and others, on the same engine."""

from errorest.estimation.scores.calibration import Reliability, reliability
from errorest.estimation.scores.intervals import SCORE_INTERVALS, parse_score_interval
from errorest.estimation.scores.method import StatisticInterval, interval_of
from errorest.estimation.scores.outcomes import Question, ask, estimate_scores
from errorest.estimation.scores.registry import SCORES, parse_score
from errorest.estimation.scores.score import CaseScore, Score, Statistic

__all__ = [
    "SCORES",
    "SCORE_INTERVALS",
    "CaseScore",
    "Question",
    "Reliability",
    "Score",
    "Statistic",
    "StatisticInterval",
    "ask",
    "estimate_scores",
    "interval_of",
    "parse_score",
    "parse_score_interval",
    "reliability",
]
