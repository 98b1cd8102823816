"""Numbers in prose: plain text, followed by a comment that names the row of ``data/regenerated`` it was taken from.

A page says ``the bias is −5.2 ± 0.1 %<!-- kohavi-table-1 | vehicle/c4.5 | bias -->``.  The comment names artifact, row
and column, and may add a reading and a scale; the default is the literal reading, then an unstated, then a fitted one,
at published scale.  The number is the row's value, and an error behind ``±`` its standard error, both rounded to the
decimals that the text shows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from compendium.book.notebook import sources
from compendium.book.places import root, write_whole
from compendium.evidence.texts import PAPERS, paper_of
from compendium.evidence.verdicts import KINDS, read_regenerated
from errorest.errors import UsageError, nearest

_NUMBER = r"(?<![\w.,])[+−-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+|(?<=\d))(?![\w.])"
_NAME = re.compile(r"<!--(?P<name>[^|<>]+\|(?:(?!-->).)*)-->")
_NAMED = re.compile(rf"(?:(?P<value>{_NUMBER})(?: ± (?P<error>{_NUMBER}))?(?P<unit>\s?(?:%|points?))?)?{_NAME.pattern}")


class _Row(NamedTuple):
    reading: str
    scale: str
    value: float
    se: float


def without_names(text: str) -> str:
    """Remove the comments that name numbers."""
    return _NAME.sub("", text)


def rewritten(text: str) -> str:
    """Return a text with every named number as ``data/regenerated`` has it."""
    return _NAMED.sub(_expected, text)


def check(text: str) -> list[str]:
    """List the named numbers of a text that ``data/regenerated`` does not have."""
    problems = []
    for result in _NAMED.finditer(text):
        try:
            expected = _expected(result)
        except UsageError as exc:
            problems.append(str(exc))
            continue
        if expected != result[0]:
            should = f"'{without_names(result[0])}' should be '{without_names(expected)}'"
            problems.append(f"{should} ({result['name'].strip()})")
    return problems


def check_files() -> list[str]:
    """Check every notebook and page of the book; return a line for each problem."""
    return [f"{name}: {problem}" for path, name in _files() for text in _prose(path) for problem in check(text)]


def rewrite_files() -> list[str]:
    """Write the named numbers into every notebook and page of the book; return the files that changed."""
    changed = []
    for path, name in _files():
        try:
            text = _with_prose(path, rewritten)
        except UsageError as exc:
            raise UsageError(f"{name}: {exc}") from None
        if text != _with_prose(path, str):
            write_whole(path, text)
            changed.append(name)
    return changed


def _expected(found: re.Match[str]) -> str:
    """Return what should stand in the place of a named number."""
    if found["value"] is None:
        raise UsageError(f"no number before the comment '{found['name'].strip()}'")
    row = _row(found["name"])
    text = _formatted(row.value, found["value"])
    if found["error"]:
        text += f" ± {_formatted(row.se, found['error'])}"
    return f"{text}{found['unit'] or ''}<!--{found['name']}-->"


def _formatted(value: float, like: str) -> str:
    """Format a number with the decimals, signs and separators of another."""
    digits = like.lstrip("+−-")
    decimals = len(digits.partition(".")[2])
    text = f"{abs(value):{',' if ',' in digits else ''}.{decimals}f}"
    if digits.startswith("."):
        text = text.removeprefix("0")
    if not float(text.replace(",", "")):
        return text
    minus = "-" if like.startswith("-") else "−"
    return (minus if value < 0 else "+" if like.startswith("+") else "") + text


def _row(name: str) -> _Row:
    """Find the row that a comment names."""
    artifact, *place = (part.strip() for part in name.split("|"))
    if not 2 <= len(place) <= 4:
        raise UsageError(f"'{name.strip()}' names no number", "write: artifact | row | column [| reading [| scale]]")
    if not artifact.startswith(tuple(f"{paper}-" for paper in PAPERS)):
        raise UsageError(f"'{artifact}' begins with the name of no paper", "see: compendium list")
    rows = _rows(paper_of(artifact))
    row, column, reading, scale = [*place, "", ""][:4]
    for one in rows.get((artifact, row, column), ()):
        if reading in ("", one.reading) and (scale or "published") == one.scale:
            return one
    known = [" | ".join(key[1:]) for key in rows if key[0] == artifact]
    raise UsageError(f"'{name.strip()}' is no row of data/regenerated; {nearest(f'{row} | {column}', known)}")


@cache
def _rows(paper: str) -> dict[tuple[str, str, str], list[_Row]]:
    """Read the rows of a paper by artifact, row and column, the headline reading first."""
    results: dict[tuple[str, str, str], list[_Row]] = {}
    for r in read_regenerated(paper).to_dict("records"):
        row = _Row(r["reading"], r["scale"], r["value"], r["se"])
        results.setdefault((r["artifact"], r["row"], r["column"]), []).append(row)
    for rows in results.values():
        rows.sort(key=lambda row: KINDS.index(row.reading.partition(":")[0]))
    return results


def _files() -> Iterator[tuple[Path, str]]:
    for path in (*sorted((root() / "notebooks").glob("*/*.ipynb")), *sorted((root() / "book").rglob("*.md"))):
        yield path, path.relative_to(root()).as_posix()


def _prose(path: Path) -> list[str]:
    if path.suffix == ".md":
        return [path.read_text(encoding="utf-8")]
    return [text for kind, text in sources(path) if kind == "markdown"]


def _with_prose(path: Path, change: Callable[[str], str]) -> str:
    """Return the text of a page or notebook with its prose changed."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return change(text)
    document: dict[str, Any] = json.loads(text)
    for cell in document["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = change("".join(cell["source"])).splitlines(keepends=True)
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
