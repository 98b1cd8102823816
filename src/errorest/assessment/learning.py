"""How many more cases? The error by the number of training cases, with intervals, and where it goes from here.

:func:`learning_curve` measures on shared resamples of growing training sets and extrapolates; of the points and laws
see :mod:`~errorest.estimation.learning_curves`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.caution import Caution
from errorest.assessment.cautions import classifier_warned, training_cautions
from errorest.assessment.formatting import percent, within
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import measure_of
from errorest.assessment.memory_use import check_memory
from errorest.assessment.old_page import Origin, table_of
from errorest.assessment.options import Options, checked_count
from errorest.assessment.result import Result
from errorest.assessment.runs import RunOutcomes
from errorest.errors import UsageError
from errorest.estimation.learning_curves import CurvePoints, PowerLaws, points_of, test_size_for
from errorest.resampling.schemes import NestedSubsetFolds

if TYPE_CHECKING:
    import pandas as pd
from errorest.streams import Seed

# An extrapolation to more than so many times the cases is spoken of
_FAR = 10

COVERAGE = {25: (85.1, 25), 50: (90.7, 47)}
"""Percent of samples of so many cases in which 95 % limits at twice the cases held the mean error, and the least of all
data sets and classifiers: the guide's study of learning curves, with curves that rise among them."""

# Cases, or groups, of which a curve can be measured
_FEWEST = 10


