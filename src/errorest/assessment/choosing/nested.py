"""Nested cross-validation on the engine: every training set of the outer folds chooses by folds of its own.

The outer folds are those that the candidates were compared on, so that only inner classifiers are made, all
of a candidate in one pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import special

from errorest.assessment.choosing.bias_corrected import first_least, wilson_of_nested
from errorest.assessment.choosing.shared import SharedResults
from errorest.assessment.equality import corrected_se
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import draw, predict
from errorest.estimation.outcomes import StatisticOutcome, measured, segment_sums
from errorest.resampling.multisets import Resamples, from_training_counts
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

__all__ = ["choose_within", "draw_within", "nested_interval"]


def draw_within(problem: Problem, outer: Resamples, scheme: Scheme, streams: Streams) -> Resamples:
    """Draw folds of every training set of the outer folds."""
    counts, cases, sizes, row_of = [], [], [], []
    for row in range(outer.n_rows):
        train = np.flatnonzero(outer.training_counts(row, row + 1)[0])
        part = replace(
            problem,
            sample=problem.sample.take(train),
            groups=_renumbered(problem.groups, train),
            strata=None if problem.strata is None else problem.strata[train],
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


def _renumbered(groups: np.ndarray | None, cases: np.ndarray) -> np.ndarray | None:
    return None if groups is None else np.unique(groups[cases], return_inverse=True)[1]


def choose_within(
    problems: Sequence[Problem],
    inner: Resamples,
    scheme: Scheme,
    measure: Scoring,
    streams: Streams,
    *,
    by_fold: bool = False,
) -> np.ndarray:
    """Choose a candidate in every outer training set."""
    errors = np.empty((inner.repeats, len(problems)))
    for c, p in enumerate(problems):
        random = bool(getattr(p.inducer, "random", False))
        rng = streams.generator(scheme.key, "within", "inducer") if random else None
        result = measured(inner, predict(p, inner, measure.bound, rng), p.sample.y, measure.bound)
        if isinstance(result, StatisticOutcome):
            errors[:, c] = _fold_means(result, inner) if by_fold else result.repeat_rates
        else:
            sums = segment_sums(np.asarray(result.losses, dtype=np.float64), inner.start)
            errors[:, c] = np.bincount(inner.replicate, weights=sums, minlength=inner.repeats)
    return np.array([0 if np.isnan(line).any() else first_least(line) for line in errors], dtype=np.int64)


def _fold_means(outcome: StatisticOutcome, inner: Resamples) -> np.ndarray:
    """Return the mean statistic of each training set's inner folds, as a loss; NaN where no fold has one."""
    known = ~np.isnan(outcome.row_rates)
    total = np.bincount(inner.replicate[known], weights=outcome.row_rates[known], minlength=inner.repeats)
    number = np.bincount(inner.replicate[known], minlength=inner.repeats)
    return np.divide(total, number, out=np.full(inner.repeats, np.nan), where=number > 0)


def nested_interval(
    shared: SharedResults, chosen: np.ndarray, measure: Scoring, inner: Scheme, confidence: float
) -> tuple[float, ConfidenceInterval]:
    """Return the error, or score, of what each outer training set chose, with its interval.

    :func:`wilson_of_nested` for errors; for other metrics the corrected t, with a degree of freedom fewer than folds.
    """
    outer = shared.resamples
    assert outer is not None
    folds = round(outer.n_rows / outer.repeats)
    error, rates = shared.of_chosen(chosen)
    if measure.score is None and measure.costs.kind == "0/1":
        low, high = wilson_of_nested(error, shared.units, folds, outer.repeats, confidence)
        method = "wilson"
    else:
        known = ~np.isnan(rates)
        half = np.nan
        if known.sum() >= 2:
            se = corrected_se(rates[known], float(shared.tested[known].mean()), shared.n)
            half = float(special.stdtrit(folds - 1, (1 + confidence) / 2)) * se
        low, high, method = error - half, error + half, "corrected-t"
    lower, upper = (float(v) for v in np.clip(measure.limits(low, high), *measure.bounds()))
    interval = ConfidenceInterval(
        lower,
        upper,
        f"{method} on nested {inner.id}",
        "procedure",
        f"the {measure.noun} of choosing so and of what is chosen, of the training part of a fold",
        confidence,
        bool(high - low <= 1e-12),
        percent=measure.percent,
    )
    return float(measure.value(error)), interval
