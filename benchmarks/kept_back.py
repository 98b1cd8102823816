"""How often the default interval of an error holds the truth on populations that no default was chosen on.

None of the populations here is a rule that shifts normal classes, as most of the guide's are, and nothing else in the
project draws from them: boards, rings and spirals in uniform attributes, counts, answers on scales, series, shares of
a whole, labels drawn after the attributes.  A second list has two normal classes, at errors from .2 to 45 %.

    .venv/bin/python benchmarks/kept_back.py          measure both lists, and write kept_back.csv (ten minutes)
    .venv/bin/python benchmarks/kept_back.py NAME     measure one population, and print

A cell has its own random stream, so that it can be measured alone.  ``tests/compendium/guide/test_kept_back.py``
compares the record with what the library tells of coverage.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.special import expit, ndtri

from errorest import estimate
from errorest.data.sample import Sample
from errorest.learners import C45, KNN, LinearDiscriminant, NaiveBayes
from errorest.streams import Streams

RECORD = Path(__file__).with_name("kept_back.csv")

SIZES, SAMPLES = (20, 60, 150, 400), 200

# Cases on which a classifier's error is measured: of an error of 30 % that is off by .3 points (standard error)
TESTED = 20_000

LEARNERS: Mapping[str, Callable[[], object]] = {
    "1-nn": partial(KNN, 1, metric="euclidean"),
    "5-nn": partial(KNN, 5, metric="euclidean"),
    "ldf": LinearDiscriminant,
    "naive-bayes": NaiveBayes,
    "c4.5": C45,
}

Drawn = tuple[np.ndarray, np.ndarray]
Rng = np.random.Generator


def board(n: int, rng: Rng) -> Drawn:
    """The colours of a board of three by three fields, one in twenty wrong."""
    X = rng.random((n, 2))
    return X, (np.floor(3 * X).sum(axis=1).astype(int) + (rng.random(n) < 0.05)) % 2


def rings(n: int, rng: Rng) -> Drawn:
    """A disc and two rings around it, whose edges are blurred."""
    y, angle = rng.integers(0, 3, n), rng.random(n) * 2 * np.pi
    radius = y + 0.5 + rng.normal(0, 0.3, n)
    return radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), y


def spirals(n: int, rng: Rng) -> Drawn:
    """Two spirals that wind around each other, with two attributes that tell nothing."""
    y, turn = rng.integers(0, 2, n), 3 * np.sqrt(rng.random(n)) + 0.3
    angle = 2 * turn + np.pi * y
    X = turn[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.hstack([X + rng.normal(0, 0.25, X.shape), rng.random((n, 2))]), y


def counts(n: int, rng: Rng) -> Drawn:
    """Fifteen counts with mean 1, of which three are twice and three half as frequent in the second class."""
    y, rates = rng.integers(0, 2, n), np.ones((2, 15))
    rates[1, :6] = 2, 2, 2, 0.5, 0.5, 0.5
    return rng.poisson(rates[y]).astype(float) + rng.normal(0, 1e-6, (n, 15)), y


def response(n: int, rng: Rng) -> Drawn:
    """Labels that are drawn after eight uniform attributes, by a logistic law of three."""
    X = rng.uniform(-2, 2, (n, 8))
    return X, (rng.random(n) < expit(2 * X[:, 0] - X[:, 1] + X[:, 2])).astype(int)


def steps(n: int, rng: Rng) -> Drawn:
    """The majority of five yes-or-no questions to as many uniform attributes, one label in ten wrong."""
    X = rng.random((n, 7))
    return X, ((X[:, :5] > 0.5).sum(axis=1) > 2).astype(int) ^ (rng.random(n) < 0.1)


def sentinels(n: int, rng: Rng) -> Drawn:
    """Gamma attributes of which a fifth is replaced by -9, as missing values are coded."""
    y = (rng.random(n) < 0.4).astype(int)
    X = rng.gamma(2.0, 1.0 + y[:, None], (n, 5))
    return np.where(rng.random(X.shape) < 0.2, -9.0, X), y


def scales(n: int, rng: Rng) -> Drawn:
    """Eight answers from 1 to 5 that share a factor, whose sign with noise is the class."""
    factor = rng.logistic(size=n)
    X = np.clip(np.round(3 + factor[:, None] / 2 + rng.laplace(0, 0.8, (n, 8))), 1, 5)
    return X + rng.normal(0, 1e-6, X.shape), (factor + rng.logistic(0, 0.5, n) > 0).astype(int)


def series(n: int, rng: Rng) -> Drawn:
    """Ten values of a series in which each remembers the one before by .2 or by .8."""
    y, X = rng.integers(0, 2, n), rng.normal(size=(n, 10))
    memory = np.where(y == 1, 0.8, 0.2)
    for k in range(1, 10):
        X[:, k] = memory * X[:, k - 1] + np.sqrt(1 - memory**2) * X[:, k]
    return X, y


def rare(n: int, rng: Rng) -> Drawn:
    """A class of one in eight, with beta attributes, at least two cases of it."""
    y = (rng.random(n) < 0.125).astype(int)
    y[:2] = 1
    return rng.beta(2 + 2 * y[:, None], 4, (n, 4)), y


def products(n: int, rng: Rng) -> Drawn:
    """The sign of a product of two of four uniform attributes, which none of them tells alone."""
    X = rng.uniform(-1, 1, (n, 4))
    return X, (X[:, 0] * X[:, 1] + rng.uniform(-0.1, 0.1, n) > 0).astype(int)


def parts_of_a_whole(n: int, rng: Rng) -> Drawn:
    """Four classes of five shares that add up to one, of which the last is left out."""
    y = rng.integers(0, 4, n)
    return rng.dirichlet(np.ones(5), n) * 0.6 + rng.dirichlet(np.ones(5), n) * 0.1 + 0.3 * np.eye(5)[y], y


def apart(n: int, rng: Rng) -> Drawn:
    """Exponential attributes whose sum decides, without noise, at least two cases of each class."""
    X = rng.exponential(size=(n, 3))
    X[:4] = np.array([[0.2], [0.4], [2.0], [3.0]])
    return X, (X.sum(axis=1) > 3).astype(int)


def two_normals(n: int, rng: Rng, error: float) -> Drawn:
    """Two equally frequent normal classes on one attribute, of a least error."""
    y = rng.integers(0, 2, n)
    y[:4] = 0, 1, 0, 1
    return rng.normal(-2 * ndtri(error) * y)[:, None], y


def quantiles(name: str) -> Drawn:
    """Return quantiles of both normal classes: few are misclassified, which cases drawn at random tell badly."""
    z, y = np.tile(ndtri((np.arange(TESTED // 2) + 0.5) / (TESTED // 2)), 2), np.repeat([0, 1], TESTED // 2)
    return (z - 2 * ndtri(NORMALS[name].keywords["error"]) * y)[:, None], y


WORLDS: Mapping[str, Callable[[int, Rng], Drawn]] = {
    made.__name__.replace("_", "-"): made
    for made in (
        *(board, rings, spirals, counts, response, steps, sentinels, scales, series, rare, products),
        *(parts_of_a_whole, apart),
    )
}

ERRORS = (0.002, 0.01, 0.04, 0.15, 0.3, 0.45)

NORMALS = {f"two-normals-{100 * e:g}": partial(two_normals, error=e) for e in ERRORS}

SIZES_OF_NORMALS = (20, 50, 150, 300, 1000)


class Line(NamedTuple):
    """A cell: in how many samples the default interval held the error of this classifier, and the procedure's."""

    population: str
    learner: str
    n: int
    samples: int
    interval: str
    error: float
    """Mean true error, a proportion."""
    estimate: float
    classifier: int
    procedure: int
    width: float


