"""Parts of several figures: estimators by case, and the best new against the best old one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from compendium.evidence.records import printed_values
from compendium.evidence.results import ResultsByScale
from compendium.papers.shakhnarovich.names import case_title, symbol_of
from compendium.plots.palette import PUBLISHED
from compendium.plots.panels import legend_of
from compendium.plots.picture import Drawing
from errorest import plots
from errorest.plots import BLUE, GREY

PRINTED: dict[str, Any] = {**PUBLISHED, "markersize": 5}  # Look of a printed number


def numbers(published: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return the printed numbers of an artifact by row and column, without labels and sentinels."""
    return printed_values(published[published["kind"].isin(["result", "data"])])


def mark(colour: str, marker: str) -> dict[str, Any]:
    """Return the look of a mark in a panel and its legend."""
    return {"color": colour, "marker": marker, "linestyle": "none", "markersize": 5}


def ratio_panel(axes: Axes, labels: Sequence[str], text: str) -> None:
    """Label the lines of a panel of ratios, the first on top, along a logarithmic axis about 1."""
    axes.axvline(1, color=GREY, linewidth=1.2)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.grid(axis="x")
    plots.log_axis(axes, (0.25, 0.5, 0.7, 1, 1.4, 2, 4), "{:g}")
    axes.autoscale(axis="x")
    axes.set_xlabel(text)


def ratio_dots(axes: Axes, over: pd.DataFrame, under: pd.DataFrame, at: Any, colour: str, marker: str) -> np.ndarray:
    """Mark ratios of columns ``rmse`` with 95 % intervals, errors ``se`` taken as independent; return the ratios."""
    ratio = over["rmse"].to_numpy() / under["rmse"].to_numpy()
    error = np.hypot(*((one["se"] / one["rmse"]).to_numpy() for one in (over, under)))
    limits = np.abs(ratio * np.exp(1.96 * np.outer([-1, 1], error)) - ratio)
    axes.errorbar(ratio, at, xerr=limits, color=colour, fmt=marker, markersize=5, elinewidth=1)
    return ratio


@plots.in_style
def draw_best_pairs(p: Any, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the RMSE of the best new estimator over that of the best old one, by case, beside the print."""
    scale, result = made.largest
    table = result.data["best"].drop_duplicates("row").reset_index(drop=True)
    printed = numbers(published)
    figure, grid = plots.new_figure(1, 1, 1.6 + 0.4 * len(table))
    axes = grid[0, 0]
    new, old = (
        pd.DataFrame({"rmse": table[f"{side}_rmse"], "se": table[f"{side}_rmse_se"]}) for side in ("new", "old")
    )
    ratios = ratio_dots(axes, new, old, table.index + 0.14, BLUE, "o")
    for at, row in enumerate(table["row"]):
        if printed.get((row, "old-rmse"), 0.0) > 0:
            axes.plot([printed[row, "new-rmse"] / printed[row, "old-rmse"]], [at - 0.18], zorder=4, **PRINTED)
    names = zip(table["row"], table["new"], table["old"], strict=True)
    labels = [f"{case_title(row)}\n{symbol_of(new)} / {symbol_of(old)}" for row, new, old in names]
    ratio_panel(axes, labels, "RMSE of the best new over the best old estimator (log scale)")
    legend_of(figure, {"ours": mark(BLUE, "o")} | ({"printed": PRINTED} if printed else {}))
    facts = {"least": ratios.min(), "most": ratios.max(), "scale": scale}
    return Drawing(figure, facts=facts, printed=bool(printed))
