"""What all guide studies share: whether an interval holds what it aims at, means over cells that share samples, and
what several artifacts of a page make of the same results."""

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


def made_once(name: str, tables: list[pd.DataFrame], make: Callable[[], T]) -> T:
    """Return what was last made under a name, if it was made of the very same tables; else make it."""
    known, result = _LAST.get(name, ([], None))
    if len(known) != len(tables) or any(a is not b for a, b in zip(known, tables, strict=True)):
        result = make()
        _LAST[name] = tables, result
    return result


def within(low: np.ndarray, high: np.ndarray, value: np.ndarray | float) -> np.ndarray:
    """Tell which intervals hold a value; undefined limits hold nothing, since comparisons with NaN are false."""
    return np.asarray((low - NO_WIDTH <= value) & (value <= high + NO_WIDTH))


def held(low: np.ndarray, high: np.ndarray, truth: np.ndarray, target: str) -> np.ndarray:
    """Tell which intervals hold a target: each the error of its sample's own classifier, or all the mean of these."""
    return within(low, high, truth if target == next(iter(TARGETS)) else np.full(truth.shape, truth.mean()))


def average_of_groups(groups: Iterable[Sequence[Estimate]]) -> Estimate:
    """Average independent groups of one size; the cells of a group share samples, and their errors are added up."""
    return average(Estimate(fmean(e.value for e in own), fmean(e.se for e in own), own[0].n) for own in groups)
