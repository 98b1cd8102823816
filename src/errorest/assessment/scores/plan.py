"""Which estimator and which interval for a score: what a person asked for, matched and made legal."""

from __future__ import annotations

from typing import Any

from errorest.assessment.arrangement import check_folds, unit_sample
from errorest.assessment.estimate import planned
from errorest.assessment.inputs import Problem
from errorest.assessment.plan import Plan, checked_estimator
from errorest.assessment.splitters import OfSplitter, is_splitter
from errorest.errors import UsageError
from errorest.estimation.estimators import CrossValidation, Estimator, RandomSubsampling
from errorest.estimation.scores.intervals import SCORE_INTERVALS, fitting_interval, parse_score_interval
from errorest.estimation.scores.method import StatisticInterval
from errorest.estimation.scores.outcomes import check_estimator_of
from errorest.estimation.scores.score import Score
from errorest.estimation.scores.statistics import Auc
from errorest.streams import Streams

__all__ = ["default_of_statistics", "plan_score"]


def default_of_statistics() -> CrossValidation:
    """Return what estimates a statistic where nobody says how.

    Examples
    --------
    >>> default_of_statistics().id
    'cv(k=5, stratified=True)'
    """
    return CrossValidation(5, stratified=True)


def plan_score(problem: Problem, score: Score, estimator: Any, interval: Any, streams: Streams) -> Plan:
    """Match estimator and interval for a score.

    A mean of losses takes those of the error rate.  For a statistic ``"auto"`` is stratified 5-fold cross-validation,
    and the interval that costs no further fit.

    Parameters
    ----------
    problem : Problem
    score : Score
    estimator, interval
        As :func:`~errorest.assessment.scores.estimate.estimate_score`.
    streams : Streams
        For a splitter that shuffles without a random state.

    Returns
    -------
    Plan

    Raises
    ------
    UsageError
        If a name is unknown, or estimator, interval, score and groups are not legal together.

    Examples
    --------
    >>> from errorest.assessment.inputs import prepare
    >>> from errorest.estimation.scores import parse_score
    >>> problem = prepare("knn", [[0.0], [1.0], [4.0], [5.0]] * 3, ["a", "a", "b", "b"] * 3)
    >>> plan = plan_score(problem, parse_score("auc"), "cv(k=4)", "auto", Streams(1))
    >>> plan.estimator.id, plan.method.id
    ('cv(k=4)', 'cv-influence(k=4)')
    """
    if score.additive or is_splitter(estimator) or isinstance(estimator, OfSplitter):
        plain = interval if score.additive or not isinstance(interval, str) else None
        plan = planned(problem, estimator, plain, streams, zero_one=False)
        if not score.additive and interval not in (None, "auto"):
            raise UsageError(
                f"interval {interval} was named beside a splitter and score {score.id}; expected none, since no "
                "interval of this score knows a splitter's splits; name a scheme of ours such as cv(k=10)"
            )
    else:
        plan = _plan_of_statistic(problem, score, estimator, interval)
    if plan.estimator is not None:
        check_estimator_of(score, plan.estimator)
    return plan


def _plan_of_statistic(problem: Problem, score: Score, estimator: Any, interval: Any) -> Plan:
    named = not (isinstance(estimator, str) and estimator == "auto")
    wanted = checked_estimator(estimator) if named else default_of_statistics()
    check_estimator_of(score, wanted)
    method: StatisticInterval | None
    if interval is None:
        method = None
    elif isinstance(interval, str) and interval == "auto":
        method = _automatic(wanted, score)
    elif isinstance(interval, StatisticInterval):
        method = parse_score_interval(interval.id, score)
    elif not isinstance(interval, str):
        raise UsageError(
            f"interval = {interval!r} was given; expected 'auto', None or one of {', '.join(SCORE_INTERVALS)}; "
            "see: errorest scores"
        )
    else:
        method = fitting_interval(interval, wanted, score) if named else parse_score_interval(interval, score)
    own: Estimator | None = wanted
    if method is not None and not named:
        # one that draws for itself has an estimate of its own
        own = method.surrounds if set(method.surrounds.schemes) <= set(method.schemes) else None
    grouped = problem.groups is not None
    if method is not None and grouped and not method.counts_groups:
        if interval != "auto":
            able = [n for n, made in SCORE_INTERVALS.items() if made.counts_groups and made().legal_for(score)]
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


def _automatic(estimator: Estimator, score: Score) -> StatisticInterval | None:
    match estimator:
        case CrossValidation() if estimator.repeats == 1 and estimator.k != "n":
            return fitting_interval("cv-influence", estimator, score)
        case RandomSubsampling() if estimator.repeats > 1:
            return fitting_interval("corrected-t", estimator, score)
        case RandomSubsampling() if score.name == Auc.name:
            return fitting_interval("holdout-delong", estimator, score)
    return None
