"""How many bootstrap iterations e0 needs, and by how much fewer widen its spread."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.evidence.estimate import Estimate
from compendium.evidence.records import each, matching, parts
from compendium.evidence.results import ResultsByScale
from compendium.papers.lis.study import E0, SCATTER, FieldGuideParameters
from compendium.plots.picture import Drawing, Picture
from errorest.plots import BLACK, COLOURS

EXCESS = 0.01  # Share by which too few bootstrap iterations may widen the spread of e0


def iterations_needed(samples: pd.DataFrame, replicates: int) -> Estimate:
    """Iterations from which on bootstrap noise widens e0's spread over samples by 1 % at most.

    The variance of e0 over samples is V + W/B, with W the mean variance between the iterations of one sample; B is
    W/(V (1.01^2 - 1)).  The error is the jackknife's over tenths of the samples.
    """

    def needed(part: pd.DataFrame) -> float:
        within = float(part[SCATTER].mean())
        between = float(part[E0].var(ddof=1)) - within / replicates
        return within / (between * ((1.0 + EXCESS) ** 2 - 1.0)) if between > 0 else float("inf")

    tenth = np.arange(len(samples)) % 10
    left_out = np.array([needed(samples[tenth != i]) for i in range(10)])
    se = float(np.sqrt(0.9 * np.sum((left_out - left_out.mean()) ** 2)))
    return Estimate(needed(samples), se, len(samples))


def widening(needed: pd.DataFrame, excess: float) -> pd.DataFrame:
    """Percent by which iterations widen e0's spread, from the number that widens it by ``excess``, cell by cell."""
    replicates = pd.DataFrame({"iterations": np.unique(np.geomspace(10, 1000, 120).astype(int))})
    curves = needed.drop(columns=["se", "n"]).merge(replicates, how="cross")
    ratio = curves.pop("value") / curves["iterations"]
    return curves.assign(percent=100.0 * (np.sqrt(1.0 + ratio * ((1.0 + excess) ** 2 - 1.0)) - 1.0))


def draw_iterations(p: FieldGuideParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw by how much too few bootstrap iterations widen the spread of e0, in the best and the worst cell."""
    table = results.published.data["widening"]
    names = [
        f"{r.inducer}, n = {r.size}, {100 * r.error:g} %"
        for r in each(table.rename(columns={"inherent error": "error"}))
    ]
    table = table.assign(cell=names)
    worst, *_, best = parts(table.sort_values("percent", ascending=False, kind="stable"), "cell")
    ends = {best: COLOURS[0], worst: COLOURS[1]}
    looks = {cell: {"color": "#D0D0D0", "linewidth": 0.9} for cell in names if cell not in ends} | ends
    picture = Picture(3.4, x="Bootstrap iterations, B", y="Spread of e0 widened by, %")
    picture.guide(y=1, color=BLACK, linewidth=0.9, linestyle=(0, (4, 3)))
    picture.lines(
        table,
        "iterations",
        "percent",
        by="cell",
        looks=looks,
        names=lambda cell: cell if cell in ends else "other cells",
    )
    ticks = [10, 20, 50, 100, 200, 500, 1000]
    picture.limits(xscale="log", ylim=(0, None))
    for axes in picture.axes.values():
        axes.set_xticks(ticks, [str(t) for t in ticks])
        axes.minorticks_off()
        axes.grid(axis="y")
    words = []
    for cell in (worst, best):
        curve = matching(table, cell=cell)
        few, many = np.interp([50, 200], curve["iterations"], curve["percent"])
        words.append(f"{cell}: {few:.1f} % at 50 iterations, {many:.1f} % at 200")
    return picture.done(extremes="; ".join(words))
