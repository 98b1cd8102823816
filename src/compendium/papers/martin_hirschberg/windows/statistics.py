"""Statistics of section 3's bias curves: windows of true error, smoothing splines, biases below and above one half.

Samples are collected in windows of their true error; each window's mean estimate has a
standard error pooled over the populations that its samples come from (footnotes 12 and
13), and a smoothing spline runs through the means (footnote 14).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import nan

import numpy as np
import pandas as pd
from scipy import interpolate

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.estimate import Estimate
from compendium.papers.martin_hirschberg.samples import Samples
from compendium.papers.martin_hirschberg.windows.experiment import ITERATED

__all__ = [
    "HALF",
    "ROUNDING",
    "below_half",
    "between",
    "curve",
    "where_estimated_half",
    "windows_of",
    "windows_of_sets",
]

HALF = 50.0
"""True error of guessing, percent; the first windows' curves are judged below it."""

ROUNDING = 1e-7
"""A true error this close to one half, in points, is one half."""

_LEAST_SE = 0.01
"""Standard error, in points, of a window in which every population's estimates are all equal."""

_ORDER = 3


def in_windows(true_error: np.ndarray, width: float) -> np.ndarray:
    """Return the centre of each true error's window; centres are multiples of the width, all in percent."""
    return width * np.floor(np.asarray(true_error) / width + 0.5)


def windows_of(true_error: np.ndarray, estimate: np.ndarray, cell: np.ndarray, width: float) -> pd.DataFrame:
    """Average estimates in windows of their true error."""
    table = pd.DataFrame({"window": in_windows(true_error, width), "true_error": true_error, "estimate": estimate})
    spread = table["estimate"].groupby(cell).transform("std").fillna(0.0)
    table["square"] = spread**2
    groups = table.groupby("window", sort=True)
    n = groups.size()
    out = groups[["true_error", "estimate"]].mean()
    out.insert(0, "n", n)
    out["se"] = np.maximum(np.sqrt(groups["square"].mean() / n), _LEAST_SE)
    out["own_se"] = groups["estimate"].std() / np.sqrt(n)
    return out.reset_index()


def curve(windows: pd.DataFrame, column: str = "estimate") -> tuple[np.ndarray, np.ndarray]:
    """Smooth window means by Dierckx's cubic spline, weights 1/se, smoothing the number of windows."""
    if len(windows) <= _ORDER:
        return np.empty(0), np.empty(0)
    x = windows["true_error"].to_numpy()
    y = windows[column].to_numpy()
    spline = interpolate.splrep(x, y, w=1 / windows["se"].to_numpy(), s=float(len(windows)), k=_ORDER)
    points = np.concatenate([[x[0]], np.arange(np.ceil(2 * x[0]), np.floor(2 * x[-1]) + 1) / 2, [x[-1]]])
    points = np.unique(points[(points >= x[0]) & (points <= x[-1])])
    return points, interpolate.splev(points, spline)


def below_half(samples: Samples, name: str) -> Estimate:
    """Mean of estimate minus true error, in points, over the samples with a true error below one half."""
    return samples.where(samples.true_error < HALF - ROUNDING).bias(name)


def between(samples: Samples, name: str, low: float, high: float) -> Estimate:
    """Mean bias, in points, over the samples whose true error lies in (low, high], percent."""
    true = samples.true_error
    inside = samples.where((true > low + ROUNDING) & (true <= high + ROUNDING))
    return accuracy.mean(inside.difference(name)) if inside.n > 1 else Estimate(nan, nan, inside.n)


def where_estimated_half(samples: Samples, name: str) -> Estimate:
    """Mean bias, in points, over the samples whose estimate is at least one half."""
    picked = samples.where(samples.of(name) >= HALF - ROUNDING)
    return accuracy.mean(picked.difference(name)) if picked.n > 1 else Estimate(nan, nan, picked.n)


def windows_of_sets(samples: Samples, width: float) -> Iterator[pd.DataFrame]:
    """Yield the windows of 2-CV* in each experiment in turn; ``samples`` as of ``repeats_study``."""
    for part in samples.by("set"):
        yield windows_of(part.true_error, part.of(ITERATED), part.cell, width)
