"""One-shot training and test: Scheffer & Herbrich (1997), section 2, equations (1) to (6).

An optimizer that tells the learner the class labels of c of the m test cases gains c - X hits,
where X counts the hits that the classifier had among these c: hypergeometric, H(m, hits, c).  The
lines (1) to (4) are one probability written out step by step; each is computed here in its own way.
"""

from __future__ import annotations

from math import floor, log2

import numpy as np
from scipy.special import logsumexp

from errorest.errors import UsageError
from errorest.tuning_bias.distributions import (
    WHOLE,
    Distribution,
    check_extra,
    check_test_set,
    check_whole,
    hypergeometric,
    hypergeometric_at_least,
    log_binomial,
)

__all__ = [
    "bits_for_labels",
    "equation_1",
    "equation_2",
    "equation_3",
    "equation_4",
    "equation_5",
    "equation_6",
    "footnote_1",
    "gain_one_shot",
    "labels_told",
]


def check_entropy(entropy: float, classes: int | None = None) -> float:
    """Return a class entropy in bits; it is positive and at most log2(classes)."""
    most = np.inf if classes is None else log2(classes)
    if not 0.0 < entropy <= most + WHOLE:
        bound = "" if classes is None else f" and at most log2({classes}) = {most:.4f}"
        raise UsageError(f"the class entropy is {entropy} bits; expected more than 0{bound}; check entropy and classes")
    return float(entropy)


def check_classes(classes: float) -> int:
    """Return the number of classes; fewer than two is an error."""
    return check_whole(classes, "the number of classes", 2)


def gain_one_shot(m: int, hits: int, c: int) -> Distribution:
    """Distribution of the hits gained, c - X, when c labels of a test set are told.

    Parameters
    ----------
    m : int
        Test cases.
    hits : int
        Cases that the classifier gets right, at most m.
    c : int
        Labels told, at most m.

    Returns
    -------
    Distribution
        Of extra hits, 0 to c.

    Raises
    ------
    UsageError
        If m < 1, hits > m, c > m, or a count is negative or a fraction.

    Examples
    --------
    >>> round(gain_one_shot(2000, 1700, 60).mean(), 6)
    9.0
    """
    return (-hypergeometric(m, hits, c)).shift(c)


def equation_1(m: int, hits: int, c: int, z: int) -> float:
    """P(c - X >= z), line (1): the chance that c told labels gain z hits or more.

    Parameters
    ----------
    m, hits, c : int
        As in :func:`gain_one_shot`.
    z : int
        Extra hits.

    Returns
    -------
    float
        A probability.

    Raises
    ------
    UsageError
        As :func:`gain_one_shot`, and if z is a fraction (round it up).

    Notes
    -----
    Summed from the misses among the told cases, which are hypergeometric too.

    Examples
    --------
    >>> round(equation_1(2000, 1700, 60, 6), 4), round(equation_1(2000, 1700, 16, 6), 4)
    (0.9066, 0.0231)
    """
    m, hits, c = check_test_set(m, hits, c)
    return hypergeometric_at_least(m, m - hits, c, check_extra(z))


def equation_2(m: int, hits: int, c: int, z: int) -> float:
    """P(c - X >= z), line (2): the sum over k = z..c of P(X = c - k).

    Parameters, result and errors are those of :func:`equation_1`.

    Examples
    --------
    >>> round(equation_2(1186, 1096, 85, 4), 4)
    0.9026
    """
    replaced = hypergeometric(m, hits, c)
    return min(1.0, sum(replaced.at(c - k) for k in range(max(0, check_extra(z)), c + 1)))


def equation_3(m: int, hits: int, c: int, z: int) -> float:
    """P(c - X >= z), line (3): the sum over k = z..c of H(m, hits, c)(c - k).

    Parameters, result and errors are those of :func:`equation_1`.

    Examples
    --------
    >>> round(equation_3(1186, 1096, 85, 4), 4)
    0.9026
    """
    return gain_one_shot(m, hits, c).at_least(check_extra(z))


def _log_tail(m: int, hits: float, c: float, z: int) -> float:
    k = np.arange(max(0, z), floor(c + WHOLE) + 1, dtype=float)
    if k.size == 0:
        return -np.inf
    terms = log_binomial(hits, c - k) + log_binomial(m - hits, k) - log_binomial(m, c)
    return min(0.0, float(logsumexp(terms)))


