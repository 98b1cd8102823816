"""Finished folders, believed only as long as every file in them is what it was when they were finished.

A seal is a file of JSON with a SHA-256 of every file of a folder, what the folder was made from, and a checksum of
itself.  Whoever takes a file from such a folder takes it through :meth:`Sealed.read`, which looks at the very bytes
that it hands on.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compendium.book.places import write_whole
from errorest.errors import UsageError
from errorest.files import flush, read_regular

__all__ = ["DamagedError", "Sealed", "opened", "seal", "sealed_text", "unsealed"]


class DamagedError(UsageError):
    """What is wrong with a folder or file that was finished once."""


def sealed_text(content: Mapping[str, Any]) -> str:
    """Write JSON with a checksum of itself."""
    text = json.dumps(content, indent=1, sort_keys=True)
    return json.dumps({"sha256": _digest(text.encode()), "content": json.loads(text)}, indent=1, sort_keys=True) + "\n"


def unsealed(text: str | bytes) -> dict[str, Any] | None:
    """Read what :func:`sealed_text` wrote; None where it is anything else."""
    try:
        content = json.loads(text)["content"]
        whole = sealed_text(content).encode() == (text.encode() if isinstance(text, str) else text)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return content if whole and isinstance(content, dict) else None


@dataclass(frozen=True)
class Sealed:
    """A finished folder."""

    folder: Path
    parts: Any
    files: Mapping[str, str]

    def read(self, name: str) -> bytes:
        """Read a file of the folder."""
        if name not in self.files:
            raise DamagedError(f"{name} is not one of its files")
        try:
            content = read_regular(self.folder / name)
        except OSError as exc:
            raise DamagedError(f"{name} cannot be read: {exc.strerror}") from None
        if content is None or _digest(content) != self.files[name]:
            raise DamagedError(f"{name} is not what was written")
        return content

    def check(self) -> None:
        """Look at every file."""
        for name in self.files:
            self.read(name)
        try:
            strange = {name for name, _ in _entries(self.folder)} - set(self.files)
        except OSError as exc:
            raise DamagedError(f"it cannot be read: {exc.strerror}") from None
        if strange:
            raise DamagedError(f"{min(strange)} was added")


def seal(folder: Path, parts: Any, at: Path) -> None:
    """Flush every file of a folder to the disk, and write what they are."""
    files = {}
    for name, path in sorted(_entries(folder)):
        content = read_regular(path) if path != at else None
        if path != at:
            if content is None:
                raise UsageError(f"{path} is no regular file; expected files alone in a finished run; remove it")
            files[name] = _digest(content)
            flush(path)
    for inner in (folder, *(p for p in sorted(folder.rglob("*")) if p.is_dir())):
        flush(inner)
    write_whole(at, sealed_text({"parts": parts, "files": files}))


def opened(folder: Path, at: Path) -> Sealed | None:
    """Open a finished folder by its seal; None where there is none."""
    try:
        text = read_regular(at)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as exc:
        raise DamagedError(f"{at.name} cannot be read: {exc.strerror}") from None
    found = unsealed(text) if text is not None else None
    if found is None or set(found) != {"parts", "files"} or not isinstance(found["files"], dict):
        raise DamagedError(f"{at.name} is not what was written")
    # the seal cannot hold its own digest, and lies among the files of some
    own = {at.name: _digest(text or b"")} if at.parent == folder else {}
    return Sealed(folder, found["parts"], {**found["files"], **own})


def _entries(folder: Path) -> Iterator[tuple[str, Path]]:
    """List all that is no folder; a link to one is none."""
    for place, folders, files in os.walk(folder, onerror=_raise):
        for name in files + [f for f in folders if (Path(place) / f).is_symlink()]:
            path = Path(place) / name
            yield path.relative_to(folder).as_posix(), path


def _raise(error: OSError) -> None:
    raise error


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
