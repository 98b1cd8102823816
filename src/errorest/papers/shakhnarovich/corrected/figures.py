"""Figure of both forms of the .632+, plain and on clones."""

from __future__ import annotations

from typing import Any

import pandas as pd

from errorest.evidence.records import distinct
from errorest.evidence.regenerated import Made, at_largest
from errorest.papers.shakhnarovich.figures import RMSE, dot, lines_of
from errorest.papers.shakhnarovich.names import case_title, symbol_of
from errorest.plots import BLACK, BLUE, GREY, ORANGE, PURPLE, VERMILION, Drawn, in_style, legend_of, new_figure

__all__ = ["draw_corrected"]

_LOOKS = {
    "bootstrap-632plus-to-zero": (GREY, "o"),
    "bootstrap-632plus": (BLACK, "s"),
    "cloned-632plus-to-zero": (ORANGE, "o"),
    "cloned-632plus": (VERMILION, "s"),
    "cloned-loo": (BLUE, "^"),
    "cloned-bscv-5": (PURPLE, "v"),
}


@in_style
def draw_corrected(p: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the RMSE of both forms of the .632+, plain and on clones, beside BS(1)* and BSCVx5*, by case."""
    scale, result = at_largest(made)
    table = result.data["corrected"]
    cases = distinct(table["row"])
    shown = [e for e in _LOOKS if e in set(table["estimator"])]
    figure, grid = new_figure(1, 1, 1.6 + 0.3 * len(cases))
    axes = grid[0, 0]
    for number, name in enumerate(shown):
        own = table[table["estimator"] == name]
        at = own["row"].map(cases.index) + 0.1 * (number - (len(shown) - 1) / 2)
        colour, marker = _LOOKS[name]
        look = {"color": colour, "fmt": marker, "markersize": 4.5, "elinewidth": 0.8}
        axes.errorbar(own["rmse"], at, xerr=own["rmse_se"], **look)
    lines_of(axes, [case_title(row) for row in cases])
    axes.set_xlabel(RMSE)
    legend_of(figure, {symbol_of(e): dot(*_LOOKS[e]) for e in shown})
    means = table.groupby("estimator")["rmse"].mean()
    told = ", ".join(f"{symbol_of(e)} {means[e]:.4f}" for e in shown)
    return Drawn(
        figure,
        f"RMSE by case of .632+ in both forms, plain and on clones, of BS(1)* and BSCV×5*. Averages: {told}.",
        "RMSE of each case, with one standard error; squares: .632+ as the text and its inventors have it, circles: "
        f"with R set to 0 outside [0, 1], as the printed tables have it. {scale.capitalize()} scale. Average over the "
        f"cases: {told}.",
    )
