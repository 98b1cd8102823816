"""Numbers in prose: in notebooks plain text with a comment that names what it was taken from, in pages roles.

A notebook, which people read as it is, says ``the bias is −5.2 ± 0.1 %<!-- kohavi-table-1 | vehicle/c4.5 | bias -->``.
The comment has the fields of a role (:mod:`compendium.book.look_ups`): artifact, row and column, and perhaps a reading
and a scale, ``| reading=literal | scale=enlarged``; by default the literal reading, then an unstated, then a fitted
one, and the published scale before a larger one.  The number is the row's value, rounded to the decimals that the text
shows; with an error behind ``±``, its standard error, both are as tables show them.  ``(± 0.9<!-- ... -->)`` is the
standard error alone.  A word before a colon is the name of another role:
``9.8<!-- print: artifact | row | column -->`` is a printed number, ``holds<!-- outcome: artifact | claim -->``
the outcome of a claim, ``12<!-- cases: artifact | column | ending -->`` a count of rows.

A heading behind ``(artifact-ID)=`` is the artifact's number and title.  All is compared with ``data/regenerated``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path

from compendium.book import catalogue
from compendium.book.look_ups import LOOK_UPS, ROLE, fields_of
from compendium.book.manifests import recorded_manifests
from compendium.book.notebook import sources
from compendium.book.places import root, write_whole
from compendium.book.results import Results, scale_note
from compendium.evidence.records import Values
from errorest.errors import UsageError

_NUMBER = r"(?<![\w.,])[+−-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+|(?<=\d))(?![\w.])"
_OUTCOME = r"\b(?:holds in part|holds|fails|is not decided)\b\*{0,2}"
_NAME = re.compile(r"<!--(?P<name>[^|<>]+\|(?:(?!-->).)*)-->")
_ALONE = rf"(?<=\(± )(?P<alone>{_NUMBER})"
_VALUE = rf"(?P<value>{_NUMBER})(?: ± (?P<error>{_NUMBER}))?(?P<unit>\s?(?:%|points?))?|(?P<outcome>{_OUTCOME})"
_NAMED = re.compile(rf"(?:{_ALONE}|{_VALUE})?{_NAME.pattern}")
_HEADING = re.compile(r"(?<=\(artifact-)(?P<artifact>[\w.-]+)\)=\n## .*")


def without_names(text: str) -> str:
    """Remove the comments that name numbers; behind one of another run than the page's stands whose it is."""
    return _NAME.sub(lambda found: scale_note(fields_of(found["name"])[1]), text)


def with_headings(text: str, headings: Mapping[str, tuple[str, str]]) -> str:
    """Return a notebook's text with the number and title of each artifact in its heading."""

    def heading(found: re.Match[str]) -> str:
        known = headings.get(found["artifact"])
        return f"{found['artifact']})=\n## {known[0]}: {known[1]}" if known else found[0]

    return _HEADING.sub(heading, text)


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
    for role in ROLE.finditer(text):
        if (method := LOOK_UPS.get(role["role"])) and role["role"] != "finding":
            named, how = fields_of(role["fields"])
            try:
                getattr(_record(), method)(*named, **how)
            except (UsageError, TypeError, AttributeError) as exc:
                problems.append(f"{role[0]}: {exc}")
    return problems


def check_files() -> list[str]:
    """Check every notebook and page of the book; return a line for each problem."""
    lines = []
    for name, prose, headings in every_page():
        lines += [f"{name}: {problem}" for problem in check(prose)]
        if prose != with_headings(prose, headings):
            lines.append(f"{name}: a heading is not the number and title of its artifact")
    return lines


def rewrite_files() -> list[str]:
    """Write the named numbers and the headings into every notebook and page; return the files that changed."""
    changed = []
    for name, _, headings in every_page():
        path = root() / name
        try:
            text = _change_prose(path, partial(_rewritten, headings=headings))
        except UsageError as exc:
            raise UsageError(f"{name}: {exc}") from None
        if text != _change_prose(path, str):
            write_whole(path, text)
            changed.append(name)
    return changed


def _expected(found: re.Match[str]) -> str:
    """Return what should stand in the place of a named number or outcome."""
    kind, colon, fields = found["name"].partition(":")
    if colon and (method := LOOK_UPS.get(kind.strip())):
        named, how = fields_of(fields)
        bold = "**" if (found["outcome"] or "").endswith("**") else ""
        return f"{getattr(_record(), method)(*named, **how)}{bold}{found['unit'] or ''}<!--{found['name']}-->"
    if not (found["value"] or found["alone"]):
        raise UsageError(f"no number before the comment '{found['name'].strip()}'")
    named, how = fields_of(found["name"])
    if len(named) != 3 or "digits" in how:
        hint = "write: artifact | row | column [| reading=...] [| scale=...]"
        raise UsageError(f"'{found['name'].strip()}' names no number", hint)
    row = _record().row(*named, **how)
    if found["alone"]:
        return f"{_formatted(row['se'], found['alone'])}<!--{found['name']}-->"
    if found["error"]:
        text = _record().with_error(*named, **how)
        plus = "+" if found["value"].startswith("+") and row["value"] > 0 else ""
        return f"{plus}{text}{found['unit'] or ''}<!--{found['name']}-->"
    return f"{_formatted(row['value'], found['value'])}{found['unit'] or ''}<!--{found['name']}-->"


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


@cache
def _record() -> Results:
    return Results(recorded_manifests(), "published")


def every_page() -> Iterator[tuple[str, str, Mapping[str, tuple[str, str]]]]:
    """Yield the path below the root of each notebook and page, its prose, and the headings of its artifacts."""
    for notebook in sorted(catalogue.NOTEBOOKS):
        name = f"notebooks/{notebook}.ipynb"
        prose = "\n\n".join(text for kind, text in sources(root() / name) if kind == "markdown")
        yield name, prose, catalogue.headings(notebook)
    for page in sorted((root() / "book").rglob("*.md")):
        if page.parent.name != "api":
            yield page.relative_to(root()).as_posix(), page.read_text(encoding="utf-8"), {}


def _rewritten(prose: str, headings: Mapping[str, tuple[str, str]]) -> str:
    return with_headings(rewritten(prose), headings)


def _change_prose(path: Path, change: Callable[[str], str]) -> str:
    """Return the text of a page or notebook with its prose changed, part by part."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return change(text)
    document: Values = json.loads(text)
    for cell in document["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = change("".join(cell["source"])).splitlines(keepends=True)
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
