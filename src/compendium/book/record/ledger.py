"""The record of a complete build, ``data/regenerated/studies.json``.

It describes what each study measures, in which cells and from which seed, and has a digest and the means of each chunk
of replicates.  That is enough to measure any chunk again, and to tell a rounding difference from another result.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from compendium.book.places import root, write_whole
from compendium.studies import digests
from compendium.studies.columns import Coded, Column
from compendium.studies.descriptions import cell_text, study_of
from compendium.studies.store import Store
from compendium.studies.study import Piece, pieces_of
from errorest import bits
from errorest.errors import UsageError

__all__ = [
    "ChunkLine",
    "Ledger",
    "code_changed",
    "line_of",
    "other_conditions",
    "read_ledger",
    "write_ledger",
]

_DIGEST, _EXACT = 10, 6
_FORMAT = 1
_SCALE = "published"


class ChunkLine(NamedTuple):
    """What is recorded of a chunk: digests of all columns and of all but finite floats, and the floats' means."""

    digest: str
    means: tuple[float, ...]

    @property
    def exact(self) -> str:
        """The digest of what is never rounded: whole numbers, texts, and where floats are missing."""
        return self.digest[_DIGEST:]


def line_of(columns: Mapping[str, Column]) -> ChunkLine:
    """Return the line of a chunk."""
    every, exact, means = hashlib.sha256(), hashlib.sha256(), []
    for name, column in columns.items():
        head: list[Any] = [name]
        if isinstance(column, Coded):
            head, values = [name, list(column.texts)], column.codes.astype("<i4")
            unrounded = values
        elif column.dtype.kind == "f":
            head, values = [name, len(column)], column.astype("<f8")
            finite = np.isfinite(column)
            unrounded = np.where(finite, 0.0, values)
            means.append(float(f"{column[finite].mean():.12g}") if finite.any() else 0.0)
        else:
            values = unrounded = column.astype("<i8")
        every.update(json.dumps(head).encode() + values.tobytes())
        exact.update(json.dumps(head).encode() + unrounded.tobytes())
    return ChunkLine(every.hexdigest()[:_DIGEST] + exact.hexdigest()[:_EXACT], tuple(means))


def code_digest(description: Mapping[str, Any]) -> str:
    """Return the digest of the code that measures a study."""
    return digests.code_digest([description["measure"].partition(":")[0]])


def code_changed(description: Mapping[str, Any]) -> bool:
    """Tell whether the code of a study changed since it was recorded."""
    return code_digest(description) != str(description["code"])


@dataclass(frozen=True)
class Ledger:
    """The record of a complete build."""

    made: Mapping[str, Any]
    studies: Sequence[Mapping[str, Any]]
    calculated: Sequence[str]
    rows: Mapping[str, str]

    def pieces(self, description: Mapping[str, Any]) -> list[tuple[Piece, ChunkLine]]:
        """Return the chunks of one of the studies, with their keys on this machine and their lines."""
        lines = [line for entry in description["cells"] for line in entry["lines"]]
        pieces = pieces_of(study_of(description))
        if len(lines) != len(pieces):
            raise UsageError(
                f"the record of study '{description['id']}' has {len(lines)} lines for {len(pieces)} chunks; restore "
                "data/regenerated/studies.json"
            )
        return [(piece, ChunkLine(digest, tuple(means))) for piece, (digest, means) in zip(pieces, lines, strict=True)]


def ledger_path() -> Path:
    """Return the path of the record."""
    return root() / "data" / "regenerated" / "studies.json"


def read_ledger(path: Path | None = None) -> Ledger:
    """Read the record of the last recorded build."""
    place = path or ledger_path()
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
        scale = found["scale"]
        ledger = Ledger(found["made"], found["studies"], found["calculated"], found["rows"])
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(
            f"the record {place} is missing or cannot be read; restore it from git, or write it with: "
            "compendium build --record"
        ) from None
    if scale != _SCALE:
        raise UsageError(f"the record {place} is of scale '{scale}' and not published; restore it from git")
    return ledger


