"""A process that ends when the one that started it ends.

It imports nothing of the library: what only waits for others begins at once.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time

__all__ = ["watch_parent"]

_ORPHAN_POLL_SECONDS = 0.5
_PR_SET_PDEATHSIG = 1


def watch_parent(parent: int, signal_on_death: bool) -> None:
    """Make this process end when its parent ends, even by kill -9."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets Ctrl-C and ends us itself
    if signal_on_death and sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    threading.Thread(target=_leave_when_orphaned, args=(parent,), name="watch-parent", daemon=True).start()


def _leave_when_orphaned(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_ORPHAN_POLL_SECONDS)
    os._exit(1)
