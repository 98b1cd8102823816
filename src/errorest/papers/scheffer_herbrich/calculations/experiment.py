"""The inputs of the examples of sections 2.4, 3.1 and 4.1, and what follows from each.

An example is a data set, a rank to gain and a number of told labels c.  Hits and hits to gain rest on
tables of another book; where the paper prints no error rate that they follow from, they are settings of
the example.  The chance then follows from c, the least c from the chance asked for, trials and bits from c.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log2

import numpy as np

from errorest.data import sets as datasets
from errorest.data.sample import Sample
from errorest.papers.parameters import Parameters, parameter
from errorest.tuning_bias import (
    Distribution,
    Setting,
    bits_for_labels,
    equation_6,
    gain_fixed,
    gain_one_shot,
    gain_per_fold,
    hypergeometric,
    most_frequent_in_folds,
)

__all__ = [
    "DIABETES_HITS",
    "HEART_TREE_LABELS",
    "MESH_CASES",
    "MESH_HITS",
    "CalculationParameters",
    "Example",
    "class_entropy",
    "classes_of",
    "default_accuracy",
    "dna_parts",
    "examples",
    "fewest_hits",
    "parameters_of_ten_values",
    "uneven_gain",
]


class CalculationParameters(Parameters, notebook="scheffer-herbrich/01-calculations"):
    """Parameters of the examples."""

    seed: int = parameter(1997, "seed of the greedy optimizer's made-up test sets", ge=0)
    experiments: int = parameter(4000, "simulated experiments for each example", ge=100, preview=1000)

    def inputs(self) -> dict[str, str]:
        """Return the digests of the examples' data sets."""
        return {name: datasets.digest(name) for name in ("land-sat-train", "land-sat-test", "dna", "pima", "heart")}


DNA_TRAIN = 2000
"""Cases of DNA to train on, as printed; the others test."""

MESH_CASES, MESH_HITS = 277, 59
"""FEM mesh, whose data are not to be had: cases, and hits of FOIL over all folds."""

DIABETES_HITS = 561
"""Hits of C4.5 on diabetes over all folds, as printed."""

HEART_TREE_LABELS = 2
"""Labels told to C4.5 on heart disease; its hits and the hits to gain are not printed, so it is no example."""


@dataclass(frozen=True)
class Example:
    """One example as the paper sets it up; counts are of one fold where there are folds.

    Parameters
    ----------
    row : str
        Key of its printed numbers.
    setting : {"one-shot", "per-fold", "fixed"}
    m, hits : int
        Test cases and hits of the untuned classifier, a fold.
    extra : int
        Hits to gain over all folds.
    labels : int
        Labels told, c.
    wanted : float
        The chance that the example asks for, a proportion.
    classes : int
    entropy : float
        Bits a label.
    folds : int
    default_share : float
        Share of the default class.
    strictly : bool
        The chance must exceed ``wanted`` (else reach it).
    reading : str
        What had to be chosen to set it up; ``literal`` where the paper says all.
    """

    row: str
    setting: Setting
    m: int
    hits: int
    extra: int
    labels: int
    wanted: float
    classes: int
    entropy: float
    folds: int = 1
    default_share: float = 0.5
    strictly: bool = False
    reading: str = "literal"

    def gain(self, c: int | None = None) -> Distribution:
        """Distribution of the hits gained with c told labels (by default the example's)."""
        told = self.labels if c is None else c
        if self.setting == "one-shot":
            return gain_one_shot(self.m, self.hits, told)
        if self.setting == "per-fold":
            return gain_per_fold(self.m, self.hits, told, self.folds)
        return gain_fixed(self.m, self.hits, told, self.folds, self.default_share)

    def chance(self, c: int | None = None) -> float:
        """Chance of the rank with c told labels, a proportion."""
        return self.gain(c).at_least(self.extra)

    def least_labels(self) -> float:
        """Least c that gives the chance asked for; NaN if none up to m does."""
        for c in range(self.m + 1):
            reached = self.chance(c)
            if reached > self.wanted if self.strictly else reached >= self.wanted:
                return float(c)
        return float("nan")

    @property
    def bits(self) -> float:
        """Bits that the told labels take, c H."""
        return bits_for_labels(self.labels, self.entropy)

    @property
    def trials(self) -> int:
        """Trials of the greedy optimizer, equation (6)."""
        return equation_6(self.classes, self.bits, self.entropy)


def class_entropy(y: np.ndarray) -> float:
    """Entropy of the classes of some cases, given by their numbers, in bits a label.

    Examples
    --------
    >>> class_entropy(np.array([0, 0, 1, 1]))
    1.0
    """
    share = np.bincount(y) / y.shape[0]
    share = share[share > 0]
    return float(-(share * np.log2(share)).sum())


