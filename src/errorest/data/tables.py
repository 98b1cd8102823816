"""From the bytes of a CSV file to a sample: encoding, separator, a header, one case a line.

``csv`` parts the cells: pandas fills short rows up without a word, and does not tell the line on which a case starts.
"""

from __future__ import annotations

import csv
import gzip
import io
import math
import os
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import cast, get_args

import numpy as np

from errorest.data.columns import Column, ReadReport, check_classes, decimal_of, number_of, take_column
from errorest.data.labels import sorted_texts
from errorest.data.sample import Attribute, Kind, Sample
from errorest.errors import UsageError, nearest, quoted
from errorest.errors import unknown as unknown_name

_SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space"}
# How many rows are looked at for the separator
_LOOKED_AT = 100
_MARKS = {
    b"\xef\xbb\xbf": ("utf-8-sig", "UTF-8 with a byte-order mark"),
    b"\xff\xfe": ("utf-16", "UTF-16"),
    b"\xfe\xff": ("utf-16", "UTF-16"),
}
# Every byte is a character of latin-1, so that the last always decodes
_USUAL = [("utf-8", "UTF-8"), ("cp1252", "Windows-1252 (latin-1)"), ("latin-1", "latin-1")]
_KNOWN = {
    b"PK\x03\x04": "an Excel workbook or a zip file",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "an Excel workbook of before 2007",
    b"%PDF": "a PDF",
    b"PAR1": "a Parquet file",
}

_NUMBER = re.compile(r"[-+]?\d*[.,]?\d+([eE][-+]?\d+)?")


@dataclass(frozen=True)
class Table:
    """The text of a CSV file, column by column, and the line on which each case starts."""

    source: str
    header: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    separator: str
    encoding: str

    def column(self, name: str) -> tuple[str, ...]:
        """Return the cells of a column; it must exist."""
        return self.columns[self.header.index(name)]

    def require_cells(self, name: str, unknown: Collection[str], what: str) -> None:
        """Refuse a column with a missing cell; ``what`` is lacking there."""
        for cell, line in zip(self.column(name), self.lines, strict=True):
            if cell in unknown:
                stands = f" ({quoted(cell)} marks a missing value)" if cell else ""
                hint = "fill it in, remove the line, or state what is missing"
                where = f"{self.source}: line {line}"
                raise UsageError(f"{where} has no {what} in column {quoted(name)}{stands}", hint, "missing")


def read_table(path: str | os.PathLike[str], *, sep: str | None = None, encoding: str | None = None) -> Table:
    """Read a CSV file, plain or compressed with gzip (recognised by content), as text."""
    place = Path(path)
    try:
        content = place.read_bytes()
        content = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
    except (OSError, EOFError, ValueError, zlib.error) as exc:  # a path with a null character is a ValueError
        why = getattr(exc, "strerror", None) or exc
        raise UsageError(f"{place}: cannot be read ({why}); expected a CSV file, plain or gzipped") from None
    return parse_table(content, str(place), sep=sep, encoding=encoding)


def parse_table(content: bytes, source: str, *, sep: str | None = None, encoding: str | None = None) -> Table:
    """Parse CSV text: cells in double quotes where needed, a header, one case a line.

    The separator is stated, here or in a line ``sep=;``, or what parts 100 rows alike and most.
    """
    text, encoding = _decoded(content, source, encoding)
    above = 0
    if result := re.match(r"sep=(.)(?:\r\n|\r|\n)", text):
        text, above, sep = text[result.end() :], 1, sep or result[1]
    separator = _detected(text) if sep is None else read_separator(sep)
    separator_name = _SEPARATORS.get(separator, quoted(separator))
    lines: list[int] = []
    rows: list[list[str]] = []
    end = above
    try:
        for last, row in _rows(text, separator, strict=True):
            start, end = end + 1, last + above
            if len(row) == 1 and not row[0].strip():
                continue
            if rows and len(row) != len(rows[0]):
                hint = f"correct it (quote cells that hold a {separator_name}), or state another separator"
                widths = f"has {len(row)} cells and the header has {len(rows[0])}"
                raise UsageError(f"{source}: line {start} {widths}", hint, "sep")
            lines.append(start)
            rows.append(row)
    except csv.Error as exc:
        hint = "expected separated cells with closed double quotes"
        raise UsageError(f"{source}: the row that starts on line {end + 1} cannot be parsed ({exc})", hint) from None
    if not rows:
        raise UsageError(f"{source}: the file is empty; expected a header and one line a case")
    header = [cell.strip() for cell in rows[0]]
    _check_header(header, source, detected=sep is None)
    if len(rows) == 1:
        raise UsageError(f"{source}: there is no case below the header; expected one line a case")
    columns = tuple(tuple(cell.strip() for cell in column) for column in zip(*rows[1:], strict=True))
    _check_names(header, columns, source)
    named = tuple(name or f"Unnamed: {j}" for j, name in enumerate(header))
    return Table(source, named, columns, tuple(lines[1:]), separator_name, encoding)


