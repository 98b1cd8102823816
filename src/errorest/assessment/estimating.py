"""Estimate the error rate, mean cost or score of a classifier on the user's data, with an interval and warnings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from math import isnan
from typing import Any

import numpy as np

from errorest.assessment.cautions import cautions
from errorest.assessment.estimates import ErrorEstimate, ScoreEstimate, result_of
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring, measure_of
from errorest.assessment.options import Options
from errorest.assessment.plan import Plan, aim_of, class_sizes, plan_measure
from errorest.assessment.result import ConfidenceInterval, Fits
from errorest.assessment.runs import RunOutcomes, check_response
from errorest.errors import UsageError
from errorest.estimation.intervals import IntervalMethod, IntervalResult, Measured
from errorest.estimation.intervals.coverage_table import (
    MeasuredCoverage,
    binomial_coverage,
    measured_coverage,
    measured_coverage_of_score,
)
from errorest.estimation.intervals.holdouts import HoldoutWilson
from errorest.estimation.intervals.method import NO_WIDTH
from errorest.estimation.metrics.metric import Statistic
from errorest.streams import Seed


def estimate(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    method: Any = "auto",
    interval: Any = "auto",
    rng: Seed | None = None,
    groups: Any = None,
    stratify: Any = None,
    scoring: Any = "error",
    pos_label: Any = None,
    error_score: Any = "raise",
    confidence_level: float = 0.95,
    encode: bool = False,
    n_jobs: int = 1,
    threads: int | None = 1,
    progress: bool = False,
    ignore: Iterable[str] | str = (),
) -> ErrorEstimate | ScoreEstimate:
    """Estimate the error rate, the mean cost or a score of the classifier trained on a sample.

    Parameters
    ----------
    model : scikit-learn classifier or pipeline, inducer, or str
        A name such as ``"naive-bayes"`` or ``"knn(k=3)"``, with scikit-learn's defaults and standardized attributes
        for distances, an import path, or an object.  It is never changed.
        Where a score needs probabilities, the classifier has ``predict_proba``.
    X : array-like or DataFrame, shape (n, d), sparse matrix, or Sample (then without y)
        Text and missing values suit inducers that take them, and pipelines that encode them.
    y : array-like, shape (n,)
        Class labels of any kind.
    method : "auto", str, int, Estimator, scikit-learn splitter, or list of (train, test) pairs
        How to estimate.  ``"auto"`` is ``632+(replicates=200)`` for errors and costs, with more replicates from 200
        cases on, and ``cv(k=10, stratified=True)`` where the bootstrap samples would take more than a gibibyte, from
        about 26,000 cases on; ``holdout(test=1/5, repeats=25)`` for Brier score and log loss (with groups as for
        errors); ten repeats of stratified 10-fold cross-validation, averaged over the folds, for the AUC (fewer folds
        where the rarest class has fewer cases), and pooled for the average precision; ``cv(k=5, stratified=True)`` for
        other scores; or the estimate that belongs to the interval where one is named.
        A whole number k is ``cv(k=k, stratified=True)``: stratified by class, as scikit-learn's ``cv=k`` is for
        classifiers, but shuffled.  Of a splitter, or of the pairs that it yields, the splits are averaged.
    interval : "auto", str, IntervalMethod, or None
        ``"auto"`` takes the interval that the method's own classifiers yield, where there is one; by ``632+`` it is
        ``632+wilson`` for the error rate, which has width where no error was seen, and ``632+span`` for costs.  For
        scores that are no mean over cases: one of :data:`~errorest.estimation.intervals.STATISTIC_INTERVALS`, by
        default ``cv-hanley-mcneil`` for AUCs and ``cv-boyd`` for the average precision, both undefined with fewer than
        four cases of the smallest class, and Wilson's limits (``kohavi``) for sensitivity, specificity and balanced
        accuracy.  Splits in the order of time have none.
    rng : int, numpy.random.Generator or RandomState, optional
        By default a seed is drawn, and is part of the result.  Of a RandomState four numbers are drawn that seed a
        Generator.
    groups : array-like, shape (n,), optional
        Cases of one group stay together; groups are resampled in place of cases.
    stratify : array-like, shape (n,), or "class", optional
        What folds, holdouts and bootstrap samples keep in proportion.
    scoring : str, mapping, table, callable, Metric or scikit-learn scorer
        ``"error"`` is the error rate.  Costs: ``"balanced"`` gives all classes the same weight; ``{"fn": 5, "fp": 1}``
        or a cost for each class; a row for each true class and a column for each answer, or the ``.csv`` file that has
        them; ``loss(true, predicted)`` of two arrays of labels; see :func:`~errorest.assessment.costs.read_costs`.
        Scores: ``brier``, ``log-loss``, ``auc``, ``macro-auc`` (of several classes), ``average-precision``,
        ``balanced-accuracy``, ``mcc``, ``f1``, ``macro-f1``, ``sensitivity``, ``specificity``, ``calibration-slope`` or
        ``calibration-intercept``; those of labels perhaps with a threshold: ``"sensitivity(threshold=0.3)"``.
        A scorer of scikit-learn, or its name, where one of these is the same number up to its sign: ``"roc_auc"``,
        ``"roc_auc_ovr"``, ``"average_precision"``, ``"neg_brier_score"``, ``"neg_log_loss"``, ``"balanced_accuracy"``,
        ``"matthews_corrcoef"``, ``"f1"``, ``"f1_macro"``, ``"recall"`` (sensitivity), ``"accuracy"`` (of which the
        error rate is given).
    pos_label : label, optional
        The class that AUC, average precision, F1, sensitivity, specificity, calibration and thresholds are about; by
        default the last of two in sorted order.  With more classes it must be named, and is held against all others.
    error_score : "raise" or numpy.nan
        Whether a resample on which ``fit`` fails stops everything, or is left out with a warning.
    confidence_level : float
        Of the interval, a proportion.
    encode : bool
        For a scikit-learn classifier: one-hot text and fill missing values inside every training set.
    n_jobs : int
        Workers for a scikit-learn classifier (-1: all cores); changes no result.
    threads : int or None
        Threads of BLAS and OpenMP that a fit of a scikit-learn classifier may take; None: no limit.
    progress : bool
        Show a progress bar on standard error.
    ignore : iterable of str, or str
        Ids of warnings that are switched off, such as ``"E203"``; :data:`~errorest.assessment.caution.CAUTIONS`.

    Returns
    -------
    ErrorEstimate or ScoreEstimate

    Raises
    ------
    UsageError
        If a name is unknown, data, classifier, method, interval and scoring do not fit one another, the classifier has
        no probabilities that the score needs, or a fit fails.

    Notes
    -----
    A resample that tests one class alone has no AUC (nor any other statistic that rests on both): it is left out of
    the mean, and counted in the warnings.  A training set of one class makes a classifier that is certain of it.

    References
    ----------
    Efron & Tibshirani (1997) for .632+ of any loss; Parker, Guenter & Bedo (2007) for why AUCs of folds are averaged
    and not pooled; Hanley & McNeil (1982) for their interval.

    Examples
    --------
    >>> X = [[0.1], [0.4], [0.5], [0.9], [1.2], [1.5], [1.7], [2.0], [0.3], [1.1]]
    >>> y = ["low", "low", "high", "low", "high", "high", "low", "high", "low", "high"]
    >>> e = estimate("knn", X, y, rng=7)
    >>> e.estimator, e.n_fits, e.interval.low < e.estimate < e.interval.high
    ('632+(replicates=200)', 201, True)
    >>> found = estimate("naive-bayes", X, y, scoring="auc", rng=7)
    >>> found.estimator, found.pos_label, found.interval.low < found.estimate <= 1
    ('cv(k=5, repeats=10, stratified=True, weights=folds)', 'low', True)
    """
    options = Options.of(rng, confidence_level, ignore, n_jobs, threads, progress=progress, error_score=error_score)
    problem = options.prepare(model, X, y, groups, stratify, encode=encode)
    measure = measure_of(problem, scoring, pos_label)
    check_response(problem, measure.metric)
    plan = plan_measure(problem, measure, method, interval, options.streams)
    ran = options.run(problem, plan.schemes, measure.bound)
    value, se, shown = _reduced(plan, problem, ran, measure, confidence_level)
    schemes = plan.schemes if measure.score is None or plan.estimator is None else plan.estimator.schemes
    sizes = {s: ran.sizes[s] for s in schemes}
    fits = [Fits(s.id, each.size, float(each.sum()) / max(1, each.size)) for s, each in sizes.items()]
    return result_of(
        problem,
        measure,
        replace(ran, outcomes={s: ran.outcomes[s] for s in schemes}),
        estimate=value,
        interval=shown,
        standard_error=se,
        estimator=_estimator_id(plan, problem, ran, measure, value),
        fits=tuple(fits),
        n_fits=sum(f.rows for f in fits),
        confidence=confidence_level,
        coverage=coverage_of(plan.method, problem, measure, shown, value),
        **options.fields(cautions(problem, plan, ran, shown, value, measure, wanted=interval is not None)),
        **problem.fields,
    )


def coverage_of(
    method: IntervalMethod | None, problem: Problem, measure: Scoring, shown: ConfidenceInterval | None, value: float
) -> MeasuredCoverage | None:
    """Look up the coverage of an interval for error rates, or of the default interval of a score; of cases alone."""
    metric, n_classes = measure.metric, problem.sample.n_classes
    if shown is None or method is None or isnan(shown.low) or problem.groups is not None:
        return None
    found = None
    if measure.score is None:
        if metric.zero_one:
            found = measured_coverage(method, problem.n, value, problem.inducer, shown.confidence)
    elif (n_classes == 2 or metric.ranks) and getattr(method, "weights", metric.weights) == metric.weights:
        sizes = class_sizes(problem, measure.bound).tolist()
        kind = (metric.name, method.id, method.target, sizes, problem.inducer, shown.confidence)
        found = measured_coverage_of_score(*kind)
    of_one_class = isinstance(metric, Statistic) and len(metric.recalled(n_classes)) == 1
    if isinstance(method, HoldoutWilson) and (metric.zero_one or of_one_class) and not (found and found.lines):
        return binomial_coverage(f"{method.holds} {shown.share}", method.target, measure.noun)
    return found


def _reduced(
    plan: Plan, problem: Problem, ran: RunOutcomes, measure: Scoring, confidence: float
) -> tuple[float, float | None, ConfidenceInterval | None]:
    """Return the estimate, its standard error and its interval, in the unit of the metric."""
    method, stands_for = plan.method, dict(plan.stands_for)
    outcomes = {**ran.outcomes, **{mine: ran.outcomes[theirs] for mine, theirs in stands_for.items()}}
    units = {**ran.units, **{mine: ran.units[theirs] for mine, theirs in stands_for.items() if theirs in ran.units}}
    loss = None if plan.estimator is None else float(plan.estimator.reduce(problem.sample, outcomes))
    if method is None or (method.needs_all_rows and any(stands_for.get(s, s) in ran.failures for s in method.schemes)):
        if loss is None:
            raise UsageError(
                f"interval {method.id if method else ''} needs all its resamples, and the classifier failed on some; "
                "name a method such as cv(k=10)"
            )
        return measure.value(loss), None, None
    # a splitter's resamples replace those of the method
    trained = ran.sizes[stands_for.get(method.schemes[0], method.schemes[0])]
    aim = re.sub(r"\berror\b", measure.noun, aim_of(method, problem.n, float(trained.mean())))
    of = Measured(problem.sample, outcomes, confidence, groups=problem.groups, units=units)
    found, shown = interval_shown(method, of, loss, measure, aim)
    value = found.estimate if loss is None else measure.value(loss)
    return value, None if np.isnan(found.se) else float(found.se), shown


def interval_shown(
    method: IntervalMethod, of: Measured, loss: float | None, measure: Scoring, aim: str
) -> tuple[IntervalResult, ConfidenceInterval]:
    """Return the interval as the method has it, and about an estimate (as a loss), within what is possible."""
    found = method.result(of, loss)
    value = found.estimate if loss is None else measure.value(loss)
    # the same resamples may be averaged in another way; an interval that is even about the one is so about the other
    shift = value - found.estimate if method.even else 0.0
    low, high = found.low + shift, found.high + shift
    if not (isnan(low) or isnan(high)):
        least, most = measure.bounds()
        low, high = (min(most, max(least, v)) for v in (low, high))
    degenerate = found.degenerate or high - low <= NO_WIDTH
    others = None if found.beside is None else (float(found.beside.low), float(found.beside.high))
    of_the_interval = (found.method, method.target, aim, found.confidence, degenerate, others, found.note)
    return found, ConfidenceInterval(low, high, *of_the_interval, found.monte_carlo, measure.percent)


def _estimator_id(plan: Plan, problem: Problem, ran: RunOutcomes, measure: Scoring, value: float) -> str:
    """Name what made the estimate: an estimator of the library, or an interval that has its own."""
    if plan.estimator is not None:
        return plan.estimator.id
    assert plan.method is not None
    for own in plan.method.estimators_sharing if measure.metric.decomposable else ():
        if abs(own.reduce(problem.sample, ran.outcomes) - value) <= 1e-9 * abs(value):
            return own.id
    return f"the estimate of {plan.method.id}"
