"""What a state of the project is called: its files, their common hash as Software Heritage writes it, its commit.

No file can hold the hash of a tree that it is part of.  So the tree holds none: a build computes it and writes it
into the pages, and a release into its own copy of ``CITATION.cff``.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Any

from compendium.studies import digests
from errorest.errors import UsageError

__all__ = ["commit_of", "refuse_changes", "short", "source_files", "tree_id"]

_PACKAGING = frozenset({"PKG-INFO", "setup.cfg"})
"""What a source distribution adds at its root."""


def source_files(folder: Path) -> list[str]:
    """List the files that make up the project: those that git knows, or all that ``.gitignore`` does not name."""
    if (folder / ".git").exists():
        names = _git(folder, "ls-files", "-z").split("\0")
        return sorted(name for name in names if name and os.path.lexists(folder / name))
    path = folder / ".gitignore"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    rules = [line.strip().strip("/") for line in lines if line.strip() and not line.startswith("#")]
    return sorted(name for name in _walked(folder, rules) if name not in _PACKAGING)


def _walked(folder: Path, ignored: list[str]) -> Iterator[str]:
    for place, inner, files in os.walk(folder):
        inner[:] = [name for name in inner if not any(fnmatch(name, rule) for rule in ignored)]
        for name in files:
            if not any(fnmatch(name, rule) for rule in ignored):
                yield (Path(place) / name).relative_to(folder).as_posix()


def _git(folder: Path, *arguments: str) -> str:
    try:
        return subprocess.run(
            # whose Python is executed is trusted, also where another user owns it
            ["git", "-c", f"safe.directory={folder}", *arguments],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        raise UsageError(
            f"git could not read the checkout {folder} (git {arguments[0]}); expected git and a checkout that is "
            "yours; install git, or take the source distribution, which needs none"
        ) from None


def tree_id(folder: Path) -> str:
    """Compute the identifier that Software Heritage gives to the tree of the project's files."""
    tree: dict[str, Any] = {}
    for name in source_files(folder):
        *folders, last = PurePosixPath(name).parts
        node = tree
        for part in folders:
            node = node.setdefault(part, {})
        node[last] = folder / name
    return f"swh:1:dir:{_hash_of(tree).hex()}"


def _hash_of(tree: Mapping[str, Any]) -> bytes:
    """Hash a folder as git does: mode, name and hash of each entry, folders sorted as if they ended in a stroke."""
    lines = {}
    for name, entry in tree.items():
        if isinstance(entry, dict):
            lines[f"{name}/".encode()] = b"40000 " + name.encode() + b"\0" + _hash_of(entry)
        elif entry.is_symlink():
            lines[name.encode()] = b"120000 " + name.encode() + b"\0" + _object("blob", os.readlink(entry).encode())
        else:
            mode = b"100755 " if entry.stat().st_mode & 0o100 else b"100644 "
            lines[name.encode()] = mode + name.encode() + b"\0" + _object("blob", entry.read_bytes())
    return _object("tree", b"".join(lines[name] for name in sorted(lines)))


def _object(kind: str, content: bytes) -> bytes:
    return hashlib.sha1(f"{kind} {len(content)}\0".encode() + content, usedforsecurity=False).digest()


def commit_of(folder: Path) -> str:
    """Return the commit of the checkout, or ``source-`` and a digest of the package where there is no git."""
    # an unpacked distribution may lie inside somebody else's checkout
    if (folder / ".git").exists():
        try:
            return _git(folder, "rev-parse", "HEAD").strip()
        except UsageError:
            pass
    return f"source-{digests.source_digest()[:12]}"


def short(commit: str) -> tuple[str, str]:
    """Name a state in few letters, and say what names it."""
    kind, _, digest = commit.rpartition("-")
    return kind or "commit", digest[:12]


def refuse_changes(folder: Path) -> None:
    """Refuse a checkout with changes that no commit holds."""
    if (folder / ".git").exists() and (changed := _git(folder, "status", "--porcelain").strip()):
        raise UsageError(
            f"the checkout has changes that no commit holds ({len(changed.splitlines())} files, first "
            f"{changed.splitlines()[0].split()[-1]}); expected a release to be what its commit says; commit them"
        )
