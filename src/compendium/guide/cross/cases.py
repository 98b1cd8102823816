"""The cross-examination's results case by case.

A case is a setting with one inducer: its true errors, and all estimates of them on the same
samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple

import numpy as np

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.estimate import Estimate
from compendium.evidence.results import Run
from compendium.guide import names
from compendium.guide.cross.experiment import (
    CONTENDERS,
    ESTIMATORS,
    INTERVALS,
    REFERENCE,
    CrossParameters,
    Setting,
    cross_study,
    estimator_ids,
    settings_of,
)
from compendium.studies.experiment import TRUE_ERROR, wide
from errorest.estimation.estimators import fits_of
from errorest.estimation.intervals.method import NO_WIDTH

__all__ = [
    "CLEAR",
    "PAIRS",
    "READING",
    "Case",
    "Contest",
    "Pair",
    "average",
    "cases_of",
    "complete",
    "contest",
    "contestants",
    "least_of",
    "mean_ratio",
]

READING = "unstated:cross-examination"

TEN_FOLDS = ("cv-10", REFERENCE, "repeated-stratified-cv-10")
"""Estimators of ten folds, which are leave-one-out where a sample has ten cases."""

CLEAR = 3.0
"""Paired z from which a difference in one case counts as clear; with many cases, 1.96 would cry wolf."""


@dataclass(frozen=True, eq=False)
class Case:
    """A setting with one inducer."""

    setting: Setting
    inducer: str
    columns: Mapping[str, np.ndarray]
    limits: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    @property
    def ground(self) -> str:
        """The paper whose setting it is."""
        return names.FAMILIES[self.setting.family].ground

    @property
    def learner(self) -> str:
        """Kind of inducer."""
        return names.INDUCERS[self.inducer].learner

    @property
    def place(self) -> str:
        """The setting as a key, without the inducer."""
        return names.FAMILIES[self.setting.family].key.format(at=self.setting.at, n=self.setting.n)

    @property
    def key(self) -> str:
        """Row of the case in a table."""
        return f"{self.place}/{names.unbroken(names.INDUCERS[self.inducer].title)}"

    @property
    def title(self) -> str:
        """Name for sentences."""
        where = names.FAMILIES[self.setting.family].sentence.format(at=self.setting.at, n=self.setting.n)
        return f"{names.INDUCERS[self.inducer].title} on {where}"

    @property
    def truth(self) -> np.ndarray:
        """True error of each sample's classifier."""
        return self.columns[TRUE_ERROR]

    def has(self, estimator: str) -> bool:
        """Whether an estimator was run in the setting."""
        return estimator in self.columns

    def fits(self, estimator: str) -> int:
        """Classifiers that an estimator makes of one sample."""
        return fits_of([estimator_ids(self.setting.n, self.setting.effort)[estimator]], self.setting.n)

    def errors(self, estimator: str) -> np.ndarray:
        """Estimate minus true error, sample by sample."""
        return self.columns[estimator] - self.truth

    def bias(self, estimator: str) -> Estimate:
        """Mean of the errors, a proportion."""
        return accuracy.mean(self.errors(estimator))

    def spread(self, estimator: str) -> Estimate:
        """Standard deviation of the estimates, a proportion; of ``true-error`` too."""
        return accuracy.standard_deviation(self.columns[estimator])

    def rmse(self, estimator: str) -> Estimate:
        """Root mean square of the errors, a proportion."""
        return accuracy.rms(self.errors(estimator))

    def log_ratio(self, estimator: str, other: str = REFERENCE) -> Estimate:
        """Logarithm of the ratio of two root mean squared errors on the same samples; error by the delta method.

        Infinite or NaN where one of the two makes no error at all.
        """
        return _log_root_ratio(self.errors(estimator) ** 2, self.errors(other) ** 2)

    def log_spread_ratio(self, estimator: str, other: str = REFERENCE) -> Estimate:
        """As :meth:`log_ratio`, of the standard deviations of two estimates."""
        a, b = ((self.columns[name] - self.columns[name].mean()) ** 2 for name in (estimator, other))
        return _log_root_ratio(a, b)

    def excess(self, estimator: str, other: str) -> Estimate:
        """Mean squared error of one estimator minus that of another on the same samples."""
        return accuracy.mean(self.errors(estimator) ** 2 - self.errors(other) ** 2)

    def leaves_one_out(self, estimator: str) -> bool:
        """Whether an estimate is leave-one-out: ten folds of ten cases hold one each."""
        return estimator == "loo" or (estimator in TEN_FOLDS and self.setting.n <= 10)

    def versus(self, estimator: str, other: str) -> float:
        """Paired z of the squared errors: negative where ``estimator`` errs less, 0 where both have the same."""
        m = self.excess(estimator, other)
        return m.value / m.se if m.se > 0 else 0.0

    def coverage(self, interval: str) -> Estimate:
        """Share of the samples whose interval contains the true error, with its binomial error (a half case added)."""
        low, high = self.limits[interval]
        inside = (low - NO_WIDTH <= self.truth) & (self.truth <= high + NO_WIDTH)
        n = inside.size
        padded = (inside.sum() + 0.5) / (n + 1)
        return Estimate(float(inside.mean()), sqrt(padded * (1 - padded) / n), n)

    def width(self, interval: str) -> Estimate:
        """Mean width of an interval, cut at 0 and 1."""
        low, high = (np.clip(side, 0.0, 1.0) for side in self.limits[interval])
        spread = float(np.nanstd(high - low, ddof=1)) / np.sqrt(low.size)
        return Estimate(float(np.nanmean(high - low)), spread, low.size)


