"""What is measured in a trial: all estimators of all classifiers on one small sample, beside the true error.

:func:`measure_sample` is the one of both halves of the paper, whether the sample comes
from one of the five populations of Table 1 or from a data set.  Kept apart from the tables
that are made of it, so that a word changed there leaves finished studies valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators import estimate_many
from errorest.experiment.populations import NormalClasses
from errorest.papers.shakhnarovich.named import TRUE_ERROR, classifier_named, estimators_for
from errorest.streams import Streams
from errorest.study.study import Study

__all__ = [
    "SETTINGS",
    "columns",
    "fitting",
    "measure_population",
    "measure_sample",
    "population_of",
    "synthetic_study",
]


def _shifted(half: float, d: int) -> NormalClasses:
    means = np.zeros((2, d))
    means[:, 0] = (-half, half)
    return NormalClasses(means, np.array([np.eye(d), np.eye(d)]))


def _growing(d: int) -> NormalClasses:
    j = np.arange(1, d + 1)
    means = np.array([np.zeros(d), np.sqrt(j) / 2])
    return NormalClasses(means, np.array([np.eye(d), np.diag(1 / j)]))


SETTINGS: Mapping[int, tuple[NormalClasses, int]] = {
    1: (_shifted(1.0, 5), 14),
    2: (_shifted(0.0, 5), 14),
    3: (_shifted(0.5, 2), 20),
    4: (_shifted(0.0, 2), 20),
    5: (_growing(10), 100),
}
"""The settings of Table 1: population and sample size n."""


def population_of(setting: int) -> tuple[NormalClasses, int]:
    """Return the population and the sample size of one of the settings of Table 1.

    Raises
    ------
    UsageError
        If there is no such setting.

    Examples
    --------
    >>> population_of(5)[1]
    100
    """
    if setting not in SETTINGS:
        raise UsageError(
            f"setting {setting} was asked for; expected one of {', '.join(map(str, SETTINGS))}, as Table 1 numbers "
            "them; choose another"
        )
    return SETTINGS[setting]


def measure_sample(
    sample: Sample,
    test: Sample,
    cell: Mapping[str, Any],
    place: Streams,
    bounds: Any = None,
) -> dict[str, float]:
    """Estimate the error of every classifier of a sample in every way, and measure its true error on a test set.

    All classifiers see the same resamples and clones.

    Parameters
    ----------
    sample, test : Sample
    cell : mapping
        With ``classifiers`` (texts of :func:`~errorest.papers.shakhnarovich.named.classifier_named`),
        ``estimators`` (names of :data:`~errorest.papers.shakhnarovich.named.ESTIMATORS`) and
        ``bootstrap_samples`` (B, of bootstrap samples, clones and repeats).
    place : Streams
        Of this trial.
    bounds : optional
        Of the clones: None, or a pair (least, greatest) for each attribute.

    Returns
    -------
    dict of str to float
        ``<classifier>/<estimator>``, proportions, with ``<classifier>/true-error`` first; the
        .632+ estimators come in the paper's variant and, under ``...-correct``, in Efron &
        Tibshirani's.
    """
    classifiers = [classifier_named(text) for text in cell["classifiers"]]
    wanted = estimators_for(tuple(cell["estimators"]), cell["bootstrap_samples"], bounds)
    found = estimate_many(sample, {c.key: c.inducer for c in classifiers}, list(wanted.values()), place)
    out = {}
    for c in classifiers:
        labels = c.inducer.fit(sample).predict(test.X)
        out[f"{c.key}/{TRUE_ERROR}"] = float(np.mean(labels != test.y))
        for name, estimator in wanted.items():
            out[f"{c.key}/{name}"] = found[c.key][estimator.id]
    return out


def columns(trials: Sequence[Mapping[str, float]]) -> dict[str, np.ndarray]:
    """Put what :func:`measure_sample` returns for several trials into the columns of a study.

    Examples
    --------
    >>> columns([{"1-nn/loo": 0.5}, {"1-nn/loo": 0.25}])["1-nn/loo"].tolist()
    [0.5, 0.25]
    """
    return {name: np.array([trial[name] for trial in trials]) for name in trials[0]}


def measure_population(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Run trials of one setting: a balanced sample, its estimates, a balanced validation set of its own.

    Returns columns ``<classifier>/<estimator>``, proportions.
    """
    population, n = population_of(cell["setting"])
    trials = []
    for replicate in replicates:
        place = streams.child(replicate)
        sample = population.balanced_sample(n, place.generator("sample"))
        validation = population.balanced_sample(cell["validation"], place.generator("validation"))
        trials.append(measure_sample(sample, validation, cell, place))
    return columns(trials)


def synthetic_study(
    settings: Sequence[int],
    trials: Sequence[int],
    classifiers: Sequence[str],
    estimators: Sequence[str],
    *,
    bootstrap_samples: int,
    validation: int,
    seed: int,
) -> Study:
    """Make the study of section 6, a cell a setting.

    Parameters
    ----------
    settings : sequence of int
        As Table 1 numbers them.
    trials : sequence of int
        Of each setting.
    classifiers, estimators : sequences of str
        By name.  Estimators that split into more folds than half the sample has cases are left out,
        as in the paper.
    bootstrap_samples : int
        B.
    validation : int
        Cases of each trial's validation set, even.
    seed : int
    """
    cells = [
        {
            "setting": s,
            "classifiers": list(classifiers),
            "estimators": fitting(estimators, population_of(s)[1]),
            "bootstrap_samples": bootstrap_samples,
            "validation": validation,
        }
        for s in settings
    ]
    return Study(
        "shakhnarovich-synthetic",
        cells,
        list(trials),
        measure_population,
        seed=seed,
        seed_keys=("setting",),
        chunk=2,
        cost=_cost,
    )


_LEAST_FOR_TEN_FOLDS = 20


def fitting(estimators: Sequence[str], n: int) -> list[str]:
    """Leave out ten folds where a sample has fewer than 20 cases, as the paper does (appendix A.1).

    Examples
    --------
    >>> fitting(["cv-10", "cv-5"], 14)
    ['cv-5']
    """
    return [e for e in estimators if n >= _LEAST_FOR_TEN_FOLDS or not e.endswith("-10")]


def _cost(cell: Mapping[str, Any]) -> float:
    """Milliseconds, roughly, of one trial."""
    n = population_of(cell["setting"])[1]
    return cell["validation"] / 2000 + cell["bootstrap_samples"] * n * (1 + (n / 25) ** 2) / 20
