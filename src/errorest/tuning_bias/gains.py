"""What tuning gains, as distributions and bounds: the parts that the calculator and its inverse share."""

from __future__ import annotations

from math import ceil, exp, floor, inf, log, log1p, log2
from typing import Literal, get_args

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom

from errorest.errors import UsageError
from errorest.tuning_bias.distributions import (
    WHOLE,
    Distribution,
    binomial,
    check_extra,
    check_probability,
    check_trials,
    check_whole,
    check_word,
    hypergeometric,
    largest_of,
    most_frequent_in_folds,
    relative_entropy,
    tail_map,
)

Setting = Literal["one-shot", "per-fold", "fixed"]
"""One test set; each of n folds tuned apart; one choice of parameters for all folds."""


def check_setting(setting: str, folds: int) -> None:
    """Refuse an unknown setting, and more than one fold in the one-shot setting."""
    check_word(setting, get_args(Setting), "setting")
    if setting == "one-shot" and folds != 1:
        raise UsageError(
            f"{folds} folds in the one-shot setting; expected one test set; choose the setting per-fold or fixed"
        )


def check_entropy(entropy: float, classes: int | None = None) -> float:
    """Return a class entropy in bits; it is positive and at most log2(classes)."""
    most = inf if classes is None else log2(classes)
    if not 0.0 < entropy <= most + WHOLE:
        bound = "" if classes is None else f" and at most log2({classes}) = {most:.4f}"
        raise UsageError(f"the class entropy is {entropy} bits; expected more than 0{bound}; check entropy and classes")
    return float(entropy)


def labels_revealed(bits: float, entropy: float) -> int:
    """Number of labels that a channel of some bits tells, c = p/H, rounded down: part of a label is not told."""
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
    """Probability of a gain in the one-shot setting over test-set sizes and told labels."""
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
