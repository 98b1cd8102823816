"""Which estimator and which interval for a score: what a person asked for, matched and made legal."""

from __future__ import annotations

from typing import Any

import numpy as np

from errorest.assessment.arrangement import check_folds
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Measure
from errorest.assessment.plan import Plan, checked_estimator, planned
from errorest.assessment.splitters import OfSplitter, is_splitter
from errorest.errors import UsageError
from errorest.estimation.estimators import CrossValidation, Estimator, RandomSubsampling, check_estimator_of
from errorest.estimation.groups import unit_sample
from errorest.estimation.intervals import (
    STATISTIC_INTERVALS,
    IntervalMethod,
    fitting_interval,
    parse_statistic_interval,
)
from errorest.estimation.metrics.metric import BoundMetric, Metric
from errorest.estimation.metrics.statistics import Auc
from errorest.streams import Streams

__all__ = ["both_classes", "default_of_score", "plan_measure", "ranking_folds", "ranks", "smaller_class", "suited_to"]


def ranks(score: Metric | None) -> bool:
    """Whether a score compares cases with one another, so that answers of several classifiers must not be pooled."""
    return score is not None and score.name == Auc.name


def ranking_folds(problem: Problem, positive: int, most: int = 10, repeats: int = 10) -> CrossValidation:
    """Return the folds for a score of rankings: stratified, no more than cases of the rarer class, averaged.

    Ten repeats of ten folds where there are so many cases of the smaller class.
    Pooling the answers of several folds ranks cases by the class shares of their training sets, which biases the AUC
    downwards, and more for some classifiers than for others (Parker, Guenter & Bedo, 2007).
    """
    smaller = smaller_class(problem, positive)
    if smaller < 2:
        units = "cases" if problem.groups is None else "groups"
        raise UsageError(
            f"a class has fewer than 2 {units}; a score that ranks needs 2 of each class, one to train on and one to "
            "test; collect more, or take the error rate"
        )
    # folds keep the most frequent classes of groups in proportion
    of_one = unit_sample(problem.sample, problem.groups).y == positive
    rarer = int(min(of_one.sum(), (~of_one).sum()))
    return CrossValidation(max(2, min(most, rarer)), repeats, True, "folds")


def smaller_class(problem: Problem, positive: int) -> int:
    """Count the cases, or groups, of the positive class or of the others, whichever are fewer."""
    return min(both_classes(problem, positive))


def both_classes(problem: Problem, positive: int) -> tuple[int, int]:
    """Count the cases of the positive class and of the others; with groups, the groups that have a case of either."""
    of_one = problem.sample.y == positive
    units = np.arange(problem.n) if problem.groups is None else problem.groups
    one, others = (np.unique(units[chosen]).size for chosen in (of_one, ~of_one))
    return one, others


def suited_to(
    question: BoundMetric, problem: Problem, plain: Estimator, most: int = 10, repeats: int = 10
) -> Estimator:
    """Return :func:`ranking_folds` for a score of rankings, else a plain estimator."""
    if ranks(question.metric):
        return ranking_folds(problem, question.positive, most, repeats)
    return plain


def default_of_score(problem: Problem, question: BoundMetric) -> Estimator:
    """Return what estimates a statistic where nobody says how."""
    return suited_to(question, problem, CrossValidation(5, stratified=True))


def plan_measure(problem: Problem, measure: Measure, estimator: Any, interval: Any, streams: Streams) -> Plan:
    """Match estimator and interval for a metric."""
    if measure.score is not None:
        return _plan_score(problem, measure.bound, estimator, interval, streams)
    plan = planned(problem, estimator, interval, streams, measure.zero_one)
    if not measure.zero_one and any(s.cloned for s in plan.schemes):
        raise UsageError(
            "costs and clones were asked for; expected scoring='error', since clones count errors; name a method "
            "without clones, or leave out scoring"
        )
    return plan


def _plan_score(problem: Problem, question: BoundMetric, estimator: Any, interval: Any, streams: Streams) -> Plan:
    """Match estimator and interval for a score.

    A mean of losses takes those of the error rate.  For a statistic ``"auto"`` is :func:`default_of_score`, and the
    interval that costs no further fit.
    """
    score = question.metric
    if score.decomposable or is_splitter(estimator) or isinstance(estimator, OfSplitter):
        plain = interval if score.decomposable or not isinstance(interval, str) else None
        plan = planned(problem, estimator, plain, streams, zero_one=False)
        if not score.decomposable and interval not in (None, "auto"):
            raise UsageError(
                f"interval {interval} was named beside a splitter and score {score.id}; expected none, since no "
                "interval of this score knows a splitter's splits; name a scheme of ours such as cv(k=10)"
            )
    else:
        plan = _plan_of_statistic(problem, question, estimator, interval)
    if plan.estimator is not None:
        check_estimator_of(score, plan.estimator)
    return plan


def _plan_of_statistic(problem: Problem, question: BoundMetric, estimator: Any, interval: Any) -> Plan:
    score = question.metric
    named = not (isinstance(estimator, str) and estimator == "auto")
    wanted = checked_estimator(estimator) if named else default_of_score(problem, question)
    check_estimator_of(score, wanted)
    method: IntervalMethod | None
    if interval is None:
        method = None
    elif isinstance(interval, str) and interval == "auto":
        method = _automatic(wanted, score)
    elif isinstance(interval, IntervalMethod):
        method = parse_statistic_interval(interval.id, score)
    elif not isinstance(interval, str):
        raise UsageError(
            f"interval = {interval!r} was given; expected 'auto', None or one of {', '.join(STATISTIC_INTERVALS)}; "
            "see: errorest scores"
        )
    else:
        method = fitting_interval(interval, wanted, score) if named else parse_statistic_interval(interval, score)
    own: Estimator | None = wanted
    if method is not None and not named:
        # one that draws for itself has an estimate of its own
        own = method.surrounds if set(method.surrounds.schemes) <= set(method.schemes) else None
    grouped = problem.groups is not None
    if method is not None and grouped and not method.counts_groups:
        if interval != "auto":
            able = [n for n, made in STATISTIC_INTERVALS.items() if made.counts_groups and made().legal_for(score)]
            raise UsageError(
                f"interval {method.id} takes cases for independent, and groups were given; expected one that can count "
                f"groups: {', '.join(able)}; choose one of these, or interval=None"
            )
        method = None
    units = unit_sample(problem.sample, problem.groups)
    for scheme in own.schemes if own is not None else ():
        check_folds(scheme, units.n, grouped=grouped)
    if method is not None:
        method.check(units, zero_one=False)
    return Plan(own, method)


def _automatic(estimator: Estimator, score: Metric) -> IntervalMethod | None:
    match estimator:
        case CrossValidation() if estimator.k == "n":
            return None
        case CrossValidation() if estimator.weights == "folds" and estimator.stratified and ranks(score):
            return fitting_interval("cv-hanley-mcneil", estimator, score)
        case CrossValidation() if estimator.weights == "folds" and estimator.repeats > 1:
            return fitting_interval("cv-corrected-t", estimator, score)
        case CrossValidation() if estimator.repeats == 1:
            return fitting_interval("cv-influence", estimator, score)
        case RandomSubsampling() if estimator.repeats > 1:
            return fitting_interval("corrected-t", estimator, score)
        case RandomSubsampling() if score.name == Auc.name:
            return fitting_interval("holdout-delong", estimator, score)
    return None