def measure(name: str, learner: str, n: int, samples: int) -> Line:
    """Measure one cell."""
    draw, inducer = {**WORLDS, **NORMALS}[name], LEARNERS[learner]()
    tested = quantiles(name) if name in NORMALS else draw(TESTED, np.random.default_rng(1))
    truths, found = [], []
    for number in range(samples):
        place = Streams(2027).child("kept-back", name, n, number)
        X, y = draw(n, place.generator("sample"))
        sample = Sample.from_arrays(X, y.tolist())
        result = estimate(inducer, X, y, rng=place.generator("estimate"))
        # samples may lack a class
        answers = np.array([int(c) for c in sample.classes])[inducer.fit(sample).predict(tested[0])]
        truths.append(float(np.mean(answers != tested[1])))
        found.append((result.value, result.interval.low, result.interval.high))
    values, low, high = np.array(found).T
    mean = float(np.mean(truths))
    held = int(np.sum((low <= truths) & (truths <= high)))
    return Line(
        *(name, learner, n, samples, result.interval.method, round(mean, 5), round(float(values.mean()), 5)),
        *(held, int(np.sum((low <= mean) & (mean <= high))), round(float(np.mean(high - low)), 5)),
    )


def cells(names: list[str]) -> Iterator[tuple[str, str, int, int]]:
    """Yield the cells of some populations, or of all."""
    for world in WORLDS if not names else (n for n in names if n in WORLDS):
        yield from ((world, learner, n, SAMPLES) for n in SIZES for learner in LEARNERS)
    for normal in NORMALS if not names else (n for n in names if n in NORMALS):
        yield from ((normal, learner, n, SAMPLES) for n in SIZES_OF_NORMALS for learner in LEARNERS)


def main(names: list[str]) -> None:
    """Measure, and write the record if all is measured."""
    lines = []
    for cell in cells(names):
        lines.append(measure(*cell))
        print(*lines[-1], sep=",", flush=True)
    if not names:
        with RECORD.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([Line._fields, *lines])


if __name__ == "__main__":
    main(sys.argv[1:])
