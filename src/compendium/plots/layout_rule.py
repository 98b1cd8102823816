"""The rule for every figure: at most nine panels, titles of one line, and no text cut or under another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, cast

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox, BboxBase

from compendium.plots.fitting import panel_titles
from compendium.plots.narrow import COLUMN_TITLE

MOST_PANELS = 9
# Pixels by which a text may reach beyond the figure: antialiasing
_EDGE = 1.0
# The part of a text's height, and pixels of its width, that may lie in another's box: room for descenders
_LEADING, _SIDE = 0.2, 1.0


def layout_faults(figure: Figure) -> list[str]:
    """Return what a reader could not read in a figure as it is laid out now; nothing is good.

    Examples
    --------
    >>> from errorest.plots import new_figure
    >>> figure, axes = new_figure()
    >>> _ = axes[0, 0].set_title("a title\\nof two lines")
    >>> layout_faults(figure)
    ["title of 2 lines: 'a title of two lines'"]
    """
    figure.draw_without_rendering()
    renderer = cast(Any, figure.canvas).get_renderer()
    panels = panels_of(figure)
    faults = [f"{len(panels)} panels"] if len(panels) > MOST_PANELS else []
    for title in (title for axes in panels for title in _titles(axes)):
        if "\n" in title.get_text().strip():
            faults.append(f"title of {title.get_text().count(chr(10)) + 1} lines: {_quoted(title)}")
    # of an annotation the text without its arrow
    boxes = [(text, Text.get_window_extent(text, renderer)) for text in _texts(figure)]
    for text, box in boxes:
        if not _inside(box, figure.bbox):
            faults.append(f"text beyond the edge: {_quoted(text)}")
    for (one, its), (other, others) in combinations(boxes, 2):
        if _overlap(its, others):
            faults.append(f"text under another: {_quoted(one)}, {_quoted(other)}")
    return faults


def panels_of(figure: Figure) -> list[Axes]:
    """Return the panels of a figure without the scales of colours."""
    return [axes for axes in figure.axes if axes.get_visible() and axes.get_label() != "<colorbar>"]


def _titles(axes: Axes) -> list[Text]:
    """Return a panel's titles, and that of its column, which stands over it."""
    over = [text for text in axes.texts if isinstance(text, Annotation) and text.get_gid() == COLUMN_TITLE]
    return panel_titles(axes) + [text for text in over if text.get_visible()]


def _texts(figure: Figure) -> Iterator[Text]:
    """Yield every text that is seen."""
    labels: dict[Text, bool] = {}
    for axes in figure.axes:
        if not axes.get_visible():
            labels |= dict.fromkeys((text for text in axes.findobj(Text)), False)
            continue
        for axis in (axes.xaxis, axes.yaxis):
            labels |= dict(_tick_labels(axis, axes.axison))
    for text in cast(list[Text], figure.findobj(Text)):
        if text.get_visible() and text.get_text().strip() and labels.get(text, True):
            yield text


def _tick_labels(axis: Axis, shown: bool) -> Iterator[tuple[Text, bool]]:
    """Yield the labels and the name of an axis with whether they are seen: ticks outside the limits are not."""
    low, high = sorted(axis.get_view_interval())
    margin = 1e-9 * (high - low)
    for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
        inside = low - margin <= tick.get_loc() <= high + margin
        yield tick.label1, shown and axis.get_visible() and inside
        yield tick.label2, shown and axis.get_visible() and inside
    yield axis.label, shown and axis.get_visible()
    yield axis.get_offset_text(), shown and axis.get_visible()


def _inside(box: Bbox, figure: BboxBase) -> bool:
    left, bottom = box.x0 - figure.x0, box.y0 - figure.y0
    right, top = figure.x1 - box.x1, figure.y1 - box.y1
    return min(left, bottom, right, top) >= -_EDGE


def _overlap(one: Bbox, other: Bbox) -> bool:
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    up = min(one.y1, other.y1) - max(one.y0, other.y0)
    return across > _SIDE and up > _LEADING * min(one.height, other.height)


def _quoted(text: Text) -> str:
    return repr(" ".join(text.get_text().split()))
