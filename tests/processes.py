"""Processes that are no children of the one that waits for their end."""

import os
import select

import psutil


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
