"""Coverage and width of the intervals of AUC and Brier score."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.monte_carlo import share
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide.names import TARGETS
from compendium.guide.scores.results import CELL, cell_means, compared, dots_by_cell, groups, mean_of_cells
from compendium.guide.scores.study import ScoresParameters
from compendium.plots.picture import Drawing
from errorest.estimation.intervals.coverage_table import Counted
from errorest.plots import in_style


@in_style
def draw_score_coverage(p: ScoresParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    cells = made.largest[1].data["cells"]
    own = cells[cells["method"] == "AUC"]
    both = pd.concat([own.assign(target=t, percent=own[t]) for t in TARGETS])
    panels = {t: named.title for t, named in TARGETS.items()}
    picture = dots_by_cell(p, both, panels, "target", "percent", x="coverage (%)", y="positive cases")
    picture.guide(x=100 * p.confidence, linestyle="--")
    return picture.done(columns=4, nominal=f"{100 * p.confidence:g}")


@artifact("guide-scores-coverage", draw=draw_score_coverage, matrix=True)
def score_coverage(p: ScoresParameters, run: Run) -> ArtifactResult:
    """Coverage of the default intervals, mean over the cells and worst cell, and their width; percent and points.

    Cells with too few cases of a class for an interval are left out.
    """
    lines = compared(p, run).dropna(subset=["low"])
    rows = []
    for target in TARGETS:
        for head, column, own in groups(p, lines):
            rows.append(Row.of("literal", f"{target}/{head}", column, mean_of_cells(own, target)))
        for head, column, own in groups(p, lines):
            hits = own.groupby(CELL)[target].agg(["sum", "size"])
            worst = hits.loc[(hits["sum"] / hits["size"]).idxmin()]
            measured = share(float(worst["sum"]), int(worst["size"])) * 100
            rows.append(Row.of("literal", f"worst-cell-{target}/{head}", column, measured))
    rows += [Row.of("literal", f"width/{h}", c, mean_of_cells(own, "width")) for h, c, own in groups(p, lines)]
    return ArtifactResult(rows, {"cells": cell_means(lines), "table": _shipped(lines)})


# Scores of which the library ships what was measured, by the name of their metric
_SHIPPED = {
    "AUC": "auc",
    "macro-AUC": "macro-auc",
    "average-precision": "average-precision",
    "AUC-difference": "auc-difference",
    "error-difference": "error-difference",
    "Brier-score": "brier",
    "log-loss": "log-loss",
}

# Those that go by all cases
_OF_ALL_CASES = ("Brier-score", "log-loss", "error-difference")


def _shipped(lines: pd.DataFrame) -> pd.DataFrame:
    """Count what the library ships: samples whose interval contains a target, by cases of the rarer class.

    The Brier score, the log loss and the difference of errors go by all cases.  Groups are left out: of them the
    library says nothing.
    """
    own = lines[lines["method"].isin(list(_SHIPPED)) & (lines["population"] != "grouped")]
    counts = own.groupby(["method", "population", "inducer", "rarer", "n"], sort=False)[list(TARGETS)].sum().astype(int)
    counts["samples"] = own.groupby(counts.index.names, sort=False).size()
    # sizes with the same number of cases of the rarer class are lines of their own
    table = counts.reset_index()
    table["rarer"] = table["rarer"].where(~table["method"].isin(_OF_ALL_CASES), table["n"])
    order = {method: place for place, method in enumerate(_SHIPPED)}
    table = table.sort_values("method", key=lambda names: names.astype(str).map(order), kind="stable").drop(columns="n")
    table["method"] = table["method"].map(_SHIPPED)
    return table.set_axis([name for name in Counted._fields if name not in ("error", "unit")], axis=1)
