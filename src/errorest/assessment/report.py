"""The HTML page of a result.

A page stands by itself, with its figure inside as SVG.  It bears the date;
where the environment says ``SOURCE_DATE_EPOCH``, that date and no seconds, so that the same seed gives the same bytes.
"""

from __future__ import annotations

import html
import io
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errorest.files import PAGE_MARK

if TYPE_CHECKING:
    from errorest.data.columns import Understood
    from errorest.plots import DescribedFigure

__all__ = ["Origin", "page_of", "table_of"]


@dataclass(frozen=True)
class Origin:
    """Where a result comes from, for its page."""

    data: str = ""
    command: str = ""
    lines: Sequence[int] = ()
    columns: Sequence[Sequence[str]] = ()

    @classmethod
    def of(cls, source: Understood | None, command: str = "") -> Origin:
        """Make the origin of a file as it was understood; without a file there is the command alone."""
        if source is None:
            return cls(command=command)
        return cls(Path(source.source).name, command, source.lines, source.rows())

    @property
    def moment(self) -> datetime | None:
        """The moment that ``SOURCE_DATE_EPOCH`` names, in UTC; None where it names none."""
        text = os.environ.get("SOURCE_DATE_EPOCH", "")
        return datetime.fromtimestamp(int(text), UTC) if text.isdigit() else None

    def line_of(self, case: Any) -> str:
        """Name a case: by the line of its file where it has one."""
        return str(self.lines[case]) if len(self.lines) else str(case)

    def line(self) -> str:
        """Say in a line of HTML which data, and when."""
        day = (self.moment or datetime.now(UTC)).date().isoformat()
        name = f"{html.escape(self.data)}, " if self.data else ""
        return f'<p class="from">{name}{day}</p>'

    def rows(self, again: str) -> list[tuple[str, str]]:
        """Say what repeats the result: the command, or else the call."""
        result = [("data", self.data)] if self.data else []
        result.append(("version", f"errorest {metadata.version('errorest')}"))
        if self.command or again:
            result.append(("to repeat", self.command or again))
        return result

    def folded(self) -> str:
        """Return the columns as understood, folded, as HTML."""
        if len(self.columns) < 2:
            return ""
        head, *rows = self.columns
        return f"<details><summary>Columns as understood</summary>{table_of(head, rows)}</details>"


def table_of(head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """Write a table as HTML, in a box that scrolls; without headings the first cell of a row is its heading."""
    top = "".join(f'<th scope="col">{html.escape(t)}</th>' for t in head)
    body = "".join(
        "<tr>"
        + "".join(
            f'<th scope="row">{html.escape(t)}</th>' if not head and not j else f"<td>{html.escape(t)}</td>"
            for j, t in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    of_kind = f' class="{kind}"' if kind else ""
    return f'<div class="wide"><table{of_kind}>{f"<thead><tr>{top}</tr></thead>" if top else ""}{body}</table></div>'


def page_of(
    title: str,
    lead: str,
    said: Sequence[str],
    warnings: Sequence[str],
    drawn: DescribedFigure,
    sections: str,
    facts: Sequence[tuple[str, str]],
    origin: Origin,
    again: str,
) -> str:
    """Return the page of a result as HTML."""
    style = resources.files(__package__).joinpath("report.css").read_text(encoding="utf-8")
    paragraphs = "".join(f"<p>{html.escape(text)}</p>" for text in said)
    notes = "".join(f"<li>{html.escape(w)}.</li>" for w in warnings)
    beware = f'<section class="beware"><h2>Beware</h2><ul>{notes}</ul></section>' if notes else ""
    rows = [*facts, *origin.rows(again)]
    if origin.moment is not None:
        rows = [(head, re.sub(r" in [\d.e+-]+ s$", "", text) if head == "fits" else text) for head, text in rows]
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">{PAGE_MARK}'
        f"<title>{html.escape(title)}</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><style>{style}</style></head><body><main>'
        f'<h1>{html.escape(title)}</h1>{origin.line()}<p class="lead">{html.escape(lead)}</p>{paragraphs}{beware}'
        f'<figure role="img" aria-label="{html.escape(drawn.alt)}">{_svg(drawn)}'
        f"<figcaption>{html.escape(drawn.caption)}</figcaption></figure>{sections}{origin.folded()}"
        f"<section><h2>How this was made</h2>{table_of((), rows, 'facts')}</section></main></body></html>\n"
    )


def _svg(drawn: DescribedFigure) -> str:
    from errorest import plots

    buffer = io.BytesIO()
    with plots.style():
        drawn.figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue().decode()
    return text[text.index("<svg") :]
