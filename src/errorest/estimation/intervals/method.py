"""What an interval method is: schemes to run, and a reduction of their losses to limits.

An :class:`IntervalMethod` says what it is legal with, what it costs and which target it
aims at; :class:`Measured` is what its reduction reads; :class:`IntervalResult` is what a
person gets.  Limits are not cut at 0 and 1, so that widths can be compared;
:attr:`IntervalResult.clipped` cuts them, which cannot change whether a rate is contained.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numba as nb
import numpy as np
from scipy import special

from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.estimation.intervals.proportions import Interval, check_confidence, score_interval
from errorest.estimation.run import Outcome, Scheme
from errorest.resampling.draw import Resamples

__all__ = [
    "DrawnScheme",
    "IntervalMethod",
    "IntervalResult",
    "Limits",
    "Loss",
    "Measured",
    "at_least",
    "id_of",
    "loss_table",
]

Loss = Callable[[np.ndarray, np.ndarray], Any]
"""``loss(y_true, y_pred)`` of class numbers, arrays of one shape, returning a number a case."""

NO_WIDTH = 1e-12
"""An interval narrower than this, a proportion, is called degenerate."""


@dataclass(frozen=True, eq=False)
class DrawnScheme(Scheme):
    """A scheme that only an interval needs, with the function that draws it.

    Parameters
    ----------
    name, settings
        As :class:`~errorest.estimation.run.Scheme`; they name the random stream.
    drawing : callable
        ``drawing(n, rng) -> Resamples``.
    rows : callable
        ``rows(n) -> float``: how many classifiers it makes, or is expected to make.

    Examples
    --------
    >>> from errorest.estimation.intervals.draws import replace_one
    >>> replace_one(5).id, replace_one(5).fits(100)
    ('replace_one(k=5)', 255)
    """

    drawing: Callable[[int, np.random.Generator], Resamples] = field(kw_only=True, repr=False)
    rows: Callable[[int], float] = field(kw_only=True, repr=False)

    def resamples(self, sample: Sample, rng: np.random.Generator) -> Resamples:
        """Apply the scheme to a sample."""
        return self.drawing(sample.n, rng)

    def fits(self, n: int) -> int:
        """Count the classifiers made of a sample of n cases: the expected number where it is left to chance."""
        return round(self.rows(n))


def loss_table(loss: Loss | None, n_classes: int) -> np.ndarray:
    """Ask a loss for every pair of classes, once.

    Parameters
    ----------
    loss : callable or None
        None is the 0/1 loss.
    n_classes : int

    Returns
    -------
    float array, shape (n_classes, n_classes)
        Row: true class; column: predicted class.

    Raises
    ------
    UsageError
        If the loss does not return one finite number a case.

    Examples
    --------
    >>> loss_table(lambda true, predicted: np.where(true > predicted, 5.0, 1.0) * (true != predicted), 2).tolist()
    [[0.0, 1.0], [5.0, 0.0]]
    """
    if loss is None:
        return 1.0 - np.eye(n_classes)
    true, predicted = (a.ravel() for a in np.indices((n_classes, n_classes)))
    values = np.asarray(loss(true, predicted), dtype=np.float64)
    if values.shape != true.shape or not np.isfinite(values).all():
        raise UsageError(
            f"the loss returned values of shape {values.shape} for {true.size} cases, or some that are not finite; "
            "expected one finite number a case; write loss(y_true, y_pred) for arrays"
        )
    return values.reshape(n_classes, n_classes)


_SIZES = ("test", "k", "splits", "ratio", "replicates", "halvings", "outer", "inner")


def id_of(name: str, make: Callable[..., Any], **settings: Any) -> str:
    """Write an id: settings at their default are left out, unless they say the size of the estimate.

    Parameters
    ----------
    name : str
        What stands before the parenthesis.
    make : callable
        The constructor, for its defaults.
    **settings
        As given to it.

    Examples
    --------
    >>> from errorest.estimation.intervals.cross_validation import cv_wald
    >>> id_of("cv-wald", cv_wald, k=10, variance="within-fold", stratified=False)
    'cv-wald(k=10, variance=within-fold)'
    """
    defaults = {k: p.default for k, p in inspect.signature(make).parameters.items()}
    shown = [
        f"{k}={v}"
        for k, v in settings.items()
        if k in _SIZES or v != defaults[k] or (k == "repeats" and defaults[k] > 1)
    ]
    return f"{name}({', '.join(shown)})" if shown else name


def at_least(value: int, least: int, of: str, what: str) -> None:
    """Refuse a number that is too small.

    Raises
    ------
    UsageError
        Saying the smallest that is possible.

    Examples
    --------
    >>> at_least(3, 2, "cv-wald", "folds")
    """
    if value < least:
        raise UsageError(f"{of} was asked for {what} = {value}; expected at least {least}; ask for more")


@dataclass(frozen=True, eq=False)
class Measured:
    """What the reduction of an interval reads.

    Parameters
    ----------
    sample : Sample
    outcomes : mapping of Scheme to Outcome
        From :func:`~errorest.estimation.run.run_schemes`; at least the method's own schemes.
    table : float array, shape (n_classes, n_classes)
        From :func:`loss_table`.
    confidence : float
        A proportion.

    Examples
    --------
    >>> from errorest.inducers import Majority
    >>> from errorest.streams import Streams
    >>> from errorest.estimation.run import Scheme, run_schemes
    >>> s = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> scheme = Scheme("resubstitution")
    >>> outcomes = run_schemes(s, Majority(), [scheme], Streams(1))
    >>> Measured(s, outcomes, loss_table(None, 2), 0.95).confidence
    0.95
    """

    sample: Sample
    outcomes: Mapping[Scheme, Outcome]
    table: np.ndarray
    confidence: float = 0.95

    def losses(self, scheme: Scheme) -> np.ndarray:
        """Loss of every tested case of a scheme; float array, shape (T,)."""
        outcome = self.outcomes[scheme]
        return self.table[self.sample.y[outcome.resamples.cases], outcome.labels]

    def row_means(self, scheme: Scheme) -> np.ndarray:
        """Mean loss of every row of a scheme; float array, shape (R,), NaN where nothing is tested."""
        outcome = self.outcomes[scheme]
        return _segment_means(self.losses(scheme), outcome.resamples.start)

    def mean(self, scheme: Scheme) -> float:
        """Mean loss: the rows of each repetition pooled, then the repetitions averaged."""
        resamples = self.outcomes[scheme].resamples
        totals = _segment_means(self.losses(scheme), resamples.start) * np.diff(resamples.start)
        tested = np.bincount(resamples.replicate, np.diff(resamples.start), resamples.repeats)
        return float((np.bincount(resamples.replicate, totals, resamples.repeats) / tested).mean())

    @cached_property
    def z(self) -> float:
        """Quantile of the normal distribution, two-sided."""
        return float(special.ndtri((1 + self.confidence) / 2))

    def t(self, df: int) -> float:
        """Quantile of Student's distribution, two-sided."""
        return float(special.stdtrit(df, (1 + self.confidence) / 2))

    def percentiles(self, values: np.ndarray) -> tuple[float, float]:
        """Two-sided percentiles (linear between order statistics), NaN left out."""
        known = values[~np.isnan(values)]
        if not known.size:
            return float("nan"), float("nan")
        tail = (1 - self.confidence) / 2
        low, high = np.quantile(known, [tail, 1 - tail])
        return float(low), float(high)


