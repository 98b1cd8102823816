"""Parts of several figures: marks of estimators, ratios by case."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from compendium.evidence.records import printed_values
from compendium.plots.palette import PUBLISHED
from compendium.plots.picture import Line
from errorest import plots
from errorest.plots import GREY

PRINTED = {**PUBLISHED, "markersize": 5}  # Look of a printed number


def numbers(published: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return the printed numbers of an artifact by row and column, without labels and sentinels."""
    return printed_values(published[published["kind"].isin(["result", "data"])])


def mark(colour: str, marker: str) -> Line:
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


def ratio_dots(
    axes: Axes, over: pd.DataFrame, under: pd.DataFrame, at: ArrayLike, colour: str, marker: str
) -> np.ndarray:
    """Mark ratios of columns ``rmse`` with 95 % intervals, errors ``se`` taken as independent; return the ratios."""
    ratio = over["rmse"].to_numpy() / under["rmse"].to_numpy()
    error = np.hypot(*((one["se"] / one["rmse"]).to_numpy() for one in (over, under)))
    limits = np.abs(ratio * np.exp(1.96 * np.outer([-1, 1], error)) - ratio)
    axes.errorbar(ratio, at, xerr=limits, color=colour, fmt=marker, markersize=5, elinewidth=1)
    return ratio
