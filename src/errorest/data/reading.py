"""Read a CSV file."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from errorest.data.columns import MISSING
from errorest.data.sample import Sample
from errorest.data.sets import CLASS_COLUMN
from errorest.data.tables import read_table, table_to_sample
from errorest.errors import UsageError, quoted


class ReadingWarning(UserWarning):
    """Of a file that was read, what was left out, converted or detected."""


def read_csv(
    path: str | os.PathLike[str],
    class_column: str | None = None,
    *,
    kinds: Mapping[str, str] | None = None,
    missing: Iterable[str] | None = None,
    drop: Collection[str] | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    quiet: bool = False,
) -> Sample:
    """Read a sample from a CSV file with a header.

    Separator (comma, semicolon, tab, bar), decimal sign and encoding (a byte-order mark, UTF-8, else Windows-1252) are
    detected where they are not stated.  A column of numbers is ``integer`` if all are whole and ``continuous``
    otherwise; any other column is ``nominal`` with its categories in sorted order.  Indexes, identifiers, dates,
    free text and empty columns are left out, numbers with signs (``20,000``, ``45%``) converted, by the rules of
    :mod:`errorest.data.columns`; a stated kind goes before them.  The sample's ``read_report`` lists all of it.

    Parameters
    ----------
    path : path-like
        Plain or compressed with gzip.
    class_column : str, optional
        By default the column called ``class``.
    kinds : mapping of str to {"continuous", "integer", "nominal"}, optional
        Kinds of some attributes.  A class column called nominal may hold many numbers.
    missing : iterable of str, optional
        Cells that are missing, besides the empty one; by default ``?``, ``NA``, ``nan``, ``null`` and their usual
        spellings.
    drop : collection of str, optional
        Columns to leave out.
    sep, decimal, encoding : str, optional
        What parts cells (a character, or ``comma``, ``semicolon``, ``tab``, ``bar``, ``space``), the decimal sign
        (``.`` or ``,``), and what the text is written in.
    quiet : bool
        Do not warn; the caller prints ``read_report``.

    Returns
    -------
    Sample
        Named after the file; attributes in the order of the columns, classes sorted as text.

    Raises
    ------
    UsageError
        If the file cannot be read or understood (see :func:`~errorest.data.tables.read_table`), the class column is
        unknown, has an empty cell, one class only or the many numbers of a measurement, or a column does not fit its
        kind.

    Warns
    -----
    ReadingWarning
        Of columns that were left out or converted, and of a separator, decimal sign or encoding that is not a comma, a
        point or UTF-8 and was not stated.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "example.csv"
    ...     _ = path.write_text("height,colour,class\\n1.5,red,a\\nNA,blue,b\\n")
    ...     sample = read_csv(path)
    >>> [(a.name, a.kind) for a in sample.attributes], sample.X.tolist()
    ([('height', 'continuous'), ('colour', 'nominal')], [[1.5, 1.0], [nan, 0.0]])
    """
    place = Path(path)
    table = read_table(place, sep=sep, encoding=encoding)
    if class_column is None and CLASS_COLUMN not in table.header:
        shown = ", ".join(map(quoted, table.header[:8])) + (", ..." if len(table.header) > 8 else "")
        lacks = "no class column is named and no column is called 'class'"
        raise UsageError(f"{place}: {lacks}; expected one of {shown}; name it")
    sample = table_to_sample(
        table,
        CLASS_COLUMN if class_column is None else class_column,
        kinds=kinds or {},
        missing=MISSING if missing is None else missing,
        drop=tuple(drop or ()),
        decimal=decimal,
        name=place.name.removesuffix(".gz").removesuffix(".csv"),
    )
    if not quiet and (read := sample.read_report) is not None:
        unusual = None in (sep, decimal, encoding) and read.taken[1] != "separator comma, decimal point, UTF-8"
        report = [read.taken[1]] if unusual else []
        report += [*read.notes, *(text for text in read.taken[2:] if not text.startswith("missing"))]
        if report:
            warnings.warn(f"{read.source}: {'; '.join(report)}", ReadingWarning, stacklevel=2)
    return sample
