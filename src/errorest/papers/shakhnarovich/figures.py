"""Figures that several sections share: tables of estimators, the best new against the best old one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from errorest.evidence.records import printed_values
from errorest.evidence.regenerated import Made, at_largest
from errorest.papers.shakhnarovich.methods import TO_ZERO
from errorest.papers.shakhnarovich.names import case_title, symbol_of
from errorest.plots import (
    GREEN,
    PUBLISHED,
    VERMILION,
    Drawn,
    in_style,
    legend_of,
    new_figure,
    note,
)

__all__ = [
    "PRINTED",
    "RMSE",
    "dot",
    "dots",
    "draw_contests",
    "draw_nothing",
    "lines_of",
    "numbers",
]

PRINTED: dict[str, Any] = {**PUBLISHED, "markersize": 5}
"""How a printed number is marked."""

RMSE = "RMSE (proportion)"
"""What the axis of most figures shows."""

_MARKERS = ("o", "s", "^", "v")
_PRINTED_AS = {zero: name for name, zero in TO_ZERO.items()}


def numbers(published: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return the printed numbers of an artifact by row and column; labels and sentinels are left out."""
    return printed_values(published[published["kind"].isin(["result", "data"])])


def draw_nothing(text: str) -> Drawn:
    """Draw that there is nothing to draw, for a reader who left out what the figure shows."""
    figure, grid = new_figure(1, 1, 1.0)
    grid[0, 0].set_axis_off()
    note(grid[0, 0], 0.0, 0.5, text)
    return Drawn(figure, text, text)


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


@in_style
def draw_contests(p: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the RMSE of the best new and the best old estimator of each case.

    Reads data ``contests``.
    """
    scale, result = at_largest(made)
    table = result.data["contests"].drop_duplicates("row").reset_index(drop=True)
    printed = numbers(published)
    figure, grid = new_figure(1, 1, 1.6 + 0.43 * len(table))
    axes = grid[0, 0]
    looks = {"new": (GREEN, "o", -0.12), "old": (VERMILION, "s", 0.12)}
    for side, (colour, marker, shift) in looks.items():
        dots(axes, table[f"{side}_rmse"], table.index + shift, 1.96 * table[f"{side}_rmse_se"], colour, marker)
        for at, row in enumerate(table["row"]):
            if (row, f"{side}-rmse") in printed:
                mark = {**PRINTED, "markeredgecolor": colour}
                axes.plot([printed[row, f"{side}-rmse"]], [at + shift], zorder=4, **mark)
    names = zip(table["row"], table["new"], table["old"], strict=True)
    axes.set_xlabel(RMSE)
    lines_of(axes, [f"{case_title(row)}\n{symbol_of(new)} / {symbol_of(old)}" for row, new, old in names])
    entries = {f"best {side}": dot(*look[:2]) for side, look in looks.items()}
    legend_of(figure, entries | ({"printed": PRINTED} if printed else {}))
    ratios = table["new_rmse"] / table["old_rmse"]
    number = f"{(table['alpha'] <= 0.01).sum()} of {len(table)} cases"
    return Drawn(
        figure,
        "RMSE of the best new and the best old estimator of each case. "
        f"The new one's is {ratios.min():.2f} to {ratios.max():.2f} times the old one's; p at most .01 in {number}.",
        f"RMSE of the best new and the best old estimator in each case ({scale} scale), with 95 % intervals that count "
        f"the choice; their names stand at the left, new before old. The paired test gives p at most .01 in {number}."
        + (" Open diamonds: printed." if printed else ""),
    )
