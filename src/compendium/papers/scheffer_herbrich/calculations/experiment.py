"""The inputs of the examples of sections 2.4, 3.1 and 4.1, and what follows from each.

An example is a data set, a rank to gain and a number of told labels c.  Hits and hits to gain follow from
error rates in tables of another book, of which the paper prints some; those of the mesh data are given.
The chance then follows from c, the least c from the chance asked for, trials and bits from c.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, floor, inf, log2

import numpy as np

from compendium.papers.parameters import Parameters, parameter
from errorest.data import sets as datasets
from errorest.data.sample import Sample
from errorest.inducers.c45 import C45
from errorest.resampling.draw import k_fold
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
    "HEART_FOLDS",
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
    "folds_that_fit",
    "hits_in_statlog",
    "measured_tree_hits",
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

HEART_FOLDS = 9
"""Folds of heart disease, as StatLog divided it."""

STATLOG = {
    "dna": (0.076, 0.073),
    "diabetes": (0.270, 0.262),
    "heart-knn": (0.478, 0.467),
    "heart-c4.5": (0.781, 0.767),
}
"""Error rates of an example's classifier and of the next rank in StatLog's tables.

The book is Michie, Spiegelhalter & Taylor (1994).  Those of heart disease are average costs, where a missed
disease costs 5 and a false alarm 1: that table has no error rates.
"""


@dataclass(frozen=True)
class Example:
    """One example as the paper sets it up; counts are of one fold where there are folds."""

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
    """Entropy of the classes of some cases, given by their numbers, in bits a label."""
    share = np.bincount(y) / y.shape[0]
    share = share[share > 0]
    return float(-(share * np.log2(share)).sum())


def classes_of(sample: Sample) -> int:
    """Number of classes that have a case."""
    return int(np.count_nonzero(sample.class_counts()))


def default_accuracy(train: np.ndarray, test: np.ndarray) -> float:
    """Accuracy on the test cases of always answering the training cases' commonest class, a proportion."""
    return float(np.mean(test == np.bincount(train).argmax()))


def fewest_hits(cases: int, accuracy: float) -> int:
    """Fewest hits on some cases that make an accuracy (a proportion)."""
    return ceil(cases * accuracy - 1e-9)


def parameters_of_ten_values(bits: float) -> float:
    """Number of ten-valued parameters that hold some bits, not rounded."""
    return bits / log2(10.0)


def uneven_gain(
    setting: Setting, cases: int, hits: int, c: int, folds: int, default_share: float = 0.5
) -> Distribution:
    """Gain over folds whose sizes and hits differ by one at most, all cases used."""
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
        Example(
            "dna", "one-shot", dna.n, *hits_in_statlog("dna", dna.n), 85, 0.90, 3, class_entropy(dna.y), strictly=True
        ),
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
    hits, extra = hits_in_statlog("diabetes", pima.n)
    m, h = pima.n // folds, floor(hits / folds + 0.5)
    kinds = 2, class_entropy(pima.y), folds, float(pima.class_counts().max() / pima.n)
    designs: tuple[tuple[Setting, int, float], ...] = (("per-fold", 4, 0.92), ("fixed", 7, 0.02))
    return [
        Example("diabetes", setting, m, h, extra, labels, wanted, *kinds, reading="unstated:12-folds")
        for setting, labels, wanted in designs
    ]


def _heart() -> list[Example]:
    heart, folds = datasets.load("heart"), HEART_FOLDS
    m, kinds = heart.n // folds, (2, class_entropy(heart.y), folds, float(heart.class_counts().max() / heart.n))
    hits, extra = hits_in_statlog("heart-c4.5", heart.n)
    return [
        Example("heart-c4.5", "fixed", m, floor(hits / folds + 0.5), extra, 2, 0.90, *kinds, True, _COST_AS_ERROR),
        *(
            Example("heart-knn", "fixed", m, told, 6, 9, 0.90, *kinds, reading=reading)
            for told, reading in ((16, "unstated:9-folds"), (15, "fitted:15-hits"))
        ),
    ]


_COST_AS_ERROR = "unstated:cost-as-error"


def hits_in_statlog(example: str, cases: int) -> tuple[int, int]:
    """Return hits on some cases, and hits to gain for a rank, by StatLog's tables (average cost as error rate)."""
    own, above = (fewest_hits(cases, 1 - rate) for rate in STATLOG[example])
    return own, above - own


def measured_tree_hits(rng: np.random.Generator) -> int:
    """Count the cases of heart disease on which C4.5 is right in nine folds."""
    heart = datasets.load("heart")
    folds = k_fold(heart.n, HEART_FOLDS, rng)
    return int(np.sum(C45(release=7).predict_resamples(heart, folds) == heart.y[folds.cases]))


def folds_that_fit(e: Example, cases: int, hits: int, numbers: Sequence[int]) -> dict[int, float]:
    """Numbers of folds that give the chance which a per-fold example names, half a hit a fold to gain."""
    wanted = round(100 * e.wanted)
    found: dict[int, float] = {}
    for folds in numbers:
        for m, h in product(*({floor(total / folds), ceil(total / folds)} for total in (cases, hits))):
            percent = 100 * gain_per_fold(m, h, e.labels, folds).at_least(ceil(folds / 2))
            near = abs(percent - wanted)
            if wanted in (floor(percent), round(percent)) and near < abs(found.get(folds, inf) - wanted):
                found[folds] = percent
    return found
