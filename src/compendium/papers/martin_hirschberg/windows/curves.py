"""Section 3's bias curves: windows of true error, smoothing splines, and biases below and above one half."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import interpolate

from compendium.evidence import monte_carlo
from compendium.evidence.claims import NotRun
from compendium.evidence.estimate import Estimate
from compendium.evidence.results import Run
from compendium.evidence.trials import Trials
from compendium.papers.martin_hirschberg.discriminant.experiment import READINGS
from compendium.papers.martin_hirschberg.names import FACTORS, NAMES
from compendium.papers.martin_hirschberg.windows.experiment import ITERATED, WindowsParameters
from compendium.studies.study import Study

TRUTH = "true-error"
HALF = 50.0  # True error of guessing, percent
ROUNDING = 1e-7  # A true error this close to one half, in points, is one half
LEAST_SE = 0.01  # Standard error, in points, of a window in which every population's estimates are all equal
ORDER = 3  # Order of the smoothing spline


def trials(p: WindowsParameters, run: Run, study: Study) -> dict[str, Trials]:
    """Run a study; its samples by reversal rule, with a factor ``set``: the number of the experiment, from 0."""
    results = run(study)
    results = results.assign(set=results["replicate"] // p.samples)
    return {
        rule: Trials.of(results, rule, reading=READINGS[rule], names=NAMES, factors=FACTORS)
        for rule in p.reversal_rules
    }


def windows_of(t: Trials, estimator: str, width: float) -> pd.DataFrame:
    """Average estimates in windows of their true error, whose centres are multiples of the width."""
    true, estimate = t[TRUTH], t[estimator]
    table = pd.DataFrame({"window": width * np.floor(true / width + 0.5), "true_error": true, "estimate": estimate})
    # footnotes 12 and 13: the variance of a window is the mean of the variances of its samples' populations
    table["square"] = table["estimate"].groupby(t.cell).transform("std").fillna(0.0) ** 2
    groups = table.groupby("window", sort=True)
    n = groups.size()
    out = groups[["true_error", "estimate"]].mean()
    out.insert(0, "n", n)
    out["se"] = np.maximum(np.sqrt(groups["square"].mean() / n), LEAST_SE)
    out["own_se"] = groups["estimate"].std() / np.sqrt(n)
    return out.reset_index()


def windows_of_experiments(t: Trials, width: float) -> list[pd.DataFrame]:
    """Return the windows of 2-CV* in each experiment."""
    return [windows_of(one, ITERATED, width) for one in t.cells("set")]


def curve(windows: pd.DataFrame, column: str = "estimate") -> tuple[np.ndarray, np.ndarray]:
    """Smooth window means by Dierckx's cubic spline (footnote 14), weights 1/se, smoothing the number of windows."""
    if len(windows) <= ORDER:
        return np.empty(0), np.empty(0)
    x = windows["true_error"].to_numpy()
    y = windows[column].to_numpy()
    spline = interpolate.splrep(x, y, w=1 / windows["se"].to_numpy(), s=float(len(windows)), k=ORDER)
    points = np.concatenate([[x[0]], np.arange(np.ceil(2 * x[0]), np.floor(2 * x[-1]) + 1) / 2, [x[-1]]])
    points = np.unique(points[(points >= x[0]) & (points <= x[-1])])
    return points, interpolate.splev(points, spline)


def below_half(t: Trials, estimator: str) -> Estimate:
    """Bias over the samples with a true error below one half."""
    return t.where(t[TRUTH] < HALF - ROUNDING).bias(estimator)


def bias_where(t: Trials, estimator: str, column: str, low: float, high: float = 100.0) -> Estimate:
    """Bias over the samples with a column in (low, high], as if all were of one population; at least two."""
    part = t.where((t[column] > low) & (t[column] <= high + ROUNDING))
    if part.n < 2:
        raise NotRun(f"fewer than two samples with {column} above {low:g} %")
    return t.named(monte_carlo.mean(part.difference(estimator)), estimator, unit="points").named(digits=1)


def over_half(t: Trials, estimator: str, points: float = 0.0, most: float = 100.0) -> Estimate:
    """Bias where the true error is more than so many points over one half."""
    return bias_where(t, estimator, TRUTH, HALF + points + ROUNDING, most)
