"""Exact distributions of hit counts: hypergeometric, binomial, sums and maxima.

Probabilities are built by ratios outward from the mode and added by convolution, so that nothing overflows at a
million cases and small ones keep their relative accuracy; below 1e-308 a probability counts as 0.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import ceil, floor
from typing import SupportsFloat

import numba as nb
import numpy as np
from scipy.special import gammaln, xlogy
from scipy.stats import binom

from errorest.errors import UsageError, nearest

# a whole number of hits may come out of n * z with a rounding error of a few units in the last place
WHOLE = 1e-9
# products that a convolution may take before rare values are dropped, about a hundredth of a second
LONG = 10_000_000


@dataclass(frozen=True, eq=False)
class Distribution:
    """A distribution on whole numbers: the probabilities of ``first``, ``first + 1``, ..."""

    first: int
    pmf: np.ndarray

    @property
    def last(self) -> int:
        """The greatest value."""
        return self.first + self.pmf.shape[0] - 1

    def at(self, value: int) -> float:
        """Return the probability of one value."""
        return float(self.pmf[value - self.first]) if self.first <= value <= self.last else 0.0

    def at_least(self, value: float) -> float:
        """Return the probability of ``value`` or more; smallest terms are added first."""
        start = max(0, ceil(value - WHOLE) - self.first)
        return min(1.0, float(np.sort(self.pmf[start:]).sum()))

    def mean(self) -> float:
        """Return the expectation."""
        return float(self.pmf @ np.arange(self.first, self.last + 1))

    def mean_above_zero(self) -> float:
        """Return the expectation of the value where it is positive and of nought where it is not."""
        return float(self.pmf @ np.maximum(0, np.arange(self.first, self.last + 1)))

    def __neg__(self) -> Distribution:
        return Distribution(-self.last, self.pmf[::-1])

    def __add__(self, other: Distribution) -> Distribution:
        """Return the distribution of the sum of two independent numbers (a convolution)."""
        one, two = self, other
        # where this would be slow, values rarer than 1e-40 of the commonest are dropped: tails right to about 1e-36
        if one.pmf.shape[0] * two.pmf.shape[0] > LONG:
            one, two = (_trimmed(d.first, d.pmf, 1e-40 * float(d.pmf.max())) for d in (self, other))
        return _trimmed(one.first + two.first, np.convolve(one.pmf, two.pmf))

    def shift(self, by: int) -> Distribution:
        """Return the distribution of the value plus a constant."""
        return Distribution(self.first + by, self.pmf)

    def times(self, n: int) -> Distribution:
        """Return the distribution of the sum of n independent copies, by repeated doubling."""
        total, power = Distribution(0, np.ones(1)), self
        while n:
            if n & 1:
                total = total + power
            n >>= 1
            if n:
                power = power + power
        return total


def _trimmed(first: int, pmf: np.ndarray, least: float = 1e-300) -> Distribution:
    # values that underflow would only lengthen the next convolution
    selected = np.nonzero(pmf > least)[0]
    low, high = int(selected[0]), int(selected[-1]) + 1
    return Distribution(first + low, pmf[low:high])


def check_whole(value: SupportsFloat, name: str, least: int = 0) -> int:
    """Return a count as int; a fraction or a count below ``least`` is an error."""
    number = float(value)
    if not number == floor(number) or number < least:
        raise UsageError(f"{name} is {value}; expected a whole number of at least {least}; give a count of cases")
    return int(number)


def check_probability(value: float, name: str) -> float:
    """Return a probability; a number outside [0, 1] is an error."""
    if not 0.0 <= value <= 1.0:
        raise UsageError(f"{name} is {value}; expected a probability in [0, 1]; give a proportion, not percent")
    return float(value)


def check_trials(trials: float) -> float:
    """Return a number of trials; fewer than one is an error."""
    if not trials >= 1.0:
        raise UsageError(f"{trials} trials; expected at least 1; count the settings that were tried")
    return trials


def check_word(word: str, known: Collection[str], what: str) -> None:
    """Refuse an unknown word."""
    if word not in known:
        raise UsageError(f"unknown {what} '{word}'; expected one of {', '.join(known)}; {nearest(word, known)}")


def check_test_set(m: SupportsFloat, hits: SupportsFloat, c: SupportsFloat) -> tuple[int, int, int]:
    """Return test-set size, hits and told labels as ints with 1 <= m, hits <= m and c <= m."""
    size = check_whole(m, "the test-set size m", 1)
    correct = check_whole(hits, "the number of hits")
    revealed = check_whole(c, "the number of told labels c")
    if correct > size:
        raise UsageError(f"{correct} hits on m = {size} test cases; expected at most m; check hits and m")
    if revealed > size:
        raise UsageError(f"c = {revealed} labels told of m = {size} test cases; expected at most m; lower c")
    return size, correct, revealed


def check_extra(extra: float) -> int:
    """Return a number of extra hits as int; a fraction is an error."""
    whole = round(extra)
    if abs(extra - whole) > WHOLE * max(1.0, abs(extra)):
        raise UsageError(
            f"{extra} extra hits were asked for; expected a whole number (over all folds: n z); "
            f"round up, to {ceil(extra)}"
        )
    return whole


def hypergeometric(m: int, hits: int, c: int) -> Distribution:
    """Distribution of the hits among c cases drawn from m without replacement, H(m, hits, c)."""
    m, hits, c = check_test_set(m, hits, c)
    low, high = max(0, c - (m - hits)), min(hits, c)
    k = np.arange(low, high, dtype=np.float64)
    ratio = (hits - k) / (k + 1.0) * ((c - k) / (m - hits - c + k + 1.0))
    mode = min(high, max(low, (hits + 1) * (c + 1) // (m + 2))) - low
    weight = np.ones(high - low + 1)
    weight[mode + 1 :] = np.cumprod(ratio[mode:])
    weight[:mode] = np.cumprod(1.0 / ratio[:mode][::-1])[::-1]
    return _trimmed(low, weight / np.sort(weight).sum())


@nb.njit(cache=True)
def _tail(m, special, c, z):  # type: ignore[no-untyped-def]
    low = max(0, c - (m - special))
    high = min(special, c)
    if z <= low:
        return 1.0
    if z > high:
        return 0.0
    # weights are relative to the mode's, so none overflows; the two sides are summed apart, so the
    # smaller keeps its digits
    mode = min(high, max(low, (special + 1) * (c + 1) // (m + 2)))
    above = 1.0 if mode >= z else 0.0
    below = 0.0 if mode >= z else 1.0
    weight = 1.0
    k = mode
    while k < high and weight > 1e-305:
        weight *= (special - k) / (k + 1.0) * ((c - k) / (m - special - c + k + 1.0))
        k += 1
        if k >= z:
            above += weight
        else:
            below += weight
    weight = 1.0
    k = mode
    while k > low and weight > 1e-305:
        weight *= k / (special - k + 1.0) * ((m - special - c + k) / (c - k + 1.0))
        k -= 1
        if k >= z:
            above += weight
        else:
            below += weight
    return above / (above + below)


@nb.njit(cache=True)
def tail_map(m, special, c, z, out):  # type: ignore[no-untyped-def]
    """Fill ``out`` (rows, columns) with tails of H(m, special, c) at z; c beyond m is NaN."""
    for i in range(m.shape[0]):
        for j in range(c.shape[0]):
            out[i, j] = np.nan if c[j] > m[i] else _tail(m[i], special[i], c[j], z[i])


def hypergeometric_at_least(m: int, special: int, c: int, z: int) -> float:
    """Probability of z or more special cases among c drawn from m without replacement."""
    m, special, c = check_test_set(m, special, c)
    return float(_tail(m, special, c, z))


def binomial(n: int, p: float) -> Distribution:
    """Distribution of the successes in n independent trials, B(n, p)."""
    n, p = check_whole(n, "the number of trials n"), check_probability(p, "p")
    # further out than this the probabilities are below what is kept
    reach = 40.0 * np.sqrt(n * p * (1.0 - p)) + 1000.0
    low, high = max(0, floor(n * p - reach)), min(n, ceil(n * p + reach))
    return _trimmed(low, binom.pmf(np.arange(low, high + 1), n, p))


def largest_of(one: Distribution, copies: float) -> Distribution:
    """Distribution of the largest of several independent numbers with one distribution."""
    if not copies >= 1:
        raise UsageError(f"the largest of {copies} numbers was asked for; expected at least 1; ask for one or more")
    above = np.minimum(1.0, np.append(np.cumsum(one.pmf[::-1])[::-1], 0.0))
    with np.errstate(divide="ignore"):
        reached = -np.expm1(min(copies, 2.0**1000) * np.log1p(-above))
    reached[0] = 1.0
    return _trimmed(one.first, np.maximum(0.0, reached[:-1] - reached[1:]))


def most_frequent_in_folds(n: int, p: float) -> Distribution:
    """Distribution of the hits on the commoner of two classes at one position of n folds (equation 14)."""
    n, p = check_whole(n, "the number of folds n", 1), check_probability(p, "p")
    y = np.arange(n + 1)
    first = (n + 1) // 2
    pmf = np.bincount(np.maximum(y, n - y) - first, binom.pmf(y, n, p))
    return Distribution(first, pmf)


def log_binomial(n: float | np.ndarray, k: float | np.ndarray) -> np.ndarray:
    """Logarithm of binomial coefficients, -inf outside 0 <= k <= n; n and k may be fractions."""
    n, k = np.broadcast_arrays(np.asarray(n, dtype=float), np.asarray(k, dtype=float))
    inside = (k >= -WHOLE) & (k <= n + WHOLE)
    k = np.clip(np.where(inside, k, 0.0), 0.0, n)
    return np.where(inside, gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0), -np.inf)


def relative_entropy(x: float, a: float) -> float:
    """Relative entropy of two Bernoulli distributions, in nats; infinite where a is 0 or 1 and x is not."""
    with np.errstate(divide="ignore"):
        own = xlogy(x, x) + xlogy(1.0 - x, 1.0 - x)
        return float(max(0.0, own - xlogy(x, a) - xlogy(1.0 - x, 1.0 - a)))
