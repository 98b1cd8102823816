"""Writing a file so that it is there whole or not at all, and never over something that a person may want to keep.

:func:`check_output` decides what may be written over; :func:`write_whole` and :func:`replacing` write, :func:`held` is
the only lock.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from errorest.errors import UsageError

__all__ = [
    "PAGE_MARK",
    "at_work",
    "check_output",
    "discard",
    "held",
    "kept",
    "replacing",
    "unfinished",
    "working_folder",
    "write_output",
    "write_whole",
]

PAGE_MARK = '<meta name="generator" content="errorest">'
"""Stands in the head of every page of ours: such a file may be written over."""

_HEAD = 4096
_STREAM = re.compile(r"/dev/(stdout|stderr|null)|/(?:dev|proc/self)/fd/(\d+)")
_NUMBERS = {"stdout": 1, "stderr": 2}
_LONGEST = 40


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file beside its place and rename it; a reader sees the old file or the whole new one."""
    with replacing(Path(path)) as half:
        half.write_bytes(content.encode() if isinstance(content, str) else content)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a name to write a file to, which takes the place of ``path`` at the end; after a failure nothing is left."""
    half = unfinished(path)
    try:
        yield half
        os.replace(half, path)
    except BaseException:
        with suppress(OSError):
            half.unlink()
        raise


def unfinished(path: Path) -> Path:
    """Name a file or folder that is to become ``path``: hidden, beside it, and random."""
    return path.with_name(f".{path.name[:_LONGEST]}.{uuid4().hex[:12]}.tmp")


@contextmanager
def working_folder(path: Path) -> Iterator[Path]:
    """Make a hidden folder beside a path to work in, removed at the end; those of dead processes are removed first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    work = unfinished(path)
    with ExitStack() as stack:
        with held(path.parent):
            for left in {*_folders_of_work(path.parent)} - {*at_work(path.parent)}:
                shutil.rmtree(left, ignore_errors=True)
            work.mkdir()
            stack.enter_context(held(work))
        stack.callback(shutil.rmtree, work, ignore_errors=True)
        yield work


def at_work(folder: Path) -> list[Path]:
    """List the working folders in a folder whose processes live: they hold them."""
    return [work for work in _folders_of_work(folder) if _is_held(work)]


def _folders_of_work(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob(".*.tmp") if path.is_dir())


def _is_held(folder: Path) -> bool:
    """Whether a process holds a folder, or may hold it where there are no locks."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def kept(path: Path) -> bytes:
    """Read what an earlier process left for later ones; nothing where that is no file or cannot be read."""
    try:
        return path.read_bytes() if stat.S_ISREG(path.lstat().st_mode) else b""
    except OSError:
        return b""


def discard(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def check_output(
    path: str | os.PathLike[str], *, inputs: Iterable[str | os.PathLike[str]] = (), force: bool = False
) -> None:
    """Refuse to write where something would be lost.

    An input is never written over, under whatever name (a symbolic or hard link), and nothing that is no
    regular file.  A regular file is written over where it is a page of ours, or with ``force``.  Streams
    (``/dev/stdout``, ``/dev/stderr``, ``/dev/fd/N``, ``/dev/null``) are written to.
    """
    place = Path(path)
    for read in inputs:
        if _same(place, Path(read)):
            raise UsageError(f"{place} is read from; expected another file to write to; choose another path")
    if _is_stream(place):
        return
    _check_regular(place)
    folder = place.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(
            f"{place} cannot be written; expected a file in a folder that exists and is yours to write; choose another "
            "path"
        )
    if os.path.lexists(place) and not force and not _is_page(place):
        raise UsageError(
            f"{place} exists; expected a new file, or a page that errorest wrote; choose another path, or write over "
            "it with --force"
        )


def _same(place: Path, other: Path) -> bool:
    try:
        return os.path.samefile(place, other)
    except (OSError, ValueError):
        return False


def _is_stream(place: Path) -> bool:
    return _STREAM.fullmatch(str(place)) is not None


def _opened(stream: Path) -> int:
    """Open a stream of this process where it stands: after what was printed, and not from the start of a file."""
    named = _STREAM.fullmatch(str(stream))
    if named is None or named[1] == "null":
        return os.open(stream, os.O_WRONLY | os.O_CLOEXEC)
    for printed in (sys.stdout, sys.stderr):
        if printed is not None:
            printed.flush()
    return os.dup(_NUMBERS[named[1]] if named[1] else int(named[2]))


def _check_regular(place: Path) -> None:
    try:
        found = place.lstat().st_mode
    except FileNotFoundError:
        found = None
    except (OSError, ValueError) as exc:  # a path with a null character is a ValueError
        raise UsageError(
            f"{place} cannot be written ({getattr(exc, 'strerror', None) or exc}); expected the path of a file; choose "
            "another path"
        ) from None
    if not place.name or (found is not None and stat.S_ISDIR(found)):
        raise UsageError(f"{place} is a folder; expected the path of a file; name a file inside it")
    if found is not None and not stat.S_ISREG(found):
        kinds = {stat.S_IFLNK: "a symbolic link", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
        raise UsageError(
            f"{place} is {kinds.get(stat.S_IFMT(found), 'a device')}; expected a regular file, which can be replaced "
            "whole; choose another path, or write to /dev/stdout and redirect that"
        )


def _is_page(place: Path) -> bool:
    try:
        with open(place, "rb") as handle:
            return PAGE_MARK.encode() in handle.read(_HEAD)
    except OSError:
        return False


def write_output(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write what a person asked for: a regular file whole or not at all, a stream as it comes."""
    place = Path(path)
    try:
        if _is_stream(place):
            with open(_opened(place), "wb") as stream:
                stream.write(content.encode() if isinstance(content, str) else content)
        else:
            _check_regular(place)
            write_whole(place, content)
    except BrokenPipeError:
        raise
    except OSError as exc:
        raise UsageError(
            f"{place}: the file cannot be written ({exc.strerror}); expected a folder that exists, may be written to "
            "and has room; choose another path or free some space"
        ) from None


@contextmanager
def held(path: str | os.PathLike[str], refused: str = "") -> Iterator[None]:
    """Hold a folder, or a file made for this, so that of several processes one at a time does what follows.

    The lock goes with the process, however it ends; nothing is left that could be stale.  On a file system without
    locks nothing is held.
    """
    flags = os.O_RDONLY | os.O_DIRECTORY if os.path.isdir(path) else os.O_RDWR | os.O_CREAT
    descriptor = os.open(path, flags | os.O_CLOEXEC, 0o666)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (fcntl.LOCK_NB if refused else 0))
        except BlockingIOError:
            raise UsageError(refused) from None
        except OSError as exc:
            if exc.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.EBADF, errno.EINVAL):
                raise
        yield
    finally:
        os.close(descriptor)
