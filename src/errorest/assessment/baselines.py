"""Baselines of scores: the values that are had without a classifier, and the caution about a clipped log loss."""

from __future__ import annotations

import numpy as np

from errorest.assessment.caution import Caution
from errorest.estimation.metrics.metric import BoundMetric, Metric
from errorest.estimation.metrics.proper import LogLoss, ProbabilityMetric

__all__ = ["bar_of", "of_clipping"]

_BARS = {
    "auc": (0.5, "a random ranking"),
    "mcc": (0.0, "random labels"),
    "calibration-slope": (1.0, "what is right"),
    "calibration-intercept": (0.0, "what is right"),
}


def bar_of(question: BoundMetric, counts: np.ndarray) -> tuple[float | None, str]:
    """Return what a score is held against, and its name: what is had without a classifier, or what is right."""
    score = question.metric
    if isinstance(score, ProbabilityMetric):
        shares = counts / counts.sum()
        return float((shares * score.costs(shares[None])[0]).sum()), "the class shares always"
    if score.name == "balanced-accuracy":
        two = getattr(score, "threshold", None) is not None
        return 1 / (2 if two else question.n_classes), "one class always"
    return _BARS.get(score.name, (None, ""))


def of_clipping(score: Metric, impossible: int, tests: int, who: str = "") -> list[Caution]:
    """Say that a log loss depends on its clip, where a class was called impossible and came."""
    if not isinstance(score, LogLoss) or not impossible:
        return []
    text = (
        f"{who}in {impossible} of {tests} tests the case's class was called impossible, which costs "
        f"{-np.log(score.clip):.3g} each only because probabilities are clipped at {score.clip:g}: the log loss "
        "depends on that number; take the Brier score, or a classifier that is never certain"
    )
    return [Caution("E305", text)]
