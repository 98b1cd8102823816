"""How many more cases? The error by the number of training cases, with limits, and what larger samples would bring.

The model of the extrapolation is described in :mod:`~errorest.estimation.learning_curves`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from errorest.assessment.checks import OF_TRAINING, run_checks
from errorest.assessment.checks.warning import Checked, CheckWarning
from errorest.assessment.options import Options, Progress, checked_count
from errorest.assessment.problem import Problem, prepare
from errorest.assessment.resample import fit_predict
from errorest.assessment.results import Result, plain
from errorest.assessment.scoring import Baseline, resolve_metric
from errorest.errors import UsageError
from errorest.estimation.learning_curves import CurvePoints, PowerLaws, curve_points, test_size_for
from errorest.estimation.metrics.metric import LabelMetric
from errorest.learners.discriminant import LinearDiscriminant
from errorest.resampling.schemes import NestedSubsetFolds

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

    from errorest.assessment.arguments import MetricLike, Model, Rng, Table

COVERAGE: Mapping[int, tuple[float, float]] = {25: (85.1, 25.0), 50: (90.7, 47.0)}
"""Percent of samples of so many cases in which 95 % limits at twice the cases held the mean error, and the least of all
data sets and classifiers: ``guide/06-growing``, with curves that rise among them."""

# An extrapolation to more than so many times the cases gives a warning
_FAR = 10

# With fewer training cases for each attribute the error of a linear classifier may peak beyond them
_FREEDOM = 2

# Cases, or groups, of which a curve can be measured
_FEWEST = 10


class PowerLaw(NamedTuple):
    """The law ``a + b m^-c`` of the mean loss of classifiers made of m cases (or groups)."""

    a: float
    b: float
    c: float


@dataclass(frozen=True)
class Expected:
    """The predicted mean error of classifiers trained on a number of cases.

    Parameters
    ----------
    size : int
        Training cases, or groups.
    value : float
        Median of the predictive distribution, a proportion or in the unit of the loss.
    low, high : float
        Limits.

    Examples
    --------
    >>> Expected(100, 0.12, 0.08, 0.17).value
    0.12
    """

    size: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LearningCurve(Result):
    """The measured learning curve of a classifier, and what more cases would bring.

    Parameters
    ----------
    points : CurvePoints
        Errors and their covariance, in shares of ``max_loss``; :meth:`to_frame` has them in the unit of the loss.
    expected : tuple of Expected
        At the requested sizes; empty where the curve rises, since no power law is extrapolated then.
    method : str
        Id of the folds with growing training sets.
    model : str
        Id of the classifier.
    baseline : Baseline
        The mean loss of the best constant answer.
    unit : {"cases", "groups"}
        What trains, and what the numbers of a curve count.
    max_loss : float
        The mean loss if every answer were the one that costs most; 1 for an error rate.

    Examples
    --------
    >>> import errorest
    >>> X = np.arange(20.0)[:, None]
    >>> curve = errorest.learning_curve("knn(k=1)", X, X[:, 0] > 9, at=[40], rng=0)
    >>> curve.expected[0].low < curve.expected[0].value < curve.expected[0].high
    True
    >>> len(curve.to_frame()), curve.test_cases(0.2) > 10
    (6, True)
    """

    points: CurvePoints
    expected: tuple[Expected, ...]
    method: str
    model: str
    baseline: Baseline
    unit: str = "cases"
    max_loss: float = 1.0

    @property
    def rises(self) -> bool:
        """Whether the error rises significantly between two sizes, so that nothing is extrapolated."""
        return self.points.rise is not None

    @property
    def power_law(self) -> PowerLaw | None:
        """The likeliest law in the unit of the loss; None where the curve rises."""
        if self.rises:
            return None
        a, b, c = self._laws.likeliest
        return PowerLaw(self.max_loss * a, self.max_loss * b, c)

    @property
    def coverage(self) -> Mapping[int, tuple[float, float]] | None:
        """Percent of samples, by their size, in which limits at twice the cases held the error: mean and worst.

        None where it was not measured: for groups, other losses and other confidence levels.
        """
        measured = str(self.metric) == "error" and self.unit == "cases" and self.confidence_level == 0.95
        return COVERAGE if measured else None

    def predict(self, cases: int) -> Expected:
        """Predict the mean error of classifiers trained on a number of cases, or groups.

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
        rest = (1 - self.confidence_level) / 2
        low, middle, high = (self.max_loss * v for v in self._laws.quantiles(number, [rest, 0.5, 1 - rest]))
        return Expected(number, middle, low, high)

    def cases_for(self, error: float) -> tuple[int | None, int | None]:
        """Return how many training cases bring the mean error down to a wanted one.

        Parameters
        ----------
        error : float
            A proportion, or in the unit of the loss.

        Returns
        -------
        likely, sure : int or None
            Cases, or groups, with which the median, and the upper limit, of the predicted error are at most the wanted
            one; None where ten million are not enough.

        Raises
        ------
        UsageError
            If the error is no number between 0 and ``max_loss``, or the measured curve rises.
        """
        self._check_falls()
        given: Any = error
        if not isinstance(given, Real) or not 0 < error < self.max_loss:
            raise UsageError(f"error = {error!r}; expected a number between 0 and {self.max_loss:.4g}")
        share = error / self.max_loss
        return self._laws.needed(share), self._laws.needed(share, (1 + self.confidence_level) / 2)

    def test_cases(self, width: float) -> int:
        """Count the test cases that make the interval of an error as at the largest size no wider than wanted.

        Parameters
        ----------
        width : float
            Upper less lower limit of Wilson's interval, a proportion.

        Returns
        -------
        int

        Raises
        ------
        UsageError
            If cases are in groups or the metric is not the error rate.
        """
        if self.unit == "groups" or str(self.metric) != "error":
            raise UsageError(
                "test cases were to be counted for a curve of groups or of losses; expected independent cases and the "
                "error rate; make the curve without groups and scoring"
            )
        return test_size_for(width, float(self.points.errors[-1]), self.confidence_level)

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each measured point.

        Returns
        -------
        DataFrame
            Columns cases (or groups), value, se (standard error), low, high.
        """
        import pandas as pd

        p, low_high = self.points, np.array(self.points.limits(self.confidence_level)).T
        low, high = self.max_loss * low_high
        values = {"value": self.max_loss * p.errors, "se": self.max_loss * p.se, "low": low, "high": high}
        return pd.DataFrame({self.unit: p.sizes, **values})

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain types for JSON, with the points in the unit of the loss, and the power law.

        Returns
        -------
        dict
        """
        law = self.power_law
        more = {"points": self.to_frame(), "power_law": None if law is None else law._asdict()}
        result: dict[str, Any] = {**super().to_dict(), **plain(more)}
        return result

    @cached_property
    def _laws(self) -> PowerLaws:
        return PowerLaws(self.points)

    def _check_falls(self) -> None:
        if self.rises:
            raise UsageError(
                "the error rises with more training cases, so that no power law fits; expected a curve that falls; "
                "measure beyond the peak, with larger sizes"
            )


