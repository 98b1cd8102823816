"""Exact distributions of hit counts, what tuning gains, and bounds: what the calculator and its inverse share.

Probabilities are built by ratios outward from the mode and added by convolution, so that nothing overflows at a
million cases and small ones keep their relative accuracy; below 1e-308 a probability counts as 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, floor, inf, log, log1p, log2
from typing import Literal, SupportsFloat, get_args

import numpy as np
from scipy.optimize import brentq
from scipy.special import xlogy
from scipy.stats import binom

from errorest.compiled import kernel
from errorest.counting import count_each
from errorest.errors import UsageError, unknown

Setting = Literal["one-shot", "per-fold", "fixed"]
"""One test set; each of n folds tuned apart; one choice of parameters for all folds."""


def check_setting(setting: Setting | None, folds: int) -> Setting:
    """Return the setting, by default one-shot with one fold and fixed with more; one-shot has no more."""
    setting = setting or ("one-shot" if folds == 1 else "fixed")
    if setting not in get_args(Setting):
        raise unknown("setting", setting, get_args(Setting))
    if setting == "one-shot" and folds != 1:
        raise UsageError(
            f"{folds} folds in the one-shot setting; expected one test set; choose the setting per-fold or fixed"
        )
    return setting


def check_entropy(entropy: float, classes: int | None = None) -> float:
    """Return a class entropy in bits; it is positive and at most log2(classes)."""
    most = inf if classes is None else log2(classes)
    if not 0.0 < entropy <= most + WHOLE:
        bound = "" if classes is None else f" and at most log2({classes}) = {most:.4f}"
        raise UsageError(f"the class entropy is {entropy} bits; expected more than 0{bound}; check entropy and classes")
    return float(entropy)


def labels_revealed(bits: float, entropy: float) -> int:
    """Number of labels that a channel of some bits reveals, c = p/H, rounded down: no part of a label is revealed."""
    if not bits >= 0.0:
        raise UsageError(f"a channel of {bits} bits; expected at least 0; give log2 of the number of settings")
    return floor(bits / check_entropy(entropy) + WHOLE)


def check_classes_entropy(classes: int | None, entropy: float | None) -> tuple[int, float]:
    """Return both from one or both: equal classes have log2(classes) bits; H bits need 2**H classes at least."""
    if classes is None:
        if entropy is None:
            raise UsageError("neither classes nor entropy was given; expected at least one; give the number of classes")
        bits = check_entropy(entropy)
        return max(2, ceil(2.0**bits - WHOLE)), bits
    number = check_whole(classes, "the number of classes", 2)
    return number, log2(number) if entropy is None else check_entropy(entropy, number)


def default_share_of(entropy: float) -> float:
    """Share of the default class of two whose entropy is given; inverts H(p)."""
    bits = min(1.0, check_entropy(entropy, 2))
    if bits == 1.0:
        return 0.5
    missing = (1.0 - bits) * log(2.0)
    return float(brentq(lambda p: relative_entropy(p, 0.5) - missing, 0.5, 1.0, xtol=1e-14))


def greedy_gain(setting: Setting, m: int, hits: int, c: int, n: int, p: float) -> Distribution:
    """Distribution of the greedy optimizer's gain; m cases a fold, hits over all folds, dealt evenly."""
    each, more = divmod(hits, n)
    lost = hypergeometric(m, each, c).times(n - more)
    if more:
        lost = lost + hypergeometric(m, each + 1, c).times(more)
    revealed = most_frequent_in_folds(n, p).times(c) if setting == "fixed" else Distribution(n * c, np.ones(1))
    return revealed + -lost


def independent_gain(setting: Setting, m: int, hits: int, t: float, n: int) -> Distribution:
    """Distribution of the gain of the best of t independent settings whose true accuracy is hits/(m n)."""
    a = hits / (m * n)
    if setting == "per-fold":
        return largest_of(binomial(m, a), t).times(n).shift(-hits)
    return largest_of(binomial(m * n, a), t).shift(-hits)


def log_binomial_tail(n: int, p: float, h: int) -> float:
    """Logarithm of P(B(n, p) >= h), down to any depth."""
    if h <= 0:
        return 0.0
    if h > n or p == 0.0:
        return -inf
    reach = 40.0 * (n * p * (1.0 - p)) ** 0.5 + 1000.0
    terms = binom.logpmf(np.arange(h, min(n, ceil(max(h, n * p) + reach)) + 1), n, p)
    top = terms.max()
    return float(min(0.0, top + np.log(np.exp(terms - top).sum())))


