"""Compiled code: where an installed package keeps it, and a word to whoever waits for it.

Numba compiles a function when it is first called.  From a checkout the code is
kept beside the sources; an installed package keeps it in the person's cache
folder, one folder for each state of the package, since numba does not notice
the edit of a function that a compiled one calls in another module.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from errorest import bits
from errorest.errors import UsageError

__all__ = ["keep_compiled", "tell_when_compiling"]

_VARIABLE = "NUMBA_CACHE_DIR"


def keep_compiled() -> None:
    """Name the folder for compiled code, before numba is imported, unless a checkout or the person has one.

    Where the person's cache folder cannot be written, a temporary one serves this user's later commands too; so it does
    for a checkout that is not this user's to write.

    Raises
    ------
    UsageError
        If there is no folder at all that can be written.

    Examples
    --------
    >>> keep_compiled()
    """
    if _VARIABLE in os.environ or (bits.project_root() is not None and os.access(Path(bits.__file__).parent, os.W_OK)):
        return
    recorded = metadata.distribution("errorest").read_text("RECORD") or ""
    name = hashlib.sha256(recorded.encode()).hexdigest()[:16]
    for find in (lambda: cache_folder(os.environ), lambda: Path(tempfile.gettempdir()) / f"errorest-{os.getuid()}"):
        try:
            folder = find()
            (folder / "numba" / name).mkdir(parents=True, exist_ok=True, mode=0o700)
        except (OSError, RuntimeError):  # a user without a home is a RuntimeError
            continue
        if os.access(folder / "numba" / name, os.W_OK) and (folder / "numba" / name).stat().st_uid == os.getuid():
            os.environ[_VARIABLE] = str(folder / "numba" / name)
            return
    raise UsageError(
        "there is no folder for compiled code; expected one that is yours to write: ~/.cache or a temporary one; set "
        f"{_VARIABLE} or TMPDIR to one"
    )


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Return where this person's programs keep what they can make again.

    Examples
    --------
    >>> cache_folder({"HOME": "/home/me"}).as_posix()
    '/home/me/.cache/errorest'
    >>> cache_folder({"XDG_CACHE_HOME": "/fast/me", "HOME": "/home/me"}).as_posix()
    '/fast/me/errorest'
    """
    stated = environment.get("XDG_CACHE_HOME", "")
    home = Path(environment.get("HOME") or Path.home())
    return (Path(stated) if Path(stated).is_absolute() else home / ".cache") / "errorest"


def tell_when_compiling() -> None:
    """Say once, on standard error, that the first call compiles; nothing is said where it was done before.

    Examples
    --------
    >>> tell_when_compiling()
    """
    from numba.core import event

    class Told(event.Listener):
        """Speaks at the first function that is really compiled, and not read from the cache."""

        done = False

        def on_start(self, event: event.Event) -> None:
            if not self.done:
                self.done = True
                print("compiling once, about 10 s; later calls start at once", file=sys.stderr, flush=True)

        def on_end(self, event: event.Event) -> None:
            pass

    event.register("numba:compile", Told())