def learning_curve(
    model: Model,
    X: Table,
    y: ArrayLike | None = None,
    *,
    train_sizes: Sequence[int] | Sequence[float] | None = None,
    at: Sequence[int] | None = None,
    folds: int = 10,
    repeats: int = 20,
    rng: Rng = None,
    groups: ArrayLike | None = None,
    scoring: MetricLike = "error",
    confidence_level: float = 0.95,
    encode: bool = False,
    fit_params: Mapping[str, Any] | None = None,
    n_jobs: int | None = 1,
    threads: int | None = 1,
    compiled: bool = True,
    progress: bool | Progress = False,
    ignore: Iterable[str] | str = (),
) -> LearningCurve:
    r"""Measure the error at increasing training-set sizes, and predict it for larger ones.

    Every case is tested by classifiers of all sizes, on shared folds.

    Parameters
    ----------
    model, X, y, rng, encode, fit_params, n_jobs, threads, compiled, progress, ignore
        As :func:`errorest.estimate` takes them.
    train_sizes : sequence of int or of float, optional
        Training cases of the points, at most what the folds leave, or fractions of that; by default six in equal
        ratios.
    at : sequence of int, optional
        Numbers of training cases for which the error is predicted; by default twice and five times the cases.
    groups : array-like, shape (n,), optional
        Cases of one group stay together: folds consist of whole groups, and training sets grow by whole groups.
        ``train_sizes``, ``at`` and all results then count groups and not cases, and so do the limits.
    scoring : str, mapping, table or callable
        A mean loss of labels, without negative numbers: ``"error"``, ``"balanced"`` or costs.
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

    Notes
    -----
    The mean error of classifiers made of m cases is taken for an inverse power law, :math:`a + b m^{-c}`, whose slope
    on logarithmic axes drifts at random away from the largest measured size M:

    .. math:: \mu(m) = \ell \bigl[ s + (1 - s) (m / M)^{-c} \bigr] e^{W(\log (m / M))},
              \qquad \operatorname{var} W(t) = \sigma^2 |t|^3 / 3.

    Predictions are quantiles of the posterior mixture over :math:`\ell`, s and c, with errors in shares of the largest
    mean loss.  The notebook ``guide/06-growing`` measured how often the limits hold.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(40, 2))
    >>> curve = learning_curve("knn(k=3)", X, X[:, 0] > 0, train_sizes=[9, 18, 36], at=[100], rng=1)
    >>> curve.n_fits, curve.expected[0].size
    (600, 100)
    >>> curve = learning_curve("knn", X, X[:, 0] > 0, groups=np.arange(40) // 2, scoring={"fn": 5, "fp": 1}, rng=1)
    >>> curve.to_frame().columns[0], int(curve.points.sizes[-1]), curve.expected[0].size
    ('groups', 18, 40)
    >>> learning_curve("knn", X, X[:, 0] > 0, train_sizes=[0.25, 0.5, 1.0], repeats=1, rng=1).points.sizes.tolist()
    [9, 18, 36]

    A pipeline of scikit-learn, on 50 cases of two species:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = (values[50::2] for values in load_iris(return_X_y=True))
    >>> model = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    >>> print(learning_curve(model, X, y, rng=1))  # doctest: +ELLIPSIS
    Error rate 7.2 % (95 % interval 2.0 to 22.5 %) with 45 training cases
      verdict    expected 5.6 % with 100 cases (median; limits 0.9 to 13.0 %)...
    ...
    """
    options = Options.of(rng, confidence_level, ignore, n_jobs, threads, progress, compiled, cheaper="repeats=5")
    problem = prepare(model, X, y, groups, None, encode, fit_params, options)
    metric = resolve_metric(problem, scoring)
    own, counts = metric.metric, problem.class_counts()
    if not isinstance(own, LabelMetric) or metric.greater_is_better:
        raise UsageError(
            f"scoring = '{metric}'; expected error, balanced or costs, since power laws are fitted to mean losses of "
            "labels; " + ("accuracy is 1 - error" if isinstance(own, LabelMetric) else "see estimate for scores")
        )
    # the loss of each true class and label
    losses = own.losses(*np.indices((problem.n_classes, problem.n_classes))).astype(np.float64)
    if losses.min() < 0:
        raise UsageError(f"the loss gives {losses.min():g} for an answer; expected no loss below 0; add a constant")
    # errors in shares of the largest mean loss, if every label were the one that costs most, lie in [0, 1], as the
    # prior of the law assumes
    max_loss = float((counts * losses.max(axis=1)).sum() / counts.sum())
    if max_loss == 0:
        raise UsageError("the loss gives 0 for every answer; expected one that distinguishes answers")
    unit, number = ("cases", problem.n) if problem.n_groups is None else ("groups", problem.n_groups)
    scheme = _nested_folds(problem, unit, number, train_sizes, folds, repeats)
    # twice the cases, for which coverage was measured (COVERAGE), and five times as many
    sizes = [2 * number, 5 * number] if at is None else [at] if np.ndim(at) == 0 else at
    wanted = [checked_count("at", one) for one in sizes]
    predictions = fit_predict(problem, [scheme], options, labels=True, scores=False)
    # points with their covariance first; the law is fitted when a size is asked for
    curve = LearningCurve(
        metric=metric,
        points=curve_points(predictions.outcomes(metric)[scheme], scheme, problem.groups, max_loss),
        expected=(),
        method=scheme.id,
        model=problem.learner.id,
        baseline=metric.baseline(problem),
        unit=unit,
        max_loss=max_loss,
        n=problem.n,
        n_groups=problem.n_groups,
        n_fits=scheme.fits(number),
        confidence_level=confidence_level,
        _source=problem.source,
    )
    # a curve that surely rises is no inverse power law, and nothing is extrapolated
    expected = () if curve.rises else tuple(curve.predict(cases) for cases in wanted)
    notes: list[str] = []
    notes += run_checks(Checked(predictions=(predictions,), problems=(problem,)), (*OF_TRAINING, "E110"))
    if (rise := curve.points.rise) is not None:
        scale, unit_of_loss = (100, " %") if metric.percent else (1, "")
        first, last = (f"{scale * max_loss * curve.points.errors[i]:.4g}{unit_of_loss}" for i in rise)
        low, high = curve.points.sizes[list(rise)]
        between = f"from {first} with {low} training {unit} to {last} with {high}"
        peak = ", and falls behind that peak" if rise[1] < curve.points.sizes.size - 1 else ""
        notes.append(CheckWarning.of("E501", between=between, peak=peak))
    elif wanted and max(wanted) > _FAR * number:
        notes.append(CheckWarning.of("E502", most=max(wanted), unit=unit, times=_FAR, n=number))
    largest, d = int(curve.points.sizes[-1]), np.shape(problem.X)[1] if np.ndim(problem.X) == 2 else 0
    classifier = problem.learner.model
    while getattr(classifier, "steps", None):
        classifier = classifier.steps[-1][1]
    # classifiers that fit a weight to every attribute, whose error may peak at as many cases as attributes
    modules = tuple(f"sklearn.{part}" for part in ("discriminant_analysis", "linear_model", "neural_network", "svm"))
    linear = type(classifier) is LinearDiscriminant or type(classifier).__module__.startswith(modules)
    if expected and unit == "cases" and d >= largest / _FREEDOM and linear:
        notes.append(CheckWarning.of("E503", d=d, largest=largest))
    return replace(curve, expected=expected, **options.fields(notes))


