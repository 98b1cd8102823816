"""Section 8's cases: a data set with a classifier, its trials, and the readings under which they are filed.

A case comes with up to four readings of the same trials or of others: as computed, with rows
put where the paper prints them, and both again for samples drawn class by class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from pydantic import field_validator, model_validator

from errorest.evidence.regenerated import Run
from errorest.papers.parameters import parameter
from errorest.papers.shakhnarovich.named import NamedInducer, classifier_named, title_of
from errorest.papers.shakhnarovich.uci.data import PUBLISHED, Drawing, SetsParameters, UciSet, sets_of
from errorest.papers.shakhnarovich.uci.designs import uci_study

__all__ = [
    "EXCHANGED",
    "SET_TITLES",
    "STRATIFIED",
    "UciCase",
    "UciParameters",
    "as_printed",
    "cases_of",
]

EXCHANGED = "fitted:rows-as-printed"
"""Reading in which the RCV x10 and x5 rows change places and BSCV x10* is BSCV x5*."""

STRATIFIED = "fitted:stratified-samples"
"""Reading in which every sample has the classes in the proportions of the whole data set."""

SET_TITLES = {"breast-cancer": "breast cancer", "vehicle": "vehicle", "pima": "Pima"}

_PLACES: Mapping[str, str] = {
    "repeated-cv-10": "repeated-cv-5",
    "repeated-cv-5": "repeated-cv-10",
    "cloned-bscv-10": "cloned-bscv-5",
}

_CLASSIFIERS = [
    "breast-cancer/1-nn",
    "breast-cancer/3-nn",
    "breast-cancer/svm-linear@c=0.01",
    "breast-cancer/svm-rbf@gamma=0.03,c=10",
    "vehicle/1-nn",
    "vehicle/svm-rbf@standardised,gamma=0.12,c=1",
    "pima/17-nn",
    "pima/svm-rbf@gamma=0.0001,c=10",
]


class UciParameters(SetsParameters):
    """Parameters of section 8's simulation."""

    trials: list[int] = parameter(
        [t for _, t in PUBLISHED.values()],
        "trials with each of the three data sets",
        min_length=3,
        max_length=3,
        preview=[6, 4, 6],
    )
    classifiers: list[str] = parameter(
        _CLASSIFIERS, "data set and classifier of each case, with settings after @", min_length=1
    )
    stratified: list[str] = parameter(["pima/17-nn"], "cases whose samples are also drawn class by class")
    bootstrap_samples: int = parameter(
        100, "bootstrap samples, clones, and repeats of cross-validation, B", ge=2, preview=5
    )
    level: float = parameter(0.1, "significance level of Tables 4 and 6", gt=0, lt=0.5)
    strict_level: float = parameter(0.05, "significance level of Table 5", gt=0, lt=0.5)

    @field_validator("classifiers")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        seen = set()
        for text in value:
            name, _, classifier = text.partition("/")
            if name not in PUBLISHED:
                raise ValueError(
                    f"case '{text}' has the data set '{name}'; expected one of {', '.join(PUBLISHED)}; mend the case"
                )
            case = f"{name}/{classifier_named(classifier).row}"
            if case in seen:
                raise ValueError(f"case {case} is named twice; expected each once; leave one out")
            seen.add(case)
        missing = [name for name in PUBLISHED if not any(text.startswith(f"{name}/") for text in value)]
        if missing:
            raise ValueError(f"no classifier is named for {missing[0]}; expected at least one; add {missing[0]}/1-nn")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> UciParameters:
        if min(self.trials) < 2:
            raise ValueError(f"{min(self.trials)} trial is too few for a spread; expected at least 2; use more")
        for text in self.stratified:
            if text not in self.classifiers:
                raise ValueError(
                    f"stratified case '{text}' is none of the cases; expected one of {', '.join(self.classifiers)}; "
                    "mend the list"
                )
        return self


class UciCase(NamedTuple):
    """A data set with a classifier: what is known of its trials, by reading.

    ``readings`` maps a reading to the estimates of each trial (proportions) with
    ``true-error``; the first one is the headline.
    """

    set: UciSet
    classifier: NamedInducer
    readings: Mapping[str, Mapping[str, np.ndarray]]

    @property
    def key(self) -> str:
        """The row or column of the case in Tables 4, 5 and 7: ``pima/17-nn``."""
        return f"{self.set.name}/{self.classifier.row}"

    @property
    def title(self) -> str:
        """Name for figures and sentences."""
        return f"{title_of(self.classifier.row)} on {SET_TITLES[self.set.name]}"

    @property
    def headline(self) -> Mapping[str, np.ndarray]:
        """Estimates under the first reading."""
        return next(iter(self.readings.values()))


def as_printed(estimates: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Put estimates into the rows under which the paper prints them (see the errata).

    Examples
    --------
    >>> as_printed({"repeated-cv-5": np.array([0.1]), "repeated-cv-10": np.array([0.2])})["repeated-cv-10"].tolist()
    [0.1]
    """
    return {name: estimates.get(_PLACES.get(name, name), values) for name, values in estimates.items()}


def _classifiers_of(p: UciParameters, name: str) -> dict[str, str]:
    return {text: text.partition("/")[2] for text in p.classifiers if text.startswith(f"{name}/")}


def cases_of(p: UciParameters, run: Run) -> list[UciCase]:
    """Run the trials of all cases.

    Returns
    -------
    list of UciCase
        Data sets in the order of Table 3, their classifiers in the order given.
    """
    sets = sets_of(p)
    named = {one.name: _classifiers_of(p, one.name) for one in sets}
    trials = dict(zip(PUBLISHED, p.trials, strict=True))
    wanted: list[tuple[UciSet, int, Drawing, list[str]]] = [
        (one, trials[one.name], "uniform", list(named[one.name].values())) for one in sets
    ]
    for one in sets:
        again = [key for text, key in named[one.name].items() if text in p.stratified]
        if again:
            wanted.append((one, trials[one.name], "stratified", again))
    results = run(uci_study(wanted, p.bootstrap_samples, p.seed))
    found = {(one.name, drawing): _by_classifier(results, one.name, drawing, keys) for one, _, drawing, keys in wanted}
    cases = []
    for one in sets:
        for text, key in named[one.name].items():
            classifier = classifier_named(key)
            plain = found[one.name, "uniform"][key]
            readings = {classifier.reading: plain, EXCHANGED: as_printed(plain)}
            if text in p.stratified:
                strata = found[one.name, "stratified"][key]
                readings |= {STRATIFIED: strata, f"{STRATIFIED}-{EXCHANGED.partition(':')[2]}": as_printed(strata)}
            cases.append(UciCase(one, classifier, readings))
    return cases


def _by_classifier(
    results: pd.DataFrame, name: str, drawing: Drawing, keys: Sequence[str]
) -> dict[str, dict[str, np.ndarray]]:
    """Return the estimates of each classifier of a cell, by the estimator's name."""
    own = results[(results["set"] == name) & (results["drawing"] == drawing)]
    found: dict[str, dict[str, np.ndarray]] = {}
    for column in own.columns:
        place, slash, estimator = str(column).partition("/")
        if slash and int(place) < len(keys):
            found.setdefault(keys[int(place)], {})[estimator] = own[column].to_numpy(dtype=float)
    return found
