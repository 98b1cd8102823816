"""Writing a file so that it is there whole or not at all, and never over something that a person may want to keep.

:func:`check_output` decides what may be written over, :func:`errorest.folders.check_folder` for folders;
:func:`write_whole` is the only writer, :func:`held` the only lock.  What is unfinished has a name of
:func:`unfinished`, random and with its owner, so that :func:`sweep` removes what dead processes left and nothing else.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import shutil
import socket
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from uuid import uuid4

from errorest.errors import UsageError

__all__ = [
    "PAGE_MARK",
    "abandoned",
    "at_work",
    "check_output",
    "discard",
    "flush",
    "held",
    "kept",
    "owner",
    "read_regular",
    "sweep",
    "unfinished",
    "write_output",
    "write_whole",
]

PAGE_MARK = '<meta name="generator" content="errorest">'
"""Stands in the head of every page of ours: such a file may be written over."""

_HEAD = 4096
_STREAM = re.compile(r"/dev/(stdout|stderr|null)|/(?:dev|proc/self)/fd/(\d+)")
_NUMBERS = {"stdout": 1, "stderr": 2}
_UNFINISHED = re.compile(r"\..*\.(?P<owner>[0-9a-f]{12}\.[0-9]+\.[0-9]+)\.[0-9a-f]{12}\.tmp", re.DOTALL)
_LONGEST = 40


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file beside its place, flush it, and rename it; a reader sees the old file or the whole new one.

    Parameters
    ----------
    path : path-like
        Its folder must exist; an older file there is replaced.
    content : str or bytes
        Text is written as UTF-8.

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
    half = unfinished(place)
    try:
        descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        _write(descriptor, content, keep=True)
        os.replace(half, place)
    except BaseException:
        with suppress(OSError):
            half.unlink()
        raise
    flush(place.parent)


def flush(path: Path) -> None:
    """Make a file's content, or a folder's names, last beyond a loss of power."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_regular(path: Path) -> bytes | None:
    """Read a regular file whole; None for a link, a pipe or a device, which might lead anywhere or never end.

    Raises
    ------
    OSError
        If it is not there or cannot be read.

    Examples
    --------
    >>> read_regular(Path("/dev/zero")) is None
    True
    """
    if stat.S_ISLNK(path.lstat().st_mode):
        return None
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    with open(descriptor, "rb") as file:
        return file.read() if stat.S_ISREG(os.fstat(descriptor).st_mode) else None


def kept(path: Path) -> bytes:
    """Read what an earlier process left for later ones; nothing where it is no regular file or cannot be read.

    Examples
    --------
    >>> kept(Path("/dev/zero"))
    b''
    """
    try:
        return read_regular(path) or b""
    except OSError:
        return b""


def unfinished(path: Path) -> Path:
    """Name a file or folder that is to become ``path``: hidden, beside it, random, and with its owner.

    Examples
    --------
    >>> name = unfinished(Path("results/table.csv")).name
    >>> name.startswith(".table.csv."), owner() in name, name == unfinished(Path("results/table.csv")).name
    (True, True, False)
    """
    return path.with_name(f".{path.name[:_LONGEST]}.{owner()}.{uuid4().hex[:12]}.tmp")


def sweep(folder: Path) -> list[Path]:
    """Remove what is unfinished in a folder and whose owner lives no more.

    Returns
    -------
    list of Path
        What was removed; what may not be removed stays.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     mine = unfinished(Path(place) / "table.csv")
    ...     mine.touch()
    ...     sweep(Path(place)), mine.exists()
    ([], True)
    """
    removed = []
    for path, named in _unfinished_in(folder):
        if abandoned(named):
            with suppress(OSError):
                _remove(path)
                removed.append(path)
    return removed


def discard(path: Path) -> None:
    """Remove what lies at a path, whatever it is; it goes at once, and nobody meets half of it.

    Raises
    ------
    OSError
        If it may not be removed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     (Path(folder) / "made" / "of").mkdir(parents=True)
    ...     discard(Path(folder) / "made"), discard(Path(folder) / "made"), os.listdir(folder)
    (None, None, [])
    """
    aside = unfinished(path)
    with suppress(FileNotFoundError):
        os.rename(path, aside)
        # what cannot be removed now is swept at a later start
        with suppress(OSError):
            _remove(aside)


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def at_work(folder: Path) -> list[Path]:
    """List what is unfinished in a folder and whose owner lives, or may live."""
    return [path for path, named in _unfinished_in(folder) if not abandoned(named)]


