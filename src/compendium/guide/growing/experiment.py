"""The study of learning curves: fitted on a few dozen cases, and held against the mean error at up to a thousand.

A data set is taken for the population: samples are drawn from it without replacement, and classifiers are tested on
cases that are left.  Two normal classes are drawn anew each time.  What a curve expects is made by the library's own
points and laws; beside them stand the laws taken at their word, without room for what they leave out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from pydantic import field_validator, model_validator

from compendium.papers.parameters import Parameters, each_once, parameter
from compendium.studies.populations import NormalClasses
from compendium.studies.replicates import each_replicate
from compendium.studies.study import Study
from errorest.data.sample import Sample
from errorest.data.sets import digest, load
from errorest.errors import nearest
from errorest.estimation.learning_curves import CurvePoints, PowerLaws, curve_points, test_size_for
from errorest.estimation.outcomes import Outcome
from errorest.estimation.proportions import wilson_interval
from errorest.estimation.run import run_schemes
from errorest.learners import C45, KNN, LinearDiscriminant, NaiveBayes
from errorest.learners.base import Inducer
from errorest.resampling.schemes import NestedSubsetFolds
from errorest.streams import Streams

# The inducers of the study; nearest neighbours of nominal attributes go by Hamming's distance
INDUCERS: Mapping[str, Inducer] = {
    "naive-bayes": NaiveBayes(),
    "c4.5": C45(),
    "1-nn": KNN(1),
    "ldf": LinearDiscriminant(),
}

# The sets, and which inducers each can be given: those that take its attributes and are not slow on it
SETS: Mapping[str, tuple[str, ...]] = {
    "two-normals": ("naive-bayes", "c4.5", "1-nn", "ldf"),
    "mushroom": ("naive-bayes", "c4.5"),
    "chess": ("naive-bayes", "c4.5", "1-nn"),
    "land-sat": ("naive-bayes", "1-nn"),
    "wine": ("naive-bayes", "c4.5", "1-nn", "ldf"),
    "digits": ("naive-bayes", "1-nn"),
}

_FILES = {"mushroom": "mushroom", "chess": "chess", "land-sat": "land-sat-train"}
_PACKAGED = {"wine": "load_wine", "digits": "load_digits"}
_ATTRIBUTES = 5
_DISTANCE = 2.0
# Cases that a classifier is tested on for the truth, at most
_TESTED = 1000

_FOLDS, _REPEATS = 10, 20
"""What the library takes where nobody says otherwise."""


class GrowingParameters(Parameters, notebook="guide/06-growing"):
    """Parameters of the study of learning curves."""

    sets: list[str] = parameter(list(SETS), min_length=1)
    inducers: list[str] = parameter(list(INDUCERS), min_length=1)
    cases: list[int] = parameter([25, 50], min_length=1, preview=[50])
    ahead: list[int] = parameter([200, 500, 1000], min_length=1)
    samples: int = parameter(100, ge=2, preview=10, replication=True)
    draws: int = parameter(200, ge=2, preview=20, replication=True)
    width: float = parameter(0.2, ge=0.05, le=0.5)
    confidence: float = parameter(0.95, ge=0.5, le=0.99)
    seed: int = parameter(2026, ge=0)

    _once = field_validator("sets", "inducers", "cases", "ahead")(each_once)

    @field_validator("sets", "inducers")
    @classmethod
    def _known(cls, value: list[str], info: Any) -> list[str]:
        names, what = (SETS, "set") if info.field_name == "sets" else (INDUCERS, "inducer")
        for name in value:
            if name not in names:
                raise ValueError(f"unknown {what} '{name}'; expected one of {', '.join(names)}; {nearest(name, names)}")
        return value

    @field_validator("cases", "ahead")
    @classmethod
    def _within(cls, value: list[int], info: Any) -> list[int]:
        least, most = (10, 50) if info.field_name == "cases" else (50, 1000)
        if not all(least <= one <= most for one in value):
            raise ValueError(f"{info.field_name} = {value}; expected numbers from {least} to {most}")
        return value

    @model_validator(mode="after")
    def _a_pair(self) -> GrowingParameters:
        if not cells_of(self):
            raise ValueError(
                f"none of the sets {', '.join(self.sets)} takes any of {', '.join(self.inducers)}; expected one that "
                "does, such as wine; add it"
            )
        return self

    def inputs(self) -> dict[str, str]:
        """Name the data sets that are read."""
        return {_FILES[name]: digest(_FILES[name]) for name in self.sets if name in _FILES}


class Cell(NamedTuple):
    """One cell of the grid: curves of an inducer, fitted on so many cases of a set."""

    data: str
    inducer: str
    n: int


def cells_of(p: GrowingParameters) -> list[Cell]:
    """List the cells."""
    grid = product(p.sets, p.inducers, p.cases)
    return [Cell(data, inducer, n) for data, inducer, n in grid if inducer in SETS[data]]


def sizes_of(cell: Cell, p: GrowingParameters) -> list[int]:
    """List the numbers of training cases that are held against the truth.

    These are the largest that the curve was measured at, twice its cases, and those ahead that leave a quarter of the
    set to be tested.
    """
    whole = _whole(cell.data)
    most = max(p.ahead) if whole is None else 3 * whole.n // 4
    end = cell.n - -(-cell.n // _FOLDS)
    return [end, *sorted({2 * cell.n, *(m for m in p.ahead if m <= most)})]


@lru_cache(maxsize=8)
def _whole(name: str) -> Sample | None:
    """Return a data set; None of what is drawn anew."""
    if name in _FILES:
        return load(_FILES[name])
    if name in _PACKAGED:
        from sklearn import datasets as packaged

        read = getattr(packaged, _PACKAGED[name])()
        return Sample.from_arrays(read.data, [str(one) for one in read.target], name=name)
    return None


@lru_cache(maxsize=1)
def _normals() -> NormalClasses:
    means = np.zeros((2, _ATTRIBUTES))
    means[1] = _DISTANCE / sqrt(_ATTRIBUTES)
    return NormalClasses(means, np.stack([np.eye(_ATTRIBUTES)] * 2))


def _drawn(name: str, n: int, place: Streams) -> tuple[Sample, Sample]:
    """Draw a sample, and cases that are none of its."""
    whole, rng = _whole(name), place.generator("sample")
    if whole is None:
        return _normals().sample(n, rng), _normals().sample(_TESTED, place.generator("validation"))
    order = rng.permutation(whole.n)
    return whole.take(order[:n]), whole.take(order[n : n + _TESTED])


def _inducer(cell: Mapping[str, Any]) -> Inducer:
    nominal = cell["inducer"] == "1-nn" and cell["data"] == "chess"
    return KNN(1, metric="hamming") if nominal else INDUCERS[cell["inducer"]]


def _truth(cell: Mapping[str, Any]) -> Any:
    """Make what one draw of the truth yields: the error of a classifier of so many cases."""

    def replicate(place: Streams) -> dict[str, float]:
        sample, rest = _drawn(cell["data"], cell["m"], place)
        return {"error": float(np.mean(_inducer(cell).fit(sample).predict(rest.X) != rest.y))}

    return replicate


def _curve(cell: Mapping[str, Any]) -> Any:
    """Make what one curve yields: what is expected at each size, and what the test cases that it asks for tell."""
    inducer, n, sure = _inducer(cell), cell["n"], cell["confidence"]
    levels = [(1 - sure) / 2, 0.5, (1 + sure) / 2]

    def replicate(place: Streams) -> dict[str, list[Any]]:
        sample, rest = _drawn(cell["data"], n, place)
        scheme = NestedSubsetFolds(tuple(NestedSubsetFolds.usual(n, sample.n_classes, _FOLDS)), _FOLDS, _REPEATS)
        outcome = run_schemes(sample, inducer, [scheme], place)[scheme]
        assert isinstance(outcome, Outcome)
        points = curve_points(outcome, scheme)
        results: list[tuple[str, int, float, float, float]] = []
        end, *beyond = cell["sizes"]
        results.append(("measured", end, float(points.errors[-1]), *points.limits(sure)[-1]))
        # what the library expects, and the laws at their word
        for name, laws in (("expected", PowerLaws(points)), ("at-their-word", PowerLaws(points, drift=0.0))):
            for m in beyond:
                low, middle, high = laws.quantiles(m, levels)
                results.append((name, m, middle, low, high))
        right = inducer.fit(sample).predict(rest.X) == rest.y
        results += _tested(points, right, cell["width"], sure, place)
        names = ("quantity", "m", "value", "low", "high")
        return {name: list(column) for name, column in zip(names, zip(*results, strict=True), strict=True)}

    return replicate


def _tested(
    points: CurvePoints, right: np.ndarray, width: float, confidence: float, place: Streams
) -> list[tuple[str, int, float, float, float]]:
    """Draw the test cases that the curve asks for, and make Wilson's interval; beside it what it should hold."""
    cases = test_size_for(width, float(points.errors[-1]), confidence)
    wrong = int((~right[place.generator("tested").integers(right.size, size=cases)]).sum())
    low, high = (float(v) for v in wilson_interval(wrong, cases, confidence))
    return [("tested", cases, wrong / cases, low, high), ("this-classifier", cases, float(np.mean(~right)), 0.0, 0.0)]


