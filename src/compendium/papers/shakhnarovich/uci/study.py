"""Section 8's study: a small sample of one of three data sets, all estimates of it, its error on all other cases."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.results import Run
from compendium.methods.learners.svm import SVM
from compendium.papers.import_paths import separate_studies
from compendium.papers.parameters import Trials, parameter
from compendium.papers.shakhnarovich.cases import (
    STRATIFIED,
    Case,
    as_printed,
    case_of,
    reading_of,
    to_zero,
    zero_reading,
)
from compendium.papers.shakhnarovich.methods import ESTIMATORS, classifier_named, experiment_on, own_files, spelled
from compendium.papers.shakhnarovich.uci.data import (
    DRAWINGS,
    PUBLISHED,
    Drawing,
    SetsParameters,
    UciSet,
    draw_cases,
    sets_of,
    uci_set,
)
from compendium.papers.validation import field_validator, model_validator
from compendium.studies.experiment import Experiment, wide
from compendium.studies.replicates import Cell, each_replicate
from compendium.studies.sources import PartOfData
from compendium.studies.study import Study
from errorest.data.sample import Sample

_CLASSIFIERS = [
    "breast-cancer/knn(k=1)",
    "breast-cancer/knn(k=3)",
    "breast-cancer/svm-linear@c=0.01",
    "breast-cancer/svm-rbf@gamma=0.03,c=10",
    "vehicle/knn(k=1)",
    "vehicle/svm-rbf@standardised,gamma=0.12,c=1",
    "pima/knn(k=17)",
    "pima/svm-rbf@gamma=0.0001,c=10",
]


class UciParameters(SetsParameters, notebook="shakhnarovich/04-uci"):
    """Parameters of section 8's simulation."""

    trials: Trials = parameter([t for _, t in PUBLISHED.values()], min_length=3, max_length=3, preview=[6, 4, 6])
    classifiers: list[str] = parameter(_CLASSIFIERS, min_length=1)
    stratified: list[str] = parameter(["pima/knn(k=17)"])
    bootstrap_samples: int = parameter(100, ge=2, preview=5)
    level: float = parameter(0.1, gt=0, lt=0.5)
    strict_level: float = parameter(0.05, gt=0, lt=0.5)

    @field_validator("classifiers")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        seen, made = set(), []
        for text in value:
            name, _, classifier = text.partition("/")
            if name not in PUBLISHED:
                raise ValueError(f"case '{text}' has the data set '{name}'; expected one of {', '.join(PUBLISHED)}")
            case = f"{name}/{classifier_named(classifier).row}"
            if case in seen:
                raise ValueError(f"case {case} is named twice; expected each once; leave one out")
            seen.add(case)
            made.append(f"{name}/{spelled(classifier)}")
        missing = [name for name in PUBLISHED if not any(text.startswith(f"{name}/") for text in value)]
        if missing:
            raise ValueError(
                f"no classifier is named for {missing[0]}; expected at least one; add {missing[0]}/knn(k=1)"
            )
        return made

    @field_validator("stratified")
    @classmethod
    def _spelled(cls, value: list[str]) -> list[str]:
        return [f"{name}/{spelled(classifier)}" for name, _, classifier in (text.partition("/") for text in value)]

    @model_validator(mode="after")
    def _consistent(self) -> UciParameters:
        for text in self.stratified:
            if text not in self.classifiers:
                raise ValueError(
                    f"stratified case '{text}' is none of the cases; expected one of {', '.join(self.classifiers)}"
                )
        return self

    def inputs(self) -> dict[str, str]:
        """Return the digests of the data sets and of the files of classifiers at import paths."""
        return super().inputs() | own_files(text.partition("/")[2] for text in self.classifiers)

    def keys_of(self, name: str, drawing: Drawing) -> list[str]:
        """Return the classifiers of a data set whose samples are drawn in a way, with their settings."""
        chosen = self.classifiers if drawing == "uniform" else [c for c in self.classifiers if c in self.stratified]
        return [classifier for place, classifier in (text.split("/", 1) for text in chosen) if place == name]


