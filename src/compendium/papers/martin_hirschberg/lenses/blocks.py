"""Samples in blocks as large as the paper's six: what six samples can say, and the noise that this has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan, sqrt

import numpy as np
import pandas as pd

from compendium.evidence.estimate import Estimate
from compendium.evidence.results import Row, Run
from compendium.evidence.trials import Trials
from compendium.papers.martin_hirschberg.estimators import NAMES
from compendium.papers.martin_hirschberg.lenses.study import READINGS, LensesParameters, noise_study, sizes_study
from compendium.studies.experiment import wide
from errorest.plots import BLACK, COLOURS


@dataclass(frozen=True, eq=False)
class Blocks(Trials):
    """Samples of one reading of ID3; those of column ``shown`` are the values, all blocks tell the noise."""

    inducer: str = ""
    size: int = 1

    @cached_property
    def own(self) -> pd.DataFrame:
        """The samples behind the values."""
        return self.frame[self.frame["shown"]]

    @property
    def key(self) -> str:
        """Noise and size of a cell as the print's keys have them."""
        return f"{noise_key(self.level('noise'))}/N={self.level('n')}"

    def of_each_block(self, statistic: Callable[..., float], *columns: str) -> np.ndarray:
        """Return a statistic of every block of a cell; float array, shape (blocks,)."""
        values = [100 * self.frame[column].to_numpy() for column in columns]
        starts = range(0, len(self.frame) - self.size + 1, self.size)
        return np.array([statistic(*(v[i : i + self.size] for v in values)) for i in starts], dtype=float)

    def of_blocks(self, statistic: Callable[..., float], *columns: str) -> Estimate:
        """Mean of a statistic over the blocks shown; its error from the spread over all blocks."""
        every = self.of_each_block(statistic, *columns)
        usable, shown = every[np.isfinite(every)], every[: self.n // self.size]
        shown = shown[np.isfinite(shown)]
        noise = deviation(usable) if usable.size > 1 else nan
        if not shown.size:
            return Estimate(nan, noise, 0)
        return Estimate(float(shown.mean()), noise / sqrt(shown.size), self.size * shown.size)


def block_mean(t: Trials, column: str) -> Estimate:
    """Mean of a block of samples, percent."""
    assert isinstance(t, Blocks)
    return t.named(t.of_blocks(np.mean, column), column, unit="%")


def block_sd(t: Trials, column: str) -> Estimate:
    """Standard deviation of a block of samples, percent; the paper prints none of the apparent error."""
    assert isinstance(t, Blocks)
    return Estimate(nan, nan, 0) if column == "resubstitution" else t.of_blocks(deviation, column)


def deviation(values: np.ndarray) -> float:
    """Sample standard deviation (n - 1), exactly zero where all values are equal.

    The paper's is the same: three values of 1/96 among six zeros and ones print as .6, not .5.
    """
    return float(values.std(ddof=1)) if np.ptp(values) > 0 else 0.0


def noise_key(noise: float) -> str:
    """Write a noise level as in the print's keys, with two decimals where these suffice."""
    return f"p={noise:.2f}" if round(noise, 2) == noise else f"p={noise:g}"


def blocks_of(results: pd.DataFrame, inducers: Sequence[str], size: int, shown: int) -> list[Blocks]:
    """Part the results of a study by reading; the first ``shown`` blocks of each cell are the values."""
    distinct = wide(results, "").get("distinct")
    matches = []
    for name in inducers:
        frame = wide(results, name).assign(distinct=distinct)
        frame["shown"] = frame.groupby("cell").cumcount() < size * shown
        factors = {"n": "N = {}".format, "noise": noise_key}
        matches.append(Blocks(frame, READINGS[name], NAMES, factors, inducer=name, size=size))
    return matches


def mean_rows(readings: list[Blocks], *columns: str) -> tuple[list[Row], pd.DataFrame]:
    """Mean of each column over blocks in percent, by reading, noise and size: as rows, and as a figure's data."""
    results = [(cell, c, block_mean(cell, c)) for t in readings for cell in t.cells("noise", "n") for c in columns]
    rows = [Row.of(cell.reading, c, f"mean-percent/{cell.key}", m) for cell, c, m in results]
    frame = pd.DataFrame(
        {"reading": cell.inducer, "noise": cell.level("noise"), "n": cell.level("n")}
        | {"column": c, "value": m.value, "se": m.se}
        for cell, c, m in results
    )
    return rows, frame


def noise_colours(p: LensesParameters, spare: str = "") -> dict[float, str]:
    """Return a colour for each noise level, black instead of the one that means something else."""
    levels = sorted(p.noise_levels)
    return {q: c if (c := COLOURS[i % len(COLOURS)]) != spare else BLACK for i, q in enumerate(levels)}


def noise_label(q: float) -> str:
    return f"p = {100 * q:.10g} %"


def clean(p: LensesParameters, run: Run) -> list[Blocks]:
    """Samples without noise, by reading."""
    return blocks_of(run(sizes_study(p)), p.readings, p.samples, p.realizations)


def noisy(p: LensesParameters, run: Run) -> list[Blocks]:
    """Samples under noise, by reading."""
    return blocks_of(run(noise_study(p)), p.noise_readings, p.samples, p.noise_realizations)
