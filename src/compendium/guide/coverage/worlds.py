"""Populations of other kinds: heavy tails, flipped labels, nominal, correlated and many attributes, several classes.

Each is drawn by a rule, and a classifier's error is its share of errors on :data:`TESTED` further cases, the same for
all classifiers.  Of an error of 30 % that share is off by half a point (standard error), a tenth of the half-width of
an interval of 100 cases, a sixth of that of 300.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from compendium.guide.coverage.known import Known
from errorest.data.sample import Attribute, Sample

TESTED = 8192

Rule = Callable[[np.ndarray, np.random.Generator], np.ndarray]
"""``rule(y, rng)``: the attributes of cases of these classes."""


def heavy_tails(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Four attributes of Student's t with 1.5 degrees of freedom, which has no variance."""
    return rng.standard_t(1.5, (y.size, 4)) + y[:, None]


def shifted_first(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Four normal attributes, of which the first separates the classes."""
    X = rng.standard_normal((y.size, 4))
    X[:, 0] += 2.5 * y
    return X


def one_hot(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Six nominal attributes of three values, each written as three of 0 and 1."""
    shares = np.array([[0.5, 0.3, 0.2], [0.25, 0.35, 0.4]])
    values = (rng.random((y.size, 6, 1)) > shares.cumsum(axis=1)[y][:, None, :2]).sum(axis=2)
    return np.eye(3)[values].reshape(y.size, -1)


def correlated(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Four attributes with correlations of .8 that separate the classes, and eight irrelevant ones."""
    X = rng.standard_normal((y.size, 12))
    X[:, :4] = np.sqrt(0.8) * rng.standard_normal((y.size, 1)) + np.sqrt(0.2) * X[:, :4] + y[:, None]
    return X


def many_attributes(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A hundred and twenty attributes, of which the first twelve separate the classes."""
    X = rng.standard_normal((y.size, 120))
    X[:, :12] += 0.7 * y[:, None]
    return X


def unequal_spreads(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Three normal attributes, whose standard deviation is twice as large in the second class."""
    return (1 + y[:, None]) * rng.standard_normal((y.size, 3)) + 1.2 * y[:, None]


def two_clusters(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Two clusters of each class at the corners of a square, so that no line separates them."""
    corner = rng.integers(0, 2, y.size)
    return rng.standard_normal((y.size, 2)) + 2.5 * np.stack([corner, corner ^ y], axis=1)


def on_a_circle(y: np.ndarray, rng: np.random.Generator, classes: int, radius: float) -> np.ndarray:
    """Normal classes around a circle, and a third attribute that is irrelevant."""
    angle = 2 * np.pi * y / classes
    centres = radius * np.stack([np.cos(angle), np.sin(angle), np.zeros(y.size)], axis=1)
    return rng.standard_normal((y.size, 3)) + centres


def mixed(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Two normal attributes and three nominal ones of three values, all of which lean to a class."""
    values = (rng.random((y.size, 3, 1)) > np.array([[0.5, 0.8], [0.25, 0.6]])[y][:, None]).sum(axis=2)
    return np.hstack([rng.standard_normal((y.size, 2)) + 0.8 * y[:, None], values])


def make_world(shares: tuple[float, ...], rule: Rule, flipped: float = 0.0, nominal: int = 0) -> Known:
    """Make the population of a rule, with the shares of its classes.

    A share of all labels is flipped after drawing; so many of the last attributes are nominal, of three values.
    """
    names = tuple(map(str, range(len(shares))))

    def draw(n: int, rng: np.random.Generator) -> Sample:
        y = rng.choice(len(shares), n, p=shares)
        X = rule(y, rng)
        wrong = rng.random(n) < flipped
        kinds = [Attribute(f"x{k}") for k in range(X.shape[1] - nominal)]
        kinds += [Attribute(f"v{k}", "nominal", ("0", "1", "2")) for k in range(nominal)]
        return Sample.from_arrays(X, np.where(wrong, len(shares) - 1 - y, y), attributes=kinds, classes=names)

    test = draw(TESTED, np.random.default_rng(0))
    excess = np.full((TESTED, len(shares)), 1 / TESTED)
    excess[np.arange(TESTED), test.y] = 0.0
    return Known(draw, test, test.X, excess, 0.0)


HALVES = (0.5, 0.5)

WORLDS: Mapping[str, Callable[[], Known]] = {
    "heavy-tails": partial(make_world, (0.7, 0.3), heavy_tails),
    "flipped-labels": partial(make_world, HALVES, shifted_first, 0.2),
    "one-hot": partial(make_world, HALVES, one_hot),
    "mixed-attributes": partial(make_world, HALVES, mixed, nominal=3),
    "correlated": partial(make_world, HALVES, correlated),
    "many-attributes": partial(make_world, HALVES, many_attributes),
    "unequal-spreads": partial(make_world, (0.75, 0.25), unequal_spreads),
    "two-clusters": partial(make_world, HALVES, two_clusters),
    "three-classes": partial(make_world, (0.5, 0.3, 0.2), partial(on_a_circle, classes=3, radius=1.3)),
    "five-classes": partial(make_world, (0.2,) * 5, partial(on_a_circle, classes=5, radius=2.2)),
}
"""What makes each of them; twice as many as a sentence needs to speak of one kind of classifier."""