def classes_of(sample: Sample) -> int:
    """Number of classes that have a case."""
    return int(np.count_nonzero(sample.class_counts()))


def default_accuracy(train: np.ndarray, test: np.ndarray) -> float:
    """Accuracy on the test cases of always answering the training cases' commonest class, a proportion.

    Examples
    --------
    >>> default_accuracy(np.array([0, 0, 1]), np.array([0, 1, 1, 1]))
    0.25
    """
    return float(np.mean(test == np.bincount(train).argmax()))


def fewest_hits(cases: int, accuracy: float) -> int:
    """Fewest hits on some cases that make an accuracy (a proportion).

    Examples
    --------
    >>> fewest_hits(768, 0.73)
    561
    """
    return ceil(cases * accuracy - 1e-9)


def parameters_of_ten_values(bits: float) -> float:
    """Number of ten-valued parameters that hold some bits, not rounded."""
    return bits / log2(10.0)


def uneven_gain(
    setting: Setting, cases: int, hits: int, c: int, folds: int, default_share: float = 0.5
) -> Distribution:
    """Gain over folds whose sizes and hits differ by one at most, all cases used.

    Parameters
    ----------
    setting : {"per-fold", "fixed"}
    cases, hits : int
        Over all folds; the larger folds have the more hits.
    c, folds : int
    default_share : float
        Share of the default class, for the fixed setting.

    Returns
    -------
    Distribution

    Examples
    --------
    >>> round(uneven_gain("per-fold", 275, 60, 5, 5).at_least(14), 4)
    0.9977
    """
    lost = Distribution(0, np.ones(1))
    for fold in range(folds):
        m = cases // folds + (fold < cases % folds)
        h = hits // folds + (fold < hits % folds)
        lost = lost + hypergeometric(m, h, c)
    told = most_frequent_in_folds(folds, default_share).times(c) if setting == "fixed" else None
    return (-lost).shift(folds * c) if told is None else told + -lost


def dna_parts() -> tuple[Sample, Sample]:
    """DNA, split as the paper prints it: the first 2000 cases train, the others test."""
    dna = datasets.load("dna")
    return dna.take(np.arange(DNA_TRAIN)), dna.take(np.arange(DNA_TRAIN, dna.n))


def examples() -> list[Example]:
    """Return all examples, in the paper's order."""
    return [*_one_shot(), *_fem_mesh(), *_diabetes(), *_heart()]


def _one_shot() -> list[Example]:
    test, dna = datasets.load("land-sat-test"), dna_parts()[1]
    hits = fewest_hits(test.n, 1 - 0.150)
    extra = fewest_hits(test.n, 1 - 0.147) - hits
    kinds = classes_of(test), class_entropy(test.y)
    return [
        Example("land-sat", "one-shot", test.n, hits, extra, 60, 0.90, *kinds, strictly=True),
        Example("land-sat-16", "one-shot", test.n, hits, extra, 16, 0.02, *kinds),
        Example("dna", "one-shot", dna.n, 1096, 4, 85, 0.90, 3, class_entropy(dna.y), strictly=True),
    ]


def _fem_mesh() -> list[Example]:
    folds = 5
    m, h = floor(MESH_CASES / folds + 0.5), floor(MESH_HITS / folds + 0.5)
    return [
        Example(row, "per-fold", m, h, extra, labels, wanted, 13, 2.87, folds, reading="unstated:equal-folds")
        for row, target, labels, wanted in (("fem-mesh-26", 0.26, 5, 0.99), ("fem-mesh-31", 0.31, 8, 0.93))
        for extra in (floor(MESH_CASES * (target - 0.21) + 0.5),)
    ]


def _diabetes() -> list[Example]:
    pima, folds = datasets.load("pima"), 12
    m, h = pima.n // folds, floor(DIABETES_HITS / folds + 0.5)
    kinds = 2, class_entropy(pima.y), folds, float(pima.class_counts().max() / pima.n)
    designs: tuple[tuple[Setting, int, float], ...] = (("per-fold", 4, 0.92), ("fixed", 7, 0.02))
    return [
        Example("diabetes", setting, m, h, folds // 2, labels, wanted, *kinds, reading="unstated:12-folds")
        for setting, labels, wanted in designs
    ]


def _heart() -> list[Example]:
    heart, folds = datasets.load("heart"), 9
    kinds = 2, class_entropy(heart.y), folds, float(heart.class_counts().max() / heart.n)
    return [
        Example("heart-knn", "fixed", heart.n // folds, hits, 6, 9, 0.90, *kinds, reading=reading)
        for hits, reading in ((16, "unstated:9-folds"), (15, "fitted:15-hits"))
    ]
