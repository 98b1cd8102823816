"""Where things lie: one module knows every path below the project's root."""

from __future__ import annotations

import os
from pathlib import Path

from errorest import bits, files
from errorest.errors import UsageError

__all__ = ["build_folder", "root", "write_whole"]


def root() -> Path:
    """Return the project's root.

    Raises
    ------
    UsageError
        If the package does not lie in a checkout.
    """
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


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, and its folder, so that it is there whole or not at all.

    Raises
    ------
    UsageError
        If the folder cannot be written or the disk is full.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(path, content)
    except OSError as exc:
        raise UsageError(
            f"{path} could not be written ({exc.strerror}); expected a writable folder with free space; "
            "choose another folder or make room"
        ) from None