@nb.njit(cache=True)
def _segment_means(values, start):  # type: ignore[no-untyped-def]
    out = np.empty(start.shape[0] - 1)
    for r in range(out.shape[0]):
        total = 0.0
        for j in range(start[r], start[r + 1]):
            total += values[j]
        size = start[r + 1] - start[r]
        out[r] = total / size if size > 0 else np.nan
    return out


class Limits(NamedTuple):
    """What a reduction yields: proportions (or losses), and of how many cases they speak.

    Examples
    --------
    >>> Limits.around(0.25, 0.1, 2.0, 40)[:3]
    (0.25, 0.04999999999999999, 0.45)
    """

    estimate: float
    low: float
    high: float
    se: float
    cases: int

    @classmethod
    def around(cls, estimate: float, se: float, quantile: float, cases: int) -> Limits:
        """Set the limits a number of standard errors on either side of an estimate."""
        return cls(estimate, estimate - quantile * se, estimate + quantile * se, se, cases)


@dataclass(frozen=True)
class IntervalResult:
    """An interval for an error rate.

    Parameters
    ----------
    method : str
        Id of the method.
    estimate, low, high : float
        Proportions, or in the unit of the loss; as the formula gives them, perhaps beyond 0 or 1;
        NaN where the method is undefined on this sample.
    se : float
        Standard error, NaN where the method has none.
    confidence : float
        A proportion.
    degenerate : bool
        The interval has no width, for instance because no error was seen.
    beside : Interval or None
        Wilson's limits for the estimate's share of the tested cases, where the interval is degenerate
        and the loss is 0/1.  They treat the cases as independent tests of one classifier.
    note : str
        What a reader has to know, or nothing.

    Examples
    --------
    >>> r = IntervalResult("cv-wald(k=10)", 0.1, -0.02, 0.22, 0.06, 0.95, False)
    >>> [round(float(limit), 2) for limit in r.clipped], r.contains(0.2)
    ([0.0, 0.22], True)
    """

    method: str
    estimate: float
    low: float
    high: float
    se: float
    confidence: float
    degenerate: bool
    beside: Interval | None = None
    note: str = ""

    @property
    def width(self) -> float:
        """Distance of the limits as the formula gives them."""
        return self.high - self.low

    @property
    def clipped(self) -> Interval:
        """The limits cut at 0 and 1, for display; for error rates only, not for other losses."""
        return Interval(np.clip(self.low, 0.0, 1.0), np.clip(self.high, 0.0, 1.0))

    def contains(self, value: float) -> bool:
        """Whether a value lies between the limits, these included; false where they are undefined."""
        return bool(self.low - NO_WIDTH <= value <= self.high + NO_WIDTH)


