"""The record of the studies, ``data/studies.json``, and what the code yields now compared with it.

A line a study has its version, a digest of its code, and short digests of what was measured: of the first replicate of
each cell, and of each chunk.  Where the code has changed, one replicate of each cell is measured again.  The cells are
those that the artifacts ask for at the published scale, which is found by computing these from one replicate a cell.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import metadata
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from compendium.book import catalogue
from compendium.book.places import root, write_whole
from compendium.book.row_diff import ROW_KEY, diff_rows, recorded_rows
from compendium.book.session import regenerated_frame, yielded
from compendium.studies import versions
from compendium.studies.columns import Column
from compendium.studies.store import Store
from compendium.studies.study import Piece, Study, pieces_of, run_study, table_of
from compendium.studies.workers import Measure, measured
from errorest import determinism
from errorest.errors import UsageError
from errorest.streams import Streams

RECORD = "run: compendium build --record"
# Hexadecimal digits kept of a digest: of the first replicate of a cell, and of a chunk
_FIRST, _CHUNK = 6, 4
# Differences that are printed
_LISTED = 20

Run = Callable[[Study], pd.DataFrame]


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
            return versions.code_of(self.modules) != self.code
        except UsageError:  # a module was moved
            return True


@dataclass(frozen=True)
class Record:
    """The studies of a complete build, under which conditions they were measured, and a digest of all chunks."""

    results: int
    made: Mapping[str, Any]
    store: str
    studies: Sequence[Line]


def record_path() -> Path:
    return root() / "data" / "studies.json"


def read_record() -> Record:
    try:
        read = json.loads(record_path().read_text(encoding="utf-8"))
        lines = []
        for one in read.pop("studies"):
            cuts = {name: _cut(one.pop(name), digits) for name, digits in (("firsts", _FIRST), ("chunks", _CHUNK))}
            lines.append(Line(**one, **cuts))
        return Record(**read, studies=lines)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"{record_path()} is missing or cannot be read", f"restore it from git, or {RECORD}") from None


def _cut(text: str, digits: int) -> list[str]:
    return [text[place : place + digits] for place in range(0, len(text), digits)]


def write_record(record: Record) -> None:
    """Write the record, a line a study."""
    head = {"results": record.results, "made": record.made, "store": record.store}
    lines = [
        json.dumps(vars(one) | {"firsts": "".join(one.firsts), "chunks": "".join(one.chunks)}) for one in record.studies
    ]
    text = json.dumps(head, indent=1, sort_keys=True)[:-2] + ',\n "studies": [\n' + ",\n".join(lines) + "\n]}\n"
    write_whole(record_path(), text)


def conditions() -> dict[str, Any]:
    """Return all that decides bits and keys on this machine but the code."""
    return {
        "errorest": metadata.version("errorest"),
        "installed": determinism.installed(),
        "processor": list(determinism.processor()),
        "settings": dict(determinism.ENVIRONMENT),
    }


def other_conditions(made: Mapping[str, Any]) -> list[str]:
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


# What the artifacts ask for


@dataclass
class Asked:
    """A study as the artifacts ask for it: its cells and chunks in the order in which they are first asked for."""

    version: int
    measure: Measure
    artifacts: list[str] = field(default_factory=list)
    pieces: dict[str, Piece] = field(default_factory=dict)
    # by key: the first replicate of a cell, and the key of a chunk that begins with it
    firsts: dict[str, tuple[Piece, str]] = field(default_factory=dict)

    def add(self, study: Study, artifact: str) -> None:
        """Add the cells and chunks that are new."""
        if (self.version, self.measure) != (study.version, study.measure):
            raise UsageError(f"two studies are called '{study.id}'", "give each measure and version an id of its own")
        pieces = {piece.key: piece for piece in pieces_of(study)}
        if pieces.keys() <= self.pieces.keys():
            return
        beginning = [key for key, piece in pieces.items() if piece.task.start == 0]
        for one, chunk in zip(pieces_of(replace(study, replicates=1)), beginning, strict=True):
            self.firsts.setdefault(one.key, (one, chunk))
        self.artifacts += [] if artifact in self.artifacts else [artifact]
        self.pieces |= pieces


def survey(artifacts: Iterable[str], run: Run) -> tuple[dict[str, Asked], pd.DataFrame]:
    """Compute artifacts at the published scale; return the studies that they ask for, and the rows of those without.

    What fails for want of replicates is passed over, so an artifact asks for all its studies before it computes.
    """
    asked: dict[str, Asked] = {}
    rows = [recorded_rows().iloc[:0]]
    for name in artifacts:
        notebook, spec = catalogue.artifact(name)
        parameters = notebook.parameters()
        studied: list[str] = []

        def note(study: Study, name: str = name, studied: list[str] = studied) -> pd.DataFrame:
            studied.append(study.id)
            asked.setdefault(study.id, Asked(study.version, study.measure)).add(study, name)
            return run(study)

        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
            try:
                made = yielded(spec, notebook.paper, parameters, "published", note)
            except (ArithmeticError, LookupError, ValueError) as exc:
                if not studied or isinstance(exc, UsageError):
                    raise
                larger = parameters.enlarged() if spec.enlarge else None
                with suppress(ArithmeticError, LookupError, ValueError):
                    _ = larger is None or spec.compute(larger, note)
        if not studied:
            rows.append(regenerated_frame(name, made))
    return asked, pd.concat(rows, ignore_index=True)


def every_artifact() -> list[str]:
    return [artifact.id for notebook in catalogue.notebooks() for artifact in notebook.artifacts]


class OneReplicate:
    """Runs one replicate of each cell of a study, and keeps what it measured by key."""

    def __init__(self, jobs: int = 1, say: Callable[[str], None] | None = None) -> None:
        self._jobs, self._say = jobs, say
        self.columns: dict[str, dict[str, Column]] = {}

    def __call__(self, study: Study) -> pd.DataFrame:
        """Return the table of the first replicates."""
        one = replace(study, replicates=1)
        pieces = pieces_of(one)
        missing = [piece for piece in pieces if piece.key not in self.columns]
        for position, columns in measured([piece.task for piece in missing], self._jobs, self._say):
            self.columns[missing[position].key] = columns
        return table_of(one, pieces, [self.columns[piece.key] for piece in pieces])


# Recording


def record_studies(store: Store) -> Record:
    """Write the record of a complete build from its finished store, and return it."""
    asked, _ = survey(every_artifact(), partial(run_study, store=store))
    lines, digests = [], {}
    for name, study in asked.items():
        columns = {key: stored_chunk(store, piece) for key, piece in study.pieces.items()}
        own = {key: versions.digest_of(chunk) for key, chunk in columns.items()}
        digests |= own
        modules = versions.modules_of(study.measure)
        firsts = [versions.first_digest(columns[chunk], 0)[:_FIRST] for _, chunk in study.firsts.values()]
        chunks = [digest[:_CHUNK] for digest in own.values()]
        code = versions.code_of(modules)
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


# Verifying


@dataclass
class Verified:
    """What was measured again of a study, or calculated again, and what is not as recorded."""

    name: str
    cells: int = 0
    chunks: int = 0
    differences: list[str] = field(default_factory=list)


def draw_share(count: int, share: float, rng: np.random.Generator) -> list[int]:
    """Draw a share of positions by systematic sampling; at least one of several, and all for a share of 1."""
    wanted = min(count, max(1, ceil(share * count)))
    start = rng.random()
    return [int((start + k) * count / wanted) for k in range(wanted)]


def verify(
    record: Record,
    *,
    every: bool = False,
    share: float = 0.0,
    seed: int = 0,
    jobs: int = 1,
    say: Callable[[str], None] | None = None,
) -> list[Verified]:
    """Measure the first replicate of each cell of the studies whose code has changed again, or of every study.

    With a share, that many of the chunks of every study are measured again too.  Where every study is, what needs none
    is calculated again.  The code of studies that are as recorded is noted.
    """
    if record.results != determinism.RESULTS_VERSION:
        raise UsageError(
            f"the record is of version {record.results} of errorest's results, which are at "
            f"{determinism.RESULTS_VERSION} now",
            RECORD,
        )
    every = every or share > 0
    lines = {line.id: line for line in record.studies if every or line.changed}
    wanted = {artifact for line in lines.values() for artifact in line.artifacts}
    one = OneReplicate(jobs, say)
    asked, rows = survey([name for name in every_artifact() if every or name in wanted], one)
    results = []
    for name in {**lines, **(asked if every else {})}:
        result = _compared(name, lines.get(name), asked.get(name), one.columns)
        if share and not result.differences:
            tasks = [piece.task for piece in asked[name].pieces.values()]
            drawn = draw_share(len(tasks), share, Streams(seed).child("verify").generator(name))
            result.chunks = len(drawn)
            for position, columns in measured([tasks[k] for k in drawn], jobs, say):
                place = drawn[position]
                if versions.digest_of(columns)[:_CHUNK] != lines[name].chunks[place]:
                    result.differences.append(f"{tasks[place]}: other numbers than recorded")
        results.append(result)
    if every:
        results.append(_rows_compared(rows))
    _note({r.name: asked[r.name] for r in results if r.name in lines and not r.differences}, record)
    return results


def _compared(
    name: str, line: Line | None, study: Asked | None, columns: Mapping[str, Mapping[str, Column]]
) -> Verified:
    """Compare the first replicates of a study's cells with the record."""
    if line is None or study is None:
        return Verified(name, differences=[f"it is not recorded; {RECORD}" if study else "no artifact asks for it"])
    result = Verified(name, len(study.firsts))
    if study.version != line.version or len(study.firsts) != len(line.firsts) or len(study.pieces) != len(line.chunks):
        counts = f"version {line.version} of {len(line.firsts)} cells in {len(line.chunks)} chunks is recorded"
        result.differences = [f"{counts}, this is version {study.version} of {len(study.firsts)}; {RECORD}"]
        return result
    for (key, (piece, _)), digest in zip(study.firsts.items(), line.firsts, strict=True):
        if versions.digest_of(columns[key])[:_FIRST] != digest:
            result.differences.append(f"{piece.task}: other numbers than recorded")
    return result


