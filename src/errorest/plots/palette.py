"""Sizes and colours of every figure, and a reader's words in it."""

from __future__ import annotations

import unicodedata

import numpy as np
from matplotlib.colors import to_hex, to_rgb

# Controls, marks that turn the direction of writing, halves of characters
_UNSEEN = ("Cc", "Cf", "Cs")


def plain(text: str) -> str:
    """Write a text so that it is drawn literally: a dollar sign starts no formula, an invisible sign is a mark.

    Examples
    --------
    >>> print(plain("$10k-$20k"), plain("a\\tb"))
    \\$10k-\\$20k a�b
    """
    seen = "".join("�" if c != "\n" and unicodedata.category(c) in _UNSEEN else c for c in text)
    return seen.replace("$", r"\$")


WIDTH = 6.4
"""Width of every figure in inches; it is shown at a phone's width too."""

FONT_SIZE = 11.0
"""Points; ticks are one point smaller, and nothing is smaller than that."""

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
"""A colour that colour-blind readers can tell from the others (Okabe & Ito's set)."""

BLUE, VERMILION, PURPLE, GREY = "#0072B2", "#D55E00", "#CC79A7", "#6B6B6B"
"""A colour that colour-blind readers can tell from the others (grey is for what stands behind)."""

COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
"""Okabe & Ito's palette, in the order in which series take their colours."""

_LEAST_CONTRAST = 4.5


def ink(colour: str) -> str:
    """Return a colour dark enough for text on white (contrast of at least 4.5), by shading it.

    Examples
    --------
    >>> ink("#000000"), ink("#E69F00")
    ('#000000', '#9c6c00')
    """
    rgb = np.array(to_rgb(colour))
    for share in np.arange(1.0, 0.0, -0.01):
        # contrast on white (WCAG 2): (1 + .05) / (L + .05) of the relative luminance L
        linear = np.where(rgb * share <= 0.03928, rgb * share / 12.92, ((rgb * share + 0.055) / 1.055) ** 2.4)
        if 1.05 / (linear @ np.array([0.2126, 0.7152, 0.0722]) + 0.05) >= _LEAST_CONTRAST:
            return to_hex(tuple(rgb * share))
    return BLACK
