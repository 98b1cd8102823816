"""The distributions of Scheffer & Herbrich (1997): what revealed labels gain on a test set.

An optimizer that tells the class labels of c of m test cases gains c - X hits, where X counts the hits that the
classifier had among these c: hypergeometric, H(m, hits, c).  Tuned apart in each of n folds (section 3) it gains
n c - sum of X_i.  With parameters fixed over the folds (section 4) it can only tell the commoner class at each of c
positions: it gains sum of Y_j - sum of X_i, where Y_j counts the hits that this brings at position j.
"""

from __future__ import annotations

import numpy as np

from compendium.methods.tuning_bias.distributions import (
    Distribution,
    binomial,
    hypergeometric,
    labels_revealed,
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


def equation_6(classes: int, bits: float, entropy: float) -> int:
    """Trials of the greedy optimizer: t = classes p/H, with p/H rounded down."""
    return classes * labels_revealed(bits, entropy)
