"""What the curves of each cell came to, held against the truth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot
from typing import NamedTuple

import numpy as np

from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import mean
from compendium.evidence.results import Run
from compendium.guide.growing.experiment import Cell, GrowingParameters, cells_of, curve_study, sizes_of, truth_study
from compendium.guide.held import within

__all__ = ["END", "KINDS", "TWICE", "Foretold", "averaged", "foretold", "places", "tested"]

END = "largest-measured"
TWICE = "twice-the-cases"

KINDS = ("expected", "at-their-word")
"""What the library expects, and what the laws say at their word."""


class Foretold(NamedTuple):
    """What the curves of one cell say of one number of training cases, a line a sample, and the truth."""

    cell: Cell
    kind: str
    place: str
    m: int
    truth: Estimate
    middle: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def held(self, shift: float = 0.0) -> np.ndarray:
        """Whether each interval holds the truth, or what lies so many of its standard errors off; 0 and 1."""
        at = self.truth.value + shift * self.truth.se
        return within(self.low, self.high, at).astype(float)

    @property
    def doubt(self) -> float:
        """How far the share that is held would move with a standard error of the truth."""
        return abs(float(self.held(1).mean() - self.held(-1).mean())) / 2


def places(p: GrowingParameters) -> list[str]:
    """List where curves are held against the truth: at their end, at twice the cases, and at the sizes ahead."""
    return [END, TWICE, *(f"{m}-cases" for m in sorted(p.ahead))]


def _place(cell: Cell, m: int, first: bool) -> str:
    return END if first else TWICE if m == 2 * cell.n else f"{m}-cases"


def foretold(p: GrowingParameters, run: Run) -> list[Foretold]:
    """Run both studies, and put what was foretold beside the truth."""
    truths = {key: mean(own["error"].to_numpy()) for key, own in run(truth_study(p)).groupby(["data", "inducer", "m"])}
    out = []
    for cell, (_, lines) in zip(cells_of(p), run(curve_study(p)).groupby("cell"), strict=True):
        end, *beyond = sizes_of(cell, p)
        for kind in KINDS:
            for at, m in enumerate([end, *beyond]):
                own = lines[(lines["quantity"] == ("measured" if at == 0 else kind)) & (lines["m"] == m)]
                values = (own[name].to_numpy() for name in ("value", "low", "high"))
                truth = truths[cell.data, cell.inducer, m]
                out.append(Foretold(cell, kind, _place(cell, m, at == 0), m, truth, *values))
    return out


def averaged(own: Sequence[Foretold], values: Iterable[np.ndarray], doubts: Iterable[float]) -> Estimate:
    """Average cells alike; inducers of a set share samples, and are averaged sample by sample first."""
    by: dict[tuple[str, int], list[tuple[np.ndarray, float]]] = {}
    for one, value, doubt in zip(own, values, doubts, strict=True):
        by.setdefault((one.cell.data, one.cell.n), []).append((value, doubt))
    total = sum(len(cells) for cells in by.values())
    variance = middle = 0.0
    for cells in by.values():
        part = mean(np.mean([v for v, _ in cells], axis=0))
        # classifiers of one training set err together, so that their doubts add up
        variance += (len(cells) / total) ** 2 * hypot(part.se, float(np.mean([d for _, d in cells]))) ** 2
        middle += len(cells) / total * part.value
    return Estimate(middle, variance**0.5, sum(v.size for cells in by.values() for v, _ in cells))


class Tested(NamedTuple):
    """What the test cases that the curves of one cell asked for told, a line a sample."""

    cell: Cell
    cases: np.ndarray
    width: np.ndarray
    held: np.ndarray


def tested(p: GrowingParameters, run: Run) -> list[Tested]:
    """Run the study of curves, and return what the test cases told."""
    out = []
    for cell, (_, lines) in zip(cells_of(p), run(curve_study(p)).groupby("cell"), strict=True):
        own, true = (lines[lines["quantity"] == name] for name in ("tested", "this-classifier"))
        low, high, aim = own["low"].to_numpy(), own["high"].to_numpy(), true["value"].to_numpy()
        held = within(low, high, aim).astype(float)
        out.append(Tested(cell, own["m"].to_numpy(dtype=float), high - low, held))
    return out
