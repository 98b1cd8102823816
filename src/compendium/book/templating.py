"""The templates of all HTML: one environment with its filters, tables, and numbers as pages show them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import floor, isfinite, log10
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from compendium.evidence.papers import PAPERS
from compendium.evidence.records import Fields

TEMPLATES = Path(__file__).with_name("templates")
_MARKDOWN = MarkdownIt("commonmark", {"html": False})
_CLASSES = {"not testable": "not-testable", "no power": "no-power", "no verdict": "none"}


class _OneLineLoader(FileSystemLoader):
    """Load templates without their line breaks and indentation, which would be blanks on a page."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """Return a template as one line."""
        source, name, current = super().get_source(environment, template)
        return re.sub(r"\n\s*", "", source), name, current


def words(text: str) -> Markup:
    """Render one line of Markdown (emphasis, code) to HTML; a hyphen before a number is a minus sign."""
    return Markup(_MARKDOWN.renderInline(re.sub(r"(?<=[\s(])-(?=\.?\d)", "−", text)))


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


def fill(template: str, **values: object) -> str:
    return _ENVIRONMENT.get_template(template).render(values)


_FOLDERS = [TEMPLATES, *(paper.folder for paper in PAPERS.values())]
_ENVIRONMENT = Environment(loader=_OneLineLoader(_FOLDERS), autoescape=True, undefined=StrictUndefined)
_ENVIRONMENT.filters.update(words=words, breakable=breakable, verdict_class=lambda v: _CLASSES.get(v, v))


# Numbers without an error that are smaller than this are written with a power of ten
_TINY = 1e-6

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float | None, se: float | None, decimals: float | None = None) -> str:
    """Write a value with no more digits than its error supports, else one or two more than the print has."""
    if value is None or not isfinite(value):
        return "–"
    if se is not None and isfinite(se) and se > 0:
        return measured(value, se, decimals)[0]
    if value == 0:
        return "0"
    if decimals is not None and isfinite(decimals):
        digits = int(decimals) + 2
    elif abs(value) < _TINY:
        mantissa, _, power = f"{value:.2e}".partition("e")
        return f"{mantissa.replace('-', '−')}·10⁻" + str(abs(int(power))).translate(_RAISED)
    else:
        digits = max(0, 2 - floor(log10(abs(value))))
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"
    return "0" if text in ("-0", "") else text.replace("-", "−")


def measured(value: float, se: float, decimals: float | None = None) -> tuple[str, str]:
    """Write a value and its standard error with the same decimals: two digits of the error, or one where it is enough.

    Enough is one decimal more than the print has, and three digits of a value that no paper prints.
    """
    of_error = -floor(log10(se))
    if decimals is not None and isfinite(decimals):
        enough = int(decimals) + 1
    else:
        enough = 2 - floor(log10(abs(value))) if value else of_error
    digits = max(0, min(of_error + 1, max(of_error, enough)))
    text = f"{value:.{digits}f}"
    return (text.removeprefix("-") if float(text) == 0 else text).replace("-", "−"), f"{se:.{digits}f}"


def row_anchor(manifest: Fields, row: str, column: str) -> str:
    """Return the anchor of a number's row on its page: another one for each key, of what an address may hold."""
    parts = [row] if manifest.get("matrix") else [row, column]
    escaped = (re.sub(r"[^ A-Za-z0-9=/+*,().-]", lambda found: f"~{ord(found[0]):x}~", part) for part in parts)
    return ":".join([f"row-{manifest['id']}", *(part.replace(" ", "_") for part in escaped)])
