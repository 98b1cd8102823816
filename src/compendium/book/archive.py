"""The archive of a recorded build: every chunk of its studies in one file, and the book made from it.

An archive is not trusted: the keys and the numbers of all its chunks must be those that the record has a digest of,
before any chunk enters the store.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

from compendium.book.places import note_of_origin, read_mapping, store_folder, write_whole
from compendium.book.record import (
    RECORD,
    Record,
    digest_of_store,
    other_conditions,
    read_record,
    stored_chunk,
)
from compendium.book.survey import every_artifact, survey
from compendium.book.templating import fill
from compendium.studies.spot_check import digest_of
from compendium.studies.store import DAMAGE, Store, decode
from compendium.studies.study import run_study
from errorest.errors import UsageError, quoted
from errorest.files import replacing

# Bytes that a chunk, and what an archive says of it, may have; the largest of a book has a hundredth of them
_LARGEST = 64 << 20
# Chunks that an archive may have; those of a book are some thousand
_MOST = 200_000


def write_archive(path: Path, record: Record, store: Store) -> int:
    """Write the chunks of a recorded build, the same bytes when written twice; return their number."""
    studies, _ = survey(every_artifact(), partial(run_study, store=store))
    pieces = {key: piece for study in studies.values() for key, piece in study.pieces.items()}
    if digest_of_store({key: digest_of(stored_chunk(store, piece)) for key, piece in pieces.items()}) != record.store:
        raise UsageError(f"the studies in {store.root} are not as recorded", RECORD)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with (
            replacing(path) as half,
            open(half, "wb") as file,
            gzip.GzipFile("", "wb", 9, file, mtime=0) as packed,
            tarfile.open(fileobj=packed, mode="w") as tar,
        ):
            for key in sorted(pieces):
                entry = tar.gettarinfo(store.path(key), store.path(key).name)
                entry = entry.replace(mtime=0, mode=0o644, uid=0, gid=0, uname="", gname="", deep=False)
                tar.addfile(entry, io.BytesIO(store.path(key).read_bytes()))
    except OSError as exc:
        raise UsageError(f"{path} cannot be written: {exc.strerror}") from None
    return len(pieces)


def read_archive(path: Path, record: Record, store: Store) -> dict[str, str]:
    """Write the chunks of an archive to an empty store, compare them with the record, and return digests by key."""
    if conditions := other_conditions(record.made):
        raise UsageError(
            f"the results in {path} were computed under other conditions: {'; '.join(conditions)}",
            "install the pinned packages with 'make setup', or build without STORE",
        )
    digests: dict[str, str] = {}
    try:
        store.prepare()
        with open(path, "rb") as file:
            for key, content in _chunks(path, file):
                try:
                    columns, _ = decode(key, content)
                except DAMAGE:
                    raise _refusal(path, f"chunk {key} is damaged") from None
                digests[key] = digest_of(columns)
                write_whole(store.path(key), content)
    except OSError as exc:
        raise UsageError(f"archive {path} cannot be read: {exc.strerror}") from None
    if digest_of_store(digests) != record.store:
        raise _refusal(path, "its chunks are not those of the recorded build")
    return digests


class _Bounded(gzip.GzipFile):
    """A compressed file of which no more than a chunk is read at once, whatever its parts say of their size."""

    def read(self, size: int | None = -1) -> bytes:
        if size is None or not 0 <= size <= _LARGEST:
            raise tarfile.ReadError("a part of it is too large")
        return super().read(size)


def _chunks(path: Path, file: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the key and the bytes of each chunk in an archive; nothing is unpacked, no link followed."""
    seen: set[str] = set()
    try:
        with _Bounded(fileobj=file, mode="rb") as packed, tarfile.open(fileobj=packed, mode="r:") as tar:
            for member in tar:
                key = member.name.removesuffix(".npz")
                if not member.isreg() or member.issparse() or not re.fullmatch(r"[0-9a-f]{64}\.npz", member.name):
                    raise tarfile.ReadError(f"it holds {quoted(member.name)}, which is no chunk")
                if key in seen or len(seen) == _MOST:
                    raise tarfile.ReadError(f"it holds {quoted(member.name)} twice, or more than {_MOST} chunks")
                seen.add(key)
                content = tar.extractfile(member)
                assert content is not None
                yield key, content.read()
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, ValueError, OverflowError) as exc:
        raise _refusal(path, f"it cannot be unpacked ({' '.join(str(exc).split())})") from None


def _refusal(path: Path, reason: str) -> UsageError:
    return UsageError(f"archive {path} is refused: {reason}", "fetch it again, or build without STORE")


def import_archive(path: Path) -> None:
    """Move an archive's chunks into the store, after they were compared with the record."""
    record, store = read_record(), Store(store_folder())
    store.prepare()
    with tempfile.TemporaryDirectory(prefix="unpacked-", dir=store.root) as folder:
        unpacked = Store(folder)
        for key in read_archive(path, record, unpacked):
            os.replace(unpacked.path(key), store.path(key))
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    note = {"name": path.name, "sha256": digest, "version": record.made["errorest"]}
    write_whole(note_of_origin(), json.dumps(note, indent=1))


def origin_html() -> str:
    """Describe where the results of this book come from."""
    note = read_mapping(note_of_origin())
    damaged = note is None and os.path.lexists(note_of_origin())
    return fill("origin.html", note=note, damaged=damaged)
