"""The archive of study results: every chunk of the recorded build in one tar, the same bytes when made twice.

Each entry is held against the archive's list before any of it is used; :mod:`compendium.book.origin` holds it against
what is recorded of it.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compendium.book.ledger import Ledger
from compendium.studies.store import Store
from errorest.errors import UsageError
from errorest.files import replacing

__all__ = ["Archive", "read_archive", "write_archive"]

_FORMAT = 1
_SCALE = "published"
_LIST = "archive.json.gz"
_ENDING = ".chunk.gz"


@dataclass(frozen=True)
class Archive:
    """What an archive says of itself."""

    sha256: str
    made: Mapping[str, Any]
    codes: Mapping[str, str]
    chunks: Mapping[str, str]


def write_archive(path: Path, ledger: Ledger, store: Store) -> int:
    """Write the chunks of a recorded build, one after another."""
    tasks = {piece.key: str(piece.task) for described in ledger.studies for piece, _ in ledger.pieces(described)}
    chunks = {key: hashlib.sha256(_content(store, key, tasks[key])).hexdigest() for key in sorted(tasks)}
    codes = {described["id"]: described["code"] for described in ledger.studies}
    head = {"format": _FORMAT, "scale": _SCALE, "made": ledger.made, "codes": codes, "chunks": chunks}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as half, tarfile.open(half, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            _add(tar, _LIST, json.dumps(head, indent=1, sort_keys=True).encode())
            for key in chunks:
                _add(tar, f"{key}{_ENDING}", _content(store, key, tasks[key]))
    except OSError as exc:
        raise UsageError(
            f"{path} could not be written ({exc.strerror}); expected a writable folder with free space; "
            "choose another folder or make room"
        ) from None
    return len(chunks)


def _content(store: Store, key: str, task: str) -> bytes:
    content = store.content(key)
    if content is None:
        raise UsageError(
            f"{task} is not in {store.root}; expected the finished store of the recorded build; run: make book"
        )
    return content


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    """Add an entry without time, owner or anything else that differs from machine to machine."""
    packed = gzip.compress(content, 9, mtime=0)
    entry = tarfile.TarInfo(name)
    entry.size = len(packed)
    entry.mode = 0o644
    tar.addfile(entry, io.BytesIO(packed))


def read_archive(path: Path, store: Store) -> Archive:
    """Check an archive from the first byte to the last, and put its chunks into an empty store."""
    try:
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        with tarfile.open(path, "r:") as tar:
            entries = _entries(tar, path)
            archive = _head(next(entries, ("", b"")), digest, path)
            store.prepare()
            missing = dict(archive.chunks)
            for name, content in entries:
                if hashlib.sha256(content).hexdigest() != missing.pop(name.removesuffix(_ENDING), None):
                    raise _refused(path, f"entry {name} is not what the archive's list says of it")
                store.path(name.removesuffix(_ENDING)).write_bytes(content)
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as exc:
        raise _refused(path, f"it cannot be read ({exc})") from None
    except OSError as exc:
        raise UsageError(
            f"archive {path} cannot be read ({exc.strerror}); expected a file such as errorest-studies.tar; "
            "mend the path"
        ) from None
    if missing:
        raise _refused(path, f"{len(missing)} of {len(archive.chunks)} chunks are missing, {min(missing)[:16]} first")
    return archive


def _entries(tar: tarfile.TarFile, path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the entries unpacked."""
    for entry in tar:
        file = tar.extractfile(entry)
        if file is None:
            raise _refused(path, f"entry {entry.name!r} is no regular file")
        yield entry.name, gzip.decompress(file.read())


def _head(first: tuple[str, bytes], digest: str, path: Path) -> Archive:
    name, content = first
    if name != _LIST:
        raise _refused(path, f"its first entry is {name!r} and not {_LIST}")
    try:
        head = json.loads(content)
        scale, known = head["scale"], head["format"] == _FORMAT
        archive = Archive(digest, dict(head["made"]), dict(head["codes"]), dict(head["chunks"]))
        known &= {"installed", "processor", "settings", "version"} <= archive.made.keys()
    except (ValueError, TypeError, KeyError, RecursionError):
        raise _refused(path, "its list cannot be read") from None
    if not known:
        raise _refused(path, "its list is of another kind")
    if scale != _SCALE:
        raise _refused(path, f"its results are of scale '{scale}' and not of the published one")
    return archive


def _refused(path: Path, what: str) -> UsageError:
    return UsageError(
        f"archive {path} is refused: {what}; expected an archive that 'compendium archive' wrote; fetch it again, or "
        "build without it"
    )
