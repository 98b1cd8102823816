"""Figures of several panels: titles over columns, one legend for all, and ticks with a sign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from compendium.plots.narrow import COLUMN_TITLE
from errorest.plots import legend_below


def over_columns(panels: Iterable[Axes], titles: Iterable[str], height: float) -> None:
    """Write a title over each column of panels, so many points above the uppermost."""
    for axes, title in zip(panels, titles, strict=False):
        at = (0.5, 1.0), (0, height), "axes fraction", "offset points"
        axes.annotate(title, *at, ha="center", fontweight="bold", gid=COLUMN_TITLE)


def legend_of(figure: Figure, entries: Mapping[str, Artist | Mapping[str, Any]], *, columns: int = 3) -> None:
    """Put one legend for all panels under the figure, given by texts and how each is drawn (settings of a line)."""
    handles = [e if isinstance(e, Artist) else Line2D([], [], **e) for e in entries.values()]
    legend_below(figure, handles, list(entries), columns=columns)


def signed_ticks() -> FuncFormatter:
    """Return a tick format with a sign, for axes of bias: −2, 0, +2."""
    return FuncFormatter(lambda value, _: "0" if abs(value) < 1e-9 else f"{value:+.10g}".replace("-", "−"))