def _rows_compared(rows: pd.DataFrame) -> Verified:
    """Compare rows that need no study with ``data/regenerated``."""
    recorded = recorded_rows()
    diff = diff_rows(recorded.merge(rows[ROW_KEY], on=ROW_KEY), rows)
    differences = [*map(str, diff.changed), *(f"{' '.join(key)}: not recorded" for key in diff.added)]
    return Verified(f"{len(rows)} rows that need no study", differences=differences)


def _note(equal: Mapping[str, Asked], record: Record) -> None:
    """Note the code of studies that are as recorded."""
    lines = []
    for line in record.studies:
        modules = versions.modules_of(equal[line.id].measure) if line.id in equal else line.modules
        code = versions.code_of(modules) if line.id in equal else line.code
        lines.append(replace(line, modules=modules, code=code))
    if lines != list(record.studies):
        write_record(replace(record, studies=lines))


def report(results: Sequence[Verified], record: Record) -> str:
    """Say in lines what was tried and what differs."""
    lines = [f"{one.name}: {_count(one)}{'' if one.differences else ', as recorded'}" for one in results]
    differences = [f"  {one.name}: {said}" for one in results for said in one.differences]
    if differences:
        other = other_conditions(record.made)
        cause = f"this machine is another: {'; '.join(other)}" if other else versions.RAISE
        more = [f"  and {len(differences) - _LISTED} more"] if len(differences) > _LISTED else []
        lines += ["", "not as recorded:", *differences[:_LISTED], *more, "", cause]
    return "\n".join(lines or ["the code of all studies is as recorded"])


def _count(one: Verified) -> str:
    parts = {"first replicate of {} cells": one.cells, "{} chunks": one.chunks}
    return ", ".join(text.format(number) for text, number in parts.items() if number) or "calculated"
