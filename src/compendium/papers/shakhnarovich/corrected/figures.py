"""Figure of both forms of the .632+, plain and on clones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.records import distinct, parts
from compendium.evidence.results import ResultsByScale
from compendium.papers.shakhnarovich.figures import dot, lines_of, ratio_axis
from compendium.papers.shakhnarovich.names import case_title, symbol_of
from errorest.plots import BLUE, GREY, VERMILION, Drawn, in_style, legend_of, new_figure

__all__ = ["draw_corrected"]

_PAIRS = {
    ".632+ as in the text": ("cloned-632plus", "bootstrap-632plus", BLUE, "o"),
    "R set to 0": ("cloned-632plus-to-zero", "bootstrap-632plus-to-zero", VERMILION, "s"),
}
"""Forms of the .632+: on clones, plain, colour and mark."""


@in_style
def draw_corrected(p: Any, made: ResultsByScale, published: pd.DataFrame) -> Drawn:
    """Draw the RMSE on clones over the plain one, in both forms of the .632+, by case.

    Reads data ``corrected``.
    """
    scale, result = made.largest
    table = result.data["corrected"].drop_duplicates(["row", "estimator"])
    cases = distinct(table["row"])
    of = {name: own.set_index("row") for name, own in parts(table, "estimator").items()}
    figure, grid = new_figure(1, 1, 1.5 + 0.27 * len(cases))
    axes = grid[0, 0]
    axes.axvline(1, color=GREY, linewidth=1.2)
    said = []
    for shift, (title, (cloned, plain, colour, marker)) in zip((-0.14, 0.14), _PAIRS.items(), strict=True):
        both = [row for row in cases if row in of[cloned].index and row in of[plain].index]
        over, under = of[cloned].loc[both], of[plain].loc[both]
        ratio = (over["rmse"] / under["rmse"]).to_numpy()
        of_over, of_under = ((one["rmse_se"] / one["rmse"]).to_numpy() for one in (over, under))
        error = np.hypot(of_over, of_under)
        limits = np.abs(ratio * np.exp(2 * np.outer([-1, 1], error)) - ratio)
        at = [cases.index(row) + shift for row in both]
        axes.errorbar(ratio, at, xerr=limits, color=colour, fmt=marker, markersize=4.5, elinewidth=1)
        said.append(f"{title} in {int((ratio < 1).sum())} of {len(both)} cases")
    lines_of(axes, [case_title(row) for row in cases])
    ratio_axis(axes, "RMSE on clones over the plain one (log scale)")
    legend_of(figure, {title: dot(*look[2:]) for title, look in _PAIRS.items()})
    means = table.groupby("estimator")["rmse"].mean()
    told = ", ".join(f"{symbol_of(e)} {means[e]:.4f}" for e in means.index)
    return Drawn(
        figure,
        f"Ratio of the RMSE on clones to the plain one by case, about a line at 1; cloning has the smaller RMSE with "
        f"{' and '.join(said)}. Data in the table below.",
        f"RMSE of the .632+ on clones over that without, by case ({scale} scale); left of 1 cloning helps. Circles: as "
        "the text and its inventors have it; squares: with R set to 0 outside [0, 1], as the printed tables have it. "
        "Bars: two standard errors, taken as if both RMSE were independent, so that they are rather too long. Average "
        "RMSE over the cases: "
        f"{told}.",
    )
