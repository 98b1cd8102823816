"""A whole book that stands, known without importing what computes it.

Importing the notebooks' code and planning their runs takes most of the time of a build that finds nothing changed.
So a build without a fault leaves a note of its runs and of what it said.  The note is believed only as long as the
book was made of the project's present state, and every file of pages and runs is what was written.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from compendium.book.citing.identity import commit_of, tree_id
from compendium.book.places import build_folder, keep, root, store_folder
from compendium.book.seals import DamagedError, opened, sealed_text, unsealed
from compendium.studies import digests
from errorest import bits
from errorest.errors import UsageError
from errorest.files import kept

__all__ = [
    "digest_in",
    "made_of",
    "note_of_origin",
    "pages_stand",
    "recall",
    "remember",
    "site_folder",
    "stamp_of",
    "where",
]

_DATA = "ERROREST_DATA"
"""Names a folder of data sets, whose files are none of the project's."""


def site_folder(scale: str) -> Path:
    """Return where the pages of a scale are built."""
    return build_folder() / "html" if scale == "published" else build_folder() / "preview" / "html"


def where(scale: str) -> str:
    """Say where the pages of a scale begin."""
    return f"\nOpen {site_folder(scale) / 'index.html'}"


def stamp_of(pages: Path) -> Path:
    """Return the seal of built pages, which lies beside them."""
    return pages.with_name(f"{pages.name}.stage")


def note_of_origin() -> Path:
    """Return where it is noted what came from an archive."""
    return store_folder() / "origin.json"


def digest_in(folder: Path) -> str:
    """Digest the files of a folder and of those in it, with their paths there."""
    h = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        h.update(f"{path.relative_to(folder)}\n".encode())
        h.update(hashlib.sha256(path.read_bytes()).digest())
    return h.hexdigest()


def made_of(scale: str, runs: Iterable[tuple[str, str]]) -> str:
    """Digest all that decides the pages of the whole book, so that unchanged ones need not be laid out to be known."""
    decided = {
        "scale": scale,
        "commit": commit_of(root()),
        "tree": tree_id(root()),
        # what git does not know yet
        "book": digest_in(root() / "book"),
        "source": digests.source_digest(),
        "runs": list(runs),
        "origin": _digest(note_of_origin()),
        "computes": [bits.versions_digest(), bits.processor()],
        "installed": sorted(f"{d.name} {d.version}" for d in metadata.distributions()),
    }
    return hashlib.sha256(json.dumps(decided).encode()).hexdigest()


def pages_stand(pages: Path, made: str) -> bool:
    """Tell whether pages are there that are made of this, and every file of them as it was written."""
    try:
        found = opened(pages, stamp_of(pages))
        if found is None or found.parts != made:
            return False
        found.check()
    except DamagedError as exc:
        print(f"the pages in {pages} were damaged ({exc}); building them anew", file=sys.stderr, flush=True)
        return False
    return True


def remember(scale: str, made: str, runs: Sequence[tuple[str, str, Path]], said: str) -> None:
    """Leave a note about a book without a fault; where nothing can be written, it is found out anew each time."""
    if os.environ.get(_DATA):
        # whoever reads the note later cannot know which data it was
        return
    note = {
        "made": made,
        "runs": [[notebook, key, os.path.relpath(at, build_folder()), _digest(at)] for notebook, key, at in runs],
        "said": said,
    }
    with suppress(OSError, UsageError):
        keep(_note(scale), sealed_text(note))


def recall(scale: str) -> str | None:
    """Return what the last build said of a book that is still whole and of the project's present state; else None."""
    note = unsealed(kept(_note(scale)))
    if note is None or set(note) != {"made", "runs", "said"} or os.environ.get(_DATA):
        return None
    site = site_folder(scale)
    try:
        made = made_of(scale, [(notebook, key) for notebook, key, _, _ in note["runs"]])
        pages = opened(site, stamp_of(site))
        if pages is None or not made == pages.parts == note["made"]:
            return None
        for _, _, name, digest in note["runs"]:
            at = build_folder() / name
            run = None if at.parent.is_symlink() or _digest(at) != digest else opened(at.parent, at)
            if run is None:
                return None
            run.check()
        pages.check()
    except DamagedError:
        return None
    return str(note["said"])


def _note(scale: str) -> Path:
    return build_folder() / f"standing-{scale}.json"


def _digest(path: Path) -> str:
    return hashlib.sha256(kept(path)).hexdigest()
