"""Section 6's study: small samples of the five settings of Table 1, every estimator on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from compendium.evidence.claims import NotRun
from compendium.evidence.results import Run
from compendium.papers.import_paths import separate_studies
from compendium.papers.parameters import Even, Parameters, Trials, parameter, unique
from compendium.papers.shakhnarovich.cases import Case, case_of
from compendium.papers.shakhnarovich.methods import (
    NEW,
    OLD,
    TEN_FOLDS,
    classifier_named,
    experiment_on,
    own_files,
    spelled,
)
from compendium.papers.validation import field_validator, model_validator
from compendium.studies.experiment import Experiment, wide
from compendium.studies.populations import NormalClasses
from compendium.studies.replicates import Cell, each_replicate
from compendium.studies.sources import WithTestSet
from compendium.studies.study import Study
from errorest.errors import UsageError


def _shifted(half: float, d: int) -> NormalClasses:
    means = np.zeros((2, d))
    means[:, 0] = (-half, half)
    return NormalClasses(means, np.array([np.eye(d), np.eye(d)]))


def _growing(d: int) -> NormalClasses:
    j = np.arange(1, d + 1)
    means = np.array([np.zeros(d), np.sqrt(j) / 2])
    return NormalClasses(means, np.array([np.eye(d), np.diag(1 / j)]))


# The settings of Table 1: population and sample size n
SETTINGS: Mapping[int, tuple[NormalClasses, int]] = {
    1: (_shifted(1.0, 5), 14),
    2: (_shifted(0.0, 5), 14),
    3: (_shifted(0.5, 2), 20),
    4: (_shifted(0.0, 2), 20),
    5: (_growing(10), 100),
}


def population_of(setting: int) -> tuple[NormalClasses, int]:
    """Return the population and the sample size of one of the settings of Table 1."""
    if setting not in SETTINGS:
        raise UsageError(
            f"setting {setting} was asked for; expected one of {', '.join(map(str, SETTINGS))}, as Table 1 numbers "
            "them; choose another"
        )
    return SETTINGS[setting]


_TRIALS = {1: 200, 2: 200, 3: 200, 4: 200, 5: 50}


class SyntheticParameters(Parameters, notebook="shakhnarovich/01-synthetic"):
    """Parameters of the synthetic half; the defaults are the paper's."""

    seed: int = parameter(2001, ge=0)
    settings: list[int] = parameter(list(_TRIALS), min_length=1)
    trials: Trials = parameter(list(_TRIALS.values()), min_length=1, preview=[6, 6, 6, 6, 3])
    repeats: int = parameter(3, ge=1, preview=1, replication=True)
    small: int = parameter(20, ge=2)
    bootstrap_samples: int = parameter(100, ge=1, preview=20)
    validation: Even = parameter(20_000, ge=2, preview=2_000, replication=True)
    classifiers: list[str] = parameter(
        ["ldf", "knn(k=1)", "knn(k=3)", "svm-rbf@gamma=0.2", "ldf@total-covariance-41"], min_length=1
    )
    level: float = parameter(0.01, gt=0, lt=1)

    @field_validator("classifiers")
    @classmethod
    def _spelled(cls, value: list[str]) -> list[str]:
        return [spelled(text) for text in value]

    @field_validator("settings")
    @classmethod
    def _known(cls, value: list[int]) -> list[int]:
        for one in value:
            population_of(one)
        return value

    _unique = field_validator("settings", "classifiers")(unique)

    @model_validator(mode="after")
    def _trials_of_each(self) -> SyntheticParameters:
        if len(self.settings) != len(self.trials):
            raise ValueError(
                f"{len(self.settings)} settings and {len(self.trials)} numbers of trials are given; expected one "
                "number each"
            )
        return self

    def inputs(self) -> dict[str, str]:
        """Return the digests of the files of classifiers at import paths."""
        return own_files(self.classifiers)

    def enlarged(self) -> SyntheticParameters | None:
        """Return the design with ``repeats`` times the trials of small samples; large ones cost too much for that."""
        small = [population_of(setting)[1] <= self.small for setting in self.settings]
        if self.repeats == 1 or not any(small):
            return None
        trials = [number * (self.repeats if cheap else 1) for number, cheap in zip(self.trials, small, strict=True)]
        return self.model_copy(update={"trials": trials})


def design(cell: Cell) -> Experiment:
    """Draw balanced samples of a setting, and beside each a balanced validation set of its own."""
    population, n = population_of(cell["setting"])
    return experiment_on(WithTestSet(population.balanced_sample, n, cell["validation"]), cell)


def study(p: SyntheticParameters) -> Study:
    """Make the study of section 6, a cell a setting."""
    cells = [
        {
            "setting": setting,
            "classifiers": p.classifiers,
            "estimators": fitting([*OLD, *NEW], population_of(setting)[1]),
            "bootstrap_samples": p.bootstrap_samples,
            "validation": p.validation,
        }
        for setting in p.settings
    ]
    return Study(
        "shakhnarovich-synthetic",
        cells,
        p.trials,
        each_replicate(design),
        seed=p.seed,
        seed_keys=("setting",),
        data=own_files(p.classifiers),
        chunk=2,
        cost=_cost,
    )


_LEAST_FOR_TEN_FOLDS = 20


def fitting(estimators: Sequence[str], n: int) -> list[str]:
    """Leave out ten folds where a sample has fewer than 20 cases, as the paper does (appendix A.1)."""
    return [e for e in estimators if n >= _LEAST_FOR_TEN_FOLDS or e not in TEN_FOLDS]


def _cost(cell: Cell) -> float:
    """Milliseconds, roughly, of one trial."""
    n = population_of(cell["setting"])[1]
    return cell["validation"] / 2000 + cell["bootstrap_samples"] * n * (1 + (n / 25) ** 2) / 20


def cases_of(p: SyntheticParameters, run: Run) -> list[Case]:
    """Return every case in every reading; the first reading of a case is the headline."""
    frames: dict[str, pd.DataFrame] = {}
    for some in separate_studies(p.classifiers, lambda text: classifier_named(text).reading == "own"):
        results = run(study(p.model_copy(update={"classifiers": some})))
        frames |= {text: wide(results, text) for text in some}
    return [
        case_of(frames[c.key], c, str(setting), setting=setting)
        for setting in p.settings
        for c in map(classifier_named, p.classifiers)
    ]


def cases_in(p: SyntheticParameters, run: Run, setting: int) -> list[Case]:
    if setting not in p.settings:
        raise NotRun(f"setting {setting}")
    return [case for case in cases_of(p, run) if case.place == str(setting)]
