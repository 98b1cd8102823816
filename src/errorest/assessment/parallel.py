"""A function of many items, by workers where that is faster."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from errorest.assessment.threads import limited

__all__ = ["WORTH_WORKERS", "map_items"]

WORTH_WORKERS = 4.0
"""Seconds of remaining work from which workers are started, which import the libraries first."""


def map_items(
    function: Callable[[Any], Any],
    items: Iterable[Any],
    n_jobs: int,
    threads: int | None = 1,
    progress: Callable[[], None] | None = None,
) -> list[Any]:
    """Apply a function to items in order; the first ones are timed here before workers take the rest."""
    if n_jobs > 1:
        items = list(items)
    results: list[Any] = []
    began = time.perf_counter()
    for done, item in enumerate(items):
        if isinstance(items, list) and done > 1:
            left = len(items) - done
            # the first call may compile or import
            if left * (time.perf_counter() - began) / (done - 1) > WORTH_WORKERS:
                return results + _by_workers(function, items[done:], n_jobs, threads, progress)
        results.append(function(item))
        if done == 0:
            began = time.perf_counter()
        if progress is not None:
            progress()
    return results


def _by_workers(
    function: Callable[[Any], Any],
    items: Sequence[Any],
    n_jobs: int,
    threads: int | None,
    progress: Callable[[], None] | None,
) -> list[Any]:
    from joblib import Parallel, delayed

    size = max(1, -(-len(items) // (8 * n_jobs)))
    chunks = [items[first : first + size] for first in range(0, len(items), size)]
    results: list[Any] = []
    made = Parallel(n_jobs=n_jobs, return_as="generator")(delayed(_chunk)(function, c, threads) for c in chunks)
    for values in made:
        results += values
        if progress is not None:
            for _ in values:
                progress()
    return results


def _chunk(function: Callable[[Any], Any], items: Sequence[Any], threads: int | None) -> list[Any]:
    with limited(threads):
        return [function(item) for item in items]
