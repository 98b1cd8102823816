"""Confidence intervals for a binomial proportion, and how often they contain it.

Kohavi's (1995) equation 3 is the score interval; Wald's and Clopper & Pearson's
stand beside it.  They hold for one classifier and cases that it has not seen;
:func:`coverage` sums the binomial exactly, so that no simulation is needed.

``scipy.stats`` and ``statsmodels`` have the same intervals of whole numbers of hits.  They are not taken: ``import
scipy.stats`` takes more than .5 s, longer than most estimates; and limits are needed here of shares that are no whole
number of hits, of arrays of them, and with Student's quantile where groups count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from scipy import special

from errorest.errors import UsageError

# A limit this close to a proportion contains it; the limits themselves are rounded
_BOUNDARY = 1e-12


class Interval(NamedTuple):
    """Confidence limits, proportions; arrays where the counts were arrays."""

    low: np.ndarray
    high: np.ndarray


def wilson_interval(hits: np.ndarray | float, trials: float, confidence: float = 0.95) -> Interval:
    """Return Wilson's score interval (Wilson 1927; Kohavi 1995, equation 3)."""
    k, z = _checked(hits, trials, confidence)
    return wilson_limits(k / trials, trials, z)


def wilson_limits(rate: np.ndarray | float, trials: float, z: float) -> Interval:
    """Return Wilson's limits of a proportion p of n trials, with any quantile z in place of the normal one.

    They are the roots of (p - q)^2 = z^2 q (1 - q) / n, so that the variance is that at the limit q.
    """
    # q = (2 n p + z^2 -+ z sqrt(z^2 + 4 n p (1 - p))) / (2 (n + z^2)), Kohavi's equation 3
    middle = 2 * trials * rate + z**2
    # the difference under the root can come out below zero by rounding where no or every case is a hit
    half = z * np.sqrt(np.maximum(4 * trials * rate + z**2 - 4 * trials * rate**2, 0.0))
    whole = 2 * (trials + z**2)
    return Interval(np.clip((middle - half) / whole, 0.0, 1.0), np.clip((middle + half) / whole, 0.0, 1.0))


def wald_interval(hits: np.ndarray | float, trials: int, confidence: float = 0.95) -> Interval:
    """Return Wald's interval at the rate itself, cut at 0 and 1; without width at a rate of 0 or 1."""
    k, z = _checked(hits, trials, confidence)
    rate = k / trials
    # p -+ z sqrt(p (1 - p) / n), the variance at the estimate, which is 0 where no or every case is a hit
    half = z * np.sqrt(rate * (1 - rate) / trials)
    return Interval(np.clip(rate - half, 0.0, 1.0), np.clip(rate + half, 0.0, 1.0))


def clopper_pearson_interval(hits: np.ndarray | float, trials: int, confidence: float = 0.95) -> Interval:
    """Return Clopper & Pearson's interval (1934), which holds the proportion at least as often as it says."""
    k, _ = _checked(hits, trials, confidence)
    tail = (1 - confidence) / 2
    # binomial tails as beta quantiles; they are not defined at the ends, where the limit is 0 or 1; the lower limit is
    # the p with P(at least k hits) = alpha / 2, the upper that with P(at most k hits) = alpha / 2
    low = np.where(k == 0, 0.0, special.betaincinv(np.maximum(k, 1), trials - k + 1, tail))
    high = np.where(k == trials, 1.0, special.betaincinv(k + 1, np.maximum(trials - k, 1), 1 - tail))
    return Interval(low, high)


BINOMIAL_INTERVALS: Mapping[str, Callable[[np.ndarray | float, int, float], Interval]] = {
    "score": wilson_interval,
    "wald": wald_interval,
    "clopper-pearson": clopper_pearson_interval,
}
"""Intervals of a binomial proportion by name; ``score`` is Kohavi's equation 3."""


def coverage(
    interval: Callable[[np.ndarray | float, int, float], Interval],
    trials: int,
    proportion: np.ndarray | float,
    confidence: float = 0.95,
) -> np.ndarray:
    """Probability that an interval contains the proportion: an exact sum over the binomial."""
    p = np.asarray(proportion, dtype=float)
    if not ((p >= 0) & (p <= 1)).all():
        raise UsageError("a proportion outside [0, 1] was given; expected proportions; 90 % is written 0.9")
    # sum of the binomial probabilities of the numbers of hits whose interval contains p
    k = np.arange(trials + 1)
    low, high = interval(k, trials, confidence)
    inside = (low <= p[..., None] + _BOUNDARY) & (p[..., None] <= high + _BOUNDARY)
    # in logarithms, since coefficients of a thousand trials overflow; xlogy and xlog1py take 0 log 0 for 0
    log_ways = special.gammaln(trials + 1) - special.gammaln(k + 1) - special.gammaln(trials - k + 1)
    chances = np.exp(log_ways + special.xlogy(k, p[..., None]) + special.xlog1py(trials - k, -p[..., None]))
    return np.where(inside, chances, 0.0).sum(axis=-1)


def check_confidence(confidence: float) -> None:
    """Refuse a confidence that is no proportion."""
    try:
        between = bool(0 < confidence < 1)
    except (TypeError, ValueError):
        between = False
    if not between:
        raise UsageError(
            f"confidence_level = {confidence!r}; expected a proportion between 0 and 1", "95 % is written 0.95"
        )


def _checked(hits: np.ndarray | float, trials: float, confidence: float) -> tuple[np.ndarray, float]:
    k = np.asarray(hits)
    if trials < 1 or not ((k >= 0) & (k <= trials)).all():
        raise UsageError(
            f"an interval was asked for {hits} hits in {trials} trials; expected at least one trial and hits from 0 to "
            "the number of trials"
        )
    check_confidence(confidence)
    # two-sided: z is the 1 - alpha / 2 quantile, alpha = 1 - confidence
    return k, float(special.ndtri((1 + confidence) / 2))
