"""What a complete build leaves for whoever computes it again: its studies, and a line about each of their chunks.

``data/regenerated/studies.json`` says of every study what is measured in which cells from which seed, and of
every chunk of replicates a seal of its bytes and the means of its numbers.  That is enough to measure any of them
again, anywhere, and to tell a last digit from another result.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from compendium.book.places import root, write_whole
from compendium.studies import digests
from compendium.studies.columns import Coded, Column
from compendium.studies.replicates import Each, each_replicate
from compendium.studies.store import Store
from compendium.studies.study import Piece, Study, pieces_of
from errorest import bits
from errorest.errors import UsageError

__all__ = ["Ledger", "Line", "describe_study", "line_of", "read_ledger", "study_of", "write_ledger"]

_SEAL, _EXACT = 10, 6
_DIGITS = 12
_FORMAT = 1
_SCALE = "published"


class Line(NamedTuple):
    """What is recorded of a chunk."""

    seal: str
    means: tuple[float, ...]

    @property
    def exact(self) -> str:
        """The part of the seal that no rounding may change."""
        return self.seal[_SEAL:]


def line_of(columns: Mapping[str, Column]) -> Line:
    """Make the line of a chunk."""
    every, exact = hashlib.sha256(), hashlib.sha256()
    means = []
    for name, column in columns.items():
        if isinstance(column, Coded):
            parts = [json.dumps([name, list(column.texts)]).encode(), column.codes.astype("<i4").tobytes()]
        elif column.dtype.kind == "f":
            parts = [json.dumps([name, len(column)]).encode()]
            finite = np.isfinite(column)
            every.update(column.astype("<f8").tobytes())
            exact.update(np.where(finite, 0.0, column).astype("<f8").tobytes())
            means.append(_short(float(column[finite].mean())) if finite.any() else 0.0)
        else:
            parts = [json.dumps([name]).encode(), column.astype("<i8").tobytes()]
        for part in parts:
            every.update(part)
            exact.update(part)
    return Line(every.hexdigest()[:_SEAL] + exact.hexdigest()[:_EXACT], tuple(means))


def _short(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def describe_study(study: Study) -> dict[str, Any]:
    """Write down what a study is, so that :func:`study_of` can make it again."""
    each = isinstance(study.measure, Each)
    function: Any = study.measure.design if isinstance(study.measure, Each) else study.measure
    return {
        "id": study.id,
        "measure": f"{function.__module__}:{function.__qualname__}",
        "each": each,
        "seed": int(study.seed),
        "seed_keys": None if study.seed_keys is None else list(study.seed_keys),
        "data": dict(study.data),
        "chunk": study.chunk,
        "cells": [
            {"cell": dict(cell), "replicates": int(count), "cost": float(study.cost(cell)) if study.cost else 1.0}
            for cell, count in zip(study.cells, study.counts, strict=True)
        ],
    }


def design_of(study: Study) -> str:
    """Write what a study measures, whatever its number of replicates."""
    told = describe_study(study)
    cells = [one["cell"] for one in told["cells"]]
    return json.dumps({**told, "cells": cells, "chunk": None}, sort_keys=True, default=str)


def study_of(described: Mapping[str, Any]) -> Study:
    """Make a study from its description."""
    module, _, name = described["measure"].partition(":")
    try:
        function: Any = importlib.import_module(module)
        for part in name.split("."):
            function = getattr(function, part)
    except (ImportError, AttributeError):
        raise UsageError(
            f"study '{described['id']}' is measured by {described['measure']}, which is not there; expected the "
            "code of the recorded build; check that state out, or record anew with: compendium build --record"
        ) from None
    cells = described["cells"]
    costs = {_text(entry["cell"]): entry["cost"] for entry in cells}
    return Study(
        described["id"],
        [entry["cell"] for entry in cells],
        [entry["replicates"] for entry in cells],
        each_replicate(function) if described["each"] else function,
        seed=described["seed"],
        seed_keys=described["seed_keys"],
        data=described["data"],
        chunk=described["chunk"],
        cost=lambda cell: costs[_text(cell)],
    )


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@dataclass(frozen=True)
class Ledger:
    """The record of a complete build."""

    made: Mapping[str, Any]
    studies: Sequence[Mapping[str, Any]]
    calculated: Sequence[str]
    rows: Mapping[str, str]

    def pieces(self, described: Mapping[str, Any]) -> list[tuple[Piece, Line]]:
        """Return the chunks of one of the studies, with their keys on this machine and what is recorded of them."""
        lines = [line for entry in described["cells"] for line in entry["lines"]]
        pieces = pieces_of(study_of(described))
        if len(lines) != len(pieces):
            raise UsageError(
                f"the record of study '{described['id']}' has {len(lines)} lines for {len(pieces)} chunks; expected "
                "one each; restore data/regenerated/studies.json"
            )
        return [(piece, Line(seal, tuple(means))) for piece, (seal, means) in zip(pieces, lines, strict=True)]


def ledger_path() -> Path:
    """Return where the record stands."""
    return root() / "data" / "regenerated" / "studies.json"


def read_ledger(path: Path | None = None) -> Ledger:
    """Read the record of the last complete build that was recorded."""
    place = path or ledger_path()
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
        scale = found["scale"]
        ledger = Ledger(found["made"], found["studies"], found["calculated"], found["rows"])
    except FileNotFoundError:
        raise UsageError(
            f"{place} is missing; expected the record of a complete build; restore it from git, or write it with: "
            "compendium build --record"
        ) from None
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(
            f"{place} cannot be read; expected the record of a complete build; restore it from git"
        ) from None
    if scale != _SCALE:
        raise UsageError(
            f"{place} is of scale '{scale}'; expected published; a preview has other numbers, so record a complete "
            "build: compendium build --record"
        )
    return ledger


def made_here(version: str) -> dict[str, Any]:
    """Say under what this machine computes."""
    return {
        "version": version,
        "installed": bits.installed(),
        "processor": list(bits.processor()),
        "settings": dict(bits.ENVIRONMENT),
    }


def merged(described: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Put together what several notebooks measure in common, each chunk once."""
    heads: dict[str, list[Mapping[str, Any]]] = {}
    for one in described:
        head = {key: value for key, value in one.items() if key != "cells"}
        heads.setdefault(json.dumps(head), []).extend(one["cells"])
    together = []
    for text, cells in heads.items():
        one = json.loads(text)
        layers: list[dict[str, Mapping[str, Any]]] = []
        for entry in sorted(cells, key=lambda entry: -entry["replicates"]):
            _put(entry, layers, one["chunk"])
        together += [{**one, "cells": _in_order(layer, cells)} for layer in layers]
    return together


