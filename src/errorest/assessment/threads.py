"""How many threads a fit may take in the libraries below it.

BLAS and OpenMP start a thread for every core, and small samples pay more for waiting than they save: one thread a
worker is faster, and leaves the other cores to other workers.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from errorest.errors import UsageError

__all__ = ["checked_threads", "limited"]


def limited(threads: int | None) -> AbstractContextManager[Any]:
    """Limit the threads of BLAS and OpenMP inside a ``with`` block."""
    if threads is None:
        return nullcontext()
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=threads)


def checked_threads(threads: Any) -> int | None:
    """Check a number of threads."""
    if threads is None:
        return None
    import numpy as np

    if not isinstance(threads, int | np.integer) or isinstance(threads, bool) or threads < 1:
        raise UsageError(
            f"threads = {threads!r} was given; expected a whole number from 1, or None for what the libraries take"
        )
    return int(threads)