def _unfinished_in(folder: Path) -> list[tuple[Path, str]]:
    """List what is unfinished in a folder, with its owner."""
    try:
        names = [_UNFINISHED.fullmatch(name) for name in sorted(os.listdir(folder))]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [(folder / name[0], name["owner"]) for name in names if name]


def owner() -> str:
    """Name this process so that another one can tell whether it still lives: machine, process number, start.

    Examples
    --------
    >>> abandoned(owner())
    False
    """
    pid = os.getpid()
    return f"{_machine()}.{pid}.{(_started(pid) or '0')}"


def abandoned(name: str) -> bool:
    """Tell whether a process that :func:`owner` named was of this machine and has ended.

    A process number means nothing on another machine or in another container: what these left is theirs.
    """
    machine, pid, started = name.split(".")
    return machine == _machine() and (_started(int(pid)) or "ended") not in (started, "unknown")


@lru_cache(maxsize=1)
def _machine() -> str:
    """Name the set of process numbers we live in."""
    parts = [socket.gethostname()]
    for read in (lambda: Path("/etc/machine-id").read_text(), lambda: str(os.stat("/proc/self/ns/pid").st_ino)):
        with suppress(OSError):
            parts.append(read().strip())
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:12]


def _started(pid: int) -> str | None:
    """Return when a process started, in ticks of the machine's clock; None where there is none."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            state, *rest = file.read().rpartition(b")")[2].split()
        return None if state in (b"Z", b"X") else rest[18].decode()
    except (FileNotFoundError, ProcessLookupError):
        pass
    except OSError:
        return "unknown"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except (PermissionError, OverflowError):
        pass
    return "unknown"


def _write(descriptor: int, content: str | bytes, *, keep: bool) -> None:
    try:
        rest = memoryview(content.encode() if isinstance(content, str) else content)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        if keep:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def check_output(
    path: str | os.PathLike[str], *, inputs: Iterable[str | os.PathLike[str]] = (), force: bool = False
) -> None:
    """Refuse to write where something would be lost.

    An input is never written over, under whatever name (a symbolic or hard link), and nothing that is no
    regular file.  A regular file is written over where it is a page of ours, or with ``force``.  Streams
    (``/dev/stdout``, ``/dev/stderr``, ``/dev/fd/N``, ``/dev/null``) are written to.

    Parameters
    ----------
    path : path-like
    inputs : iterable of path-like
        Files that are read.
    force : bool
        Whether another regular file may be written over.

    Raises
    ------
    UsageError

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     data = Path(folder) / "data.csv"
    ...     _ = data.write_text("x,class")
    ...     try:
    ...         check_output(data, inputs=[data], force=True)
    ...     except ValueError as refused:
    ...         print(str(refused).replace(folder, "."))
    ./data.csv is read from; expected another file to write to; choose another path
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
    """Write what a person asked for: a regular file whole or not at all, a stream as it comes.

    Parameters
    ----------
    path : path-like
        An older regular file is replaced; :func:`check_output` says whether it may be.
    content : str or bytes

    Raises
    ------
    UsageError
        If it is neither a regular file nor a stream, or cannot be written.

    Examples
    --------
    >>> write_output("/dev/null", "into the void")
    """
    place = Path(path)
    try:
        if _is_stream(place):
            _write(_opened(place), content, keep=False)
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

    Parameters
    ----------
    path : path-like
        A folder that exists; or a file, which is made where it is missing and stays.
    refused : str, optional
        What to tell where another process holds it; without it, wait for the other.

    Raises
    ------
    UsageError
        If another process holds it and ``refused`` is given.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, held(folder):
    ...     try:
    ...         with held(folder, "it is held; expected a free folder; wait"):
    ...             pass
    ...     except ValueError as error:
    ...         print(error)
    it is held; expected a free folder; wait
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
