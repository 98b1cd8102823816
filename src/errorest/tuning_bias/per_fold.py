"""Cross-validation tuned fold by fold: Scheffer & Herbrich (1997), section 3, equations (7) to (13).

The parameters are chosen anew in each of n folds, so the labels of c cases are told in each.  Every
fold holds m cases and h hits; gains are counted over all folds, and the sum of the n hypergeometric
numbers is a convolution.
"""

from __future__ import annotations

import numpy as np

from errorest.tuning_bias.distributions import (
    Distribution,
    check_extra,
    check_test_set,
    check_whole,
    hypergeometric,
    log_binomial,
)

__all__ = [
    "condition_before_7",
    "equation_7",
    "equation_8",
    "equation_9",
    "equation_10",
    "equation_11",
    "equation_12",
    "equation_13",
    "gain_per_fold",
]


def check_folds(n: float) -> int:
    """Return the number of folds; fewer than one is an error."""
    return check_whole(n, "the number of folds n", 1)


def hits_of_folds(m: int, hits: int, c: int, n: int) -> Distribution:
    """Distribution of the hits among the first c cases of n folds, the sum of X_i."""
    return hypergeometric(m, hits, c).times(check_folds(n))


def gain_per_fold(m: int, hits: int, c: int, n: int) -> Distribution:
    """Distribution of the hits gained over n folds when c labels are told in each (section 3).

    Parameters
    ----------
    m : int
        Test cases of a fold.
    hits : int
        Hits of a fold, at most m.
    c : int
        Labels told in each fold, at most m.
    n : int
        Folds.

    Returns
    -------
    Distribution
        Of n c - sum of X_i, extra hits over all folds.

    Raises
    ------
    UsageError
        If m < 1, n < 1, hits > m, c > m, or a count is negative or a fraction.

    Examples
    --------
    >>> round(gain_per_fold(55, 12, 5, 5).at_least(14), 4)
    0.9977
    """
    return (-hits_of_folds(m, hits, c, n)).shift(n * c)


def condition_before_7(gained: int, n: int, z: float, *, as_printed: bool = False) -> bool:
    """Whether a gain over n folds is z hits a fold: the condition that equation (7) gives a probability.

    Parameters
    ----------
    gained : int
        n c - sum of X_i.
    n : int
        Folds.
    z : float
        Extra hits a fold, on the average.
    as_printed : bool
        As printed in the sentence before (7), n z has to be *at least* the gain, which is the
        wrong way round; (7) itself is right.

    Raises
    ------
    UsageError
        If n < 1 or n z is no whole number.

    Examples
    --------
    >>> condition_before_7(7, 12, 0.5), condition_before_7(7, 12, 0.5, as_printed=True)
    (True, False)
    """
    needed = check_extra(check_folds(n) * z)
    return needed >= gained if as_printed else gained >= needed


def equation_7(m: int, hits: int, c: int, n: int, z: float) -> float:
    """P(n c - sum of X_i >= n z), line (7): the chance of z extra hits a fold.

    Parameters
    ----------
    m, hits, c, n : int
        As in :func:`gain_per_fold`.
    z : float
        Extra hits a fold, on the average; n z is whole.

    Returns
    -------
    float
        A probability.

    Raises
    ------
    UsageError
        As :func:`gain_per_fold`, and if n z is no whole number (round it up).

    Examples
    --------
    >>> round(equation_7(55, 12, 8, 5, 28 / 5), 4)
    0.9357
    """
    needed = check_extra(check_folds(n) * z)
    return gain_per_fold(m, hits, c, n).at_least(needed)


def equation_8(m: int, hits: int, c: int, n: int, z: float) -> float:
    """Line (8): the sum over k = n z..n c of P(n c - sum of X_i = k); as :func:`equation_7`.

    Examples
    --------
    >>> round(equation_8(55, 12, 8, 5, 28 / 5), 4)
    0.9357
    """
    gain = gain_per_fold(m, hits, c, n)
    return min(1.0, sum(gain.at(k) for k in range(max(0, check_extra(n * z)), n * c + 1)))


def equation_9(m: int, hits: int, c: int, n: int, z: float) -> float:
    """Line (9): the sum over k = n z..n c of P(sum of X_i = n c - k); as :func:`equation_7`.

    Examples
    --------
    >>> round(equation_9(55, 12, 8, 5, 28 / 5), 4)
    0.9357
    """
    return min(1.0, sum(equation_10(m, hits, c, n, k) for k in range(max(0, check_extra(n * z)), n * c + 1)))


def equation_10(m: int, hits: int, c: int, n: int, k: int) -> float:
    """P(sum of X_i = n c - k), (10): the chance that exactly k hits are gained over n folds.

    Parameters
    ----------
    m, hits, c, n : int
        As in :func:`gain_per_fold`.
    k : int
        Extra hits over all folds.

    Returns
    -------
    float
        A probability.

    Raises
    ------
    UsageError
        As :func:`gain_per_fold`.

    Notes
    -----
    (10) to (13) are one recursion written out; (10) is computed by repeated doubling.

    Examples
    --------
    >>> round(equation_10(4, 2, 1, 2, 1), 12)
    0.5
    """
    return hits_of_folds(m, hits, c, n).at(n * c - k)


def equation_11(m: int, hits: int, c: int, n: int, k: int) -> float:
    """Line (11): the last fold split off, in the first n - 1 folds' sum; as :func:`equation_10`.

    Examples
    --------
    >>> round(equation_11(4, 2, 1, 2, 1), 12)
    0.5
    """
    one, rest = hypergeometric(m, hits, c), hypergeometric(m, hits, c).times(check_folds(n) - 1)
    return sum(rest.at(n * c - k - value) * one.at(value) for value in range(n * c - k + 1))


def equation_12(m: int, hits: int, c: int, n: int, k: int) -> float:
    """Line (12): the last fold's hits by H(m, hits, c); as :func:`equation_10`.

    Examples
    --------
    >>> round(equation_12(4, 2, 1, 2, 1), 12)
    0.5
    """
    one, total = hypergeometric(m, hits, c), Distribution(0, np.ones(1))
    for _ in range(check_folds(n)):
        total = total + one
    return total.at(n * c - k)


def equation_13(m: int, hits: int, c: int, n: int, k: int) -> float:
    """Line (13): the recursion with its binomial coefficients, by filling an array; as :func:`equation_10`.

    Examples
    --------
    >>> round(equation_13(4, 2, 1, 2, 1), 12)
    0.5
    """
    m, hits, c = check_test_set(m, hits, c)
    value = np.arange(c + 1)
    one = np.exp(log_binomial(hits, value) + log_binomial(m - hits, c - value) - log_binomial(m, c))
    filled = np.zeros(check_folds(n) * c + 1)
    filled[0] = 1.0
    for _ in range(n):
        filled = np.convolve(filled, one)[: filled.shape[0]]
    return float(filled[n * c - k]) if 0 <= k <= n * c else 0.0
