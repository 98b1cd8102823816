"""The interval methods by name, and the function that runs them.

:func:`interval` makes all classifiers of a method in one pass; :func:`intervals` does so for
several methods at once, which then share the resamples they have in common.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil

import numpy as np

from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator, RandomSubsampling
from errorest.estimation.intervals import folds, holdouts, out_of_bag, percentile
from errorest.estimation.intervals.holdouts import ConservativeZ, CorrectedT
from errorest.estimation.intervals.method import IntervalMethod, IntervalResult, Measured
from errorest.estimation.metrics.metric import ERROR_RATE, LossFunction, Metric, metric_of_loss
from errorest.estimation.run import draw_schemes, predict_schemes
from errorest.learners.base import Inducer
from errorest.spec import Family, settings_of
from errorest.streams import Streams

INTERVALS: Family[IntervalMethod] = Family(
    "interval",
    (
        holdouts.HoldoutWald,
        holdouts.HoldoutWilson,
        holdouts.HoldoutClopperPearson,
        folds.CvKohavi,
        folds.CvWilson,
        folds.LooKohavi,
        folds.CvWald,
        folds.LooWald,
        folds.CvCorrectedT,
        CorrectedT,
        ConservativeZ,
        folds.FiveByTwo,
        folds.NestedCV,
        folds.ReplaceOneCV,
        out_of_bag.OutOfBag,
        out_of_bag.OutOfBag632Plus,
        out_of_bag.SpanOf632Plus,
        out_of_bag.WilsonOf632Plus,
        percentile.BootstrapCaseCV,
        percentile.LocationShifted,
        percentile.TwoStage,
    ),
    "cv-wald(k=10)",
)
"""Interval methods by the name that stands before the parenthesis of an id."""

STATISTIC_INTERVALS: Family[IntervalMethod] = Family(
    "interval of a statistic",
    (
        folds.CvKohavi,
        folds.LooKohavi,
        folds.CvInfluence,
        folds.CvCorrectedT,
        folds.CvHanleyMcNeil,
        folds.CvBoyd,
        holdouts.HoldoutWilson,
        holdouts.HoldoutClopperPearson,
        holdouts.HoldoutInfluence,
        folds.HoldoutHanleyMcNeil,
        folds.HoldoutBoyd,
        holdouts.HoldoutDeLong,
        CorrectedT,
        ConservativeZ,
        percentile.BootstrapCaseCV,
        percentile.LocationShifted,
        percentile.TwoStage,
    ),
    "cv-influence(k=10)",
)
"""Intervals that statistics (metrics that are no mean of losses, such as the AUC) may have, by name."""


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
    >>> from errorest.learners import KNN
    >>> s = Sample.from_arrays(np.arange(8.0), list("aababbab"))
    >>> r = interval(s, KNN(1), "cv-wald(k=4)", np.random.default_rng(0))
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
    >>> from errorest.learners import Majority
    >>> s = Sample.from_arrays(np.arange(8.0), list("aababbab"))
    >>> sorted(intervals(s, Majority(), ["oob", "632+"], np.random.default_rng(0)))
    ['632+(replicates=200)', 'oob(replicates=200)']
    """
    wanted = [parse_interval(m) if isinstance(m, str) else m for m in methods]
    metric = metric_of_loss(loss, sample.n_classes)
    for method in wanted:
        method.check(sample, confidence, zero_one=metric.zero_one)
    streams = rng if isinstance(rng, Streams) else Streams.from_generator(rng)
    sampled = draw_schemes(sample, [s for m in wanted for s in m.schemes], streams)
    outcomes = {s: o.under(metric) for s, o in predict_schemes(sample, inducer, sampled, streams).items()}
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


def registry_of(metric: Metric) -> Family[IntervalMethod]:
    """Return the intervals of a metric by name: those of means of losses, or of statistics."""
    return INTERVALS if metric.decomposable else STATISTIC_INTERVALS


def parse_interval(text: str, metric: Metric = ERROR_RATE) -> IntervalMethod:
    """Read an interval method of a metric from its id.

    Parameters
    ----------
    text : str
        A name of :data:`INTERVALS`, or of :data:`STATISTIC_INTERVALS` for a statistic, with settings in parentheses,
        such as ``corrected-t(splits=25, ratio=0.9)``.
    metric : Metric

    Raises
    ------
    UsageError
        If the name or a setting is unknown, a value is of the wrong type, or a statistic cannot have the interval.

    Examples
    --------
    >>> parse_interval("corrected-t(splits=25, ratio=0.9)").id
    'corrected-t(splits=25, ratio=9/10)'
    """
    method = registry_of(metric).parse(text)
    if not metric.decomposable and not method.legal_for(metric):
        legal = [name for name, make in STATISTIC_INTERVALS.items() if make().legal_for(metric)]
        raise UsageError(
            f"interval {method.id} is not legal with score {metric.id}; expected one of {', '.join(legal)}; choose one "
            "of these"
        )
    return method


def fitting_interval(text: str, estimator: Estimator, metric: Metric, n: int) -> IntervalMethod:
    """Read an interval; one without settings takes those of the estimator, so that they share classifiers."""
    method = parse_interval(text, metric)
    if "=" in text or not method.legal_with(estimator):
        return method
    own, known = ({f.name for f in settings_of(type(one))} for one in (estimator, method))
    shared = {key: getattr(estimator, key) for key in known & own}
    if isinstance(estimator, RandomSubsampling) and "splits" in known and estimator.repeats > 1:
        test = Fraction(estimator.test)
        shared = {"splits": estimator.repeats, "ratio": 1 - (test if 0 < test < 1 else Fraction(ceil(test), n))}
    return type(method)(**shared)
