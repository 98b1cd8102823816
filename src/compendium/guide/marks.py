"""What figures of the guide's studies share: looks by place, marks beside each other, lines that are named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from errorest.plots import COLOURS, legend_below

__all__ = ["beside", "legend_by_place", "look", "name_lines"]

_MARKERS = "osD^vP*"


def look(place: int) -> dict[str, Any]:
    """Return the marker and the colour of what comes at a place."""
    return {"marker": _MARKERS[place % len(_MARKERS)], "color": COLOURS[place % len(COLOURS)]}


def legend_by_place(figure: Figure, titles: Sequence[str], *, columns: int, **settings: Any) -> None:
    """Put a legend of looks by place under a figure; ``settings`` are those of a line, such as ``linestyle``."""
    handles = [Line2D([], [], **look(place), **settings) for place in range(len(titles))]
    legend_below(figure, handles, titles, columns=columns)


def beside(lines: Iterable[int], place: int, of: int, apart: float = 0.2) -> list[float]:
    """Move marks off their lines: those of one of so many groups, which stand this share of a line apart."""
    return [line + apart * (place - (of - 1) / 2) for line in lines]


def name_lines(axes: Axes, names: Sequence[str]) -> None:
    """Name lines from the top down, with a grid across them."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x")
