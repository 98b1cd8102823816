"""Finished runs: a list of their files with checksums, written last, by which a later command knows a whole one."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from compendium.book.places import write_whole

__all__ = ["SEAL", "Sealed", "opened", "seal"]

SEAL = "key.json"
"""The name of the list in a run's folder."""


class Sealed(NamedTuple):
    """What a finished folder was made from, and its files with their checksums."""

    parts: Any
    files: dict[str, str]


def seal(folder: Path, parts: Any) -> None:
    """List the files of a folder that is finished."""
    files = {str(p.relative_to(folder)): _digest(p) for p in sorted(folder.rglob("*")) if p.is_file()}
    write_whole(folder / SEAL, json.dumps({"files": files, "parts": parts}, indent=1, sort_keys=True) + "\n")


def opened(folder: Path) -> Sealed | None:
    """Open a finished folder, as long as every file in its list is what was written."""
    try:
        found = Sealed(**json.loads((folder / SEAL).read_text(encoding="utf-8")))
        return found if all(_digest(folder / name) == sum for name, sum in found.files.items()) else None
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
