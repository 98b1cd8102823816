"""One bar for a whole command: what is at hand, the share done, the time left."""

from __future__ import annotations

import sys
from collections.abc import MutableMapping, Sequence
from threading import Lock
from typing import Any

from tqdm import tqdm

__all__ = ["Bar"]

_FORMAT = "{desc:<40.40} {bar:24} {percentage:3.0f} %  {elapsed} gone, about {remaining} left"
_EVERY = {True: 0.2, False: 20.0}
_TELLING = 0.02
"""The share that must be done before the time left is told: less says hours where minutes are left."""


class _Line(tqdm):
    """A line that does not guess the time left from next to nothing."""

    @property
    def format_dict(self) -> MutableMapping[str, Any]:
        """What the line is written from; without a rate the time left is a question mark."""
        told = super().format_dict
        if self.n < _TELLING * (self.total or 0):
            told["rate"] = 0
        return told


class Bar:
    """Progress over several steps, told from any thread."""

    def __init__(self, seconds: Sequence[float]) -> None:
        self._seconds = list(seconds)
        self._shares = [0.0] * len(self._seconds)
        self._lock = Lock()
        terminal = sys.stderr.isatty()
        self._bar = _Line(
            total=sum(self._seconds),
            desc="starting",
            bar_format=_FORMAT if terminal else f"{_FORMAT.replace(' {bar:24}', '')}\n",
            file=sys.stderr,
            mininterval=_EVERY[terminal],
            smoothing=0,
        )

    def skip(self, step: int) -> None:
        """Count a step as done before the start."""
        with self._lock:
            self._seconds[step] = 0.0
            self._bar.total = sum(self._seconds)

    def say(self, text: str) -> None:
        """Name what is at hand."""
        self._bar.set_description_str(text, refresh=sys.stderr.isatty())

    def report(self, step: int, share: float) -> None:
        """Tell how much of a step is done, 0 to 1."""
        with self._lock:
            before = self._shares[step]
            self._shares[step] = max(before, min(1.0, share))
            self._bar.update(self._seconds[step] * (self._shares[step] - before))

    @property
    def share(self) -> float:
        """What is done of the whole, 0 to 1."""
        return float(self._bar.n / self._bar.total) if self._bar.total else 1.0

    def close(self) -> None:
        """Write the last state and leave the line."""
        self._bar.close()
