"""Figures of the study of scores: coverage and mean offset cell by cell, by size and share of positive cases."""

from __future__ import annotations

from typing import Any

import pandas as pd

from compendium.evidence.records import distinct
from compendium.evidence.results import ResultsByScale
from compendium.guide import marks
from compendium.guide.names import TARGETS
from compendium.guide.scores.experiment import ScoresParameters
from compendium.plots.picture import Drawing, Picture
from errorest.plots import in_style

_METHODS = {
    "AUC": "AUC",
    "AUC-of-pooled-folds": "AUC of pooled folds",
    "Brier-score": "Brier score",
    "average-precision": "average precision",
}


def _levels(cells: pd.DataFrame) -> dict[str, str]:
    """Name each size with its number of positive cases, fewest first."""
    ordered = cells.sort_values(["rarer", "n"], kind="stable")
    return {f"{n}/{m}": f"{m} of {n}" for n, m in distinct(ordered[["n", "rarer"]].itertuples(index=False, name=None))}


def _dots(
    p: ScoresParameters, cells: pd.DataFrame, panels: dict[str, str], panel: str, column: str, **labels: Any
) -> Picture:
    levels = _levels(cells)
    cells = cells.assign(place=cells["n"].astype(str) + "/" + cells["rarer"].astype(str))
    picture = Picture(
        1.4 + 0.36 * len(levels),
        panels,
        panel,
        columns=len(panels),
        letters=True,
        y_levels=levels,
        sharey=True,
        **labels,
    )
    looks = {inducer: {**marks.look(k), "alpha": 0.8} for k, inducer in enumerate(p.inducers)}
    picture.scatter(cells, column, "place", by="inducer", looks=looks, dodge=0.15, markersize=4)
    return picture


@in_style
def draw_score_coverage(p: ScoresParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the coverage of the AUC's interval, a mark a cell, a panel for each target."""
    cells = made.largest[1].data["cells"]
    own = cells[cells["method"] == "AUC"]
    both = pd.concat([own.assign(target=t, percent=own[t]) for t in TARGETS])
    panels = {t: named.title for t, named in TARGETS.items()}
    picture = _dots(p, both, panels, "target", "percent", x="coverage (%)", y="positive cases")
    picture.guide(x=100 * p.confidence, linestyle="--")
    return picture.done(columns=4, nominal=f"{100 * p.confidence:g}")


@in_style
def draw_score_offsets(p: ScoresParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the mean offset of each estimate, a mark a cell, a panel for each score."""
    cells = made.largest[1].data["cells"]
    cells = cells[cells["population"] == p.populations[0]]
    panels = {m: title for m, title in _METHODS.items() if m in set(cells["method"])}
    # one label, under the panel in the middle
    middle = {list(panels)[len(panels) // 2]: "estimate less truth (hundredths)"}
    picture = _dots(p, cells, panels, "method", "offset", x=middle, y="positive cases")
    picture.guide(x=0, linestyle="--")
    return picture.done(columns=4)
