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
import tarfile
import tempfile
import zlib
from importlib import metadata
from pathlib import Path
from typing import Any

from compendium.book.places import note_of_origin, read_mapping, store_folder, write_whole
from compendium.book.progress import Bar
from compendium.book.record import (
    BYTE,
    DIFFERS,
    RECORD,
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
from compendium.studies.store import Store
from errorest.errors import UsageError
from errorest.files import replacing

_SHARE = 0.01
# Studies of which a share is measured again: each has to be compiled, which takes most of the time
_STUDIES = 8


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
    """Unpack an archive into an empty store, compare every chunk with its line, and return the archive's SHA-256."""
    if conditions := other_conditions(ledger.made):
        raise UsageError(
            f"the results in {path} were computed under other conditions: {'; '.join(conditions)}",
            "install the pinned packages with 'make setup', or build without STORE",
        )
    store.prepare()
    try:
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        with tarfile.open(path) as tar:
            tar.extractall(store.root, filter="data")
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as exc:
        raise _refusal(path, f"it cannot be unpacked ({exc})") from None
    except OSError as exc:
        raise UsageError(f"archive {path} cannot be read: {exc.strerror}") from None
    for description in ledger.studies:
        for piece, line in [] if code_changed(description) else ledger.pieces(description):
            columns = store.get(piece.key, say=lambda text: None)
            if columns is None or line_of(columns) != line:
                fault = "missing or damaged" if columns is None else "not as recorded"
                raise _refusal(path, f"{piece.task} is {fault}")
    return digest


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
