"""Options that say how a person's file is to be read, and the table that says how it was understood."""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from errorest.errors import UsageError

if TYPE_CHECKING:
    from errorest.data.sample import Sample

__all__ = ["read_sample", "reading_options", "say_understood"]

# Columns of a header that are read; the environment variable ERROREST_CSV_COLUMNS states another bound
MOST_COLUMNS = 20_000

_VARIABLE = "ERROREST_CSV_COLUMNS"


def reading_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what was stated, as :func:`~errorest.data.reading.read_csv` takes it."""
    results: dict[str, Any] = {
        key: getattr(arguments, key) for key in ("sep", "decimal", "encoding") if getattr(arguments, key) is not None
    }
    for key in ("missing", "drop"):
        if getattr(arguments, key) is not None:
            results[key] = [item for text in getattr(arguments, key) for item in _listed(text, key)]
    if arguments.kind is not None:
        results["kinds"] = _kinds(arguments.kind)
    return results


def _listed(text: str, key: str) -> list[str]:
    try:
        rows = list(csv.reader([text], strict=True, skipinitialspace=True))
    except csv.Error:
        rows = []
    if len(rows) > 1 or (text.strip() and not rows):
        raise UsageError(
            f"--{key} '{text}' cannot be read; expected texts with commas between them, in double quotes where they "
            f"hold commas; write, say, --{key} a,b"
        )
    return [item.strip() for row in rows for item in row]


def _kinds(stated: Sequence[str]) -> dict[str, str]:
    kinds: dict[str, str] = {}
    for text in stated:
        column, equals, kind = text.rpartition("=")
        if not equals or not column or not kind:
            raise UsageError(
                f"--kind '{text}' cannot be read; expected COLUMN=nominal, COLUMN=continuous or COLUMN=integer; write, "
                "say, --kind code=nominal"
            )
        if kinds.setdefault(column, kind) != kind:
            raise UsageError(f"--kind was given twice for '{column}'; expected one kind a column; leave one out")
    return kinds


def read_sample(arguments: argparse.Namespace, *, also: Mapping[str, str] | None = None) -> Sample:
    """Read the file that the arguments name."""
    from errorest.data.reading import read_csv

    _check_columns(arguments.data, arguments.sep, arguments.encoding)
    options = reading_options(arguments)
    options["kinds"] = {**options.get("kinds", {}), **(also or {})}
    return read_csv(arguments.data, arguments.target, **options, quiet=True)


def _check_columns(path: Any, sep: str | None, encoding: str | None) -> None:
    """Refuse a header that is wider than what is read in bounded time, before the table is parsed."""
    from errorest.data.text import quoted, read_bytes, text_of

    stated = os.environ.get(_VARIABLE, str(MOST_COLUMNS))
    if not (stated.isascii() and stated.isdigit() and len(stated) < 10 and int(stated) > 0):
        raise UsageError(
            f"{_VARIABLE} is {quoted(stated)}; expected a whole number of columns; correct the variable or unset it"
        )
    content = read_bytes(path)
    head = content[: content.find(b"\n")] if b"\n" in content else content
    if len(head) <= int(stated):
        return
    text = text_of(content, str(path), sep=sep, encoding=encoding)
    columns = text.content.partition("\n")[0].count(text.separator) + 1
    if columns > int(stated):
        raise UsageError(
            f"{path}: the header has {columns:,} columns; expected at most {int(stated):,}; choose some, or set "
            f"{_VARIABLE} to a larger number (reading takes time that grows with its square)"
        )


def say_understood(sample: Sample) -> None:
    """Print the columns as they were understood on standard error."""
    if sample.understood is not None:
        print(f"columns as understood in {sample.understood}\n", file=sys.stderr, flush=True)