@dataclass(frozen=True)
class Expected:
    """The mean error of classifiers trained on a number of cases: median and limits of what the laws expect.

    Parameters
    ----------
    cases : int
        Or groups.
    error : float
        Median over the laws of the mean error, a proportion or in the unit of the loss.
    low, high : float
        Limits.
    unit : {"cases", "groups"}
        What is counted.
    percent : bool
        Whether errors are proportions, printed in percent.

    Examples
    --------
    >>> str(Expected(100, 0.12, 0.08, 0.17))
    'with 100 cases expect 12.0 % (median; limits 8.0 to 17.0 %)'
    """

    cases: int
    error: float
    low: float
    high: float
    unit: str = "cases"
    percent: bool = True

    def __str__(self) -> str:
        if self.percent:
            error, limits = percent(self.error), within(self.low, self.high)
        else:
            error, limits = f"{self.error:.4g}", within(self.low, self.high, 1.0, "")
        return f"with {self.cases:,} {self.unit} expect {error} (median; limits {limits})"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LearningCurve(Result):
    """The measured learning curve of a classifier, and what more cases would bring.

    Parameters
    ----------
    points : CurvePoints
        In shares of ``worst``.
    expected : tuple of Expected
        At the requested sizes; empty where the curve rises, as no law is extrapolated then.
    resamples : str
        Id of the scheme.
    majority_error : float
        Of the best constant answer, in the unit of the loss.
    unit : {"cases", "groups"}
        What trains, and what the numbers of a curve count.
    worst : float
        The mean loss if every answer were the one that costs most; 1 for an error rate.

    Examples
    --------
    >>> X = np.arange(20.0)[:, None]
    >>> curve = learning_curve("knn(k=1)", X, X[:, 0] > 9, at=[40], rng=0)
    >>> curve.expected[0].low < curve.expected[0].error < curve.expected[0].high
    True
    >>> len(curve.table), curve.test_cases(0.2) > 10
    (6, True)
    """

    points: CurvePoints
    expected: tuple[Expected, ...]
    resamples: str
    majority_error: float
    unit: str = "cases"
    worst: float = 1.0
    _picture = "draw_curve"

    @cached_property
    def laws(self) -> PowerLaws:
        """The laws behind the extrapolation."""
        return PowerLaws(self.points)

    @cached_property
    def table(self) -> pd.DataFrame:
        """Each measured point: cases or groups trained on, error, standard error, and limits (in the loss's unit)."""
        import pandas as pd

        p = self.points
        low, high = (self.worst * np.array(v) for v in zip(*p.limits(self.confidence), strict=True))
        values = {"error": self.worst * p.errors, "se": self.worst * p.se, "low": low, "high": high}
        return pd.DataFrame({self.unit: p.sizes, **values})

    def at(self, cases: int) -> Expected:
        """Say what is expected of a number of training cases, or groups.

        Parameters
        ----------
        cases : int
            From 1 on.

        Returns
        -------
        Expected

        Raises
        ------
        UsageError
            If the measured curve rises significantly, at its end or before a peak: no power law does.
        """
        self._check_falls()
        number = checked_count("cases", cases)
        rest = (1 - self.confidence) / 2
        low, middle, high = (self.worst * v for v in self.laws.quantiles(number, [rest, 0.5, 1 - rest]))
        return Expected(number, middle, low, high, self.unit, self.percent)

    def cases_for(self, error: float) -> tuple[int | None, int | None]:
        """Say how many training cases bring the mean error down to a wanted one.

        Parameters
        ----------
        error : float
            A proportion, or in the unit of the loss.

        Returns
        -------
        likely, sure : int or None
            Cases, or groups, with which the middle, and the upper limit, of what is expected lie at the wanted error or
            below; None where ten million are not enough.

        Raises
        ------
        UsageError
            If the error is no proportion, or beyond the worst mean loss, or the measured curve rises.
        """
        self._check_falls()
        given: Any = error
        if not isinstance(given, Real) or not 0 < error < self.worst:
            most = f"a {self.quantity} between 0 and {self.worst:.4g}"
            what = "a proportion between 0 and 1" if self.percent else most
            raise UsageError(f"error = {error!r} was given; expected {what}")
        share = error / self.worst
        return self.laws.needed(share), self.laws.needed(share, (1 + self.confidence) / 2)

    def test_cases(self, width: float) -> int:
        """Count the test cases that make the interval of an error as at the largest size no wider than wanted.

        Raises
        ------
        UsageError
            If cases are in groups or a loss was given: it is independent test cases and errors that are counted.
        """
        if self.unit == "groups" or self.loss != "0/1":
            raise UsageError(
                "test cases were to be counted for a curve of groups or of losses; expected independent cases and the "
                "error rate; make the curve without groups and loss"
            )
        return test_size_for(width, float(self.points.errors[-1]), self.confidence)

    @property
    def rises(self) -> bool:
        """Whether the error rises significantly between two sizes, so that nothing is extrapolated."""
        return self.points.rise is not None

    def _check_falls(self) -> None:
        if self.rises:
            raise UsageError(
                "the error rises with more training cases, so that no power law fits; expected a curve that falls; "
                "measure beyond the peak, with larger sizes"
            )

    @property
    def measured(self) -> str:
        """How often limits of extrapolations held the mean error in simulations."""
        if self.loss != "0/1" or self.unit != "cases" or self.confidence != 0.95:
            return "How often such limits hold the mean error was not measured."
        texts = [
            f"{mean:.0f} % of samples of {n} cases (worst combination {worst} %)"
            for n, (mean, worst) in COVERAGE.items()
        ]
        text = f"At twice the cases such limits held the mean error in {' and '.join(texts)} in our simulations."
        if min(COVERAGE) <= self.n <= max(COVERAGE):
            return text
        return f"{self.n} cases are outside the measured range. {text}"

    def _values(self) -> dict[str, Any]:
        return {
            "points": self.table,
            "expected": [vars(one) for one in self.expected],
            "law": None if self.rises else dict(zip("abc", self.law, strict=True)),
            "measured": self.measured if self.expected else None,
            "resamples": self.resamples,
            "unit": self.unit,
            "majority_error": self.majority_error,
            "confidence": self.confidence,
        }

    @property
    def verdict(self) -> str:
        """What more cases would bring, in a sentence without its full stop."""
        size, error = int(self.points.sizes[-1]), self.value_text(self.worst * float(self.points.errors[-1]))
        err = "err by" if self.loss == "0/1" else f"have a {self.quantity} of"
        now = f"classifiers made of {size} {self.unit} {err} {error}"
        if self.rises:
            return f"{now}; nothing is extrapolated, since the curve rises"
        if not self.expected:
            return now
        return f"{now}; {'; '.join(map(str, self.expected))}"

    @property
    def law(self) -> tuple[float, float, float]:
        """The likeliest law, in the unit of the loss: a, b and c of ``a + b m^-c`` of m cases, or groups."""
        a, b, c = self.laws.likeliest
        return self.worst * a, self.worst * b, c

    def _facts(self) -> list[tuple[str, str]]:
        # over classifiers: the mean of a mean cost is one
        mean = {"0/1": "mean error", "balanced": "mean balanced error rate"}.get(self.loss, self.quantity)
        facts = [("verdict", self.verdict)]
        for cases, error, limits in self._measured_points():
            facts.append((f"{cases} {self.unit}", f"{error} ({self.level_text} interval {limits})"))
        if not self.rises:
            a, b, c = self.law
            fall = f"{100 * b:.3g} %" if self.percent else f"{b:.3g}"
            facts.append(("likeliest law", f"{self.value_text(a)} + {fall} / {self.unit}^{c:.2g}"))
        facts.append(("aims at", f"the {mean} of classifiers made of so many {self.unit}"))
        if self.expected:
            facts.append(("measured", self.measured))
        facts.append(("one class", f"always answering with one class gives {self.value_text(self.majority_error)}"))
        return [*facts, ("resamples", self.resamples)]

    def _measured_points(self) -> list[tuple[str, str, str]]:
        rows = self.table.itertuples(index=False)
        return [(str(cases), self.value_text(e), self.limits_text(low, high)) for cases, e, _, low, high in rows]

    def _headline(self) -> tuple[str, str]:
        lead = f"{self.verdict[0].upper()}{self.verdict[1:]}."
        return f"What would more {self.unit} bring {self.classifier}?", lead

    def _sentences(self) -> list[str]:
        return [self.measured] if self.expected else []

    def _sections(self, origin: Origin) -> str:
        rows = self._measured_points()
        for one in self.expected:
            limits = self.limits_text(one.low, one.high)
            rows.append((f"{one.cases:,} (expected, median)", self.value_text(one.error), limits))
        head = (f"training {self.unit}", self.quantity, f"{self.level_text} limits")
        return f"<section><h2>The curve in numbers</h2>{table_of(head, rows)}</section>"