def _put(entry: Mapping[str, Any], layers: list[dict[str, Mapping[str, Any]]], chunk: int) -> None:
    """Put a cell where it is not yet, unless the chunks of a longer one hold all of its own."""
    text, count = _text(entry["cell"]), entry["replicates"]
    known = [layer[text]["replicates"] for layer in layers if text in layer]
    if any(count == other or (count < other and count % chunk == 0) for other in known):
        return
    free = next((layer for layer in layers if text not in layer), None)
    if free is None:
        layers.append(free := {})
    free[text] = entry


def _in_order(layer: Mapping[str, Mapping[str, Any]], cells: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [dict(layer[text]) for text in dict.fromkeys(_text(entry["cell"]) for entry in cells) if text in layer]


def write_ledger(
    version: str,
    described: Iterable[Mapping[str, Any]],
    calculated: Sequence[str],
    rows: Mapping[str, str],
    store: Store,
    path: Path | None = None,
) -> int:
    """Write the record of a complete build from its finished store; nothing is computed again."""
    studies, chunks = [], 0
    for one in merged(described):
        study = study_of(one)
        lines: list[list[tuple[str, list[float]]]] = [[] for _ in one["cells"]]
        floats: list[str] = []
        for piece in pieces_of(study):
            columns = store.get(piece.key)
            if columns is None:
                raise UsageError(
                    f"{piece.task} is not in {store.root}; expected results computed under this machine's versions "
                    "and settings; build again without --dask, with: compendium build --record"
                )
            floats = [name for name, c in columns.items() if not isinstance(c, Coded) and c.dtype.kind == "f"]
            line = line_of(columns)
            lines[piece.cell].append((line.seal, list(line.means)))
            chunks += 1
        cells = [{**entry, "lines": own} for entry, own in zip(one["cells"], lines, strict=True)]
        code = digests.code_digest([one["measure"].partition(":")[0]])
        studies.append({**one, "code": code, "floats": floats, "cells": cells})
    text = _written({"format": _FORMAT, "scale": _SCALE, "made": made_here(version), "rows": rows}, calculated, studies)
    write_whole(path or ledger_path(), text)
    return chunks


def _written(head: Mapping[str, Any], calculated: Sequence[str], studies: Sequence[Mapping[str, Any]]) -> str:
    """Write one line a cell, so that a difference shows where it is."""
    parts = []
    for one in studies:
        cells = ",\n".join(_line(entry) for entry in one["cells"])
        parts.append(f'{_line({k: v for k, v in one.items() if k != "cells"})[:-1]},"cells":[\n{cells}\n]}}')
    opening = json.dumps({**head, "calculated": list(calculated)}, indent=1, sort_keys=True)[:-2]
    return f'{opening},\n "studies": [\n' + ",\n".join(parts) + "\n]}\n"


def _line(value: Any) -> str:
    # names keep their order: a cell's estimators are computed in it
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
