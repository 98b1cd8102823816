"""Equations (1) to (23) of Scheffer & Herbrich (1997): what told labels gain on a test set.

An optimizer that tells the class labels of c of m test cases gains c - X hits, where X counts the hits that the
classifier had among these c: hypergeometric, H(m, hits, c).  Tuned apart in each of n folds (section 3) it gains
n c - sum of X_i.  With parameters fixed over the folds (section 4) it can only tell the commoner class at each of c
positions: it gains sum of Y_j - sum of X_i, where Y_j counts the hits that this brings at position j.

The lines of a derivation are one probability written step by step.  Each is computed in its own way here, so that a
test can hold them equal; ``as_printed`` gives the misprinted forms.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp

import numpy as np
from scipy.special import logsumexp

from errorest.tuning_bias.distributions import (
    Distribution,
    binomial,
    check_extra,
    hypergeometric,
    hypergeometric_at_least,
    log_binomial,
    most_frequent_in_folds,
)
from errorest.tuning_bias.gains import labels_revealed


def gain_one_shot(m: int, hits: int, c: int) -> Distribution:
    """Distribution of the hits gained, c - X, by c told labels of one test set (section 2)."""
    return (-hypergeometric(m, hits, c)).shift(c)


def hits_of_folds(m: int, hits: int, c: int, n: int) -> Distribution:
    """Distribution of the sum of X_i: the hits among the first c cases of n folds of m cases."""
    return hypergeometric(m, hits, c).times(n)


def gain_per_fold(m: int, hits: int, c: int, n: int) -> Distribution:
    """Distribution of the hits gained over n folds, n c - sum of X_i (section 3)."""
    return (-hits_of_folds(m, hits, c, n)).shift(n * c)


def gain_fixed(m: int, hits: int, c: int, n: int, p: float) -> Distribution:
    """Distribution of sum of Y_j - sum of X_i (section 4), p the share of the default class of two.

    The paper takes the two sums as independent, though a case's class and whether it is a hit are not.
    """
    return most_frequent_in_folds(n, p).times(c) + -hits_of_folds(m, hits, c, n)


def gain_fixed_class_coupled(c: int, n: int, p: float, default_rate: float, other_rate: float) -> Distribution:
    """Distribution of the hits gained in section 4 when the rate of hits depends on the class.

    At one position y of n folds hold the default class.  Telling the commoner class brings max(y, n - y) hits and
    gives up B(y, default_rate) + B(n - y, other_rate) of them; positions are independent as long as c is much less
    than the size of a fold.
    """
    total = np.zeros(2 * n + 1)
    for y in range(n + 1):
        lost = binomial(y, default_rate) + binomial(n - y, other_rate)
        gain = (-lost).shift(max(y, n - y))
        total[gain.first + n : gain.last + n + 1] += binomial(n, p).at(y) * gain.pmf
    return Distribution(-n, total).times(c)


def equation_4(m: int, hits: float, c: int, z: int) -> float:
    """Logarithm of P(c - X >= z), line (4), from binomial coefficients; hits may be a fraction."""
    k = np.arange(max(0, z), c + 1, dtype=float)
    if k.size == 0:
        return -np.inf
    return min(0.0, float(logsumexp(log_binomial(hits, c - k) + log_binomial(m - hits, k) - log_binomial(m, c))))


ONE_SHOT: dict[int, Callable[[int, int, int, int], float]] = {
    # the misses among the told cases are hypergeometric too
    1: lambda m, hits, c, z: hypergeometric_at_least(m, m - hits, c, z),
    2: lambda m, hits, c, z: sum(hypergeometric(m, hits, c).at(c - k) for k in range(max(0, z), c + 1)),
    3: lambda m, hits, c, z: gain_one_shot(m, hits, c).at_least(z),
    4: lambda m, hits, c, z: exp(equation_4(m, hits, c, z)),
}
"""Lines (1) to (4): P(c - X >= z) of (m, hits, c, z)."""


def equation_5(m: int, hits: int, bits: float, entropy: float, z: int, *, as_printed: bool = False) -> float:
    """P(c - X >= z) with c = p/H told labels; as printed p_h/H stands where p_h, the hits, belongs."""
    return exp(equation_4(m, hits / entropy if as_printed else hits, labels_revealed(bits, entropy), z))


def equation_6(classes: int, bits: float, entropy: float) -> int:
    """Trials of the greedy optimizer: t = classes p/H, with p/H rounded down."""
    return classes * labels_revealed(bits, entropy)


def footnote_1(objects: int, classes: int, *, as_printed: bool = False) -> float:
    """Trials of the faster algorithm at worst: c (3/2 - c/2 + n) - n for c classes and n objects.

    As printed c are the told labels and n the classes, as in the text; that is no number of trials.
    """
    c, n = (objects, classes) if as_printed else (classes, objects)
    return c * (1.5 - c / 2.0 + n) - n


def condition_before_7(gained: int, n: int, z: float, *, as_printed: bool = False) -> bool:
    """Whether a gain over n folds is z hits a fold; in the sentence before (7) the sign is the wrong way round."""
    return check_extra(n * z) >= gained if as_printed else gained >= check_extra(n * z)


def equation_12(m: int, hits: int, c: int, n: int) -> Distribution:
    """Sum of X_i by the recursion (12): one fold after the other."""
    total = Distribution(0, np.ones(1))
    for _ in range(n):
        total = total + hypergeometric(m, hits, c)
    return total


def equation_13(m: int, hits: int, c: int, n: int) -> Distribution:
    """Sum of X_i by the recursion (13): the same with binomial coefficients, filling an array."""
    value = np.arange(c + 1)
    one = np.exp(log_binomial(hits, value) + log_binomial(m - hits, c - value) - log_binomial(m, c))
    filled = np.ones(1)
    for _ in range(n):
        filled = np.convolve(filled, one)
    return Distribution(0, filled)


def _last_fold_apart(m: int, hits: int, c: int, n: int, k: int) -> float:
    one, rest = hypergeometric(m, hits, c), hits_of_folds(m, hits, c, n - 1)
    return sum(rest.at(n * c - k - value) * one.at(value) for value in range(n * c - k + 1))


EXACTLY_PER_FOLD: dict[int, Callable[[int, int, int, int, int], float]] = {
    10: lambda m, hits, c, n, k: hits_of_folds(m, hits, c, n).at(n * c - k),
    11: _last_fold_apart,
    12: lambda m, hits, c, n, k: equation_12(m, hits, c, n).at(n * c - k),
    13: lambda m, hits, c, n, k: equation_13(m, hits, c, n).at(n * c - k),
}
"""(10) to (13): P(sum of X_i = n c - k) of (m, hits, c, n, k); (20) to (23) are the same of value = n c - k."""

PER_FOLD: dict[int, Callable[[int, int, int, int, int], float]] = {
    7: lambda m, hits, c, n, nz: gain_per_fold(m, hits, c, n).at_least(nz),
    8: lambda m, hits, c, n, nz: sum(gain_per_fold(m, hits, c, n).at(k) for k in range(max(0, nz), n * c + 1)),
    9: lambda m, hits, c, n, nz: sum(EXACTLY_PER_FOLD[10](m, hits, c, n, k) for k in range(max(0, nz), n * c + 1)),
}
"""Lines (7) to (9): P(n c - sum of X_i >= n z) of (m, hits, c, n, n z)."""


def equation_14(n: int, p: float, y: int) -> float:
    """P(Y = y): the commoner of two classes stands y times at one position of n folds (c much less than m)."""
    if not n / 2 <= y <= n:
        return 0.0
    return binomial(n, p).at(y) + (0.0 if 2 * y == n else binomial(n, 1.0 - p).at(y))


def _sum_over_both(m: int, hits: int, c: int, n: int, p: float, nz: int) -> float:
    revealed, lost = most_frequent_in_folds(n, p).times(c), hits_of_folds(m, hits, c, n)
    return sum(revealed.at(value) * lost.at(value - k) for k in range(nz, n * c + 1) for value in range(k, n * c + 1))


FIXED: dict[int, Callable[[int, int, int, int, float, int], float]] = {
    15: lambda m, hits, c, n, p, nz: gain_fixed(m, hits, c, n, p).at_least(nz),
    16: lambda m, hits, c, n, p, nz: sum(gain_fixed(m, hits, c, n, p).at(k) for k in range(nz, n * c + 1)),
    17: _sum_over_both,
}
"""Lines (15) to (17): P(sum of Y_j - sum of X_i >= n z) of (m, hits, c, n, p, n z)."""


def equation_18(c: int, n: int, p: float) -> Distribution:
    """Sum of Y_j: hits brought by telling the commoner class at c positions of n folds."""
    return most_frequent_in_folds(n, p).times(c)


def equation_19(c: int, n: int, p: float, value: int, *, as_printed: bool = False) -> float:
    """P(sum of Y_j = value) by recursion over c; as printed the last factor is P(Y_c = l) in place of P(Y_c = r)."""
    one = np.array([equation_14(n, p, y) for y in range(n * c + 1)])
    total = np.zeros(n * c + 1)
    total[0] = 1.0
    for position in range(c):
        # as printed the recursion starts from the distribution of Y_1, which is as it should be
        misprinted = one * (np.cumsum(total) if position else 1.0)
        total = misprinted if as_printed else np.convolve(total, one)[: n * c + 1]
    return float(total[value]) if 0 <= value <= n * c else 0.0
