"""What Figures 1 to 3 and 6 and 7 are made of: parameters of kernels, densities and clones."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, model_validator

from compendium.papers.parameters import Parameters, parameter
from compendium.papers.shakhnarovich.uci.experiment import uci_set

__all__ = ["GAMMAS", "ClonesParameters"]

GAMMAS = {"gamma(4,1)": (4.0, 1.0), "gamma(1.1,2)": (1.1, 2.0)}
"""The distributions of Figure 2: shape and scale."""


def _increasing(values: list[float]) -> list[float]:
    if len(values) != 2 or not -1 < values[0] < 0 < values[1] <= 1:
        raise ValueError(
            f"{values} are no bounds around 0; expected two numbers, one above -1 and below 0, the other above 0 and "
            "at most 1; mend them"
        )
    return values


def _distinct_integers(values: list[int]) -> list[int]:
    if len(set(values)) < len(values):
        raise ValueError(f"{values} repeats a value; expected distinct whole numbers; leave one out")
    return values


def _pairs(values: list[list[int]]) -> list[list[int]]:
    for pair in values:
        if len(pair) != 2 or min(pair) < 1:
            raise ValueError(f"{pair} is no pair of attributes; expected two numbers from 1; mend the pair")
    return values


Bounds = Annotated[list[float], AfterValidator(_increasing)]
Pairs = Annotated[list[list[int]], AfterValidator(_pairs)]


class ClonesParameters(Parameters, notebook="shakhnarovich/03-kernels-and-clones"):
    """Parameters of Figures 1, 2, 3, 6 and 7."""

    seed: int = parameter(2001, "seed of every random stream", ge=0)
    bounds: Bounds = parameter([-0.3, 1.0], "Figure 1: where the density lives, in bandwidths from the case")
    second_bounds: Bounds = parameter([-0.5, 1.0], "Figure 1: the same in the second dimension")
    draws: int = parameter(
        1_000_000, "random numbers drawn to test kernels and Algorithm 2", ge=1000, preview=100_000, replication=True
    )
    gamma_cases: int = parameter(1000, "Figure 2: cases in a sample", ge=10)
    gamma_samples: int = parameter(1, "Figure 2: samples whose mean improvement is reported", ge=1, replication=True)
    spread_samples: int = parameter(
        100, "Figure 2: samples behind the spread and the enlarged run", ge=10, preview=10, replication=True
    )
    values: Annotated[list[int], AfterValidator(_distinct_integers)] = parameter(
        [0, 2, 3, 4, 10], "Figure 3: the sample of integers", min_length=2
    )
    data_set: str = parameter("pima", "Figures 6 and 7: the data set that is cloned")
    pairs: Pairs = parameter([[6, 1], [6, 3]], "Figure 6: attributes on the two axes, by number", min_length=1)
    spike: list[int] = parameter([6, 5], "Figure 7: attributes on the two axes, by number", min_length=2, max_length=2)
    resamples: int = parameter(
        200, "Figure 7: bootstrap samples and clones counted", ge=10, preview=10, replication=True
    )

    @model_validator(mode="after")
    def _attributes(self) -> ClonesParameters:
        d = uci_set(self.data_set).d
        for pair in [*self.pairs, self.spike]:
            if max(pair) > d or min(pair) < 1:
                raise ValueError(
                    f"attributes {pair} of {self.data_set} were asked for; expected numbers from 1 to {d}; mend pairs "
                    "or spike"
                )
        return self

    def enlarged(self) -> ClonesParameters | None:
        """Return the design with as many gamma samples as stand behind the spread."""
        if self.gamma_samples >= self.spread_samples:
            return None
        return self.model_copy(update={"gamma_samples": self.spread_samples})

    def inputs(self) -> dict[str, str]:
        """Return the digest of the data set."""
        return {self.data_set: uci_set(self.data_set).digest()}
