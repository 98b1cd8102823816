"""Folders of compiled code, one for each state of the sources: numba misses edits of functions called elsewhere."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from errorest import determinism
from errorest.errors import UsageError

_VARIABLE = "NUMBA_CACHE_DIR"


def keep_compiled() -> None:
    """Set numba's cache folder before numba is imported: the user's, or a temporary one if it is not writable."""
    if _VARIABLE in os.environ:
        return
    project = determinism.project_root()
    if project is not None and os.access(project, os.W_OK):
        os.environ[_VARIABLE] = str(determinism.numba_cache_dir(project))
        return
    recorded = metadata.distribution("errorest").read_text("RECORD") or ""
    name = hashlib.sha256(recorded.encode()).hexdigest()[:16]
    for find in (_users_cache, lambda: Path(tempfile.gettempdir()) / f"errorest-{os.getuid()}"):
        # a user without a home is a RuntimeError
        with suppress(OSError, RuntimeError):
            if _own(folder := (find() / "numba" / name).resolve()):
                os.environ[_VARIABLE] = str(folder)
                return
    raise UsageError(f"there is no folder for compiled code; set {_VARIABLE} or TMPDIR to one that is yours to write")


def _users_cache() -> Path:
    """Return where this person's programs keep what they can make again."""
    stated = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (stated if stated.is_absolute() else Path(os.environ.get("HOME") or Path.home()) / ".cache") / "errorest"


def _own(folder: Path) -> bool:
    """Make a folder for this user alone, and tell whether it is theirs to write and nobody else can replace it."""
    for place in [*reversed(folder.parents), folder]:
        if not place.exists():
            place.mkdir(mode=0o700, exist_ok=True)
        # only this user and the superuser can exchange what lies in a folder, which is run as code
        level = place.lstat()
        sticky = bool(level.st_mode & stat.S_ISVTX)  # as /tmp: nobody moves what is another's
        by_group = level.st_mode & stat.S_IWGRP and level.st_gid not in (0, os.getgid())
        safe = sticky or not (level.st_mode & stat.S_IWOTH or by_group)
        if not (stat.S_ISDIR(level.st_mode) and level.st_uid in (0, os.getuid()) and safe):
            return False
    return os.access(folder, os.W_OK) and folder.stat().st_uid == os.getuid()


def tell_when_compiling() -> None:
    """Say once, on standard error, that this command compiles; nothing is said where all was compiled before."""
    from errorest.compiled import when_compiling

    said = False

    def say() -> None:
        nonlocal said
        if not said:
            said = True
            print("compiling once for this command, about 10 s; it then starts at once", file=sys.stderr, flush=True)

    when_compiling(say)
