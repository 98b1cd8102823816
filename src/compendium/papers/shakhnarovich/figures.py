"""Figures that several sections share: tables of estimators, the best new against the best old one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from compendium.evidence.records import printed_values
from compendium.evidence.results import ResultsByScale
from compendium.papers.shakhnarovich.names import case_title, symbol_of
from errorest import plots
from errorest.plots import BLUE, GREY, PUBLISHED

__all__ = [
    "PRINTED",
    "RMSE",
    "dot",
    "dots",
    "draw_contests",
    "draw_nothing",
    "lines_of",
    "numbers",
    "ratio_axis",
]

PRINTED: dict[str, Any] = {**PUBLISHED, "markersize": 5}
"""How a printed number is marked."""

RMSE = "RMSE (proportion)"
"""What the axis of most figures shows."""

_MARKERS = ("o", "s", "^", "v")


def numbers(published: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return the printed numbers of an artifact by row and column; labels and sentinels are left out."""
    return printed_values(published[published["kind"].isin(["result", "data"])])


def draw_nothing(text: str) -> plots.Drawn:
    """Draw that there is nothing to draw, for a reader who left out what the figure shows."""
    figure, grid = plots.new_figure(1, 1, 1.0)
    grid[0, 0].set_axis_off()
    plots.note(grid[0, 0], 0.0, 0.5, text)
    return plots.Drawn(figure, "Nothing is drawn: one line of text, which is the caption's.", text)


def lines_of(axes: Axes, labels: Sequence[str]) -> None:
    """Write names down the left side, the first one on top, and let numbers rise from 0 to the right."""
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlim(0, None)
    axes.grid(axis="x")


def dots(axes: Axes, values: Any, at: Any, error: Any, colour: str, marker: str, size: float = 5) -> None:
    """Mark numbers on their lines with bars of the given half-width."""
    axes.errorbar(values, at, xerr=error, color=colour, fmt=marker, markersize=size, elinewidth=1)


def dot(colour: str, marker: str) -> dict[str, Any]:
    """Return the look of a mark in a legend."""
    return {"color": colour, "marker": marker, "linestyle": "none", "markersize": 5}


@plots.in_style
def draw_contests(p: Any, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the RMSE of the best new estimator over that of the best old one, by case, beside the print.

    Reads data ``contests``.
    """
    scale, result = made.largest
    table = result.data["contests"].drop_duplicates("row").reset_index(drop=True)
    printed = numbers(published)
    figure, grid = plots.new_figure(1, 1, 1.6 + 0.4 * len(table))
    axes = grid[0, 0]
    axes.axvline(1, color=GREY, linewidth=1.2)
    ratios = table["new_rmse"] / table["old_rmse"]
    of_new, of_old = (table[f"{side}_rmse_se"] / table[f"{side}_rmse"] for side in ("new", "old"))
    errors = np.hypot(of_new.to_numpy(), of_old.to_numpy())
    limits = np.abs(np.outer([1, 1], ratios) * np.exp(1.96 * np.outer([-1, 1], errors)) - ratios.to_numpy())
    dots(axes, ratios, table.index + 0.14, limits, BLUE, "o")
    for at, row in enumerate(table["row"]):
        if (row, "new-rmse") in printed and printed.get((row, "old-rmse"), 0.0) > 0:
            axes.plot([printed[row, "new-rmse"] / printed[row, "old-rmse"]], [at - 0.18], zorder=4, **PRINTED)
    names = zip(table["row"], table["new"], table["old"], strict=True)
    lines_of(axes, [f"{case_title(row)}\n{symbol_of(new)} / {symbol_of(old)}" for row, new, old in names])
    ratio_axis(axes, "RMSE of the best new over the best old estimator (log scale)")
    plots.legend_of(figure, {"ours": dot(BLUE, "o")} | ({"printed": PRINTED} if printed else {}))
    number = f"{(table['alpha'] <= 0.01).sum()} of {len(table)} cases"
    return plots.Drawn(
        figure,
        f"Ratio of the best new to the best old estimator's RMSE by case, from {ratios.min():.2f} to "
        f"{ratios.max():.2f}, about a line at 1. Data in the table below.",
        f"RMSE of the best new estimator over that of the best old one in each case ({scale} scale; filled circles), "
        "with 95 % intervals that count the choice and take both as independent; left of 1 the new one is better. "
        f"Their names stand at the left, new before old. The paired test gives p at most .01 in {number}."
        + (" Open diamonds: printed." if printed else ""),
    )


def ratio_axis(axes: Axes, text: str) -> None:
    """Make the horizontal axis one of ratios: logarithmic, about 1."""
    axes.set_xlim(auto=True)
    plots.log_axis(axes, (0.25, 0.5, 0.7, 1, 1.4, 2, 4), "{:g}")
    axes.autoscale(axis="x")
    axes.set_xlabel(text)
