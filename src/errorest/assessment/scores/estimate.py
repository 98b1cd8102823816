"""A score of a person's classifier on a person's data, with an interval and what to beware of.

:func:`estimate_score` is the sibling of :func:`~errorest.assessment.estimate.estimate_error`: the same checks,
resamples and cautions, with probabilities in place of labels where the score needs them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import numpy as np

from errorest.assessment.answers import Answers
from errorest.assessment.baselines import bar_of
from errorest.assessment.caution import checked_ids, heeded
from errorest.assessment.cautions import cautions
from errorest.assessment.classifiers import OwnClassifier
from errorest.assessment.estimate import (
    checked_on_failure,
    estimator_id,
    fits_of_schemes,
    on_cores,
    reduced,
    streams_of,
)
from errorest.assessment.estimates import ScoreEstimate
from errorest.assessment.inputs import prepare
from errorest.assessment.measure import measure_of, read_metric
from errorest.assessment.plan import Plan
from errorest.assessment.progress import teller
from errorest.assessment.runs import OnFailure, check_response, run
from errorest.assessment.scores.plan import plan_score
from errorest.assessment.scores.words import of_the_score
from errorest.assessment.threads import checked_threads, limited
from errorest.estimation.groups import unit_sample
from errorest.estimation.proportions import check_confidence

__all__ = ["estimate_score"]


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
    interval : "auto", str, IntervalMethod, or None
        ``"auto"`` is, for the AUC, ``cv-hanley-mcneil``: a score interval on Hanley and McNeil's variance; with fewer
        than four cases of the smaller class it is undefined.
        For Brier score and log loss any that is legal with other losses than 0/1, for the others one of
        :data:`~errorest.estimation.metrics.STATISTIC_INTERVALS`.

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
    and not pooled; Hanley & McNeil (1982) for the
    variance of an AUC.

    Examples
    --------
    >>> X = [[0.1], [0.4], [0.5], [0.9], [1.2], [1.5], [1.7], [2.0], [0.3], [1.1]]
    >>> y = ["low", "low", "high", "low", "high", "high", "low", "high", "low", "high"]
    >>> found = estimate_score("naive-bayes", X, y, score="auc", rng=7)
    >>> found.estimator, found.positive, found.interval.low < found.estimate <= 1
    ('cv(k=5, repeats=10, stratified=True, weights=folds)', 'low', True)
    """
    began = time.perf_counter()
    wanted = read_metric(score)
    most = checked_threads(threads)
    problem = prepare(classifier, X, y, groups=groups, strata=strata, encode=encode, jobs=on_cores(jobs), threads=most)
    check_confidence(confidence)
    ignored = checked_ids(ignore)
    measure = measure_of(problem, score=wanted, positive=positive)
    streams, seed = streams_of(rng)
    check_response(problem, wanted)
    plan = plan_score(problem, measure.bound, estimator, interval, streams)
    if plan.method is not None and wanted.decomposable:
        plan.method.check(unit_sample(problem.sample, problem.groups), confidence, zero_one=False)
    told = teller(problem.inducer.id) if progress else None
    failure = checked_on_failure(on_failure)
    with limited(most if isinstance(problem.inducer, OwnClassifier) else None):
        ran = run(problem, plan.schemes, streams, metric=measure.bound, on_failure=failure, told=told)
    answers = Answers.of(ran, plan, measure.bound, problem)
    value, found, shown = reduced(plan, problem, ran, measure, confidence)
    notes = cautions(problem, plan if wanted.decomposable else Plan(None, None), ran, None, value)
    notes += of_the_score(problem, measure.bound, plan, ran, answers, shown, value, wanted=interval is not None)
    bar, bar_name = bar_of(measure.bound, problem.class_counts)
    fits = fits_of_schemes(plan.schemes if plan.estimator is None else plan.estimator.schemes, ran, problem.n)
    return ScoreEstimate(
        estimate=value,
        interval=shown,
        standard_error=None if found is None or np.isnan(found.se) else float(found.se),
        score=wanted,
        positive=measure.positive,
        estimator=estimator_id(plan, problem, ran, measure, value),
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
