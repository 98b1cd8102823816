"""Where things lie: one module knows every path below the project's root."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from errorest import bits, files
from errorest.errors import UsageError

__all__ = [
    "LOCKS",
    "alone",
    "build_folder",
    "keep",
    "root",
    "store_folder",
    "write_whole",
]

LOCKS = ("build.lock", "setup.lock")
"""Files in the build folder that commands hold; removing one would let two work at once."""


def root() -> Path:
    """Return the project's root."""
    found = bits.project_root()
    if found is None:
        raise UsageError(
            "the notebooks were not found; expected a checkout of errorest; "
            "clone the project and install it with 'make', then run errorest from there"
        )
    return found


def build_folder() -> Path:
    """Return ``_build``, or the folder that ERROREST_BUILD names."""
    return Path(os.environ.get("ERROREST_BUILD") or root() / "_build")


@contextmanager
def alone(waiting: Callable[[str], None] | None = None) -> Iterator[None]:
    """Let one command at a time build pages, write regenerated numbers, or remove what was built."""
    folder = build_folder()
    lock = folder / LOCKS[0]
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            try:
                stack.enter_context(
                    files.held(lock, f"another errorest builds in {folder}; expected one at a time; wait for its end")
                )
            except UsageError:
                if waiting is None:
                    raise
                waiting(f"another errorest builds in {folder}; waiting for it to end")
                stack.enter_context(files.held(lock))
        except OSError as exc:
            raise UsageError(
                f"{folder} cannot be written ({exc.strerror}); expected a folder that is yours to write; mend its "
                "permissions, or set ERROREST_BUILD to another folder"
            ) from None
        yield


def store_folder() -> Path:
    """Return where finished studies are kept: ``store`` in the build folder, or what ERROREST_STORE names."""
    return Path(os.environ.get("ERROREST_STORE") or build_folder() / "store").absolute()


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, and its folder, so that it is there whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(path, content)
    except OSError as exc:
        raise UsageError(
            f"{path} could not be written ({exc.strerror}); expected a writable folder with free space; "
            "choose another folder or make room"
        ) from None


def keep(path: Path, text: str) -> None:
    """Write what later commands may take up, whatever lies there by now."""
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            files.discard(path)
    write_whole(path, text)