def equation_4(m: int, hits: int, c: int, z: int, *, log: bool = False) -> float:
    """P(c - X >= z), line (4), from binomial coefficients in log space.

    Parameters
    ----------
    m, hits, c, z : int
        As in :func:`equation_1`.
    log : bool
        Return the natural logarithm, for probabilities too small for a float.  At m = 10**6 its
        error is about 1e-8, the rounding of the logarithms of factorials.

    Returns
    -------
    float

    Raises
    ------
    UsageError
        As :func:`equation_1`.

    Examples
    --------
    >>> round(equation_4(2000, 1700, 60, 6), 4)
    0.9066
    >>> round(equation_4(10**6, 999_000, 800, 800, log=True))
    -6003
    """
    m, hits, c = check_test_set(m, hits, c)
    value = _log_tail(m, hits, c, check_extra(z))
    return value if log else float(np.exp(value))


def labels_told(bits: float, entropy: float) -> int:
    """Number of labels that a channel tells, c = p/H, rounded down: part of a label is not told.

    Parameters
    ----------
    bits : float
        Capacity of the parameters, p; 2**p settings.
    entropy : float
        Class entropy H of the test set, bits a label.

    Raises
    ------
    UsageError
        If bits are negative or the entropy is not positive.

    Examples
    --------
    >>> labels_told(150, 2.5)
    60
    """
    if not bits >= 0.0:
        raise UsageError(f"a channel of {bits} bits; expected at least 0; give log2 of the number of settings")
    return floor(bits / check_entropy(entropy) + WHOLE)


def bits_for_labels(c: int, entropy: float) -> float:
    """Bits that c labels take, c H.

    Parameters
    ----------
    c : int
    entropy : float
        Bits a label.

    Raises
    ------
    UsageError
        If c is negative or the entropy is not positive.

    Examples
    --------
    >>> bits_for_labels(60, 2.5)
    150.0
    """
    return check_whole(c, "the number of told labels c") * check_entropy(entropy)


def equation_5(m: int, hits: int, bits: float, entropy: float, z: int, *, as_printed: bool = False) -> float:
    """P(c - X >= z), equation (5): line (4) with c = p/H told labels.

    Parameters
    ----------
    m, hits, z : int
        As in :func:`equation_1`.
    bits : float
        Capacity of the parameters, p.
    entropy : float
        Class entropy of the test set, H.
    as_printed : bool
        As printed (or as scanned), p_h/H stands twice where p_h, the hits, belongs.  The
        coefficients are then of fractions, by the gamma function, and the number is no answer
        to the question.

    Returns
    -------
    float
        A probability.

    Raises
    ------
    UsageError
        As :func:`equation_1` and :func:`labels_told`, and if p/H exceeds m.

    Examples
    --------
    >>> round(equation_5(2000, 1700, 150, 2.5, 6), 4)
    0.9066
    >>> round(equation_5(2000, 1700, 150, 2.5, 6, as_printed=True), 4)
    1.0
    """
    c = labels_told(bits, entropy)
    m, hits, c = check_test_set(m, hits, c)
    z = check_extra(z)
    return float(np.exp(_log_tail(m, hits / entropy if as_printed else hits, c, z)))


def equation_6(classes: int, bits: float, entropy: float) -> int:
    """Trials of the greedy optimizer, equation (6): t = classes p/H, with p/H rounded down.

    Parameters
    ----------
    classes : int
        Number of classes, at least 2.
    bits, entropy : float
        As in :func:`labels_told`; the entropy is at most log2(classes).

    Raises
    ------
    UsageError
        As :func:`labels_told`, and if classes < 2 or the entropy is too large.

    Examples
    --------
    >>> equation_6(6, 150, 2.5)
    360
    """
    classes = check_classes(classes)
    return classes * labels_told(bits, check_entropy(entropy, classes))


def footnote_1(objects: int, classes: int, *, as_printed: bool = False) -> float:
    """Trials of the faster algorithm of footnote 1, at worst.

    Parameters
    ----------
    objects : int
        Labels to find.
    classes : int
        Number of classes, at least 2.
    as_printed : bool
        Read the footnote's c as the c of the text, told labels, and n as classes.  Only the other
        way round, c classes and n objects, is the number below the greedy one.

    Returns
    -------
    float
        ``c (3/2 - c/2 + n) - n``.

    Raises
    ------
    UsageError
        If there are fewer than two classes or a count is no count.

    Examples
    --------
    >>> footnote_1(60, 6), footnote_1(60, 6, as_printed=True)
    (291.0, -1356.0)
    """
    c, n = check_classes(classes), check_whole(objects, "the number of objects")
    if as_printed:
        c, n = n, c
    return c * (1.5 - c / 2.0 + n) - n
