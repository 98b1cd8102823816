"""Worker processes end with the process that started them, however that one ended.

A killed process tells its workers nothing: they would keep their memory and the standard output that they inherited,
so that its reader waits for ever.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from functools import cache

_PR_SET_PDEATHSIG = 1
_POLL_SECONDS = 0.5


def is_main_thread() -> bool:
    """Whether this is the main thread, which lives as long as the process."""
    return threading.current_thread() is threading.main_thread()


@cache
def begin_worker(parent: int, from_main: bool) -> None:
    """Make a worker process end when its parent ends, even by kill -9; what a pool calls first in each of its workers.

    Parameters
    ----------
    parent : int
        The number of the process that starts the workers; in that process itself, nothing is done.
    from_main : bool
        Whether the parent's main thread starts its workers.

    Examples
    --------
    >>> begin_worker(os.getpid(), True)  # this process is no worker of its own
    """
    if os.getpid() == parent:
        return
    if os.getppid() != parent:
        os._exit(1)  # it has ended already

    def poll() -> None:
        while os.getppid() == parent:
            time.sleep(_POLL_SECONDS)
        os._exit(1)

    threading.Thread(target=poll, daemon=True).start()
    # at once, also from within compiled code; Linux sends the signal when the starting thread ends
    if from_main and sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
