"""Rows of a table as records with named fields, for sentences and checks that go row by row."""

from __future__ import annotations

from typing import Any

import pandas as pd

__all__ = ["each", "largest", "smallest"]


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
