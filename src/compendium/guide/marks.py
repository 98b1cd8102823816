"""The looks of the series of the guide's figures."""

from __future__ import annotations

from compendium.plots.picture import Line
from errorest.plots import COLOURS

_MARKERS = "osD^vP*"


def look(place: int) -> Line:
    """Return the marker and the colour of what comes at a place."""
    return {"marker": _MARKERS[place % len(_MARKERS)], "color": COLOURS[place % len(COLOURS)]}
