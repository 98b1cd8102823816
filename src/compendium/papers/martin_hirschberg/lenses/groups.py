"""What six samples can say: statistics of groups as small as the paper's, and the noise that these have.

A mean, a standard deviation or a correlation of six samples is compared as what it is.  The
spread of the statistic over many groups of six is the noise of a printed number, its mean
is what the print was an instance of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.estimate import Estimate
from compendium.evidence.regenerated import Row, rows_of
from compendium.papers.martin_hirschberg.lenses.experiment import ESTIMATORS, READINGS
from compendium.studies.experiment import wide

__all__ = ["Groups", "deviation", "groups_of", "groups_of_bias", "mean", "means_of_groups", "noise_key"]


def noise_key(noise: float) -> str:
    """Write a noise level as in the print's keys, with two decimals where these suffice."""
    return f"p={noise:.2f}" if round(noise, 2) == noise else f"p={noise:g}"


def each_group(statistic: Callable[..., float], size: int, *columns: np.ndarray) -> list[float]:
    """Return a statistic of every group of ``size`` samples."""
    starts = range(0, columns[0].shape[0] - size + 1, size)
    return [float(statistic(*(c[i : i + size] for c in columns))) for i in starts]


def over_groups(statistic: Callable[..., float], size: int, shown: int, *columns: np.ndarray) -> Estimate:
    """Measure a statistic of ``size`` samples, with the noise that such a statistic has."""
    per = np.array(each_group(statistic, size, *columns), dtype=float)
    usable, own = per[np.isfinite(per)], per[:shown][np.isfinite(per[:shown])]
    noise = deviation(usable) if usable.size > 1 else float("nan")
    if own.size == 0:
        return Estimate(float("nan"), noise, 0)
    return Estimate(float(own.mean()), noise / float(np.sqrt(own.size)), size * int(own.size))


def mean(values: np.ndarray) -> float:
    """Arithmetic mean."""
    return float(values.mean())


def deviation(values: np.ndarray) -> float:
    """Sample standard deviation (n - 1), exactly zero where all values are equal.

    The paper's is the same: three values of 1/96 among six zeros and ones print as .6, not .5.
    """
    return float(values.std(ddof=1)) if np.ptp(values) > 0 else 0.0


@dataclass(frozen=True, eq=False)
class Groups:
    """The samples of one size and noise level under one reading, in groups as large as the paper's."""

    inducer: str
    noise: float
    n: int
    table: pd.DataFrame
    size: int
    shown: int

    def __getitem__(self, column: str) -> np.ndarray:
        """Return one column in percent."""
        return 100 * self.table[column].to_numpy()

    @property
    def reading(self) -> str:
        """The name of the reading."""
        return READINGS[self.inducer]

    @property
    def key(self) -> str:
        """Noise and size as the print's keys have them."""
        return f"{noise_key(self.noise)}/N={self.n}"

    @property
    def whole(self) -> Groups:
        """The samples behind the values, without those that tell the noise only."""
        return replace(self, table=self.table.iloc[: self.size * self.shown])

    def over(self, statistic: Callable[..., float], *columns: str) -> Estimate:
        """Measure a statistic of a group, as :func:`over_groups` does."""
        return over_groups(statistic, self.size, self.shown, *(self[c] for c in columns))

    def of(self, column: str) -> Estimate:
        """Mean of a column in a group, percent."""
        return self.over(mean, column)

    def each(self, statistic: Callable[..., float], *columns: str) -> list[float]:
        """Return a statistic of every group."""
        return each_group(statistic, self.size, *(self[c] for c in columns))

    def count(self, column: str) -> Estimate:
        """Mean of a column that is no error, over all samples."""
        return accuracy.mean(self.table[column].to_numpy())

    def bias(self, estimator: str) -> Estimate:
        """Mean of estimate minus true error over all samples, points."""
        return accuracy.mean(self[estimator] - self["true-error"])

    def correlation(self, one: str, other: str = "true-error") -> Estimate:
        """Pearson's correlation over all samples."""
        return accuracy.correlation(self[one], self[other])

    def rows(self, row: str, suffix: str) -> list[Row]:
        """Make rows of a group's mean and standard deviation.

        The apparent error has no printed deviation and gets none.
        """
        columns = [(f"mean-percent{suffix}", self.of(row))]
        if row != "resubstitution":
            columns.append((f"std-percent{suffix}", self.over(deviation, row)))
        return rows_of(self.reading, row, columns)


def groups_of(results: pd.DataFrame, inducers: Sequence[str], size: int, shown: int) -> list[Groups]:
    """Condition the results of a study by reading, noise and sample size, ascending."""
    of_samples = wide(results, "")
    out = []
    for name in inducers:
        own = wide(results, name).assign(distinct=of_samples.get("distinct"))
        out += [
            Groups(name, float(str(q)), int(str(n)), part, size, shown)
            for (q, n), part in own.groupby(["noise", "n"], sort=True)
        ]
    return out


def groups_of_bias(cells: list[Groups]) -> pd.DataFrame:
    """Mean bias of each estimator in each group, points, by size."""
    frames = []
    for g in cells:
        biases = 100 * g.table[list(ESTIMATORS)].sub(g.table["true-error"], axis=0)
        means = biases.groupby(np.arange(len(biases)) // g.size).mean()
        frames.append(means.rename_axis("group").reset_index().assign(n=g.n)[["n", "group", *ESTIMATORS]])
    return pd.concat(frames, ignore_index=True)


def means_of_groups(groups: pd.DataFrame) -> pd.DataFrame:
    """Mean bias over all groups; without an error where there is but one."""
    return pd.DataFrame(
        {"n": n, "estimator": e, "bias": m.value, "se": m.se}
        for n, own in groups.groupby("n", sort=True)
        for e in ESTIMATORS
        for m in [accuracy.mean(own[e].to_numpy())]
    )
