"""Cross-validation with fixed parameters: Scheffer & Herbrich (1997), section 4, equations (14) to (23).

The parameters are the same in all n folds, so the best that can be told is the commoner class at
each of the first c positions.  Y_j counts the hits that this brings at position j, X_i the hits that
are given up in fold i.  The paper takes the two as independent; a class-coupled form stands beside.
"""

from __future__ import annotations

import numpy as np

from errorest.tuning_bias.distributions import (
    Distribution,
    binomial,
    check_extra,
    check_probability,
    check_test_set,
    check_whole,
    most_frequent_in_folds,
)
from errorest.tuning_bias.per_fold import check_folds, equation_10, equation_11, equation_12, equation_13, hits_of_folds

__all__ = [
    "equation_14",
    "equation_15",
    "equation_16",
    "equation_17",
    "equation_18",
    "equation_19",
    "equation_20",
    "equation_21",
    "equation_22",
    "equation_23",
    "gain_fixed",
    "gain_fixed_class_coupled",
]


def equation_14(n: int, p: float, y: int) -> float:
    """P(Y = y), equation (14): the commoner of two classes stands y times at one position of n folds.

    Parameters
    ----------
    n : int
        Folds.
    p : float
        Probability of the default class.
    y : int

    Returns
    -------
    float
        A probability.

    Raises
    ------
    UsageError
        If n < 1 or p is outside [0, 1].

    Notes
    -----
    Two classes only; c is taken to be much less than m, so that the classes at a position are
    binomial (footnote 2).

    Examples
    --------
    >>> [round(equation_14(3, 0.5, y), 4) for y in range(4)]
    [0.0, 0.0, 0.75, 0.25]
    """
    n, p = check_folds(n), check_probability(p, "p")
    if not n / 2 <= y <= n:
        return 0.0
    own = binomial(n, p).at(y)
    return own if 2 * y == n else own + binomial(n, 1.0 - p).at(y)


def gain_fixed(m: int, hits: int, c: int, n: int, p: float) -> Distribution:
    """Distribution of the hits gained over n folds with parameters fixed over the folds (section 4).

    Parameters
    ----------
    m, hits, c, n : int
        As in :func:`gain_per_fold`.
    p : float
        Probability of the default class of two.

    Returns
    -------
    Distribution
        Of sum of Y_j - sum of X_i, extra hits over all folds; it may be negative.

    Raises
    ------
    UsageError
        As :func:`gain_per_fold`, and if p is outside [0, 1].

    Notes
    -----
    The two sums are taken as independent, though a case's class and whether it is a hit are not:
    :func:`gain_fixed_class_coupled` lets hits depend on the class.

    Examples
    --------
    >>> round(gain_fixed(64, 47, 6, 12, 0.651).at_least(6), 4)
    0.0214
    """
    m, hits, c = check_test_set(m, hits, c)
    return most_frequent_in_folds(n, p).times(c) + -hits_of_folds(m, hits, c, n)


def gain_fixed_class_coupled(c: int, n: int, p: float, default_rate: float, other_rate: float) -> Distribution:
    """Distribution of the hits gained with fixed parameters when hits depend on the class.

    Parameters
    ----------
    c : int
        Labels told.
    n : int
        Folds.
    p : float
        Probability of the default class of two.
    default_rate, other_rate : float
        Shares of hits among the cases of the default class and of the other one.

    Returns
    -------
    Distribution
        Extra hits over all folds; it may be negative.

    Raises
    ------
    UsageError
        If n < 1, c is no count, or a probability is outside [0, 1].

    Notes
    -----
    At one position y of n folds hold the default class.  Telling the commoner class brings
    max(y, n - y) hits and gives up B(y, default_rate) + B(n - y, other_rate) of them; positions are
    independent as long as c is much less than the size of a fold.  A classifier that favours the
    default class, as trees do, already has most of what the told label would bring.

    Examples
    --------
    >>> gain_fixed_class_coupled(3, 10, 0.7, 1.0, 0.0).at_least(1) < 0.2
    True
    """
    c, n, p = check_whole(c, "the number of told labels c"), check_folds(n), check_probability(p, "p")
    at = check_probability(default_rate, "default_rate"), check_probability(other_rate, "other_rate")
    total = np.zeros(2 * n + 1)
    for y in range(n + 1):
        lost = binomial(y, at[0]) + binomial(n - y, at[1])
        gain = (-lost).shift(max(y, n - y))
        total[gain.first + n : gain.last + n + 1] += binomial(n, p).at(y) * gain.pmf
    return Distribution(-n, total).times(c)


def equation_15(m: int, hits: int, c: int, n: int, p: float, z: float) -> float:
    """P(sum of Y_j - sum of X_i >= n z), line (15): z extra hits a fold with fixed parameters.

    Parameters
    ----------
    m, hits, c, n : int
        As in :func:`gain_per_fold`.
    p : float
        Probability of the default class of two.
    z : float
        Extra hits a fold, on the average; n z is whole.

    Returns
    -------
    float
        A probability.

    Raises
    ------
    UsageError
        As :func:`gain_fixed`, and if n z is no whole number (round it up).

    Examples
    --------
    >>> round(equation_15(64, 47, 7, 12, 0.651, 0.5), 4)
    0.0211
    """
    needed = check_extra(check_folds(n) * z)
    return gain_fixed(m, hits, c, n, p).at_least(needed)


