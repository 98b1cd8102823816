"""How often each interval held the true error, and how wide it was, cell by cell and on average.

Two truths: the error of *this* classifier, made of the whole sample, and the mean error of the
procedure, which is the mean of the former over all samples of a cell.  Shares are proportions here
and percent in the tables.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtri

from compendium.evidence.estimate import Estimate
from compendium.evidence.results import Row, Run
from compendium.guide.coverage.experiment import METHODS, Cell
from compendium.guide.coverage.own_inducers import CoverageParameters, laid_out, tables_of
from compendium.guide.held import held
from compendium.guide.names import TARGETS
from compendium.studies.experiment import TRUE_ERROR
from errorest.estimation.intervals import score_interval
from errorest.estimation.intervals.method import NO_WIDTH

__all__ = ["FIRST", "Coverage", "Group", "Key", "by_size", "covered", "covered_in", "percent", "share"]

FIRST = next(iter(TARGETS))
"""The target under which what depends on no target stands: widths, and shares without width."""


class Key(NamedTuple):
    """What a share is of: a cell, an interval and a target."""

    population: str
    inducer: str
    n: int
    method: str
    target: str


class Group(NamedTuple):
    """A mean over cells with its standard error, and the worst of them."""

    mean: Estimate
    worst: Key
    least: float
    cells: int


@dataclass(frozen=True)
class Coverage:
    """What the study yields."""

    hits: Mapping[Key, np.ndarray]
    cells: pd.DataFrame

    def mean(self, keys: Iterable[Key]) -> Group:
        """Average the coverage of keys, each counted alike.

        Inducers see the same samples of a population and size, so that their hits are averaged
        sample by sample before the spread is taken.
        """
        wanted = list(keys)
        shares = {key: float(self.hits[key].mean()) for key in wanted}
        worst = min(shares, key=lambda key: shares[key])
        together: dict[tuple[str, int], list[np.ndarray]] = {}
        for key in wanted:
            together.setdefault((key.population, key.n), []).append(self.hits[key])
        totals = [np.sum(arrays, axis=0, dtype=float) for arrays in together.values()]
        se = sqrt(sum(float(total.var(ddof=1)) / total.shape[0] for total in totals)) / len(wanted)
        samples = sum(self.hits[key].shape[0] for key in wanted)
        return Group(Estimate(float(np.mean(list(shares.values()))), se, samples), worst, shares[worst], len(wanted))

    def keys(self, method: str, target: str, sizes: Sequence[int]) -> list[Key]:
        """Return the keys of an interval and a target at some sizes."""
        found = [place for n in set(sizes) for place in self._places.get((method, target, n), ())]
        return [key for _, key in sorted(found)]

    @cached_property
    def _places(self) -> dict[tuple[str, str, int], list[tuple[int, Key]]]:
        """The keys of an interval and a target at a size, with their places among all."""
        found: dict[tuple[str, str, int], list[tuple[int, Key]]] = {}
        for place, key in enumerate(self.hits):
            found.setdefault((key.method, key.target, key.n), []).append((place, key))
        return found

    def at(self, method: str, target: str, sizes: Sequence[int]) -> dict[int, Group]:
        """Average over all populations and inducers at each size at which anything was run."""
        keys = {n: self.keys(method, target, [n]) for n in sizes}
        return {n: self.mean(own) for n, own in keys.items() if own}

    def groups(self, sizes: Sequence[int]) -> Iterator[tuple[str, str, int, Group]]:
        """Yield target, interval, size and average of all that was run."""
        for target in TARGETS:
            for method in self.methods:
                for n, group in self.at(method, target, sizes).items():
                    yield target, method, n, group

    @cached_property
    def methods(self) -> list[str]:
        """Intervals that were made at some size, in the order of :data:`METHODS`."""
        made = {key.method for key in self.hits}
        return [m for m in METHODS if m in made]


_LAST: deque[tuple[list[pd.DataFrame], Coverage]] = deque(maxlen=2)
"""What was last made of results."""


def covered(p: CoverageParameters, run: Run) -> Coverage:
    """Run the study and hold each interval against both truths."""
    return covered_in(laid_out(p)[0], p, run, p.repetitions)


def covered_in(cells: Sequence[Cell], p: CoverageParameters, run: Run, repetitions: int) -> Coverage:
    """Run some cells with so many samples of each, and hold each interval against both truths."""
    tables = tables_of(cells, p, run, repetitions)
    # most artifacts are made of the same results
    for known, found in _LAST:
        if len(known) == len(tables) and all(one is table for one, (_, table) in zip(known, tables, strict=True)):
            return found
    _LAST.append(([table for _, table in tables], _counted(tables, p, repetitions)))
    return _LAST[-1][1]


def _counted(
    tables: Sequence[tuple[Sequence[Cell], pd.DataFrame]], p: CoverageParameters, repetitions: int
) -> Coverage:
    """Hold the intervals of all cells against the truths."""
    hits: dict[Key, np.ndarray] = {}
    table: list[dict[str, Any]] = []
    grouped = (zip(some, results.groupby("cell"), strict=True) for some, results in tables)
    for cell, (_, lines) in chain.from_iterable(grouped):
        quantity = pd.Categorical(lines["quantity"])
        code = {name: place for place, name in enumerate(quantity.categories)}
        value, lows, highs = (lines[name].to_numpy() for name in ("value", "low", "high"))
        error = value[quantity.codes == code[TRUE_ERROR]]
        for method in cell.methods:
            own = quantity.codes == code.get(method, len(code))
            low, high = lows[own], highs[own]
            shape = _shape(p, cell, low, high, float(error.mean()))
            for target in TARGETS:
                key = Key(cell.population, cell.inducer, cell.n, method, target)
                hits[key] = held(low, high, error, target)
                least, most = score_interval(int(hits[key].sum()), repetitions, 0.95)
                counted = {"coverage": float(hits[key].mean()), "low": float(least), "high": float(most)}
                table.append({**key._asdict(), "interval": cell.methods[method], **counted, **shape})
    return Coverage(hits, pd.DataFrame(table))


def _shape(p: CoverageParameters, cell: Cell, low: np.ndarray, high: np.ndarray, error: float) -> dict[str, float]:
    """Say how wide the intervals of a cell are, and how many have no width or no limits."""
    known = ~np.isnan(low) & ~np.isnan(high)
    cut = np.clip(high[known], 0, 1) - np.clip(low[known], 0, 1)
    z = float(ndtri((1 + p.confidence) / 2))
    return {
        "width": float(cut.mean()) if known.any() else float("nan"),
        "width_se": float(cut.std(ddof=1) / sqrt(cut.size)) if cut.size > 1 else float("nan"),
        "binomial": 2 * z * sqrt(max(error * (1 - error), 0.0) / cell.n),
        "degenerate": float(np.mean(known & (high - low <= NO_WIDTH))),
        "undefined": float(np.mean(~known)),
        "error": error,
        "samples": low.shape[0],
    }


def share(value: float, samples: int) -> Estimate:
    """Give a share of independent samples its binomial error."""
    return Estimate(value, sqrt(value * (1 - value) / samples), samples)


def by_size(row: str, n: int, m: Estimate) -> Row:
    """Make the row of a number at a sample size."""
    return Row.of("literal", row, f"{n}-cases", m)


_FEW = 10
"""From so few samples two standard errors of a share may be longer than the range of shares."""


def percent(value: float | Estimate) -> str:
    """Write a proportion in percent, with two standard errors where they are known."""
    if isinstance(value, Estimate) and 0 < value.n < _FEW:
        return f"{100 * value.value:.1f} % of {value.n}"
    if isinstance(value, Estimate) and value.se:
        return f"{100 * value.value:.1f} ± {200 * value.se:.1f} %"
    return f"{100 * (value.value if isinstance(value, Estimate) else value):.1f} %"
