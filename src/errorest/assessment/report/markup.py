"""HTML of a page about a result; all text is escaped here, the figure and the style are ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from errorest.files import PAGE_MARK


@dataclass(frozen=True)
class Section:
    """A table of a page with its title and a note; cells are texts, or pairs of a text and a smaller one."""

    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    note: str = ""
    numbers: bool = False


@dataclass(frozen=True)
class Page:
    """What a page says, as plain text, and its figure as SVG."""

    title: str
    data: str
    day: str
    lead: str
    sentences: Sequence[str]
    warnings: Sequence[str]
    alt: str
    svg: str
    caption: str
    sections: Sequence[Section]
    columns: Section
    settings: Section


def page_document(page: Page) -> str:
    """Return a page that stands by itself."""
    style = resources.files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">{PAGE_MARK}<title>{_text(page.title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark"><style>{style}</style></head><body><main>\n'
        f"<h1>{_text(page.title)}</h1>{page_body(page)}</main></body></html>\n"
    )


def page_body(page: Page) -> str:
    """Return what stands below a page's title, for another page too."""
    parts = [
        f'<p class="from">{_text(page.data + ", " if page.data else "")}{_text(page.day)}</p>',
        f'<p class="lead">{_text(page.lead)}</p>\n',
        *(f"<p>{_text(sentence)}</p>\n" for sentence in page.sentences),
    ]
    if page.warnings:
        listed = "".join(f"<li>{_text(warning)}.</li>" for warning in page.warnings)
        parts.append(f'<section class="beware"><h2>Warnings</h2><ul>{listed}</ul></section>\n')
    caption = f"<figcaption>{_text(page.caption)}</figcaption>"
    parts.append(f'\n<figure role="img" aria-label="{_text(page.alt)}">{page.svg}{caption}</figure>\n')
    parts += (f"{_section(section)}\n" for section in page.sections)
    if page.columns.rows:
        summary = f"<summary>{_text(page.columns.title)}</summary>"
        parts.append(f"<details>{summary}{_table(page.columns)}</details>\n")
    return "".join([*parts, "\n", _section(page.settings)])


def _section(section: Section) -> str:
    small = ' class="small"' if section.rows else ""
    note = f"<p{small}>{_text(section.note)}</p>" if section.note else ""
    return f"<section><h2>{_text(section.title)}</h2>{_table(section) if section.rows else ''}{note}</section>"


def _table(section: Section) -> str:
    """Return a table; with a head its cells may be numbers, without one its rows are facts."""
    number = ' class="n"' if section.numbers else ""
    head = "".join(
        f'<th scope="col"{number if position else ""}>{_text(text)}</th>' for position, text in enumerate(section.head)
    )
    rows = ""
    for row in section.rows:
        cells = []
        for position, cell in enumerate(row):
            if not position and (section.numbers or not section.head):
                cells.append(f'<th scope="row">{_text(cell)}</th>')
            elif isinstance(cell, str):
                cells.append(f"<td{number}>{_text(cell)}</td>")
            else:
                cells.append(f'<td class="n">{_text(cell[0])}<small>{_text(cell[1])}</small></td>')
        rows += f"\n<tr>{''.join(cells)}</tr>"
    opening = f"<table><thead><tr>{head}</tr></thead>" if section.head else '<table class="facts">'
    return f'\n<div class="wide">{opening}{rows}\n</table></div>'


def _text(text: Any) -> str:
    """Escape a text, also for an attribute."""
    return str(text).translate(_ESCAPED)


_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"})