def equation_16(m: int, hits: int, c: int, n: int, p: float, z: float) -> float:
    """Line (16): the sum over k = n z..n c of P(sum of Y_j - sum of X_i = k); as :func:`equation_15`.

    Examples
    --------
    >>> round(equation_16(64, 47, 7, 12, 0.651, 0.5), 4)
    0.0211
    """
    gain = gain_fixed(m, hits, c, n, p)
    return min(1.0, sum(gain.at(k) for k in range(check_extra(n * z), n * c + 1)))


def equation_17(m: int, hits: int, c: int, n: int, p: float, z: float) -> float:
    """Line (17): the double sum over k and l of P(sum of Y_j = l) P(sum of X_i = l - k); as :func:`equation_15`.

    Examples
    --------
    >>> round(equation_17(64, 47, 7, 12, 0.651, 0.5), 4)
    0.0211
    """
    needed = check_extra(check_folds(n) * z)
    m, hits, c = check_test_set(m, hits, c)
    told, replaced = most_frequent_in_folds(n, p).times(c), hits_of_folds(m, hits, c, n)
    return min(
        1.0,
        sum(told.at(value) * replaced.at(value - k) for k in range(needed, n * c + 1) for value in range(k, n * c + 1)),
    )


def equation_18(c: int, n: int, p: float, value: int) -> float:
    """P(sum of Y_j = value), (18): hits brought by telling the commoner class at c positions.

    Parameters
    ----------
    c : int
        Positions.
    n : int
        Folds.
    p : float
        Probability of the default class of two.
    value : int

    Returns
    -------
    float
        A probability.

    Raises
    ------
    UsageError
        As :func:`equation_14`, and if c is no count.

    Examples
    --------
    >>> round(equation_18(2, 3, 0.5, 5), 4)
    0.375
    """
    return most_frequent_in_folds(n, p).times(check_whole(c, "the number of told labels c")).at(value)


def equation_19(c: int, n: int, p: float, value: int, *, as_printed: bool = False) -> float:
    """P(sum of Y_j = value) by the recursion (19) over c.

    Parameters
    ----------
    c, n, p, value
        As in :func:`equation_18`.
    as_printed : bool
        As printed (or as scanned), the last factor is P(Y_c = l), the sum's own value, where
        P(Y_c = r), the running index, belongs.  The numbers are then no distribution.

    Returns
    -------
    float

    Raises
    ------
    UsageError
        As :func:`equation_18`.

    Examples
    --------
    >>> round(equation_19(2, 3, 0.5, 5), 4), equation_19(2, 3, 0.5, 5, as_printed=True)
    (0.375, 0.0)
    """
    c, last = check_whole(c, "the number of told labels c"), n * c
    one = np.array([equation_14(n, p, y) for y in range(last + 1)])
    total = np.zeros(last + 1)
    total[0] = 1.0
    for position in range(c):
        if as_printed:
            # the recursion starts from the distribution of Y_1, which is as it should be
            total = one * (np.cumsum(total) if position else 1.0)
        else:
            total = np.array([total[value::-1] @ one[: value + 1] for value in range(last + 1)])
    return float(total[value]) if 0 <= value <= last else 0.0


def equation_20(m: int, hits: int, c: int, n: int, value: int) -> float:
    """P(sum of X_i = value), (20): hits given up at the first c positions of n folds.

    Parameters
    ----------
    m, hits, c, n : int
        As in :func:`gain_per_fold`.
    value : int
        Hits over all folds; the paper writes l - k.

    Returns
    -------
    float
        A probability.

    Raises
    ------
    UsageError
        As :func:`gain_per_fold`.

    Examples
    --------
    >>> round(equation_20(4, 2, 1, 2, 1), 12)
    0.5
    """
    return equation_10(m, hits, c, n, check_folds(n) * c - value)


def equation_21(m: int, hits: int, c: int, n: int, value: int) -> float:
    """Line (21): the sum over q of P(sum of n - 1 = value - q) P(X_n = q); as :func:`equation_20`.

    Examples
    --------
    >>> round(equation_21(4, 2, 1, 2, 1), 12)
    0.5
    """
    return equation_11(m, hits, c, n, check_folds(n) * c - value)


def equation_22(m: int, hits: int, c: int, n: int, value: int) -> float:
    """Line (22): the recursion over the folds with H(m, hits, c); as :func:`equation_20`.

    Examples
    --------
    >>> round(equation_22(4, 2, 1, 2, 1), 12)
    0.5
    """
    return equation_12(m, hits, c, n, check_folds(n) * c - value)


def equation_23(m: int, hits: int, c: int, n: int, value: int) -> float:
    """Line (23): the same recursion with binomial coefficients, an array filled fold by fold; as :func:`equation_20`.

    Examples
    --------
    >>> round(equation_23(4, 2, 1, 2, 1), 12)
    0.5
    """
    return equation_13(m, hits, c, n, check_folds(n) * c - value)