def curve_study(p: GrowingParameters) -> Study:
    """Make the study of curves; all inducers see the same samples of a set."""
    shared = {"confidence": p.confidence, "width": p.width}
    return Study(
        "guide-growing",
        [{**cell._asdict(), "sizes": sizes_of(cell, p), **shared} for cell in cells_of(p)],
        p.samples,
        each_replicate(_curve),
        seed=p.seed,
        seed_keys=("data", "n"),
        data=p.inputs(),
        chunk=25,
        cost=_cost,
    )


def truth_study(p: GrowingParameters) -> Study:
    """Make the study of the truth: mean errors of classifiers at every size that is foretold."""
    wanted = dict.fromkeys((c.data, c.inducer, m) for c in cells_of(p) for m in sizes_of(c, p))
    return Study(
        "guide-growing-truth",
        [{"data": data, "inducer": inducer, "m": m} for data, inducer, m in wanted],
        p.draws,
        each_replicate(_truth),
        seed=p.seed,
        seed_keys=("data", "m"),
        data=p.inputs(),
        chunk=100,
        cost=_cost,
    )


def _cost(cell: Mapping[str, Any]) -> float:
    """Milliseconds, roughly, of one replicate."""
    slow = 5.0 if cell["inducer"] == "c4.5" and cell["data"] not in ("mushroom", "chess") else 1.0
    return slow * (0.5 * cell["n"] if "n" in cell else 0.005 * cell["m"] + 0.5)
