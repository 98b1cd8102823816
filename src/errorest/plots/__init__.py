"""One style for every figure of the book: fonts, colours, labels at line ends, equal bytes on saving.

A figure is drawn inside :func:`in_style` with the objects of :func:`new_figure` and
goes to the book as a :class:`DescribedFigure`: without alternative text there is no figure.
No state of pyplot is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, cast

from errorest import extras

try:
    import matplotlib
except ModuleNotFoundError:
    raise extras.missing("plot", "a picture") from None
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from errorest.plots.annotations import EndLabel, label_ends
from errorest.plots.palette import (
    BLACK,
    BLUE,
    COLOURS,
    FONT_SIZE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    WIDTH,
    ink,
    plain,
)

__all__ = [
    "BLACK",
    "BLUE",
    "COLOURS",
    "FONT_SIZE",
    "GREEN",
    "GREY",
    "ORANGE",
    "PURPLE",
    "SKY",
    "VERMILION",
    "WIDTH",
    "DescribedFigure",
    "EndLabel",
    "in_style",
    "ink",
    "label_ends",
    "new_figure",
    "plain",
    "save",
    "style",
]

_STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": FONT_SIZE,
    "axes.titlesize": FONT_SIZE,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.labelsize": FONT_SIZE,
    "xtick.labelsize": FONT_SIZE - 1,
    "ytick.labelsize": FONT_SIZE - 1,
    "legend.fontsize": FONT_SIZE - 1,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "savefig.dpi": 150,
    "axes.edgecolor": "#8C8C8C",
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=COLOURS),
    "axes.unicode_minus": True,
    "xtick.color": "#333333",
    "ytick.color": "#333333",
    "xtick.major.size": 3.5,
    "ytick.major.size": 3.5,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "mathtext.fontset": "dejavusans",
    # text as outlines: the page needs no font, and every machine draws the same
    "svg.fonttype": "path",
    "svg.hashsalt": "errorest",
}


@dataclass(frozen=True)
class DescribedFigure:
    """A figure with what a reader needs who does not see it, and what a reader needs who does.

    Parameters
    ----------
    figure : matplotlib Figure
    alt : str
        What is seen, with its numbers; no Markdown.
    caption : str
        What to look at, the axes' units, what uncertainty is drawn (Markdown).

    Raises
    ------
    ValueError
        If the alternative text or the caption is empty.

    Examples
    --------
    >>> figure, axes = new_figure()
    >>> DescribedFigure(figure, alt="An empty panel.", caption="Nothing yet.").alt
    'An empty panel.'
    """

    figure: Figure
    alt: str
    caption: str

    def __post_init__(self) -> None:
        if not self.alt.strip() or not self.caption.strip():
            raise ValueError("a figure has no alternative text or no caption; expected both; write them")


@contextmanager
def style() -> Iterator[None]:
    """Set the book's style for a block, independent of the user's settings.

    Examples
    --------
    >>> with style():
    ...     matplotlib.rcParams["font.size"]
    11.0
    """
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(cast(Any, _STYLE))
        yield


in_style = style()
"""Decorator of a drawing function: artists take their settings when they are made, so all of it runs in the style."""


class NotebookFigure(Figure):
    """A figure that a notebook shows as the value of a cell, with ``%matplotlib inline`` and without."""

    def _repr_png_(self) -> bytes:
        buffer = BytesIO()
        self.savefig(buffer, format="png", dpi=self.dpi)
        return buffer.getvalue()


def new_figure(rows: int = 1, cols: int = 1, height: float = 3.6, **settings: Any) -> tuple[Figure, np.ndarray]:
    """Make a figure of the book's width.

    Parameters
    ----------
    rows, cols : int
        Panels.
    height : float
        Inches.
    **settings
        What ``Figure.subplots`` takes, such as ``sharex`` or ``width_ratios``.

    Returns
    -------
    figure : Figure
    axes : object array, shape (rows, cols)

    Examples
    --------
    >>> with style():
    ...     figure, axes = new_figure(1, 2)
    >>> axes.shape
    (1, 2)
    """
    figure = NotebookFigure(figsize=(WIDTH, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, cols, squeeze=False, **settings)
    return figure, axes


def save(figure: Figure, path_without_suffix: str | Path) -> tuple[Path, Path]:
    """Write a figure as SVG and PNG whose bytes depend on nothing but the figure.

    Parameters
    ----------
    figure : Figure
    path_without_suffix : path
        Its folder must exist.

    Returns
    -------
    tuple of Path
        The SVG and the PNG.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     svg, png = save(new_figure()[0], f"{folder}/empty")
    ...     svg.suffix, png.suffix
    ('.svg', '.png')
    """
    base = Path(path_without_suffix)
    svg, png = save_svg(figure, base), base.with_name(base.name + ".png")
    # what was laid out for the one is not laid out again for the other
    with style(), matplotlib.rc_context({"figure.constrained_layout.use": False, "figure.autolayout": False}):
        figure.set_layout_engine(None)
        figure.savefig(png, format="png", metadata={"Software": None})
    return svg, png


def save_svg(figure: Figure, path_without_suffix: str | Path) -> Path:
    """Write a figure as SVG alone, as :func:`save` does; return its path."""
    base = Path(path_without_suffix)
    svg = base.with_name(base.name + ".svg")
    with style():
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    return svg


def legend_below(figure: Figure, handles: Sequence[Any], labels: Sequence[str], *, columns: int = 3) -> None:
    """Put one legend for all panels under the figure, for lines that cross too often to be labelled."""
    figure.legend(
        handles,
        [plain(label) for label in labels],
        loc="outside lower center",
        ncols=columns,
        columnspacing=1.4,
        handlelength=1.8,
        borderaxespad=0.2,
    )


def panel_title(axes: Axes, letter: str, text: str) -> None:
    """Title a panel: a letter that the caption can name, and what it shows."""
    axes.set_title(plain(f"{letter}  {text}" if letter else text), pad=6)


def log_axis(axes: Axes, ticks: Sequence[float], written: str = "{}") -> None:
    """Make the horizontal axis logarithmic, with ticks at some numbers alone."""
    axes.set_xscale("log")
    axes.set_xticks(ticks, [written.format(tick) for tick in ticks])
    axes.minorticks_off()


def note(axes: Axes, x: float, y: float, text: str, colour: str = BLACK, **settings: Any) -> None:
    """Write a text at a place in data units, on a white ground so that lines do not cross it."""
    look: dict[str, Any] = {
        "color": ink(colour),
        "fontsize": FONT_SIZE - 1,
        "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 1.5, "alpha": 0.85},
    }
    axes.text(x, y, plain(text), **{**look, **settings})
