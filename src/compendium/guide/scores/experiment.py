"""The study of scores: intervals for the Brier score and the AUC, of samples of two normal classes.

The truth about a linear discriminant is analytic: its log odds are linear, and so normal within a class. That about
other classifiers is a sum over quasi-random points of each class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from pydantic import field_validator
from scipy.special import expit, logit, ndtr, ndtri
from scipy.stats import qmc

from compendium.papers.parameters import Parameters, SizesForTenFolds, each_once, parameter
from compendium.studies.populations import NormalClasses
from compendium.studies.replicates import each_replicate
from compendium.studies.study import Study
from errorest.errors import nearest
from errorest.estimation.intervals.method import IntervalMethod, Measured
from errorest.estimation.intervals.registry import parse_interval, parse_statistic_interval
from errorest.estimation.metrics import BoundMetric, Statistic, parse_metric
from errorest.estimation.run import run_schemes
from errorest.inducers import KNN, LinearDiscriminant, NaiveBayes
from errorest.inducers.base import Inducer
from errorest.streams import Streams

__all__ = ["INDUCERS", "METHODS", "TRUTH", "Cell", "ScoresParameters", "cells_of", "scores_study", "truths"]

METHODS: Mapping[str, Mapping[str, str]] = {
    "brier": {
        "cv-wald": "cv-wald(k=10)",
        "corrected-t": "corrected-t(splits=25)",
        "nested-cv": "nested-cv(repeats=5)",
        "oob": "oob",
        "632+": "632+",
        "632+span": "632+span",
    },
    "auc": {
        "cv-influence": "cv-influence(k=5, stratified=True)",
        "cv-influence-folds": "cv-influence(k=5, stratified=True, weights=folds)",
        "corrected-t": "corrected-t(splits=25, ratio=7/10)",
        "conservative-z": "conservative-z(splits=10, halvings=10, ratio=7/10)",
        "bootstrap-case-cv": "bootstrap-case-cv(replicates=40)",
        "location-shifted": "location-shifted(replicates=100)",
        "two-stage": "two-stage(outer=40, inner=5, replicates=100, copies=together)",
    },
}
"""The intervals of each score, by short names."""

INDUCERS: Mapping[str, Inducer] = {"ldf": LinearDiscriminant(), "naive-bayes": NaiveBayes(), "3-nn": KNN(3)}
"""The inducers of the study."""

TRUTH = "truth"
"""What the true score of the sample's classifier stands under."""

_ATTRIBUTES = 2
_POINTS = 10
_NODES = 101


class ScoresParameters(Parameters, notebook="guide/07-scores"):
    """Parameters of the study of scores."""

    sizes: SizesForTenFolds = parameter([20, 50, 100], "sample sizes", min_length=1, preview=[20, 50])
    distances: list[float] = parameter(
        [1.0, 2.0], "distances of the means of the two classes, in standard deviations", min_length=1
    )
    inducers: list[str] = parameter(["ldf", "naive-bayes", "3-nn"], "inducers by name", min_length=1)
    repetitions: int = parameter(300, "samples of each distance and size", ge=2, preview=10, replication=True)
    confidence: float = parameter(0.95, "nominal share of intervals that hold the truth, a proportion", gt=0, lt=1)
    seed: int = parameter(2026, "seed of every random stream", ge=0)

    _once = field_validator("sizes", "distances", "inducers")(each_once)

    @field_validator("inducers")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        for name in value:
            if name not in INDUCERS:
                raise ValueError(
                    f"unknown inducer '{name}'; expected one of {', '.join(INDUCERS)}; {nearest(name, INDUCERS)}"
                )
        return value

    @field_validator("distances")
    @classmethod
    def _apart(cls, value: list[float]) -> list[float]:
        if not all(0 < one < 10 for one in value):
            raise ValueError(f"distances are {value}; expected numbers above 0, below 10; mend the list")
        return value


class Cell(NamedTuple):
    """One cell of the grid."""

    distance: float
    inducer: str
    n: int


def cells_of(p: ScoresParameters) -> list[Cell]:
    """List the cells."""
    return [Cell(*one) for one in product(p.distances, p.inducers, p.sizes)]


