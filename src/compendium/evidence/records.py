"""Rows of a table as records with named fields, for sentences and checks that go row by row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # what is recognized in half a second must not import it
    import pandas as pd

Values = dict[str, Any]
"""Values by name: a row, a manifest, what a file of YAML says, how something is drawn."""

Fields = Mapping[str, Any]
"""The same, to be read alone."""

T = TypeVar("T")


def dicts(table: pd.DataFrame) -> list[Values]:
    """Return the rows as mappings, for columns whose names are no words."""
    return [{str(key): value for key, value in row.items()} for row in table.to_dict("records")]


def distinct(values: Iterable[T]) -> list[T]:
    """Return the values without repetitions, in the order in which they first occur."""
    return list(dict.fromkeys(values))


def parts(table: pd.DataFrame, *columns: str) -> dict[Any, pd.DataFrame]:
    """Return the parts of a table by the values of some columns, in the order in which these first occur.

    The key is the value of one column, or a tuple of several.
    """
    by: Any = columns[0] if len(columns) == 1 else list(columns)
    return dict(iter(table.groupby(by, sort=False)))


def matching(table: pd.DataFrame, **values: Any) -> pd.DataFrame:
    """Return the rows whose columns have the given values."""
    for column, value in values.items():
        table = table[table[column] == value]
    return table


def printed_values(published: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return the printed numbers of some rows of ``data/published/`` by row and column."""
    return {(r.row, r.column): float(r.value) for r in each(published)}


def each(table: pd.DataFrame) -> list[Any]:
    """Return the rows as named tuples, in order."""
    return list(table.itertuples(index=False))
