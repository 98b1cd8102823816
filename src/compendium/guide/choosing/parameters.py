"""Parameters of the studies of choosing, and the candidates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from compendium.methods.learners.threshold import Threshold
from compendium.papers.parameters import Parameters, SizesForTenFolds, parameter, unique
from compendium.papers.validation import field_validator
from errorest.learners import KNN
from errorest.learners.base import Inducer

# Attributes of a population that candidates are chosen in
ATTRIBUTES = 20

_RULES: tuple[Inducer, ...] = (Threshold("literal"), KNN(1), KNN(3), KNN(5), KNN(7))

# Attribute and inducer of each candidate: every inducer on every attribute, so mixed that the first few are unlike
CANDIDATES: tuple[tuple[int, Inducer], ...] = tuple(
    (c % ATTRIBUTES, _RULES[(c + c // ATTRIBUTES) % len(_RULES)]) for c in range(ATTRIBUTES * len(_RULES))
)

Population = Literal["noise", "alike", "one-good"]

# Distance of the means of the classes on each attribute, in standard deviations
POPULATIONS: Mapping[str, tuple[float, ...]] = {
    "noise": (0.0,) * ATTRIBUTES,
    "alike": (1.0,) * ATTRIBUTES,
    "one-good": (2.0, *(0.0,) * (ATTRIBUTES - 1)),
}

# Errors of the best: as it was found, corrected by the bootstrap, and by nested cross-validation
METHODS = ("minimum", "bbc", "nested")


class ChoosingParameters(Parameters, notebook="guide/05-choosing"):
    """Parameters of the studies of choosing."""

    sizes: SizesForTenFolds = parameter([20, 50, 100], min_length=1, preview=[20, 50])
    populations: list[Population] = parameter(["noise", "alike", "one-good"], min_length=1)
    candidates: list[int] = parameter([2, 5, 10, 30, 100], min_length=1, preview=[2, 10])
    samples: int = parameter(220, ge=2, preview=10, replication=True)
    draws: int = parameter(1000, ge=20, preview=100)
    distances: list[float] = parameter([0.5, 1.0, 2.0])
    permutations: int = parameter(99, ge=19, preview=19)
    tests: int = parameter(2000, ge=2, preview=10, replication=True)
    power_tests: int = parameter(600, ge=2, preview=10, replication=True)
    level: float = parameter(0.05, gt=0, lt=0.5)
    gaps: list[float] = parameter([0.1, 0.5], min_length=1)
    margin: float = parameter(0.01, gt=0, lt=0.5)
    pairs: int = parameter(400, ge=2, preview=10, replication=True)
    confidence: float = parameter(0.95, gt=0, lt=1)
    seed: int = parameter(2026, ge=0)

    _unique = field_validator("populations", "candidates", "distances", "gaps")(unique)

    @field_validator("candidates")
    @classmethod
    def _so_many(cls, value: list[int]) -> list[int]:
        if not all(2 <= one <= len(CANDIDATES) for one in value):
            raise ValueError(f"numbers of candidates are {value}; expected whole numbers from 2 to {len(CANDIDATES)}")
        return value

    @field_validator("distances", "gaps")
    @classmethod
    def _apart(cls, value: list[float]) -> list[float]:
        if not all(0 < one < 10 for one in value):
            raise ValueError(f"distances are {value}; expected numbers above 0, below 10")
        return value
