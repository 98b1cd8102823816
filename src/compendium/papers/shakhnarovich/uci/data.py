"""Section 8's data sets as the paper takes them, and the small samples that are drawn of them.

Breast cancer loses its Id and its incomplete rows and counts as integer; vehicle counts as continuous, although all its
values are whole numbers; Pima mixes both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

import numpy as np

from compendium.papers.parameters import Parameters, parameter
from compendium.papers.validation import model_validator
from errorest.counting import count_each
from errorest.data.sample import Kind, Sample
from errorest.data.sets import load
from errorest.errors import unknown

# The data sets of the paper: cases in a sample, and trials (Table 3)
PUBLISHED: Mapping[str, tuple[int, int]] = {"breast-cancer": (36, 150), "vehicle": (100, 100), "pima": (60, 150)}

Drawing = Literal["uniform", "stratified"]
# Samples of all cases alike, as the paper says, and with the classes in the proportions of the whole
DRAWINGS: tuple[Drawing, ...] = get_args(Drawing)

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


@lru_cache(maxsize=8)
def uci_set(name: str) -> Sample:
    """Load a data set as the paper takes it."""
    if name not in PUBLISHED:
        raise unknown("data set", name, PUBLISHED)
    whole = load(name)
    selected = [j for j, a in enumerate(whole.attributes) if a.name != "Id"]
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
    shuffled = rng.permutation(y.shape[0])
    if drawing == "uniform":
        return shuffled[:n], shuffled[n:]
    # classes in the proportions of the data set, by the largest remainders
    counts = count_each(y)
    exact = n * counts / counts.sum()
    wanted = np.floor(exact).astype(np.int64)
    wanted[np.argsort(wanted - exact, kind="stable")[: n - int(wanted.sum())]] += 1
    chosen = np.zeros(y.shape[0], dtype=np.bool_)
    for label, number in enumerate(wanted):
        chosen[np.nonzero(y[shuffled] == label)[0][:number]] = True
    return shuffled[chosen], shuffled[~chosen]
