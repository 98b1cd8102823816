"""Which notebooks of a build run at the same time, and how all of them end when one fails."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Condition

from compendium.studies.workers import number_of_jobs

__all__ = ["Turns", "side_by_side"]

_PAIR = 2
"""Heavy notebooks at a time: what one does without workers leaves a core to the other."""


class _StoppedError(Exception):
    """Another notebook failed, or somebody interrupted."""


class Turns:
    """The order of notebooks: heavy ones in pairs or alone, the light ones once no heavy one waits."""

    def __init__(self, heavy: Sequence[int], light: Sequence[int], *, pairs: bool) -> None:
        self._heavy, self._light = deque(heavy), deque(light)
        self._pairs = pairs
        self._running = 0
        self._stopped = False
        self._changed = Condition()

    def take(self) -> tuple[int, bool] | None:
        """Wait for the next turn; return the notebook and whether it is heavy, or None where none is left."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or self._is_free())
            if self._stopped or not (self._heavy or self._light):
                return None
            heavy = bool(self._heavy)
            self._running += heavy
            return (self._heavy if heavy else self._light).popleft(), heavy

    def _is_free(self) -> bool:
        return self._running < (_PAIR if self._pairs else 1) or (self._pairs and not self._heavy)

    def done(self, heavy: bool) -> None:
        """Say that a notebook has ended."""
        with self._changed:
            self._running -= heavy
            self._changed.notify_all()

    def stop(self) -> None:
        """Hand out nothing more."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def goes_on(self) -> None:
        """Return as long as nobody has stopped it."""
        if self._stopped:
            raise _StoppedError


def side_by_side(one: Callable[[int, bool, Callable[[], None]], None], turns: Turns, jobs: int) -> None:
    """Run notebooks in threads of their own; where one fails, the others are ended too.

    Each computes in a process of its own: more of them than cores would only take memory.
    """
    at_once = max(1, min(jobs, max(_PAIR, number_of_jobs(-1))))

    def work() -> None:
        while (turn := turns.take()) is not None:
            try:
                one(*turn, turns.goes_on)
            finally:
                turns.done(turn[1])

    with ThreadPoolExecutor(max_workers=at_once) as pool:
        threads = [pool.submit(work) for _ in range(at_once)]
        try:
            wait(threads, return_when=FIRST_EXCEPTION)
            failed = [thread.exception() for thread in threads if thread.done()]
        finally:
            turns.stop()
    for error in failed:
        if error is not None:
            raise error
