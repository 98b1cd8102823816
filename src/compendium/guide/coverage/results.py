"""How often each interval contained the true error, and how wide it was, cell by cell and on average.

Two targets: the error of the classifier made of the sample, and the mean error of the procedure, which is the mean of
the former over all samples of a cell.  Coverages and widths are proportions here, percent and points in the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
import pandas as pd
from scipy.special import ndtri

from compendium.evidence.estimate import Estimate
from compendium.evidence.results import Row, Run
from compendium.guide.coverage.methods import METHODS
from compendium.guide.coverage.parameters import (
    Cell,
    CoverageParameters,
    laid_out,
    learners_laid_out,
    small_errors_laid_out,
    worlds_laid_out,
)
from compendium.guide.coverage.study import coverage_studies
from compendium.guide.intervals import contains, remembered
from compendium.guide.names import TARGETS
from compendium.studies.experiment import TRUE_ERROR
from errorest.estimation.intervals.method import NO_WIDTH
from errorest.estimation.proportions import wilson_interval

FIRST, PROCEDURE = TARGETS
"""The error of this classifier, and the mean error of the procedure."""

PANELS = {target: named.title for target, named in TARGETS.items()}

CELL = ["population", "inducer", "n", "method"]


@dataclass(frozen=True)
class Coverage:
    """What the study yields: a row a sample and interval, and a row a cell and interval."""

    samples: pd.DataFrame
    """Columns of :data:`CELL`, ``replicate``, and one a target: whether the interval contains it."""
    cells: pd.DataFrame
    """Columns of :data:`CELL`, coverage of each target, width, and shares without width or undefined."""

    def where(self, wanted: Callable[[pd.DataFrame], np.ndarray | pd.Series]) -> Coverage:
        """Take some rows of both tables."""
        return Coverage(*(frame[wanted(frame)] for frame in (self.samples, self.cells)))

    def at_every_size(self, sizes: Sequence[int]) -> Coverage:
        """Take the populations and inducers that were run at all of some sizes, so that these can be compared."""
        counts = self.cells[self.cells["n"].isin(sizes)].groupby(["population", "inducer"])["n"].nunique()
        pairs = list(counts.index[counts == len(sizes)])
        result = self.where(lambda frame: frame["n"].isin(sizes))
        return result.where(lambda frame: pd.MultiIndex.from_frame(frame[["population", "inducer"]]).isin(pairs))

    @cached_property
    def methods(self) -> list[str]:
        """Intervals that were made at some size, in the order of :data:`METHODS`."""
        return made_of(self.cells["method"])

    @cached_property
    def means(self) -> pd.DataFrame:
        """Mean over the cells and the worst of them: a row a target, interval and size.

        Inducers see the same samples of a population and size, so that what they contain is added up sample by
        sample before the variance is taken.
        """
        keys, parts = ["method", "n"], []
        for target in TARGETS:
            sums = self.samples.groupby([*keys, "population", "replicate"])[target].sum()
            by_population = sums.groupby([*keys, "population"]).agg(["var", "size"])
            variance = (by_population["var"] / by_population["size"]).groupby(keys).sum()
            groups = self.cells.groupby(keys)
            part = groups.agg(coverage=(target, "mean"), cells=(target, "size"), samples=("samples", "sum"))
            worst = self.cells.loc[groups[target].idxmin()].set_index(keys)
            part["se"] = np.sqrt(variance) / part["cells"]
            part["worst"], part["worst_samples"] = worst[target], worst["samples"]
            part[["worst_population", "worst_inducer"]] = worst[["population", "inducer"]]
            parts.append(part.reset_index().assign(target=target))
        table = pd.concat(parts, ignore_index=True)
        return table.iloc[_order(table)].reset_index(drop=True)

    @cached_property
    def widths(self) -> pd.DataFrame:
        """Mean width over the cells, and as a multiple of the binomial width: a row an interval and size."""
        known = self.cells[self.cells["width"].notna()]
        groups = known.groupby(["method", "n"])
        table = groups.agg(width=("width", "mean"), binomial=("binomial", "mean"), cells=("width", "size"))
        # inducers share samples: their errors are added up as if they moved together, which is the most they can
        errors = known.groupby(["method", "n", "population"])["width_se"].sum() ** 2
        table["se"] = np.sqrt(errors.groupby(["method", "n"]).sum()) / table["cells"]
        table["samples"] = groups["samples"].sum()
        table["multiple"], table["multiple_se"] = (table[c] / table["binomial"] for c in ("width", "se"))
        table = table.reset_index()
        return table.iloc[_order(table)].reset_index(drop=True)

    def mean(self, method: str, target: str, n: int) -> Estimate:
        """Return the mean coverage of an interval at a size, percent; NaN where it was not made."""
        own = self.means
        own = own[(own["method"] == method) & (own["target"] == target) & (own["n"] == n)]
        if not len(own):
            return Estimate(float("nan"), float("nan"), 0)
        row = own.iloc[0]
        return Estimate(float(row["coverage"]), float(row["se"]), int(row["samples"])) * 100


def _order(table: pd.DataFrame) -> np.ndarray:
    """Order rows by target, interval and size."""
    place = {m: k for k, m in enumerate(METHODS)}
    targets = table["target"] if "target" in table else pd.Series("", table.index)
    return np.lexsort((table["n"], table["method"].map(place), targets.map({t: k for k, t in enumerate(TARGETS)})))


def made_of(methods: pd.Series) -> list[str]:
    """Return the intervals of a column, in the order of :data:`METHODS`."""
    made = set(methods)
    return [m for m in METHODS if m in made]


def covered(p: CoverageParameters, run: Run) -> Coverage:
    """Run the studies and compare each interval with both targets."""
    return _covered("coverage", p, laid_out(p)[0], p.repetitions, run)


def covered_of_small_errors(p: CoverageParameters, run: Run) -> Coverage | None:
    """Do so where few cases are misclassified; None where no inducer is run there."""
    cells, _ = small_errors_laid_out(p)
    return _covered("coverage of small errors", p, cells, p.repetitions, run) if cells else None


def covered_elsewhere(p: CoverageParameters, run: Run) -> Coverage | None:
    """Do so on the populations of other kinds; None where none was named."""
    cells = worlds_laid_out(p)
    return _covered("coverage elsewhere", p, cells, p.world_samples, run) if cells else None


def covered_of_learners(p: CoverageParameters, run: Run) -> Coverage | None:
    """Do so with scikit-learn's learners; None where none was named, or no population."""
    cells = learners_laid_out(p)
    return _covered("coverage of learners", p, cells, p.learner_samples, run) if cells else None


