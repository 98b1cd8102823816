"""Nested cross-validation of a choice: every outer training set chooses among the candidates by folds of its own.

Only the inner classifiers are fitted; what they choose is tested by the outer folds' predictions, which are at hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from errorest.assessment.bias_corrected import (
    CandidateLosses,
    MeanLosses,
    StatisticLosses,
    first_least,
    wilson_of_nested,
)
from errorest.assessment.defaults import read_method
from errorest.assessment.options import of_classifier
from errorest.assessment.predictions import Predictions, Run
from errorest.assessment.problem import Problem
from errorest.assessment.resample import draw
from errorest.assessment.results import ConfidenceInterval
from errorest.assessment.scoring import Scoring
from errorest.assessment.shared_splits import SharedSplits, procedure_interval, splitting_method, spread_of_splits
from errorest.assessment.splitters import OfSplitter, is_splitter
from errorest.counting import count_each
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.estimation.outcomes import StatisticOutcome, measured
from errorest.resampling.multisets import Resamples, concatenate, from_training_counts
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams


def candidate_losses(
    shared: SharedSplits, groups: np.ndarray | None, method: Estimator, chosen: np.ndarray | None = None
) -> CandidateLosses:
    """Return the results of the candidates by case or group; or of one that is another candidate on each split.

    A statistic of many cases is averaged over the folds, or over repetitions whose folds are pooled.
    """
    # a case or group enters as one unit, with the sum of its losses over all tests and their number
    row, cases, outcome = shared.resamples.row_of_test(), shared.resamples.cases, shared.outcome
    results = shared.results if chosen is None else shared.results[chosen[row], np.arange(row.size)][None]
    units, unit = np.unique(cases if groups is None else groups[cases], return_inverse=True)
    if not isinstance(outcome, StatisticOutcome):
        sums = np.stack([count_each(unit, weights=own, minlength=units.size) for own in results], axis=1)
        return MeanLosses(sums, count_each(unit, minlength=units.size))
    # what is averaged is what estimate averages: each fold, or each repetition pooled
    part = row if _averages_folds(method, shared.metric) else shared.resamples.replicate[row]
    parts = [np.flatnonzero(part == m) for m in np.unique(part)]
    return StatisticLosses(outcome.statistic, outcome.classes, outcome.y_true[shared.tests], results, unit, parts)


def _averages_folds(method: Estimator, metric: Scoring) -> bool:
    weights = method.weights_of(metric.metric) if isinstance(method, OfSplitter) else getattr(method, "weights", "")
    return weights == "folds"


def inner_method(nested: Any, problem: Problem, metric: Scoring, streams: Streams) -> Estimator | None:
    """Return the folds that every training set is divided into; None where none were asked for."""
    if nested is None or nested is False:
        return None
    if is_splitter(nested) or isinstance(nested, OfSplitter):
        raise UsageError(
            f"nested is a {type(nested).__name__}, whose splits are of all cases; expected folds that every training "
            "set is divided into; give their number, or a name such as 'cv(k=5)'"
        )
    if not isinstance(nested, bool | str | Estimator) and (not isinstance(nested, int | np.integer) or nested < 2):
        raise UsageError(f"nested = {nested!r}; expected True, 'auto', a number of folds or a name such as 'cv(k=5)'")
    method = read_method("auto" if nested is True else nested, problem, streams)
    return splitting_method(method, problem, metric, "nested")


def nested_value(
    candidates: Mapping[int, Predictions],
    shared: SharedSplits,
    outer: Estimator,
    inner: Estimator,
    streams: Streams,
    level: float,
) -> tuple[float, ConfidenceInterval, int]:
    """Return the value of what each outer training set chose, its interval, and the number of inner fits.

    The limits are :func:`wilson_of_nested` for error rates, of other metrics the corrected t.
    """
    metric, (scheme,), of = shared.metric, inner.schemes, next(iter(candidates.values()))
    scores, resamples = metric.metric.needs_probabilities, shared.resamples
    errors: list[np.ndarray] = []
    within = None
    for position, p in candidates.items():
        problem = p.problem
        assert problem is not None
        # the same inner folds for all candidates, so that their inner errors are paired
        within = within or folds_of_training_sets(problem, resamples, scheme, streams)
        rng = of_classifier(streams, position).generator(scheme.key, "within", "inducer")
        answers = problem.learner.fit_predict(
            within, rng if problem.learner.random else None, labels=not scores, scores=scores
        )
        for failure in answers.failures:
            raise UsageError(
                f"{p.model} failed on resample {failure.row + 1} of {within.n_rows} ({failure.reason}); correct it, or "
                "ask for resamples with more cases in training"
            )
        outcome = measured(within, Run(within, *answers[:2]).of(metric.metric), of.y, metric)
        # the error in each outer training set: of the pooled tests of its folds, or the mean of the folds
        if isinstance(outcome, StatisticOutcome):
            errors.append(outcome.repeat_means if _averages_folds(inner, metric) else outcome.repeat_rates)
        else:
            # sums serve as well as means: all candidates are tested on the same cases
            errors.append(count_each(outcome.replicate, outcome.errors, outcome.repeats))
    # each outer training set chooses by its inner errors; its outer test set had no part in that
    chosen = first_least(np.stack(errors, axis=1))
    # the outer losses of the chosen candidates, which were computed for the choice itself
    losses = candidate_losses(shared, of.groups, outer, chosen)
    error, rates = float(losses.errors(np.ones((1, losses.units)))[0, 0]), shared.rates[chosen, np.arange(chosen.size)]
    # Wilson's where errors are counted, of n / factor cases; else the t of the outer rates, corrected for overlap
    if metric.metric.zero_one:
        folds, grouped = round(resamples.n_rows / resamples.repeats), of.groups is not None
        low, high = wilson_of_nested(error, losses.units, folds, resamples.repeats, level, grouped=grouped)
        method = "wilson"
    else:
        known, half = ~np.isnan(rates), np.nan
        if known.sum() >= 2:
            tested = float(shared.tested[known].mean())
            half = spread_of_splits(of, metric, rates[known], tested).half_width(level)
        low, high, method = error - half, error + half, "corrected-t"
    aim = f"the {metric.noun} of choosing so and of what is chosen, of the training part of a fold"
    interval = procedure_interval(metric, low, high, f"{method} on nested {scheme.id}", aim, level)
    return float(metric.value(error)), interval, len(errors) * (0 if within is None else within.n_rows)


def folds_of_training_sets(problem: Problem, outer: Resamples, scheme: Scheme, streams: Streams) -> Resamples:
    """Draw folds of every training set of the outer folds; repetition m is of the m-th training set."""
    groups, strata = problem.groups, problem.strata
    parts = []
    for row in range(outer.n_rows):
        # groups and strata are cut to the training set, so that inner folds keep them as outer ones do
        train = np.flatnonzero(outer.training_counts(row, row + 1)[0])
        part = replace(
            problem,
            y=problem.y[train],
            groups=None if groups is None else np.unique(groups[train], return_inverse=True)[1],
            strata=None if strata is None else strata[train],
        )
        sampled = draw(part, [scheme], streams.child("within", row))[scheme][0]
        whole = np.zeros((sampled.n_rows, problem.n), dtype=np.int32)
        whole[:, train] = sampled.training_counts()
        cases, together = train[sampled.cases].astype(np.int32), np.zeros(sampled.n_rows, dtype=np.int32)
        parts.append(from_training_counts(whole, sampled.start, cases, together, 1))
    return concatenate(parts)
