"""Few errors: coverage by size of the mean error."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Conditions, Estimate, every
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide import marks
from compendium.guide.coverage.parameters import CoverageParameters
from compendium.guide.coverage.results import (
    PROCEDURE,
    Coverage,
    covered_of_small_errors,
    made_of,
    share,
)
from compendium.guide.names import INTERVALS
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, COLOURS, GREY

# The library's default interval of errors, and the hull that was its default before, which lacks Wilson's limits
DEFAULT, HULL = ".632+-to-Wilson", ".632+-to-out-of-bag"

# Intervals that are shown, and the mean error up to which the hull is held to fall short
SHOWN = (
    DEFAULT,
    HULL,
    ".632+",
    "10-fold-CV-equation-3",
    "10-fold-CV-Wald",
    "stratified-CV-Wilson",
    "corrected-t",
    "nested-CV",
)
FEWEST = 0.01


@plots.in_style
def draw_small_errors(p: CoverageParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the coverage of the mean error against that error, where it is small, a panel a sample size."""
    table = made.largest[1].data["means"]
    table = table.assign(percent=100 * table["coverage"], error=100 * table["error"])
    panels = {n: f"n = {n}" for n in sorted(set(table["n"]))}
    picture = Picture(
        5.6, panels, "n", letters=True, x="mean error (%, logarithmic)", y="coverage (%)", sharex=True, sharey=True
    )
    looks = {m: {**marks.look(k), "color": [*COLOURS, BLACK, GREY][k]} for k, m in enumerate(made_of(table["method"]))}
    picture.lines(table, "error", "percent", by="method", looks=looks, names=INTERVALS)
    picture.guide(y=100 * p.confidence, linestyle="--")
    for axes in picture.axes.values():
        plots.log_axis(axes, [0.2, 0.5, 1, 2, 5, 10])
    return picture.done(columns=3, nominal=f"{100 * p.confidence:g}")


@dataclass(frozen=True)
class Few:
    """Coverage of a small mean error, over the inducers, a row an interval, population and size; in percent."""

    means: pd.DataFrame
    enough: float
    """The least coverage that still counts as nominal."""

    def of(self, method: str, most: float = 1.0) -> list[Estimate]:
        """Return the coverage of an interval wherever the mean error is at most a proportion."""
        own = self.means[(self.means["method"] == method) & (self.means["error"] <= most)]
        return [_mean_of(r).named(f"{r['population']} at n = {r['n']}", "%", 1, "") for r in own.to_dict("records")]


def _mean_of(row: dict[Any, Any]) -> Estimate:
    return Estimate(row["coverage"], row["se"], int(row["samples"])) * 100


FEW = Claims("guide-coverage-small-errors")


@FEW.claim
def default(few: Few) -> Conditions:
    return every(INTERVALS[DEFAULT], [e > few.enough for e in few.of(DEFAULT)])


@FEW.claim
def hull(few: Few) -> Conditions:
    return every(INTERVALS[HULL], [e < few.enough for e in few.of(HULL, FEWEST)])


@artifact("guide-coverage-small-errors", draw=draw_small_errors, matrix=True)
def small_errors(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Coverage of the mean error where few cases are misclassified, by least error and size; then mean widths.

    Means over the inducers, and the worst of them, in percent; widths, and the mean error, in points.
    """
    measured = covered_of_small_errors(p, run)
    if measured is None:
        return ArtifactResult([])
    measured = measured.where(lambda frame: frame["method"].isin(SHOWN))
    rows, tables = [], []
    for name in p.small_errors:
        own = Coverage(*(frame[frame["population"] == name] for frame in (measured.samples, measured.cells)))
        errors = own.cells.groupby("n")["error"].mean()
        means = own.means[own.means["target"] == PROCEDURE]
        means = means.assign(population=name, error=means["n"].map(errors))
        tables.append(means)
        for r in means.to_dict("records"):
            at = f"{name}-at-{r['n']}"
            rows.append(Row.of("literal", f"mean/{at}", r["method"], _mean_of(r)))
            rows.append(Row.of("literal", f"worst/{at}", r["method"], share(r["worst"], r["worst_samples"]) * 100))
        for r in own.widths.to_dict("records"):
            width = Estimate(r["width"], r["se"], int(r["samples"])) * 100
            rows.append(Row.of("literal", f"width/{name}-at-{r['n']}", r["method"], width))
        # how exact a mean of errors is depends on what their inducers share, and is not known
        rows += [
            Row.of("literal", f"mean/{name}-at-{n}", "mean-error", Estimate(100 * e, nan, p.repetitions))
            for n, e in errors.items()
        ]
    table = pd.concat(tables, ignore_index=True)
    few = Few(table, 100 * (p.confidence - p.slack))
    checks = judge_claims(FEW, few, enough=f"{few.enough:g}", fewest=f"{100 * FEWEST:g}")
    return ArtifactResult(rows, {"cells": measured.cells, "means": table}, checks=checks)
