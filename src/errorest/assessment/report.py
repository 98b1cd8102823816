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
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errorest.files import PAGE_MARK

if TYPE_CHECKING:
    from errorest.data.columns import Understood
    from errorest.plots import DescribedFigure

__all__ = ["Origin", "page_of", "table_of"]

_CSS = """
:root { color-scheme: light dark; --ink: #1d1d1f; --soft: #595959; --line: #d9d9d9; --page: #fff; --warn: #b34700 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --soft: #a8a8a8; --line: #3d3d3d; --page: #121212;
  --warn: #ff9d5c } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); margin: 0 }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 3rem }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; overflow-wrap: anywhere }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.25rem 0 .5rem }
p { margin: .5rem 0 } .lead { font-size: 1.35rem; font-weight: 600; line-height: 1.35; margin: 1rem 0 .75rem }
.from, figcaption, .small, td small { color: var(--soft); font-size: .9rem }
.wide { overflow-x: auto; margin: .75rem 0 }
table { border-collapse: collapse; min-width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem 1rem .3rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 600 } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
td small { display: block } td.right { font-weight: 600 }
.facts th { white-space: nowrap } .facts td { overflow-wrap: anywhere }
figure { margin: 1.5rem 0 } svg { max-width: 100%; height: auto; display: block }
.beware { border-left: 4px solid var(--warn); padding: 0 0 0 1rem; margin: 1.5rem 0 } .beware h2 { margin-top: 0 }
.beware ul { margin: .25rem 0; padding-left: 1.2rem }
summary { cursor: pointer; font-size: 1.3rem; font-weight: 600; margin: 2.25rem 0 .5rem } code { font-size: .9em }
@media (prefers-color-scheme: dark) { svg { filter: invert(.93) hue-rotate(180deg) } }
@media (max-width: 30rem) { th, td { padding-right: .6rem }
  h1 { font-size: 1.6rem } .lead { font-size: 1.2rem } .facts tr, .facts th, .facts td {
  display: block; border: 0; padding: 0 } .facts tr { border-bottom: 1px solid var(--line); padding: .3rem 0 } }
@media print { :root { --ink: #000; --soft: #444; --line: #bbb; --page: #fff; --warn: #b34700 }
  body { font-size: 10pt } main { max-width: none; padding: 0 } h1 { font-size: 18pt } .lead { font-size: 12pt }
  h2, summary { font-size: 12.5pt; margin: 1rem 0 .25rem; break-after: avoid } svg { filter: none; max-height: 9.5cm }
  figure { margin: .5rem 0 } th, td { padding: .1rem .75rem .1rem 0 } tr, figure, .beware { break-inside: avoid }
  details:not([open]) { display: none } @page { margin: 1.6cm } }
"""


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
        f'<meta name="color-scheme" content="light dark"><style>{_CSS}</style></head><body><main>'
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
