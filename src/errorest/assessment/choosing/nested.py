"""Nested cross-validation on the engine: every training set of the outer folds chooses by folds of its own.

The outer folds are those that the candidates were compared on, so that only inner classifiers are made, all
of a candidate in one pass.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from errorest.assessment.choosing.bias_corrected import first_least, wilson_of_nested
from errorest.assessment.choosing.shared import SharedResults
from errorest.assessment.equality import half_width
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring
from errorest.assessment.paired import procedure_interval
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import draw, predict
from errorest.errors import UsageError
from errorest.estimation.outcomes import StatisticOutcome, measured
from errorest.resampling.multisets import Resamples, from_training_counts
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams


def nested_error(
    shared: SharedResults, scheme: Scheme, measure: Scoring, streams: Streams, confidence: float, by_fold: bool
) -> tuple[float, ConfidenceInterval, int]:
    """Return the error, or score, of what each outer training set chose, its interval, and the number of inner fits.

    :func:`wilson_of_nested` for errors; for other metrics the corrected t, with a degree of freedom fewer than folds.
    """
    outer = shared.resamples
    if outer is None:
        raise UsageError(
            "nested cross-validation needs folds that one candidate at least came through whole, and several failed on "
            "different ones; expected candidates that can be trained on all; leave out nested, or those that fail"
        )
    inner = draw_within(shared.problems[0], outer, scheme, streams)
    folds = round(outer.n_rows / outer.repeats)
    error, rates = shared.of_chosen(_choose_within(shared, inner, scheme, measure, streams, by_fold))
    if measure.score is None and measure.costs.kind == "0/1":
        low, high = wilson_of_nested(error, shared.units, folds, outer.repeats, confidence)
        method = "wilson"
    else:
        known = ~np.isnan(rates)
        half = np.nan
        if known.sum() >= 2:
            half = half_width(rates[known], float(shared.tested[known].mean()), shared.n, folds - 1, confidence)
        low, high, method = error - half, error + half, "corrected-t"
    aim = f"the {measure.noun} of choosing so and of what is chosen, of the training part of a fold"
    interval = procedure_interval(measure, low, high, f"{method} on nested {scheme.id}", aim, confidence)
    return float(measure.value(error)), interval, inner.n_rows * len(shared.problems)


def draw_within(problem: Problem, outer: Resamples, scheme: Scheme, streams: Streams) -> Resamples:
    """Draw folds of every training set of the outer folds."""
    groups, strata = problem.groups, problem.strata
    counts, cases, sizes, row_of = [], [], [], []
    for row in range(outer.n_rows):
        train = np.flatnonzero(outer.training_counts(row, row + 1)[0])
        part = replace(
            problem,
            sample=problem.sample.take(train),
            groups=None if groups is None else np.unique(groups[train], return_inverse=True)[1],
            strata=None if strata is None else strata[train],
        )
        sampled = draw(part, [scheme], streams.child("within", row))[0][scheme]
        whole = np.zeros((sampled.n_rows, problem.n), dtype=np.int32)
        whole[:, train] = sampled.training_counts()
        counts.append(whole)
        cases.append(train[sampled.cases])
        sizes.append(np.diff(sampled.start))
        row_of.append(np.full(sampled.n_rows, row, dtype=np.int32))
    start = np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64)
    return from_training_counts(
        np.concatenate(counts), start, np.concatenate(cases).astype(np.int32), np.concatenate(row_of), outer.n_rows
    )


def _choose_within(
    shared: SharedResults, inner: Resamples, scheme: Scheme, measure: Scoring, streams: Streams, by_fold: bool
) -> np.ndarray:
    """Choose a candidate in every outer training set, by pooled tests of the inner folds or by their means."""
    errors = np.empty((inner.repeats, len(shared.problems)))
    for c, p in enumerate(shared.problems):
        random = bool(getattr(p.inducer, "random", False))
        rng = streams.generator(scheme.key, "within", "inducer") if random else None
        result = measured(inner, predict(p, inner, measure.bound, rng), p.sample.y, measure.bound)
        if not isinstance(result, StatisticOutcome):
            errors[:, c] = np.bincount(inner.replicate, result.errors, inner.repeats)
        elif by_fold:
            known = ~np.isnan(result.row_rates)
            of, rates = inner.replicate[known], result.row_rates[known]
            with np.errstate(invalid="ignore"):
                errors[:, c] = np.bincount(of, rates, inner.repeats) / np.bincount(of, minlength=inner.repeats)
        else:
            errors[:, c] = result.repeat_rates
    return np.array([0 if np.isnan(line).any() else first_least(line) for line in errors], dtype=np.int64)
