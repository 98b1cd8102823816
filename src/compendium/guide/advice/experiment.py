"""The advice's design: the cross-examination's, the groups of cases that get advice, and how an estimator is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from pydantic import field_validator

from compendium.evidence.estimate import Estimate
from compendium.guide.cross.cases import Case, mean_ratio
from compendium.guide.cross.experiment import CLONED, CONTENDERS, CrossParameters
from compendium.papers.parameters import Counts, parameter

# Estimators that draw no clones
PLAIN = tuple(e for e in CONTENDERS if e not in CLONED)


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


class Choice(NamedTuple):
    """What a group of cases advises: an estimator with its fits and its ratio, and whose error is the least."""

    estimator: str
    fits: int
    ratio: Estimate
    least: str
    least_ratio: Estimate


def usual_fits(estimator: str, cases: Sequence[Case]) -> int:
    """Fits at the median of the group's sample sizes, an existing one."""
    return sorted(cases, key=lambda c: c.setting.n)[len(cases) // 2].fits(estimator)


def choose(cases: Sequence[Case], candidates: Sequence[str], tolerance: float, most_bias: float) -> Choice:
    """Take the estimator with the fewest fits among those whose mean error is close to the least.

    Bias that no interval shows counts against an estimator however little it varies; if all are
    biased by more than is allowed, the least biased one is taken.
    """
    covered = [e for e in candidates if all(c.has(e) for c in cases)]
    bias = {e: float(np.mean([abs(c.bias(e).value) for c in cases])) for e in covered}
    covered = [e for e in covered if bias[e] <= 100 * most_bias] or [min(covered, key=lambda e: bias[e])]
    ratios = {e: mean_ratio(cases, e) for e in covered}
    known = [e for e in covered if np.isfinite(ratios[e].value)]
    least = min(known, key=lambda e: ratios[e].value)
    close = [e for e in known if ratios[e].value <= (1 + tolerance) * ratios[least].value]
    chosen = min(close, key=lambda e: (usual_fits(e, cases), ratios[e].value))
    return Choice(chosen, usual_fits(chosen, cases), ratios[chosen], least, ratios[least])
