"""Results of all candidates on the resamples that each could be trained on, and their bootstrap over cases.

A mean loss is computed from sums of cases.  A statistic of many cases (AUC, F1, ...) is computed for the pooled tests
of each repetition, or for each fold, with cases weighted by a bootstrap sample, and averaged; it counts as a loss, its
distance from the best value.

Nested cross-validation takes the same folds: every training set of them chooses by folds of its own, so that only inner
classifiers are made, all of a candidate in one pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import special

from errorest.assessment.choosing.bias_corrected import (
    BiasCorrected,
    first_least,
    max_t_quantile,
    wilson_of_nested,
    without_choice,
)
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring
from errorest.assessment.options import of_classifier
from errorest.assessment.paired import (
    Spread,
    procedure_interval,
    shared_rows,
    split_rates,
    spread_of_difference,
    spread_of_mean,
    too_few_to_rank,
)
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import RunOutcomes, draw, predict
from errorest.errors import UsageError
from errorest.estimation.metrics import Statistic
from errorest.estimation.outcomes import StatisticOutcome, measured
from errorest.resampling.draw import bootstrap
from errorest.resampling.multisets import Resamples, concatenate, from_training_counts
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

# Most counts of cases held at once
_COUNTED = 2_000_000


class SharedResults:
    """Losses, or predictions for a statistic, of all candidates on the same tests."""

    def __init__(
        self, problems: Sequence[Problem], ran: Sequence[RunOutcomes], scheme: Scheme, *, by_fold: bool = False
    ) -> None:
        self.problems = problems
        self.rates, self.tested = split_rates(ran, scheme)
        outcomes, rows = [r.outcomes[scheme] for r in ran], shared_rows(ran, scheme)
        # tests that all candidates have
        parts = [own[o.resamples.row_of_test()] for o, own in zip(outcomes, rows, strict=True)]
        self.resamples = next((o.resamples for o, own in zip(outcomes, rows, strict=True) if own.all()), None)
        first, groups = outcomes[0], problems[0].groups
        cases = first.resamples.cases[parts[0]]
        of_unit, self._unit = np.unique(cases if groups is None else groups[cases], return_inverse=True)
        self.units = int(of_unit.size)
        """How many cases (or groups) are tested."""
        self.statistic = first.statistic if isinstance(first, StatisticOutcome) else None
        if isinstance(first, StatisticOutcome):
            self._classes, self._truth = first.classes, first.coded[parts[0]]
            row = np.arange(first.n_rows) if by_fold else first.replicate
            part = np.repeat(row, np.diff(first.resamples.start))[parts[0]]
            self._averaged = [np.flatnonzero(part == m) for m in np.unique(part)]
        results = [o.answers if isinstance(o, StatisticOutcome) else o.losses for o in outcomes]
        self._results = np.stack([t[p] for t, p in zip(results, parts, strict=True)])
        self.errors = np.array([self._whole(own) for own in self._results])

    def _whole(self, results: np.ndarray) -> float:
        return float(self._errors(results, np.ones((1, self.units)))[0])

    def _errors(self, results: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Return the error with units weighted by each line of the counts; NaN where it is undefined."""
        if self.statistic is None:
            sums = np.bincount(self._unit, weights=results, minlength=self.units)
            with np.errstate(invalid="ignore"):
                return np.asarray((counts @ sums) / (counts @ np.bincount(self._unit, minlength=self.units)))
        step = max(1, _COUNTED // self.units)
        blocks = [counts[first : first + step] for first in range(0, counts.shape[0], step)]
        return np.concatenate([self._statistics(self.statistic, results, block) for block in blocks])

    def _statistics(self, statistic: Statistic, results: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Average a statistic over repetitions or folds that have one, as a loss."""
        values = np.stack(
            [
                statistic.weighted(self._truth[tests], results[tests], counts[:, self._unit[tests]], self._classes)
                for tests in self._averaged
            ]
        )
        known = ~np.isnan(values)
        with np.errstate(invalid="ignore"):
            return np.asarray(statistic.as_loss(np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0)))

    def corrected(self, draws: int, confidence: float, rng: np.random.Generator) -> BiasCorrected:
        """Correct the best candidate's error for having been chosen."""
        counts = bootstrap(self.units, draws, rng, test="all").training_counts()
        inside = np.stack([self._errors(own, counts) for own in self._results], axis=1)
        return without_choice(lambda w, c: self._errors(self._results[c], w), inside, counts, confidence)

    @property
    def undefined(self) -> int:
        """How many splits have no value."""
        return int(np.isnan(self.rates).any(axis=0).sum())

    def paired(self, estimator: str, measure: Scoring) -> str:
        """Name the method of the limits of the differences."""
        if few := too_few_to_rank(self.problems[0], measure):
            return f"no limits, since {few}"
        quantile = "max-T of all pairs"
        if self.undefined:
            return f"bootstrap of the cases, {quantile}, since some folds have no {measure.noun}"
        return f"corrected-t on {estimator}, {quantile}"

    def behind(
        self, best: int, found: BiasCorrected, measure: Scoring, confidence: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return each candidate's error less that of the best, and half the width of its simultaneous interval.

        The quantile is that of the largest standardised difference of all pairs (max-T), since the best was found by
        comparing all, as a level of Student's t.  The standard error is that of :func:`compare` where every split has a
        value, else the bootstrap's, with degrees of freedom of the cases (or groups) less one.  NaN where a class has
        too few cases for the score.
        """
        number, level = len(self.errors), 1 - confidence
        differences = self.errors - self.errors[best]
        if too_few_to_rank(self.problems[0], measure):
            return differences, np.full(number, np.nan)
        quantile = max_t_quantile(found.inside, self.errors, confidence)
        # the level of one pair: at most the level of all, at least Bonferroni's
        one = float(np.clip(2 * special.ndtr(-quantile), 2 * level / (number * (number - 1)), level))
        if self.undefined:
            deviations = (found.inside - found.inside[:, [best]]).std(axis=0)
            spreads = [Spread(float(se), self.units - 1) for se in deviations]
        else:
            spreads = [self._spread(c, best, measure) for c in range(number)]
        return differences, np.array([spread.half_width(1 - one) for spread in spreads])

    def _spread(self, candidate: int, best: int, measure: Scoring) -> Spread:
        pair = self.rates[[candidate, best]]
        level = float(measure.value(pair.mean()))
        tested = float(np.mean(self.tested))
        return spread_of_difference(self.problems[0], measure, pair[0] - pair[1], tested, level)

    def of_chosen(self, chosen: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the error and the rates of the splits where each split has chosen a candidate."""
        assert self.resamples is not None
        tests = chosen[self.resamples.row_of_test()]
        error = self._whole(self._results[tests, np.arange(tests.size)])
        return error, self.rates[chosen, np.arange(chosen.size)]


def nested_error(
    shared: SharedResults, scheme: Scheme, measure: Scoring, streams: Streams, confidence: float, by_fold: bool
) -> tuple[float, ConfidenceInterval, int]:
    """Return the error, or score, of what each outer training set chose, its interval, and the number of inner fits.

    :func:`wilson_of_nested` for errors; for other metrics the corrected t.
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
    if measure.score is None and measure.kind == "0/1":
        grouped = shared.problems[0].groups is not None
        low, high = wilson_of_nested(error, shared.units, folds, outer.repeats, confidence, grouped=grouped)
        method = "wilson"
    else:
        known = ~np.isnan(rates)
        half = np.nan
        if known.sum() >= 2:
            tested = float(shared.tested[known].mean())
            half = spread_of_mean(shared.problems[0], measure, rates[known], tested).half_width(confidence)
        low, high, method = error - half, error + half, "corrected-t"
    aim = f"the {measure.noun} of choosing so and of what is chosen, of the training part of a fold"
    interval = procedure_interval(measure, low, high, f"{method} on nested {scheme.id}", aim, confidence)
    return float(measure.value(error)), interval, inner.n_rows * len(shared.problems)


def draw_within(problem: Problem, outer: Resamples, scheme: Scheme, streams: Streams) -> Resamples:
    """Draw folds of every training set of the outer folds."""
    groups, strata = problem.groups, problem.strata
    parts = []
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
        cases, together = train[sampled.cases].astype(np.int32), np.zeros(sampled.n_rows, dtype=np.int32)
        parts.append(from_training_counts(whole, sampled.start, cases, together, 1))
    return concatenate(parts)


def _choose_within(
    shared: SharedResults, inner: Resamples, scheme: Scheme, measure: Scoring, streams: Streams, by_fold: bool
) -> np.ndarray:
    """Choose a candidate in every outer training set, by pooled tests of the inner folds or by their means."""
    errors = np.empty((inner.repeats, len(shared.problems)))
    for c, p in enumerate(shared.problems):
        random = bool(getattr(p.inducer, "random", False))
        rng = of_classifier(streams, c).generator(scheme.key, "within", "inducer") if random else None
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
    return first_least(errors)