@lru_cache(maxsize=16)
def _classes(distance: float) -> NormalClasses:
    means = np.zeros((2, _ATTRIBUTES))
    means[1] = distance / sqrt(_ATTRIBUTES)
    return NormalClasses(means, np.stack([np.eye(_ATTRIBUTES)] * 2))


def truths(classifier: Any, distance: float, linear: bool) -> dict[str, float]:
    """Return the true Brier score and AUC of a classifier of the two normal classes, equally frequent."""
    means = _classes(distance).means
    if linear:
        odds = logit(classifier.predict_proba(np.vstack([np.zeros(_ATTRIBUTES), np.eye(_ATTRIBUTES)]))[:, 1])
        slopes = odds[1:] - odds[0]
        centres, spread = odds[0] + means @ slopes, float(np.linalg.norm(slopes))
        nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
        said = expit(centres[:, None] + spread * nodes)
        losses = (said - np.array([[0.0], [1.0]])) ** 2 @ weights / weights.sum()
        area = float(ndtr((centres[1] - centres[0]) / (sqrt(2) * spread))) if spread > 0 else 0.5
        return {"brier": float(losses.mean()), "auc": area}
    points = _points()
    said = np.concatenate([classifier.predict_proba(mean + points)[:, 1] for mean in means])
    truth = np.repeat([0, 1], points.shape[0])
    return {"brier": float(((said - truth) ** 2).mean()), "auc": parse_auc().of(truth, said)}


def parse_auc() -> Statistic:
    """Return the AUC."""
    score = parse_metric("auc")
    assert isinstance(score, Statistic)
    return score


@lru_cache(maxsize=1)
def _points() -> np.ndarray:
    """Quasi-random points of the standard normal distribution, in the middle of their cells."""
    unit = qmc.Sobol(_ATTRIBUTES, scramble=False).random_base2(_POINTS) + 0.5 / 2**_POINTS
    return np.asarray(ndtri(unit))


def _method(score: str, text: str) -> IntervalMethod:
    return (
        parse_interval(text)
        if parse_metric(score).decomposable
        else parse_statistic_interval(text, parse_metric(score))
    )


def _measured(cell: Mapping[str, Any]) -> Any:
    """Make what one replicate yields: for each score the truth, and every interval."""
    classes, inducer = _classes(cell["distance"]), INDUCERS[cell["inducer"]]
    methods = {s: {name: _method(s, text) for name, text in own.items()} for s, own in METHODS.items()}

    def replicate(place: Streams) -> dict[str, list[Any]]:
        draws = place.generator("sample")
        sample = classes.sample(cell["n"], draws)
        # 1 sample in 25,000 of twenty cases: there is nothing to cross-validate
        while min(sample.class_counts()) < 2:
            sample = classes.sample(cell["n"], draws)
        true = truths(inducer.fit(sample), cell["distance"], cell["inducer"] == "ldf")
        lines: dict[str, list[Any]] = {"score": [], "quantity": [], "value": [], "low": [], "high": []}
        for name, own in methods.items():
            score = parse_metric(name)
            schemes = [s for m in own.values() for s in m.schemes]
            outcomes = run_schemes(sample, inducer, schemes, place, BoundMetric(score, 1, 2))
            measured = Measured(sample, outcomes, cell["confidence"], monte_carlo=False)
            found: list[tuple[str, float, float, float]] = [(TRUTH, true[name], np.nan, np.nan)]
            for method, made in own.items():
                r = made.result(measured)
                found.append((method, r.estimate, r.low, r.high))
            for line in found:
                lines["score"].append(name)
                for column, value in zip(("quantity", "value", "low", "high"), line, strict=True):
                    lines[column].append(value)
        return lines

    return replicate


def scores_study(cells: Sequence[Cell], p: ScoresParameters) -> Study:
    """Make the study; all inducers see the same samples and resamples."""
    return Study(
        "guide-scores",
        [{**cell._asdict(), "confidence": p.confidence} for cell in cells],
        p.repetitions,
        each_replicate(_measured),
        seed=p.seed,
        seed_keys=("distance", "n"),
        chunk=50,
        cost=_cost,
    )


def _cost(cell: Mapping[str, Any]) -> float:
    """Milliseconds, roughly, of one sample."""
    return 10.0 + 0.2 * float(cell["n"])
