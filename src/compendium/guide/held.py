"""Whether an interval holds what it aims at: one rule for all studies of coverage."""

from __future__ import annotations

import numpy as np

from compendium.guide.names import TARGETS
from errorest.estimation.intervals.method import NO_WIDTH

__all__ = ["held", "within"]


def within(low: np.ndarray, high: np.ndarray, value: np.ndarray | float) -> np.ndarray:
    """Tell which intervals hold a value; undefined limits hold nothing, since comparisons with NaN are false."""
    return np.asarray((low - NO_WIDTH <= value) & (value <= high + NO_WIDTH))


def held(low: np.ndarray, high: np.ndarray, truth: np.ndarray, target: str) -> np.ndarray:
    """Tell which intervals hold a target: each the error of its sample's own classifier, or all the mean of these."""
    return within(low, high, truth if target == next(iter(TARGETS)) else np.full(truth.shape, truth.mean()))
