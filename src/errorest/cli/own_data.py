"""How commands read the user's data."""

from __future__ import annotations

import argparse
import csv
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errorest import extras
from errorest.cli.output import say
from errorest.errors import UsageError, nearest
from errorest.files import check_output

if TYPE_CHECKING:
    from errorest.data.sample import Sample


def seed(text: str) -> int:
    """Read a seed."""
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{value} is below 0")
    return value


def cells(text: str) -> list[str]:
    """Read cells, or names of columns, as a line of a CSV file."""
    try:
        rows = list(csv.reader([text], strict=True, skipinitialspace=True))
    except csv.Error:
        rows = []
    if len(rows) > 1 or (text.strip() and not rows):
        raise argparse.ArgumentTypeError(f"'{text}' cannot be read; write, say, a,b")
    return [item.strip() for row in rows for item in row]


def metrics(text: str) -> str | list[str]:
    """Read a metric, costs, or several metrics with commas between them."""
    from errorest.spec import name_and_settings

    names = [one.strip() for one in re.split(r",(?![^(]*\))", text)]
    costs = any("=" in (name_and_settings(one) or (one,))[0] for one in names)
    return text if costs or len(names) == 1 else names


def by_column(option: str, stated: Sequence[str], wanted: str) -> dict[str, str]:
    """Read what was stated of columns, as NAME=VALUE."""
    results: dict[str, str] = {}
    for text in stated:
        column, _, value = text.rpartition("=")
        if not column or not value:
            raise UsageError(f"{option} '{text}' cannot be read; write {wanted}")
        if results.setdefault(column, value) != value:
            raise UsageError(f"{option} was given twice for '{column}'; leave one out")
    return results


def reading_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what was stated, as :func:`~errorest.data.reading.read_csv` takes it."""
    stated = {key: getattr(arguments, key) for key in ("sep", "decimal", "encoding", "missing", "drop")}
    if arguments.kind is not None:
        stated["kinds"] = by_column("--kind", arguments.kind, "COLUMN=nominal, =continuous or =integer")
    return {key: value for key, value in stated.items() if value is not None}


def read_sample(arguments: argparse.Namespace, *, also: Mapping[str, str] | None = None) -> Sample:
    """Read the file that the arguments name."""
    from errorest.data.reading import read_csv

    options = reading_options(arguments)
    options["kinds"] = {**options.get("kinds", {}), **(also or {})}
    return read_csv(arguments.data, arguments.target, **options, quiet=True)


def read_columns(
    arguments: argparse.Namespace, labels: Mapping[str, str], predictions: Sequence[str]
) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """Read columns of labels, by what each is for, and columns of predictions; a decimal comma is one of the latter."""
    from errorest.data.columns import MISSING, decimal_of
    from errorest.data.labels import numbers_of_texts
    from errorest.data.tables import read_table

    table = read_table(arguments.data, sep=arguments.sep, encoding=arguments.encoding)
    unknown = {"", *(token.strip() for token in (MISSING if arguments.missing is None else arguments.missing))}
    for column in (*labels.values(), *predictions):
        if column not in table.header:
            expected = f"expected one of {', '.join(table.header)}"
            raise UsageError(f"{table.source} has no column '{column}'; {expected}", nearest(column, table.header))
        table.require_cells(column, unknown, "value")
    if len(set(predictions)) < len(predictions):
        raise UsageError(f"a column of predictions was named twice: {', '.join(predictions)}", "leave one out")
    texts = {column: table.column(column) for column in predictions}
    decimal = decimal_of(arguments.decimal, list(texts.values()), unknown, table.separator == "comma", table.source)
    return (
        {name: numbers_of_texts(table.column(column)) for name, column in labels.items()},
        {column: numbers_of_texts(cells, decimal) for column, cells in texts.items()},
    )


def check_page(arguments: argparse.Namespace) -> None:
    """Check that a page can be drawn and written, if one is asked for."""
    several = isinstance(arguments.scoring, list)
    if several and (arguments.html is not None or arguments.methods):
        raise UsageError("--html and --methods describe one metric", "name one with --scoring")
    if arguments.html is not None:
        extras.require("plot", "--html")
        check_output(arguments.html, inputs=[arguments.data, Path(arguments.scoring)], force=arguments.force)


def say_understood(sample: Sample) -> None:
    """Print the columns as they were understood on standard error."""
    if sample.read_report is not None:
        say(f"columns as understood in {sample.read_report}\n", sys.stderr)


def read_problem(arguments: argparse.Namespace) -> tuple[Sample, dict[str, Any]]:
    """Read the data and the columns of groups and strata, and check what can be checked before anything is fitted."""
    from dataclasses import replace

    check_page(arguments)
    on_path()
    stratify = getattr(arguments, "stratify", None)
    stated = {"groups": arguments.groups, "stratify": None if stratify == "class" else stratify}
    named = {what: column for what, column in stated.items() if column is not None}
    sample = read_sample(arguments, also=dict.fromkeys(named.values(), "nominal"))
    say_understood(sample)
    columns = {what: _texts_of(sample, what, column) for what, column in named.items()}
    if arguments.groups is not None:
        # who a case belongs to says nothing of a new one
        selected = [j for j, a in enumerate(sample.attributes) if a.name != arguments.groups]
        if not selected:
            raise UsageError(f"{arguments.data} has no attribute beside the groups; name another group column")
        sample = replace(sample, X=sample.X[:, selected], attributes=tuple(sample.attributes[j] for j in selected))
    return sample, {"stratify": stratify, **columns}


def on_path() -> None:
    """Let a module of the person's own be found where they are; it takes the place of no installed one."""
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def _texts_of(sample: Sample, what: str, name: str) -> tuple[str, ...]:
    """Return the cells of a column that names groups or strata."""
    import numpy as np

    j = next((j for j, a in enumerate(sample.attributes) if a.name == name), None)
    if j is None or sample.read_report is None:
        raise UsageError(f"--{what} '{name}' is the class column; expected another column; name an attribute")
    values, attribute = sample.X[:, j], sample.attributes[j]
    if attribute.kind != "nominal":
        raise UsageError(f"--{what} '{name}' is stated to hold numbers; expected names of {what}; leave out its --kind")
    if np.isnan(values).any():
        line = sample.read_report.lines[int(np.isnan(values).argmax())]
        raise UsageError(
            f"{sample.read_report.source}: line {line} has no value of '{name}', which names {what}; fill it in"
        )
    return tuple(attribute.categories[int(v)] for v in values)
