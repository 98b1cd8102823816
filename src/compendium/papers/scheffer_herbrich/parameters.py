"""Parameters of the three notebooks on Scheffer & Herbrich (1997)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from compendium.papers.parameters import Counts, Parameters, Proportions, parameter, unique
from compendium.papers.validation import field_validator
from errorest.data import sets as datasets


class CalculationParameters(Parameters, notebook="scheffer-herbrich/01-calculations"):
    """Parameters of the examples of sections 2.4, 3.1 and 4.1."""

    seed: int = parameter(1997, ge=0)
    experiments: int = parameter(4000, ge=100, preview=1000, replication=True)

    def inputs(self) -> dict[str, str]:
        """Return the digests of the examples' data sets."""
        return {name: datasets.digest(name) for name in ("land-sat-train", "land-sat-test", "dna", "pima", "heart")}


class Design(NamedTuple):
    """Section 4.1's design on a data set: folds, extra hits over all folds, and the paper's c."""

    folds: int
    extra: int
    c: int


# The data sets on which section 4's independence is tested
SECTION_4 = {"pima": Design(12, 6, 7), "heart": Design(9, 6, 9)}


class MeasuredParameters(Parameters, notebook="scheffer-herbrich/02-measured"):
    """Parameters of what is measured on real data."""

    seed: int = parameter(1997, ge=0)
    divisions: int = parameter(20, ge=3, preview=4, replication=True)
    experiments: int = parameter(2000, ge=100, preview=300, replication=True)
    told: list[int] = parameter([1, 2, 4, 7, 9, 12], min_length=1)
    data: list[Literal["pima", "heart", "vehicle"]] = parameter(["pima", "heart", "vehicle"], min_length=1)
    inducers: list[Literal["k-nn", "tree", "svm"]] = parameter(["k-nn", "tree", "svm"], min_length=1)
    cases: int = parameter(100, ge=80, le=200)
    held_out: int = parameter(300, ge=50)
    folds: int = parameter(5, ge=3, le=10)
    inner_folds: int = parameter(5, ge=3, le=10)
    samples: int = parameter(24, ge=3, preview=3, replication=True)

    _unique = field_validator("told", "data", "inducers")(unique)

    @field_validator("told")
    @classmethod
    def _within_a_fold(cls, value: list[int]) -> list[int]:
        most = min(datasets.load(name).n // design.folds for name, design in SECTION_4.items())
        if min(value) < 0 or max(value) > most:
            raise ValueError(f"told is {value}; expected numbers of labels from 0 to {most}, the cases of a fold")
        return value

    def inputs(self) -> dict[str, str]:
        """Return the digests of the data sets."""
        return {name: datasets.digest(name) for name in sorted({*self.data, *SECTION_4})}


class CalculatorParameters(Parameters, notebook="scheffer-herbrich/03-calculator"):
    """Parameters of the calculator's examples."""

    seed: int = parameter(1997, ge=0)
    accuracy: float = parameter(0.85, gt=0.0, lt=1.0)
    classes: int = parameter(2, ge=2)
    sizes: Counts = parameter([100, 1000, 10000], min_length=1)
    trials: Counts = parameter([1, 3, 10, 30, 100, 300, 1000], min_length=2)
    gains: Proportions = parameter([0.01, 0.02, 0.05], min_length=1)
    risk: float = parameter(0.05, gt=0.0, lt=1.0)
    map_gain: float = parameter(0.01, gt=0.0, lt=1.0)
    map_steps: int = parameter(200, ge=20, le=400, preview=60)
