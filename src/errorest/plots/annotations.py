"""Texts at what they name: at the ends of lines, or so many points from a place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from errorest.plots.palette import FONT_SIZE, ink, plain


class EndLabel(NamedTuple):
    """A text for the end of a line, in the line's colour; ``x`` and ``y`` in data units.

    Examples
    --------
    >>> from errorest.plots import BLUE
    >>> EndLabel(10.0, 0.25, "10-CV", BLUE).text
    '10-CV'
    """

    x: float
    y: float
    text: str
    colour: str


def label_ends(axes: Axes, labels: Sequence[EndLabel], *, gap: float = 6.0) -> None:
    """Write texts to the right of line ends, pushed apart until none covers another.

    Call it last: the limits of the axes must be final.  Labels that had to move keep a thin
    line to their place.

    Parameters
    ----------
    axes : Axes
    labels : sequence of EndLabel
    gap : float
        Points between the line end and its text.

    Examples
    --------
    >>> from errorest.plots import BLUE, ORANGE, new_figure
    >>> figure, axes = new_figure()
    >>> label_ends(axes[0, 0], [EndLabel(1.0, 0.5, "loo", BLUE), EndLabel(1.0, 0.5, "10-CV", ORANGE)])
    >>> [text.get_text() for text in axes[0, 0].texts]
    ['loo', '10-CV']
    """
    figure = axes.get_figure()
    if not labels or not isinstance(figure, Figure):
        return
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    scale = 72.0 / figure.dpi
    points = axes.transData.transform([(label.x, label.y) for label in labels]) * scale
    box = axes.get_window_extent()
    # a text of several lines takes as many line heights
    heights = np.array([(FONT_SIZE - 1) * 1.25 * (1 + label.text.count("\n")) for label in labels])
    places = _spread(points[:, 1], heights, float(box.y0) * scale, float(box.y1) * scale)
    right = float(points[:, 0].max())
    for label, (x, y), place in zip(labels, points, places, strict=True):
        moved = abs(place - y) > 3.0
        axes.annotate(
            plain(label.text),
            (label.x, label.y),
            xytext=(right - x + gap + (6.0 if moved else 0.0), place - y),
            textcoords="offset points",
            color=ink(label.colour),
            fontsize=FONT_SIZE - 1,
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": label.colour, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 1}
            if moved
            else None,
        )


def _spread(wanted: np.ndarray, heights: np.ndarray, low: float, high: float) -> np.ndarray:
    """Move centres as little as possible (least squares) so that intervals of these heights do not overlap."""
    from scipy.optimize import isotonic_regression

    order = np.argsort(wanted, kind="stable")
    tall = heights[order]
    stacked = np.cumsum(tall) - tall / 2
    # without the stacked heights the question is a monotone regression
    base = isotonic_regression(wanted[order] - stacked).x
    base = np.maximum(np.minimum(base, high - tall.sum()), low)
    out = np.empty_like(wanted, dtype=float)
    out[order] = base + stacked
    return out


SHARE_OF_HEIGHT: dict[str, Any] = {"xycoords": ("data", "axes fraction")}
"""Of a place whose second number is a share of the panel's height."""


def annotate_offset(
    axes: Axes, text: str, place: tuple[float, float], points: tuple[float, float], colour: str, **settings: Any
) -> None:
    """Write a text so many points to the right or left of a place, darkened where contrast needs it."""
    look = {"ha": "right" if points[0] < 0 else "left", "color": ink(colour), **settings}
    axes.annotate(text, place, xytext=points, textcoords="offset points", **look)
