"""Populations whose true errors are known: normal classes, noisy lenses, pure chance, data sets taken as wholes.

A true error is ``constant + sum of excess[i, label of case i]`` over a fixed list of cases, which
is exact for lenses, pure chance and data sets, and a numerical integral for normal classes: over
quasi-random points, of what a classifier errs more than the best rule, whose own error is exact; or over cells of one
attribute, where errors are few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from math import sqrt

import numpy as np
from scipy.special import expit, ndtr, ndtri
from scipy.stats import qmc

from compendium.guide.coverage.known import Known
from compendium.guide.coverage.worlds import WORLDS
from compendium.papers.kohavi.data import random_booleans
from compendium.papers.martin_hirschberg.lenses.population import CASES, Lenses
from compendium.papers.shakhnarovich.synthetic.study import population_of
from compendium.studies.populations import NormalClasses, TwoNormals
from errorest.data.sample import Sample
from errorest.data.sets import digest, load
from errorest.errors import UsageError, nearest

# The data set that a population is made of
DATA: Mapping[str, str] = {
    "lenses": CASES,
    "mushroom": "mushroom",
    "chess": "chess",
    "land-sat": "land-sat-train",
}

# Base-2 logarithm of the quasi-random points of each normal class
_POINTS = 11

# Base-2 logarithm of the cells of one attribute
_CELLS = 13

_INHERENT = 0.25
_LENS_NOISE = 0.25
_CHANCE = 0.5


def normal_population(classes: NormalClasses, points: int = _POINTS) -> Known:
    """Make a population of two equally frequent normal classes with the same covariance.

    The integral runs over ``2^points`` quasi-random points of each class (Sobol's, set in the
    middle of their cells), and only over where a classifier disagrees with the best rule.
    """
    d = classes.means.shape[1]
    unit = qmc.Sobol(d, scramble=False).random_base2(points) + 0.5 / 2**points
    z = ndtri(unit)
    roots = np.linalg.cholesky(classes.covariances)
    cases = np.concatenate([classes.means[c] + z @ roots[c].T for c in (0, 1)])
    ratio = classes.log_ratio(cases)
    best = (ratio > 0).astype(np.int64)
    excess = np.zeros((cases.shape[0], 2))
    # at x the other label errs by |2 P(1 | x) - 1| more
    excess[np.arange(best.shape[0]), 1 - best] = np.abs(2 * expit(ratio) - 1) / best.shape[0]
    difference = classes.means[1] - classes.means[0]
    distance = sqrt(float(difference @ np.linalg.solve(classes.covariances[0], difference)))
    like = classes.sample(1, np.random.default_rng(0))
    return Known(classes.sample, like, cases, excess, float(ndtr(-distance / 2)))


def _two_normals() -> NormalClasses:
    distance = TwoNormals.of_inherent_error(_INHERENT).distance
    return NormalClasses(np.array([[0.0], [distance]]), np.ones((2, 1, 1)))


# The normal classes of each population whose true errors are integrals
NORMALS: Mapping[str, Callable[[], NormalClasses]] = {
    "two-normals": _two_normals,
    "normals-5d": lambda: population_of(1)[0],
    "normals-2d": lambda: population_of(3)[0],
}


def _of_normals(name: str) -> Known:
    return normal_population(NORMALS[name]())


def _chance(draw: Callable[[int, np.random.Generator], Sample]) -> Known:
    """Return a population whose two classes are tossed for, so that no classifier is better than another."""
    like = draw(4, np.random.default_rng(0))
    return Known(draw, like, np.empty((0, like.d)), np.empty((0, 2)), _CHANCE)


def _booleans(n: int, rng: np.random.Generator) -> Sample:
    return random_booleans(rng, rows=n, duplicates=0)


def _lenses() -> Known:
    lenses = Lenses.with_noise(_LENS_NOISE)
    cells = lenses.cells
    excess = np.ones((cells.n, cells.n_classes))
    excess[np.arange(cells.n), cells.y] -= 1 - lenses.noise
    excess[np.arange(cells.n), lenses.wrong_label[cells.y]] -= lenses.noise
    return Known(lenses.sample, cells, cells.X, excess / cells.n, 0.0)


def _of_data(name: str) -> Known:
    """Take a data set for the population: cases are drawn with replacement, and all of them are the truth."""
    whole = load(DATA[name])
    excess = np.full((whole.n, whole.n_classes), 1 / whole.n)
    excess[np.arange(whole.n), whole.y] = 0.0
    return Known(lambda n, rng: whole.take(rng.integers(0, whole.n, size=n)), whole, whole.X, excess, 0.0)


def _far_apart(least: float) -> Known:
    """Make two equally frequent normal classes on one attribute, of a small least error, a proportion.

    A classifier is asked in the middle of each cell of a grid, whose share of both classes is exact; points drawn from
    the classes would be few where the errors are.  Six standard deviations on either side leave out 1e-9.
    """
    classes = TwoNormals.of_inherent_error(least)
    edges = np.linspace(-6.0, classes.distance + 6.0, 2**_CELLS + 1)
    shares = np.stack([np.diff(ndtr(edges)), np.diff(ndtr(edges - classes.distance))], axis=1) / 2
    like = classes.sample(1, np.random.default_rng(0))
    # an answer errs on the cases of the other class
    return Known(classes.sample, like, ((edges[1:] + edges[:-1]) / 2)[:, None], shares[:, ::-1], 0.0)


# Populations in which few cases are misclassified, by their least error in percent
FAR_APART: Mapping[str, Callable[[], Known]] = {
    f"two-normals-{percent:g}-percent": partial(_far_apart, percent / 100) for percent in (0.2, 0.5, 1, 2, 4)
}

# What makes each population
POPULATIONS: Mapping[str, Callable[[], Known]] = {
    **{name: partial(_of_normals, name) for name in NORMALS},
    **FAR_APART,
    "no-information": lambda: _chance(population_of(4)[0].sample),
    "rand": lambda: _chance(_booleans),
    "lenses": _lenses,
    **{name: partial(_of_data, name) for name in ("mushroom", "chess", "land-sat")},
    **WORLDS,
}


@lru_cache(maxsize=16)
def population_named(name: str) -> Known:
    """Return a population by its name."""
    if name not in POPULATIONS:
        raise UsageError(
            f"unknown population '{name}'; expected one of {', '.join(POPULATIONS)}; {nearest(name, POPULATIONS)}"
        )
    return POPULATIONS[name]()


def digests_of(names: Iterable[str]) -> dict[str, str]:
    """Return the digest of the data behind each population that is made of some."""
    return {DATA[name]: digest(DATA[name]) for name in names if name in DATA}
