"""Figures of several panels: their grid, titles over columns, one legend for all, and ticks with a sign."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from errorest.plots import legend_below, new_figure, panel_title


def panel_grid(
    titles: Sequence[str],
    height: Callable[[int], float],
    *,
    columns: int = 2,
    letters: bool = False,
    across: str = "",
    up: str = "",
    **settings: Any,
) -> tuple[Figure, list[Axes]]:
    """Make a figure with a titled panel for each text, row by row; names of the axes stand at its edges alone."""
    columns = min(columns, len(titles))
    rows = -(-len(titles) // columns)
    figure, grid = new_figure(rows, columns, height(rows), **settings)
    shown = list(grid.ravel()[: len(titles)])
    for unused in grid.ravel()[len(titles) :]:
        unused.set_visible(False)
    for place, (axes, title) in enumerate(zip(shown, titles, strict=True)):
        panel_title(axes, chr(ord("a") + place) if letters and len(titles) > 1 else "", title)
        if up and place % columns == 0:
            axes.set_ylabel(up)
        if across and place + columns >= len(titles):
            axes.set_xlabel(across)
            axes.tick_params(labelbottom=True)
    return figure, shown


def over_columns(panels: Iterable[Axes], titles: Iterable[str], height: float) -> None:
    """Write a title over each column of panels, so many points above the uppermost."""
    look: dict[str, Any] = {"xycoords": "axes fraction", "ha": "center", "fontweight": "bold"}
    for axes, title in zip(panels, titles, strict=False):
        axes.annotate(title, (0.5, 1.0), xytext=(0, height), textcoords="offset points", **look)


def legend_of(figure: Figure, entries: Mapping[str, Artist | Mapping[str, Any]], *, columns: int = 3) -> None:
    """Put one legend for all panels under the figure, given by texts and how each is drawn (settings of a line)."""
    handles = [e if isinstance(e, Artist) else Line2D([], [], **e) for e in entries.values()]
    legend_below(figure, handles, list(entries), columns=columns)


def signed_ticks() -> FuncFormatter:
    """Return a tick format with a sign, for axes of bias: −2, 0, +2."""
    return FuncFormatter(lambda value, _: "0" if abs(value) < 1e-9 else f"{value:+.10g}".replace("-", "−"))
