"""Whether the whole book still stands: a note beside its pages, of what they were made of and of what they are.

A build without a fault leaves the note.  It holds as long as no source, no page and no version has changed, so that
an unchanged book is known without importing what computes it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from compendium.book.places import build_folder, keep, root, store_folder
from compendium.book.source_state import commit_of, tree_id
from errorest import bits
from errorest.errors import UsageError

__all__ = ["as_built", "note_of_origin", "recall", "remember", "site_folder", "state", "where"]

_SOURCES = ("src", "notebooks", "book", "data")
"""Looked at file by file, since git may not know all of them yet."""


def site_folder(scale: str) -> Path:
    """Return where the pages of a scale are built."""
    return build_folder() / "html" if scale == "published" else build_folder() / "preview" / "html"


def where(scale: str) -> str:
    """Say where the pages of a scale begin."""
    return f"\nOpen {site_folder(scale) / 'index.html'}"


def note_of_origin() -> Path:
    """Return where it is noted what came from an archive."""
    return store_folder() / "origin.json"


def state(scale: str) -> str:
    """Digest all that decides the pages of the whole book."""
    origin = note_of_origin()
    decided = [
        [scale, commit_of(root()), tree_id(root()), *(_digest_of(root() / name) for name in _SOURCES)],
        origin.read_text(encoding="utf-8") if origin.is_file() else "",
        [bits.versions_digest(), bits.processor()],
        sorted(f"{d.name} {d.version}" for d in metadata.distributions()),
    ]
    return hashlib.sha256(json.dumps(decided).encode()).hexdigest()


def remember(scale: str, made_of: str, said: str) -> None:
    """Note what a book without a fault was made of, unless that changed meanwhile, and what was said of it."""
    # whoever reads the note later cannot know which data of a person's own it was
    if made_of == state(scale) and not os.environ.get("ERROREST_DATA"):
        note = {"made of": made_of, "pages": _digest_of(site_folder(scale)), "said": said}
        with suppress(UsageError):
            keep(_note(scale), json.dumps(note, indent=1))


def recall(scale: str) -> str | None:
    """Return what the last build said of a book that is still whole and of the project's present state; else None."""
    note = _read(scale)
    current = as_built(scale) and note.get("made of") == state(scale) and not os.environ.get("ERROREST_DATA")
    return note["said"] if current else None


def as_built(scale: str) -> bool:
    """Tell whether pages lie there that are without a fault, and every file of them as it was written."""
    note = _read(scale)
    return bool(note) and note.get("pages") == _digest_of(site_folder(scale))


def _note(scale: str) -> Path:
    pages = site_folder(scale)
    return pages.with_name(f"{pages.name}.json")


def _read(scale: str) -> dict[str, str]:
    try:
        note = json.loads(_note(scale).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return note if isinstance(note, dict) else {}


def _digest_of(folder: Path) -> str:
    """Digest the files below a folder with their paths there, except what Python and setuptools leave."""
    whole = hashlib.sha256()
    for path in sorted(_files(folder)):
        whole.update(f"{path.relative_to(folder)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    for place, inner, names in os.walk(folder):
        inner[:] = [name for name in inner if name != "__pycache__" and not name.endswith(".egg-info")]
        yield from (Path(place) / name for name in names)
