"""The looks of the series of the guide's figures."""

from __future__ import annotations

from compendium.guide.names import INDUCERS
from compendium.plots.picture import Line
from errorest.plots import COLOURS

_MARKERS = "osD^vP*"

DEFAULTS = (".632+-to-Wilson", "stratified-CV-Wilson")
"""The intervals that the library gives where nothing else is asked for: of small samples, and of larger ones."""


def look(place: int) -> Line:
    """Return the marker and the colour of what comes at a place."""
    return {"marker": _MARKERS[place % len(_MARKERS)], "color": COLOURS[place % len(COLOURS)]}


def learner_name(key: str) -> str:
    """Return the name of a learner in legends; one without an entry is its own."""
    return INDUCERS[key].title if key in INDUCERS else key
