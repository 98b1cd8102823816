"""Claims: what a process is about to compute, told to others that use the same store.

Processes that want the same chunks at once would each compute them, to the same bytes.  A claim is a lock on one byte
of a file, at a place that the chunk's key names; it goes with the process, however it ends.
"""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

__all__ = ["Claims"]

_DIGITS = 15
"""Hexadecimal digits of a key that fit into a place in a file."""


class Claims:
    """The claims of this process in one file; to be closed, which gives all of them back.

    Threads of one process do not see one another's claims, and where nothing can be locked all are granted: then
    equal chunks are computed twice, as they would be without.
    """

    def __init__(self, path: Path | None) -> None:
        self._file: int | None = None
        if path is not None:
            try:
                self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except OSError:
                return

    def take(self, key: str) -> bool:
        """Claim a chunk by its key; tell whether no other process has it."""
        if self._file is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, int(key[:_DIGITS], 16))
        except OSError as exc:
            return exc.errno not in (errno.EACCES, errno.EAGAIN)
        return True

    def close(self) -> None:
        """Give everything back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
