"""Texts beside what they name, so many points from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from matplotlib.axes import Axes

from errorest.plots.palette import ink

__all__ = ["SHARE_OF_HEIGHT", "annotate_offset", "over_columns"]

SHARE_OF_HEIGHT: dict[str, Any] = {"xycoords": ("data", "axes fraction")}
"""Of a place whose second number is a share of the panel's height."""


def annotate_offset(
    axes: Axes, text: str, place: tuple[float, float], points: tuple[float, float], colour: str, **settings: Any
) -> None:
    """Write a text so many points to the right or left of a place, darkened where contrast needs it."""
    look = {"ha": "right" if points[0] < 0 else "left", "color": ink(colour), **settings}
    axes.annotate(text, place, xytext=points, textcoords="offset points", **look)


def over_columns(panels: Iterable[Axes], titles: Iterable[str], height: float) -> None:
    """Write a title over each column of panels, so many points above the uppermost."""
    look: dict[str, Any] = {"xycoords": "axes fraction", "ha": "center", "fontweight": "bold"}
    for axes, title in zip(panels, titles, strict=False):
        axes.annotate(title, (0.5, 1.0), xytext=(0, height), textcoords="offset points", **look)
