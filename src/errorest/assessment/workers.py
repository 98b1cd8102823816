"""A function of many items, by workers where that is faster; workers import this module and no engine."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from itertools import islice
from typing import Any

from errorest.processes import begin_worker, is_main_thread

Report = Callable[[int], None]
"""Receives the number of fits that have been done since the last report."""

# Seconds of remaining work from which workers are started, which import the libraries first
_WORTH_WORKERS = 4.0
# The share of that which is enough for workers that wait; joblib ends them after five minutes
_WORTH_WAITING, _WAITING_SECONDS = 1 / 8, 240.0
_last_used: dict[int, float] = {}


def limited(threads: int | None) -> AbstractContextManager[Any]:
    """Limit the threads of BLAS and OpenMP inside a ``with`` block.

    They start a thread for every core, and small samples pay more for waiting than they save: one thread a worker is
    faster, and leaves the other cores to other workers.
    """
    return nullcontext() if threads is None else _controller(len(sys.modules)).limit(limits=threads)


@lru_cache(maxsize=1)
def _controller(modules: int) -> Any:
    """Find the libraries that have threads, again only after an import: that takes as long as some fits."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def map_items(
    function: Callable[[Any], Any],
    items: Iterable[Any],
    total: int,
    n_jobs: int,
    threads: int | None = 1,
    report: Report | None = None,
) -> list[Any]:
    """Apply a function to items in order; the first ones are timed here before workers take the rest."""
    items, results = iter(items), []
    began = time.perf_counter()
    waiting = n_jobs in _last_used and time.monotonic() - _last_used[n_jobs] < _WAITING_SECONDS
    worth = _WORTH_WORKERS * (_WORTH_WAITING if waiting else 1)
    for item in items:
        results.append(function(item))
        if report is not None:
            report(1)
        done = len(results)
        if done == 1:
            # the first call may compile or import
            began = time.perf_counter()
        elif n_jobs > 1 and (total - done) * (time.perf_counter() - began) / (done - 1) > worth:
            break
    else:
        return results
    from joblib import Parallel, delayed

    @delayed
    def of_chunk(chunk: list[Any]) -> list[Any]:
        with limited(threads):
            return [function(item) for item in chunk]

    size = max(1, -(-(total - len(results)) // (8 * n_jobs)))
    chunks = iter(lambda: list(islice(items, size)), [])
    ends = {"initializer": begin_worker, "initargs": (os.getpid(), is_main_thread())}
    for values in Parallel(n_jobs=n_jobs, return_as="generator", **ends)(map(of_chunk, chunks)):
        results += values
        if report is not None:
            report(len(values))
    _last_used[n_jobs] = time.monotonic()
    return results
