"""Statistics of a case under bootstrap weights of its trials, and the paired test of section 6.

In each trial ``d = (old - Err)^2 - (new - Err)^2``; the one-sided test takes ``z = mean(d) / (sd(d) / sqrt(N))``
(what the paper calls a variance there is the standard deviation).
"""

from __future__ import annotations

from functools import lru_cache
from math import copysign, nan, sqrt

import numpy as np
from scipy.special import ndtr

from compendium.papers.shakhnarovich.cases import Case
from errorest.streams import Streams

RESAMPLED = 1000  # Bootstrap sets of trials
LARGEST_CACHED = 600  # Weights of more trials are not cached: a user's thousands would fill the memory


@lru_cache(maxsize=96)  # readings and win_tie_loss ask for the same weights; 110 MiB at most
def _counts(streams: Streams, n: int, *names: str) -> np.ndarray:
    return streams.generator(*names).multinomial(n, np.full(n, 1 / n), size=RESAMPLED).astype(np.uint32)


def bootstrap_weights(case: Case, streams: Streams, *names: str) -> np.ndarray:
    """Return the weights of a case's trials in sets drawn with replacement, shape (sets, trials)."""
    draw = _counts if case.n <= LARGEST_CACHED else _counts.__wrapped__
    return np.asarray(draw(streams.child(case.row), case.n, *names) / case.n)


def equal_weights(case: Case) -> np.ndarray:
    """Return the weights of a case's trials as they are, shape (1, trials)."""
    return np.full((1, case.n), 1 / case.n)


def mse(case: Case, estimator: str, weights: np.ndarray) -> np.ndarray:
    """Return an estimator's mean squared error under each line of weights."""
    return np.asarray(weights @ case.difference(estimator) ** 2)


def sd(case: Case, estimator: str, weights: np.ndarray) -> np.ndarray:
    """Return an estimator's standard deviation under each line of weights."""
    return sd_of_moments(weights @ case[estimator] ** 2, weights @ case[estimator], case.n)


def absolute_bias(case: Case, estimator: str, weights: np.ndarray) -> np.ndarray:
    """Return the absolute bias of an estimator under each line of weights."""
    return np.asarray(np.abs(weights @ case.difference(estimator)))


def sd_of_moments(second: np.ndarray, mean: np.ndarray, n: int) -> np.ndarray:
    """Return standard deviations from mean squares and means of n values."""
    return np.sqrt(np.maximum(second - mean**2, 0.0) * n / max(n - 1, 1))


def p_values(case: Case, old: str, new: str, weights: np.ndarray) -> np.ndarray:
    """Return the paired test's one-sided p-values for "the new estimator is better" under each line of weights."""
    d = case.difference(old) ** 2 - case.difference(new) ** 2
    mu = weights @ d
    return normal_p_values(mu, sd_of_moments(weights @ d**2, mu, case.n), case.n)


def normal_p_values(mu: np.ndarray, sigma: np.ndarray, n: int) -> np.ndarray:
    """Return one-sided p-values of means of n differences; where nothing varies the sign decides."""
    with np.errstate(divide="ignore", invalid="ignore"):
        certain = np.where(mu == 0, 0.5, (mu < 0) * 1.0)
        return np.asarray(np.where(sigma > 0, ndtr(-mu / (sigma / sqrt(n))), certain))


def paired_test(truth: np.ndarray, old: np.ndarray, new: np.ndarray) -> dict[str, float]:
    """Test whether the new estimator's expected squared error is smaller (section 6)."""
    d = (old - truth) ** 2 - (new - truth) ** 2
    mu, sigma = float(d.mean()), float(d.std(ddof=1)) if len(d) > 1 else nan
    alpha = float(normal_p_values(np.array(mu), np.array(sigma), len(d)))
    return {"sqrt-mu-d": copysign(sqrt(abs(mu)), mu), "sigma-d": sigma, "alpha": alpha}
