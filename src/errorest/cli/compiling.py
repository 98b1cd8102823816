"""Folders of compiled code, one for each state of the sources: numba misses edits of functions called elsewhere."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from errorest import determinism
from errorest.errors import UsageError

_VARIABLE = "NUMBA_CACHE_DIR"
_DRAWING = "MPLCONFIGDIR"


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
    for find in (lambda: cache_folder(os.environ), lambda: Path(tempfile.gettempdir()) / f"errorest-{os.getuid()}"):
        # a user without a home is a RuntimeError
        with suppress(OSError, RuntimeError):
            if _own(folder := find() / "numba" / name):
                os.environ[_VARIABLE] = str(folder)
                return
    raise UsageError(f"there is no folder for compiled code; set {_VARIABLE} or TMPDIR to one that is yours to write")


def keep_settings() -> None:
    """Name a temporary folder for matplotlib where the person's own cannot be written, of which it would warn."""
    if _DRAWING in os.environ:
        return
    with suppress(RuntimeError):  # a user without a home
        folders = [
            Path(os.environ.get(stated) or Path.home() / name)
            for stated, name in (("XDG_CONFIG_HOME", ".config"), ("XDG_CACHE_HOME", ".cache"))
        ]
        if all(_may_write(folder / "matplotlib") for folder in folders):
            return
    with suppress(OSError):
        if _own(folder := Path(tempfile.gettempdir()) / f"errorest-{os.getuid()}" / "matplotlib"):
            os.environ[_DRAWING] = str(folder)


def _own(folder: Path) -> bool:
    """Make a folder for this user alone, and tell whether it is theirs to write."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return os.access(folder, os.W_OK) and folder.stat().st_uid == os.getuid()


def _may_write(folder: Path) -> bool:
    """Tell whether a folder can be written, or made."""
    there = next(place for place in (folder, *folder.parents) if os.path.lexists(place))
    return there.is_dir() and os.access(there, os.W_OK)


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Return where this person's programs keep what they can make again."""
    stated = environment.get("XDG_CACHE_HOME", "")
    home = Path(environment.get("HOME") or Path.home())
    return (Path(stated) if Path(stated).is_absolute() else home / ".cache") / "errorest"


def tell_when_compiling() -> None:
    """Say once, on standard error, that this command compiles; nothing is said where all was compiled before."""
    from numba.core import event

    class CompileListener(event.Listener):
        """Speaks at the first function that is really compiled, and not read from the cache."""

        done = False

        def on_start(self, event: event.Event) -> None:
            if not self.done:
                self.done = True
                print(
                    "compiling once for this command, about 10 s; it then starts at once",
                    file=sys.stderr,
                    flush=True,
                )

        def on_end(self, event: event.Event) -> None:
            pass

    event.register("numba:compile", CompileListener())
