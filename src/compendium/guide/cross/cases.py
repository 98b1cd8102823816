"""The cross-examination's results case by case: a setting with one learner, all estimates on the same samples."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.estimate import Estimate
from compendium.evidence.names import Name
from compendium.evidence.records import parts
from compendium.evidence.results import Row, Run, rows_of
from compendium.evidence.trials import Trials
from compendium.guide import names
from compendium.guide.cross.settings import (
    CONTENDERS,
    INTERVALS,
    REFERENCE,
    CrossParameters,
    Setting,
    estimator_ids,
    settings_of,
)
from compendium.guide.cross.study import cross_study
from compendium.guide.intervals import contains, remembered
from compendium.methods.estimators import parse_estimator
from compendium.studies.experiment import TRUE_ERROR, wide

READING = "unstated:cross-examination"

# Estimators of ten folds, which are leave-one-out where a sample has ten cases
TEN_FOLDS = ("cv-10", REFERENCE, "repeated-stratified-cv-10")

# Paired z from which a difference in one case counts as clear; with many cases, 1.96 would raise false alarms
CLEAR = 3.0

# Short names for figures
SHORT_NAMES = {e: names.ESTIMATORS[e].short for e in CONTENDERS}

_NAMES = {key: Name(one.symbol, one.symbol, one.symbol) for key, one in names.ESTIMATORS.items()}


@dataclass(frozen=True, eq=False, kw_only=True)
class Case(Trials):
    """A setting with one learner: a row a sample, with the true error, the estimates and the limits of intervals."""

    setting: Setting
    inducer: str

    @property
    def paper(self) -> str:
        """The paper whose setting it is."""
        return names.FAMILIES[self.setting.family].paper

    @property
    def learner(self) -> str:
        """Kind of inducer."""
        return names.INDUCERS[self.inducer].learner

    @property
    def key(self) -> str:
        """Row of the case in a table."""
        place = names.FAMILIES[self.setting.family].key.format(at=self.setting.at, n=self.setting.n)
        return f"{place}/{names.unbroken(names.INDUCERS[self.inducer].title)}"

    def has(self, estimator: str) -> bool:
        """Whether an estimator was run in the setting."""
        return estimator in self.frame

    def fits(self, estimator: str) -> int:
        """Classifiers that an estimator makes of one sample."""
        return parse_estimator(estimator_ids(self.setting.n, self.setting.effort)[estimator]).fits(self.setting.n)

    def log_ratio(self, estimator: str, other: str = REFERENCE) -> Estimate:
        """Logarithm of the ratio of two root mean squared errors on the same samples."""
        return _log_root_ratio(*(self.difference(name) ** 2 for name in (estimator, other)))

    def log_sd_ratio(self, estimator: str, other: str = REFERENCE) -> Estimate:
        """Logarithm of the ratio of two standard deviations on the same samples."""
        return _log_root_ratio(*((self[name] - self[name].mean()) ** 2 for name in (estimator, other)))

    def excess(self, estimator: str, other: str) -> Estimate:
        """Mean squared error of one estimator minus that of another on the same samples, squared points."""
        e = self.average(self.difference(estimator) ** 2 - self.difference(other) ** 2)
        return e.named(self.label, "squared points", 1)

    def versus(self, estimator: str, other: str) -> float:
        """Paired z of the squared errors: negative where ``estimator`` errs less, 0 where both have the same."""
        e = self.excess(estimator, other)
        return e.value / e.se if e.se > 0 else 0.0

    def same(self, estimator: str, other: str) -> bool:
        """Whether two estimators are leave-one-out by definition: ten folds of ten cases have one case each."""
        single = ("loo", *TEN_FOLDS) if self.setting.n <= 10 else ("loo",)
        return estimator in single and other in single

    def coverage(self, interval: str) -> Estimate:
        """Share of the samples whose interval contains the true error, percent; binomial error, half a case added."""
        inside = contains(self[f"{interval} low"], self[f"{interval} high"], self[TRUE_ERROR])
        padded = (inside.sum() + 0.5) / (self.n + 1)
        return Estimate(float(inside.mean()), sqrt(padded * (1 - padded) / self.n), self.n) * 100

    def width(self, interval: str) -> Estimate:
        """Mean width of an interval, cut at 0 and 1; points."""
        width = np.clip(self[f"{interval} high"], 0, 100) - np.clip(self[f"{interval} low"], 0, 100)
        return Estimate(float(np.nanmean(width)), float(np.nanstd(width, ddof=1)) / np.sqrt(self.n), self.n)


def _log_root_ratio(a: np.ndarray, b: np.ndarray) -> Estimate:
    """Logarithm of the ratio of the roots of two means of squares, paired, by the delta method; NaN if one is 0."""
    if not (a.any() and b.any()):
        return Estimate(0.0 if a.any() == b.any() else float("nan"), 0.0, a.size)
    share = a / a.mean() - b / b.mean()
    return Estimate(0.5 * float(np.log(a.mean() / b.mean())), 0.5 * monte_carlo.mean(share).se, a.size)


Cases = Sequence[Case]


class PairCount(NamedTuple):
    """Of so many cases, those in which one estimator clearly errs less than another, and those in which more."""

    better: int
    worse: int
    cases: int


def pair_cases(cases: Cases, better: str, than: str) -> list[Case]:
    """Return the cases in which both of a pair were run and are not the same by definition."""
    return [c for c in cases if c.has(better) and c.has(than) and not c.same(better, than)]


def count_pair(cases: Cases, better: str, than: str) -> PairCount:
    """Count the cases in which the first of a pair clearly errs less, or more, than the second."""
    z = [c.versus(better, than) for c in pair_cases(cases, better, than)]
    return PairCount(sum(v < -CLEAR for v in z), sum(v > CLEAR for v in z), len(z))


def least_of(case: Case, candidates: Iterable[str] = CONTENDERS) -> str:
    """Name the estimator with the smallest root mean squared error of a case."""
    return min((e for e in candidates if case.has(e)), key=lambda e: case.rms(e).value)


def complete(cases: Cases) -> list[Case]:
    """Return the cases in which every estimator was run."""
    return [c for c in cases if not c.setting.without]


def by_paper(cases: Iterable[Case]) -> dict[str, list[Case]]:
    """Group cases by the paper whose settings they are; papers without one are left out."""
    results: dict[str, list[Case]] = {paper: [] for paper in names.PAPERS}
    for case in cases:
        if case.paper in results:
            results[case.paper].append(case)
    return {paper: own for paper, own in results.items() if own}


def average(found: Sequence[Estimate]) -> Estimate:
    """Average what was measured of several cases, as if independent; n counts the cases."""
    return replace(monte_carlo.average(found), n=len(found))


def mean_ratio(
    cases: Iterable[Case],
    estimator: str,
    other: str = REFERENCE,
    of: Callable[[Case, str, str], Estimate] = Case.log_ratio,
) -> Estimate:
    """Geometric mean over cases of the ratio of two root mean squared errors.

    Its error adds up those of the settings; learners of one setting share samples and count as fully correlated.
    """
    by_setting: dict[Setting, list[Estimate]] = {}
    for case in cases:
        one = of(case, estimator, other)
        if np.isfinite(one.value):
            by_setting.setdefault(case.setting, []).append(one)
    results = [e for group in by_setting.values() for e in group]
    if not results:
        return Estimate(float("nan"), float("nan"), 0)
    mean = float(np.exp(np.mean([e.value for e in results])))
    se = sqrt(sum(sum(e.se for e in group) ** 2 for group in by_setting.values())) / len(results)
    return Estimate(mean, mean * se, len(results), unit="times the error", sign="")


def cases_of(p: CrossParameters, run: Run) -> list[Case]:
    """Run the study and return its cases in order."""
    settings = settings_of(p)
    results = run(cross_study(settings, p.validation, p.seed))
    return remembered("cross-examination", [results], lambda: _cases(settings, results))


def _cases(settings: Sequence[Setting], results: pd.DataFrame) -> list[Case]:
    out = []
    for cell, lines in parts(results, "cell").items():
        setting = settings[cell]
        for inducer in setting.inducers:
            frame, low, high = (wide(lines, inducer, side) for side in ("value", "low", "high"))
            limits = {
                f"{name} {side}": table[name] for name in INTERVALS for side, table in (("low", low), ("high", high))
            }
            out.append(made_case(setting, inducer, frame.assign(**limits)))
    return out


def made_case(setting: Setting, inducer: str, frame: pd.DataFrame) -> Case:
    """Return a case with its samples, labelled for sentences."""
    where = names.FAMILIES[setting.family].sentence.format(at=setting.at, n=setting.n)
    label = f"{names.INDUCERS[inducer].title} on {where}"
    return Case(frame, READING, _NAMES, label=label, setting=setting, inducer=inducer)


def matrix_rows(cases: Cases, of: Callable[[Case, str], Estimate], columns: Collection[str]) -> list[Row]:
    """Return a row a case, a column an estimator."""
    return [row for c in cases for row in rows_of(READING, c.key, ((e, of(c, e)) for e in columns if c.has(e)))]


def long_table(cases: Cases, of: Callable[[Case, str], Mapping[str, float]], columns: Collection[str]) -> pd.DataFrame:
    """Return a table with a row a case and estimator."""
    return pd.DataFrame(
        {
            "case": c.key,
            "paper": c.paper,
            "n": c.setting.n,
            "inducer": c.inducer,
            "learner": c.learner,
            "estimator": e,
            **of(c, e),
        }
        for e in columns
        for c in cases
        if c.has(e)
    )
