"""Rows of a table as records with named fields, for sentences and checks that go row by row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import pandas as pd

__all__ = ["dicts", "distinct", "each", "largest", "matching", "parts", "printed_values", "smallest"]

T = TypeVar("T")


def dicts(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as mappings, for columns whose names are no words.

    Examples
    --------
    >>> dicts(pd.DataFrame({"in the file": [10, 20]}))
    [{'in the file': 10}, {'in the file': 20}]
    """
    return [{str(key): value for key, value in row.items()} for row in table.to_dict("records")]


def distinct(values: Iterable[T]) -> list[T]:
    """Return the values without repetitions, in the order in which they first occur.

    Examples
    --------
    >>> distinct(["b", "a", "b"])
    ['b', 'a']
    """
    return list(dict.fromkeys(values))


def parts(table: pd.DataFrame, *columns: str) -> dict[Any, pd.DataFrame]:
    """Return the parts of a table by the values of some columns, in the order in which these first occur.

    The key is the value of one column, or a tuple of several.

    Examples
    --------
    >>> list(parts(pd.DataFrame({"set": ["b", "a", "b"], "n": [1, 2, 3]}), "set"))
    ['b', 'a']
    """
    by: Any = columns[0] if len(columns) == 1 else list(columns)
    return dict(iter(table.groupby(by, sort=False)))


def matching(table: pd.DataFrame, **values: Any) -> pd.DataFrame:
    """Return the rows whose columns have the given values.

    Examples
    --------
    >>> matching(pd.DataFrame({"set": ["b", "a", "b"], "n": [1, 2, 3]}), set="b", n=3).index.tolist()
    [2]
    """
    for column, value in values.items():
        table = table[table[column] == value]
    return table


def printed_values(published: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return the printed numbers of some rows of ``data/published/`` by row and column.

    Examples
    --------
    >>> printed_values(pd.DataFrame({"row": ["iris"], "column": ["n"], "value": ["150"]}))
    {('iris', 'n'): 150.0}
    """
    return {(r.row, r.column): float(r.value) for r in each(published)}


def each(table: pd.DataFrame) -> list[Any]:
    """Return the rows as named tuples, in order.

    Examples
    --------
    >>> [r.n for r in each(pd.DataFrame({"n": [10, 20]}))]
    [10, 20]
    """
    return list(table.itertuples(index=False))


def largest(table: pd.DataFrame, column: str) -> Any:
    """Return the first row with the largest value of a column.

    Examples
    --------
    >>> largest(pd.DataFrame({"n": [10, 20], "at": ["a", "b"]}), "n").at
    'b'
    """
    return each(table.iloc[[int(table[column].to_numpy().argmax())]])[0]


def smallest(table: pd.DataFrame, column: str) -> Any:
    """Return the first row with the smallest value of a column.

    Examples
    --------
    >>> smallest(pd.DataFrame({"n": [10, 20], "at": ["a", "b"]}), "n").at
    'a'
    """
    return each(table.iloc[[int(table[column].to_numpy().argmin())]])[0]
