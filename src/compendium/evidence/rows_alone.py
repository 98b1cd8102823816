"""Leaving out what stands beside an artifact's rows, while these are computed many times.

Reruns look at rows and at nothing else: claims, findings and errata of a rerun would be thrown away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec

__all__ = ["are_rows_alone", "beside_rows", "rows_alone"]

Given = ParamSpec("Given")
_ROWS_ALONE: ContextVar[bool] = ContextVar("rows alone", default=False)


@contextmanager
def rows_alone() -> Iterator[None]:
    """Have nothing but rows computed for a while: reruns, of which there are many, look at nothing else."""
    before = _ROWS_ALONE.set(True)
    try:
        yield
    finally:
        _ROWS_ALONE.reset(before)


def are_rows_alone() -> bool:
    """Tell whether nothing but rows is wanted, so that what only figures draw need not be computed."""
    return _ROWS_ALONE.get()


def beside_rows(function: Callable[Given, list[Any]]) -> Callable[Given, list[Any]]:
    """Declare that what a function lists (claims, checks, findings, errata) decides no row.

    It yields an empty list under :func:`rows_alone`.  The function runs no study: what reruns draw would change.
    """

    @wraps(function)
    def where_wanted(*args: Given.args, **kwargs: Given.kwargs) -> list[Any]:
        return [] if are_rows_alone() else function(*args, **kwargs)

    return where_wanted
