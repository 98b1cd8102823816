"""The archive of study results: every chunk of the recorded build in one tar, the same bytes when made twice.

An archive is read as something a stranger has sent.  Entries are named by their keys and nothing else, no entry
is ever written under a name from the archive, and each is held against the archive's list and its own seal before
any of it is used.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compendium.book.ledger import Ledger
from compendium.book.places import write_whole
from compendium.studies.store import Store, fault_of
from errorest.errors import UsageError

__all__ = ["Archive", "read_archive", "write_archive"]

_FORMAT = 1
_SCALE = "published"
_LIST = "archive.json.gz"
_ENTRY = re.compile(r"([0-9a-f]{64})\.chunk\.gz")
_LARGEST = 2**26
"""Bytes of one entry, packed or not."""
_MOST = 2**31
"""Bytes of all entries together."""


@dataclass(frozen=True)
class Archive:
    """What an archive says of itself."""

    sha256: str
    made: Mapping[str, Any]
    codes: Mapping[str, str]
    chunks: Mapping[str, str]


def write_archive(path: Path, ledger: Ledger, store: Store) -> int:
    """Write the chunks of a recorded build."""
    contents: dict[str, bytes] = {}
    for described in ledger.studies:
        for piece, _ in ledger.pieces(described):
            content = store.content(piece.key)
            if content is None:
                raise UsageError(
                    f"{piece.task} is not in {store.root}; expected the finished store of the recorded build; "
                    "run: make book"
                )
            contents[piece.key] = content
    chunks = {key: hashlib.sha256(contents[key]).hexdigest() for key in sorted(contents)}
    codes = {described["id"]: described["code"] for described in ledger.studies}
    head = {"format": _FORMAT, "scale": _SCALE, "made": ledger.made, "codes": codes, "chunks": chunks}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        _add(tar, _LIST, json.dumps(head, indent=1, sort_keys=True).encode())
        for key in chunks:
            _add(tar, f"{key}.chunk.gz", contents[key])
    write_whole(path, packed.getvalue())
    return len(chunks)


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
            seen: set[str] = set()
            for name, content in entries:
                key = _key(name, archive, seen, path)
                if hashlib.sha256(content).hexdigest() != archive.chunks[key]:
                    raise _refused(path, f"entry {name} does not have the checksum of the archive's list")
                if fault := fault_of(key, content):
                    raise _refused(path, f"entry {name} is no sound chunk: {fault}")
                store.path(key).write_bytes(content)
                seen.add(key)
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as exc:
        raise _refused(path, f"it cannot be read ({exc})") from None
    except OSError as exc:
        raise UsageError(
            f"archive {path} cannot be read ({exc.strerror}); expected a file such as errorest-studies.tar; "
            "mend the path"
        ) from None
    missing = [key for key in archive.chunks if key not in seen]
    if missing:
        raise _refused(path, f"{len(missing)} of {len(archive.chunks)} chunks are missing, {missing[0][:16]} first")
    return archive


def _entries(tar: tarfile.TarFile, path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the entries unpacked, as long as they are plain files of bearable size."""
    total = 0
    for entry in tar:
        if entry.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
            raise _refused(path, f"entry {entry.name!r} is no regular file")
        if not (entry.name == _LIST or _ENTRY.fullmatch(entry.name)):
            raise _refused(path, f"entry {entry.name!r} has no business there")
        file = tar.extractfile(entry) if entry.size <= _LARGEST else None
        if file is None:
            raise _refused(path, f"entry {entry.name} is larger than {_LARGEST} bytes")
        with gzip.open(file) as unpacked:
            content = unpacked.read(_LARGEST + 1)
        total += len(content)
        if len(content) > _LARGEST or total > _MOST:
            raise _refused(path, f"entry {entry.name} unpacks to too much")
        yield entry.name, content


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


def _key(name: str, archive: Archive, seen: set[str], path: Path) -> str:
    named = _ENTRY.fullmatch(name)
    key = named[1] if named else ""
    if key not in archive.chunks:
        raise _refused(path, f"entry {name} does not stand in the archive's list")
    if key in seen:
        raise _refused(path, f"entry {name} stands there twice")
    return key


def _refused(path: Path, what: str) -> UsageError:
    return UsageError(
        f"archive {path} is refused: {what}; expected an archive that 'compendium archive' wrote; fetch it again, or "
        "build without it"
    )
