"""Coverage and width of the intervals of AUC and Brier score, and how far their estimates are off."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import share
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.held import within
from compendium.guide.names import TARGETS
from compendium.guide.scores.experiment import Cell, ScoresParameters, scores_study
from compendium.guide.scores.figures import draw_score_coverage, draw_score_offsets
from errorest.estimation.intervals.coverage_table import Counted

_CELL = ["method", "population", "inducer", "n", "share"]
# What learners share their samples in
_SAMPLES = ["population", "n", "share"]


def compared(p: ScoresParameters, run: Run) -> pd.DataFrame:
    """Compare estimates and intervals with both targets: a row a sample and method."""
    lines = run(scores_study(p)).reset_index(drop=True)
    lines["rarer"] = [
        Cell(population, inducer, n, of, ()).rarer
        for population, inducer, n, of in zip(*(lines[c] for c in _CELL[1:]), strict=True)
    ]
    mean = lines.groupby(_CELL)["truth"].transform("mean")
    for target, truth in zip(TARGETS, (lines["truth"], mean), strict=True):
        lines[target] = within(lines["low"].to_numpy(), lines["high"].to_numpy(), truth.to_numpy()).astype(float)
    lines["offset"], lines["width"] = lines["value"] - lines["truth"], lines["high"] - lines["low"]
    return lines


def _averaged(lines: pd.DataFrame, column: str) -> Estimate:
    """Average the cells, in percent; learners share samples and are added up before the variance is taken."""
    cells = lines.groupby(_CELL)[column].mean()
    sums = lines.groupby([*_SAMPLES, "replicate"])[column].sum().groupby(_SAMPLES).agg(["var", "size"])
    return Estimate(float(cells.mean()), sqrt((sums["var"] / sums["size"]).sum()) / len(cells), len(lines)) * 100


def _grouped(p: ScoresParameters, lines: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
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


def _cells(lines: pd.DataFrame) -> pd.DataFrame:
    means = lines.groupby([*_CELL, "rarer"], sort=False)[[*TARGETS, "offset", "width"]].mean() * 100
    return means.assign(samples=lines.groupby([*_CELL, "rarer"], sort=False).size()).reset_index()


@artifact("guide-scores-coverage", draw=draw_score_coverage, matrix=True)
def score_coverage(p: ScoresParameters, run: Run) -> ArtifactResult:
    """Coverage of the default intervals, mean over the cells and worst cell, and their width; percent and points.

    Cells with too few cases of a class for an interval are left out.
    """
    lines = compared(p, run).dropna(subset=["low"])
    rows = []
    for target in TARGETS:
        for head, column, own in _grouped(p, lines):
            rows.append(Row.of("literal", f"{target}/{head}", column, _averaged(own, target)))
        for head, column, own in _grouped(p, lines):
            hits = own.groupby(_CELL)[target].agg(["sum", "size"])
            worst = hits.loc[(hits["sum"] / hits["size"]).idxmin()]
            measured = share(float(worst["sum"]), int(worst["size"])) * 100
            rows.append(Row.of("literal", f"worst-cell-{target}/{head}", column, measured))
    rows += [Row.of("literal", f"width/{h}", c, _averaged(own, "width")) for h, c, own in _grouped(p, lines)]
    return ArtifactResult(rows, {"cells": _cells(lines), "table": _shipped(lines)})


# Scores of which the library ships what was measured, by the name of their metric
_SHIPPED = {
    "AUC": "auc",
    "macro-AUC": "macro-auc",
    "average-precision": "average-precision",
    "AUC-difference": "auc-difference",
    "Brier-score": "brier",
}


def _shipped(lines: pd.DataFrame) -> pd.DataFrame:
    """Count what the library ships: samples whose interval contains a target, by cases of the rarer class.

    The Brier score goes by all cases.  Groups are left out, of which the library says nothing.
    """
    own = lines[lines["method"].isin(list(_SHIPPED)) & (lines["population"] != "grouped")]
    counts = own.groupby(["method", "population", "inducer", "rarer", "n"], sort=False)[list(TARGETS)].sum().astype(int)
    counts["samples"] = own.groupby(counts.index.names, sort=False).size()
    # sizes with the same number of cases of the rarer class are lines of their own
    table = counts.reset_index()
    table["rarer"] = table["rarer"].where(table["method"] != "Brier-score", table["n"])
    order = {method: place for place, method in enumerate(_SHIPPED)}
    table = table.sort_values("method", key=lambda names: names.astype(str).map(order), kind="stable").drop(columns="n")
    table["method"] = table["method"].map(_SHIPPED)
    return table.set_axis([name for name in Counted._fields if name != "error"], axis=1)


@artifact("guide-scores-offsets", draw=draw_score_offsets, matrix=True)
def score_offsets(p: ScoresParameters, run: Run) -> ArtifactResult:
    """Mean of estimate less truth, over the cells and in the cell where it is farthest from 0 (hundredths)."""
    lines = compared(p, run).dropna(subset=["offset"])
    rows = [Row.of("literal", head, column, _averaged(own, "offset")) for head, column, own in _grouped(p, lines)]
    for head, column, own in _grouped(p, lines):
        cells = own.groupby(_CELL)["offset"].agg(["mean", "std", "size"])
        far = cells.iloc[int(cells["mean"].abs().to_numpy().argmax())]
        measured = Estimate(far["mean"], far["std"] / np.sqrt(far["size"]), int(far["size"])) * 100
        rows.append(Row.of("literal", f"farthest-cell/{head}", column, measured))
    return ArtifactResult(rows, {"cells": _cells(lines)})