def _check_names(header: Sequence[str], columns: Sequence[Sequence[str]], source: str) -> None:
    """Refuse a first line that is a case: every cell is a number or stands below too, and one is text."""
    texts = [j for j, cell in enumerate(header) if not _NUMBER.fullmatch(cell)]
    if texts and len(header) > 1 and all(header[j] and header[j] in columns[j] for j in texts):
        repeated = f"{quoted(header[texts[0]])} stands below it too"
        raise UsageError(
            f"{source}: the first line looks like a case ({repeated}); expected names; write a header above it"
        )


def read_separator(text: str) -> str:
    """Read a separator that was stated: a character, or its name."""
    names = {name: character for character, name in _SEPARATORS.items()}
    sep = names.get(text.lower(), "\t" if text == "\\t" else text)
    if len(sep) != 1 or sep.isalnum() or sep in "\"'.+-_\r\n\0" or ord(sep) > 127:
        raise UsageError(f"separator {quoted(text)} was stated; expected one character, or {', '.join(names)}")
    return sep


def _decoded(content: bytes, source: str, stated: str | None) -> tuple[str, str]:
    """Return the text, and what it was written in: as stated, by a byte-order mark, else UTF-8 or Windows-1252."""
    for mark, what in _KNOWN.items():
        if content.startswith(mark):
            raise UsageError(f"{source}: this is {what}; expected text; save the table as CSV")
    marked = [codec for mark, codec in _MARKS.items() if content.startswith(mark)]
    if stated is not None:
        marked = [("utf-8-sig" if stated.lower() in ("utf-8", "utf8") else stated, stated)]
    for codec, name in marked or _USUAL:
        try:
            text = content.decode(codec)
            break
        except LookupError:
            known = ("utf-8", "utf-16", "latin-1", "cp1252", "mac-roman", "shift-jis")
            raise UsageError(f"{source}: unknown encoding {quoted(codec)}", nearest(codec, known)) from None
        except (UnicodeError, ValueError) as exc:
            if marked:
                line = content.count(b"\n", 0, getattr(exc, "start", 0)) + 1
                raise UsageError(f"{source}: line {line} is not text in {name}", "state another", "encoding") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UsageError(f"{source}: line {line} holds a null character; expected a CSV file in {name}")
    return text, name


def _rows(text: str, separator: str, *, strict: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Yield the line on which each row ends, and its cells; a blank line is one blank cell."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, strict=strict, skipinitialspace=separator != " "
    )
    for row in reader:
        yield reader.line_num, row or [""]


def _detected(text: str) -> str:
    """Return the separator that parts the first rows alike and most; where none does, the header most."""
    widths: dict[str, list[int]] = {}
    for sep in ",;\t|":
        widths[sep] = []
        with suppress(csv.Error):
            rows = (row for _, row in _rows(text, sep) if any(cell.strip() for cell in row) or len(row) > 1)
            widths[sep] += map(len, islice(rows, _LOOKED_AT + 1))
    # an odd row is named by its line later
    alike = {sep: w for sep, w in widths.items() if w and w[0] > 1 and set(w) == {w[0]}} or widths
    return max(alike, key=lambda sep: alike[sep][:1])


def _check_header(header: Sequence[str], source: str, *, detected: bool) -> None:
    expected = "expected a header with one distinct name a column"
    numbers = [number_of(cell) is not None for cell in header]
    if all(numbers):
        raise UsageError(f"{source}: the first line holds only numbers; {expected}; add a line of column names")
    if len(header) == 1 and detected and re.search(r"\s\S", header[0]):
        lacks = "the header has neither commas, semicolons, tabs nor bars"
        raise UsageError(f"{source}: {lacks}; {expected}", "state the separator", "sep")
    first: dict[str, int] = {}
    for j, cell in enumerate(header):
        if cell and first.setdefault(cell, j) != j:
            both = f"columns {first[cell] + 1} and {j + 1} are both called {quoted(cell)}"
            raise UsageError(f"{source}: {both}; rename one")


