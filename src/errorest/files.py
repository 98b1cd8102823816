"""Write a file whole or not at all, and never over something that a person may want to keep."""

from __future__ import annotations

import errno
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

try:
    import fcntl
except ImportError:  # a system without POSIX's locks, such as Windows
    fcntl = None  # type: ignore[assignment]
_LOCKS = fcntl is not None

# In the head of every page of ours: such a file may be overwritten
PAGE_MARK = '<meta name="generator" content="errorest">'

_STREAM = re.compile(r"/dev/(stdout|stderr|null)|/(?:dev|proc/self)/fd/(\d+)")
_KINDS = {stat.S_IFLNK: "a symbolic link", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a folder"}
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.EBADF, errno.EINVAL)
# Errors by which there is no such file
MISSING = (FileNotFoundError, NotADirectoryError, IsADirectoryError)
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


@contextmanager
def working_folder(path: Path) -> Iterator[Path]:
    """Make a locked temporary folder next to a path; folders that killed processes left there are removed first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    work = unfinished(path)
    with ExitStack() as stack:
        with locked(path.parent):
            for abandoned in {*_working_folders(path.parent)} - {*folders_in_use(path.parent)}:
                shutil.rmtree(abandoned, ignore_errors=True)
            work.mkdir()
            stack.enter_context(locked(work))
        stack.callback(shutil.rmtree, work, ignore_errors=True)
        yield work


def folders_in_use(folder: Path) -> list[Path]:
    """List the working folders in a folder that running processes have locked."""
    results = []
    for work in _working_folders(folder):
        with suppress(FileNotFoundError):
            try:
                with locked(work, "in use") as known:
                    results += [] if known else [work]
            except UsageError:
                results.append(work)
    return results


def _working_folders(folder: Path) -> list[Path]:
    # names that `unfinished` gives; a person's folder may end in the same letters
    return sorted(path for path in folder.glob(f".*.{'[0-9a-f]' * 12}.tmp") if path.is_dir())


@contextmanager
def locked(path: str | os.PathLike[str], refused: str = "") -> Iterator[bool]:
    """Lock a folder or a ``*.lock`` file, waiting or raising ``refused``; yields whether there are locks here."""
    if not _LOCKS:
        yield False
        return
    made = Path(path).suffix == ".lock" and not os.path.isdir(path)
    flags = os.O_RDWR | os.O_CREAT if made else os.O_RDONLY
    descriptor = os.open(path, flags | os.O_CLOEXEC, 0o666)
    try:
        known = True
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (fcntl.LOCK_NB if refused else 0))
        except BlockingIOError:
            raise UsageError(refused) from None
        except OSError as exc:
            if exc.errno not in _NO_LOCKS:
                raise
            known = False
        yield known
    finally:
        os.close(descriptor)


def read_or_empty(path: Path) -> bytes:
    """Read a file that an earlier process may have left; empty where there is none, or no regular file."""
    try:
        return read_again(path) if stat.S_ISREG(path.lstat().st_mode) else b""
    except MISSING:
        return b""


def read_again(path: Path) -> bytes:
    """Read a file, and once more where the machine did not let it be read: that says nothing of the file."""
    try:
        return path.read_bytes()
    except MISSING:
        raise
    except OSError:
        return path.read_bytes()


def remove(path: Path) -> None:
    """Remove a file or a folder, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


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
