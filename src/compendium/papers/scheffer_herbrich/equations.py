"""Equations (1) to (23) of Scheffer & Herbrich (1997): what told labels gain on a test set.

An optimizer that tells the class labels of c of m test cases gains c - X hits, where X counts the hits that the
classifier had among these c: hypergeometric, H(m, hits, c).  Tuned apart in each of n folds (section 3) it gains
n c - sum of X_i.  With parameters fixed over the folds (section 4) it can only tell the commoner class at each of c
positions: it gains sum of Y_j - sum of X_i, where Y_j counts the hits that this brings at position j.

Of the lines of a derivation, which are one probability written step by step, one is computed; ``as_printed`` gives
misprinted forms.
"""

from __future__ import annotations

from math import exp

import numpy as np
from scipy.special import logsumexp

from errorest.tuning_bias.distributions import (
    Distribution,
    binomial,
    check_extra,
    hypergeometric,
    labels_revealed,
    log_binomial,
    most_frequent_in_folds,
)


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


def equation_14(n: int, p: float, y: int) -> float:
    """P(Y = y): the commoner of two classes stands y times at one position of n folds (c much less than m)."""
    if not n / 2 <= y <= n:
        return 0.0
    return binomial(n, p).at(y) + (0.0 if 2 * y == n else binomial(n, 1.0 - p).at(y))


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
