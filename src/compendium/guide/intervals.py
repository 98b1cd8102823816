"""Shared by the guide: whether an interval covers its target, means over cells that share samples, a cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import average
from compendium.guide.names import TARGETS
from errorest.estimation.intervals.method import NO_WIDTH

T = TypeVar("T")
_LAST: dict[str, tuple[list[pd.DataFrame], Any]] = {}


def remembered(name: str, tables: list[pd.DataFrame], make: Callable[[], T]) -> T:
    """Return the last result of a name, if it was computed from the very same tables; else compute it."""
    known, result = _LAST.get(name, ([], None))
    if len(known) != len(tables) or any(a is not b for a, b in zip(known, tables, strict=True)):
        result = make()
        _LAST[name] = tables, result
    return result


def contains(low: np.ndarray, high: np.ndarray, value: np.ndarray | float) -> np.ndarray:
    """Return which intervals contain a value; undefined limits contain none, as comparisons with NaN are false."""
    return np.asarray((low - NO_WIDTH <= value) & (value <= high + NO_WIDTH))


def covers(low: np.ndarray, high: np.ndarray, truth: np.ndarray, target: str) -> np.ndarray:
    """Return which intervals cover a target: the error of the classifier of their sample, or the mean of all these."""
    return contains(low, high, truth if target == next(iter(TARGETS)) else np.full(truth.shape, truth.mean()))


def average_of_groups(groups: Iterable[Sequence[Estimate]]) -> Estimate:
    """Average independent groups of one size; the cells of a group share samples, and their errors are added up."""
    return average(Estimate(fmean(e.value for e in own), fmean(e.se for e in own), own[0].n) for own in groups)