def _covered(name: str, p: CoverageParameters, cells: Sequence[Cell], samples: int, run: Run) -> Coverage:
    studies = coverage_studies(p, cells, samples)
    tables = [run(study) for _, study in studies]

    def make() -> Coverage:
        parts = [_compared(p, own, table, samples) for (own, _), table in zip(studies, tables, strict=True)]
        return Coverage(*(pd.concat(frames, ignore_index=True) for frames in zip(*parts, strict=True)))

    return remembered(name, tables, make)


def _compared(
    p: CoverageParameters, cells: Sequence[Cell], table: pd.DataFrame, repetitions: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Compare the intervals of a study with both targets: the samples, and the cells."""
    of_truth = table["quantity"] == TRUE_ERROR
    keys = ["cell", "inducer"]
    truth = table.loc[of_truth].set_index([*keys, "replicate"])["value"].rename("error")
    lines = table.loc[~of_truth, ["population", *keys, "n", "replicate", "quantity", "low", "high"]].rename(
        columns={"quantity": "method"}
    )
    lines = lines.astype({"method": str, "inducer": str, "population": str}).join(truth, on=[*keys, "replicate"])
    mean = truth.groupby(keys).mean().rename("error")
    low, high = lines["low"].to_numpy(), lines["high"].to_numpy()
    lines[FIRST] = contains(low, high, lines["error"].to_numpy())
    lines[PROCEDURE] = contains(low, high, lines[keys].join(mean, on=keys)["error"].to_numpy())
    lines["width"] = np.clip(high, 0, 1) - np.clip(low, 0, 1)
    lines["no_width"] = high - low <= NO_WIDTH
    lines["undefined"] = np.isnan(low) | np.isnan(high)
    groups = lines.groupby(["cell", *CELL], sort=False)
    result = groups[[FIRST, PROCEDURE, "width", "no_width", "undefined"]].mean()
    result["width_se"] = groups["width"].std() / np.sqrt(groups["width"].count())
    result["samples"] = groups.size()
    result = result.reset_index().join(mean, on=keys)
    interval = {(c.n, name): text for c in cells for name, text in c.methods.items()}
    result["interval"] = [interval[place] for place in zip(result["n"], result["method"], strict=True)]
    # Wald's interval for n independent tests of a classifier of the same error
    variance = np.maximum(result["error"] * (1 - result["error"]), 0.0) / result["n"]
    result["binomial"] = 2 * float(ndtri((1 + p.confidence) / 2)) * np.sqrt(variance)
    for target in TARGETS:
        hits = (result[target] * repetitions).round().astype(int)
        result[f"{target}_low"], result[f"{target}_high"] = wilson_interval(hits.to_numpy(), repetitions, 0.95)
    order = {(c.population, c.inducer, c.n): place for place, c in enumerate(cells)}
    place = [order[own] for own in zip(result["population"], result["inducer"], result["n"], strict=True)]
    result = result.iloc[np.argsort(place, kind="stable")].reset_index(drop=True)
    return lines[[*CELL, "replicate", *TARGETS]], result.drop(columns="cell")


def share(value: float, samples: int) -> Estimate:
    """Give a share of independent samples its binomial error."""
    return Estimate(value, sqrt(value * (1 - value) / samples), samples)


def by_size(row: str, n: int, m: Estimate) -> Row:
    """Make the row of a number at a sample size."""
    return Row.of("literal", row, f"{n}-cases", m)


def rows_by_size(name: str, table: pd.DataFrame, value: str, se: str, factor: float = 100) -> Iterator[Row]:
    """Make a row of each line of a table of intervals and sizes."""
    for r in table.to_dict("records"):
        yield by_size(f"{name}/{r['method']}", r["n"], Estimate(r[value], r[se], int(r["samples"])) * factor)
