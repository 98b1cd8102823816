"""Bias of the estimates of AUC and Brier score."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide.scores.results import CELL, cell_means, compared, dots_by_cell, groups, mean_of_cells
from compendium.guide.scores.study import ScoresParameters
from compendium.plots.picture import Drawing
from errorest.plots import in_style

_METHODS = {
    "AUC": "AUC",
    "AUC-of-pooled-folds": "AUC of pooled folds",
    "Brier-score": "Brier score",
    "average-precision": "average precision",
}


@in_style
def draw_score_offsets(p: ScoresParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    cells = made.largest[1].data["cells"]
    cells = cells[cells["population"] == p.populations[0]]
    panels = {m: title for m, title in _METHODS.items() if m in set(cells["method"])}
    across = "estimate less truth (hundredths)"
    picture = dots_by_cell(p, cells, panels, "method", "offset", x=across, y="positive cases")
    picture.guide(x=0, linestyle="--")
    return picture.done(columns=4)


@artifact("guide-scores-offsets", draw=draw_score_offsets, matrix=True)
def score_offsets(p: ScoresParameters, run: Run) -> ArtifactResult:
    """Mean of estimate less truth, over the cells and in the cell where it is farthest from 0 (hundredths)."""
    lines = compared(p, run).dropna(subset=["offset"])
    rows = [Row.of("literal", head, column, mean_of_cells(own, "offset")) for head, column, own in groups(p, lines)]
    for head, column, own in groups(p, lines):
        cells = own.groupby(CELL)["offset"].agg(["mean", "std", "size"])
        far = cells.iloc[int(cells["mean"].abs().to_numpy().argmax())]
        measured = Estimate(far["mean"], far["std"] / np.sqrt(far["size"]), int(far["size"])) * 100
        rows.append(Row.of("literal", f"farthest-cell/{head}", column, measured))
    return ArtifactResult(rows, {"cells": cell_means(lines)})
