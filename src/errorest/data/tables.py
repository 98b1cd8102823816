"""From the text of a CSV file to a sample, and back.

A table has a header, one case a line and one column with the class.  Kinds of
attributes are stated or inferred, never guessed where text stands among
numbers.  Whatever is wrong with a table is found before a sample exists, and
is said in one line that names the place.
"""

from __future__ import annotations

import csv
import gzip
import io
import math
import os
import re
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

import numpy as np

from errorest.data.sample import Attribute, Kind, Sample
from errorest.errors import UsageError, nearest
from errorest.files import write_output

__all__ = ["Table", "parse_table", "quoted", "read_table", "table_to_sample", "write_csv"]

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def _number(cell: str) -> float | None:
    # Python's float() takes "nan", "inf" and "1_000", which are text in a table.
    value = float(cell) if _NUMBER.fullmatch(cell) else None
    return value if value is not None and math.isfinite(value) else None


def quoted(value: str) -> str:
    """Show a cell or a name in a message: on one line, in quotes, cut at 40 characters.

    Examples
    --------
    >>> quoted("two\\nlines")
    "'two lines'"
    """
    line = " ".join(value.split())
    return f"'{line if len(line) <= 40 else line[:37] + '...'}'"


def _reason(exc: OSError | ValueError) -> str:
    return getattr(exc, "strerror", None) or str(exc)


@dataclass(frozen=True)
class Table:
    """The text of a CSV file, column by column.

    Parameters
    ----------
    source : str
        What messages call it: the path.
    header : tuple of str, length c
        Column names, distinct and not empty.
    columns : tuple of tuples of str, shape (c, n)
        Cells without surrounding blanks.
    lines : tuple of int, length n
        The line of the file on which each case starts, from 1.

    Examples
    --------
    >>> table = parse_table(b"x,class\\n1,a\\n2,b\\n", "example.csv")
    >>> table.header, table.columns, table.lines
    (('x', 'class'), (('1', '2'), ('a', 'b')), (2, 3))
    """

    source: str
    header: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]

    def column(self, name: str) -> tuple[str, ...]:
        """Return the cells of a column; it must exist."""
        return self.columns[self.header.index(name)]


def read_table(path: str | os.PathLike[str]) -> Table:
    """Read a CSV file, plain or compressed with gzip, as text.

    Parameters
    ----------
    path : path-like
        Compression is recognised by content, not by the name.

    Returns
    -------
    Table

    Raises
    ------
    UsageError
        If there is no such file, it is a folder, it cannot be read or decompressed, or
        :func:`parse_table` refuses its content.

    Examples
    --------
    >>> read_table("no-such-file.csv")
    Traceback (most recent call last):
        ...
    errorest.errors.UsageError: no-such-file.csv: there is no such file; expected a CSV file; check the path
    """
    place = Path(path)
    try:
        content = place.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"{place}: there is no such file; expected a CSV file; check the path") from None
    except IsADirectoryError:
        raise UsageError(f"{place}: this is a folder; expected a CSV file; name the file inside it") from None
    except (OSError, ValueError) as exc:  # a path with a null character is a ValueError
        raise UsageError(
            f"{place}: the file cannot be read ({_reason(exc)}); expected a CSV file that may be read; "
            "check the path and its permissions"
        ) from None
    if content.startswith(b"\x1f\x8b"):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error):
            raise UsageError(
                f"{place}: the gzip file is damaged; expected one that decompresses whole; fetch or make it again"
            ) from None
    return parse_table(content, str(place))


