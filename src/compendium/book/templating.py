"""The templates of all HTML: one environment, with the few filters that they share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

__all__ = ["TEMPLATES", "Cell", "breakable", "cell_html", "fill", "table_html", "words"]

TEMPLATES = Path(__file__).with_name("templates")
_MARKDOWN = MarkdownIt("commonmark", {"html": False})
_CLASSES = {"not testable": "not-testable", "no power": "no-power", "no verdict": "none"}


class _OneLineLoader(FileSystemLoader):
    """Load templates without their line breaks and indentation, which would be blanks on a page."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Any]:
        """Return a template as one line."""
        source, name, current = super().get_source(environment, template)
        return re.sub(r"\n\s*", "", source), name, current


def words(text: str) -> Markup:
    """Render one line of Markdown (emphasis, code) to HTML."""
    return Markup(_MARKDOWN.renderInline(text))


def breakable(reading: str) -> Markup:
    """Write a reading's name so that it may break after its kind."""
    return escape(reading).replace(":", Markup(":<wbr/>"))


class Cell(NamedTuple):
    """A text in a table that is a link, code or a verdict, or has a small note behind it."""

    text: str
    address: str = ""
    code: bool = False
    verdict: bool = False
    small: str = ""


def cell_html(cell: Cell) -> str:
    """Return a cell by itself, as for a link within a sentence."""
    return fill("cell.html", cell=cell)


def table_html(
    caption: str,
    columns: Sequence[tuple[str, str]],
    rows: Iterable[Sequence[object]],
    foot: Sequence[object] = (),
    *,
    css: str = "errorest-table",
    label: str = "",
) -> str:
    """Return a table whose columns are (heading, class), and each of whose rows begins with a heading of its own."""
    return fill("table.html", caption=caption, columns=columns, rows=list(rows), foot=foot, css=css, label=label)


def fill(template: str, **values: Any) -> str:
    """Return a template of the folder ``templates``, filled."""
    return _ENVIRONMENT.get_template(template).render(values)


_ENVIRONMENT = Environment(loader=_OneLineLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
_ENVIRONMENT.filters.update(words=words, breakable=breakable, verdict_class=lambda v: _CLASSES.get(v, v))
