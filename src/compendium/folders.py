"""Locks, and folders and files of a book that several processes may write at once."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from errorest.errors import UsageError
from errorest.files import unfinished

try:
    import fcntl
except ImportError:  # a system without POSIX's locks, such as Windows
    fcntl = None  # type: ignore[assignment]
_LOCKS = fcntl is not None

# Errors by which a file system has no locks
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.EBADF, errno.EINVAL)
# Errors by which there is no such file
MISSING = (FileNotFoundError, NotADirectoryError, IsADirectoryError)


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
        return path.read_bytes() if stat.S_ISREG(path.lstat().st_mode) else b""
    except MISSING:
        return b""


def remove(path: Path) -> None:
    """Remove a file or a folder, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