@dataclass(frozen=True)
class IntervalMethod:
    """A method of making an interval for an error rate.

    Parameters
    ----------
    id : str
        Unambiguous name with settings, such as ``corrected-t(splits=25, ratio=9/10)``.
    target : {"classifier", "procedure"}
        The error of this classifier, or the mean error of the procedure over samples.
    aim : str
        The target in words, with its training size.
    estimators : tuple of str
        Names of :data:`~errorest.estimation.estimators.ESTIMATORS` it is legal with: those whose schemes it reduces.
    losses : {"0/1", "any"}
        Whether it is legal with other losses than the 0/1 loss.
    needs_cases : bool
        Whether it needs the loss of every case, not only rates.
    schemes : tuple of Scheme
        What must be run.
    reduce : callable
        ``reduce(measured) -> Limits``.
    least : int
        Fewest cases of a sample.

    Examples
    --------
    >>> from errorest.estimation.intervals import parse_interval
    >>> m = parse_interval("cv-wald(k=5)")
    >>> m.target, m.estimators, m.losses, m.fits(100)
    ('classifier', ('cv',), 'any', 5)
    """

    id: str
    target: Literal["classifier", "procedure"]
    aim: str
    estimators: tuple[str, ...]
    losses: Literal["0/1", "any"]
    needs_cases: bool
    schemes: tuple[Scheme, ...]
    reduce: Callable[[Measured], Limits] = field(compare=False, repr=False)
    least: int = 2

    def fits(self, n: int) -> int:
        """Count the classifiers made of a sample of n cases (expected, where it is left to chance)."""
        return sum(s.fits(n) for s in dict.fromkeys(self.schemes))

    def legal_with(self, estimator: Estimator | str) -> bool:
        """Whether the interval surrounds an estimate of this kind; of clones there is none.

        Examples
        --------
        >>> from errorest.estimation.intervals import parse_interval
        >>> parse_interval("cv-wald").legal_with("cv(k=10)"), parse_interval("cv-wald").legal_with("632+")
        (True, False)
        """
        text = estimator if isinstance(estimator, str) else estimator.id
        return text.partition("(")[0].strip() in self.estimators and "cloned=True" not in text

    def check(self, sample: Sample, confidence: float = 0.95, zero_one: bool = True) -> None:
        """Refuse a sample that is too small, an impossible confidence, or a loss that is not legal.

        Raises
        ------
        UsageError
            Saying what is legal.
        """
        check_confidence(confidence)
        if sample.n < self.least:
            raise UsageError(
                f"interval {self.id} was asked of n = {sample.n} cases; expected at least {self.least}; "
                "give fewer folds or another setting, another interval or a larger sample"
            )
        if not zero_one and self.losses == "0/1":
            raise UsageError(
                f"interval {self.id} counts errors and was asked for another loss; expected the 0/1 loss; "
                "take an interval that is legal with any loss, such as cv-wald, corrected-t or nested-cv"
            )

    def result(self, measured: Measured) -> IntervalResult:
        """Reduce to an interval; one without width is said to be so, with Wilson's beside it."""
        limits = self.reduce(measured)
        undefined = np.isnan(limits.low) or np.isnan(limits.high)
        degenerate = not undefined and limits.high - limits.low <= NO_WIDTH
        beside, note = None, ""
        if undefined:
            note = "undefined on this sample: too few of its resamples test or vary anything"
        elif degenerate:
            note = "no width: every resample gave the same rate"
            if (measured.table == loss_table(None, measured.sample.n_classes)).all():
                share = min(max(limits.estimate, 0.0), 1.0)
                beside = Interval(
                    *(float(v) for v in score_interval(share * limits.cases, limits.cases, measured.confidence))  # type: ignore[arg-type]
                )
                note += f"; Wilson's limits for {limits.cases} tested cases stand beside it"
        estimate, low, high, se = (float(v) for v in limits[:4])
        return IntervalResult(self.id, estimate, low, high, se, measured.confidence, bool(degenerate), beside, note)
