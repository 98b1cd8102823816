"""The study of learning curves: fitted on a few dozen cases, and compared with the mean error at up to a thousand.

A data set is taken for the population: samples are drawn from it without replacement, and classifiers are tested on
cases that are left.  Two normal classes are drawn again each time.  A curve expects what the library's power laws do,
with the drift that they allow for, and without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import sqrt

import numpy as np

from compendium.guide.growing.parameters import (
    FOLDS,
    INDUCERS,
    REPEATS,
    GrowingParameters,
    cells_of,
    data_set,
    sizes_of,
)
from compendium.studies.populations import NormalClasses
from compendium.studies.replicates import Cell, Replicate, each_replicate
from compendium.studies.study import Study
from errorest.data.sample import Sample
from errorest.estimation.learning_curves import CurvePoints, PowerLaws, curve_points, test_size_for
from errorest.estimation.outcomes import Outcome
from errorest.estimation.proportions import wilson_interval
from errorest.estimation.run import run_schemes
from errorest.learners import KNN
from errorest.learners.base import Inducer
from errorest.resampling.schemes import NestedSubsetFolds
from errorest.streams import Streams

_ATTRIBUTES = 5

_DISTANCE = 2.0

# Cases that a classifier is tested on for the truth, at most
_TESTED = 1000


@lru_cache(maxsize=1)
def _normals() -> NormalClasses:
    means = np.zeros((2, _ATTRIBUTES))
    means[1] = _DISTANCE / sqrt(_ATTRIBUTES)
    return NormalClasses(means, np.stack([np.eye(_ATTRIBUTES)] * 2))


def _drawn(name: str, n: int, place: Streams) -> tuple[Sample, Sample]:
    """Draw a sample, and cases that are none of its."""
    whole, rng = data_set(name), place.generator("sample")
    if whole is None:
        return _normals().sample(n, rng), _normals().sample(_TESTED, place.generator("validation"))
    order = rng.permutation(whole.n)
    return whole.take(order[:n]), whole.take(order[n : n + _TESTED])


def _inducer(cell: Cell) -> Inducer:
    nominal = cell["inducer"] == "1-nn" and cell["data"] == "chess"
    return KNN(1, metric="hamming") if nominal else INDUCERS[cell["inducer"]]


def _truth(cell: Cell) -> Replicate:
    """Make what one draw of the truth yields: the error of a classifier of so many cases."""

    def replicate(place: Streams) -> dict[str, float]:
        sample, rest = _drawn(cell["data"], cell["m"], place)
        return {"error": float(np.mean(_inducer(cell).fit(sample).predict(rest.X) != rest.y))}

    return replicate


def _curve(cell: Cell) -> Replicate:
    """Make what one curve yields: what is expected at each size, and what the test cases that it asks for tell."""
    inducer, n, confidence = _inducer(cell), cell["n"], cell["confidence"]
    levels = [(1 - confidence) / 2, 0.5, (1 + confidence) / 2]

    def replicate(place: Streams) -> Mapping[str, Sequence[object]]:
        sample, rest = _drawn(cell["data"], n, place)
        scheme = NestedSubsetFolds(tuple(NestedSubsetFolds.usual(n, sample.n_classes, FOLDS)), FOLDS, REPEATS)
        outcome = run_schemes(sample, inducer, [scheme], place)[scheme]
        assert isinstance(outcome, Outcome)
        points = curve_points(outcome, scheme)
        results: list[tuple[str, int, float, float, float]] = []
        end, *beyond = cell["sizes"]
        results.append(("measured", end, float(points.errors[-1]), *points.limits(confidence)[-1]))
        # what the library expects, and the laws at their word
        for name, laws in (("expected", PowerLaws(points)), ("at-their-word", PowerLaws(points, drift=0.0))):
            for m in beyond:
                low, middle, high = laws.quantiles(m, levels)
                results.append((name, m, middle, low, high))
        right = inducer.fit(sample).predict(rest.X) == rest.y
        results += _tested(points, right, cell["width"], confidence, place)
        names = ("quantity", "m", "value", "low", "high")
        return {name: list(column) for name, column in zip(names, zip(*results, strict=True), strict=True)}

    return replicate


def _tested(
    points: CurvePoints, right: np.ndarray, width: float, confidence: float, place: Streams
) -> list[tuple[str, int, float, float, float]]:
    """Draw the test cases that the curve asks for: Wilson's interval, and the error that it should cover."""
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


def _cost(cell: Cell) -> float:
    """Milliseconds, roughly, of one replicate."""
    slow = 5.0 if cell["inducer"] == "c4.5" and cell["data"] not in ("mushroom", "chess") else 1.0
    return slow * (0.5 * cell["n"] if "n" in cell else 0.005 * cell["m"] + 0.5)
