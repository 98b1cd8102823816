"""What all candidates said on the resamples that each came through, and what bootstrap samples of the cases make of it.

Mean losses are sums of cases.  A statistic of many cases (AUC, F1, ...) is taken of each repetition's tests pooled,
or of each fold's, every test counted so often as a sample holds its case, and averaged over repetitions or folds.
A statistic is a loss here, what it lacks of its best value.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from errorest.assessment.choosing.bias_corrected import BiasCorrected, bias_corrected_error, case_sums, first_least
from errorest.assessment.inputs import Problem
from errorest.assessment.paired import corrected_t, split_rates
from errorest.assessment.runs import Ran
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.estimation.outcomes import Outcome, StatisticOutcome
from errorest.resampling.scheme import Scheme

__all__ = ["CorrectedStatistic", "Shared", "SharedLosses", "SharedStatistics", "ranks_of"]

_SAME = 1e-9
"""Losses that differ by a smaller share of the larger are equal."""

_COUNTED = 2_000_000
"""So many counts of cases are held at once."""


@dataclass(frozen=True, eq=False)
class CorrectedStatistic(BiasCorrected):
    """What bootstrap samples of the cases say of a choice by a statistic of many cases."""

    inside: np.ndarray


def ranks_of(losses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how often each candidate is best, and has each rank; ties are shared."""
    number = losses.shape[1]
    wins, ranks = np.zeros(number), np.zeros((number, number))
    place = np.arange(number)
    for line in losses:
        gap = _SAME * np.maximum(np.abs(line[:, None]), np.abs(line))
        ahead = line[:, None] - line
        less, same = (ahead > gap).sum(axis=1), (np.abs(ahead) <= gap).sum(axis=1)
        wins += (less == 0) / same
        ranks += ((place >= less[:, None]) & (place < (less + same)[:, None])) / same[:, None]
    return wins / losses.shape[0], ranks / losses.shape[0]


class Shared(ABC):
    """The tests of the resamples that every candidate came through."""

    errors: np.ndarray

    def __init__(
        self, problems: Sequence[Problem], ran: Sequence[Ran], scheme: Scheme, *, by_fold: bool = False
    ) -> None:
        self.problems, self.scheme, self.by_fold = problems, scheme, by_fold
        self.n, self.units = problems[0].n, problems[0].groups
        outcomes = [r.resampled[scheme] for r in ran]
        failed = [np.array([f.row for f in r.failures.get(scheme, [])], dtype=np.int64) for r in ran]
        rows = outcomes[0].n_rows + failed[0].size
        kept = np.ones(rows, dtype=bool)
        for own in failed:
            kept[own] = False
        if not kept.any():
            raise UsageError(
                f"no resample of {scheme.id} was left on which every candidate could be trained; expected some; leave "
                "out the candidates that fail"
            )
        # the tests of an outcome that are of rows that all came through
        parts = [
            kept[np.delete(np.arange(rows), own)[o.resamples.row_of_test()]]
            for o, own in zip(outcomes, failed, strict=True)
        ]
        self.cases = outcomes[0].resamples.cases[parts[0]]
        complete = next((i for i, own in enumerate(failed) if own.size == (~kept).sum()), None)
        self.resamples = None if complete is None else outcomes[complete].resamples
        self.rates, self.tested = split_rates(ran, scheme)
        self._take(outcomes, parts)

    @abstractmethod
    def _take(self, outcomes: Sequence[Outcome], parts: Sequence[np.ndarray]) -> None:
        """Keep what is measured of the tests that are shared."""

    @abstractmethod
    def corrected(self, draws: int, confidence: float, rng: np.random.Generator) -> BiasCorrected:
        """Correct the best candidate's error for having been chosen."""

    @abstractmethod
    def of_chosen(self, chosen: np.ndarray, draws: int, rng: np.random.Generator) -> tuple[float, np.ndarray]:
        """Return the error where every test has a candidate of its own, and that in bootstrap samples of the cases."""

    @property
    def undefined(self) -> int:
        """How many splits have no value."""
        return int(np.isnan(self.rates).any(axis=0).sum())

    def behind(
        self, one: int, best: int, found: BiasCorrected, estimator: Estimator, confidence: float
    ) -> tuple[float, float, float]:
        """Return how far a candidate is behind the best, as a loss averaged over the splits, with paired limits."""
        difference = self.rates[one] - self.rates[best]
        interval, _ = corrected_t(difference, float(np.mean(self.tested)), self.n, estimator, confidence)
        return float(difference.mean()), interval.low, interval.high


class SharedLosses(Shared):
    """Losses of cases."""

    def _take(self, outcomes: Sequence[Outcome], parts: Sequence[np.ndarray]) -> None:
        self.losses = np.stack(
            [np.asarray(o.losses, dtype=np.float64)[p] for o, p in zip(outcomes, parts, strict=True)]
        )
        self.sums = case_sums(self.cases, self.losses, self.units, self.n)
        self.errors = self.sums[0].sum(axis=0) / self.sums[1].sum()

    def corrected(self, draws: int, confidence: float, rng: np.random.Generator) -> BiasCorrected:
        """Correct the best candidate's error for having been chosen."""
        return bias_corrected_error(*self.sums, draws=draws, confidence=confidence, rng=rng)

    def of_chosen(self, chosen: np.ndarray, draws: int, rng: np.random.Generator) -> tuple[float, np.ndarray]:
        """Sum the losses of the cases."""
        losses = self.losses[chosen, np.arange(self.cases.size)]
        sums, tests = case_sums(self.cases, losses[None], self.units, self.n)
        taken = rng.integers(sums.shape[0], size=(draws, sums.shape[0]))
        errors = sums[taken, 0].sum(axis=1) / tests[taken].sum(axis=1)
        return float(sums.sum() / tests.sum()), errors


