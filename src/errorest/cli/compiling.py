"""Compiled code: where an installed package keeps it, and a word to whoever waits for it.

Numba compiles a function when it is first called.  From a checkout the code is
kept beside the sources, and what set-up compiles also where the project's tests
and book look for it; an installed package keeps it in the person's cache
folder, one folder for each state of the package, since numba does not notice
the edit of a function that a compiled one calls in another module.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from importlib import metadata
from pathlib import Path
from typing import Any

from errorest import bits
from errorest.errors import UsageError
from errorest.files import write_whole

__all__ = [
    "INDUCERS",
    "add_parser",
    "compile_all",
    "compile_inducer",
    "keep_compiled",
    "keep_settings",
    "tell_when_compiling",
]

INDUCERS = ("c4.5", "linear-discriminant", "svm", "naive-bayes", "knn(k=3)")
"""What ``errorest compile`` compiles for, the one that takes longest first."""

_AT_ONCE = 2
_VARIABLE = "NUMBA_CACHE_DIR"
_DRAWING = "MPLCONFIGDIR"


def add_parser(commands: Any) -> None:
    """Add the command to a program's."""
    one = commands.add_parser("compile", help="compile once what estimates with our own inducers call")
    one.set_defaults(command=_compile)


def _compile(arguments: argparse.Namespace) -> int:
    return compile_all()


def compile_all() -> int:
    """Compile for all of :data:`INDUCERS`, a line for each on standard output.

    In a checkout all is compiled for its tests and its book, and copied to where commands look for it.

    Returns
    -------
    int
        0; 1 where one could not be compiled.
    """
    started = time.monotonic()
    wrong = 0
    project = None if _VARIABLE in os.environ else bits.project_root()
    shared = bits.numba_cache_dir(project) if project is not None else None
    for done, (inducer, status) in enumerate(_compiled(shared), 1):
        wrong += status != 0
        told = "compiled" if status == 0 else "not compiled, the first estimate will try again:"
        print(f"{told} {inducer} ({done} of {len(INDUCERS)}, {time.monotonic() - started:.0f} s)", flush=True)
    if shared is not None:
        _keep_beside_sources(shared, Path(bits.__file__).parent)
    return int(wrong > 0)


def _keep_beside_sources(shared: Path, sources: Path) -> None:
    """Copy compiled code from a folder for all of it to where numba looks when no folder is named."""
    from numba.core.caching import UserProvidedCacheLocator

    for folder in {path.parent for path in sources.rglob("*.py")}:
        own = shared / UserProvidedCacheLocator.get_suitable_cache_subpath(str(folder / "__init__.py"))
        # the indices (.nbi) after the code that they name (.nbc)
        for file in sorted(own.glob("*.nb[ci]"), key=lambda file: (file.suffix, file.name)):
            (folder / "__pycache__").mkdir(exist_ok=True)
            write_whole(folder / "__pycache__" / file.name, file.read_bytes())


def _compiled(shared: Path | None) -> Iterator[tuple[str, int]]:
    """Compile in some processes at once, since one compiles one function after the other."""
    environment = os.environ if shared is None else os.environ | {_VARIABLE: str(shared)}
    code = f"from {__name__} import compile_inducer; compile_inducer(__import__('sys').argv[1])"
    waiting, working = list(INDUCERS), dict[str, subprocess.Popen[bytes]]()
    with ExitStack() as ended:
        while waiting or working:
            while waiting and len(working) < _AT_ONCE:
                name = waiting.pop(0)
                working[name] = ended.enter_context(
                    subprocess.Popen([sys.executable, "-c", code, name], env=environment, stderr=subprocess.DEVNULL)
                )
                ended.callback(working[name].kill)  # nothing where it has ended
            for name in [name for name, process in working.items() if process.poll() is not None]:
                yield name, working.pop(name).returncode
            time.sleep(0.05)


def compile_inducer(inducer: str) -> None:
    """Have numba compile and keep what the default estimate of an inducer calls, and what tells its cost.

    Parameters
    ----------
    inducer : str
        A name such as ``knn(k=1)``.

    Examples
    --------
    >>> compile_inducer("majority")
    """
    import numpy as np

    from errorest.assessment import estimate_cost, estimate_error

    y = np.arange(90) % 3
    X = y[:, None] + np.random.default_rng(1).normal(size=(90, 3))
    estimate_cost(inducer, X, y)
    estimate_error(inducer, X, y, rng=1)


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


def keep_settings() -> None:
    """Name a temporary folder for matplotlib where the person's own cannot be written, of which it would warn.

    Examples
    --------
    >>> keep_settings()
    """
    if _DRAWING in os.environ:
        return
    try:
        folders = [
            Path(os.environ.get(stated) or Path.home() / name)
            for stated, name in (("XDG_CONFIG_HOME", ".config"), ("XDG_CACHE_HOME", ".cache"))
        ]
        if all(_may_write(folder / "matplotlib") for folder in folders):
            return
    except RuntimeError:  # a user without a home
        pass
    with suppress(OSError):
        own = Path(tempfile.gettempdir()) / f"errorest-{os.getuid()}" / "matplotlib"
        own.mkdir(parents=True, exist_ok=True, mode=0o700)
        if os.access(own, os.W_OK) and own.stat().st_uid == os.getuid():
            os.environ[_DRAWING] = str(own)


def _may_write(folder: Path) -> bool:
    """Tell whether a folder can be written, or made."""
    there = next(place for place in (folder, *folder.parents) if os.path.lexists(place))
    return there.is_dir() and os.access(there, os.W_OK)


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
