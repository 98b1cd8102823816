"""The samples of one inducer in one of the paper's experiments, in percent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import nan

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.estimate import Estimate
from compendium.studies.experiment import TRUE_ERROR, wide


@dataclass(frozen=True, eq=False)
class Samples:
    """The true error of one inducer's classifiers and the estimates of it, percent."""

    table: pd.DataFrame

    @classmethod
    def of_inducer(cls, table: pd.DataFrame, inducer: str) -> Samples:
        """Take the samples of one inducer out of the table of an experiment."""
        return cls(wide(table, inducer))

    @cached_property
    def cell(self) -> np.ndarray:
        """The combination that each sample is of."""
        return self.table["cell"].to_numpy()

    @property
    def n(self) -> int:
        """How many."""
        return len(self.table)

    def of(self, name: str) -> np.ndarray:
        """Return estimates, or true errors."""
        return 100 * self.table[name].to_numpy()

    @cached_property
    def true_error(self) -> np.ndarray:
        """True errors."""
        return self.of(TRUE_ERROR)

    def difference(self, name: str, other: str = TRUE_ERROR) -> np.ndarray:
        """Return estimate minus true error, or minus another estimate, points."""
        return self.of(name) - self.of(other)

    def where(self, mask: np.ndarray | pd.Series) -> Samples:
        """Take some of the samples."""
        return Samples(self.table[np.asarray(mask)])

    def at(self, **values: float) -> Samples:
        """Take those whose parameters have given values."""
        mask = np.ones(self.n, dtype=bool)
        for name, value in values.items():
            mask &= (self.table[name] == value).to_numpy()
        return self.where(mask)

    def by(self, name: str) -> Iterator[Samples]:
        """Yield the samples of each value of a column, ascending."""
        for _, part in self.table.groupby(name, sort=True):
            yield Samples(part)

    def mean(self, values: np.ndarray) -> Estimate:
        """Average values of the samples, the combinations as strata; NaN over none."""
        return accuracy.mean(values, self.cell) if self.n else Estimate(nan, nan, 0)

    def bias(self, name: str) -> Estimate:
        """Average the difference from the true error."""
        return self.mean(self.difference(name))

    def rms(self, name: str) -> Estimate:
        """Root mean square of the difference."""
        return accuracy.rms(self.difference(name), self.cell)

    def rms_gap(self, one: np.ndarray, other: np.ndarray) -> Estimate:
        """Root mean square of some differences minus that of others on the same samples, by the delta method."""
        both = sum(float(np.sqrt(np.mean(d**2))) for d in (one, other))
        return self.mean(one**2 - other**2) * (1 / both) if both else Estimate(0.0, 0.0, self.n)

    def spread(self, name: str) -> Estimate:
        """Root of the mean variance within combinations."""
        return accuracy.spread(self.of(name), self.cell)


def below_one(m: Estimate) -> Estimate:
    """Say by how many percent a ratio lies below one."""
    return Estimate(100 * (1 - m.value), 100 * m.se, m.n)


def without_each(values: np.ndarray) -> np.ndarray:
    """Standard deviation of all values but one, for each one left out."""
    n = values.size
    centred = values - values.mean()
    squares = (centred**2).sum() - centred**2 - centred**2 / (n - 1)
    # what is left of a constant column is rounding noise
    return np.asarray(np.sqrt(np.where(squares > 1e-9, squares, 0.0) / (n - 2)))
