"""Parameters and cells of the study of learning curves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from compendium.papers.parameters import Parameters, parameter, unique
from compendium.papers.validation import ValidationInfo, field_validator, model_validator
from errorest.data.sample import Sample
from errorest.data.sets import digest, load
from errorest.errors import nearest
from errorest.learners import C45, KNN, LinearDiscriminant, NaiveBayes
from errorest.learners.base import Inducer

# The inducers of the study; nearest neighbours of nominal attributes go by Hamming's distance
INDUCERS: Mapping[str, Inducer] = {
    "naive-bayes": NaiveBayes(),
    "c4.5": C45(),
    "1-nn": KNN(1),
    "ldf": LinearDiscriminant(),
}

# The sets, and which inducers each can be given: those that take its attributes and are not slow on it
SETS: Mapping[str, tuple[str, ...]] = {
    "two-normals": ("naive-bayes", "c4.5", "1-nn", "ldf"),
    "mushroom": ("naive-bayes", "c4.5"),
    "chess": ("naive-bayes", "c4.5", "1-nn"),
    "land-sat": ("naive-bayes", "1-nn"),
    "wine": ("naive-bayes", "c4.5", "1-nn", "ldf"),
    "digits": ("naive-bayes", "1-nn"),
}

_FILES = {"mushroom": "mushroom", "chess": "chess", "land-sat": "land-sat-train"}

_PACKAGED = {"wine": "load_wine", "digits": "load_digits"}

FOLDS, REPEATS = 10, 20
"""Defaults of the library."""


class GrowingParameters(Parameters, notebook="guide/06-growing"):
    """Parameters of the study of learning curves."""

    sets: list[str] = parameter(list(SETS), min_length=1)
    inducers: list[str] = parameter(list(INDUCERS), min_length=1)
    cases: list[int] = parameter([25, 50], min_length=1, preview=[50])
    ahead: list[int] = parameter([200, 500, 1000], min_length=1)
    samples: int = parameter(100, ge=2, preview=10, replication=True)
    draws: int = parameter(200, ge=2, preview=20, replication=True)
    width: float = parameter(0.2, ge=0.05, le=0.5)
    confidence: float = parameter(0.95, ge=0.5, le=0.99)
    seed: int = parameter(2026, ge=0)

    _unique = field_validator("sets", "inducers", "cases", "ahead")(unique)

    @field_validator("sets", "inducers")
    @classmethod
    def _known(cls, value: list[str], info: ValidationInfo) -> list[str]:
        names, what = (SETS, "set") if info.field_name == "sets" else (INDUCERS, "inducer")
        for name in value:
            if name not in names:
                raise ValueError(f"unknown {what} '{name}'; expected one of {', '.join(names)}; {nearest(name, names)}")
        return value

    @field_validator("cases", "ahead")
    @classmethod
    def _within(cls, value: list[int], info: ValidationInfo) -> list[int]:
        least, most = (10, 50) if info.field_name == "cases" else (50, 1000)
        if not all(least <= one <= most for one in value):
            raise ValueError(f"{info.field_name} = {value}; expected numbers from {least} to {most}")
        return value

    @model_validator(mode="after")
    def _a_pair(self) -> GrowingParameters:
        if not cells_of(self):
            raise ValueError(
                f"none of the sets {', '.join(self.sets)} takes any of {', '.join(self.inducers)}; expected one that "
                "does, such as wine; add it"
            )
        return self

    def inputs(self) -> dict[str, str]:
        """Name the data sets that are read."""
        return {_FILES[name]: digest(_FILES[name]) for name in self.sets if name in _FILES}


class GridCell(NamedTuple):
    """One cell of the grid: curves of an inducer, fitted on so many cases of a set."""

    data: str
    inducer: str
    n: int


def cells_of(p: GrowingParameters) -> list[GridCell]:
    """List the cells."""
    grid = product(p.sets, p.inducers, p.cases)
    return [GridCell(data, inducer, n) for data, inducer, n in grid if inducer in SETS[data]]


def sizes_of(cell: GridCell, p: GrowingParameters) -> list[int]:
    """List the numbers of training cases at which curve and truth are compared.

    These are the largest that the curve was measured at, twice its cases, and those ahead that leave a quarter of the
    set to be tested.
    """
    whole = data_set(cell.data)
    most = max(p.ahead) if whole is None else 3 * whole.n // 4
    end = cell.n - -(-cell.n // FOLDS)
    return [end, *sorted({2 * cell.n, *(m for m in p.ahead if m <= most)})]


@lru_cache(maxsize=8)
def data_set(name: str) -> Sample | None:
    """Return a data set; None of the population that is drawn from."""
    if name in _FILES:
        return load(_FILES[name])
    if name in _PACKAGED:
        from sklearn import datasets as packaged

        read = getattr(packaged, _PACKAGED[name])()
        return Sample.from_arrays(read.data, [str(one) for one in read.target], name=name)
    return None
