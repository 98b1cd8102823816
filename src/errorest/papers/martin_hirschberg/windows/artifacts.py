"""Figure 6: bias of an estimate as a function of the true error it estimates.

Samples are collected in windows of their true error; each window's mean estimate has a
standard error pooled over the populations that its samples come from (footnotes 12 and
13), and a smoothing spline runs through the means (footnote 14).  Figure 6 repeats the
whole experiment to see how many means leave the first one's limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan, nan

import numpy as np
import pandas as pd
from scipy import interpolate, special

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.papers.martin_hirschberg.designs import discriminant_study, library_id
from errorest.papers.martin_hirschberg.discriminant.artifacts import READINGS, Rule
from errorest.papers.parameters import InherentErrors, Parameters, SizesForTenFolds, parameter

__all__ = [
    "HALF",
    "ROUNDING",
    "WindowsParameters",
    "bias_below_half",
    "curve",
    "curves_study",
    "figure_6",
    "in_windows",
    "percent",
    "repeats_study",
    "windows_of",
    "windows_of_sets",
]

HALF = 50.0
"""True error of guessing, percent; the first windows' curves are judged below it."""

_ESTIMATORS = ("cv-2", "repeated-cv-2", "cv-10", "loo", "bootstrap-632")
ROUNDING = 1e-7
"""A true error this close to one half, in points, is one half."""

_LEAST_SE = 0.01
"""Standard error, in points, of a window in which every population's estimates are all equal."""

_DENSE = 20
_ORDER = 3


class WindowsParameters(Parameters):
    """Parameters of Figures 6 and 7 and of the claims around them."""

    sizes: SizesForTenFolds = parameter([10, 20, 50], "sample sizes N; Figure 6 is of the first", min_length=1)
    inherent_errors: InherentErrors = parameter(
        [0.5, 0.4, 0.25, 0.1, 0.05, 0.02, 0.01, 0.001], "inherent errors of the populations, proportions", min_length=1
    )
    samples: int = parameter(100, "samples of each size and inherent error in one experiment", ge=2, preview=40)
    figure_6_repeats: int = parameter(6, "further experiments of Figure 6", ge=1, preview=2)
    realizations: int = parameter(1, "times that everything is done, the further experiments included", ge=1)
    repeats: int = parameter(3, "enlarged run: how many times the realizations; 1 for none", ge=1, preview=1)
    cv_repeats: int = parameter(100, "iterations of iterated cross-validation", ge=2, preview=20)
    bootstrap_replicates: int = parameter(200, "bootstrap samples, B", ge=1, preview=50)
    window: float = parameter(2.0, "width of a window of true error, percent", gt=0, le=20)
    negligible: float = parameter(0.5, "a mean bias below this counts as negligible, points", gt=0, le=50)
    reversal_rules: list[Rule] = parameter(
        list(READINGS), "readings of the class-reversal rule; the first is the headline", min_length=1
    )

    def enlarged(self) -> WindowsParameters | None:
        """Return the design with ``repeats`` times the realizations."""
        if self.repeats == 1:
            return None
        return self.model_copy(update={"realizations": self.realizations * self.repeats})


def repeats_study(p: WindowsParameters, run: Run) -> pd.DataFrame:
    """Run Figure 6's experiments: the first ``p.samples`` of a cell are Table 4's, the next ones the first repeat's.

    Returns the study's table with two more columns: ``set``, the number of the experiment
    from 0, and ``cell``, the number of its population and size.
    """
    sets = p.realizations * (1 + p.figure_6_repeats)
    return _study(p, run, p.sizes[:1], p.samples * sets, ("repeated-cv-2",))


def curves_study(p: WindowsParameters, run: Run) -> pd.DataFrame:
    """Run the experiments behind Figure 7 and the claims, at every size; columns as :func:`repeats_study`."""
    return _study(p, run, p.sizes, p.samples * p.realizations, _ESTIMATORS)


