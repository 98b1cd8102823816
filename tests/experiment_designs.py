"""Designs that worker processes of the tests can import."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from compendium.studies.experiment import Experiment, Trial
from compendium.studies.populations import TwoNormals, intervals_of
from compendium.studies.sources import DrawnSample, FromPopulation
from errorest.inducers import KNN
from errorest.streams import Streams

ESTIMATORS = {"loo": "loo", "cv": "cv(k=5)"}


def _source(cell: Mapping[str, Any]) -> FromPopulation:
    return FromPopulation(TwoNormals(2.0), cell["n"])


def _cuts(trial: Trial) -> dict[str, float]:
    return {"cuts": len(intervals_of(trial.classifier).cuts)}  # type: ignore[arg-type]


def _of_class_0(drawn: DrawnSample) -> dict[str, float]:
    return {"of-class-0": int(drawn.sample.class_counts()[0])}


def both(cell: Mapping[str, Any]) -> Experiment:
    inducers = {"1-nn": KNN(1), "3-nn": KNN(3)}
    return Experiment(_source(cell), inducers, ESTIMATORS, extras=(_cuts,), of_samples=(_of_class_0,))


def one(cell: Mapping[str, Any]) -> Experiment:
    return Experiment(_source(cell), KNN(3), {"loo": "loo"})


def odd(cell: Mapping[str, Any]) -> Experiment:
    numbers = iter(range(3))
    return Experiment(
        _source(cell), KNN(3), {"loo": "loo"}, extras=(lambda trial: {"odd": 1.0} if next(numbers) % 2 else {},)
    )


def tosses(cell: Mapping[str, Any]) -> Any:
    def trial(place: Streams) -> dict[str, Any]:
        heads = int((place.generator("tosses").random(cell["n"]) < 0.5).sum())
        return {"heads": heads, "side": "heads" if heads > 4 else "tails"}

    return trial


def other_names(cell: Mapping[str, Any]) -> Any:
    names = iter("aab")
    return lambda place: {next(names): 1.0}


def ragged(cell: Mapping[str, Any]) -> Any:
    return lambda place: {"a": [1.0], "b": [1.0, 2.0]}
