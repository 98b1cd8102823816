"""Colours of verdicts, and how a printed value is marked."""

from __future__ import annotations

from typing import Any

from errorest.plots import BLACK, GREEN, GREY, ORANGE, VERMILION

VERDICT_COLOURS = {
    "reproduced": GREEN,
    "close": ORANGE,
    "differs": VERMILION,
    "no power": GREY,
    "not testable": GREY,
    "no verdict": GREY,
}
"""A colour for each verdict; a mark's shape must tell them apart as well."""

PUBLISHED: dict[str, Any] = {
    "marker": "D",
    "linestyle": "none",
    "markerfacecolor": "white",
    "markeredgecolor": BLACK,
    "markersize": 7,
}
"""How a printed value is marked in every figure."""
