"""Bootstrap bias-corrected cross-validation (BBC-CV): the error of the best of several candidates, corrected.

A bootstrap sample of the cases (or groups) chooses among the candidates by their cross-validated losses, and the chosen
one is tested on the cases that the sample lacks.  No classifier is fitted again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.special import ndtri

from errorest.errors import UsageError
from errorest.estimation.metrics.metric import Statistic
from errorest.estimation.proportions import wilson_limits
from errorest.estimation.quantiles import t_quantile
from errorest.resampling.draw import bootstrap

# Errors that differ by less than this share of the larger are equal: sums in another order differ in their last bits
_SAME = 1e-9

# Most weights of tests that are held at once, in the computation of a statistic
_MOST_WEIGHTS = 2_000_000


class CandidateLosses(Protocol):
    """Cross-validated results of candidates, of which a weighted sample of the units has an error."""

    @property
    def units(self) -> int:
        """Number of units (cases or groups), U."""

    def errors(self, counts: np.ndarray, candidate: int | None = None) -> np.ndarray:
        """Return errors with each unit counted as often as a line of ``counts``, shape (B, U), says; NaN if undefined.

        Shape (B, C), or (B,) for one candidate.
        """


@dataclass(frozen=True, eq=False)
class MeanLosses:
    """Losses of which the mean is taken: their sums by unit and candidate, shape (U, C), and how many were summed."""

    sums: np.ndarray
    tests: np.ndarray

    @classmethod
    def of_cases(cls, losses: np.ndarray) -> MeanLosses:
        """Take one loss for each case and candidate, shape (n, C)."""
        return cls(np.asarray(losses, dtype=np.float64), np.ones(losses.shape[0]))

    @property
    def units(self) -> int:
        return int(self.sums.shape[0])

    def errors(self, counts: np.ndarray, candidate: int | None = None) -> np.ndarray:
        # numbers of the type of the sums, or each product would convert them
        counts, sums = counts.astype(np.float64, copy=False), self.sums
        with np.errstate(invalid="ignore"):
            if candidate is not None:
                # a ratio of sums: groups differ in their number of tests
                return np.asarray((counts @ sums[:, candidate]) / (counts @ self.tests))
            # whole numbers have the same sum in any order, so that one product of matrices serves all candidates
            whole = (sums == np.rint(sums)).all()
            total = counts @ sums if whole else np.stack([counts @ own for own in sums.T], axis=1)
            return np.asarray(total / (counts @ self.tests)[:, None])


@dataclass(frozen=True, eq=False)
class StatisticLosses:
    """Tests of a statistic such as the AUC, which is averaged over parts of the tests (repetitions or folds).

    ``answers`` has a line for each candidate; ``truth``, ``unit`` and each part of ``parts`` are of the tests.
    """

    statistic: Statistic
    classes: int
    truth: np.ndarray
    answers: np.ndarray
    unit: np.ndarray
    parts: Sequence[np.ndarray]

    @property
    def units(self) -> int:
        return int(self.unit.max()) + 1

    def errors(self, counts: np.ndarray, candidate: int | None = None) -> np.ndarray:
        if candidate is None:
            return np.stack([self.errors(counts, c) for c in range(len(self.answers))], axis=1)
        answers, step, means = self.answers[candidate], max(1, _MOST_WEIGHTS // self.units), []
        # in blocks of bootstrap samples, which bounds memory and changes no value
        for block in (counts[first : first + step] for first in range(0, counts.shape[0], step)):
            values = np.stack(
                [
                    self.statistic.weighted(self.truth[part], answers[part], block[:, self.unit[part]], self.classes)
                    for part in self.parts
                ]
            )
            # the mean of the parts in which the statistic is defined
            known = ~np.isnan(values)
            with np.errstate(invalid="ignore"):
                means.append(np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0))
        return np.asarray(self.statistic.as_loss(np.concatenate(means)))


@dataclass(frozen=True, eq=False)
class BiasCorrected:
    """The error of choosing among candidates, from bootstrap samples of the cases.

    Parameters
    ----------
    error : float
        Mean over the samples of the chosen candidate's error on the cases that the sample lacks.
    low, high : float
        Percentiles of these errors.
    outside : float array, shape (B,)
        These errors.
    inside : float array, shape (B, C)
        The error of each candidate in each sample.

    Examples
    --------
    >>> losses = MeanLosses.of_cases(np.array([[0.0, 1.0], [1.0, 0.0]] * 8))
    >>> corrected = bias_corrected_error(losses, rng=np.random.default_rng(0))
    >>> corrected.error > 0.5, [round(share, 1) for share in corrected.ranks[:, 0].tolist()]
    (True, [0.5, 0.5])
    """

    error: float
    low: float
    high: float
    outside: np.ndarray
    inside: np.ndarray

    @cached_property
    def ranks(self) -> np.ndarray:
        """Share of the samples in which candidate c (row) has rank r (column, from 0); ties are shared."""
        losses, size, position = self.inside, np.abs(self.inside), np.arange(self.inside.shape[1])
        ranks = []
        for c in position:
            # of s equal candidates each has each of their s ranks in 1/s of the sample
            ahead, gap = losses[:, [c]] - losses, _SAME * np.maximum(size[:, [c]], size)
            less, same = (ahead > gap).sum(axis=1)[:, None], (np.abs(ahead) <= gap).sum(axis=1)[:, None]
            ranks.append((((position >= less) & (position < less + same)) / same).mean(axis=0))
        return np.array(ranks)


def bias_corrected_error(
    losses: CandidateLosses, *, n_resamples: int = 1000, confidence_level: float = 0.95, rng: np.random.Generator
) -> BiasCorrected:
    """Correct the error of the best of several candidates for having been chosen.

    Parameters
    ----------
    losses : CandidateLosses
        Results of the candidates on resamples that are the same for all.
    n_resamples : int
        Bootstrap samples of the units.
    confidence_level : float
        Of the interval, a proportion.
    rng : numpy.random.Generator

    Returns
    -------
    BiasCorrected

    Raises
    ------
    UsageError
        If there are fewer than two units, or no sample has an error both inside and outside of it.

    Notes
    -----
    Of equally good candidates the first is chosen.  The interval is wide for its confidence level where cases are few,
    since a sample lacks only about .37 n of them.

    References
    ----------
    Tsamardinos, Greasidou & Borboudakis (2018), algorithm 2 (BBC-CV) and section 4.2 for the interval.

    Examples
    --------
    >>> coins = np.random.default_rng(1).integers(0, 2, size=(30, 20))
    >>> corrected = bias_corrected_error(MeanLosses.of_cases(coins), rng=np.random.default_rng(2))
    >>> round(float(coins.mean(axis=0).min()), 2), round(corrected.error, 1)
    (0.3, 0.5)
    """
    if losses.units < 2:
        raise UsageError(f"{losses.units} case(s) or group(s) were tested; expected at least two to choose on")
    # Tsamardinos et al. (2018), algorithm 2: the cases of the losses are resampled, nothing is fitted again
    counts = bootstrap(losses.units, n_resamples, rng, test="all").training_counts()
    inside = losses.errors(counts)
    # a sample in which a candidate has no value (an AUC of one class) cannot choose, and is left out
    known = ~np.isnan(inside).any(axis=1)
    inside, absent = inside[known], counts[known] == 0
    # the choice on the sample, tested on the cases that it lacks: these had no part in the choice
    chosen, outside = first_least(inside), np.full(inside.shape[0], np.nan)
    for c in np.unique(chosen):
        outside[chosen == c] = losses.errors(absent[chosen == c], int(c))
    outside = outside[~np.isnan(outside)]
    if not outside.size:
        raise UsageError(
            f"no bootstrap sample of {losses.units} cases has a value both inside and outside of it; expected cases "
            "of each class in both; collect more of the rare class, or ask for more n_resamples"
        )
    tail = (1.0 - confidence_level) / 2
    # percentiles of the errors outside (section 4.2), which vary with the choice and with the tested cases
    low, high = np.quantile(outside, [tail, 1.0 - tail])
    return BiasCorrected(float(outside.mean()), float(low), float(high), outside, inside)


def first_least(errors: np.ndarray) -> np.ndarray:
    """Return the position of the least number of each line, of those equal up to rounding the first; 0 with NaN."""
    least = errors.min(axis=-1, keepdims=True)
    # in place: memory for another large array takes longer than the sums
    slack = np.abs(errors) * _SAME
    np.maximum(slack, np.abs(least) * _SAME, out=slack)
    return np.asarray((least >= np.subtract(errors, slack, out=slack)).argmax(axis=-1))


def max_t_quantile(inside: np.ndarray, errors: np.ndarray, confidence_level: float) -> float:
    """Return the quantile of the largest standardized difference of all pairs of candidates in bootstrap samples.

    References
    ----------
    Romano & Wolf (2005) for the single step with bootstrap standard errors.
    """
    # less the observed differences, bootstrap differences have a mean of about 0, as where all candidates are equal;
    # the largest over all pairs allows for having picked the best pair
    largest = np.zeros(inside.shape[0])
    for c in range(inside.shape[1] - 1):
        # max over pairs of |(x*_c - x*_d) - (x_c - x_d)| / se*, for d > c
        gaps = inside[:, c, None] - inside[:, c + 1 :]
        se = gaps.std(axis=0)
        varies = se > _SAME
        moved = np.abs(gaps[:, varies] - (errors[c] - errors[c + 1 :])[varies]) / se[varies]
        largest = np.maximum(largest, moved.max(axis=1, initial=0.0))
    return float(np.quantile(largest, confidence_level))


def wilson_of_nested(
    error: float, units: int, folds: int, repeats: int, confidence_level: float, *, grouped: bool = False
) -> tuple[float, float]:
    """Return Wilson's limits of an error rate of nested cross-validation.

    Errors of cases are correlated through shared training sets, so that n cases are worth fewer independent ones: up to
    five folds n, above n / 1.25, and a further 1.3 less where the cases are divided into folds only once.  Both factors
    were fitted so that the limits cover in the simulation of ``guide/05-choosing``.  With groups the quantile is
    Student's with the number of groups less one degrees of freedom.
    """
    # more folds share more training cases, and a single division has no other one to average with
    factor = (1.25 if folds > 5 else 1.0) * (1.3 if repeats == 1 else 1.0)
    level = (1 + confidence_level) / 2
    quantile = t_quantile(units - 1, level) if grouped else float(ndtri(level))
    # Wilson's limits of n / factor trials: as a design effect in survey sampling divides n
    low, high = wilson_limits(error, max(1.0, units / factor), quantile)
    return float(low), float(high)
