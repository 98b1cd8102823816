"""Work in a process of its own, and the end of processes that are no children of ours."""

import os
import select
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psutil


def run_python(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run an interpreter; return its status and what it printed."""
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, **options)


def in_a_child(work: Callable[[], Any]) -> int:
    """Start work in a process of its own; return its number."""
    pid = os.fork()
    if pid:
        return pid
    with suppress(BaseException):
        work()
        os._exit(0)
    os._exit(1)


def status_of(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def ends(pid: int) -> bool:
    """Wait until a process that is no child of ours has ended; after a minute, end it and say no."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        over = bool(select.select([descriptor], [], [], 60)[0])
    finally:
        os.close(descriptor)
    if not over:
        psutil.Process(pid).kill()
    return over
