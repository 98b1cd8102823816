"""Section 8's experiment: a small sample of one of three data sets, all estimates of it, its error on all other cases.

Breast cancer loses its Id and its incomplete rows and counts as integer; vehicle counts as
continuous, although all its values are whole numbers; Pima mixes both.  A sample is drawn
from a set without replacement, and what it leaves is the test set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from pydantic import field_validator, model_validator

from compendium.methods.learners.svm import SVM
from compendium.papers.parameters import Parameters, Trials, parameter
from compendium.papers.shakhnarovich.methods import ESTIMATORS, classifier_named, experiment_on, own_files, spelled
from compendium.studies.experiment import Experiment
from compendium.studies.replicates import each_replicate
from compendium.studies.sources import PartOfData
from compendium.studies.study import Study
from errorest.data.sample import Kind, Sample
from errorest.data.sets import load
from errorest.errors import UsageError, unknown

# The data sets of the paper: cases in a sample, and trials (Table 3)
PUBLISHED: Mapping[str, tuple[int, int]] = {"breast-cancer": (36, 150), "vehicle": (100, 100), "pima": (60, 150)}

Drawing = Literal["uniform", "stratified"]
# Samples of all cases alike, as the paper says, and with the classes in the proportions of the whole
DRAWINGS: tuple[Drawing, ...] = get_args(Drawing)

_ID = "Id"
_LEAST = 20


class UciSet(NamedTuple):
    """A data set with the size of its samples."""

    name: str
    sample: Sample
    n: int


class SetsParameters(Parameters):
    """Parameters that all of section 8's experiments share."""

    seed: int = parameter(2001, ge=0)
    sizes: list[int] = parameter([n for n, _ in PUBLISHED.values()], min_length=3, max_length=3)

    @model_validator(mode="after")
    def _enough(self) -> SetsParameters:
        for name, n in zip(PUBLISHED, self.sizes, strict=True):
            most = uci_set(name).n - 1
            if not _LEAST <= n <= most:
                raise ValueError(
                    f"samples of {n} cases of {name} were asked for; expected {_LEAST} to {most}, since folds need the "
                    "one and a test set the other; choose another size"
                )
        return self

    def inputs(self) -> dict[str, str]:
        """Return the digest of each data set as it is taken, by its name."""
        return {one.name: one.sample.digest() for one in sets_of(self)}


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


@lru_cache(maxsize=8)
def uci_set(name: str) -> Sample:
    """Load a data set as the paper takes it.

    Breast cancer loses its Id and the rows with a missing value, and its attributes count as
    integer; vehicle's count as continuous.
    """
    if name not in PUBLISHED:
        raise unknown("data set", name, PUBLISHED)
    whole = load(name)
    selected = [j for j, a in enumerate(whole.attributes) if a.name != _ID]
    complete = ~np.isnan(whole.X[:, selected]).any(axis=1)
    kinds: dict[str, Kind] = {"breast-cancer": "integer", "vehicle": "continuous"}
    attributes = tuple(replace(whole.attributes[j], kind=kinds.get(name, whole.attributes[j].kind)) for j in selected)
    return Sample(
        np.ascontiguousarray(whole.X[complete][:, selected]), whole.y[complete], attributes, whole.classes, whole.name
    )


def sets_of(p: SetsParameters) -> list[UciSet]:
    """Return the data sets of a design with the sizes of their samples."""
    return [UciSet(name, uci_set(name), n) for name, n in zip(PUBLISHED, p.sizes, strict=True)]


def draw_cases(y: np.ndarray, n: int, drawing: Drawing, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw the cases of a sample without replacement, in random order, and return those left too."""
    if drawing not in DRAWINGS:
        raise UsageError(f"samples were to be drawn '{drawing}'; expected {' or '.join(DRAWINGS)}; choose one of these")
    shuffled = rng.permutation(y.shape[0])
    if drawing == "uniform":
        return shuffled[:n], shuffled[n:]
    wanted = _shares(np.bincount(y), n)
    chosen = np.zeros(y.shape[0], dtype=np.bool_)
    for c, number in enumerate(wanted):
        chosen[np.nonzero(y[shuffled] == c)[0][:number]] = True
    return shuffled[chosen], shuffled[~chosen]


def _shares(counts: np.ndarray, n: int) -> np.ndarray:
    exact = n * counts / counts.sum()
    wanted = np.floor(exact).astype(np.int64)
    for c in np.argsort(wanted - exact, kind="stable")[: n - int(wanted.sum())]:
        wanted[c] += 1
    return wanted


def design(cell: Mapping[str, Any]) -> Experiment:
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
    one = next(one for one in sets_of(p) if one.name == name)
    return _study(
        "shakhnarovich-headers", [_cell(one, "uniform", classifiers, ["resubstitution"], 1)], p, ("set", "n"), chunk=25
    )


def _cell(
    one: UciSet, drawing: Drawing, classifiers: Sequence[str], estimators: Sequence[str], replicates: int
) -> dict[str, Any]:
    results = {"set": one.name, "n": one.n, "drawing": drawing, "classifiers": classifiers, "estimators": estimators}
    return {**results, "bootstrap_samples": replicates}


def _study(id: str, cells: list[dict[str, Any]], p: UciParameters, seed_keys: Sequence[str], **settings: Any) -> Study:
    trials = dict(zip(PUBLISHED, p.trials, strict=True))
    data = {cell["set"]: uci_set(cell["set"]).digest() for cell in cells}
    data |= own_files(text for cell in cells for text in cell["classifiers"])
    counts = [trials[cell["set"]] for cell in cells]
    return Study(id, cells, counts, each_replicate(design), seed=p.seed, seed_keys=seed_keys, data=data, **settings)


def _cost(cell: Mapping[str, Any]) -> float:
    """Milliseconds, roughly, of one trial."""
    n, classes = cell["n"], uci_set(cell["set"]).n_classes
    machines = sum(isinstance(classifier_named(text).inducer, SVM) for text in cell["classifiers"])
    others = len(cell["classifiers"]) - machines
    fits = 5.0 * n * cell["bootstrap_samples"]
    return fits * (others * n / 4000 + machines * classes * (classes - 1) / 2 * n / 1500)
