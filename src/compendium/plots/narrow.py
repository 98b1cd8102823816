"""A figure for a phone: the same axes in fewer columns, at a width where letters keep their size."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.text import Annotation
from matplotlib.ticker import FixedLocator

from compendium.plots.fitting import break_at_edges, panel_titles, wrapped
from errorest.plots import in_style, legend_below

NARROW = 3.6
"""Inches of a figure for a phone: 346 pixels."""

COLUMN_TITLE = "column-title"
"""Marks the title of a column of panels, which a phone shows in the title of each panel."""

# Letters of a tick's label up to which two panels have room side by side
_SHORT = 5
_FOR_LEGEND = 0.7
# The part of the width that a title has above one of two panels beside each other
_HALF = 0.4
# Letters of a tick's label up to which it has one line, and how much taller a panel of two lines is
_ONE_LINE, _TALLER = 17, 1.3
_LETTER = re.compile(r"^[a-z]  ")
# What writes a power of ten around its digits
_MATH = re.compile(r"\\mathdefault|[${}^]")


@in_style
def narrow(figure: Figure) -> bool:
    """Lay a figure out again for a phone; False, and unchanged, where it is a diagram that only shrinks as a whole."""
    panels = [axes for axes in figure.axes if axes.get_subplotspec() is not None and axes.get_visible()]
    grids = {id(_spec(axes).get_gridspec()) for axes in panels}
    if len(grids) != 1 or not all(axes.axison for axes in panels):
        return False
    grid = _spec(panels[0]).get_gridspec()
    taller = _TALLER if _wrap_ticks(panels) else 1.0
    if grid.ncols > 1:
        if any(len(_spec(axes).colspan) > 1 or len(_spec(axes).rowspan) > 1 for axes in panels):
            return False
        _stack(figure, panels)
    figure.set_size_inches(NARROW, taller * figure.get_figheight())
    figure.set_layout_engine("constrained")
    _legend_in_fewer_columns(figure)
    _turn_ticks(figure, panels)
    break_at_edges(figure)
    return True


def _wrap_ticks(panels: Sequence[Axes]) -> bool:
    """Wrap the labels of categorical vertical axes, which would leave no room for the marks."""
    long = False
    for axes in panels:
        names = [tick.get_text() for tick in axes.get_yticklabels()]
        categorical = isinstance(axes.yaxis.get_major_locator(), FixedLocator)
        if categorical and max(map(len, names), default=0) > _ONE_LINE and not any("\n" in name for name in names):
            axes.set_yticks(axes.get_yticks(), [wrapped(name, _ONE_LINE) for name in names])
            long = True
    return long


def _turn_ticks(figure: Figure, panels: Sequence[Axes]) -> None:
    """Turn the labels of categorical horizontal axes that would lie under each other."""
    figure.draw_without_rendering()
    for axes in panels:
        labels = [tick.get_window_extent() for tick in axes.get_xticklabels() if tick.get_text()]
        if any(left.x1 > right.x0 for left, right in pairwise(labels)):
            axes.tick_params(axis="x", labelrotation=90)


def _spec(axes: Axes) -> Any:
    return axes.get_subplotspec()


def _stack(figure: Figure, panels: Sequence[Axes]) -> None:
    """Put panels into one column.

    Two are side by side where three or more were, the labels of ticks are short and each pair names its axis alike.
    """
    grid = _spec(panels[0]).get_gridspec()
    at = {axes: (_spec(axes).rowspan.start, _spec(axes).colspan.start) for axes in panels}
    ratios = grid.get_height_ratios() or [1.0] * grid.nrows
    inches = (figure.get_figheight() - _FOR_LEGEND) / sum(ratios)
    longest = max(
        (len(_MATH.sub("", tick.get_text())) for axes in panels for tick in axes.get_yticklabels()), default=0
    )
    titled = bool(_column_titles(panels))
    for axes in panels:
        row, column = at[axes]
        _write_shared_labels(axes, [one for one in panels if at[one][0] == row], column)
        _write_column_title(axes, [one for one in panels if at[one][1] == column])
    # two side by side show the name of their vertical axis once
    alike = all(a.get_ylabel() == b.get_ylabel() for a, b in zip(panels[::2], panels[1::2], strict=False))
    short = longest <= _SHORT and _short_titles(figure, panels)
    across = 2 if grid.ncols > 2 and short and alike and not titled else 1
    down = -(-len(panels) // across)
    heights = [
        max(inches * ratios[at[axes][0]] for axes in panels[row * across : (row + 1) * across]) for row in range(down)
    ]
    stacked = GridSpec(down, across, figure=figure, height_ratios=heights)
    for number, axes in enumerate(panels):
        axes.set_subplotspec(stacked[number // across, number % across])
        first, last = number % across == 0, number + across >= len(panels)
        if not first:
            axes.set_ylabel("")
        below = panels[number + across].get_xlabel() if not last else None
        axes.tick_params(labelleft=True, labelbottom=True)
        if below == axes.get_xlabel():
            axes.set_xlabel("")
    figure.set_size_inches(NARROW, sum(heights) + _FOR_LEGEND)


def _short_titles(figure: Figure, panels: Sequence[Axes]) -> bool:
    """Whether each panel's title has room on a line above a panel of half the width."""
    renderer: Any = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    widths = [title.get_window_extent(renderer).width for axes in panels for title in panel_titles(axes)]
    return max(widths, default=0) <= _HALF * NARROW * figure.dpi


def _write_shared_labels(axes: Axes, row: Sequence[Axes], column: int) -> None:
    """Name the axes of a panel that shared its names with its neighbours."""
    if not axes.get_ylabel() and column:
        axes.set_ylabel(row[0].get_ylabel())
    siblings = axes.get_shared_x_axes().get_siblings(axes)
    if not axes.get_xlabel():
        axes.set_xlabel(next((one.get_xlabel() for one in reversed(siblings) if one.get_xlabel()), ""))


def _column_titles(panels: Sequence[Axes]) -> list[Annotation]:
    return [
        text
        for axes in panels
        for text in axes.texts
        if isinstance(text, Annotation) and text.get_gid() == COLUMN_TITLE
    ]


def _write_column_title(axes: Axes, column: Sequence[Axes]) -> None:
    """Write the title of a panel's column into its own title; one without words has the first's."""
    own, first = axes.get_title(loc="left"), column[0].get_title(loc="left")
    for title in _column_titles(column):
        axes.set_title(", ".join(filter(None, (own, title.get_text()))), loc="left")
        title.set_visible(False)
    if axes is not column[0] and len(own.strip()) <= 1:
        axes.set_title("  ".join(filter(None, (own.strip(), _LETTER.sub("", first)))), loc="left")


def _legend_in_fewer_columns(figure: Figure) -> None:
    """Set the legend of all panels in as many columns as the width has room for."""
    if not figure.legends:
        return
    (old,) = figure.legends
    handles, names = old.legend_handles, [text.get_text() for text in old.get_texts()]
    renderer: Any = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    widest = max(text.get_window_extent(renderer).width for text in old.get_texts()) / figure.dpi
    old.remove()
    # beside each name stands its mark, with the space around it
    columns = max(1, min(len(names), int(NARROW / (widest + 0.55))))
    legend_below(figure, handles, names, columns=columns)
