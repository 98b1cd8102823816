"""From the bytes of a CSV file to a sample: compression, encoding, separator, a header, one case a line."""

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
_DETECTED = ",;\t|"
_LOOKED_AT = 100
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_KNOWN = {b"PK\x03\x04": "an Excel workbook or a zip file", b"%PDF": "a PDF", b"PAR1": "a Parquet file"}


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Read a file, plain or compressed with gzip (recognised by content)."""
    place = Path(path)
    try:
        content = place.read_bytes()
        return gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
    except FileNotFoundError:
        raise UsageError(f"{place}: there is no such file; expected a CSV file; check the path") from None
    except IsADirectoryError:
        raise UsageError(f"{place}: this is a folder; expected a CSV file; name the file inside it") from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise UsageError(
            f"{place}: the gzip file is damaged; expected one that decompresses whole; fetch or make it again"
        ) from None
    except (OSError, ValueError) as exc:  # a path with a null character is a ValueError
        raise UsageError(
            f"{place}: the file cannot be read ({getattr(exc, 'strerror', None) or exc}); expected a CSV file that may "
            "be read; check the path and its permissions"
        ) from None


def read_separator(text: str) -> str:
    """Read a separator that was stated: a character, or its name."""
    names = {name: character for character, name in _SEPARATORS.items()}
    sep = names.get(text.lower(), "\t" if text == "\\t" else text)
    if len(sep) != 1 or sep.isalnum() or sep in "\"'.+-_\r\n\0" or ord(sep) > 127:
        raise UsageError(
            f"separator {quoted(text)} was stated; expected one character, such as ';', or one of "
            f"{', '.join(names)}; {nearest(text, names)}"
        )
    return sep


def _decoded(content: bytes, source: str, encoding: str | None) -> tuple[str, str]:
    known = next((what for mark, what in _KNOWN.items() if content.startswith(mark)), None)
    marked = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    if known is not None:
        raise UsageError(f"{source}: this is {known}; expected text; save the table as CSV")
    if encoding is not None:
        text, message = _decoded_as(content, source, encoding), encoding
    elif marked is not None:
        text = _decoded_as(content, source, marked)
        message = "UTF-8 with a byte-order mark" if marked == "utf-8-sig" else "UTF-16"
    else:
        text, message = content.decode("latin-1"), "latin-1"
        for guess, name in (("cp1252", "Windows-1252 (latin-1)"), ("utf-8", "UTF-8")):
            with suppress(UnicodeDecodeError):
                text, message = content.decode(guess), name
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UsageError(
            f"{source}: line {line} holds a null character, so that this is no text, or none in {message}; expected "
            "a CSV file; save it as CSV in UTF-8, or state its encoding"
        )
    return text, message


def _decoded_as(content: bytes, source: str, encoding: str) -> str:
    try:
        return content.decode("utf-8-sig" if encoding.lower() in ("utf-8", "utf8") else encoding)
    except LookupError:
        raise UsageError(
            f"{source}: unknown encoding {quoted(encoding)}; expected a name that Python knows, such as utf-8 or "
            f"latin-1; {nearest(encoding, ('utf-8', 'utf-16', 'latin-1', 'cp1252', 'mac-roman', 'shift-jis'))}"
        ) from None
    except (UnicodeError, ValueError) as exc:
        start = getattr(exc, "start", None)
        line = f"line {content.count(bytes([10]), 0, start) + 1}" if start is not None else "the file"
        raise UsageError(
            f"{source}: {line} is not text in {encoding}; expected a CSV file in that encoding; state another, or "
            "convert the file to UTF-8"
        ) from None


def _detect_separator(text: str) -> str:
    best, most = ",", 1
    for sep in _DETECTED:
        widths = list(islice(_widths(text, sep), _LOOKED_AT + 1))
        if widths and widths[0] > most and set(widths) == {widths[0]}:
            best, most = sep, widths[0]
    if most > 1:
        return best
    # no separator suits all rows: the one that parts the header most, so that the odd row is named
    heads = {sep: next(_widths(text, sep), 1) for sep in _DETECTED}
    return max(_DETECTED, key=lambda sep: heads[sep])


def _widths(text: str, sep: str) -> Iterator[int]:
    """Yield the number of cells of each row that is not blank."""
    lines = (match[0] for match in re.finditer(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text))
    try:
        for row in csv.reader(lines, delimiter=sep, skipinitialspace=True):
            if len(row) > 1 or any(cell.strip() for cell in row):
                yield len(row)
    except csv.Error:
        return


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
    """Read a CSV file, plain or compressed with gzip, as text."""
    return parse_table(read_bytes(path), str(Path(path)), sep=sep, encoding=encoding)


def parse_table(content: bytes, source: str, *, sep: str | None = None, encoding: str | None = None) -> Table:
    """Parse CSV text: cells in double quotes where needed, a header, one case a line.

    The separator is stated, here or in a line ``sep=;``, or what parts 100 rows alike and most.
    """
    text, encoding = _decoded(content, source, encoding)
    first_line = 1
    if result := re.match(r"sep=(.)(?:\r\n|\r|\n)", text):
        text, first_line, sep = text[result.end() :], 2, sep or result[1]
    separator = _detect_separator(text) if sep is None else read_separator(sep)
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
                        f"{source}: line {start} has {len(row)} cells and the header has {len(rows[0])}; expected as "
                        f"many as the header; correct it (quote cells that hold a {separator_name}), or state another "
                        "separator"
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
        raise UsageError(
            f"{source}: the file is empty; expected a header and one line a case; check that it was written whole"
        )
    header = [cell.strip() for cell in rows[0]]
    _check_header(header, source, detected=sep is None)
    if len(rows) == 1:
        raise UsageError(
            f"{source}: there is no case below the header; expected one line a case; check that it was written whole"
        )
    columns = tuple(tuple(cell.strip() for cell in column) for column in zip(*rows[1:], strict=True))
    named = tuple(name or f"Unnamed: {j}" for j, name in enumerate(header))
    return Table(source, named, columns, tuple(lines[1:]), separator_name, encoding)


def _check_header(header: Sequence[str], source: str, *, detected: bool) -> None:
    expected = "expected a header with one distinct name a column"
    if len(header) > 1 or number_of(header[0]) is not None:
        if all(number_of(cell) is not None for cell in header):
            raise UsageError(
                f"{source}: the first line holds only numbers; {expected}; add a line of column names on top"
            )
    elif detected and re.search(r"\s\S", header[0]):
        raise UsageError(
            f"{source}: the header has neither commas, semicolons, tabs nor bars; {expected}; state the separator"
        )
    first: dict[str, int] = {}
    for j, cell in enumerate(header):
        if cell and first.setdefault(cell, j) != j:
            raise UsageError(
                f"{source}: columns {first[cell] + 1} and {j + 1} are both called {quoted(cell)}; "
                f"{expected}; rename one in the first line"
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
    declared = dict(kinds or {})
    unknown = frozenset(["", *(token.strip() for token in missing)])
    used = {class_column, *_attribute_names(table, class_column, drop, declared, decimal)}
    labels = table.column(class_column)
    columns = [cells for name, cells in zip(table.header, table.columns, strict=True) if name in used]
    sign = decimal or find_decimal(columns, unknown, table.separator == "comma", table.source)
    classes, report = _classes(table, class_column, unknown, declared, sign)
    taken: dict[str, Column] = {}
    selected: list[tuple[Attribute, list[float]]] = []
    for column, cells in zip(table.header, table.columns, strict=True):
        if column == class_column:
            taken[column] = Column(column, "class", 0, len(classes), labels[0])
        elif column in drop:
            known = [cell for cell in cells if cell not in unknown]
            taken[column] = Column(
                column, "left out", len(cells) - len(known), len(set(known)), next(iter(known), ""), "as stated"
            )
        else:
            stated = declared.get(column)
            taken[column], values = take_column(
                column,
                cells,
                declared=stated,
                unknown=unknown,
                decimal=sign,
                lines=table.lines,
                source=table.source,
            )
            if values:
                categories = tuple(sorted(values)) if taken[column].kind == "nominal" else ()
                attribute = Attribute(column, cast(Kind, taken[column].kind), categories)
                selected.append((attribute, [values.get(cell, math.nan) for cell in cells]))
    if not selected:
        reasons = "; ".join(f"{quoted(c.name)} {c.note}" for c in list(taken.values())[:4] if c.note)
        raise UsageError(
            f"{table.source}: no attribute is left ({reasons}); expected at least one that can be learnt from; state "
            "the kind of one of them"
        )
    read_report = ReadReport(
        table.source, class_column, tuple(taken.values()), _taken(table, sign, unknown, report), table.lines
    )
    codes = {label: k for k, label in enumerate(classes)}
    y = np.array([codes[label] for label in labels], dtype=np.int64)
    X = np.empty((len(labels), len(selected)))
    for j, (_, column_values) in enumerate(selected):
        X[:, j] = column_values
    return Sample(X, y, tuple(attribute for attribute, _ in selected), tuple(classes), name, read_report)


def _classes(
    table: Table, column: str, unknown: Collection[str], declared: Mapping[str, str], decimal: str
) -> tuple[list[str], tuple[str, ...]]:
    labels = table.column(column)
    for label, line in zip(labels, table.lines, strict=True):
        if label in unknown:
            raise UsageError(
                f"{table.source}: line {line} has no class in column {quoted(column)}"
                + (f" ({quoted(label)} stands for a missing value)" if label else "")
                + "; expected a label for each case; fill it in, remove the line, or state what is missing"
            )
    classes = sorted_texts(labels, decimal)
    if len(classes) < 2:
        raise UsageError(
            f"{table.source}: all cases are of class {quoted(classes[0])}; expected at least two classes; "
            f"check that {quoted(column)} is the class column"
        )
    if column in declared:
        return classes, ()
    return classes, check_classes(column, labels, source=table.source, decimal=decimal)


def _taken(table: Table, decimal: str, unknown: Collection[str], stated: Sequence[str]) -> tuple[str, ...]:
    n = len(table.lines)
    sign = "comma" if decimal == "," else "point"
    seen = {token: sum(cells.count(token) for cells in table.columns) for token in sorted(unknown)}
    gaps = ", ".join(f"{quoted(token) if token else 'empty'} ({k})" for token, k in seen.items() if k)
    return (
        f"{n} case{'' if n == 1 else 's'}",
        f"separator {table.separator}, decimal {sign}, {table.encoding}",
        *([f"missing: {gaps}"] if gaps else []),
        *stated,
    )


def _attribute_names(
    table: Table, class_column: str, drop: Collection[str], declared: Mapping[str, str], decimal: str | None
) -> list[str]:
    """List the attributes; what was stated and does not fit the table is refused."""
    if class_column not in table.header:
        hint = ""
        if any(number_of(cell) is not None for cell in table.header):
            hint = " (some names in the first line are numbers: is the header missing?)"
        raise UsageError(
            f"{table.source}: unknown class column {quoted(class_column)}; expected a name from the header{hint}; "
            + nearest(class_column, table.header)
        )
    attributes = [c for c in table.header if c != class_column]
    for column in drop:
        if column not in attributes:
            what = "is the class column" if column == class_column else "is no column"
            raise UsageError(
                f"{table.source}: {quoted(column)}, to be dropped, {what}; expected names of attributes; "
                + nearest(column, attributes)
            )
    names = [c for c in attributes if c not in drop]
    if not names:
        raise UsageError(f"{table.source}: there is no attribute beside the class; expected at least one; add a column")
    known = set(names)
    for column, kind in declared.items():
        if column == class_column and kind == "nominal":
            continue
        if column not in known:
            raise UsageError(
                f"{table.source}: {quoted(column)} is named and is no attribute; "
                f"expected names of attributes; {nearest(column, names)}"
            )
        if kind not in get_args(Kind):
            raise UsageError(
                f"{table.source}: unknown kind {quoted(str(kind))} for {quoted(column)}; "
                f"expected one of {', '.join(get_args(Kind))}; {nearest(str(kind), get_args(Kind))}"
            )
    check_decimal(decimal, table.source)
    return names
