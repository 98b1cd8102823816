"""How often each interval holds the true error, and how wide it is: parameters, cells, averages.

Two truths: the error of *this* classifier, made of the whole sample, and the mean error of the
procedure, which is the mean of the former over all samples of a cell.  Shares are proportions here
and percent in the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pydantic import field_validator, model_validator
from scipy.special import ndtri

from errorest.errors import UsageError
from errorest.estimation.intervals import score_interval
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Run
from errorest.guide.coverage.designs import METHODS, Cell, LeftOut, coverage_study, inducer_named, plan
from errorest.guide.coverage.populations import POPULATIONS, digests_of, population_named
from errorest.papers.parameters import Parameters, parameter

__all__ = [
    "RECOMMENDED",
    "TARGETS",
    "TITLES",
    "Coverage",
    "CoverageParameters",
    "Group",
    "Key",
    "covered",
    "inputs",
    "laid_out",
    "of_cases",
]

TARGETS: Mapping[str, str] = {
    "this-classifier": "the error of this classifier",
    "the-procedure": "the mean error of the procedure",
}
"""The two truths, in words."""

RECOMMENDED = ("corrected-t", "conservative-z", "nested-CV")
"""What the benchmark of Schulz-Kuempel et al. recommends."""

TITLES: Mapping[str, str] = {
    "holdout-Wald": "holdout, Wald",
    "holdout-Wilson": "holdout, Wilson",
    "holdout-Clopper-Pearson": "holdout, Clopper-P.",
    "10-fold-CV-equation-3": "10-fold, Kohavi (3)",
    "10-fold-CV-Wald": "10-fold, Wald",
    "10-fold-CV-Wald-in-folds": "10-fold, within folds",
    "LOO-equation-3": "LOO, Kohavi (3)",
    "LOO-Wald": "LOO, Wald",
    "corrected-t": "corrected t",
    "conservative-z": "conservative z",
    "nested-CV": "nested CV",
    "5x2-CV-first": "5x2 cv, first",
    "5x2-CV-mean": "5x2 cv, mean",
    "replace-one-CV": "replace-one CV",
    "out-of-bag": "out-of-bag",
    ".632+": ".632+",
    "location-shifted": "location-shifted",
    "bootstrap-case-CV": "bootstrap case CV",
    "two-stage": "two-stage",
}
"""Short names for figures and sentences."""

_NO_WIDTH = 1e-12


class CoverageParameters(Parameters):
    """Parameters of the coverage study."""

    populations: list[str] = parameter(
        ["two-normals", "normals-5d", "no-information", "lenses", "mushroom", "chess", "land-sat"],
        "populations by name; normals-2d and rand are further ones",
        min_length=1,
        preview=["two-normals", "lenses"],
    )
    inducers: list[str] = parameter(
        ["1-nn", "ldf", "naive-bayes", "c4.5", "majority"],
        "inducers by name; 3-nn is a further one",
        min_length=1,
    )
    sizes: list[int] = parameter([20, 50, 100, 500, 1000], "sample sizes", min_length=1, preview=[20, 50])
    repetitions: int = parameter(500, "samples of each population, inducer and size", ge=2, preview=10)
    confidence: float = parameter(0.95, "nominal share of intervals that hold the truth, a proportion", gt=0, lt=1)
    most_trained: int = parameter(
        36_000,
        "cost limit of one interval: its classifiers times the sample's cases; raise it to run what was left out",
        ge=100,
        preview=12_000,
    )
    large_from: int = parameter(500, "size from which only large_populations are run", ge=2)
    large_populations: list[str] = parameter(
        ["two-normals", "normals-5d", "no-information", "lenses", "mushroom", "chess"],
        "populations that are run at large sizes too",
    )
    costly_cells: bool = parameter(False, "whether the populations and inducers that cost most are run too")
    close_up: list[int] = parameter(
        [20, 100], "one or two sizes shown by population and inducer", min_length=1, preview=[20, 50]
    )
    slack: float = parameter(0.02, "how far below nominal a share may lie and still count, a proportion", ge=0, lt=0.5)

    @field_validator("populations", "large_populations", "inducers", "sizes")
    @classmethod
    def _distinct(cls, value: list[Any]) -> list[Any]:
        if len(set(value)) < len(value):
            raise ValueError(f"{value} names something twice; expected distinct entries; leave one out")
        return value

    @model_validator(mode="after")
    def _known(self) -> CoverageParameters:
        try:
            for name in (*self.populations, *self.large_populations):
                if name not in POPULATIONS:
                    population_named(name)
            for name in self.inducers:
                inducer_named(name, population_named("two-normals"))
        except UsageError as error:
            raise ValueError(str(error)) from None
        if min(self.sizes) < 10:
            raise ValueError(f"size {min(self.sizes)} is too small for ten folds; expected at least 10; use larger")
        if len(self.close_up) > 2 or not set(self.close_up) <= set(self.sizes):
            raise ValueError(
                f"close_up {self.close_up} is not one or two of the sizes {self.sizes}; expected such; mend either"
            )
        return self


def inputs(p: CoverageParameters) -> dict[str, str]:
    """Return the digest of each data set that a population is made of."""
    return digests_of(p.populations)


def laid_out(p: CoverageParameters) -> tuple[list[Cell], list[LeftOut]]:
    """Lay out the grid of a notebook's parameters.

    Raises
    ------
    UsageError
        If no combination is left to run.
    """
    cells, left_out = plan(
        p.populations,
        p.inducers,
        p.sizes,
        most_trained=p.most_trained,
        large_from=p.large_from,
        large_populations=p.large_populations,
        costly_cells=p.costly_cells,
    )
    if not any(c.methods for c in cells):
        raise UsageError(
            "no combination of population, inducer, size and interval is left to run; expected at least one; allow "
            "more with most_trained, large_from or costly_cells"
        )
    return [c for c in cells if c.methods], left_out


class Key(NamedTuple):
    """What a share is of: a cell, an interval and a target."""

    population: str
    inducer: str
    n: int
    method: str
    target: str


class Group(NamedTuple):
    """A mean over cells with its standard error, and the worst of them."""

    mean: Measured
    worst: Key
    least: float
    cells: int


@dataclass(frozen=True)
class Coverage:
    """What the study yields.

    Parameters
    ----------
    hits : mapping of Key to bool array, shape (repetitions,)
        Whether the interval of each sample holds the truth.
    cells : DataFrame
        A row a key: its parts, ``interval`` (id), ``coverage`` with Wilson's 95 % limits ``low`` and
        ``high``, ``width`` (mean, of limits cut at 0 and 1) with ``width_se``, ``binomial`` (width of Wald's
        interval of n independent tests at the mean true error), ``degenerate`` and ``undefined`` (shares),
        ``error`` (mean true error) and ``samples``.
    """

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
        variance = 0.0
        for arrays in together.values():
            total = np.sum(arrays, axis=0, dtype=float)
            variance += float(total.var(ddof=1)) / total.shape[0]
        m = Measured(
            float(np.mean(list(shares.values()))),
            sqrt(variance) / len(wanted),
            sum(self.hits[key].shape[0] for key in wanted),
        )
        return Group(m, worst, shares[worst], len(wanted))

    def keys(self, method: str, target: str, sizes: Sequence[int]) -> list[Key]:
        """Return the keys of an interval and a target at some sizes."""
        return [k for k in self.hits if k.method == method and k.target == target and k.n in sizes]

    def at(self, method: str, target: str, n: int) -> Group | None:
        """Average over all populations and inducers at one size; None where nothing was run."""
        keys = self.keys(method, target, [n])
        return self.mean(keys) if keys else None

    @property
    def methods(self) -> list[str]:
        """Intervals that were made at some size, in the order of :data:`METHODS`."""
        made = {key.method for key in self.hits}
        return [m for m in METHODS if m in made]


def covered(p: CoverageParameters, run: Run) -> Coverage:
    """Run the study and hold each interval against both truths."""
    cells, _ = laid_out(p)
    results = run(coverage_study(cells, p.repetitions, p.confidence, p.seed))
    columns = {name: results[name].to_numpy() for name in results.columns}
    z = float(ndtri((1 + p.confidence) / 2))
    hits: dict[Key, np.ndarray] = {}
    table = []
    for place, cell in enumerate(cells):
        own = slice(place * p.repetitions, (place + 1) * p.repetitions)
        error = columns["error"][own]
        mean = float(error.mean())
        binomial = 2 * z * sqrt(max(mean * (1 - mean), 0.0) / cell.n)
        for method, interval in cell.methods.items():
            low, high = columns[f"low/{method}"][own], columns[f"high/{method}"][own]
            known = ~np.isnan(low) & ~np.isnan(high)
            cut = np.clip(high[known], 0, 1) - np.clip(low[known], 0, 1)
            shape = {
                "width": float(cut.mean()) if known.any() else float("nan"),
                "width_se": float(cut.std(ddof=1) / sqrt(cut.size)) if cut.size > 1 else float("nan"),
                "binomial": binomial,
                "degenerate": float(np.mean(known & (high - low <= _NO_WIDTH))),
                "undefined": float(np.mean(~known)),
                "error": mean,
                "samples": p.repetitions,
            }
            for target, truth in (("this-classifier", error), ("the-procedure", np.full(error.shape, mean))):
                key = Key(cell.population, cell.inducer, cell.n, method, target)
                # undefined limits hold nothing: comparisons with NaN are false
                hits[key] = (low - _NO_WIDTH <= truth) & (truth <= high + _NO_WIDTH)
                limits = score_interval(int(hits[key].sum()), p.repetitions, 0.95)
                table.append(
                    {
                        **key._asdict(),
                        "interval": interval,
                        "coverage": float(hits[key].mean()),
                        "low": float(limits[0]),
                        "high": float(limits[1]),
                        **shape,
                    }
                )
    return Coverage(hits, pd.DataFrame(table))


def of_cases(n: int) -> str:
    """Name the column of a sample size.

    Examples
    --------
    >>> of_cases(20)
    '20-cases'
    """
    return f"{n}-cases"
