"""A score of a person's classifier on a person's data, with an interval and what to beware of.

:func:`estimate_score` is the sibling of :func:`~errorest.assessment.estimate.estimate_error`: the same checks,
resamples and cautions, with probabilities in place of labels where the score needs them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from typing import Any

import numpy as np

from errorest.assessment.answers import Answers
from errorest.assessment.caution import checked_ids, heeded
from errorest.assessment.cautions import cautions
from errorest.assessment.classifiers import OwnClassifier
from errorest.assessment.estimate import checked_on_failure, on_cores, streams_of
from errorest.assessment.estimates import ScoreEstimate
from errorest.assessment.inputs import Problem, prepare
from errorest.assessment.intervals_of_groups import limits_of_groups
from errorest.assessment.plan import Plan, aim_of, estimators_of
from errorest.assessment.progress import teller
from errorest.assessment.result import ConfidenceInterval, Fits
from errorest.assessment.runs import OnFailure, Ran, run
from errorest.assessment.scores.asking import asked_of, scored
from errorest.assessment.scores.plan import plan_score
from errorest.assessment.scores.words import bar_of, of_the_score
from errorest.assessment.threads import checked_threads, limited
from errorest.errors import UsageError, nearest
from errorest.estimation.intervals import IntervalMethod, IntervalResult, Measured
from errorest.estimation.intervals.proportions import check_confidence
from errorest.estimation.scores.method import StatisticInterval, interval_of
from errorest.estimation.scores.outcomes import Question
from errorest.estimation.scores.registry import SCORES, parse_score
from errorest.estimation.scores.score import Score, Statistic

__all__ = ["asked_score", "estimate_score", "positive_of", "speaks_of_one"]


def estimate_score(
    classifier: Any,
    X: Any,
    y: Any = None,
    *,
    score: Any = "brier",
    positive: Any = None,
    estimator: Any = "auto",
    interval: Any = "auto",
    rng: np.random.Generator | int | None = None,
    groups: Any = None,
    strata: Any = None,
    on_failure: OnFailure = "raise",
    confidence: float = 0.95,
    encode: bool = False,
    jobs: int = 1,
    threads: int | None = 1,
    progress: bool = False,
    ignore: Iterable[str] | str = (),
) -> ScoreEstimate:
    """Estimate a score of the classifier that is made of a sample: Brier score, log loss, AUC and others.

    Parameters
    ----------
    classifier, X, y, rng, groups, strata, on_failure, confidence, encode, jobs, threads, progress, ignore
        As :func:`~errorest.assessment.estimate_error`.  Where a score needs probabilities, the classifier has
        ``predict_proba``; naive-bayes, linear-discriminant, knn, c4.5 and id3 have it.
    score : str or Score
        ``brier``, ``log-loss``, ``auc``, ``balanced-accuracy``, ``mcc``, ``f1``, ``sensitivity``, ``specificity``,
        ``calibration-slope`` or ``calibration-intercept``; those of labels perhaps with a threshold:
        ``"sensitivity(threshold=0.3)"``.
    positive : label, optional
        The class that AUC, F1, sensitivity, specificity, calibration and thresholds speak of; by default the last of
        two in sorted order.  With more classes it must be named, and is held against all others.
    estimator : "auto", str, Estimator, or scikit-learn splitter
        ``"auto"`` is that of the error rate for Brier score and log loss.  For the AUC it is the mean of the folds'
        AUCs in ten repeats of stratified 10-fold cross-validation, with fewer folds where the rarer class has fewer
        cases; for other statistics ``cv(k=5, stratified=True)``; or the one that belongs to the interval where that
        is named.
    interval : "auto", str, StatisticInterval, IntervalMethod, or None
        For Brier score and log loss any that is legal with other losses than 0/1, for the others one of
        :data:`~errorest.estimation.scores.SCORE_INTERVALS`.

    Returns
    -------
    ScoreEstimate

    Raises
    ------
    UsageError
        If a name is unknown, the classifier tells no probabilities or none that sum to 1, or data, estimator,
        interval and score do not fit one another.

    Notes
    -----
    A resample that tests one class alone has no AUC (nor any other statistic that rests on both): it is left out of
    the mean, and counted in the warnings.  A training set of one class makes a classifier that is certain of it.

    References
    ----------
    Efron & Tibshirani (1997) for .632+ of any loss; Parker, Guenter & Bedo (2007) for why AUCs of folds are averaged
    and not pooled; Nadeau & Bengio (2003) for their interval.

    Examples
    --------
    >>> X = [[0.1], [0.4], [0.5], [0.9], [1.2], [1.5], [1.7], [2.0], [0.3], [1.1]]
    >>> y = ["low", "low", "high", "low", "high", "high", "low", "high", "low", "high"]
    >>> found = estimate_score("naive-bayes", X, y, score="auc", rng=7)
    >>> found.estimator, found.positive, found.interval.low < found.estimate <= 1
    ('cv(k=5, repeats=10, stratified=True, weights=folds)', 'low', True)
    """
    began = time.perf_counter()
    wanted = asked_score(score)
    most = checked_threads(threads)
    problem = prepare(classifier, X, y, groups=groups, strata=strata, encode=encode, jobs=on_cores(jobs), threads=most)
    check_confidence(confidence)
    ignored = checked_ids(ignore)
    question = Question(wanted, positive_of(problem, wanted, positive), problem.sample.n_classes)
    streams, seed = streams_of(rng)
    asked = asked_of(problem, wanted)
    plan = plan_score(problem, question, estimator, interval, streams)
    told = teller(problem.inducer.id) if progress else None
    with limited(most if isinstance(problem.inducer, OwnClassifier) else None):
        ran = run(asked, plan.schemes, streams, on_failure=checked_on_failure(on_failure), told=told)
    answers = Answers.of(ran, plan, asked, question, problem)
    ran = scored(ran, asked, question)
    value, found, shown = _reduced(plan, problem, ran, question, confidence)
    notes = cautions(problem, plan if wanted.additive else Plan(None, None), ran, None, value)
    notes += of_the_score(question, plan, ran, answers, shown, value, wanted_interval=interval is not None)
    bar, bar_name = bar_of(question, problem.class_counts)
    own = plan.schemes if plan.estimator is None else plan.estimator.schemes
    fits = tuple(_fits(s, ran) for s in own)
    return ScoreEstimate(
        estimate=value,
        interval=shown,
        standard_error=None if found is None or np.isnan(found.se) else float(found.se),
        score=wanted,
        positive=problem.sample.classes[question.positive] if speaks_of_one(wanted) else "",
        estimator=_estimator_id(plan, problem, ran, wanted, value),
        bar=bar,
        bar_name=bar_name,
        fits=fits,
        n_fits=sum(f.rows for f in fits),
        seconds=time.perf_counter() - began,
        warnings=heeded(notes, ignored),
        seed=seed,
        confidence=confidence,
        _answers=answers,
        **problem.fields,
    )


def asked_score(score: Any) -> Score:
    """Return a score that was named or made."""
    if isinstance(score, Score):
        return score
    if isinstance(score, str):
        return parse_score(score)
    raise UsageError(f"score = {score!r} was given; expected one of {', '.join(SCORES)}; see: errorest scores")


def speaks_of_one(score: Score) -> bool:
    """Whether a score, or its threshold, is of one class held against all others."""
    return score.of_one_class or getattr(score, "threshold", None) is not None


def positive_of(problem: Problem, score: Score, positive: Any) -> int:
    """Find the class number of the class that a score speaks of."""
    names = problem.sample.classes
    if positive is None:
        if len(names) > 2 and speaks_of_one(score):
            raise UsageError(
                f"score {score.id} speaks of one class and there are {len(names)}; expected the one that is to be held "
                f"against all others; name it with positive, one of {', '.join(names[:6])}"
            )
        return len(names) - 1
    if str(positive) not in names:
        raise UsageError(
            f"'{positive}' was called positive; expected one of the classes {', '.join(names[:6])}; "
            + nearest(str(positive), names)
        )
    return names.index(str(positive))


def _reduced(
    plan: Plan, problem: Problem, ran: Ran, question: Question, confidence: float
) -> tuple[float, IntervalResult | None, ConfidenceInterval | None]:
    """Return the estimate, the interval as its method gives it, and as it is shown."""
    score, method = question.score, plan.method
    outcomes = {**ran.outcomes, **{mine: ran.outcomes[theirs] for mine, theirs in plan.stands_for}}
    value = None
    if plan.estimator is not None:
        value = score.from_loss(float(plan.estimator.reduce(problem.sample, outcomes)))
    found = None
    if method is not None and not (method.needs_all_rows and any(s in ran.failures for s in method.schemes)):
        if isinstance(method, StatisticInterval):
            assert isinstance(score, Statistic)
            found = interval_of(method, score, problem.sample, outcomes, confidence, problem.groups)
        else:
            found = _of_means(method, problem, ran, outcomes, confidence, value)
    if value is None:
        if found is None:
            raise UsageError(
                f"interval {method.id if method else ''} needs all its resamples, and the classifier failed on some; "
                "expected a classifier that can be trained on each; name an estimator such as cv(k=10)"
            )
        value = found.estimate
    if found is None or method is None:
        return value, found, None
    serves = dict(plan.stands_for).get(method.schemes[0], method.schemes[0])
    aim = re.sub(r"\berror\b", score.title, aim_of(method, problem.n, float(ran.sizes[serves].mean())))
    # the same resamples may be averaged in another way; an interval that is even about the one is so about the other
    shift = value - found.estimate if method.even else 0.0
    bounds = score.bounds(problem.sample.n_classes)
    low, high = (float(np.clip(v + shift, *bounds)) for v in (found.low, found.high))
    about = (found.method, method.target, aim, found.confidence, found.degenerate, None, found.note)
    return value, found, ConfidenceInterval(low, high, *about, found.monte_carlo, percent=False)


def _of_means(
    method: IntervalMethod,
    problem: Problem,
    ran: Ran,
    outcomes: Any,
    confidence: float,
    value: float | None,
) -> IntervalResult:
    method.check(problem.sample, confidence, zero_one=False)
    if problem.groups is None:
        return method.result(Measured(problem.sample, outcomes, confidence))
    if value is None:
        own = estimators_of(method)
        first = outcomes[method.schemes[0]]
        value = own[0].reduce(problem.sample, outcomes) if own else float(first.losses.mean())
    limits = limits_of_groups(method, problem.sample, problem.groups, outcomes, ran.units, confidence, value)
    undefined = bool(np.isnan(limits.low) or np.isnan(limits.high))
    note = "too few groups are tested" if undefined else "counts groups, not cases"
    narrow = not undefined and limits.high - limits.low <= 1e-12
    return IntervalResult(method.id, *limits[:4], confidence, narrow, None, note, limits.monte_carlo)


def _estimator_id(plan: Plan, problem: Problem, ran: Ran, score: Score, value: float) -> str:
    """Name what made the estimate: an estimator of the library, or an interval that has its own."""
    if plan.estimator is not None:
        return plan.estimator.id
    assert plan.method is not None
    for own in estimators_of(plan.method) if score.additive else ():
        if abs(own.reduce(problem.sample, ran.outcomes) - value) <= 1e-9 * abs(value):
            return own.id
    return f"the estimate of {plan.method.id}"


def _fits(scheme: Any, ran: Ran) -> Fits:
    sizes = ran.sizes[scheme]
    return Fits(scheme.id, sizes.size, float(sizes.sum()) / max(1, sizes.size))
