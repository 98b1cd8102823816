"""Claims: what a process is about to compute, told to others that use the same store.

Processes that want the same chunks at once would each compute them, to the same bytes.  A claim is a lock on one byte
of a file, at a place that the chunk's key names; it goes with the process, however it ends.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from pathlib import Path

__all__ = ["Claims"]

_DIGITS = 15
"""Hexadecimal digits of a key that fit into a place in a file."""


class Claims:
    """Claims in one file; to be closed, which gives all of them back.

    The locks are those of the opened file: unlike a process's own they outlast another opening and closing of it.
    Where nothing can be locked all are granted: then equal chunks are computed twice, as they would be without.
    """

    def __init__(self, path: Path | None) -> None:
        self._file: int | None = None
        if path is not None:
            try:
                self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except OSError:
                return

    def take(self, key: str) -> bool:
        """Claim a chunk by its key; tell whether nobody else has it."""
        if self._file is None:
            return True
        # struct flock: type, whence, start, length, process
        lock = struct.pack("hhqqi0q", fcntl.F_WRLCK, os.SEEK_SET, int(key[:_DIGITS], 16), 1, 0)
        try:
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, lock)
        except OSError as exc:
            return exc.errno not in (errno.EACCES, errno.EAGAIN)
        return True

    def close(self) -> None:
        """Give everything back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
