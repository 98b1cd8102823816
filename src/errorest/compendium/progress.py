"""One bar for a whole command: what is at hand, the share done, the time left.

The time left starts from the steps' usual seconds and turns to what this run
has shown.  On a terminal the line is rewritten; elsewhere a line comes now
and then.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from threading import Lock

__all__ = ["Bar"]

_WIDTH = 24
_EVERY = {True: 0.2, False: 20.0}


class Bar:
    """Progress over several steps, told from any thread.

    Parameters
    ----------
    seconds : sequence of float
        Usual seconds of each step, all workers counted in.
    """

    def __init__(self, seconds: Sequence[float]) -> None:
        self._seconds = list(seconds)
        self._shares = [0.0] * len(self._seconds)
        self._start = time.monotonic()
        self._shown = float("-inf")
        self._terminal = sys.stderr.isatty()
        self._lock = Lock()
        self._text = "starting"
        self._show(force=True)

    def skip(self, step: int) -> None:
        """Count a step as done before the start."""
        with self._lock:
            self._seconds[step] = 0.0
            self._shares[step] = 1.0

    def say(self, text: str) -> None:
        """Name what is at hand."""
        with self._lock:
            self._text = text
        self._show(force=self._terminal)

    def report(self, step: int, share: float) -> None:
        """Tell how much of a step is done, 0 to 1."""
        with self._lock:
            self._shares[step] = max(self._shares[step], min(1.0, share))
        self._show()

    def close(self) -> None:
        """Write the last state and leave the line."""
        self._show(force=True)
        if self._terminal:
            sys.stderr.write("\n")
            sys.stderr.flush()

    def _show(self, force: bool = False) -> None:
        now = time.monotonic()
        with self._lock:
            if not force and now - self._shown < _EVERY[self._terminal]:
                return
            self._shown = now
            total = sum(self._seconds)
            done = sum(s * t for s, t in zip(self._shares, self._seconds, strict=True))
            share = done / total if total else 1.0
            gone = now - self._start
            # the usual seconds count less the more of this run has been seen
            left = (1 - share) * ((1 - share) * total + share * (gone / share if share > 0 else total))
            filled = round(_WIDTH * share)
            bar = ("█" * filled + "·" * (_WIDTH - filled)) if self._terminal else ""
            line = f"{self._text:<40.40} {bar} {100 * share:3.0f} %  {_clock(gone)} gone, about {_clock(left)} left"
            sys.stderr.write(f"\r{line}" if self._terminal else f"{line}\n")
            sys.stderr.flush()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(max(0.0, seconds)), 60)
    return f"{minutes}:{rest:02d}"
