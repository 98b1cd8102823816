"""The paths below the project's root, and what is written there."""

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
    "not_writable",
    "note_of_origin",
    "root",
    "site_folder",
    "store_folder",
    "write_whole",
]

LOCKS = ("build.lock", "setup.lock")
"""Files in the build folder that commands lock; removing one would let two run at once."""


def root() -> Path:
    """Return the project's root."""
    found = bits.project_root()
    if found is None:
        raise UsageError("the notebooks were not found", "clone the project, install it with 'make', run it from there")
    return found


def build_folder() -> Path:
    """Return ``_build``, or the folder that ERROREST_BUILD names."""
    return Path(os.environ.get("ERROREST_BUILD") or root() / "_build")


def store_folder() -> Path:
    """Return the folder of finished studies: ``store`` in the build folder, or what ERROREST_STORE names."""
    return Path(os.environ.get("ERROREST_STORE") or build_folder() / "store").absolute()


def note_of_origin() -> Path:
    """Return the file that says which results came from an archive."""
    return store_folder() / "origin.json"


def site_folder(scale: str) -> Path:
    """Return where the pages of a scale are built."""
    return build_folder() / "html" if scale == "published" else build_folder() / "preview" / "html"


@contextmanager
def alone(waiting: Callable[[str], None] | None = None) -> Iterator[None]:
    """Let one command at a time build pages, write regenerated numbers, or remove what was built."""
    folder = build_folder()
    busy = f"another errorest builds in {folder}"
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            try:
                stack.enter_context(files.locked(folder / LOCKS[0], f"{busy}; wait for its end"))
            except UsageError:
                if waiting is None:
                    raise
                waiting(f"{busy}; waiting for it to end")
                stack.enter_context(files.locked(folder / LOCKS[0]))
        except OSError as exc:
            raise not_writable(folder, exc) from None
        yield


def not_writable(folder: Path, exc: OSError) -> UsageError:
    """Return the message about a folder below ``_build`` that cannot be written."""
    hint = "check its permissions and the free space, or set ERROREST_BUILD to another folder"
    return UsageError(f"{folder} cannot be written ({exc.strerror})", hint)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, and its folder, whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(path, content)
    except OSError as exc:
        raise UsageError(
            f"{path} cannot be written ({exc.strerror})", "choose another folder, or make room on the disk"
        ) from None


def keep(path: Path, text: str) -> None:
    """Write a file for later commands; a folder in its place is removed."""
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            files.remove(path)
    write_whole(path, text)
