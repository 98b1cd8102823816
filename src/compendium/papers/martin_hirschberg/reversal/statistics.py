"""Samples without cases: the statistics that decide a threshold, drawn from their distributions."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

Rule = Literal["literal", "class-0-mean", "below-minus-one"]

# Readings of the class-reversal rule; the last needs the population's least-error threshold
RULES: tuple[Rule, ...] = ("literal", "class-0-mean", "below-minus-one")


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
    """Draw the statistics of samples of two equally frequent normal classes of variance 1."""
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
    """Threshold t of each sample by equation (1) of the appendix."""
    return (s.mean0 + s.mean1) / 2 + s.variance * np.log(s.n0 / (n - s.n0)) / (s.mean1 - s.mean0)


def is_reversed(rule: Rule, s: Statistics, t: np.ndarray, best: float) -> np.ndarray:
    """Say whose classifier puts class 1 left of its threshold."""
    if rule == "literal":
        return s.mean0 > s.mean1
    return t < s.mean0 if rule == "class-0-mean" else t < best - 1.0


def printed_test(n: int, s: Statistics, t: np.ndarray) -> np.ndarray:
    """Say whose classifier is reversed by the appendix's test as it is printed, in double precision.

    It compares two weighted densities at t - 0.1.  Far from both means both are zero
    or nearly, and the test then finds no reversal.
    """
    share = s.n0 / n
    left0, left1 = (
        p * np.exp(-((t - 0.1 - m) ** 2) / (2 * s.variance)) for p, m in ((share, s.mean0), (1 - share, s.mean1))
    )
    return left0 < left1


def statistics_of_cases(x: np.ndarray, y: np.ndarray, degrees_lost: int = 0) -> Statistics:
    """Compute class counts, class means and the pooled variance from the cases of many samples."""
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
