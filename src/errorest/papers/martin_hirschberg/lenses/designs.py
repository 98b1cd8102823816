"""Section 6's experiments on decision trees: the population, what is drawn and what is measured.

Kept apart from the tables and figures that are made of it, so that a word changed there
leaves finished studies valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from errorest.data.sample import Sample
from errorest.data.sets import digest, load
from errorest.estimation.estimators import Estimator, parse_estimator
from errorest.estimation.run import Scheme, draw_schemes, predict_schemes
from errorest.inducers.base import Classifier
from errorest.inducers.id3 import ID3
from errorest.papers.martin_hirschberg.designs import library_id
from errorest.streams import Streams
from errorest.study.study import Study

__all__ = [
    "CASES",
    "ESTIMATORS",
    "INDUCERS",
    "Lenses",
    "cases_study",
    "distinct_items",
    "fewest_leaves",
    "largest_tree",
    "lens_study",
    "measure_cases",
    "measure_lenses",
]

CASES = "contact-lenses"
"""The data set: each of the 24 combinations of values stands once."""

ESTIMATORS = ("resubstitution", "loo", "cv-10", "bootstrap-632", "repeated-cv-2", "loo-star")
"""Section 6's estimators, by the ids of Table 4, in the order of Table 11."""

_ATTRIBUTES = (3, 1, 0, 2)
_CLASSES = ("soft", "none", "hard")

INDUCERS = {
    "gain-3102": ID3("gain", "parent-majority", _ATTRIBUTES, _CLASSES),
    "chi-square-3102": ID3("chi-square", "parent-majority", _ATTRIBUTES, _CLASSES),
    "misclassification-3102": ID3("misclassification", "parent-majority", _ATTRIBUTES, _CLASSES),
    "gain-ratio-none": ID3("gain-ratio", "none", _ATTRIBUTES, _CLASSES),
}
"""What the paper leaves open, decided in four ways (attributes: 0 age, 1 prescription, 2 astigmatism, 3 tear rate)."""

# the paper lists the classes in this order, and a wrong label is the next one, cyclically
_NUMBERED = ("hard", "soft", "none")


@dataclass(frozen=True, eq=False)
class Lenses:
    """The infinite population of contact-lens patients: 24 equally frequent cells, perhaps with wrong labels.

    Parameters
    ----------
    cells : Sample
        Each combination of values once, with its correct class.
    noise : float
        Probability that a label is the next class (of hard, soft, none, cyclically) instead
        of the correct one; the inherent error where at most one half.

    References
    ----------
    Martin & Hirschberg (1996), section 6, footnote 20.

    Examples
    --------
    >>> population = Lenses.with_noise(0.25)
    >>> population.sample(48, np.random.default_rng(0)).n, population.true_error(INDUCERS["gain-3102"].fit(load(CASES)))
    (48, 0.25)
    """

    cells: Sample
    noise: float = 0.0

    @classmethod
    def with_noise(cls, noise: float) -> Lenses:
        """Return the population of the project's data set."""
        return cls(_cells(), noise)

    @property
    def wrong_label(self) -> np.ndarray:
        """The class that stands for each class where the label is wrong; int array, shape (3,)."""
        number = [_NUMBERED.index(c) for c in self.cells.classes]
        return np.array([self.cells.classes.index(_NUMBERED[(i + 1) % len(_NUMBERED)]) for i in number])

    def sample(self, n: int, rng: np.random.Generator) -> Sample:
        """Draw n cases: the cell of each first, then whether its label is wrong."""
        cell = rng.integers(0, self.cells.n, size=n)
        wrong = rng.random(n) < self.noise
        drawn = self.cells.take(cell)
        return replace(drawn, y=np.where(wrong, self.wrong_label[drawn.y], drawn.y))

    def true_error(self, classifier: Classifier) -> float:
        """True error by the paper's formula: noise where a cell is right, 1 - noise where it is wrong; a proportion."""
        right = classifier.predict(self.cells.X) == self.cells.y
        return float(np.where(right, self.noise, 1.0 - self.noise).mean())

    def exact_error(self, classifier: Classifier) -> float:
        """Probability of a wrong prediction; a proportion.

        Differs from the paper's formula where the prediction is the third class, which no
        label of the cell ever is.

        Examples
        --------
        >>> from errorest.inducers.classifiers import ConstantClassifier
        >>> hard = ConstantClassifier(0)
        >>> of_hard = Lenses(load(CASES).take(np.nonzero(load(CASES).y == 0)[0]), 0.25)
        >>> of_soft = Lenses(load(CASES).take(np.nonzero(load(CASES).y == 2)[0]), 0.25)
        >>> of_hard.exact_error(hard), of_soft.true_error(hard), of_soft.exact_error(hard)
        (0.25, 0.75, 1.0)
        """
        labels = classifier.predict(self.cells.X)
        chance = np.where(labels == self.cells.y, 1.0 - self.noise, 0.0)
        chance += np.where(labels == self.wrong_label[self.cells.y], self.noise, 0.0)
        return float((1.0 - chance).mean())


@lru_cache(maxsize=1)
def _cells() -> Sample:
    return load(CASES)


def distinct_items(n: int, items: int) -> float:
    """Expected number of distinct items among n draws with replacement.

    Examples
    --------
    >>> distinct_items(2, 2)
    1.5
    """
    return items * (1.0 - (1.0 - 1.0 / items) ** n)


