"""The appendix's simulations of class reversal: what is drawn and what is counted.

No case is drawn: class counts, class means and the pooled variance come from their
sampling distributions, as the appendix says, and a replicate is a whole batch of samples.
Kept apart from the figures that are made of it, so that a word changed there leaves
finished studies valid.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from errorest.experiment.populations import TwoNormals
from errorest.streams import Streams
from errorest.study.study import Study

__all__ = [
    "RULES",
    "Rule",
    "Statistics",
    "distribution_study",
    "draw_statistics",
    "empirical_threshold",
    "is_reversed",
    "measure_distribution",
    "measure_proportions",
    "measure_reversals",
    "printed_test",
    "proportions_study",
    "reversals_study",
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


def measure_reversals(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Count and sum the true errors of reversed and unreversed classifiers in batches of samples.

    Returns columns ``<rule>/reversed`` (a count), ``<rule>/reversed-sum`` and
    ``<rule>/reversed-squares`` (of true errors, proportions), the same two of ``unreversed``,
    and ``underflow``: samples on which the printed test and its exact form differ.
    """
    population = TwoNormals(cell["distance"])
    parts = ("reversed", "reversed-sum", "reversed-squares", "unreversed-sum", "unreversed-squares")
    out = {c: np.empty(len(replicates)) for c in ("underflow", *(f"{r}/{p}" for r in cell["rules"] for p in parts))}
    for i, replicate in enumerate(replicates):
        s = draw_statistics(cell["n"], cell["distance"], cell["samples"], streams.child(replicate).generator("samples"))
        t = empirical_threshold(cell["n"], s)
        out["underflow"][i] = np.count_nonzero(printed_test(cell["n"], s, t) != (s.mean0 > s.mean1))
        straight = population.error_of_thresholds(t, np.zeros(1, dtype=bool))
        for rule in cell["rules"]:
            reverse = is_reversed(rule, s, t, population.best_threshold)
            out[f"{rule}/reversed"][i] = np.count_nonzero(reverse)
            for name, errors in (("reversed", 1.0 - straight[reverse]), ("unreversed", straight[~reverse])):
                out[f"{rule}/{name}-sum"][i] = errors.sum()
                out[f"{rule}/{name}-squares"][i] = np.square(errors).sum()
    return out


def reversals_study(
    sizes: list[int], distances: list[float], samples: int, batches: int, rules: list[Rule], seed: int
) -> Study:
    """Make the study of Figure 17: ``batches`` times ``samples`` samples of each size and distance."""
    cells = [{"n": n, "distance": d, "samples": samples, "rules": list(rules)} for n in sizes for d in distances]
    return Study(
        "martin-hirschberg-reversals",
        cells,
        batches,
        measure_reversals,
        seed=seed,
        seed_keys=("n", "distance", "samples"),
    )


def measure_distribution(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Count true errors of reversed and unreversed classifiers in bins of equal width from 0 to 1.

    Returns columns ``<rule>/reversed/<bin>`` and ``<rule>/unreversed/<bin>``, counts.
    """
    population = TwoNormals(cell["distance"])
    edges = np.linspace(0.0, 1.0, cell["bins"] + 1)
    groups = ("reversed", "unreversed")
    out = {
        f"{r}/{g}/{b}": np.empty(len(replicates)) for r in cell["rules"] for g in groups for b in range(cell["bins"])
    }
    for i, replicate in enumerate(replicates):
        s = draw_statistics(cell["n"], cell["distance"], cell["samples"], streams.child(replicate).generator("samples"))
        t = empirical_threshold(cell["n"], s)
        for rule in cell["rules"]:
            reverse = is_reversed(rule, s, t, population.best_threshold)
            errors = population.error_of_thresholds(t, reverse)
            for group, member in zip(groups, (reverse, ~reverse), strict=True):
                counts = np.histogram(errors[member], edges)[0]
                for b in range(cell["bins"]):
                    out[f"{rule}/{group}/{b}"][i] = counts[b]
    return out


def distribution_study(
    sizes: list[int], distances: list[float], samples: int, batches: int, bins: int, rules: list[Rule], seed: int
) -> Study:
    """Make the study of Figure 16; samples depend on size, distance, their number and the seed alone."""
    cells = [
        {"n": n, "distance": d, "samples": samples, "bins": bins, "rules": list(rules)}
        for n in sizes
        for d in distances
    ]
    return Study(
        "martin-hirschberg-reversal-distribution",
        cells,
        batches,
        measure_distribution,
        seed=seed,
        seed_keys=("n", "distance", "samples"),
    )


def measure_proportions(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Count reversals among samples of fixed class counts; returns a column for each rule."""
    best = TwoNormals(cell["distance"]).best_threshold
    out = {rule: np.empty(len(replicates)) for rule in cell["rules"]}
    for i, replicate in enumerate(replicates):
        rng = streams.child(replicate).generator("samples")
        s = draw_statistics(cell["n"], cell["distance"], cell["samples"], rng, n0=cell["n0"])
        t = empirical_threshold(cell["n"], s)
        for rule in cell["rules"]:
            out[rule][i] = np.count_nonzero(is_reversed(rule, s, t, best))
    return out


def proportions_study(
    n: int, distances: list[float], samples: int, batches: int, rules: list[Rule], seed: int
) -> Study:
    """Make the study of reversals by the sample's class counts, n0 of n from 1 to n - 1."""
    cells = [
        {"n": n, "n0": n0, "distance": d, "samples": samples, "rules": list(rules)}
        for d in distances
        for n0 in range(1, n)
    ]
    return Study(
        "martin-hirschberg-reversal-proportions",
        cells,
        batches,
        measure_proportions,
        seed=seed,
        seed_keys=("n", "n0", "distance", "samples"),
    )
