"""Looking after a notebook that runs: what it says is passed on, its standstill is told, and its end is whole."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from compendium.book.forks import Forked

__all__ = ["Watch", "end_with_children", "lines_from"]

_TELL_MINUTES = 5.0
_told_once: set[str] = set()


class Watch:
    """Tell of a notebook that stands still, and say when it is to be ended."""

    def __init__(self, name: str, patience: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._patience = patience
        self._clock = clock
        self._last: Any = None
        self._since = clock()
        self._next = _TELL_MINUTES
        self.over = ""

    def look(self, state: Any) -> list[str]:
        """Look at what the notebook tells of itself; return lines to say."""
        now = self._clock()
        if state != self._last:
            self._last, self._since, self._next = state, now, _TELL_MINUTES
            return []
        minutes = (now - self._since) / 60
        if self._patience is not None and minutes >= self._patience:
            self.over = (
                f"notebook {self._name} finished nothing for {self._patience:g} minutes, as long as --patience allows; "
                "it was ended; finished chunks are kept, and the same command goes on from there"
            )
            return []
        if minutes < self._next:
            return []
        line = (
            f"{self._name}: nothing finished for {self._next:g} minutes; a chunk may be long, or a worker may hang: "
            "wait, or interrupt and start again (finished chunks are kept); --patience MINUTES ends it by itself"
        )
        self._next *= 2
        return [line]


def lines_from(path: Path) -> Iterator[list[str]]:
    """Yield, each time, the whole lines that were added to a file since; each line once in a command's life."""
    seen = 0
    while True:
        content = b""
        with suppress(OSError):
            content = path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        lines = whole[seen:].decode(errors="replace").splitlines()
        seen = len(whole)
        fresh = [line for line in dict.fromkeys(lines) if line not in _told_once]
        _told_once.update(fresh)
        yield fresh


def end_with_children(child: subprocess.Popen[Any] | Forked) -> None:
    """End a process and all that it started, even what hangs or has left its group."""
    family = [child.pid, *_descendants(child.pid)]
    child.kill()
    for pid in family[1:]:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    child.wait()


def _descendants(pid: int) -> list[int]:
    """List the processes that one started, and those that these started, where the kernel tells."""
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            for child in Path(f"/proc/{pid}/task/{task}/children").read_text().split():
                found += [int(child), *_descendants(int(child))]
    return found
