"""Bootstrap bias-corrected cross-validation: the winner's error, corrected for the choice among candidates.

A bootstrap sample of the cases chooses among the candidates by their cross-validated results, and the chosen one is
judged on the cases that the sample lacks.  No classifier is fitted again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtri, stdtrit

from errorest.assessment.options import checked_count
from errorest.errors import UsageError
from errorest.estimation.proportions import wilson_limits
from errorest.resampling.draw import bootstrap

# Errors that differ by a smaller share of the larger are equal
_SAME = 1e-9

_FEW_FOLDS = 5
# Divisor of the number of cases with more than `_FEW_FOLDS` folds, whose training sets differ little
_SHARED_TRAINING = 1.25
# Further divisor where the cases are tested once, on one division into folds
_ONE_REPEAT = 1.3


@dataclass(frozen=True, eq=False)
class BiasCorrected:
    """The error of choosing among candidates, from bootstrap samples of the cases.

    Parameters
    ----------
    error : float
        Of choosing and of what is chosen: mean over the samples of the chosen candidate's error on the cases that
        the sample lacks.
    low, high : float
        Percentiles of these errors.
    outside : float array, shape (B,)
        These errors.
    inside : float array, shape (B, C)
        The error of each candidate in each sample.

    Examples
    --------
    >>> losses = np.array([[0.0, 1.0], [1.0, 0.0]] * 8)
    >>> found = bias_corrected_error(losses, rng=np.random.default_rng(0))
    >>> found.error > 0.5, [round(share, 1) for share in found.wins.tolist()]
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
        losses, size, place = self.inside, np.abs(self.inside), np.arange(self.inside.shape[1])
        ranks = []
        for c in place:
            ahead, gap = losses[:, [c]] - losses, _SAME * np.maximum(size[:, [c]], size)
            less, same = (ahead > gap).sum(axis=1)[:, None], (np.abs(ahead) <= gap).sum(axis=1)[:, None]
            ranks.append((((place >= less) & (place < less + same)) / same).mean(axis=0))
        return np.array(ranks)

    @property
    def wins(self) -> np.ndarray:
        """Share of the samples in which each candidate errs least; ties are shared."""
        return self.ranks[:, 0]


def bias_corrected_error(
    losses: np.ndarray,
    tests: np.ndarray | None = None,
    *,
    draws: int = 1000,
    confidence: float = 0.95,
    rng: np.random.Generator,
) -> BiasCorrected:
    """Correct the error of the best of several candidates for having been chosen.

    Parameters
    ----------
    losses : float array, shape (n, C)
        Sums of the losses of each case (or group) by each candidate, from resamples that are the same for all.
    tests : float array, shape (n,), optional
        How many losses were summed; by default one each.
    draws : int
        Bootstrap samples.
    confidence : float
        Of the interval, a proportion.
    rng : numpy.random.Generator

    Returns
    -------
    BiasCorrected

    Raises
    ------
    UsageError
        If there are fewer than two cases, no candidate, or no bootstrap sample.

    Notes
    -----
    Of equally good candidates the first is chosen, in the samples as by the person.  The interval is wide for its
    confidence where cases are few, since only about .37 n of them are outside a sample.

    References
    ----------
    Tsamardinos, Greasidou & Borboudakis (2018), algorithm 2 (BBC-CV) and section 4.2 for the interval.

    Examples
    --------
    >>> coins = np.random.default_rng(1).integers(0, 2, size=(30, 20)).astype(float)
    >>> found = bias_corrected_error(coins, rng=np.random.default_rng(2))
    >>> round(float(coins.mean(axis=0).min()), 2), round(found.error, 1)
    (0.3, 0.5)
    """
    sums = np.asarray(losses, dtype=np.float64)
    if sums.ndim != 2 or sums.shape[0] < 2 or not sums.shape[1]:
        raise UsageError(
            f"the losses have shape {sums.shape}; expected (n, C), a line for each of at least two cases and a "
            "column for each candidate"
        )
    draws = checked_count("draws", draws)
    tested = np.ones(sums.shape[0]) if tests is None else np.asarray(tests, dtype=np.float64)

    def error(counts: np.ndarray, candidate: int) -> np.ndarray:
        return np.asarray((counts @ sums[:, candidate]) / (counts @ tested))

    # numbers of the type of the sums, or each product would convert them
    counts = bootstrap(sums.shape[0], draws, rng, test="all").compact.counts.astype(np.float64)
    # whole numbers have the same sum in any order, so that one product of matrices serves all candidates
    inside = counts @ sums if (sums == np.rint(sums)).all() else np.stack([counts @ own for own in sums.T], axis=1)
    with np.errstate(invalid="ignore"):
        inside /= (counts @ tested)[:, None]
        return without_choice(error, inside, counts, confidence)


