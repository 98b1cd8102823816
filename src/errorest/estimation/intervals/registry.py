"""The interval methods by name, and the function that runs them.

:func:`interval` makes all classifiers of a method in one pass; :func:`intervals` does so for
several methods at once, which then share the resamples they have in common.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.estimation.intervals.binomial import (
    CvKohavi,
    HoldoutClopperPearson,
    HoldoutWald,
    HoldoutWilson,
    LooKohavi,
)
from errorest.estimation.intervals.cross_validation import CvWald, LooWald
from errorest.estimation.intervals.five_by_two import FiveByTwo
from errorest.estimation.intervals.method import IntervalMethod, IntervalResult, Measured
from errorest.estimation.intervals.nested import NestedCV
from errorest.estimation.intervals.out_of_bag import OutOfBag, OutOfBag632Plus, SpanOf632Plus
from errorest.estimation.intervals.percentile import BootstrapCaseCV, LocationShifted, TwoStage
from errorest.estimation.intervals.replace_one import ReplaceOneCV
from errorest.estimation.intervals.resampled import ConservativeZ, CorrectedT
from errorest.estimation.losses import LossFunction, loss_of
from errorest.estimation.run import draw_schemes, predict_schemes
from errorest.inducers.base import Inducer
from errorest.spec import Family
from errorest.streams import Streams

__all__ = ["INTERVALS", "fits_of", "interval", "intervals", "parse_interval", "require_legal"]

INTERVALS: Family[IntervalMethod] = Family(
    "interval",
    {
        made.name: made
        for made in (
            HoldoutWald,
            HoldoutWilson,
            HoldoutClopperPearson,
            CvKohavi,
            LooKohavi,
            CvWald,
            LooWald,
            CorrectedT,
            ConservativeZ,
            FiveByTwo,
            NestedCV,
            ReplaceOneCV,
            OutOfBag,
            OutOfBag632Plus,
            SpanOf632Plus,
            BootstrapCaseCV,
            LocationShifted,
            TwoStage,
        )
    },
    "cv-wald(k=10)",
)
"""Interval methods by the name that stands before the parenthesis of an id."""


def interval(
    sample: Sample,
    inducer: Inducer,
    method: IntervalMethod | str,
    rng: np.random.Generator | Streams,
    *,
    confidence: float = 0.95,
    loss: LossFunction | None = None,
) -> IntervalResult:
    """Make an interval for the error rate of what an inducer makes of a sample.

    Parameters
    ----------
    sample : Sample
    inducer : Inducer
    method : IntervalMethod or str
        A method, or a text that :func:`parse_interval` reads.
    rng : numpy.random.Generator or Streams
    confidence : float
        A proportion.
    loss : callable, optional
        ``loss(y_true, y_pred)`` of class numbers, arrays, one number a case; by default 0/1.

    Returns
    -------
    IntervalResult

    Raises
    ------
    UsageError
        If the method is unknown, or not legal with the sample or the loss.

    Examples
    --------
    >>> from errorest.inducers import Threshold
    >>> s = Sample.from_arrays(np.arange(8.0), list("aababbab"))
    >>> r = interval(s, Threshold(), "cv-wald(k=4)", np.random.default_rng(0))
    >>> r.method, r.low < r.estimate < r.high
    ('cv-wald(k=4)', True)
    """
    (result,) = intervals(sample, inducer, [method], rng, confidence=confidence, loss=loss).values()
    return result


def intervals(
    sample: Sample,
    inducer: Inducer,
    methods: Iterable[IntervalMethod | str],
    rng: np.random.Generator | Streams,
    *,
    confidence: float = 0.95,
    loss: LossFunction | None = None,
) -> dict[str, IntervalResult]:
    """Make several intervals of one sample, all classifiers in one pass, shared schemes run once.

    The random stream of a scheme depends on its id alone, so that asking for other methods
    beside it changes nothing.

    Parameters
    ----------
    sample, inducer, rng, confidence, loss
        As :func:`interval`.
    methods : iterable of IntervalMethod or str

    Returns
    -------
    dict of str to IntervalResult
        Keyed by the id of the method.

    Raises
    ------
    UsageError
        As :func:`interval`, before anything is run.

    Examples
    --------
    >>> from errorest.inducers import Majority
    >>> s = Sample.from_arrays(np.arange(8.0), list("aababbab"))
    >>> sorted(intervals(s, Majority(), ["oob", "632+"], np.random.default_rng(0)))
    ['632+(replicates=200)', 'oob(replicates=200)']
    """
    wanted = [parse_interval(m) if isinstance(m, str) else m for m in methods]
    cost = loss_of(loss, sample.n_classes)
    for method in wanted:
        method.check(sample, confidence, zero_one=cost.zero_one)
    streams = rng if isinstance(rng, Streams) else Streams.from_generator(rng)
    drawn = draw_schemes(sample, [s for m in wanted for s in m.schemes], streams)
    outcomes = {s: o.under(cost) for s, o in predict_schemes(sample, inducer, drawn, streams).items()}
    measured = Measured(sample, outcomes, confidence)
    return {m.id: m.result(measured) for m in wanted}


def fits_of(methods: Iterable[IntervalMethod | str], n: int) -> int:
    """Count the classifiers that :func:`intervals` makes of a sample, schemes in common once."""
    wanted = [parse_interval(m) if isinstance(m, str) else m for m in methods]
    return sum(s.fits(n) for s in dict.fromkeys(s for m in wanted for s in m.schemes))


def require_legal(method: IntervalMethod | str, estimator: Estimator | str) -> IntervalMethod:
    """Refuse an interval that does not surround an estimate of this kind."""
    wanted = parse_interval(method) if isinstance(method, str) else method
    if not wanted.legal_with(estimator):
        text = estimator if isinstance(estimator, str) else estimator.id
        legal = [name for name, make in INTERVALS.items() if make().legal_with(text)]
        raise UsageError(
            f"interval {wanted.id} is not legal with the estimator {text}; expected an estimator among "
            f"{', '.join(wanted.estimators)}; choose one of these, or an interval that is legal with {text}: "
            f"{', '.join(legal) or 'none'}"
        )
    return wanted


def parse_interval(text: str) -> IntervalMethod:
    """Read an interval method from its id.

    Parameters
    ----------
    text : str
        A name of :data:`INTERVALS` with settings in parentheses, such as
        ``corrected-t(splits=25, ratio=0.9)``.

    Raises
    ------
    UsageError
        If the name or a setting is unknown, or a value is of the wrong type.

    Examples
    --------
    >>> parse_interval("corrected-t(splits=25, ratio=0.9)").id
    'corrected-t(splits=25, ratio=9/10)'
    """
    return INTERVALS.parse(text)
