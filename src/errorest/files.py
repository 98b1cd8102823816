"""Write a file whole or not at all, and never over something that a person may want to keep."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from errorest.errors import UsageError

# In the head of every page of ours: such a file may be overwritten
PAGE_MARK = '<meta name="generator" content="errorest">'

_STREAM = re.compile(r"/dev/(stdout|stderr|null)|/(?:dev|proc/self)/fd/(\d+)")
_KINDS = {stat.S_IFLNK: "a symbolic link", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a folder"}
_LONGEST = 40


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a temporary file and rename it: a reader sees the old file or the whole new one."""
    with replacing(Path(path)) as temporary:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path that is renamed to ``path`` at the end, and removed after a failure."""
    temporary = unfinished(path)
    try:
        yield temporary
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def unfinished(path: Path) -> Path:
    """Return a hidden random name in the same folder, for a file or folder that is to become ``path``."""
    return path.with_name(f".{path.name[:_LONGEST]}.{uuid4().hex[:12]}.tmp")


def check_output(
    path: str | os.PathLike[str], *, inputs: Iterable[str | os.PathLike[str]] = (), force: bool = False
) -> None:
    """Refuse to overwrite an input, what is no regular file, or without ``force`` a file; streams may be written to."""
    place = Path(path)
    for source in inputs:
        same = False
        with suppress(OSError, ValueError):
            same = os.path.samefile(place, source)
        if same:
            raise _refused(f"{place} is read from")
    if _STREAM.fullmatch(str(place)):
        return
    _check_regular(place)
    if not place.parent.is_dir() or not os.access(place.parent, os.W_OK | os.X_OK):
        raise _refused(f"{place} cannot be written: its folder is missing or not writable")
    if os.path.lexists(place) and not force:
        head = b""
        with suppress(OSError), open(place, "rb") as handle:
            head = handle.read(4096)
        if PAGE_MARK.encode() not in head:
            raise UsageError(f"{place} exists", "choose another path, or overwrite it with --force")


def _refused(problem: str) -> UsageError:
    return UsageError(problem, "choose another path")


def _check_regular(place: Path) -> None:
    try:
        kind = stat.S_IFMT(place.lstat().st_mode)
    except FileNotFoundError:
        kind = stat.S_IFREG
    except (OSError, ValueError) as exc:  # a path with a null character is a ValueError
        raise _refused(f"{place} cannot be written ({getattr(exc, 'strerror', None) or exc})") from None
    if not place.name:
        kind = stat.S_IFDIR
    if kind != stat.S_IFREG:
        raise _refused(f"{place} is {_KINDS.get(kind, 'a device')}, not a regular file")


def write_output(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a regular file whole or not at all, or write to a stream."""
    place = Path(path)
    stream = _STREAM.fullmatch(str(place))
    try:
        if stream is None:
            _check_regular(place)
            write_whole(place, content)
            return
        if stream[1] == "null":
            descriptor = os.open(place, os.O_WRONLY | os.O_CLOEXEC)
        else:
            # at the position of the stream, after what was printed
            for printed in (sys.stdout, sys.stderr):
                if printed is not None:
                    printed.flush()
            descriptor = os.dup({"stdout": 1, "stderr": 2}[stream[1]] if stream[1] else int(stream[2]))
        with open(descriptor, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    except BrokenPipeError:
        raise
    except OSError as exc:
        raise _refused(f"{place} cannot be written ({exc.strerror})") from None
