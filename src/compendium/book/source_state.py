"""The state of the project's source: its files, their Software Heritage identifier, and the commit.

No file can hold the identifier of a tree that it is part of, so a build computes it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from compendium.studies import digests
from errorest.errors import UsageError

__all__ = ["check_committed", "commit_of", "short", "source_files", "tree_id"]

_NOT_PACKAGING = (":!PKG-INFO", ":!setup.cfg")  # what a source distribution adds at its root


def source_files(folder: Path) -> list[str]:
    """List the project's files."""
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
    """Return what kind of state a commit names, and its first letters."""
    kind, _, digest = commit.rpartition("-")
    return kind or "commit", digest[:12]


def check_committed(folder: Path) -> None:
    """Refuse a checkout with changes that are not committed."""
    if (folder / ".git").exists() and (changed := _git(folder, "status", "--porcelain").splitlines()):
        raise UsageError(
            f"the checkout has {len(changed)} changes that are not committed, first {changed[0].split()[-1]}"
        )
