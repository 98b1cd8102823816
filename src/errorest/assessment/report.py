"""What every result has in common: it is told line by line, in a notebook, and on a page with its picture.

A page stands by itself, with its figure inside as SVG, and is written whole or not at all.
"""

from __future__ import annotations

import html
import io
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from errorest.files import PAGE_MARK, write_output

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from errorest.plots import Drawn

__all__ = ["Told"]

_CSS = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } .big { font-size: 1.25rem }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #ddd }
th { font-weight: 600; white-space: nowrap } td { overflow-wrap: anywhere }
figure { margin: 1.5rem 0 } svg { max-width: 100%; height: auto } figcaption { color: #555; font-size: .9rem }
.beware { border-left: 4px solid #D55E00; padding-left: 1rem }
"""


class Told(ABC):
    """A result that tells itself: as lines, as a table in a notebook, as a picture, as a page.

    Matplotlib is loaded when a picture is first asked for.
    """

    warnings: tuple[str, ...]

    @abstractmethod
    def lines(self) -> list[tuple[str, str]]:
        """Tell the result as pairs of a heading and a text."""

    @abstractmethod
    def drawn(self) -> Drawn:
        """Draw the result, with what a reader needs who does not see it."""

    @abstractmethod
    def _headline(self) -> tuple[str, str]:
        """Return a page's title and its first sentence."""

    def _appendix(self) -> str:
        """Return what else stands on the page, as HTML."""
        return ""

    def plot(self) -> Figure:
        """Draw the result.

        Returns
        -------
        matplotlib Figure
        """
        return self.drawn().figure

    def to_html(self, path: Any) -> None:
        """Write a page of its own with the figure in it; nothing half-written is left.

        Parameters
        ----------
        path : path-like
            A regular file there is replaced; ``/dev/stdout`` is written to.

        Raises
        ------
        UsageError
            If it is no regular file, or cannot be written.
        """
        write_output(path, self._page())

    def __repr__(self) -> str:
        lines = self.lines()
        width = max(len(head) for head, _ in lines)
        body = "\n".join(f"  {head:<{width}}  {text}" for head, text in lines)
        return f"{type(self).__name__}\n{body}" + "".join(f"\n  ! {w}" for w in self.warnings)

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row" style="text-align:left">{html.escape(head)}</th>'
            f'<td style="text-align:left">{html.escape(text)}</td></tr>'
            for head, text in self.lines()
        )
        notes = "".join(f"<li>{html.escape(w)}</li>" for w in self.warnings)
        return f"<table>{rows}</table>" + (f"<p>Beware:</p><ul>{notes}</ul>" if notes else "")

    def _page(self) -> str:
        title, lead = self._headline()
        drawn = self.drawn()
        rows = "".join(
            f"<tr><th>{html.escape(head)}</th><td>{html.escape(text)}</td></tr>" for head, text in self.lines()
        )
        notes = "".join(f"<li>{html.escape(w)}</li>" for w in self.warnings)
        beware = f'<div class="beware"><h2>Beware</h2><ul>{notes}</ul></div>' if notes else ""
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">{PAGE_MARK}'
            f"<title>{html.escape(title)}</title>"
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<style>{_CSS}</style></head><body><h1>{html.escape(title)}</h1>"
            f'<p class="big">{html.escape(lead)}</p>{beware}<figure role="img" aria-label="{html.escape(drawn.alt)}">'
            f"{_svg(drawn)}<figcaption>{html.escape(drawn.caption)}</figcaption></figure>"
            f"<table>{rows}</table>{self._appendix()}</body></html>\n"
        )


def _svg(drawn: Drawn) -> str:
    from errorest import plots

    buffer = io.BytesIO()
    with plots.style():
        drawn.figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue().decode()
    return text[text.index("<svg") :]
