"""What came out, written in a line above the panels of a figure, so that it is there where the picture goes alone."""

from __future__ import annotations

from typing import Any, cast

from matplotlib.figure import Figure

from compendium.plots.fitting import wrapped
from errorest.plots import FONT_SIZE, in_style, plain

_COLOUR = "#333333"
_LEFT = 0.012
"""Where the line begins, as a share of the width."""
# Inches of a line
_LINE = 1.35 * FONT_SIZE / 72


@in_style
def write_subtitle(figure: Figure, text: str) -> None:
    """Write a sentence above the panels, on as many lines as the width asks for; the figure grows by these."""
    text = plain(text).replace(" %", "\u00a0%")
    title = figure.suptitle(text, x=_LEFT, ha="left", fontsize=FONT_SIZE, color=_COLOUR)
    wide = title.get_window_extent(cast(Any, figure.canvas).get_renderer()).width
    room = (1 - 2 * _LEFT) * float(figure.bbox.width)
    letters = len(text)
    while wide > room:
        letters -= 1
        title.set_text(wrapped(text, letters))
        wide = title.get_window_extent().width
    # lines of about the same length
    lines = title.get_text().count("\n")
    while (shorter := wrapped(text, letters)).count("\n") == lines:
        title.set_text(shorter)
        letters -= 1
    _grow(figure, 1)


def remove_subtitle(figure: Figure) -> None:
    """Take the sentence away again, with the height that it had."""
    if figure.get_suptitle():
        _grow(figure, -1)
        figure.suptitle("")


def _grow(figure: Figure, sign: int) -> None:
    lines = figure.get_suptitle().count("\n") + 1
    figure.set_size_inches(figure.get_figwidth(), figure.get_figheight() + sign * _LINE * lines)
