"""Samples without cases: the statistics that decide a threshold, drawn from their distributions."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

__all__ = [
    "RULES",
    "Rule",
    "Statistics",
    "draw_statistics",
    "empirical_threshold",
    "is_reversed",
    "printed_test",
    "statistics_of_cases",
]

Rule = Literal["literal", "class-0-mean", "below-minus-one"]

RULES: tuple[Rule, ...] = ("literal", "class-0-mean", "below-minus-one")
"""Readings of the class-reversal rule; the last needs the population's least-error threshold."""


class Statistics(NamedTuple):
    """What equation (1) needs of each sample; arrays of one shape.

    ``n0`` cases of class 0 (the rest are of class 1), the class means ``mean0`` and
    ``mean1``, and the pooled ``variance``.
    """

    n0: np.ndarray
    mean0: np.ndarray
    mean1: np.ndarray
    variance: np.ndarray


def draw_statistics(
    n: int, distance: float, samples: int, rng: np.random.Generator, n0: int | None = None
) -> Statistics:
    """Draw the statistics of samples of two equally frequent normal classes of variance 1.

    Parameters
    ----------
    n : int
        Cases of a sample, at least 3.
    distance : float
        Mean of class 1; that of class 0 is 0.
    samples : int
        How many; each has at least one case of either class.
    rng : numpy.random.Generator
    n0 : int, optional
        Cases of class 0, 1 to n - 1; binomial by default.

    Returns
    -------
    Statistics
        Arrays of shape (samples,).

    References
    ----------
    Martin & Hirschberg (1996), appendix: the sampling distributions.

    Examples
    --------
    >>> drawn = draw_statistics(10, 0.5, 1000, np.random.default_rng(0))
    >>> int(drawn.n0.min()) >= 1, int(drawn.n0.max()) <= 9
    (True, True)
    """
    if n0 is None:
        of_class_0 = rng.binomial(n, 0.5, samples)
        while (one_class := np.nonzero((of_class_0 == 0) | (of_class_0 == n))[0]).size:
            of_class_0[one_class] = rng.binomial(n, 0.5, one_class.size)
    else:
        of_class_0 = np.full(samples, n0)
    mean0 = rng.standard_normal(samples) / np.sqrt(of_class_0)
    mean1 = distance + rng.standard_normal(samples) / np.sqrt(n - of_class_0)
    return Statistics(of_class_0, mean0, mean1, rng.chisquare(n - 2, samples) / (n - 2))


def empirical_threshold(n: int, s: Statistics) -> np.ndarray:
    """Threshold t of each sample by equation (1) of the appendix.

    Parameters
    ----------
    n : int
        Cases of a sample.
    s : Statistics

    Returns
    -------
    float array, of the shape of the statistics

    Examples
    --------
    >>> empirical_threshold(10, Statistics(*(np.array([v]) for v in (5, 0.0, 2.0, 1.0)))).tolist()
    [1.0]
    """
    return (s.mean0 + s.mean1) / 2 + s.variance * np.log(s.n0 / (n - s.n0)) / (s.mean1 - s.mean0)


def is_reversed(rule: Rule, s: Statistics, t: np.ndarray, best: float) -> np.ndarray:
    """Say whose classifier puts class 1 left of its threshold.

    Parameters
    ----------
    rule : {"literal", "class-0-mean", "below-minus-one"}
        Class 0's mean exceeds class 1's; t lies left of class 0's mean; t lies more than
        one standard deviation of the population left of the least-error threshold.
    s : Statistics
    t : float array
        From :func:`empirical_threshold`.
    best : float
        The population's least-error threshold T.

    Returns
    -------
    bool array, of the shape of ``t``

    Examples
    --------
    >>> s = Statistics(*(np.array([v]) for v in (1, 0.0, 1.0, 1.0)))
    >>> t = empirical_threshold(10, s)
    >>> [bool(is_reversed(rule, s, t, 0.5)[0]) for rule in RULES]
    [False, True, True]
    """
    if rule == "literal":
        return s.mean0 > s.mean1
    return t < s.mean0 if rule == "class-0-mean" else t < best - 1.0


def printed_test(n: int, s: Statistics, t: np.ndarray) -> np.ndarray:
    """Say whose classifier is reversed by the appendix's test as it is printed, in double precision.

    It compares two weighted densities at t - 0.1.  Far from both means both are zero
    or nearly, and the test then finds no reversal.

    Parameters
    ----------
    n : int
        Cases of a sample.
    s : Statistics
    t : float array

    Returns
    -------
    bool array, of the shape of ``t``

    Examples
    --------
    >>> s = Statistics(*(np.array([v]) for v in (5, 1.0, 0.0, 1.0)))
    >>> printed_test(10, s, empirical_threshold(10, s)).tolist()
    [True]
    """
    share = s.n0 / n
    left0, left1 = (
        p * np.exp(-((t - 0.1 - m) ** 2) / (2 * s.variance)) for p, m in ((share, s.mean0), (1 - share, s.mean1))
    )
    return left0 < left1


def statistics_of_cases(x: np.ndarray, y: np.ndarray, degrees_lost: int = 0) -> Statistics:
    """Compute class counts, class means and the pooled variance from the cases of many samples.

    Parameters
    ----------
    x : float array, shape (samples, n)
    y : int array, shape (samples, n)
        Classes 0 and 1, each at least once in a row.
    degrees_lost : int
        Class variances divide by the class count less this; the pooled variance is
        ``(n0 s0^2 + n1 s1^2)/(n - 2)``, as printed.

    Returns
    -------
    Statistics

    Examples
    --------
    >>> s = statistics_of_cases(np.array([[0.0, 2.0, 5.0, 7.0]]), np.array([[0, 0, 1, 1]]))
    >>> [float(v[0]) for v in s]
    [2.0, 1.0, 6.0, 2.0]
    """
    n = x.shape[1]
    counts, means, squares = [], [], []
    for c in range(2):
        inside = y == c
        count = inside.sum(axis=1)
        mean = np.where(inside, x, 0.0).sum(axis=1) / count
        deviation = np.where(inside, x - mean[:, None], 0.0)
        counts.append(count)
        means.append(mean)
        with np.errstate(invalid="ignore", divide="ignore"):
            squares.append(count * (deviation**2).sum(axis=1) / (count - degrees_lost))
    return Statistics(counts[0], means[0], means[1], (squares[0] + squares[1]) / (n - 2))
