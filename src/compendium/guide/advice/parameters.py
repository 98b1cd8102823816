"""Parameters of the advice: the cross-examination's, and how close to the best is close enough."""

from __future__ import annotations

from typing import NamedTuple

from compendium.guide.cross.settings import CrossParameters
from compendium.papers.parameters import Counts, parameter
from compendium.papers.validation import field_validator


class AdviceParameters(CrossParameters, notebook="guide/02-which-estimator"):
    """Parameters of the guide: the cross-examination's, and how close to the best is close enough."""

    bands: list[int] = parameter([24, 60, 100], min_length=1)
    tolerance: float = parameter(0.05, ge=0, lt=1)
    most_bias: float = parameter(0.05, gt=0, le=1)
    fewest_cases: int = parameter(5, ge=1)
    test_cases: Counts = parameter([20, 50, 100, 500, 1000, 5000], min_length=2)
    settings_tried: Counts = parameter([2, 5, 10, 30, 100, 1000], min_length=2)
    accuracy: float = parameter(0.8, gt=0, lt=1)
    gain: float = parameter(0.02, gt=0, lt=1)
    risk: float = parameter(0.05, gt=0, lt=1)

    @field_validator("bands")
    @classmethod
    def _ascending(cls, value: list[int]) -> list[int]:
        if sorted(set(value)) != value or value[0] < 2:
            raise ValueError(f"bands are {value}; expected ascending numbers of cases from 2 on")
        return value


class Band(NamedTuple):
    """A range of sample sizes: more than ``low`` cases, at most ``high``; None where it is open."""

    low: int
    high: int | None

    @property
    def title(self) -> str:
        """In words."""
        if self.high is None:
            return f"over {self.low} cases"
        return f"up to {self.high} cases" if self.low == 0 else f"{self.low + 1} to {self.high} cases"

    def holds(self, n: int) -> bool:
        """Whether a sample size lies in the range."""
        return n > self.low and (self.high is None or n <= self.high)


def bands_of(p: AdviceParameters) -> list[Band]:
    """List the ranges of sample sizes, the smallest first."""
    return [Band(a, b) for a, b in zip([0, *p.bands], [*p.bands, None], strict=True)]