class SharedStatistics(Shared):
    """Answers that a statistic of many cases is taken of."""

    def _take(self, outcomes: Sequence[Outcome], parts: Sequence[np.ndarray]) -> None:
        first = outcomes[0]
        assert isinstance(first, StatisticOutcome)
        self.statistic, self.classes, self.truth = first.statistic, first.classes, first.coded[parts[0]]
        self.answers = np.stack([o.answers[p] for o, p in zip(outcomes, parts, strict=True)])  # type: ignore[attr-defined]
        of = self.cases if self.units is None else self.units[self.cases]
        tested, self._unit = np.unique(of, return_inverse=True)
        self._number = tested.size
        of_row = np.arange(first.n_rows) if self.by_fold else first.replicate
        part = np.repeat(of_row, np.diff(first.resamples.start))[parts[0]]
        self._parts = [np.flatnonzero(part == m) for m in np.unique(part)]
        every = np.ones((1, self._number))
        self.errors = np.array([self._losses(own, every)[0] for own in self.answers])

    def _losses(self, answers: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Average repetitions or folds, with units counted so often; float array, shape (B,), NaN where undefined."""
        step = max(1, _COUNTED // self._number)
        blocks = [counts[first : first + step] for first in range(0, counts.shape[0], step)]
        return np.concatenate([self._losses_of_block(answers, block) for block in blocks])

    def _losses_of_block(self, answers: np.ndarray, counts: np.ndarray) -> np.ndarray:
        values = np.empty((len(self._parts), counts.shape[0]))
        for m, tests in enumerate(self._parts):
            own = counts[:, self._unit[tests]]
            values[m] = self.statistic.weighted(self.truth[tests], answers[tests], own, self.classes)
        known = ~np.isnan(values)
        number = known.sum(axis=0)
        total = np.where(known, values, 0.0).sum(axis=0)
        means = np.divide(total, number, out=np.full(number.shape, np.nan), where=number > 0)
        return np.asarray(self.statistic.as_loss(means))

    def _drawn(self, draws: int, rng: np.random.Generator) -> np.ndarray:
        """Draw samples of the units, and count each; int array, shape (B, U)."""
        drawn = rng.integers(self._number, size=(draws, self._number), dtype=np.int32)
        return np.stack([np.bincount(line, minlength=self._number).astype(np.int32) for line in drawn])

    def corrected(self, draws: int, confidence: float, rng: np.random.Generator) -> CorrectedStatistic:
        """Correct the best candidate's statistic for having been chosen; draws without one are left out."""
        counts = self._drawn(draws, rng)
        inside = np.stack([self._losses(own, counts) for own in self.answers], axis=1)
        known = ~np.isnan(inside).any(axis=1)
        inside, lacked = inside[known], counts[known] == 0
        chosen = np.array([first_least(line) for line in inside], dtype=np.int64)
        outside = np.full(chosen.size, np.nan)
        for c in np.unique(chosen):
            outside[chosen == c] = self._losses(self.answers[c], lacked[chosen == c])
        found = outside[~np.isnan(outside)]
        if not found.size:
            raise UsageError(
                f"the {self.statistic.title} is undefined in all {draws} bootstrap samples, or on the cases outside "
                "of them; expected cases of each class in both; collect more of the rare class, or ask for more draws"
            )
        tail = (1.0 - confidence) / 2
        low, high = np.quantile(found, [tail, 1.0 - tail])
        return CorrectedStatistic(float(found.mean()), float(low), float(high), *ranks_of(inside), found, inside)

    def behind(
        self, one: int, best: int, found: BiasCorrected, estimator: Estimator, confidence: float
    ) -> tuple[float, float, float]:
        """As of losses where every split has a statistic; else of the tests pooled, with bootstrap percentiles."""
        if not self.undefined:
            return super().behind(one, best, found, estimator, confidence)
        assert isinstance(found, CorrectedStatistic)
        tail = (1 - confidence) / 2
        behind = found.inside[:, one] - found.inside[:, best]
        low, high = np.quantile(np.where(np.abs(behind) <= _SAME, 0.0, behind), [tail, 1 - tail])
        return float(self.errors[one] - self.errors[best]), float(low), float(high)

    def of_chosen(self, chosen: np.ndarray, draws: int, rng: np.random.Generator) -> tuple[float, np.ndarray]:
        """Take the statistic of each part's tests."""
        answers = self.answers[chosen, np.arange(self.cases.size)]
        value = self._losses(answers, np.ones((1, self._number)))[0]
        found = self._losses(answers, self._drawn(draws, rng))
        return float(value), found[~np.isnan(found)]
