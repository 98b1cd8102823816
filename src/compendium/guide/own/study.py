"""Estimates on the cases at hand, and classifiers of as many cases drawn from the same data."""

from __future__ import annotations

from functools import lru_cache
from math import nan
from typing import NamedTuple

import numpy as np

import errorest
from compendium.guide.own.parameters import (
    OwnDataParameters,
    is_foreign,
    load_data,
    method_of,
    requested,
    sets,
    take_cases,
    with_replicates,
)
from compendium.methods.estimators import ESTIMATORS, parse_estimator
from compendium.studies.replicates import Cell, Replicate, each_replicate
from compendium.studies.study import Study
from errorest.assessment.results import Estimate
from errorest.counting import repeat_each
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.intervals import INTERVALS, parse_interval
from errorest.streams import Streams

# Cases on which one more classifier is tested, at most
_MOST_TESTED = 2000

_OURS, _FOREIGN = 5000, 250
"""Classifiers that an estimate may make: compiled in one pass, or fitted one by one."""


def chosen(p: OwnDataParameters) -> Estimate:
    """Return the estimate requested; computed once, as long as the data stay."""
    return _chosen(p, sets(p)[0].digest())


@lru_cache(maxsize=4)
def _chosen(p: OwnDataParameters, digest: str) -> Estimate:
    whole, taken = sets(p)
    return _estimate(p.inducer, whole.take(taken.cases), *requested(p), p.seed, p.confidence)


def _estimate(
    inducer: str, sample: Sample, estimator: str, interval: str | None, seed: int, confidence: float
) -> Estimate:
    encode, method = is_foreign(inducer), method_of(estimator)
    result = errorest.estimate(
        inducer, sample, method=method, interval=interval, rng=seed, confidence_level=confidence, encode=encode
    )
    assert isinstance(result, Estimate)
    return result


class Candidate(NamedTuple):
    """An interval with the estimate that belongs to it, or an estimate that has none.

    ``key`` is the name without settings, and ``fits`` how many classifiers it makes.
    """

    key: str
    estimator: str
    interval: str | None
    fits: int


def candidates(replicates: int, n: int) -> list[Candidate]:
    """List every interval and every estimator that has none, with what each costs at n cases."""
    results = []
    for name, make in INTERVALS.items():
        text = with_replicates(name, make, replicates)
        results.append(Candidate(name, "auto", text, parse_interval(text).fits(n)))
    for name, estimator in ESTIMATORS.items():
        if not any(parse_interval(interval).legal_with(estimator()) for interval in INTERVALS):
            text = with_replicates(name, estimator, replicates)
            results.append(Candidate(name, text, None, parse_estimator(text).fits(n)))
    return results


def most_fits(p: OwnDataParameters) -> int:
    """Return how many classifiers any other estimate than the chosen one may fit."""
    if p.most_fits is not None:
        return p.most_fits
    return _FOREIGN if is_foreign(p.inducer) else _OURS


@lru_cache(maxsize=8)
def _data(source: str, class_column: str | None, digest: str) -> Sample:
    """Read data, and check their digest."""
    sample = load_data(source, class_column)
    if sample.digest() != digest:
        raise UsageError(f"{source} was changed while it was worked on; expected it to stay; run the notebook again")
    return sample


def _data_cell(p: OwnDataParameters) -> Cell:
    """Return what a study needs to find the same cases again."""
    whole, taken = sets(p)
    return {
        "source": p.data,
        "class_column": p.class_column,
        "digest": whole.digest(),
        "cases": int(taken.cases.size),
        "data_seed": p.seed,
        "inducer": p.inducer,
    }


def estimate(cell: Cell) -> Replicate:
    """Return one estimate with its interval: proportions, NaN where it cannot be made of these cases.

    The random numbers are those of :func:`~errorest.estimate` with ``rng=seed``, so that
    the same call repeats each of them, and all estimates share the resamples that they have in common.
    """
    whole = _data(cell["source"], cell["class_column"], cell["digest"])
    sample = whole.take(take_cases(whole.n, cell["cases"], cell["data_seed"]).cases)
    estimator, interval, seed = cell["estimator"], cell["interval"], cell["data_seed"]

    def replicate(place: Streams) -> dict[str, float]:
        try:
            result = _estimate(cell["inducer"], sample, estimator, interval, seed, cell["confidence"])
        except UsageError:
            # too few cases for this one, or a classifier that fails on one of its resamples
            return {"made": 0, **dict.fromkeys(("estimate", "low", "high", "se"), nan)}
        low, high = (nan, nan) if result.interval is None else (result.interval.low, result.interval.high)
        se = nan if result.standard_error is None else result.standard_error
        return {"made": 1, "estimate": result.value, "low": low, "high": high, "se": se}

    return replicate


def estimate_study(p: OwnDataParameters, wanted: list[Candidate]) -> Study:
    """Return the study of estimates on the cases at hand."""
    data = _data_cell(p)
    cells = [{**data, "confidence": p.confidence, "estimator": c.estimator, "interval": c.interval} for c in wanted]
    return Study(
        "guide-own-estimates",
        cells,
        1,
        each_replicate(estimate),
        seed=p.seed,
        data={"data": data["digest"]},
        version=2,
    )


def error_on(inducer: str, sample: Sample, training: int, rng: np.random.Generator | int) -> tuple[int, int]:
    """Train on the first cases of a sample and test on the others."""
    # imported here: half a second that the parameters do not need
    from sklearn.model_selection import PredefinedSplit

    tested = sample.n - training
    split = PredefinedSplit(repeat_each([-1, 0], [training, tested]))
    result = errorest.estimate(inducer, sample, method=split, interval=None, rng=rng, encode=is_foreign(inducer))
    assert isinstance(result, Estimate)
    return round(result.value * tested), tested


def on_the_rest(p: OwnDataParameters, inducer: str) -> tuple[int, int]:
    """Count the errors on the cases held back of the classifier of the cases taken."""
    whole, taken = sets(p)
    return error_on(inducer, whole.take(np.concatenate(taken)), taken.cases.size, p.seed)


def procedure(cell: Cell) -> Replicate:
    """Take as many cases at random, train on them and test on the others: errors, and cases tested."""
    whole = _data(cell["source"], cell["class_column"], cell["digest"])

    def replicate(place: Streams) -> dict[str, int]:
        cases = place.generator("cases").permutation(whole.n)[: cell["cases"] + _MOST_TESTED]
        errors, tested = error_on(cell["inducer"], whole.take(cases), cell["cases"], place.generator("inducer"))
        return {"errors": errors, "tested": tested}

    return replicate


def procedure_study(p: OwnDataParameters) -> Study:
    """Return the study of what classifiers of as many cases are worth on average."""
    data = _data_cell(p)
    return Study(
        "guide-own-procedure",
        [data],
        p.draws,
        each_replicate(procedure),
        seed=p.seed,
        seed_keys=("digest", "cases"),
        data={"data": data["digest"]},
        chunk=25,
    )
