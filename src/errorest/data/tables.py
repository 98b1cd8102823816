"""From the bytes of a CSV file to a sample: encoding, separator, a header, one case a line.

``csv`` reads the rows: it tells the line on which each starts, which pandas does not, and messages name lines.
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

from errorest.data.columns import Column, ReadReport, check_classes, check_decimal, find_decimal, number_of, take_column
from errorest.data.labels import sorted_texts
from errorest.data.sample import Attribute, Kind, Sample
from errorest.errors import UsageError, nearest, quoted

_SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space"}
_DETECTED, _LOOKED_AT = ",;\t|", 100
_MARKS = {
    b"\xef\xbb\xbf": ("utf-8", "UTF-8 with a byte-order mark"),
    b"\xff\xfe": ("utf-16", "UTF-16"),
    b"\xfe\xff": ("utf-16", "UTF-16"),
}
_USUAL = (("utf-8", "UTF-8"), ("cp1252", "Windows-1252 (latin-1)"), ("latin-1", "latin-1"))
_KNOWN = {b"PK\x03\x04": "an Excel workbook or a zip file", b"%PDF": "a PDF", b"PAR1": "a Parquet file"}


@dataclass(frozen=True)
class Table:
    """The text of a CSV file, column by column."""

    source: str
    header: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    separator: str = "comma"
    encoding: str = "UTF-8"

    def column(self, name: str) -> tuple[str, ...]:
        """Return the cells of a column; it must exist."""
        return self.columns[self.header.index(name)]


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
    first_line = 1
    if result := re.match(r"sep=(.)(?:\r\n|\r|\n)", text):
        text, first_line, sep = text[result.end() :], 2, sep or result[1]
    separator = _detected(text) if sep is None else read_separator(sep)
    separator_name = _SEPARATORS.get(separator, quoted(separator))
    rows: list[list[str]] = []
    lines: list[int] = []
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=separator != " "
    )
    start = first_line
    try:
        for row in reader:
            if len(row) > 1 or (row and row[0].strip()):
                if rows and len(row) != len(rows[0]):
                    raise UsageError(
                        f"{source}: line {start} has {len(row)} cells and the header has {len(rows[0])}; correct it "
                        f"(quote cells that hold a {separator_name}), or state another separator",
                        parameter="sep",
                    )
                rows.append(row)
                lines.append(start)
            start = reader.line_num + first_line
    except csv.Error as exc:
        raise UsageError(
            f"{source}: the row that starts on line {start} cannot be parsed ({exc}); "
            "expected separated cells with closed double quotes"
        ) from None
    if not rows:
        raise UsageError(f"{source}: the file is empty; expected a header and one line a case")
    header = [cell.strip() for cell in rows[0]]
    _check_header(header, source, detected=sep is None)
    if len(rows) == 1:
        raise UsageError(f"{source}: there is no case below the header; expected one line a case")
    columns = tuple(tuple(cell.strip() for cell in column) for column in zip(*rows[1:], strict=True))
    named = tuple(name or f"Unnamed: {j}" for j, name in enumerate(header))
    return Table(source, named, columns, tuple(lines[1:]), separator_name, encoding)


def _decoded(content: bytes, source: str, stated: str | None) -> tuple[str, str]:
    """Return the text, and what it was written in: as stated, by a byte-order mark, else UTF-8 or Windows-1252."""
    for mark, what in _KNOWN.items():
        if content.startswith(mark):
            raise UsageError(f"{source}: this is {what}; expected text; save the table as CSV")
    marked = next((by for mark, by in _MARKS.items() if content.startswith(mark)), None)
    # every byte is a character of latin-1, so that the last of the usual ones always decodes
    for codec, name in [(stated, stated)] if stated is not None else [marked] if marked else _USUAL:
        try:
            text = content.decode("utf-8-sig" if codec.lower() in ("utf-8", "utf8") else codec)
            break
        except LookupError:
            known = ("utf-8", "utf-16", "latin-1", "cp1252", "mac-roman", "shift-jis")
            raise UsageError(f"{source}: unknown encoding {quoted(codec)}; {nearest(codec, known)}") from None
        except (UnicodeError, ValueError) as exc:
            if stated is not None or marked:
                line = content.count(b"\n", 0, getattr(exc, "start", 0)) + 1
                raise UsageError(f"{source}: line {line} is not text in {name}", "state another", "encoding") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UsageError(f"{source}: line {line} holds a null character; expected a CSV file in {name}")
    return text, name


def read_separator(text: str) -> str:
    """Read a separator that was stated: a character, or its name."""
    names = {name: character for character, name in _SEPARATORS.items()}
    sep = names.get(text.lower(), "\t" if text == "\\t" else text)
    if len(sep) != 1 or sep.isalnum() or sep in "\"'.+-_\r\n\0" or ord(sep) > 127:
        raise UsageError(
            f"separator {quoted(text)} was stated; expected one character, such as ';', or one of {', '.join(names)}; "
            + nearest(text, names)
        )
    return sep


def _detected(text: str) -> str:
    """Return the separator that parts the first rows alike and most; where none does, the header most."""
    widths = {sep: list(islice(_widths(text, sep), _LOOKED_AT + 1)) or [1] for sep in _DETECTED}
    # an odd row is named by its line later
    alike = {sep: w for sep, w in widths.items() if w[0] > 1 and set(w) == {w[0]}} or widths
    return max(alike, key=lambda sep: alike[sep][0])


def _widths(text: str, sep: str) -> Iterator[int]:
    """Yield the number of cells of each row that is not blank."""
    with suppress(csv.Error):
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=sep, skipinitialspace=True):
            if len(row) > 1 or any(cell.strip() for cell in row):
                yield len(row)


def _check_header(header: Sequence[str], source: str, *, detected: bool) -> None:
    expected = "expected a header with one distinct name a column"
    if len(header) > 1 or number_of(header[0]) is not None:
        if all(number_of(cell) is not None for cell in header):
            raise UsageError(f"{source}: the first line holds only numbers; {expected}; add a line of column names")
    elif detected and re.search(r"\s\S", header[0]):
        raise UsageError(
            f"{source}: the header has neither commas, semicolons, tabs nor bars; {expected}; state the separator",
            parameter="sep",
        )
    first: dict[str, int] = {}
    for j, cell in enumerate(header):
        if cell and first.setdefault(cell, j) != j:
            raise UsageError(
                f"{source}: columns {first[cell] + 1} and {j + 1} are both called {quoted(cell)}; rename one"
            )


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
    used = _attribute_names(table, class_column, drop, declared)
    check_decimal(decimal, source)
    columns = [cells for name, cells in zip(table.header, table.columns, strict=True) if name in {class_column, *used}]
    decimal = decimal or find_decimal(columns, unknown, table.separator == "comma", source)
    labels = table.column(class_column)
    classes, notes = _classes(table, class_column, unknown, declared, decimal)
    taken: list[Column] = []
    attributes: list[Attribute] = []
    selected: list[list[float]] = []
    for column, cells in zip(table.header, table.columns, strict=True):
        if column == class_column:
            taken.append(Column(column, "class", 0, len(classes), labels[0]))
            continue
        if column not in used:
            known = [cell for cell in cells if cell not in unknown]
            example = next(iter(known), "")
            taken.append(Column(column, "left out", len(cells) - len(known), len(set(known)), example, "as stated"))
            continue
        made, values = take_column(column, cells, declared.get(column), unknown, decimal, table.lines, source)
        taken.append(made)
        if values:
            categories = tuple(sorted(values)) if made.kind == "nominal" else ()
            attributes.append(Attribute(column, cast(Kind, made.kind), categories))
            selected.append([values.get(cell, math.nan) for cell in cells])
    if not selected:
        reasons = "; ".join(f"{quoted(c.name)} {c.note}" for c in taken[:4] if c.note)
        raise UsageError(f"{source}: no attribute is left ({reasons}); state the kind of one of them", "", "kind")
    seen = {token: sum(cells.count(token) for cells in table.columns) for token in sorted(unknown)}
    gaps = ", ".join(f"{quoted(token) if token else 'empty'} ({k})" for token, k in seen.items() if k)
    report = (
        f"{len(labels)} case{'' if len(labels) == 1 else 's'}",
        f"separator {table.separator}, decimal {'comma' if decimal == ',' else 'point'}, {table.encoding}",
        *([f"missing: {gaps}"] if gaps else []),
        *notes,
    )
    codes = {label: k for k, label in enumerate(classes)}
    y = np.array([codes[label] for label in labels], dtype=np.int64)
    X = np.column_stack(selected)
    read_report = ReadReport(source, class_column, tuple(taken), report, table.lines)
    return Sample(np.ascontiguousarray(X), y, tuple(attributes), tuple(classes), name, read_report)


def _classes(
    table: Table, column: str, unknown: Collection[str], declared: Mapping[str, str], decimal: str
) -> tuple[list[str], tuple[str, ...]]:
    """Return the classes, sorted, and what should be checked about them."""
    labels = table.column(column)
    for label, line in zip(labels, table.lines, strict=True):
        if label in unknown:
            stands = f" ({quoted(label)} stands for a missing value)" if label else ""
            raise UsageError(
                f"{table.source}: line {line} has no class in column {quoted(column)}{stands}; fill it in, remove the "
                "line, or state what is missing",
                parameter="missing",
            )
    classes = sorted_texts(labels, decimal)
    if len(classes) < 2:
        raise UsageError(
            f"{table.source}: all cases are of class {quoted(classes[0])}; expected at least two classes; "
            f"check that {quoted(column)} is the class column"
        )
    return classes, () if column in declared else check_classes(column, labels, source=table.source, decimal=decimal)


def _attribute_names(
    table: Table, class_column: str, drop: Collection[str], declared: Mapping[str, str]
) -> frozenset[str]:
    """Return the names of the attributes; what was stated and does not fit the table is refused."""
    source = table.source
    if class_column not in table.header:
        numbers = any(number_of(cell) is not None for cell in table.header)
        hint = " (some names in the first line are numbers: is the header missing?)" if numbers else ""
        raise UsageError(
            f"{source}: unknown class column {quoted(class_column)}; expected a name from the header{hint}; "
            + nearest(class_column, table.header)
        )
    attributes = [c for c in table.header if c != class_column]
    for column in drop:
        if column not in attributes:
            what = "is the class column" if column == class_column else "is no column"
            raise UsageError(f"{source}: {quoted(column)}, to be dropped, {what}; {nearest(column, attributes)}")
    names = [c for c in attributes if c not in drop]
    if not names:
        raise UsageError(f"{source}: there is no attribute beside the class; expected at least one")
    known = frozenset(names)
    for column, kind in declared.items():
        if column == class_column and kind == "nominal":
            continue
        if column not in known:
            raise UsageError(f"{source}: {quoted(column)} is named and is no attribute; {nearest(column, names)}")
        if kind not in get_args(Kind):
            raise UsageError(
                f"{source}: unknown kind {quoted(str(kind))} for {quoted(column)}; "
                f"expected one of {', '.join(get_args(Kind))}; {nearest(str(kind), get_args(Kind))}"
            )
    return known