def other_conditions(made: Mapping[str, Any]) -> list[str]:
    """List in what this machine differs from the one that computed, of all that decides bits and keys."""
    pairs = ((made["installed"], bits.installed()), (made["settings"], bits.ENVIRONMENT))
    found = [
        f"{name} {there.get(name, 'none')} there, {here.get(name, 'none')} here"
        for there, here in pairs
        for name in {**there, **here}
        if there.get(name) != here.get(name)
    ]
    there, here = list(made["processor"]), list(bits.processor())
    if there != here:
        lost, new = (", ".join(n for n in a if n not in b) or "nothing" for a, b in ((there, here), (here, there)))
        found.append(f"the processor (here without {lost}, with {new})")
    return found


def merge_studies(descriptions: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Merge the studies of several notebooks, such that each chunk is recorded once."""
    heads: dict[str, list[Mapping[str, Any]]] = {}
    for one in descriptions:
        head = {key: value for key, value in one.items() if key != "cells"}
        heads.setdefault(json.dumps(head), []).extend(one["cells"])
    merged = []
    for text, entries in heads.items():
        head = json.loads(text)
        order = list(dict.fromkeys(cell_text(entry["cell"]) for entry in entries))
        for layer in _layers(entries, head["chunk"]):
            merged.append({**head, "cells": [dict(layer[cell]) for cell in order if cell in layer]})
    return merged


def _layers(entries: Sequence[Mapping[str, Any]], chunk: int) -> list[dict[str, Mapping[str, Any]]]:
    """Spread entries over studies in which no cell is repeated; leave out those whose chunks a longer one has."""
    layers: list[dict[str, Mapping[str, Any]]] = []
    for entry in sorted(entries, key=lambda entry: -entry["replicates"]):
        cell, count = cell_text(entry["cell"]), entry["replicates"]
        longer = [layer[cell]["replicates"] for layer in layers if cell in layer]
        if any(count == other or (count < other and count % chunk == 0) for other in longer):
            continue
        if all(cell in layer for layer in layers):
            layers.append({})
        next(layer for layer in layers if cell not in layer)[cell] = entry
    return layers


def write_ledger(
    version: str,
    descriptions: Iterable[Mapping[str, Any]],
    calculated: Sequence[str],
    rows: Mapping[str, str],
    store: Store,
    path: Path | None = None,
) -> int:
    """Write the record of a complete build from its finished store; return the number of chunks."""
    studies, chunks = [], 0
    for description in merge_studies(descriptions):
        lines: list[list[ChunkLine]] = [[] for _ in description["cells"]]
        columns: Mapping[str, Column] = {}
        for piece in pieces_of(study_of(description)):
            columns = stored_chunk(store, piece)
            lines[piece.cell].append(line_of(columns))
            chunks += 1
        cells = [{**entry, "lines": own} for entry, own in zip(description["cells"], lines, strict=True)]
        floats = [name for name, c in columns.items() if not isinstance(c, Coded) and c.dtype.kind == "f"]
        studies.append({**description, "code": code_digest(description), "floats": floats, "cells": cells})
    made = {
        "version": version,
        "installed": bits.installed(),
        "processor": list(bits.processor()),
        "settings": dict(bits.ENVIRONMENT),
    }
    head = {"format": _FORMAT, "scale": _SCALE, "made": made, "rows": rows, "calculated": calculated}
    # one line a cell, so that a difference shows where it is
    opening = json.dumps(head, indent=1, sort_keys=True)[:-2]
    text = [f'{opening},\n "studies": [']
    for one in studies:
        entries = ",\n".join(_compact(entry) for entry in one["cells"])
        text.append(f'{_compact({k: v for k, v in one.items() if k != "cells"})[:-1]},"cells":[\n{entries}\n]}}')
    write_whole(path or ledger_path(), f"{text[0]}\n" + ",\n".join(text[1:]) + "\n]}\n")
    return chunks


def stored_chunk(store: Store, piece: Piece) -> dict[str, Column]:
    """Read a chunk of the recorded build from the store."""
    columns = store.get(piece.key)
    if columns is None:
        raise UsageError(
            f"{piece.task} is not in {store.root}; a record needs the finished store of a complete build on this "
            "machine, without --dask; run: compendium build --record"
        )
    return columns


def _compact(value: Any) -> str:
    # names keep their order: a cell's estimators are computed in it
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