def adaptive_bits(trials: float, m: int) -> float:
    """Bits about m test labels that t hit counts can carry: log2 of the sum of (m + 1)**i over i < t."""
    m = check_whole(m, "the test-set size m", 1)
    whole = check_trials(trials) * log2(m + 1)
    return max(0.0, whole + log1p(-exp(-whole * log(2.0))) / log(2.0) - log2(m))


def bias_bound(bits: float, m: int, accuracy: float) -> float:
    """Most that bits about m test labels can add to the accuracy on average: Chernoff's bound for 2**bits numbers."""
    a, m = check_probability(accuracy, "the accuracy"), check_whole(m, "the test-set size m", 1)
    if not bits >= 0.0:
        raise UsageError(f"{bits} bits; expected at least 0; give log2 of the number of settings")
    # the d at which m times the relative entropy of accuracy + d and accuracy is bits ln 2
    budget = bits * log(2.0) / m
    # rounding leaves the entropy of equal shares a little above 0, and the bits of one trial too
    if a in (0.0, 1.0) or budget <= relative_entropy(a, a):
        return 0.0
    if budget >= -log(a):
        return 1.0 - a
    return float(brentq(lambda d: relative_entropy(a + d, a) - budget, 0.0, 1.0 - a, xtol=1e-15))


def share_of_default(setting: Setting, classes: int, entropy: float, share: float | None) -> float:
    if setting == "fixed" and classes != 2:
        raise UsageError(
            f"{classes} classes with parameters fixed over the folds; expected two, equation (14) covers no more; "
            "choose the setting per-fold"
        )
    if share is not None:
        return check_probability(share, "the share of the default class")
    return default_share_of(entropy) if setting == "fixed" else 0.5


def revealed_labels(size: int, classes: int, entropy: float, trials: float | None, bits: float | None) -> int:
    """Labels that the greedy optimizer can tell of a fold with a budget of trials, bits or both."""
    if trials is None and bits is None:
        raise UsageError("neither trials nor bits were given; expected at least one; say how many settings were tried")
    by_trials = size if trials is None else floor(min(check_trials(trials) / classes, size) + WHOLE)
    by_bits = size if bits is None else labels_revealed(min(bits, entropy * (size + 1.0)), entropy)
    return min(size, by_trials, by_bits)


def gain_map(
    m: np.ndarray, c: np.ndarray, *, accuracy: float, extra: int | None = None, gain: float | None = None
) -> np.ndarray:
    """Probability of a gain in the one-shot setting over test-set sizes and revealed labels."""
    if (extra is None) == (gain is None):
        raise UsageError(f"extra = {extra} and gain = {gain} were given; expected exactly one of them; give one")
    a = check_probability(accuracy, "the accuracy")
    sizes = np.array([check_whole(v, "the test-set size m", 1) for v in np.atleast_1d(m)], dtype=np.int64)
    revealed = np.array([check_whole(v, "the number of told labels c") for v in np.atleast_1d(c)], dtype=np.int64)
    misses = sizes - np.floor(a * sizes + 0.5).astype(np.int64)
    if extra is None:
        wanted = np.ceil(check_probability(gain or 0.0, "the gain") * sizes - WHOLE).astype(np.int64)
    else:
        wanted = np.full(sizes.shape, check_extra(extra), dtype=np.int64)
    out = np.empty((sizes.size, revealed.size))
    tail_map(sizes, misses, revealed, wanted, out)
    return out


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


@kernel
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


@kernel
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
    pmf = count_each(np.maximum(y, n - y) - first, binom.pmf(y, n, p))
    return Distribution(first, pmf)


def relative_entropy(x: float, a: float) -> float:
    """Relative entropy of two Bernoulli distributions, in nats; infinite where a is 0 or 1 and x is not."""
    with np.errstate(divide="ignore"):
        own = xlogy(x, x) + xlogy(1.0 - x, 1.0 - x)
        return float(max(0.0, own - xlogy(x, a) - xlogy(1.0 - x, 1.0 - a)))
