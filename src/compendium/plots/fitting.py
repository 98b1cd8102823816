"""Titles and names of axes broken where they would reach into the next panel, or beyond the figure."""

from __future__ import annotations

import re
from textwrap import fill
from typing import Any, cast

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text

from errorest.plots import FONT_SIZE

_ALONE, _SHARED = 0.7, 0.8
"""The part of a panel's room that its axes take: with numbers of their own beside them, and with those of others."""


def break_long_texts(figure: Figure) -> None:
    """Break what stands above and below the panels of a figure, where several stand beside each other."""
    renderer = cast(Any, figure.canvas).get_renderer()
    for axes in figure.axes:
        room = _room(figure, axes)
        for text in _texts(axes) if room else []:
            _break(text, room, renderer)


def break_at_edges(figure: Figure) -> None:
    """Break titles and names of axes that reach beyond the edges of a figure which is laid out."""
    figure.draw_without_rendering()
    renderer = cast(Any, figure.canvas).get_renderer()
    right = float(figure.bbox.width)
    for axes in figure.axes:
        box = axes.get_window_extent(renderer)
        middle = (box.x0 + box.x1) / 2
        centre = (box.y0 + box.y1) / 2
        _break_upright(axes.yaxis.label, 2 * min(centre, float(figure.bbox.height) - centre), renderer)
        for text in _texts(axes):
            # a title starts where its panel does; the name of an axis is centred below it
            _break(text, 2 * min(middle, right - middle) if text is axes.xaxis.label else right - box.x0, renderer)

    beyond = figure.get_tightbbox(renderer).x1 * figure.dpi - right
    engine = figure.get_layout_engine()
    if beyond > 0 and isinstance(engine, ConstrainedLayoutEngine):
        # the last label of a horizontal axis, for which the engine leaves no room
        engine.set(rect=(0, 0, 1 - beyond / right, 1))


def _break(text: Text, room: float, renderer: Any) -> None:
    """Make a text that is too wide a point smaller, and break it where that is not enough."""
    wide = text.get_window_extent(renderer).width
    if wide > room and float(text.get_fontsize()) > FONT_SIZE - 1:
        text.set_fontsize(FONT_SIZE - 1)
        wide = text.get_window_extent(renderer).width
    if wide > room:
        lines = text.get_text().splitlines()
        letters = max(1, int(max(map(len, lines)) * room / wide))
        text.set_text(wrapped(" ".join(lines), letters))


def _break_upright(text: Text, room: float, renderer: Any) -> None:
    """Break the name of a vertical axis, which is centred beside it, into two lines."""
    tall = text.get_window_extent(renderer).height
    if tall > room and "\n" not in text.get_text():
        text.set_text(wrapped(text.get_text(), int(len(text.get_text()) * room / tall)))


def wrapped(text: str, letters: int) -> str:
    """Wrap a text at spaces, but not at those of an equation such as N = 10 or k > 1."""
    return fill(re.sub(" ([=<>]) ", "\u00a0\\1\u00a0", text), letters, break_long_words=False)


def _room(figure: Figure, axes: Axes) -> float:
    """Return how wide a text of a panel may be, in pixels; 0 where a panel has the whole width, or no place."""
    place = axes.get_subplotspec()
    if place is None or len(place.colspan) == place.get_gridspec().ncols:
        return 0.0
    grid = place.get_gridspec()
    ratios: Any = grid.get_width_ratios() or [1.0] * grid.ncols
    share = sum(ratios[column] for column in place.colspan) / sum(ratios)
    taken = _SHARED if len(axes.get_shared_y_axes().get_siblings(axes)) > 1 else _ALONE
    return float(figure.bbox.width) * share * taken


def panel_titles(axes: Axes) -> list[Text]:
    """Return the titles of a panel: left, centred and right."""
    shown = {axes.get_title(loc) for loc in ("left", "center", "right")} - {""}
    return [child for child in axes.get_children() if isinstance(child, Text) and child.get_text() in shown]


def _texts(axes: Axes) -> list[Text]:
    """Return the titles of a panel and the name of its axis; a formula is not broken."""
    texts = (*panel_titles(axes), axes.xaxis.label)
    return [text for text in texts if text.get_text().strip() and "$" not in text.get_text()]
