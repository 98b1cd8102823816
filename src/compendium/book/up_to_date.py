"""Fast up-to-date check of the book: a note next to the pages holds the digests of their sources and of the pages.

It imports nothing that computes, so that an unchanged book is recognized in half a second.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from compendium.book.places import keep, note_of_origin, root, site_folder
from compendium.book.source_state import commit_of, tree_id
from errorest import bits
from errorest.errors import UsageError
from errorest.files import read_or_empty

__all__ = ["as_built", "recall", "remember", "state"]

_SOURCES = ("src", "notebooks", "book", "data")
"""Digested file by file, since git may not know all of them yet."""


def state(scale: str) -> str:
    """Digest all that decides the pages of the whole book."""
    decided = [
        [scale, commit_of(root()), tree_id(root()), *(_digest_of(root() / name) for name in _SOURCES)],
        note_of_origin().read_text(encoding="utf-8") if note_of_origin().is_file() else "",
        [bits.versions_digest(), bits.processor()],
        sorted(f"{d.name} {d.version}" for d in metadata.distributions()),
    ]
    return hashlib.sha256(json.dumps(decided).encode()).hexdigest()


def remember(scale: str, made_of: str, summary: str) -> None:
    """Note the state that a book without faults was built from, unless it changed meanwhile, and the summary."""
    # a note cannot say which data of a person's own were used
    if made_of == state(scale) and not os.environ.get("ERROREST_DATA"):
        note = {"made of": made_of, "pages": _digest_of(site_folder(scale)), "summary": summary}
        with suppress(UsageError):
            keep(_note(scale), json.dumps(note, indent=1))


def recall(scale: str) -> str | None:
    """Return the summary of the last build if its pages are undamaged and of the project's present state."""
    if not as_built(scale) or os.environ.get("ERROREST_DATA"):
        return None
    note = _read(scale)
    return note.get("summary") if note.get("made of") == state(scale) else None


def as_built(scale: str) -> bool:
    """Tell whether there are pages without faults, every file of them as it was written."""
    return _read(scale).get("pages") == _digest_of(site_folder(scale))


def _note(scale: str) -> Path:
    pages = site_folder(scale)
    return pages.with_name(f"{pages.name}.json")


def _read(scale: str) -> dict[str, str]:
    try:
        note = json.loads(read_or_empty(_note(scale)))
    except ValueError:
        return {}
    return note if isinstance(note, dict) else {}


def _digest_of(folder: Path) -> str:
    """Digest the files below a folder with their paths, except what Python and setuptools leave there."""
    files = []
    for place, inner, names in os.walk(folder):
        inner[:] = [name for name in inner if name != "__pycache__" and not name.endswith(".egg-info")]
        files += [Path(place) / name for name in names]
    lines = (f"{p.relative_to(folder)}\0{hashlib.sha256(p.read_bytes()).hexdigest()}\n" for p in sorted(files))
    return hashlib.sha256("".join(lines).encode()).hexdigest()
