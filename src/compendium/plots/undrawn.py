"""A figure laid out without being drawn for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

__all__ = ["laid_out_undrawn"]


@contextmanager
def laid_out_undrawn(figure: Figure) -> Iterator[None]:
    """Have a figure's layout found without a drawing that is thrown away, as matplotlib makes one before it saves.

    What is saved meanwhile has the same bytes.
    """

    def draw(renderer: RendererBase) -> None:
        engine = figure.get_layout_engine()
        if isinstance(engine, ConstrainedLayoutEngine):
            engine.execute(figure)
        else:
            Figure.draw(figure, renderer)

    figure.draw = draw  # type: ignore[method-assign]
    try:
        yield
    finally:
        del figure.draw
