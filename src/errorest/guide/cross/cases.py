"""The cross-examination's parameters, its settings, and its results case by case.

A case is a setting with one inducer: its true errors, and all estimates of them on the same
samples.  What is left out for its cost is listed with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
import pandas as pd
from pydantic import field_validator, model_validator

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Run
from errorest.guide.cross.designs import CLONED, ESTIMATORS, FAMILIES, Effort, Setting, cross_study
from errorest.papers.parameters import InherentErrors, Parameters, Sizes, parameter
from errorest.papers.shakhnarovich.designs import SETTINGS, population_of
from errorest.papers.shakhnarovich.uci.data import PUBLISHED as UCI_SETS

__all__ = [
    "CONTENDERS",
    "LEARNERS",
    "REFERENCE",
    "SYMBOLS",
    "TITLES",
    "Case",
    "CrossParameters",
    "cases_of",
    "inputs_of",
    "left_out",
    "mean_ratio",
    "settings_of",
    "unbroken",
]

REFERENCE = "stratified-cv-10"
"""What every estimator is measured against."""

CONTENDERS = tuple(name for name in ESTIMATORS if name != "resubstitution")
"""Estimators that are compared; the apparent error is shown, but nobody recommends it."""

SYMBOLS: Mapping[str, str] = {
    "resubstitution": "apparent error",
    "cv-10": "10-CV",
    "stratified-cv-10": "stratified 10-CV",
    "repeated-stratified-cv-10": "stratified 10-CV, repeated",
    "loo": "LOO",
    "repeated-cv-2": "2-CV, repeated",
    "bootstrap-632": ".632",
    "loo-star": "LOO*",
    "bootstrap-632-plus": ".632+",
    "cloned-632-plus": "printed .632+ on clones",
    "cloned-632-plus-correct": ".632+ on clones",
    "cloned-bscv-5": "5-CV on clones",
}
"""Names for figures and sentences."""

Learner = Literal["memorizer", "neighbours", "linear", "kernel machine", "pruned tree", "Naive Bayes"]

LEARNERS: Mapping[str, Learner] = {
    "1-nn": "memorizer",
    "1-nn-hamming": "memorizer",
    "id3": "memorizer",
    "3-nn": "neighbours",
    "17-nn": "neighbours",
    "threshold": "linear",
    "ldf": "linear",
    "svm-linear": "linear",
    "svm-rbf": "kernel machine",
    "c4.5": "pruned tree",
    "naive-bayes": "Naive Bayes",
}
"""Kind of each inducer: a memorizer makes no error on its training cases, whatever they are."""

TITLES: Mapping[str, str] = {
    "1-nn": "1-NN",
    "1-nn-hamming": "1-NN",
    "id3": "unpruned tree",
    "3-nn": "3-NN",
    "17-nn": "17-NN",
    "threshold": "threshold",
    "ldf": "LDF",
    "svm-linear": "linear SVM",
    "svm-rbf": "RBF SVM",
    "c4.5": "C4.5",
    "naive-bayes": "Naive Bayes",
}
"""Inducers in figures and sentences."""

_UCI_INDUCERS: Mapping[str, tuple[str, ...]] = {
    "breast-cancer": ("1-nn", "3-nn", "svm-linear"),
    "vehicle": ("1-nn",),
    "pima": ("17-nn",),
}
_KOHAVI_SETS = ["breast-cancer", "chess", "hypothyroid", "mushroom", "soybean-large", "vehicle", "rand"]


class CrossParameters(Parameters):
    """Parameters of the cross-examination."""

    seed: int = parameter(2026, "seed of every random stream", ge=0)
    sizes: Sizes = parameter([10, 20, 50, 100], "cases, N, of samples of two Gaussians", min_length=1, preview=[10, 50])
    inherent_errors: InherentErrors = parameter(
        [0.05, 0.25, 0.5], "least error rates of two Gaussians, proportions", min_length=1, preview=[0.25]
    )
    lens_sizes: Sizes = parameter([24, 96], "cases, N, of samples of the lenses", min_length=1, preview=[24])
    noises: list[float] = parameter([0.1, 0.25], "shares of wrong labels of the lenses", min_length=1, preview=[0.1])
    settings: list[int] = parameter(
        list(SETTINGS), "synthetic settings of Shakhnarovich et al., by number", min_length=1, preview=[1, 2]
    )
    uci_sets: list[str] = parameter(
        list(UCI_SETS), "data sets of Shakhnarovich et al.", min_length=1, preview=["breast-cancer"]
    )
    data_sets: list[str] = parameter(_KOHAVI_SETS, "data sets of Kohavi", min_length=1, preview=["breast-cancer"])
    data_sizes: list[int] = parameter(
        [50, 900, 400, 800, 100, 100, 100], "sample size of each of them", min_length=1, preview=[50]
    )
    samples: int = parameter(100, "samples of each setting with a population", ge=2, preview=12)
    lens_samples: int = parameter(60, "samples of each setting of the lenses", ge=2, preview=6)
    uci_samples: int = parameter(80, "samples of each data set of Shakhnarovich et al.", ge=2, preview=6)
    data_samples: int = parameter(40, "samples of each data set of Kohavi", ge=2, preview=4)
    large_samples: int = parameter(20, "the same where samples are large", ge=2, preview=3)
    large: int = parameter(100, "cases from which on, exclusively, a sample counts as large", ge=2)
    bootstrap_samples: int = parameter(200, "bootstrap samples, B", ge=2, preview=50)
    cv_repeats: int = parameter(50, "repeats of 2-fold cross-validation", ge=1, preview=10)
    left_out_clones: int = parameter(
        600, "clones of .632+* for one sample, shared out among its cases", ge=1, preview=200
    )
    clones: int = parameter(50, "clones that are cross-validated, for one sample", ge=1, preview=10)
    slow_share: float = parameter(
        0.5, "share of these clones where trees, Naive Bayes or nominal data make them slow", gt=0, le=1
    )
    validation: int = parameter(
        4000, "cases that measure a true error of a synthetic setting, even", ge=2, preview=1000
    )

    @field_validator("settings")
    @classmethod
    def _known(cls, value: list[int]) -> list[int]:
        for number in value:
            population_of(number)
        return value

    @field_validator("uci_sets")
    @classmethod
    def _studied(cls, value: list[str]) -> list[str]:
        for name in value:
            if name not in _UCI_INDUCERS:
                raise ValueError(f"unknown data set '{name}'; expected {', '.join(_UCI_INDUCERS)}; choose among these")
        return value

    @model_validator(mode="after")
    def _a_size_each(self) -> CrossParameters:
        if len(self.data_sets) != len(self.data_sizes):
            raise ValueError(
                f"{len(self.data_sets)} data sets have {len(self.data_sizes)} sizes; expected one each; mend data_sizes"
            )
        if min((*self.sizes, *self.lens_sizes, *self.data_sizes)) < 10:
            raise ValueError(
                "a sample has fewer than 10 cases; expected at least 10, for ten folds; use larger samples"
            )
        if self.validation % 2:
            raise ValueError(
                f"{self.validation} cases are to measure a true error; expected an even number, half of each class; "
                "change validation by one"
            )
        for name in (n for n in dict.fromkeys(self.data_sets) if self.data_sets.count(n) > 1):
            raise ValueError(f"data set '{name}' is named twice; expected each once; leave one out")
        return self


def settings_of(p: CrossParameters) -> list[Setting]:
    """List the settings of a design, in the order of the papers.

    Examples
    --------
    >>> len(settings_of(CrossParameters()))
    31
    """
    fast = Effort(p.bootstrap_samples, p.cv_repeats, p.left_out_clones, p.clones)
    share = p.slow_share
    slow = fast._replace(
        left_out_clones=max(1, round(share * p.left_out_clones)), clones=max(1, round(share * p.clones))
    )
    out = [
        Setting("two-normals", e, n, ("threshold", "1-nn", "3-nn"), p.samples, fast)
        for e in p.inherent_errors
        for n in p.sizes
    ]
    out += [
        Setting("lenses", q, n, ("id3", "1-nn-hamming"), p.lens_samples, slow) for q in p.noises for n in p.lens_sizes
    ]
    out += [
        Setting("synthetic", number, population_of(number)[1], ("ldf", "1-nn", "3-nn", "svm-rbf"), p.samples, fast)
        for number in p.settings
    ]
    out += [Setting("uci", s, UCI_SETS[s][0], _UCI_INDUCERS[s], p.uci_samples, fast) for s in p.uci_sets]
    for name, n in zip(p.data_sets, p.data_sizes, strict=True):
        big = n > p.large
        samples, without = (p.large_samples, CLONED[:2]) if big else (p.data_samples, ())
        out.append(Setting("data", name, n, ("c4.5", "naive-bayes"), samples, slow, tuple(without)))
    return out


def inputs_of(p: CrossParameters) -> dict[str, str]:
    """Return the digest of each data set that is read, by its name."""
    return dict(cross_study(settings_of(p), p.validation, p.seed).data)


def unbroken(text: str) -> str:
    """Write hyphens so that they stay in a table's margin, where a key's hyphens become spaces.

    Examples
    --------
    >>> len(unbroken("10-CV")), "-" in unbroken("10-CV")
    (5, False)
    """
    return text.replace("-", "\N{NON-BREAKING HYPHEN}")


@dataclass(frozen=True, eq=False)
class Case:
    """A setting with one inducer.

    Parameters
    ----------
    setting : Setting
    inducer : str
    columns : mapping of str to float array
        ``true-error``, estimators and intervals as :func:`~errorest.guide.cross.designs.measure_setting`
        names them; proportions, a value a sample.
    """

    setting: Setting
    inducer: str
    columns: Mapping[str, np.ndarray]

    @property
    def ground(self) -> str:
        """The paper whose setting it is."""
        return FAMILIES[self.setting.family]

    @property
    def learner(self) -> str:
        """Kind of inducer."""
        return LEARNERS[self.inducer]

    @property
    def place(self) -> str:
        """The setting as a key, without the inducer."""
        s = self.setting
        if s.family == "two-normals":
            return f"Two Gaussians with error {s.at}, N={s.n}"
        if s.family == "lenses":
            return f"Lenses with noise {s.at}, N={s.n}"
        if s.family == "synthetic":
            return f"Synthetic setting {s.at}, N={s.n}"
        return f"{s.at} of {'Shakhnarovich' if s.family == 'uci' else 'Kohavi'}, N={s.n}"

    @property
    def key(self) -> str:
        """Row of the case in a table."""
        return f"{self.place}/{unbroken(TITLES[self.inducer])}"

    @property
    def title(self) -> str:
        """Name for sentences."""
        return f"{TITLES[self.inducer]} on {self.place[:1].lower()}{self.place[1:].replace('=', ' = ')}"

    @property
    def truth(self) -> np.ndarray:
        """True error of each sample's classifier."""
        return self.columns["true-error"]

    def has(self, estimator: str) -> bool:
        """Whether an estimator was run in the setting."""
        return estimator not in self.setting.without

    def errors(self, estimator: str) -> np.ndarray:
        """Estimate minus true error, sample by sample."""
        return self.columns[estimator] - self.truth

    def bias(self, estimator: str) -> Measured:
        """Mean of the errors, a proportion."""
        return accuracy.mean(self.errors(estimator))

    def spread(self, estimator: str) -> Measured:
        """Standard deviation of the estimates, a proportion; of ``true-error`` too."""
        return accuracy.standard_deviation(self.columns[estimator])

    def rmse(self, estimator: str) -> Measured:
        """Root mean square of the errors, a proportion."""
        return accuracy.rms(self.errors(estimator))

    def log_ratio(self, estimator: str, other: str = REFERENCE) -> Measured:
        """Logarithm of the ratio of two root mean squared errors on the same samples; error by the delta method.

        Infinite or NaN where one of the two makes no error at all.
        """
        a, b = self.errors(estimator) ** 2, self.errors(other) ** 2
        if not (a.any() and b.any()):
            return Measured(0.0 if a.any() == b.any() else float("nan"), 0.0, a.size)
        share = a / a.mean() - b / b.mean()
        return Measured(0.5 * float(np.log(a.mean() / b.mean())), 0.5 * accuracy.mean(share).se, a.size)

    def versus(self, estimator: str, other: str) -> float:
        """Paired z of the squared errors: negative where ``estimator`` errs less, 0 where both have the same.

        Examples
        --------
        >>> s = Setting("data", "iris", 10, ("c4.5",), 3, Effort(1, 1, 1, 1))
        >>> columns = {"true-error": np.zeros(3), "loo": np.array([0.1, 0.2, 0.3]), "cv-10": np.array([0.2, 0.3, 0.5])}
        >>> Case(s, "c4.5", columns).versus("loo", "cv-10") < 0
        True
        """
        m = accuracy.mean(self.errors(estimator) ** 2 - self.errors(other) ** 2)
        return m.value / m.se if m.se > 0 else 0.0

    def coverage(self, interval: str) -> Measured:
        """Share of the samples whose interval contains the true error, with its binomial error (a half case added)."""
        inside = self.columns[f"{interval}/covers"]
        n = inside.size
        padded = (inside.sum() + 0.5) / (n + 1)
        return Measured(float(inside.mean()), sqrt(padded * (1 - padded) / n), n)