def _log_root_ratio(a: np.ndarray, b: np.ndarray) -> Estimate:
    """Logarithm of the ratio of the roots of two means of squares, sample by sample."""
    if not (a.any() and b.any()):
        return Estimate(0.0 if a.any() == b.any() else float("nan"), 0.0, a.size)
    share = a / a.mean() - b / b.mean()
    return Estimate(0.5 * float(np.log(a.mean() / b.mean())), 0.5 * accuracy.mean(share).se, a.size)


class Pair(NamedTuple):
    """A claim that one estimator errs less than another, and whose it is."""

    better: str
    than: str
    claim: str = ""


PAIRS: tuple[Pair, ...] = (
    Pair(REFERENCE, "cv-10", "Stratified folds err less than plain ones (Kohavi)."),
    Pair(
        REFERENCE, "bootstrap-632", "Stratified ten-fold cross-validation errs less than the .632 bootstrap (Kohavi)."
    ),
    Pair("repeated-stratified-cv-10", REFERENCE, "Repeated runs are better than one (Kohavi, as a conjecture)."),
    Pair("bootstrap-632", "cv-10", "The .632 bootstrap is more precise than ten-fold cross-validation (M & H)."),
    Pair("loo-star", "loo", "LOO* is more precise than leave-one-out (M & H)."),
    Pair(
        "cloned-632-plus",
        "bootstrap-632-plus",
        ".632+ on clones errs less than .632+ (Shakhnarovich et al., whose .632+ on clones is as they print it).",
    ),
    Pair("cloned-632-plus-correct", "bootstrap-632-plus", "The same, with Efron & Tibshirani's formula on clones too."),
    Pair("cloned-bscv-5", REFERENCE, "Five-fold cross-validation of clones errs less than that of the sample."),
    Pair(
        "bootstrap-632-plus",
        "repeated-stratified-cv-10",
        "The bootstrap gains by more than its number of fits: .632+ against as many fits of cross-validation.",
    ),
    Pair("bootstrap-632-plus", "bootstrap-632", ".632+ mends what is wrong with .632 (Efron & Tibshirani)."),
)
"""Claims that set two estimators against each other."""


class Contest(NamedTuple):
    """Of so many cases, those in which one estimator clearly errs less than another, and those in which more."""

    better: int
    worse: int
    cases: int


def contestants(cases: Iterable[Case], pair: Pair) -> list[Case]:
    """Return the cases in which both of a pair were run and are not the same by definition."""
    both = [c for c in cases if c.has(pair.better) and c.has(pair.than)]
    return [c for c in both if not (c.leaves_one_out(pair.better) and c.leaves_one_out(pair.than))]


def contest(cases: Sequence[Case], pair: Pair) -> Contest:
    """Count the cases in which the first of a pair clearly errs less, or more, than the second."""
    z = [c.versus(pair.better, pair.than) for c in contestants(cases, pair)]
    return Contest(sum(v < -CLEAR for v in z), sum(v > CLEAR for v in z), len(z))


def least_of(case: Case, candidates: Iterable[str] = CONTENDERS) -> str:
    """Name the estimator with the smallest root mean squared error of a case."""
    return min((e for e in candidates if case.has(e)), key=lambda e: case.rmse(e).value)


def complete(cases: Iterable[Case]) -> list[Case]:
    """Return the cases in which every estimator was run."""
    return [c for c in cases if not c.setting.without]


def average(found: Sequence[Estimate], factor: float = 100.0) -> Estimate:
    """Average what was measured of several cases, as if independent; proportions become points."""
    se = float(np.sqrt(sum(m.se**2 for m in found))) / len(found)
    return Estimate(float(np.mean([m.value for m in found])), se, len(found)) * factor


def mean_ratio(
    cases: Iterable[Case],
    estimator: str,
    other: str = REFERENCE,
    of: Callable[[Case, str, str], Estimate] = Case.log_ratio,
) -> Estimate:
    """Geometric mean over cases of the ratio of two root mean squared errors; samples of one setting are shared.

    The standard error adds up the settings' own, taking the inducers of one setting as fully correlated.
    """
    by_setting: dict[Setting, list[Estimate]] = {}
    for case in cases:
        one = of(case, estimator, other)
        if np.isfinite(one.value):
            by_setting.setdefault(case.setting, []).append(one)
    found = [m for group in by_setting.values() for m in group]
    if not found:
        return Estimate(float("nan"), float("nan"), 0)
    mean = float(np.exp(np.mean([m.value for m in found])))
    se = sqrt(sum(sum(m.se for m in group) ** 2 for group in by_setting.values())) / len(found)
    return Estimate(mean, mean * se, len(found))


def cases_of(p: CrossParameters, run: Run) -> list[Case]:
    """Run the study, or find it, and return its cases in order."""
    settings = settings_of(p)
    results = run(cross_study(settings, p.validation, p.seed))
    out = []
    for setting, (_, lines) in zip(settings, results.groupby("cell"), strict=True):
        for inducer in setting.inducers:
            values, low, high = (wide(lines, inducer, side) for side in ("value", "low", "high"))
            columns = {name: values[name].to_numpy() for name in (TRUE_ERROR, *ESTIMATORS) if name in values}
            limits = {name: (low[name].to_numpy(), high[name].to_numpy()) for name in INTERVALS}
            out.append(Case(setting, inducer, columns, limits))
    return out