def parse_table(content: bytes, source: str) -> Table:
    """Parse CSV text: commas, double quotes, a header, UTF-8 with or without a byte-order mark.

    Parameters
    ----------
    content : bytes
        The decompressed file.
    source : str
        What messages call it.

    Returns
    -------
    Table
        Without blank lines.

    Raises
    ------
    UsageError
        If the text is not UTF-8, is empty, has no header (only numbers in the first line, or names
        that are empty or stand twice), no case below it, or a row of another length.

    Examples
    --------
    >>> parse_table(b"x,class\\n1,a\\n", "example.csv").header
    ('x', 'class')
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = content.count(b"\n", 0, exc.start) + 1
        raise UsageError(
            f"{source}: line {line} is not UTF-8 text; expected a CSV file in UTF-8; save or convert it as UTF-8"
        ) from None
    rows: list[list[str]] = []
    lines: list[int] = []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    start = 1
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if len(cells) > 1 or any(cells):
                rows.append(cells)
                lines.append(start)
            start = reader.line_num + 1
    except csv.Error as exc:
        raise UsageError(
            f"{source}: the row that starts on line {start} cannot be parsed ({exc}); "
            "expected comma-separated cells with closed double quotes; mend the quotes there"
        ) from None
    if not rows:
        raise UsageError(
            f"{source}: the file is empty; expected a header and one line a case; check that it was written whole"
        )
    header = rows[0]
    _check_header(header, source)
    if len(rows) == 1:
        raise UsageError(
            f"{source}: there is no case below the header; expected one line a case; check that it was written whole"
        )
    for cells, line in zip(rows[1:], lines[1:], strict=True):
        if len(cells) != len(header):
            raise UsageError(
                f"{source}: line {line} has {len(cells)} cells and the header has {len(header)}; "
                "expected as many as the header; mend that line (quote cells that hold a comma)"
            )
    columns = tuple(zip(*rows[1:], strict=True))
    return Table(source, tuple(header), columns, tuple(lines[1:]))


def _check_header(header: Sequence[str], source: str) -> None:
    expected = "expected a header with one distinct name a column"
    if len(header) == 1 and re.search(r"[;\t]", header[0]):
        raise UsageError(
            f"{source}: the header has semicolons or tabs but no comma; expected comma-separated values; "
            "save the file with commas"
        )
    if all(_number(cell) is not None for cell in header):
        raise UsageError(f"{source}: the first line holds only numbers; {expected}; add a line of column names on top")
    for j, cell in enumerate(header):
        if not cell:
            raise UsageError(f"{source}: column {j + 1} has no name; {expected}; name it in the first line")
        if cell in header[:j]:
            raise UsageError(
                f"{source}: columns {header.index(cell) + 1} and {j + 1} are both called {quoted(cell)}; "
                f"{expected}; rename one in the first line"
            )


def table_to_sample(
    table: Table,
    class_column: str,
    *,
    kinds: Mapping[str, str] | None = None,
    missing: Iterable[str] = (),
    drop: Collection[str] = (),
    name: str = "sample",
) -> Sample:
    """Make a sample of a table's text.

    Where no kind is stated, a column of numbers is ``integer`` if all are whole and ``continuous``
    otherwise, and any other column is ``nominal`` with its categories in sorted order.  A column where
    at least half of the known cells are numbers and some are text is refused: one stray cell would
    make categories of all the numbers.

    Parameters
    ----------
    table : Table
    class_column : str
    kinds : mapping of str to {"continuous", "integer", "nominal"}, optional
        Kinds of some or all attributes; the others are inferred.
    missing : iterable of str
        Cells that stand for a missing value, beside the empty one.
    drop : collection of str
        Columns to leave out.
    name : str
        The sample's name.

    Returns
    -------
    Sample

    Raises
    ------
    UsageError
        If the class column is unknown, has an empty cell or one class only; there is no attribute; a
        kind is unknown or is stated for no attribute; or a column has no known value or does not fit
        its kind.

    Examples
    --------
    >>> table = parse_table(b"id,x,class\\n1,5,a\\n2,?,b\\n", "example.csv")
    >>> table_to_sample(table, "class", missing=["?"], drop=["id"]).X.tolist()
    [[5.0], [nan]]
    """
    declared = dict(kinds or {})
    unknown = frozenset(["", *(token.strip() for token in missing)])
    _check_columns(table, class_column, drop)
    names = [c for c in table.header if c != class_column and c not in drop]
    if not names:
        raise UsageError(f"{table.source}: there is no attribute beside the class; expected at least one; add a column")
    _check_kinds(table, names, declared)
    labels = table.column(class_column)
    for label, line in zip(labels, table.lines, strict=True):
        if label in unknown:
            raise UsageError(
                f"{table.source}: line {line} has no class in column {quoted(class_column)}; "
                "expected a label for each case; fill it in or remove the line"
            )
    classes = sorted(set(labels))
    if len(classes) < 2:
        raise UsageError(
            f"{table.source}: all cases are of class {quoted(classes[0])}; expected at least two classes; "
            f"check that {quoted(class_column)} is the class column"
        )
    X = np.empty((len(labels), len(names)))
    attributes = []
    for j, column in enumerate(names):
        attribute, X[:, j] = _encode(table, column, declared.get(column), unknown)
        attributes.append(attribute)
    codes = {label: k for k, label in enumerate(classes)}
    y = np.array([codes[label] for label in labels], dtype=np.int64)
    return Sample(X, y, tuple(attributes), tuple(classes), name)


def _check_columns(table: Table, class_column: str, drop: Collection[str]) -> None:
    if class_column not in table.header:
        hint = ""
        if any(_number(cell) is not None for cell in table.header):
            hint = " (some names in the first line are numbers: is the header missing?)"
        raise UsageError(
            f"{table.source}: unknown class column {quoted(class_column)}; expected a name from the header{hint}; "
            + nearest(class_column, table.header)
        )
    for column in drop:
        if column not in table.header or column == class_column:
            what = "is the class column" if column == class_column else "is no column"
            raise UsageError(
                f"{table.source}: {quoted(column)}, to be dropped, {what}; expected names of attributes; "
                + nearest(column, [c for c in table.header if c != class_column])
            )


def _check_kinds(table: Table, names: Collection[str], declared: Mapping[str, str]) -> None:
    for column, kind in declared.items():
        if column not in names:
            raise UsageError(
                f"{table.source}: a kind is stated for {quoted(column)}, which is no attribute; "
                f"expected names of attributes; {nearest(column, names)}"
            )
        if kind not in get_args(Kind):
            raise UsageError(
                f"{table.source}: unknown kind {quoted(str(kind))} for {quoted(column)}; "
                f"expected one of {', '.join(get_args(Kind))}; {nearest(str(kind), get_args(Kind))}"
            )


def _encode(
    table: Table, column: str, declared: str | None, unknown: frozenset[str]
) -> tuple[Attribute, np.ndarray | list[float]]:
    """Turn one column's text into an attribute and its numbers."""
    cells = table.column(column)
    categories = tuple(sorted(set(cells) - unknown))
    where = f"{table.source}: column {quoted(column)}"
    if not categories:
        raise UsageError(
            f"{where} has no known value; expected at least one; remove the column or list it under 'drop'"
        )
    numbers = {cell: _number(cell) for cell in categories}
    if declared is None:
        declared = _inferred(table, column, numbers, unknown)
    if declared == "nominal":
        codes = {cell: float(k) for k, cell in enumerate(categories)}
        return Attribute(column, "nominal", categories), [codes.get(cell, np.nan) for cell in cells]
    for cell, line in zip(cells, table.lines, strict=True):
        if cell in unknown:
            continue
        value = numbers[cell]
        if value is None:
            raise UsageError(
                f"{where} is {declared} and holds {quoted(cell)} on line {line}; expected numbers; "
                f"mend the cell, list {quoted(cell)} under 'missing', or declare the column nominal"
            )
        if declared == "integer" and value != math.floor(value):
            raise UsageError(
                f"{where} is integer and holds {quoted(cell)} on line {line}; expected whole numbers; "
                "mend the cell or declare the column continuous"
            )
    values = [np.nan if cell in unknown else cast(float, numbers[cell]) for cell in cells]
    return Attribute(column, cast(Kind, declared)), values