def design(cell: Cell) -> Experiment:
    """Draw samples of one data set; clones keep within the least and greatest values of the whole set."""
    whole = uci_set(cell["set"])
    bounds = tuple(zip(whole.X.min(axis=0).tolist(), whole.X.max(axis=0).tolist(), strict=True))
    return experiment_on(PartOfData(whole, cell["n"], partial(_divide, cell["drawing"])), cell, bounds)


def _divide(drawing: Drawing, whole: Sample, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return draw_cases(whole.y, n, drawing, rng)


def uci_study(p: UciParameters) -> Study:
    """Make the study of section 8, a cell a data set and way of drawing.

    The classifiers of a cell see the same samples, resamples and clones.
    """
    cells = [
        _cell(one, drawing, keys, ESTIMATORS, p.bootstrap_samples)
        for drawing in DRAWINGS
        for one in sets_of(p)
        if (keys := p.keys_of(one.name, drawing))
    ]
    return _study("shakhnarovich-uci", cells, p, ("set", "n", "drawing"), chunk=2, cost=_cost)


def header_study(p: UciParameters, name: str, classifiers: Sequence[str]) -> Study:
    """Make the study that tells which of some classifiers stands under a header."""
    cells = [_cell(one, "uniform", classifiers, ["resubstitution"], 1) for one in sets_of(p) if one.name == name]
    return _study("shakhnarovich-headers", cells, p, ("set", "n"), chunk=25)


def _cell(
    one: UciSet, drawing: Drawing, classifiers: Sequence[str], estimators: Sequence[str], replicates: int
) -> Cell:
    asked = {"classifiers": classifiers, "estimators": estimators, "bootstrap_samples": replicates}
    return {"set": one.name, "n": one.n, "drawing": drawing, **asked}


def _study(id: str, cells: list[Cell], p: UciParameters, seed_keys: Sequence[str], **settings: Any) -> Study:
    trials = dict(zip(PUBLISHED, p.trials, strict=True))
    counts = [trials[cell["set"]] for cell in cells]
    data = {cell["set"]: uci_set(cell["set"]).digest() for cell in cells}
    data |= own_files(text for cell in cells for text in cell["classifiers"])
    return Study(id, cells, counts, each_replicate(design), seed=p.seed, seed_keys=seed_keys, data=data, **settings)


def _cost(cell: Cell) -> float:
    """Milliseconds, roughly, of one trial."""
    n, classes = cell["n"], uci_set(cell["set"]).n_classes
    machines = sum(isinstance(classifier_named(text).inducer, SVM) for text in cell["classifiers"])
    others = len(cell["classifiers"]) - machines
    fits = 5.0 * n * cell["bootstrap_samples"]
    return fits * (others * n / 4000 + machines * classes * (classes - 1) / 2 * n / 1500)


def cases_of(p: UciParameters, run: Run) -> list[Case]:
    """Return all cases; where samples are also drawn class by class, a case comes again under another reading."""
    frames: dict[str, pd.DataFrame] = {}
    for some in separate_studies(p.classifiers, lambda text: classifier_named(text.split("/", 1)[1]).reading == "own"):
        results = run(uci_study(p.model_copy(update={"classifiers": some})))
        frames |= {text: wide(results, text.split("/", 1)[1]) for text in some}
    readings: dict[Drawing, str] = {"uniform": "", "stratified": STRATIFIED}
    return [
        case_of(frames[f"{name}/{key}"], classifier_named(key), name, reading, set=name, drawing=drawing)
        for name in PUBLISHED
        for key in p.keys_of(name, "uniform")
        for drawing, reading in readings.items()
        if key in p.keys_of(name, drawing)
    ]


def by_reading(cases: Sequence[Case]) -> dict[str, list[Case]]:
    """Return cases in each reading of the whole: the first, with R of the .632+ set to 0, and all rows as printed."""
    first = reading_of(cases)
    return {
        first: list(cases),
        zero_reading(first): [to_zero(case) for case in cases],
        "fitted:rows-as-printed": [as_printed(case) for case in cases],
    }
