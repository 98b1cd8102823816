"""The error rate of a person's classifier on a person's data, with an interval and what to beware of.

:func:`estimate` checks the data, matches estimator and interval, makes all classifiers once and
reduces their losses.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from math import isnan
from typing import Any

import numpy as np

from errorest.assessment.arrangement import check_folds
from errorest.assessment.caution import Caution, checked_ids, heeded
from errorest.assessment.cautions import cautions
from errorest.assessment.classifiers import OwnClassifier
from errorest.assessment.costs import Costs
from errorest.assessment.estimates import ErrorEstimate
from errorest.assessment.inputs import Problem, prepare
from errorest.assessment.measure import Measure, best_constant, measure_of
from errorest.assessment.plan import Plan, aim_of, make_plan
from errorest.assessment.progress import teller
from errorest.assessment.result import ConfidenceInterval, Fits
from errorest.assessment.runs import OnFailure, Ran, run
from errorest.assessment.splitters import OfSplitter, is_splitter
from errorest.assessment.tables import Tables
from errorest.assessment.threads import checked_threads, limited
from errorest.errors import UsageError
from errorest.estimation.groups import unit_sample
from errorest.estimation.intervals import IntervalMethod, IntervalResult, Measured
from errorest.estimation.intervals.promise import MeasuredCoverage, measured_coverage
from errorest.estimation.metrics.metric import CaseMetric
from errorest.estimation.proportions import check_confidence
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

__all__ = [
    "checked_on_failure",
    "estimate",
    "estimator_id",
    "fits_of_schemes",
    "on_cores",
    "planned",
    "reduced",
    "streams_of",
]

def estimate(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    method: Any = "auto",
    interval: Any = "auto",
    rng: np.random.Generator | int | None = None,
    groups: Any = None,
    stratify: Any = None,
    scoring: Any = "0/1",
    error_score: OnFailure = "raise",
    confidence_level: float = 0.95,
    encode: bool = False,
    n_jobs: int = 1,
    threads: int | None = 1,
    progress: bool = False,
    ignore: Iterable[str] | str = (),
) -> ErrorEstimate:
    """Estimate the error rate of the classifier that is made of a sample.

    Parameters
    ----------
    model : scikit-learn classifier or pipeline, inducer, or str
        A name such as ``"naive-bayes"`` or ``"knn(k=3)"``, an import path, or an object.  It is never changed.
    X : array-like or DataFrame, shape (n, d), sparse matrix, or Sample (then without y)
        Text and missing values suit inducers that take them, and pipelines that encode them.
    y : array-like, shape (n,)
        Class labels of any kind.
    method : "auto", str, Estimator, or scikit-learn splitter
        ``"auto"`` is ``632+(replicates=200)``, with more replicates from 200 cases on, or the estimate that belongs
        to the interval where one is named.
    interval : "auto", str, IntervalMethod, or None
        ``"auto"`` takes the interval that the estimator's own classifiers yield, where there is one.
    rng : numpy.random.Generator or int, optional
        By default a seed is drawn, which the result tells.
    groups : array-like, shape (n,), optional
        Cases of one group stay together; groups are resampled in place of cases.
    stratify : array-like, shape (n,), or "class", optional
        What folds, holdouts and bootstrap samples keep in proportion.
    scoring : "0/1", "balanced", mapping, table or callable
        What a wrong answer costs: the same; the same for every class in all; ``{"fn": 5, "fp": 1}`` or a cost for
        each class; a row for each true class and a column for each answer, or the ``.csv`` file that has them; or
        ``loss(true, predicted)`` of two arrays of labels.  See :func:`~errorest.assessment.costs.read_costs`.
    error_score : {"raise", "skip"}
        Whether a resample on which ``fit`` fails stops everything, or is left out and told of.
    confidence_level : float
        Of the interval, a proportion.
    encode : bool
        For a scikit-learn classifier: one-hot text and fill missing values inside every training set.
    n_jobs : int
        Workers for a scikit-learn classifier (-1: all cores); changes no result.
    threads : int or None
        Threads of BLAS and OpenMP that a fit of a scikit-learn classifier may take; None: as many as they like.
    progress : bool
        Show a bar on standard error.
    ignore : iterable of str, or str
        Ids of cautions that are switched off, such as ``"E203"``; :data:`~errorest.assessment.caution.CAUTIONS`.

    Returns
    -------
    ErrorEstimate

    Raises
    ------
    UsageError
        If data, classifier, estimator and interval do not fit one another, or a fit fails.

    References
    ----------
    Efron & Tibshirani (1997) for the default.

    Examples
    --------
    >>> X = [[0.1], [0.4], [0.5], [0.9], [1.2], [1.5], [1.7], [2.0]]
    >>> y = ["low", "low", "high", "low", "high", "high", "low", "high"]
    >>> e = estimate("knn", X, y, rng=7)
    >>> e.estimator, e.n_fits, e.interval.low < e.estimate < e.interval.high
    ('632+(replicates=200)', 201, True)
    """
    began = time.perf_counter()
    most = checked_threads(threads)
    problem = prepare(model, X, y, groups=groups, strata=stratify, encode=encode, jobs=on_cores(n_jobs), threads=most)
    check_confidence(confidence_level)
    ignored = checked_ids(ignore)
    measure = measure_of(problem, scoring)
    costs = measure.costs
    streams, seed = streams_of(rng)
    plan = planned(problem, method, interval, streams, costs.loss.zero_one)
    _check_plan(plan, problem, confidence_level, costs.loss)
    told = teller(problem.inducer.id) if progress else None
    failure = checked_on_failure(error_score)
    with limited(most if isinstance(problem.inducer, OwnClassifier) else None):
        ran = run(problem, plan.schemes, streams, metric=measure.bound, on_failure=failure, told=told)
    value, found, shown = reduced(plan, problem, ran, measure, confidence_level)
    notes = cautions(problem, plan, ran, shown, value)
    if shown is None and interval is not None:
        notes += (_no_interval(plan, ran),)
    own = dict(ran.outcomes)
    constant, bar = best_constant(problem, costs.loss)
    fits = fits_of_schemes(own, ran, problem.n)
    return ErrorEstimate(
        estimate=value,
        interval=shown,
        standard_error=None if found is None or np.isnan(found.se) else float(found.se),
        estimator=estimator_id(plan, problem, ran, measure, value),
        majority_error=bar,
        fits=fits,
        n_fits=sum(f.rows for f in fits),
        seconds=time.perf_counter() - began,
        warnings=heeded(notes, ignored),
        seed=seed,
        zero_one=costs.loss.zero_one,
        loss=costs.kind,
        costs=costs.told,
        constant=problem.sample.classes[constant],
        confidence=confidence_level,
        coverage=_promise(plan, problem, shown, costs),
        _tables=Tables(own, problem.sample.y, problem.labels, problem.cases, problem.groups),
        **problem.fields,
    )


def _promise(plan: Plan, problem: Problem, shown: ConfidenceInterval | None, costs: Costs) -> MeasuredCoverage | None:
    if shown is None or plan.method is None or problem.groups is not None or not costs.loss.zero_one:
        return None
    return measured_coverage(plan.method, problem.n, problem.inducer, shown.confidence)


def reduced(
    plan: Plan, problem: Problem, ran: Ran, measure: Measure, confidence: float
) -> tuple[float, IntervalResult | None, ConfidenceInterval | None]:
    """Return the estimate, the interval as its method gives it, and as it is shown, in the unit of the metric."""
    method = plan.method
    outcomes = {**ran.outcomes, **{mine: ran.outcomes[theirs] for mine, theirs in plan.stands_for}}
    loss = None if plan.estimator is None else float(plan.estimator.reduce(problem.sample, outcomes))
    found = None
    if method is not None and not (method.needs_all_rows and any(s in ran.failures for s in method.schemes)):
        found = method.result(
            Measured(problem.sample, outcomes, confidence, groups=problem.groups, units=ran.units), loss
        )
    value = _own_estimate(plan, found) if loss is None else measure.value(loss)
    if found is None or method is None:
        return value, found, None
    # a splitter's resamples stand for the method's own
    serves = dict(plan.stands_for).get(method.schemes[0], method.schemes[0])
    aim = aim_of(method, problem.n, float(ran.sizes[serves].mean()))
    return value, found, _shown(found, method, value, measure, aim)


def _own_estimate(plan: Plan, found: IntervalResult | None) -> float:
    """Return the estimate of an interval that was named alone."""
    if found is None:
        raise UsageError(
            f"interval {plan.method.id if plan.method else ''} needs all its resamples, and the classifier failed "
            "on some; expected a classifier that can be trained on each; name an estimator such as cv(k=10)"
        )
    return found.estimate


def _check_plan(plan: Plan, problem: Problem, confidence: float, cost: CaseMetric) -> None:
    if not cost.zero_one and any(s.cloned for s in plan.schemes):
        raise UsageError(
            "a loss of your own and clones were asked for; expected the 0/1 loss, since clones count errors; name an "
            "estimator without clones, or loss='0/1'"
        )
    if plan.method is not None:
        plan.method.check(unit_sample(problem.sample, problem.groups), confidence, zero_one=cost.zero_one)


def estimator_id(plan: Plan, problem: Problem, ran: Ran, measure: Measure, value: float) -> str:
    """Name what made the estimate: an estimator of the library, or an interval that has its own."""
    if plan.estimator is not None:
        return plan.estimator.id
    assert plan.method is not None
    for own in plan.method.estimators_sharing() if measure.metric.decomposable else ():
        if abs(own.reduce(problem.sample, ran.outcomes) - value) <= 1e-9 * abs(value):
            return own.id
    return f"the estimate of {plan.method.id}"


def _shown(
    found: IntervalResult, method: IntervalMethod, value: float, measure: Measure, aim: str
) -> ConfidenceInterval:
    # the same resamples may be averaged in another way; an interval that is even about the one is so about the other
    shift = value - found.estimate if method.even else 0.0
    low, high = found.low + shift, found.high + shift
    if not (isnan(low) or isnan(high)):
        least, most = measure.bounds()
        low, high = (min(most, max(least, v)) for v in (low, high))
    beside = None if found.beside is None else (float(found.beside.low), float(found.beside.high))
    aim = re.sub(r"\berror\b", measure.noun, aim)
    of_the_interval = (found.method, method.target, aim, found.confidence, found.degenerate, beside, found.note)
    return ConfidenceInterval(low, high, *of_the_interval, found.monte_carlo, measure.percent)


def _no_interval(plan: Plan, ran: Ran) -> Caution:
    if plan.method is not None:
        return Caution(
            "E407", f"no interval: {plan.method.id} needs all its resamples, and the classifier failed on some"
        )
    name = plan.estimator.id if plan.estimator is not None else ""
    return Caution(
        "E407", f"no interval belongs to {name}; estimate with 632+ or cv(k=10), or name an interval alone to have both"
    )


def fits_of_schemes(schemes: Iterable[Scheme], ran: Ran, n: int) -> tuple[Fits, ...]:
    """Count the classifiers of each scheme, and the cases that they were trained on."""
    found = []
    for s in schemes:
        sizes = ran.sizes.get(s)
        rows, mean = (s.fits(n), float(n)) if sizes is None else (sizes.size, float(sizes.sum()) / max(1, sizes.size))
        found.append(Fits(s.id, rows, mean))
    return tuple(found)