def table_to_sample(
    table: Table,
    class_column: str,
    *,
    kinds: Mapping[str, str] | None = None,
    missing: Iterable[str] = (),
    drop: Collection[str] = (),
    decimal: str | None = ".",
    name: str = "sample",
) -> Sample:
    """Make a sample of a table's text; a column of whole numbers is integer, of numbers continuous, else nominal."""
    declared, source = dict(kinds or {}), table.source
    unknown = frozenset(["", *(token.strip() for token in missing)])
    _check_stated(table, class_column, drop, declared)
    cells_of = dict(zip(table.header, table.columns, strict=True))
    selected = [cells for column, cells in cells_of.items() if column not in drop]
    decimal = decimal_of(decimal, selected, unknown, table.separator == "comma", source)
    table.require_cells(class_column, unknown, "class")
    labels = cells_of[class_column]
    classes = sorted_texts(labels, decimal)
    if len(classes) < 2:
        hint = f"expected at least two classes; check that {quoted(class_column)} is the class column"
        raise UsageError(f"{source}: all cases are of class {quoted(classes[0])}", hint)
    alike = () if class_column in declared else check_classes(class_column, labels, source=source, decimal=decimal)
    taken: list[Column] = []
    attributes: list[Attribute] = []
    X: list[list[float]] = []
    for column, cells in cells_of.items():
        if column == class_column:
            taken.append(Column(column, "class", 0, len(classes), labels[0]))
            continue
        kind = "left out" if column in drop else declared.get(column)
        made, values = take_column(table, column, cells, kind, unknown, decimal)
        taken.append(made)
        if values:
            categories = tuple(sorted(values)) if made.kind == "nominal" else ()
            attributes.append(Attribute(column, cast(Kind, made.kind), categories))
            X.append([values.get(cell, math.nan) for cell in cells])
    if not X:
        reasons = "; ".join(f"{quoted(c.name)} {c.note}" for c in taken[:4] if c.note)
        raise UsageError(f"{source}: no attribute is left ({reasons}); state the kind of one of them", "", "kind")
    seen = {token: sum(cells.count(token) for cells in table.columns) for token in sorted(unknown)}
    gaps = ", ".join(f"{quoted(token) if token else 'empty'} ({k})" for token, k in seen.items() if k)
    report = (
        f"{len(labels)} case{'' if len(labels) == 1 else 's'}",
        f"separator {table.separator}, decimal {'comma' if decimal == ',' else 'point'}, {table.encoding}",
        *([f"missing: {gaps}"] if gaps else []),
        *alike,
    )
    codes = {label: k for k, label in enumerate(classes)}
    y = np.array([codes[label] for label in labels], dtype=np.int64)
    read_report = ReadReport(source, class_column, tuple(taken), report, table.lines)
    return Sample(np.ascontiguousarray(np.transpose(X)), y, tuple(attributes), tuple(classes), name, read_report)


def _check_stated(table: Table, class_column: str, drop: Collection[str], declared: Mapping[str, str]) -> None:
    """Refuse a class column, columns to drop and kinds that do not fit the table."""
    source = table.source
    if class_column not in table.header:
        numbers = any(number_of(cell) is not None for cell in table.header)
        hint = " (some names in the first line are numbers: is the header missing?)" if numbers else ""
        problem = f"unknown class column {quoted(class_column)}; expected a name from the header{hint}"
        raise UsageError(f"{source}: {problem}", nearest(class_column, table.header))
    attributes = [c for c in table.header if c != class_column]
    for column in drop:
        if column not in attributes:
            what = "is the class column" if column == class_column else "is no column"
            raise UsageError(f"{source}: {quoted(column)}, to be dropped, {what}; {nearest(column, attributes)}")
    names = [c for c in attributes if c not in drop]
    if not names:
        raise UsageError(f"{source}: there is no attribute beside the class; expected at least one")
    for column, kind in declared.items():
        if column not in names and (column != class_column or kind != "nominal"):
            raise UsageError(f"{source}: {quoted(column)} is named and is no attribute; {nearest(column, names)}")
        if kind not in get_args(Kind):
            raise unknown_name(f"kind of {quoted(column)}", kind, get_args(Kind))
