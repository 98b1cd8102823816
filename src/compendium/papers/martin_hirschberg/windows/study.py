"""Section 3's study, repeated, and its bias curves: windows of true error, smoothing splines, biases about one half."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import interpolate

from compendium.evidence import monte_carlo
from compendium.evidence.claims import NotRun
from compendium.evidence.estimate import Estimate
from compendium.evidence.results import Run
from compendium.evidence.trials import Trials
from compendium.papers.martin_hirschberg.discriminant.study import READINGS, Rule, discriminant_study
from compendium.papers.martin_hirschberg.estimators import FACTORS, NAMES, library_ids
from compendium.papers.parameters import InherentErrors, Parameters, SizesForTenFolds, parameter, unique
from compendium.papers.validation import field_validator
from compendium.studies.study import Study

ITERATED = "repeated-cv-2"  # 2-CV*, of which Figure 6 and most claims speak
ESTIMATORS = ("cv-2", ITERATED, "cv-10", "loo", "bootstrap-632")

TRUTH = "true-error"
HALF = 50.0  # True error of guessing, percent
ROUNDING = 1e-7  # A true error this close to one half, in points, is one half
LEAST_SE = 0.01  # Standard error, in points, of a window in which every population's estimates are all equal
ORDER = 3  # Order of the smoothing spline


class WindowsParameters(Parameters, notebook="martin-hirschberg/03-bias-against-true-error", repeated="realizations"):
    """Parameters of Figures 6 and 7 and of the claims around them."""

    sizes: SizesForTenFolds = parameter([10, 20, 50], min_length=1)
    inherent_errors: InherentErrors = parameter([0.5, 0.4, 0.25, 0.1, 0.05, 0.02, 0.01, 0.001], min_length=1)
    samples: int = parameter(100, ge=2, preview=40)
    figure_6_repeats: int = parameter(6, ge=1, preview=2)
    realizations: int = parameter(1, ge=1, replication=True)
    repeats: int = parameter(3, ge=1, preview=1, replication=True)
    cv_repeats: int = parameter(100, ge=2, preview=20)
    bootstrap_replicates: int = parameter(200, ge=1, preview=50)
    window: float = parameter(2.0, gt=0, le=20)
    negligible: float = parameter(0.5, gt=0, le=50)
    reversal_rules: list[Rule] = parameter(list(READINGS), min_length=1)

    _unique = field_validator("reversal_rules")(unique)


def repeats_study(p: WindowsParameters) -> Study:
    """Figure 6's experiments: the first ``p.samples`` of a cell are Table 4's, the next ones the first repeat's."""
    return _study(p, p.sizes[:1], p.realizations * (1 + p.figure_6_repeats), (ITERATED,))


def curves_study(p: WindowsParameters) -> Study:
    """The experiments behind Figure 7 and the claims, at every size; samples as of :func:`repeats_study`."""
    return _study(p, p.sizes, p.realizations, ESTIMATORS)


def _study(p: WindowsParameters, sizes: Sequence[int], experiments: int, names: Sequence[str]) -> Study:
    ids = library_ids(names, p.cv_repeats, p.bootstrap_replicates)
    return discriminant_study(sizes, p.inherent_errors, p.samples * experiments, ids, p.reversal_rules, p.seed)


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


def smallest(t: Trials) -> Trials:
    """Return the samples of the smallest size."""
    return t.at(n=t.levels("n")[0])


def largest(t: Trials) -> Trials:
    """Return the samples of the largest size, of at least two."""
    sizes = t.levels("n")
    return t.at(n=sizes[max(1, len(sizes) - 1)])


def reading_titles(p: WindowsParameters) -> dict[str, str]:
    return {rule: READINGS[rule].replace(":", ": ") for rule in p.reversal_rules}