def largest_tree(arity: Sequence[int]) -> tuple[int, int]:
    """Nodes and leaves of the largest tree in which every path tests every attribute.

    The largest one tests the attribute of most values first.

    Examples
    --------
    >>> largest_tree([2, 3])
    (10, 6)
    """
    values = sorted(arity, reverse=True)
    return 1 + sum(prod(values[: i + 1]) for i in range(len(values))), prod(values)


def fewest_leaves(sample: Sample) -> int:
    """Fewest leaves of a multiway tree that is right on every case, found by trying all splits.

    Parameters
    ----------
    sample : Sample
        Nominal attributes, no missing value, no two cases alike but in class.

    Examples
    --------
    >>> fewest_leaves(load(CASES).take(np.array([0, 1])))
    2
    """

    def least(X: np.ndarray, y: np.ndarray, left: tuple[int, ...]) -> int:
        if np.unique(y).size < 2:
            return 1
        found = []
        for a in left:
            rest = tuple(b for b in left if b != a)
            parts = [X[:, a] == v for v in range(len(sample.attributes[a].categories))]
            found.append(sum(least(X[part], y[part], rest) for part in parts))
        return min(found)

    return least(sample.X, sample.y, tuple(range(sample.d)))


def measure_lenses(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Draw samples of one size and noise, grow their trees and estimate their error.

    Every reading sees the same samples and resamples.  Returns ``distinct`` (combinations of
    values in the sample) and columns ``<reading>/...``: ``true-error`` (the paper's formula),
    ``exact-error``, ``nodes``, ``leaves``, and each estimator; errors are proportions.
    """
    population = Lenses.with_noise(cell["noise"])
    estimators, schemes = _parsed(cell["estimators"])
    own = ("true-error", "exact-error", "nodes", "leaves")
    columns = [f"{r}/{c}" for r in cell["readings"] for c in (*own, *estimators)]
    out = {c: np.empty(len(replicates)) for c in ("distinct", *columns)}
    for i, replicate in enumerate(replicates):
        place = streams.child(replicate)
        sample = population.sample(cell["n"], place.generator("sample"))
        out["distinct"][i] = np.unique(sample.X, axis=0).shape[0]
        drawn = draw_schemes(sample, schemes, place)
        for reading in cell["readings"]:
            inducer = INDUCERS[reading]
            tree = inducer.fit(sample)
            values = (population.true_error(tree), population.exact_error(tree), tree.n_nodes, tree.n_leaves)
            for name, value in zip(own, values, strict=True):
                out[f"{reading}/{name}"][i] = value
            outcomes = predict_schemes(sample, inducer, drawn, place)
            for name, estimator in estimators.items():
                out[f"{reading}/{name}"][i] = estimator.reduce(sample, outcomes)
    return out


def measure_cases(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Estimate the error of the tree of the 24 cases, each replicate with splits of its own.

    Returns columns ``<reading>/<estimator>``, proportions.
    """
    sample = _cells()
    estimators, schemes = _parsed(cell["estimators"])
    out = {f"{r}/{e}": np.empty(len(replicates)) for r in cell["readings"] for e in estimators}
    for i, replicate in enumerate(replicates):
        place = streams.child(replicate)
        drawn = draw_schemes(sample, schemes, place)
        for reading in cell["readings"]:
            outcomes = predict_schemes(sample, INDUCERS[reading], drawn, place)
            for name, estimator in estimators.items():
                out[f"{reading}/{name}"][i] = estimator.reduce(sample, outcomes)
    return out


def _parsed(ids: Mapping[str, str]) -> tuple[dict[str, Estimator], list[Scheme]]:
    estimators = {e: parse_estimator(i) for e, i in ids.items()}
    return estimators, list(dict.fromkeys(s for e in estimators.values() for s in e.schemes))


def _ids(names: Sequence[str], cv_repeats: int, bootstrap_replicates: int) -> dict[str, str]:
    return {e: library_id(e, cv_repeats, bootstrap_replicates) for e in names}


def lens_study(
    name: str,
    sizes: Sequence[int],
    noises: Sequence[float],
    samples: int,
    readings: Sequence[str],
    estimators: Sequence[str],
    cv_repeats: int,
    bootstrap_replicates: int,
    seed: int,
) -> Study:
    """Make a study of samples with replacement; samples depend on name, size, noise and seed alone."""
    ids = _ids(estimators, cv_repeats, bootstrap_replicates)
    cells = [{"n": n, "noise": q, "readings": list(readings), "estimators": ids} for q in noises for n in sizes]
    return Study(
        f"martin-hirschberg-lenses-{name}",
        cells,
        samples,
        measure_lenses,
        seed=seed,
        seed_keys=("n", "noise"),
        data={CASES: digest(CASES)},
        cost=lambda cell: 1.0 + cell["n"] / 30,
    )


def cases_study(
    repetitions: int, readings: Sequence[str], cv_repeats: int, bootstrap_replicates: int, seed: int
) -> Study:
    """Make the study of the 24 cases themselves."""
    return Study(
        "martin-hirschberg-lenses-24",
        [{"readings": list(readings), "estimators": _ids(ESTIMATORS, cv_repeats, bootstrap_replicates)}],
        repetitions,
        measure_cases,
        seed=seed,
        seed_keys=(),
        data={CASES: digest(CASES)},
    )
