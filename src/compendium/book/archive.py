"""The archive of a recorded build: every chunk of its studies in one file, and the book made from it.

Each chunk of an archive is compared with its recorded line, and a share of some studies is measured again on this
machine, before any chunk enters the store.
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
from importlib import metadata
from pathlib import Path
from typing import IO, Any

from compendium.book.places import note_of_origin, read_mapping, store_folder, write_whole
from compendium.book.progress import Bar
from compendium.book.record import (
    BYTE,
    DIFFERS,
    RECORD,
    ChunkLine,
    Ledger,
    Verification,
    as_text,
    code_changed,
    code_digest,
    line_of,
    other_conditions,
    read_ledger,
    stored_chunk,
    verify,
)
from compendium.book.templating import fill
from compendium.studies.store import DAMAGE, Store, decode
from errorest.errors import UsageError, quoted
from errorest.files import replacing

_SHARE = 0.01
# Studies of which a share is measured again: each has to be compiled, which takes most of the time
_STUDIES = 8
# Bytes that a chunk, and what an archive says of it, may have; the largest of a book has a hundredth of them
_LARGEST = 64 << 20
# Chunks that an archive may have; those of a book are some thousand
_MOST = 200_000


def write_archive(path: Path, ledger: Ledger, store: Store) -> int:
    """Write the chunks of a recorded build, the same bytes when written twice; return their number."""
    pieces = {piece.key: (piece, line) for one in ledger.studies for piece, line in ledger.pieces(one)}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with (
            replacing(path) as half,
            open(half, "wb") as file,
            gzip.GzipFile("", "wb", 9, file, mtime=0) as packed,
            tarfile.open(fileobj=packed, mode="w") as tar,
        ):
            for key, (piece, line) in sorted(pieces.items()):
                if line_of(stored_chunk(store, piece)) != line:
                    raise UsageError(f"{piece.task} in {store.root} is not as recorded", RECORD)
                entry = tar.gettarinfo(store.path(key), store.path(key).name)
                entry = entry.replace(mtime=0, mode=0o644, uid=0, gid=0, uname="", gname="", deep=False)
                tar.addfile(entry, io.BytesIO(store.path(key).read_bytes()))
    except OSError as exc:
        raise UsageError(f"{path} cannot be written: {exc.strerror}") from None
    return len(pieces)


def read_archive(path: Path, ledger: Ledger, store: Store) -> str:
    """Compare every chunk of an archive with its line, write it to an empty store, and return the archive's SHA-256."""
    if conditions := other_conditions(ledger.made):
        raise UsageError(
            f"the results in {path} were computed under other conditions: {'; '.join(conditions)}",
            "install the pinned packages with 'make setup', or build without STORE",
        )
    wanted = {
        piece.key: (piece, line)
        for description in ledger.studies
        for piece, line in ([] if code_changed(description) else ledger.pieces(description))
    }
    try:
        store.prepare()
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            file.seek(0)
            for key, content in _chunks(path, file):
                if key not in wanted:
                    continue  # of a study whose code has changed since
                piece, line = wanted.pop(key)
                if _line(key, content) != line:
                    raise _refusal(path, f"{piece.task} is damaged or not as recorded")
                write_whole(store.path(key), content)
    except OSError as exc:
        raise UsageError(f"archive {path} cannot be read: {exc.strerror}") from None
    if wanted:
        piece, _ = next(iter(wanted.values()))
        raise _refusal(path, f"{piece.task} is missing")
    return digest


def _line(key: str, content: bytes) -> ChunkLine | None:
    """Return the line of a chunk's bytes; None where they are damaged."""
    try:
        return line_of(decode(key, content))
    except DAMAGE:
        return None


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


def import_archive(path: Path, jobs: int, *, share: float = _SHARE) -> Verification:
    """Move an archive's chunks into the store, after they were compared with the record and a share measured again."""
    ledger, store = read_ledger(), Store(store_folder())
    store.prepare()
    with Bar([1.0]) as bar, tempfile.TemporaryDirectory(prefix="unpacked-", dir=store.root) as folder:
        bar.say("checking the archive")
        unpacked = Store(folder)
        digest = read_archive(path, ledger, unpacked)
        result = verify(
            ledger,
            share=share,
            seed=int(digest[:8], 16),
            jobs=jobs,
            with_rows=False,
            n_studies=_STUDIES,
            progress=lambda done: bar.report(0, done),
        )
        if result.outcome == DIFFERS:
            report = as_text(result, ledger, metadata.version("errorest"))
            raise _refusal(path, f"this machine computes other results:\n{report}")
        for description in ledger.studies:
            for piece, _ in [] if code_changed(description) else ledger.pieces(description):
                os.replace(unpacked.path(piece.key), store.path(piece.key))
    _write_origin(path, digest, ledger, result)
    for name in dict.fromkeys(one.name for one in result.studies if one.code_changed):
        print(f"study {name} is computed, not taken from the archive: its code has changed since")
    return result


def _write_origin(path: Path, digest: str, ledger: Ledger, found: Verification) -> None:
    """Write down what was taken from an archive, and how much of it was measured again."""
    studies: dict[str, dict[str, Any]] = {}
    for description, one in zip(ledger.studies, found.studies, strict=True):
        study = studies.setdefault(one.name, {key: description[key] for key in ("measure", "code")})
        taken = 0 if one.code_changed else one.of
        for key, count in {"chunks": one.of, "taken": taken, "again": one.checked, "equal": one.counts[BYTE]}.items():
            study[key] = study.get(key, 0) + count
    note = {
        "archive": {"name": path.name, "sha256": digest, "version": ledger.made["version"]},
        "share": found.share,
        "seed": found.seed,
        "outcome": found.outcome,
        "studies": list(studies.items()),
    }
    write_whole(note_of_origin(), json.dumps(note, indent=1))


def origin_html() -> str:
    """Describe where the results of this book come from."""
    note = read_mapping(note_of_origin())
    # a study whose code changed after the import was computed, not taken
    rows = [
        (name, one["chunks"], one["taken"] if code_digest(one) == one["code"] else 0, one["again"], one["equal"])
        for name, one in (note["studies"] if note else ())
    ]
    damaged = note is None and os.path.lexists(note_of_origin())
    return fill("origin.html", note=note, damaged=damaged, rows=rows)