def _nested_folds(
    problem: Problem, unit: str, number: int, train_sizes: Any, folds: int, repeats: int
) -> NestedSubsetFolds:
    """Return the folds with growing training sets."""
    if number < _FEWEST:
        raise UsageError(f"there are {number} {unit}; expected at least {_FEWEST}, or no curve can be measured")
    k, repeats = min(checked_count("folds", folds, least=2), number), checked_count("repeats", repeats)
    # n - ceil(n / k), what the largest fold leaves
    left = number - -(-number // k)
    if train_sizes is None:
        chosen = list(NestedSubsetFolds.usual(number, problem.n_classes, k))
    else:
        given = [train_sizes] if np.ndim(train_sizes) == 0 else list(train_sizes)
        if given and all(isinstance(one, float | np.floating) and 0 < one <= 1 for one in given):
            # as in scikit-learn, 1.0 is all that the folds leave
            given = [max(1, int(one * left)) for one in given]
        chosen = [checked_count("train_sizes", one, ", or fractions from 0 to 1.0") for one in given]
        if chosen != sorted(set(chosen)) or len(chosen) < 2:
            raise UsageError(f"train_sizes = {chosen}; expected two or more, ascending and each once")
    if chosen[-1] > left:
        raise UsageError(
            f"size {chosen[-1]} was given, and {k} folds of {number} {unit} leave {left} to train on; expected sizes "
            f"of at most {left}; ask for smaller ones, or name larger numbers in at"
        )
    return NestedSubsetFolds(tuple(chosen), k, repeats)
