"""Parameters of Figures 1, 2, 3, 6 and 7, Lemma 2 and the equations."""

from __future__ import annotations

from typing import Annotated

from compendium.papers.parameters import Parameters, check_each, parameter, unique
from compendium.papers.shakhnarovich.uci.data import uci_set
from compendium.papers.validation import AfterValidator, model_validator


def _increasing(values: list[float]) -> list[float]:
    if len(values) != 2 or not -1 < values[0] < 0 < values[1] <= 1:
        raise ValueError(
            f"{values} are no bounds around 0; expected two numbers, one above -1 and below 0, the other above 0 and "
            "at most 1"
        )
    return values


Bounds = Annotated[list[float], AfterValidator(_increasing)]
Pairs = Annotated[
    list[list[int]],
    AfterValidator(unique),
    check_each(
        lambda pair: len(pair) == 2 and min(pair) >= 1, "{} is no pair of attributes; expected two numbers from 1"
    ),
]


class ClonesParameters(Parameters, notebook="shakhnarovich/03-kernels-and-clones"):
    """Parameters of sections 4 and 7."""

    seed: int = parameter(2001, ge=0)
    bounds: Bounds = parameter([-0.3, 1.0])
    second_bounds: Bounds = parameter([-0.5, 1.0])
    draws: int = parameter(1_000_000, ge=1000, preview=100_000, replication=True)
    gamma_cases: int = parameter(1000, ge=10)
    gamma_samples: int = parameter(1, ge=1, replication=True)
    spread_samples: int = parameter(100, ge=10, preview=10, replication=True)
    values: Annotated[list[int], AfterValidator(unique)] = parameter([0, 2, 3, 4, 10], min_length=2)
    data_set: str = parameter("pima")
    pairs: Pairs = parameter([[6, 1], [6, 3]], min_length=1)
    spike: list[int] = parameter([6, 5], min_length=2, max_length=2)
    resamples: int = parameter(200, ge=10, preview=10, replication=True)

    @model_validator(mode="after")
    def _attributes(self) -> ClonesParameters:
        d = uci_set(self.data_set).d
        for pair in [*self.pairs, self.spike]:
            if max(pair) > d or min(pair) < 1:
                raise ValueError(f"attributes {pair} of {self.data_set} are unknown; expected numbers from 1 to {d}")
        return self

    def inputs(self) -> dict[str, str]:
        """Return the digest of the data set."""
        return {self.data_set: uci_set(self.data_set).digest()}