def _inferred(table: Table, column: str, numbers: Mapping[str, float | None], unknown: frozenset[str]) -> str:
    """Infer a column's kind from its known values, or refuse where text stands among numbers."""
    known = [v for v in numbers.values() if v is not None]
    if len(known) == len(numbers):
        return "integer" if all(v == math.floor(v) for v in known) else "continuous"
    cells = table.column(column)
    stray = [i for i, cell in enumerate(cells) if cell not in unknown and numbers[cell] is None]
    n_known = sum(cell not in unknown for cell in cells)
    if 2 * len(stray) > n_known:
        return "nominal"
    first = stray[0]
    raise UsageError(
        f"{table.source}: column {quoted(column)} holds {quoted(cells[first])} on line {table.lines[first]} among "
        f"numbers ({len(stray)} of {n_known} known cells are text); expected numbers only, or a stated kind; mend the "
        f"cell, list {quoted(cells[first])} under 'missing', or declare the column nominal"
    )


def write_csv(sample: Sample, path: str | os.PathLike[str], *, class_column: str = "class") -> None:
    """Write a sample as CSV: categories as text, missing values empty, the class last.

    The file appears whole or not at all.  ``read_csv`` gives the sample back if the kinds are
    stated (whole numbers of a continuous attribute look like integers) and every class and category
    has a case.

    Parameters
    ----------
    sample : Sample
    path : path-like
        Compressed, without a time stamp, if it ends with ``.gz``.  A regular file there is replaced.
    class_column : str
        Header of the class column.

    Raises
    ------
    UsageError
        If two columns would have one name, a name or category is empty or has blanks around it (it
        would not come back), or the path is no regular file or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> sample = Sample.from_arrays([[1.5], [2.0]], ["a", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_csv(sample, Path(folder) / "example.csv")
    ...     print((Path(folder) / "example.csv").read_text())
    x1,class
    1.5,a
    2.0,b
    <BLANKLINE>
    """
    place = Path(path)
    header = [a.name for a in sample.attributes] + [class_column]
    if len(set(header)) < len(header):
        twice = next(h for j, h in enumerate(header) if h in header[:j])
        raise UsageError(
            f"{sample.name}: two columns would be called {quoted(twice)}; expected distinct names; "
            "choose another class_column or rename an attribute"
        )
    for text in (*header, *sample.classes, *(c for a in sample.attributes for c in a.categories)):
        if not text or text != text.strip():
            raise UsageError(
                f"{sample.name}: the name or category '{' '.join(text.split())}' is empty or has blanks around it; "
                "expected text that reads back as itself; rename it"
            )
    columns = [_texts(sample.X[:, j], attribute) for j, attribute in enumerate(sample.attributes)]
    columns.append([sample.classes[k] for k in sample.y])
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(zip(*columns, strict=True))
    content = out.getvalue().encode("utf-8")
    if place.name.endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    write_output(place, content)


def _texts(values: np.ndarray, attribute: Attribute) -> list[str]:
    if attribute.kind == "nominal":
        return ["" if math.isnan(v) else attribute.categories[int(v)] for v in values]
    if attribute.kind == "integer":
        return ["" if math.isnan(v) else str(int(v)) for v in values]
    return ["" if math.isnan(v) else repr(float(v)) for v in values]
