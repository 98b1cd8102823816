"""What both tables of scores are made of: estimates and intervals against the truth, means over cells, dots by cell."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Any

import pandas as pd

from compendium.evidence.estimate import Estimate
from compendium.evidence.records import distinct, parts
from compendium.evidence.results import Run
from compendium.guide import marks
from compendium.guide.intervals import contains
from compendium.guide.names import TARGETS
from compendium.guide.scores.study import GridCell, ScoresParameters, scores_study
from compendium.plots.picture import Picture

CELL = ["method", "population", "inducer", "n", "share"]

# What learners share their samples in
SAMPLES = ["population", "n", "share"]


def compared(p: ScoresParameters, run: Run) -> pd.DataFrame:
    """Compare estimates and intervals with both targets: a row a sample and method."""
    lines = run(scores_study(p)).reset_index(drop=True)
    lines["rarer"] = [
        GridCell(population, inducer, n, of, ()).rarer
        for population, inducer, n, of in zip(*(lines[c] for c in CELL[1:]), strict=True)
    ]
    mean = lines.groupby(CELL)["truth"].transform("mean")
    for target, truth in zip(TARGETS, (lines["truth"], mean), strict=True):
        lines[target] = contains(lines["low"].to_numpy(), lines["high"].to_numpy(), truth.to_numpy()).astype(float)
    lines["offset"], lines["width"] = lines["value"] - lines["truth"], lines["high"] - lines["low"]
    return lines


def mean_of_cells(lines: pd.DataFrame, column: str) -> Estimate:
    """Average the cells, in percent; learners share samples and are added up before the variance is taken."""
    cells = lines.groupby(CELL)[column].mean()
    sums = lines.groupby([*SAMPLES, "replicate"])[column].sum().groupby(SAMPLES).agg(["var", "size"])
    return Estimate(float(cells.mean()), sqrt((sums["var"] / sums["size"]).sum()) / len(cells), len(lines)) * 100


def groups(p: ScoresParameters, lines: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield the lines of each row and column: by size, by population, and all, and by the share of positive cases."""
    for method, own in parts(lines, "method").items():
        heads = {f"{method}/{n}-cases": part for n, part in parts(own.sort_values("n", kind="stable"), "n").items()}
        if len(set(own["population"])) > 1:
            heads |= {f"{method}/{name}": part for name, part in parts(own, "population").items()}
        for head, part in {**heads, f"{method}/all": own}.items():
            yield head, "all-shares", part
            if len(set(part["share"])) > 1:
                for of, some in parts(part.sort_values("share", kind="stable"), "share").items():
                    yield head, f"{100 * of:g}-percent-positive", some


def cell_means(lines: pd.DataFrame) -> pd.DataFrame:
    means = lines.groupby([*CELL, "rarer"], sort=False)[[*TARGETS, "offset", "width"]].mean() * 100
    return means.assign(samples=lines.groupby([*CELL, "rarer"], sort=False).size()).reset_index()


def size_levels(cells: pd.DataFrame) -> dict[str, str]:
    """Name each size with its number of positive cases, fewest first."""
    ordered = cells.sort_values(["rarer", "n"], kind="stable")
    return {f"{n}/{m}": f"{m} of {n}" for n, m in distinct(ordered[["n", "rarer"]].itertuples(index=False, name=None))}


def dots_by_cell(
    p: ScoresParameters, cells: pd.DataFrame, panels: dict[str, str], panel: str, column: str, **labels: Any
) -> Picture:
    levels = size_levels(cells)
    cells = cells.assign(place=cells["n"].astype(str) + "/" + cells["rarer"].astype(str))
    rows = -(-len(panels) // 2)
    picture = Picture(
        1.2 * rows + (0.2 if rows > 1 else 0.36) * rows * len(levels),
        panels,
        panel,
        columns=2,
        letters=True,
        y_levels=levels,
        sharey=True,
        **labels,
    )
    looks = {inducer: {**marks.look(k), "alpha": 0.8} for k, inducer in enumerate(p.inducers)}
    picture.scatter(
        cells, column, "place", by="inducer", looks=looks, names=marks.learner_name, dodge=0.15, markersize=4
    )
    return picture
