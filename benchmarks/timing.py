"""The one way in which benchmarks take time."""

from __future__ import annotations

import time
from collections.abc import Callable


def interleaved(*works: Callable[[], object], repeats: int = 3) -> list[float]:
    """Least processor seconds of each work, taken in turn so that a busy machine meets all alike.

    Each is called once before that is timed, since the first call compiles.
    """
    least = [float("inf")] * len(works)
    for work in works:
        work()
    for _ in range(repeats):
        for i, work in enumerate(works):
            began = time.process_time()
            work()
            least[i] = min(least[i], time.process_time() - began)
    return least


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Least processor seconds of one work."""
    return interleaved(work, repeats=repeats)[0]