def without_choice(
    error: Callable[[np.ndarray, int], np.ndarray], inside: np.ndarray, counts: np.ndarray, confidence: float
) -> BiasCorrected:
    """Choose in every bootstrap sample by the errors ``inside`` and judge outside of it.

    ``error(counts, c)`` returns the errors of candidate c, one a line of the counts, NaN where it is undefined.
    """
    known = ~np.isnan(inside).any(axis=1)
    if not known.all():
        inside, counts = inside[known], counts[known]
    lacked = counts == 0
    chosen, outside = first_least(inside), np.full(inside.shape[0], np.nan)
    for c in np.unique(chosen):
        outside[chosen == c] = error(lacked[chosen == c], int(c))
    outside = outside[~np.isnan(outside)]
    if not outside.size:
        raise UsageError(
            f"no bootstrap sample of {counts.shape[1]} cases has a value both inside and outside of it; expected cases "
            "of each class in both; collect more of the rare class, or ask for more draws"
        )
    tail = (1.0 - confidence) / 2
    low, high = np.quantile(outside, [tail, 1.0 - tail])
    return BiasCorrected(float(outside.mean()), float(low), float(high), outside, inside)


def first_least(errors: np.ndarray) -> np.ndarray:
    """Return the position of the least number of each line, of those equal up to rounding the first; 0 with NaN."""
    least = errors.min(axis=-1, keepdims=True)
    # in place: memory for another large array takes longer than the sums
    slack = np.abs(errors) * _SAME
    np.maximum(slack, np.abs(least) * _SAME, out=slack)
    return np.asarray((least >= np.subtract(errors, slack, out=slack)).argmax(axis=-1))


def max_t_quantile(inside: np.ndarray, errors: np.ndarray, confidence: float) -> float:
    """Return the quantile of the largest standardised difference of all pairs of candidates in bootstrap samples.

    References
    ----------
    Romano & Wolf (2005) for the single step with bootstrap standard errors.
    """
    largest = np.zeros(inside.shape[0])
    for c in range(inside.shape[1] - 1):
        gaps = inside[:, c, None] - inside[:, c + 1 :]
        se = gaps.std(axis=0)
        varies = se > _SAME
        moved = np.abs(gaps[:, varies] - (errors[c] - errors[c + 1 :])[varies]) / se[varies]
        largest = np.maximum(largest, moved.max(axis=1, initial=0.0))
    return float(np.quantile(largest, confidence))


def wilson_of_nested(
    error: float, units: int, folds: int, repeats: int, confidence: float, *, grouped: bool = False
) -> tuple[float, float]:
    """Return Wilson's limits of an error of nested cross-validation.

    The number of cases (or groups) is divided by a factor for what training sets share; it was fitted by simulation.
    With groups the quantile is Student's, of as many degrees of freedom as groups less one.
    """
    factor = (_SHARED_TRAINING if folds > _FEW_FOLDS else 1.0) * (_ONE_REPEAT if repeats == 1 else 1.0)
    level = (1 + confidence) / 2
    quantile = float(stdtrit(units - 1, level) if grouped else ndtri(level))
    low, high = wilson_limits(error, max(1.0, units / factor), quantile)
    return float(low), float(high)