def mean_ratio(cases: Iterable[Case], estimator: str, other: str = REFERENCE) -> Measured:
    """Geometric mean over cases of the ratio of two root mean squared errors; samples of one setting are shared.

    The standard error adds up the settings' own, taking the inducers of one setting as fully correlated.
    """
    by_setting: dict[Setting, list[Measured]] = {}
    for case in cases:
        one = case.log_ratio(estimator, other)
        if np.isfinite(one.value):
            by_setting.setdefault(case.setting, []).append(one)
    found = [m for group in by_setting.values() for m in group]
    if not found:
        return Measured(float("nan"), float("nan"), 0)
    mean = float(np.exp(np.mean([m.value for m in found])))
    se = sqrt(sum(sum(m.se for m in group) ** 2 for group in by_setting.values())) / len(found)
    return Measured(mean, mean * se, len(found))


def cases_of(p: CrossParameters, run: Run) -> list[Case]:
    """Run the study, or find it, and return its cases in order."""
    settings = settings_of(p)
    results = run(cross_study(settings, p.validation, p.seed))
    out, first = [], 0
    for s in settings:
        own = results.iloc[first : first + s.samples]
        first += s.samples
        names = [c.removeprefix("0/") for c in results.columns if str(c).startswith("0/")]
        for k, inducer in enumerate(s.inducers):
            out.append(Case(s, inducer, {name: own[f"{k}/{name}"].to_numpy(dtype=float) for name in names}))
    return out


