"""Section 8's experiment: a small sample of a data set, all estimates of it, and its error on all other cases.

Kept apart from the tables that are made of it, so that a word changed there leaves
finished studies valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any, get_args

import numpy as np

from errorest.errors import UsageError
from errorest.papers.shakhnarovich.designs import columns, measure_sample
from errorest.papers.shakhnarovich.named import ESTIMATORS, classifier_named
from errorest.papers.shakhnarovich.uci.data import Drawing, UciSet, draw_cases, uci_set
from errorest.streams import Streams
from errorest.study.study import Study

__all__ = ["header_study", "measure_data_set", "measure_headers", "uci_study"]


def _check_drawing(drawing: str) -> None:
    if drawing not in get_args(Drawing):
        raise UsageError(
            f"samples were to be drawn '{drawing}'; expected {' or '.join(get_args(Drawing))}; choose one of these"
        )


def measure_data_set(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Run trials with one data set: a sample, its estimates, and the error on all cases that it leaves.

    Clones keep within the least and greatest values of the whole data set.

    Returns columns ``<place>/<estimator>``, proportions, place 0 being the first classifier of the
    cell; NaN in the places that the cell has no classifier for.
    """
    whole = uci_set(cell["set"])
    _check_drawing(cell["drawing"])
    places = {text: place for place, text in enumerate(cell["classifiers"])}
    bounds = tuple(zip(whole.X.min(axis=0).tolist(), whole.X.max(axis=0).tolist(), strict=True))
    trials = []
    for replicate in replicates:
        place = streams.child(replicate)
        drawn, rest = draw_cases(whole.y, cell["n"], cell["drawing"], place.generator("sample"))
        found = measure_sample(whole.take(drawn), whole.take(rest), cell, place, bounds)
        trial: dict[str, float] = {}
        for name, value in found.items():
            text, _, estimator = name.rpartition("/")
            trial[f"{places[text]}/{estimator}"] = value
        measured = [name.removeprefix("0/") for name in trial if name.startswith("0/")]
        trial |= {f"{empty}/{name}": nan for empty in range(len(places), cell["places"]) for name in measured}
        trials.append(trial)
    return columns(trials)


def uci_study(wanted: Sequence[tuple[UciSet, int, Drawing, Sequence[str]]], bootstrap_samples: int, seed: int) -> Study:
    """Make the study of section 8, a cell a data set, way of drawing and list of classifiers.

    Parameters
    ----------
    wanted : sequence of (UciSet, int, Drawing, sequence of str)
        With the number of trials; the classifiers of a cell see the same samples, resamples and clones.
    bootstrap_samples : int
        B: bootstrap samples, clones and repeats of cross-validation.
    seed : int
    """
    cells, trials = [], []
    # cells of one study have the same columns
    places = max(len(classifiers) for *_, classifiers in wanted)
    for one, number, drawing, classifiers in wanted:
        cells.append(
            {
                "set": one.name,
                "n": one.n,
                "drawing": drawing,
                "classifiers": list(classifiers),
                "places": places,
                "estimators": list(ESTIMATORS),
                "bootstrap_samples": bootstrap_samples,
            }
        )
        trials.append(number)
    return Study(
        "shakhnarovich-uci",
        cells,
        trials,
        measure_data_set,
        seed=seed,
        seed_keys=("set", "n", "drawing"),
        data={one.name: one.sample.digest() for one, *_ in wanted},
        chunk=2,
        cost=_cost,
    )


def _cost(cell: Mapping[str, Any]) -> float:
    """Milliseconds, roughly, of one trial."""
    n, classes = cell["n"], uci_set(cell["set"]).n_classes
    machines = sum(text.startswith("svm") for text in cell["classifiers"])
    others = len(cell["classifiers"]) - machines
    fits = 5.0 * n * cell["bootstrap_samples"]
    return fits * (others * n / 4000 + machines * classes * (classes - 1) / 2 * n / 1500)


def measure_headers(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Measure the true error and the apparent error of some classifiers on samples of a data set.

    Returns columns ``<classifier>/true-error`` and ``<classifier>/resubstitution``, proportions.
    """
    whole = uci_set(cell["set"])
    trials = []
    for replicate in replicates:
        drawn, rest = draw_cases(whole.y, cell["n"], "uniform", streams.child(replicate).generator("sample"))
        sample, test = whole.take(drawn), whole.take(rest)
        found = {}
        for text in cell["classifiers"]:
            classifier = classifier_named(text).inducer.fit(sample)
            found[f"{text}/true-error"] = float(np.mean(classifier.predict(test.X) != test.y))
            found[f"{text}/resubstitution"] = float(np.mean(classifier.predict(sample.X) != sample.y))
        trials.append(found)
    return columns(trials)


def header_study(one: UciSet, trials: int, classifiers: Sequence[str], seed: int) -> Study:
    """Make the study that tells which classifier stands under a header.

    Parameters
    ----------
    one : UciSet
    trials : int
    classifiers : sequence of str
        Those that might.
    seed : int
    """
    return Study(
        "shakhnarovich-headers",
        [{"set": one.name, "n": one.n, "classifiers": list(classifiers)}],
        trials,
        measure_headers,
        seed=seed,
        seed_keys=("set", "n"),
        data={one.name: one.sample.digest()},
        chunk=25,
    )
