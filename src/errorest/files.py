"""Writing a file so that it is there whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

__all__ = ["write_whole"]


def write_whole(path: str | os.PathLike[str], content: str | bytes, *, temporary: Path | None = None) -> None:
    """Write a file beside its place, flush it, and rename it; a reader sees the old file or the whole new one.

    Parameters
    ----------
    path : path-like
        Its folder must exist; an older file there is replaced.
    content : str or bytes
        Text is written as UTF-8.
    temporary : Path, optional
        Name of the unfinished file, in the same folder; by default a hidden one that no other writer has.

    Raises
    ------
    OSError
        If the folder cannot be written or the disk is full; nothing half-written is left.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "page.html", "<p>all of it</p>")
    ...     [(p.name, p.read_text()) for p in Path(folder).iterdir()]
    [('page.html', '<p>all of it</p>')]
    """
    place = Path(path)
    unfinished = temporary or place.with_name(f".{place.name}.{uuid4().hex}.tmp")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        try:
            rest = memoryview(content.encode() if isinstance(content, str) else content)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(unfinished, place)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
    folder = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
