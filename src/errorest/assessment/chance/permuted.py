"""The estimate under many arrangements of the labels.

Resamples do not look at labels, unless they are stratified by class: they are drawn once, and so are
distances.  The nearest neighbour of a tested case is the same whatever the labels, so that 1-NN is asked for
it once; its probabilities are 0 and 1.  A classifier of somebody else's is fitted anew under every arrangement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from errorest.assessment.classifiers import SklearnRowsLearner
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring
from errorest.assessment.parallel import map_items
from errorest.assessment.plan import Plan
from errorest.assessment.runs import OnFailure, draw, run
from errorest.assessment.splitters import is_splitter
from errorest.data.sample import Sample
from errorest.estimation.estimators import Estimator
from errorest.estimation.outcomes import measured
from errorest.estimation.run import predict_schemes
from errorest.inducers import KNN
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

__all__ = ["estimates_under"]

Drawn = Mapping[Scheme, Resamples]


def estimates_under(
    problem: Problem,
    estimator: Any,
    plan: Plan,
    streams: Streams,
    measure: Scoring,
    arrangements: Iterable[np.ndarray],
    number: int,
    *,
    replan: Callable[[Problem], Plan],
    on_failure: OnFailure = "raise",
    report: Callable[[int], None] | None = None,
) -> np.ndarray:
    """Estimate the error or score under every arrangement of the labels, with the same random streams."""
    if _shares(problem, estimator, plan):
        sampled, _ = draw(problem, plan.schemes, streams)
        one = _of_shared(problem, _estimator_of(plan), sampled, measure)
    else:
        one = _one_by_one(problem, estimator, plan, streams, measure, on_failure, replan)
    inducer = problem.inducer
    n_jobs, threads = (inducer.n_jobs, inducer.threads) if isinstance(inducer, SklearnRowsLearner) else (1, 1)
    return np.array(map_items(one, arrangements, number, n_jobs, threads, report))


def _estimator_of(plan: Plan) -> Estimator:
    assert plan.estimator is not None
    return plan.estimator


def _shares(problem: Problem, estimator: Any, plan: Plan) -> bool:
    """Whether resamples are the same under every arrangement, and the classifier is of ours."""
    inducer = problem.inducer
    blind = not any(s.cloned or getattr(s, "stratified", False) for s in plan.schemes)
    foreign = isinstance(inducer, SklearnRowsLearner) or bool(getattr(inducer, "random", False))
    return blind and not foreign and not is_splitter(estimator)


def _one_by_one(
    problem: Problem,
    estimator: Any,
    plan: Plan,
    streams: Streams,
    measure: Scoring,
    on_failure: OnFailure,
    replan: Callable[[Problem], Plan],
) -> Callable[[np.ndarray], float]:
    def one(labels: np.ndarray) -> float:
        other = _relabelled(problem, labels)
        own = replan(other) if is_splitter(estimator) else plan
        ran = run(other, own.schemes, streams, metric=measure.rebound(other), on_failure=on_failure)
        return float(measure.value(_estimator_of(own).reduce(other.sample, ran.outcomes)))

    return one


def _relabelled(problem: Problem, labels: np.ndarray) -> Problem:
    sample, inducer = replace(problem.sample, y=labels), problem.inducer
    own = problem.labels[labels]
    if isinstance(inducer, SklearnRowsLearner):
        # workers take whole arrangements, and limit their threads
        inducer = replace(inducer, y=own, n_jobs=1, threads=None)
    return replace(problem, sample=sample, inducer=inducer, y=own)


def _of_shared(problem: Problem, estimator: Estimator, drawn: Drawn, measure: Scoring) -> Callable[[np.ndarray], float]:
    inducer = problem.inducer
    # a class of somebody's that is made of ours may answer otherwise
    nearest = _nearest(problem.sample, inducer, drawn) if type(inducer) is KNN and inducer.k == 1 else None

    def one(labels: np.ndarray) -> float:
        other = replace(problem, sample=replace(problem.sample, y=labels))
        metric = measure.rebound(other)
        if nearest is None:
            # nothing random: the streams are not used
            made = predict_schemes(other.sample, other.inducer, drawn, Streams(0), metric)
        else:
            texts = {s: labels[cases] for s, cases in nearest.items()}
            if metric.needs_probabilities:
                texts = {s: np.eye(problem.sample.n_classes)[result] for s, result in texts.items()}
            made = {s: measured(r, texts[s], labels, metric) for s, r in drawn.items()}
        return float(measure.value(estimator.reduce(other.sample, made)))

    return one


def _nearest(sample: Sample, rule: KNN, drawn: Drawn) -> dict[Scheme, np.ndarray]:
    """Find the training case nearest to every tested one: the label of a sample in which each case is its own class."""
    cases = tuple(str(i) for i in range(sample.n))
    every = Sample(sample.X, np.arange(sample.n), sample.attributes, cases, sample.name)
    return {s: o.predictions for s, o in predict_schemes(every, rule, drawn, Streams(0)).items()}