def learning_curve(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    train_sizes: Sequence[int] | None = None,
    at: Sequence[int] | None = None,
    folds: int = 10,
    repeats: int = 20,
    rng: Seed | None = None,
    groups: Any = None,
    scoring: Any = "error",
    confidence_level: float = 0.95,
    encode: bool = False,
    n_jobs: int = 1,
    threads: int | None = 1,
    progress: bool = False,
    ignore: Iterable[str] | str = (),
) -> LearningCurve:
    """Measure the error at increasing training-set sizes, and predict it for larger ones.

    Every case is tested by classifiers of all sizes, on shared folds.

    Parameters
    ----------
    model, X, y, rng, encode, n_jobs, threads, progress, ignore
        As :func:`~errorest.assessment.estimate` takes them.
    train_sizes : sequence of int, optional
        Training cases of the points, at most what the folds leave; by default six in equal ratios.
    at : sequence of int, optional
        Numbers of training cases for which the error is predicted; by default twice and five times the cases.
    groups : array-like, shape (n,), optional
        Cases of one group stay together: folds consist of whole groups, and training sets grow by whole groups.
        ``train_sizes``, ``at`` and all results then count groups and not cases, and so do the limits.
    scoring : str, mapping, table or callable
        As there, of no negative numbers.  Errors are in its unit; a law is fitted to them in shares of what the
        worst answers would cost.
    folds, repeats : int
        Number of folds, and of independent divisions into folds.
    confidence_level : float
        Of the limits, a proportion.

    Returns
    -------
    LearningCurve

    Raises
    ------
    UsageError
        If data and classifier do not fit, there are fewer than ten cases or groups, a size is larger than the folds
        leave, a loss is negative, or a fit fails.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(40, 2))
    >>> curve = learning_curve("knn(k=3)", X, X[:, 0] > 0, train_sizes=[9, 18, 36], at=[100], rng=1)
    >>> curve.n_fits, curve.expected[0].cases
    (600, 100)
    >>> curve = learning_curve("knn", X, X[:, 0] > 0, groups=np.arange(40) // 2, scoring={"fn": 5, "fp": 1}, rng=1)
    >>> curve.table.columns[0], int(curve.points.sizes[-1]), curve.expected[0].cases
    ('groups', 18, 40)
    """
    options = Options.of(rng, confidence_level, ignore, n_jobs, threads, progress=progress, cheaper="repeats=5")
    problem = options.prepare(model, X, y, groups, encode=encode)
    unit, number = _units(problem)
    measure = measure_of(problem, scoring)
    if measure.score is not None:
        raise UsageError(
            f"scoring = '{measure.score.id}' was given; expected error, balanced or costs, since power laws are fitted "
            "to mean losses; see estimate for scores"
        )
    worst, baseline = measure.worst_mean(problem.class_counts), measure.baseline(problem).value
    assert baseline is not None
    wanted = _checked_sizes("at", [2 * number, 5 * number] if at is None else at)
    scheme = curve_scheme(problem, train_sizes, folds, repeats)
    check_memory([scheme], number, problem.n)
    ran = options.run(problem, [scheme], measure.bound)
    made = LearningCurve(
        points=points_of(ran.resampled[scheme], scheme, problem.groups, worst),
        expected=(),
        resamples=scheme.id,
        majority_error=baseline,
        confidence=confidence_level,
        n_fits=scheme.fits(number),
        unit=unit,
        worst=worst,
        **measure.fields,
        **problem.fields,
    )
    expected = () if made.rises else tuple(made.at(cases) for cases in wanted)
    return replace(made, expected=expected, **options.fields(_cautions(problem, ran, made, wanted)))


