"""Predictions of learning curves against the true mean errors, and their means over cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import hypot, sqrt

import numpy as np
import pandas as pd

from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import mean
from compendium.evidence.records import parts
from compendium.evidence.results import Run
from compendium.guide.growing.parameters import GrowingParameters, cells_of, sizes_of
from compendium.guide.growing.study import curve_study, truth_study
from compendium.guide.intervals import contains, remembered
from compendium.plots.picture import Line
from errorest.plots import BLUE, ORANGE

# Points of coverage that may be missing and still not matter
TOLERANCE = 5.0

END, TWICE = "largest-measured", "twice-the-cases"

# What the library expects, and what the power laws say without drift, with their looks
KINDS: Mapping[str, Line] = {
    "expected": {"marker": "o", "color": BLUE},
    "at-their-word": {"marker": "s", "color": ORANGE},
}


def predictions(p: GrowingParameters, run: Run) -> pd.DataFrame:
    """One row per sample and predicted size: limits of the curve, the true mean error, whether the limits hold it."""
    truth, curves = run(truth_study(p)), run(curve_study(p))
    return remembered("growing", [truth, curves], lambda: _predictions(p, truth, curves))


def _predictions(p: GrowingParameters, truth: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    truths = {key: mean(own["error"].to_numpy()) for key, own in truth.groupby(["data", "inducer", "m"])}
    tables = []
    for cell, (_, lines) in zip(cells_of(p), curves.groupby("cell"), strict=True):
        end, *beyond = sizes_of(cell, p)
        for kind in KINDS:
            for m in (end, *beyond):
                own = lines[(lines["quantity"] == ("measured" if m == end else kind)) & (lines["m"] == m)]
                low, high, error = own["low"].to_numpy(), own["high"].to_numpy(), truths[cell.data, cell.inducer, m]
                place = END if m == end else TWICE if m == 2 * cell.n else f"{m}-cases"
                covered = {
                    name: contains(low, high, error.value + shift * error.se).astype(float)
                    for name, shift in (("held", 0), ("held_up", 1), ("held_down", -1))
                }
                tables.append(
                    own[["replicate", "m", "value", "low", "high"]].assign(
                        **cell._asdict(), kind=kind, place=place, truth=error.value, truth_se=error.se, **covered
                    )
                )
    return pd.concat(tables, ignore_index=True)


def groups_of(table: pd.DataFrame, p: GrowingParameters) -> Iterator[tuple[str, int, str, pd.DataFrame]]:
    """Yield the predictions by kind, cases and place, in the order of the tables."""
    places = [END, TWICE, *(f"{m}-cases" for m in sorted(p.ahead))]
    by = parts(table, "kind", "n", "place")
    yield from ((*key, by[key]) for kind in KINDS for n in p.cases for q in places if (key := (kind, n, q)) in by)


def error_of_truth(cell: pd.DataFrame) -> float:
    """Return by how much the coverage of a cell changes with one standard error of its true error."""
    return abs(float(cell["held_up"].mean() - cell["held_down"].mean())) / 2


def average(table: pd.DataFrame, column: str, truth_se: float | None = None) -> Estimate:
    """Average cells with equal weights (percent).

    Learners of a set share samples, so they are averaged sample by sample first.  The errors of their truths add up,
    since their classifiers of one training set err together; ``truth_se`` is that of a cell.
    """
    total = table.groupby(["data", "inducer"]).ngroups
    value = variance = 0.0
    for part in parts(table, "data").values():
        cells = parts(part, "inducer")
        errors = [error_of_truth(cell) if truth_se is None else truth_se for cell in cells.values()]
        shared = mean(np.mean([cell[column].to_numpy(dtype=float) for cell in cells.values()], axis=0))
        weight = len(cells) / total
        value += weight * shared.value
        variance += (weight * hypot(shared.se, float(np.mean(errors)))) ** 2
    return Estimate(value, sqrt(variance), len(table)) * 100


def place_title(place: str) -> str:
    """Name a place on the curve in words."""
    return {END: "largest measured"}.get(place, place.replace("-", " "))