def left_out(p: CrossParameters) -> pd.DataFrame:
    """List what is not run, or run with less, and why.

    Examples
    --------
    >>> left_out(CrossParameters())["what"].iloc[0]
    '.632+ on clones'
    """
    rows = []
    settings = settings_of(p)
    for s in settings:
        if s.without:
            reason = f"{s.n} cases would need as many densities, fitted anew without each case, for every sample"
            rows.append((f"{s.at}, N = {s.n}", ".632+ on clones", reason))
    slow = [s for s in settings if s.effort.clones < p.clones or s.effort.left_out_clones < p.left_out_clones]
    if slow:
        rows.append(
            (
                f"{len(slow)} settings of trees, Naive Bayes or nominal data",
                (
                    f"{slow[0].effort.left_out_clones} instead of {p.left_out_clones} clones for .632+, "
                    f"{slow[0].effort.clones} instead of {p.clones} for 5-CV on clones"
                ),
                "their classifiers are made one by one, or their clones take long to draw",
            )
        )
    rows += [
        (
            "every setting",
            "100 clones a case, as Shakhnarovich et al. draw them",
            f"{p.left_out_clones} clones are shared out among the cases of a sample, which adds a little noise",
        ),
        ("every setting", "10-CV on clones and leave-one-out on clones", "the paper that proposes them prefers others"),
        ("vehicle and Pima", "the support vector machines of section 8", "their clones take most of that paper's time"),
    ]
    return pd.DataFrame(rows, columns=["where", "what", "why"])
