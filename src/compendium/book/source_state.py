"""The state of the project's source (files, Software Heritage identifier, commit), and of which state the book is.

A note next to the pages holds the digests of their sources and of the pages: an unchanged book is recognized in half a
second, without importing what computes.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from compendium import versions
from compendium.book.places import note_of_origin, read_mapping, root, site_folder, write_whole
from compendium.studies import digests
from errorest.errors import UsageError

_NOT_PACKAGING = (":!PKG-INFO", ":!setup.cfg")  # what a source distribution adds at its root


def source_files(folder: Path) -> list[str]:
    return _ask_index(folder, "ls-files", "-z").split("\0")[:-1]


def tree_id(folder: Path) -> str:
    """Return the Software Heritage identifier of the tree of the project's files."""
    return f"swh:1:dir:{_ask_index(folder, 'write-tree').strip()}"


def _ask_index(folder: Path, *question: str) -> str:
    """Ask a temporary git index of the files as they are; for a source distribution, of all that is not ignored."""
    with tempfile.TemporaryDirectory() as place:
        if (folder / ".git").exists():
            where = {"GIT_INDEX_FILE": f"{place}/index"}
            shutil.copy(folder / _git(folder, "rev-parse", "--git-path", "index").strip(), f"{place}/index")
            _git(folder, "add", "--update", **where)
        else:
            where = {"GIT_DIR": place, "GIT_WORK_TREE": str(folder)}
            _git(folder, "init", "--quiet", **where)
            _git(folder, "add", "--all", "--", ".", *_NOT_PACKAGING, **where)
        return _git(folder, *question, **where)


def _git(folder: Path, *arguments: str, **variables: str) -> str:
    # the checkout may belong to another user; its Python is executed already
    command = ["git", "-c", f"safe.directory={folder}", "-c", "core.compression=0", *arguments]
    try:
        done = subprocess.run(
            command, cwd=folder, env=os.environ | variables, capture_output=True, text=True, check=True, timeout=60
        )
    except (OSError, subprocess.SubprocessError):
        raise UsageError(f"git {arguments[0]} failed in {folder}; is git installed, and the folder yours?") from None
    return done.stdout


def commit_of(folder: Path) -> str:
    """Return the commit of the checkout, or ``source-`` and a digest of the packages where there is none."""
    # an unpacked distribution may lie inside another checkout
    if (folder / ".git").exists():
        return _git(folder, "rev-parse", "HEAD").strip()
    return f"source-{digests.source_digest()[:12]}"


def short(commit: str) -> tuple[str, str]:
    kind, _, digest = commit.rpartition("-")
    return kind or "commit", digest[:12]


def check_committed(folder: Path) -> None:
    """Refuse a checkout with changes that are not committed."""
    if (folder / ".git").exists() and (changed := _git(folder, "status", "--porcelain").splitlines()):
        raise UsageError(
            f"the checkout has {len(changed)} changes that are not committed, first {changed[0].split()[-1]}"
        )


# Digested file by file, since git may not know all of them yet
_SOURCES = ("src", "notebooks", "book", "data")


def state(scale: str) -> str:
    """Digest all that decides the pages of the whole book."""
    decided = [
        [scale, commit_of(root()), tree_id(root()), *(_digest_of(root() / name) for name in _SOURCES)],
        note_of_origin().read_text(encoding="utf-8") if note_of_origin().is_file() else "",
        [versions.versions_digest(), versions.processor()],
        sorted(f"{d.name} {d.version}" for d in metadata.distributions()),
    ]
    return hashlib.sha256(json.dumps(decided).encode()).hexdigest()


def remember(scale: str, made_of: str, summary: str) -> None:
    """Note the state that a book without faults was built from, unless it changed meanwhile, and the summary."""
    # a note cannot say which data of a person's own were used
    if made_of == state(scale) and not os.environ.get("ERROREST_DATA"):
        note = {"made of": made_of, "pages": _digest_of(site_folder(scale)), "summary": summary}
        with suppress(UsageError):
            write_whole(_note(scale), json.dumps(note, indent=1))


def note_pages(scale: str) -> None:
    """Note the pages of a finished build as they are now, after parts were put beside them."""
    if note := _read(scale):
        write_whole(_note(scale), json.dumps(note | {"pages": _digest_of(site_folder(scale))}, indent=1))


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
    return read_mapping(_note(scale)) or {}


def _digest_of(folder: Path) -> str:
    """Digest the files below a folder with their paths, except what Python, setuptools and builds of pages write."""
    book = root() / "book"
    written = {book / "reference" / "api", *book.glob("verdicts-*.md")}
    files = []
    for place, inner, names in os.walk(folder):
        inner[:] = [name for name in inner if name != "__pycache__" and not name.endswith(".egg-info")]
        inner[:] = [name for name in inner if Path(place) / name not in written]
        files += [Path(place) / name for name in names if Path(place) / name not in written]
    lines = (f"{p.relative_to(folder)}\0{hashlib.sha256(p.read_bytes()).hexdigest()}\n" for p in sorted(files))
    return hashlib.sha256("".join(lines).encode()).hexdigest()