def _units(problem: Problem) -> tuple[str, int]:
    """Return what is resampled, cases or groups, and their number."""
    unit, number = ("cases", problem.n) if problem.n_groups is None else ("groups", problem.n_groups)
    if number < _FEWEST:
        raise UsageError(
            f"there {'are' if number > 1 else 'is'} {number} {unit if number > 1 else unit[:-1]}; expected at least "
            f"{_FEWEST}, or no curve can be measured; collect more"
        )
    return unit, number


def curve_scheme(problem: Problem, sizes: Sequence[int] | None, folds: int, repeats: int) -> NestedSubsetFolds:
    """Return the folds with growing training sets."""
    unit, number = _units(problem)
    k, repeats = min(checked_count("folds", folds, least=2), number), checked_count("repeats", repeats)
    chosen = NestedSubsetFolds.usual(number, problem.sample.n_classes, k)
    if sizes is not None:
        chosen = _checked_sizes("train_sizes", sizes)
        if chosen != sorted(set(chosen)) or len(chosen) < 2:
            raise UsageError(f"train_sizes = {chosen} was given; expected two or more, ascending and each once")
    left = number - -(-number // k)
    if chosen[-1] > left:
        raise UsageError(
            f"size {chosen[-1]} was given, and {k} folds of {number} {unit} leave {left} to train on; expected sizes "
            f"of at most {left}; ask for smaller ones, or name larger numbers in at"
        )
    return NestedSubsetFolds(tuple(chosen), k, repeats)


def _checked_sizes(name: str, sizes: Any) -> list[int]:
    listed = isinstance(sizes, Iterable) and not isinstance(sizes, str)
    return [checked_count(name, one) for one in (sizes if listed else [sizes])]


def _cautions(problem: Problem, ran: RunOutcomes, curve: LearningCurve, at: Sequence[int]) -> list[str]:
    points, unit = curve.points, curve.unit
    out: list[str] = [*training_cautions("the classifier", problem.inducer), *classifier_warned("the classifier", ran)]
    if (rise := points.rise) is not None:
        first, last = (curve.value_text(curve.worst * float(points.errors[i])) for i in rise)
        between = f"from {first} with {points.sizes[rise[0]]} training {unit} to {last} with {points.sizes[rise[1]]}"
        peak = ", and falls behind that peak" if rise[1] < points.sizes.size - 1 else ""
        out.append(Caution.of("E501", between=between, peak=peak))
    if not curve.rises and at and max(at) > _FAR * points.n:
        out.append(Caution.of("E502", most=max(at), unit=unit, times=_FAR, n=points.n))
    return out
