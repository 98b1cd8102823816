"""The record of the studies, ``data/studies.json``: a line a study, against which the code is verified.

A line has the version of the study, a digest of its code, and short digests of what was measured: of the first
replicate of each cell, and of each chunk.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path

from compendium import versions
from compendium.book.places import root, write_whole
from compendium.book.survey import every_artifact, survey
from compendium.evidence.records import Fields, Values
from compendium.studies import spot_check
from compendium.studies.columns import Column
from compendium.studies.store import Store
from compendium.studies.study import Piece, run_study
from errorest import determinism
from errorest.errors import UsageError

RECORD = "run: compendium build --record"
# Hexadecimal digits kept of a digest: of the first replicate of a cell, and of a chunk
FIRST, CHUNK = 6, 4


@dataclass(frozen=True)
class Line:
    """What is recorded of a study: its version and code, the artifacts that ask for it, and digests in their order."""

    id: str
    version: int
    modules: Sequence[str]
    code: str
    artifacts: Sequence[str]
    firsts: Sequence[str]
    chunks: Sequence[str]

    @property
    def changed(self) -> bool:
        """Whether its code is another than its results were last seen to come from."""
        try:
            return spot_check.code_of(self.modules) != self.code
        except UsageError:  # a module was moved
            return True


@dataclass(frozen=True)
class Record:
    """The studies of a complete build, under which conditions they were measured, and a digest of all chunks."""

    results: int
    made: Fields
    store: str
    studies: Sequence[Line]


def record_path() -> Path:
    return root() / "data" / "studies.json"


def read_record() -> Record:
    try:
        read = json.loads(record_path().read_text(encoding="utf-8"))
        lines = []
        for one in read.pop("studies"):
            for key, digits in {"firsts": FIRST, "chunks": CHUNK}.items():
                one[key] = [one[key][place : place + digits] for place in range(0, len(one[key]), digits)]
            lines.append(Line(**one))
        return Record(**read, studies=lines)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"{record_path()} is missing or cannot be read", f"restore it from git, or {RECORD}") from None


def write_record(record: Record) -> None:
    """Write the record, a line a study."""
    head = {"results": record.results, "made": record.made, "store": record.store}
    lines = [
        json.dumps(vars(one) | {"firsts": "".join(one.firsts), "chunks": "".join(one.chunks)}) for one in record.studies
    ]
    text = json.dumps(head, indent=1, sort_keys=True)[:-2] + ',\n "studies": [\n' + ",\n".join(lines) + "\n]}\n"
    write_whole(record_path(), text)


def conditions() -> Values:
    """Return all that decides bits and keys on this machine but the code."""
    return {
        "errorest": metadata.version("errorest"),
        "installed": versions.installed(),
        "processor": list(versions.processor()),
        "settings": dict(determinism.ENVIRONMENT),
    }


def other_conditions(made: Fields) -> list[str]:
    """List in what this machine differs from the one that computed, of all that decides bits and keys."""
    here = conditions()
    pairs = [(made[name], here[name]) for name in ("installed", "settings")]
    pairs.append(({"the processor": " ".join(made["processor"])}, {"the processor": " ".join(here["processor"])}))
    return [
        f"{name} {a.get(name, 'none')} there, {b.get(name, 'none')} here"
        for a, b in pairs
        for name in {**a, **b}
        if a.get(name) != b.get(name)
    ]


def record_studies(store: Store) -> Record:
    """Write the record of a complete build from its finished store, and return it."""
    studies, _ = survey(every_artifact(), partial(run_study, store=store))
    lines: list[Line] = []
    digests: dict[str, str] = {}
    for name, study in studies.items():
        columns = {key: stored_chunk(store, piece) for key, piece in study.pieces.items()}
        own = {key: spot_check.digest_of(chunk) for key, chunk in columns.items()}
        digests |= own
        modules = spot_check.modules_of(study.measure)
        firsts = [spot_check.first_digest(columns[chunk], 0)[:FIRST] for _, chunk in study.firsts.values()]
        chunks = [digest[:CHUNK] for digest in own.values()]
        code = spot_check.code_of(modules)
        lines.append(Line(name, study.version, modules, code, study.artifacts, firsts, chunks))
    record = Record(determinism.RESULTS_VERSION, conditions(), digest_of_store(digests), lines)
    write_record(record)
    return record


def stored_chunk(store: Store, piece: Piece) -> dict[str, Column]:
    """Read a chunk of the recorded build from the store."""
    columns = store.get(piece.key)
    if columns is None:
        raise UsageError(
            f"{piece.task} is not in {store.root}, and a record needs the finished store of a complete build",
            f"{RECORD}, on this machine, without --dask",
        )
    return columns


def digest_of_store(digests: Mapping[str, str]) -> str:
    """Digest the keys of chunks and the digests of what they hold."""
    return hashlib.sha256("\n".join(f"{key} {digests[key]}" for key in sorted(digests)).encode()).hexdigest()
