"""The samples of an experiment with the true error and the estimates of one learner: a row a sample.

``t.at(n=24)`` takes a cell of the design, ``t.bias("loo")`` and its like give an
:class:`~compendium.evidence.estimate.Estimate` with its Monte Carlo error, labelled by estimator and cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import nan, sqrt
from typing import Any, Self

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.claims import NotRun
from compendium.evidence.estimate import Estimate
from compendium.evidence.names import Name
from compendium.evidence.results import Row
from compendium.studies.experiment import TRUE_ERROR, wide

# A statistic of a column of trials, such as `Trials.mean`
Statistic = Callable[["Trials", str], Estimate]


class Levels(tuple[Any, ...]):
    """The values of a factor of the design, ascending; one that was not run raises NotRun."""

    def __getitem__(self, place: Any) -> Any:
        try:
            return super().__getitem__(place)
        except IndexError:
            raise NotRun(f"the run has {len(self)} levels") from None


@dataclass(frozen=True, eq=False)
class Trials:
    """The samples of one learner.

    Parameters
    ----------
    frame : DataFrame
        A row a sample: the factors of the design, ``cell``, the true error and the estimates (proportions).
    reading : str
        Under which its rows stand.
    names : mapping
        Estimator -> its Name in sentences.
    factors : mapping
        Factor of the design -> how a value of it is written, such as ``"N = {}".format``.
    label : str
        The cell that was taken, in words.
    """

    frame: pd.DataFrame
    reading: str = ""
    names: Mapping[str, Name] = field(default_factory=dict)
    factors: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    label: str = ""
    _arrays: dict[str, np.ndarray] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, results: pd.DataFrame, learner: str, **how: Any) -> Self:
        """Take the samples of one learner out of the results of an experiment."""
        return cls(wide(results, learner), **how)

    @property
    def own(self) -> pd.DataFrame:
        """The samples that count: all, unless a subclass has others beside them."""
        return self.frame

    @property
    def n(self) -> int:
        """How many samples."""
        return len(self.own)

    @cached_property
    def cell(self) -> np.ndarray:
        """The cell of the design that each sample is of: the stratum of a mean; int array, shape (n,)."""
        return self.own["cell"].to_numpy()

    def __getitem__(self, column: str) -> np.ndarray:
        """Return a column in percent; float array, shape (n,)."""
        return 100 * self.proportions(column)

    def proportions(self, column: str) -> np.ndarray:
        """Return a column as it was measured; float array, shape (n,)."""
        if column not in self._arrays:
            if column not in self.frame:
                raise NotRun(f"'{column}' was not measured")
            self._arrays[column] = self.own[column].to_numpy()
        return self._arrays[column]

    @property
    def key(self) -> str:
        """The cell as the print's keys have it, where a subclass says how."""
        return self.label

    def levels(self, factor: str) -> Levels:
        """Return the values of a factor that were run, ascending."""
        return Levels(sorted(self.frame[factor].unique()))

    def level(self, factor: str) -> Any:
        """Return the value of a factor that all samples share."""
        return self.frame[factor].iloc[0]

    def where(self, mask: np.ndarray | pd.Series) -> Self:
        """Take some of the samples."""
        return replace(self, frame=self.frame[np.asarray(mask)])

    def at(self, **levels: Any) -> Self:
        """Take the samples at some levels of factors; NotRun if there are none."""
        mask = np.ones(len(self.frame), dtype=bool)
        for factor, level in levels.items():
            mask &= (self.frame[factor] == level).to_numpy()
        if not mask.any():
            raise NotRun(f"no samples at {levels}")
        return replace(self.where(mask), label=self._label(levels))

    def cells(self, *factors: str) -> list[Self]:
        """Part the samples by factors, ascending."""
        parts = self.frame.groupby(list(factors), sort=True)
        return [
            replace(self, frame=part, label=self._label(dict(zip(factors, levels, strict=True))))
            for levels, part in parts
        ]

    def _label(self, levels: Mapping[str, Any]) -> str:
        words = [self.label, *(self.factors[f](v) for f, v in levels.items() if f in self.factors)]
        return ", ".join(word for word in words if word)

    def name(self, column: str) -> str:
        """Name a column in a sentence."""
        return self.names[column].markdown if column in self.names else column

    def named(self, estimate: Estimate, *columns: str, unit: str = "") -> Estimate:
        """Label an estimate by its columns and the cell."""
        words = " and ".join(map(self.name, columns))
        return estimate.named(" at ".join(word for word in (words, self.label) if word), unit)

    def average(self, values: np.ndarray) -> Estimate:
        """Mean of values of the samples, the cells as strata; NaN over none."""
        if not self.n:
            return Estimate(nan, nan, 0)
        one = "cell" not in self.frame or bool((self.cell == self.cell[0]).all())
        return monte_carlo.mean(values, None if one else self.cell)

    def difference(self, column: str, other: str = TRUE_ERROR) -> np.ndarray:
        """Return a column minus the true error, or minus another column, in points."""
        return self[column] - self[other]

    def mean(self, column: str) -> Estimate:
        """Mean of a column, percent."""
        return self.named(self.average(self[column]), column, unit="%")

    def count(self, column: str) -> Estimate:
        """Mean of a column that is no proportion."""
        return self.named(self.average(self.own[column].to_numpy()), column)

    def bias(self, estimator: str) -> Estimate:
        """Mean of estimate minus true error, points."""
        return self.named(self.average(self.difference(estimator)), estimator, unit="points")

    def gap(self, one: str, other: str) -> Estimate:
        """Mean of one estimate minus another on the same samples, points."""
        return self._named_gap(self.average(self.difference(one, other)), one, other).named(unit="points")

    def _named_gap(self, gap: Estimate, one: str, other: str) -> Estimate:
        return self.named(gap, f"{self.name(one)} minus {self.name(other)}")

    def bias_gap(self, one: str, other: str) -> Estimate:
        """By how much the bias of one estimator is further from zero than another's on the same samples, points."""
        away = [-d if d.size and d.mean() < 0 else d for d in map(self.difference, (one, other))]
        return self.named(self.average(away[0] - away[1]), one, unit="points")

    def bias_beyond(self, other: Self, estimator: str) -> Estimate:
        """Bias of an estimator minus its bias for another learner on the same samples, points."""
        gap = self.average(self.difference(estimator) - other.difference(estimator))
        return gap.named(f"{self.name(estimator)}, {self.label} minus {other.label}", "points")

    def rms(self, estimator: str) -> Estimate:
        """Root mean square of estimate minus true error, points; its error by the delta method."""
        root = monte_carlo.rms(self.difference(estimator), self.cell)
        return self.named(root, estimator, unit="points")

    def sd(self, column: str) -> Estimate:
        """Standard deviation of a column over all samples, points; its error from the fourth moment."""
        return self.named(monte_carlo.standard_deviation(self[column]), column, unit="points")

    def sd_gap(self, one: str, other: str) -> Estimate:
        """Standard deviation of one column minus that of another on the same samples, points; jackknifed."""
        gap = monte_carlo.sd_gap(self[one], self[other])
        return self._named_gap(gap, one, other).named(unit="points")

    def spread(self, column: str) -> Estimate:
        """Root of the mean variance within cells, points; its error by the delta method."""
        return self.named(monte_carlo.spread(self[column], self.cell), column, unit="points")

    def spread_beyond(self, other: Self, column: str) -> Estimate:
        """Spread of a column within cells minus its spread for another learner on the same samples, points."""
        deviations = [np.sqrt(monte_carlo.squares_within(t[column], t.cell)) for t in (self, other)]
        label = f"{self.name(column)}, {self.label} minus {other.label}"
        return self.rms_gap(*deviations).named(label, "points")

    def corr(self, one: str, other: str = TRUE_ERROR) -> Estimate:
        """Pearson's correlation over all samples; its error by the jackknife."""
        columns = (one,) if other == TRUE_ERROR else (one, other)
        return self.named(monte_carlo.correlation(self[one], self[other]), *columns)

    def strength_gap(self, one: str, other: str) -> Estimate:
        """By how much a column is more strongly correlated with the true error than another on the same samples."""
        return self._named_gap(monte_carlo.strength_gap(self[one], self[other], self[TRUE_ERROR]), one, other)

    def rms_gap(self, one: np.ndarray, other: np.ndarray) -> Estimate:
        """Root mean square of some differences minus that of others on the same samples, by the delta method."""
        roots = [sqrt(np.mean(d**2)) for d in (one, other)]
        # what each sample adds to a root r of a mean square: d^2 / 2r
        added = [d**2 / (2 * root) if root else np.zeros(self.n) for d, root in zip((one, other), roots, strict=True)]
        return replace(self.average(added[0] - added[1]), value=roots[0] - roots[1])

    def sd_ratio(self, one: str, other: str) -> Estimate:
        """Ratio of two columns' standard deviations, averaged over the cells where both vary; jackknifed."""
        ratios = []
        for t in self.cells("cell"):
            a, b = t[one], t[other]
            if t.n < 3:
                continue
            left = [monte_carlo.without_each(column) for column in (a, b)]
            if min(sd.min() for sd in left) > 0:
                ratios.append(monte_carlo.jackknife(a.std(ddof=1) / b.std(ddof=1), left[0] / left[1]))
        return self.named(monte_carlo.average(ratios), one).named(sign="")

    def variance_ratio(self, one: str, other: str) -> Estimate:
        """Ratio of two columns' variances within cells; paired, its error by the delta method."""
        ratio = monte_carlo.variance_ratio(self[one], self[other], self.cell)
        return self.named(ratio, f"{self.name(one)} to {self.name(other)}").named(sign="")

    def rows(
        self, items: Iterable[str], columns: Mapping[str, Statistic], by: Sequence[str] = (), row: str = "{}"
    ) -> list[Row]:
        """Make rows of statistics, over cells by factors, items and columns.

        A row's or column's name may hold factors in braces (``mean-percent/N={n}``), or ``{key}`` for that of a
        subclass's cell; a statistic that is NaN has no row.
        """
        results = []
        names = list(items)
        for t in self.cells(*by) if by else [self]:
            levels = {**{factor: t.level(factor) for factor in by}, "key": t.key}
            for item, (column, statistic) in product(names, columns.items()):
                e = statistic(t, item)
                if np.isfinite(e.value):
                    results.append(Row.of(self.reading, row.format(item, **levels), column.format(**levels), e))
        return results
