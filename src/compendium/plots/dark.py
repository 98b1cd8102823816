"""A figure for a dark page: the same drawing, its colours turned, from the SVG that a light page shows.

Greys and pale tints change places, light for dark; strong colours keep their hue, so that a caption that names one
stays true, and are lifted until they stand out from a dark ground.  Lightness is Oklab's (Björn Ottosson, 2020).
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
from matplotlib.artist import Artist
from matplotlib.colors import to_hex, to_rgb

DARK_GROUND, DARK_INK = "#14181e", "#e7eaee"
"""Ground and text of a dark page; what is white or black on a light one."""

_KEEPS_COLOURS = "as-drawn"
_PIECES = re.compile(r"(<g\b[^>]*>|</g>)")
_COLOUR = re.compile(r"((?:fill|stroke|stop-color):\s*)(#[0-9a-fA-F]{6})")
_GREY, _STRONG = 0.05, 0.1
"""Chroma up to which a colour is turned, and from which on it is kept; between them it is mixed."""
# Above 1 greys come out lighter than a mirror would have them: words in grey have to be read
_BEND = 1.3

_TO_CONES = np.array(
    [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
     [0.0883024619, 0.2817188376, 0.6299787005]]
)  # fmt: skip
_TO_LAB = np.array(
    [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
     [0.0259040371, 0.7827717662, -0.8086757660]]
)  # fmt: skip


def keep_colours(artist: Artist) -> None:
    """Mark what keeps its colours on a dark page, such as words on the cells of a coloured map.

    Examples
    --------
    >>> from matplotlib.text import Text
    >>> text = Text()
    >>> keep_colours(text)
    >>> text.get_gid()
    'as-drawn'
    """
    artist.set_gid(_KEEPS_COLOURS)


def darkened(svg: str) -> str:
    """Return an SVG of this project's figures with colours for a dark page.

    Examples
    --------
    >>> darkened('<svg width="1"><g style="fill: #ffffff"/></svg>')
    '<svg fill="#e7eaee" width="1"><g style="fill: #14181e"/></svg>'
    """
    # black is the default that matplotlib does not write
    pieces = _PIECES.split(svg.replace("<svg ", f'<svg fill="{DARK_INK}" ', 1))
    depth = 0
    for place, piece in enumerate(pieces):
        if depth or f'id="{_KEEPS_COLOURS}"' in piece:
            opened = piece.startswith("<g") and not piece.endswith("/>")
            if not depth:
                pieces[place] = piece.replace("<g ", '<g fill="#000000" ', 1)
            depth += opened - (piece == "</g>")
        else:
            pieces[place] = _COLOUR.sub(lambda found: found[1] + _dark(found[2].lower()), piece)
    return "".join(pieces)


@lru_cache(maxsize=4096)
def _dark(colour: str) -> str:
    """Turn one colour."""
    lab = _lab(colour)
    chroma = float(np.hypot(lab[1], lab[2]))
    strong = min(max((chroma - _GREY) / (_STRONG - _GREY), 0.0), 1.0)
    ground, ink = float(_lab(DARK_GROUND)[0]), float(_lab(DARK_INK)[0])
    turned = ink - (ink - ground) * float(lab[0]) ** _BEND
    lifted = max(float(lab[0]), 0.5 + 0.3 * float(lab[0]))
    if chroma < 1e-3 and lab[0] > 1 - 1e-3:
        return DARK_GROUND
    return _hex(np.array([strong * lifted + (1 - strong) * turned, *lab[1:]]))


def _lab(colour: str) -> np.ndarray:
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return np.asarray(_TO_LAB @ np.cbrt(_TO_CONES @ linear))


def _hex(lab: np.ndarray) -> str:
    linear = np.clip(np.linalg.solve(_TO_CONES, np.linalg.solve(_TO_LAB, lab) ** 3), 0.0, 1.0)
    rgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return to_hex(tuple(np.clip(rgb, 0.0, 1.0)))