def _study(p: WindowsParameters, run: Run, sizes: list[int], samples: int, names: tuple[str, ...]) -> pd.DataFrame:
    ids = {e: library_id(e, p.cv_repeats, p.bootstrap_replicates) for e in names}
    results = run(discriminant_study(sizes, p.inherent_errors, samples, ids, list(p.reversal_rules), p.seed))
    cell = results.groupby(["n", "inherent_error"], sort=False).ngroup()
    return results.assign(set=results["replicate"] // p.samples, cell=cell)


def in_windows(true_error: np.ndarray, width: float) -> np.ndarray:
    """Return the centre of each true error's window; centres are multiples of the width, all in percent.

    Examples
    --------
    >>> in_windows(np.array([0.4, 2.9, 3.1]), 2.0).tolist()
    [0.0, 2.0, 4.0]
    """
    return width * np.floor(np.asarray(true_error) / width + 0.5)


def windows_of(true_error: np.ndarray, estimate: np.ndarray, cell: np.ndarray, width: float) -> pd.DataFrame:
    """Average estimates in windows of their true error.

    Parameters
    ----------
    true_error, estimate : float arrays, shape (n,)
        Percent.
    cell : int array, shape (n,)
        The population of each sample; its standard deviation of estimates is each single
        one's assumed standard error.
    width : float
        Percent.

    Returns
    -------
    DataFrame
        One row a window that is not empty: ``window`` (centre), ``n``, means ``true_error`` and
        ``estimate``, ``se`` (root mean square of the assumed errors, over sqrt(n)) and
        ``own_se`` (from the window's own spread; NaN for one sample), all in percent.

    References
    ----------
    Martin & Hirschberg (1996), section 3, footnotes 12 and 13.

    Examples
    --------
    >>> windows_of(np.array([1.0, 0.0, 5.0]), np.array([2.0, 4.0, 6.0]), np.array([0, 0, 0]), 4.0).estimate.tolist()
    [3.0, 6.0]
    """
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
    """Smooth window means by Dierckx's cubic spline, weights 1/se, smoothing the number of windows.

    Parameters
    ----------
    windows : DataFrame
        From :func:`windows_of`.
    column : str
        What is smoothed over ``true_error``.

    Returns
    -------
    x, y : float arrays
        Points of the curve, every half percent of true error; empty where there are too few windows.

    References
    ----------
    Martin & Hirschberg (1996), section 3, footnote 14.
    """
    if len(windows) <= _ORDER:
        return np.empty(0), np.empty(0)
    x = windows["true_error"].to_numpy()
    y = windows[column].to_numpy()
    spline = interpolate.splrep(x, y, w=1 / windows["se"].to_numpy(), s=float(len(windows)), k=_ORDER)
    points = np.concatenate([[x[0]], np.arange(np.ceil(2 * x[0]), np.floor(2 * x[-1]) + 1) / 2, [x[-1]]])
    points = np.unique(points[(points >= x[0]) & (points <= x[-1])])
    return points, interpolate.splev(points, spline)


def percent(results: pd.DataFrame, rule: str, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return true errors and estimates of one rule and estimator, percent."""
    return 100 * results[f"{rule}/true-error"].to_numpy(), 100 * results[f"{rule}/{name}"].to_numpy()


def bias_below_half(results: pd.DataFrame, rule: str, name: str) -> Measured:
    """Mean of estimate minus true error, in points, over the samples with a true error below one half."""
    true, estimate = percent(results, rule, name)
    below = true < HALF - ROUNDING
    if not below.any():
        return Measured(nan, nan, 0)
    return accuracy.mean((estimate - true)[below], results["cell"].to_numpy()[below])


def windows_of_sets(results: pd.DataFrame, rule: str, name: str, width: float) -> Iterator[pd.DataFrame]:
    """Yield the windows of each experiment in turn; ``results`` as from :func:`repeats_study`."""
    number = results["set"].to_numpy()
    for s in range(int(number.max()) + 1):
        part = results[number == s]
        true, estimate = percent(part, rule, name)
        yield windows_of(true, estimate, part["cell"].to_numpy(), width)


def _against(first: pd.DataFrame, later: pd.DataFrame) -> pd.DataFrame:
    """Judge later window means by the first one's limits of two standard errors.

    A window that the first experiment left empty is judged by limits interpolated between
    its neighbours (footnote 15 leaves that to the eye).
    """
    at = first["window"].to_numpy()
    limits = [first["estimate"] + k * first["se"] for k in (-2, 2)]
    low, high = (np.interp(later["window"], at, limit) for limit in limits)
    own = later["window"].isin(at)
    counts = first.set_index("window")["n"].reindex(later["window"]).fillna(0).to_numpy()
    return later.assign(
        low=low,
        high=high,
        interval=own,
        outside=(later["estimate"] < low) | (later["estimate"] > high),
        dense=(later["n"].to_numpy() >= _DENSE) & (counts >= _DENSE),
    )


class _Rotations:
    """Every experiment of a realization in turn plays the first; the true first comes first."""

    def __init__(self, windows: list[pd.DataFrame], p: WindowsParameters) -> None:
        size = 1 + p.figure_6_repeats
        totals = []
        for j in range(0, len(windows), size):
            group = windows[j : j + size]
            for a in range(size):
                judged = pd.concat([_against(group[a], group[b]) for b in range(size) if b != a])
                dense = judged[judged["dense"]]
                left, alone = judged["outside"].sum(), (~judged["interval"]).sum()
                totals.append((len(judged), left, alone, len(dense), dense["outside"].sum()))
        numbers = np.array(totals, dtype=float)
        self.windows, self.outside, self.without, self.dense, self.dense_outside = numbers.T
        self.share = 100 * self.outside / self.windows
        self.in_one = np.array([len(w) for w in windows], dtype=float)
        self.repeats, self.realizations = p.figure_6_repeats, p.realizations

    def rows(self, reading: str, key: str) -> list[Row]:
        """One realization: the first experiment's counts; more: means over all that play the first."""
        if self.realizations == 1:
            outside = float(np.sqrt(self.in_one[0] * _outside_variance(self.repeats)))
            share = 100 * outside / self.windows[0]
        else:
            outside, share = float(self.outside.std(ddof=1)), float(self.share.std(ddof=1))
        windows = float(self.in_one.std(ddof=1) * np.sqrt(self.repeats))
        word = "six" if self.repeats == 6 else str(self.repeats)
        rows = []
        for column, values, spread in (
            (f"windows-in-{word}-repeats", self.windows, windows),
            ("outside-interval", self.outside, outside),
            ("outside-interval-percent", self.share, share),
        ):
            value = values[0] if self.realizations == 1 else values.mean()
            se = spread / np.sqrt(self.realizations)
            rows.append(Row(reading, key, column, float(value), float(se), self.repeats * self.realizations))
        return rows


def _outside_variance(repeats: int) -> float:
    """Variance of how many of one window's repeated means leave its limits of two standard errors.

    For equally precise normal means; all repeats share the error of the first mean, which
    makes the counts vary more than a binomial.
    """
    z = np.linspace(-8, 8, 3201)
    density = np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    chance = special.ndtr(z - 2) + special.ndtr(-z - 2)
    mean = float(density @ chance)
    between = float(density @ (chance - mean) ** 2)
    return repeats * float(density @ (chance * (1 - chance))) + repeats**2 * between


def figure_6(p: WindowsParameters, run: Run) -> Regenerated:
    """Figures 6a to 6d: 2-CV* against true error, window means, repeats and splines.

    Returns
    -------
    Regenerated
        The printed keys in every reading.  Counts at one realization are those of the first
        experiment, at more realizations means over all; standard errors come from normal
        theory there, here from letting every experiment play the first in turn.  Data ``scatter`` (first experiment),
        ``windows`` (all of the first realization, with limits and judgement), ``splines``.
    """
    results = repeats_study(p, run)
    key = f"repeated-cv-2/N={p.sizes[0]}"
    expected = 200 * float(special.ndtr(-np.sqrt(2.0)))
    rows: list[Row] = []
    checks: list[Check] = []
    findings: list[str] = []
    errata: list[Erratum] = []
    scatter, tables, splines = [], [], []
    for rule in p.reversal_rules:
        reading = READINGS[rule]
        windows = list(windows_of_sets(results, rule, "repeated-cv-2", p.window))
        turns = _Rotations(windows, p)
        rows += _reversed(results, rule, key, p)
        rows += turns.rows(reading, key)
        own = _figure_6_data(results, windows, rule, p)
        scatter.append(own[0])
        tables.append(own[1])
        splines.append(own[2])
        dense = 100 * turns.dense_outside.sum() / turns.dense.sum() if turns.dense.sum() else nan
        text = (
            f"{turns.outside[0]:.0f} of {turns.windows[0]:.0f} window means ({turns.share[0]:.1f} %) of the repeats "
            "lie outside the first experiment's limits; when each experiment in turn plays the first, "
            f"{turns.share.mean():.1f} % on average and from {turns.share.min():.1f} to {turns.share.max():.1f} %. "
            f"Among windows of at least {_DENSE} samples on both sides it is {dense:.1f} %, where two independent, "
            f"equally precise means make one expect {expected:.1f} %."
        )
        findings.append(
            f"*{reading}*: {text} {turns.without[0]:.0f} means fell in a window that the first experiment left empty "
            "and were judged by limits interpolated between its neighbours."
        )
        checks += _checks_6(results, windows, rule, p)
        checks.append(
            Check(
                "About one mean in twenty of a repeat outside the first experiment's limits shows that these are good "
                f"95 % limits. [{reading}]",
                text,
                "not decided" if isnan(dense) else "fails" if dense > (5 + expected) / 2 else "holds",
            )
        )
        if rule == p.reversal_rules[0] and dense > (5 + expected) / 2:
            errata.append(
                Erratum(
                    "Section 3, on Figure 6c",
                    "4.6 % of the repeats' window means outside the first experiment's limits are taken as a sign that "
                    "these are very good 95 % limits.",
                    f"A repeat's mean varies as well: of two equally precise means one lies outside the other's limits "
                    f"of two standard errors with probability P(|Z| > sqrt 2) = {expected:.1f} %. So low a share would "
                    "mean limits that are too wide.",
                    text,
                )
            )
    data = {
        k: pd.concat(v, ignore_index=True)
        for k, v in zip(("scatter", "windows", "splines"), (scatter, tables, splines), strict=True)
    }
    return Regenerated(rows, data, checks, findings, errata)


def _reversed(results: pd.DataFrame, rule: str, key: str, p: WindowsParameters) -> list[Row]:
    """Count true errors above one half in an experiment: in the first, or on average over all."""
    used = results if p.realizations > 1 else results[results["set"] == 0]
    above = used[f"{rule}/true-error"].to_numpy() > (HALF + ROUNDING) / 100
    share = accuracy.mean(above.astype(float), used["cell"].to_numpy())
    size = p.samples * len(p.inherent_errors)
    return [
        Row(READINGS[rule], key, "reversed", share.value * size, share.se * size, share.n),
        Row(READINGS[rule], key, "reversed-percent", 100 * share.value, 100 * share.se, share.n),
    ]


def _figure_6_data(
    results: pd.DataFrame, windows: list[pd.DataFrame], rule: str, p: WindowsParameters
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    first = results[results["set"] == 0]
    true, estimate = percent(first, rule, "repeated-cv-2")
    points = pd.DataFrame({"rule": rule, "true_error": true, "estimate": estimate})
    tables, splines = [], []
    for number, table in enumerate(windows[: 1 + p.figure_6_repeats]):
        tables.append(_against(windows[0], table).assign(rule=rule, set=number))
        x, y = curve(table)
        splines.append(pd.DataFrame({"rule": rule, "set": number, "true_error": x, "estimate": y}))
    return points, pd.concat(tables), pd.concat(splines)


def _checks_6(results: pd.DataFrame, windows: list[pd.DataFrame], rule: str, p: WindowsParameters) -> list[Check]:
    reading, n = READINGS[rule], p.sizes[0]
    below = bias_below_half(results, rule, "repeated-cv-2")
    true, estimate = percent(results, rule, "repeated-cv-2")
    cells = results["cell"].to_numpy()
    far = true > HALF + 10 + ROUNDING
    checks = [
        Check(
            f"Below 50 % true error 2-CV* is pessimistic at N = {n}. [{reading}]",
            f"mean bias {below.value:+.2f} ± {1.96 * below.se:.2f} points",
            "holds" if below.value > 1.96 * below.se else "fails",
        )
    ]
    if far.sum() > 1:
        above = accuracy.mean((estimate - true)[far], cells[far])
        checks.append(
            Check(
                f"Above 60 % true error 2-CV* is optimistic at N = {n}. [{reading}]",
                f"mean bias {above.value:+.1f} ± {1.96 * above.se:.1f} points over {above.n} samples",
                "holds" if above.value < -1.96 * above.se else "not decided",
            )
        )
    together = pd.concat(windows)
    many = together[together["n"] >= _DENSE]
    if len(many) > 1:
        ratio = (many["own_se"] / many["se"]).to_numpy()
        alike = np.mean((ratio > 0.8) & (ratio < 1.25))
        checks.append(
            Check(
                "In the denser windows the pooled standard errors are those computed from the window's own samples. "
                f"[{reading}]",
                f"own over pooled in {ratio.size} windows of at least {_DENSE} samples: mean {ratio.mean():.2f}, from "
                f"{ratio.min():.2f} to {ratio.max():.2f}",
                "fails" if abs(ratio.mean() - 1) > 0.1 else "holds" if alike >= 0.9 else "holds in part",
            )
        )
    return checks + _check_splines(windows[: 1 + p.figure_6_repeats], reading)


def _check_splines(windows: list[pd.DataFrame], reading: str) -> list[Check]:
    curves = [curve(w) for w in windows]
    if any(x.size == 0 for x, _ in curves):
        return []
    at = np.arange(1.0, HALF)
    spread = np.ptp([np.interp(at, x, y) for x, y in curves], axis=0)
    end = min(float(x[-1]) for x, _ in curves)
    text = f"the highest and the lowest differ by {spread.mean():.1f} points on average below 50 %"
    text += f" and by {spread.max():.1f} at most"
    largest = spread.max()
    if end > HALF + 1:
        above = np.ptp([np.interp(np.arange(HALF, end), x, y) for x, y in curves], axis=0)
        text += f", and by up to {above.max():.1f} above"
        largest = max(largest, above.max())
    return [
        Check(
            f"The smoothing splines of the {len(windows)} experiments are virtually identical. [{reading}]",
            text,
            "holds" if largest < 2 else "holds in part" if spread.mean() < 2 else "fails",
        )
    ]
