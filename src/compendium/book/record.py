"""The record of a complete build, ``data/regenerated/studies.json``, and a share of it measured again and compared.

The record describes what each study measures, in which cells and from which seed, and has a digest and the means of
each chunk of replicates.  That is enough to measure any chunk again, and to tell a rounding difference from another
result.  Of artifacts that need no study, the same share is calculated again and compared row by row.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from compendium import versions
from compendium.book import catalogue
from compendium.book.places import root, write_whole
from compendium.book.row_diff import ROUNDING, ROW_KEY, diff_rows, digests_of_rows, recorded_rows
from compendium.book.session import regenerated_frame, yielded
from compendium.studies import digests
from compendium.studies.columns import Coded, Column
from compendium.studies.store import Store
from compendium.studies.study import Piece, Study, cell_text, pieces_of, run_study, study_of
from compendium.studies.workers import Task, can_start, in_process, in_processes
from errorest import determinism
from errorest.errors import UsageError
from errorest.streams import Streams

_RESTORE = "restore data/regenerated/studies.json from git"
RECORD = "run: compendium build --record"
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
                f"the record of study '{description['id']}' has {len(lines)} lines for {len(pieces)} chunks", _RESTORE
            )
        return [(piece, ChunkLine(digest, tuple(means))) for piece, (digest, means) in zip(pieces, lines, strict=True)]


def ledger_path() -> Path:
    return root() / "data" / "regenerated" / "studies.json"


def read_ledger(path: Path | None = None) -> Ledger:
    place = path or ledger_path()
    try:
        result = json.loads(place.read_text(encoding="utf-8"))
        scale = result["scale"]
        ledger = Ledger(result["made"], result["studies"], result["calculated"], result["rows"])
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(f"the record {place} is missing or cannot be read", f"{_RESTORE}, or {RECORD}") from None
    if scale != _SCALE:
        raise UsageError(f"the record {place} is of scale '{scale}' and not published", _RESTORE)
    return ledger


def other_conditions(made: Mapping[str, Any]) -> list[str]:
    """List in what this machine differs from the one that computed, of all that decides bits and keys."""
    pairs = ((made["installed"], versions.installed()), (made["settings"], determinism.ENVIRONMENT))
    results = [
        f"{name} {there.get(name, 'none')} there, {here.get(name, 'none')} here"
        for there, here in pairs
        for name in {**there, **here}
        if there.get(name) != here.get(name)
    ]
    there, here = list(made["processor"]), list(versions.processor())
    if there != here:
        lost, new = (", ".join(n for n in a if n not in b) or "nothing" for a, b in ((there, here), (here, there)))
        results.append(f"the processor (here without {lost}, with {new})")
    return results


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
        "installed": versions.installed(),
        "processor": list(versions.processor()),
        "settings": dict(determinism.ENVIRONMENT),
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
            f"{piece.task} is not in {store.root}, and a record needs the finished store of a complete build",
            f"{RECORD}, on this machine, without --dask",
        )
    return columns


def _compact(value: Any) -> str:
    # names keep their order: a cell's estimators are computed in it
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


BYTE, NEARLY, DIFFERS = _BEST_FIRST = ("equal to the byte", "equal within rounding", "differs")
_STATUS = {BYTE: 0, NEARLY: 3, DIFFERS: 1}
_LISTED = 20


class Difference(NamedTuple):
    """A chunk, row or artifact that is not equal to the byte, and both values in words."""

    where: str
    outcome: str
    said: str


@dataclass
class Stratum:
    """How much of a study, or of the rows, was computed again, and the outcomes."""

    name: str
    of: int
    of_replicates: int = 0
    code_changed: bool = False
    checked: int = 0
    replicates: int = 0
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(reversed(_BEST_FIRST), 0))

    def count(self, outcome: str, number: int = 1, replicates: int = 0) -> None:
        self.checked += number
        self.replicates += replicates
        self.counts[outcome] += number


@dataclass
class Verification:
    """The outcome of computing a share again."""

    share: float
    seed: int
    studies: list[Stratum] = field(default_factory=list)
    rows: Stratum = field(default_factory=lambda: Stratum("rows", 0))
    files: list[Difference] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)

    @property
    def outcome(self) -> str:
        """The worst of all."""
        return max((one.outcome for one in (*self.differences, *self.files)), key=_BEST_FIRST.index, default=BYTE)

    @property
    def status(self) -> int:
        """Exit status: 0 equal to the byte, 3 equal within rounding, 1 differs."""
        return _STATUS[self.outcome]


def draw_share(count: int, share: float, rng: np.random.Generator) -> list[int]:
    """Draw a share of positions by systematic sampling; at least one of several, and all for a share of 1."""
    wanted = min(count, max(1, ceil(share * count)))
    start = rng.random()
    return [int((start + k) * count / wanted) for k in range(wanted)]


def verify(
    ledger: Ledger,
    *,
    share: float,
    seed: int,
    jobs: int = 1,
    kept: Store | None = None,
    with_rows: bool = True,
    n_studies: int | None = None,
    progress: Callable[[float], None] = lambda share: None,
    say: Callable[[str], None] | None = None,
) -> Verification:
    """Measure a share of every study, or of ``n_studies`` drawn ones, again and compare it with the record."""
    if not 0 < share <= 1:
        raise UsageError(f"the share must be above 0 and at most 1; got {share:g}")
    streams = Streams(seed).child("verify")
    count = len(ledger.studies)
    drawn = 1.0 if n_studies is None else n_studies / count
    requested = draw_share(count, drawn, streams.generator("studies"))
    result = Verification(share, seed)
    sampled: list[tuple[Stratum, Mapping[str, Any], Piece, ChunkLine]] = []
    for number, description in enumerate(ledger.studies):
        pieces = ledger.pieces(description)
        replicates = sum(piece.task.replicates for piece, _ in pieces)
        result.studies.append(Stratum(description["id"], len(pieces), replicates, code_changed(description)))
        if number in requested:
            positions = draw_share(len(pieces), share, streams.generator(description["id"], number))
            sampled += [(result.studies[-1], description, *pieces[position]) for position in positions]
    weight = 0.95 if with_rows else 1.0
    for done, (position, columns) in enumerate(_measured([piece.task for _, _, piece, _ in sampled], jobs, say), 1):
        stratum, description, piece, line = sampled[position]
        if kept is not None:
            kept.put(piece.key, columns)
        outcome, text = _compare_chunk(description["floats"], line, columns)
        stratum.count(outcome, replicates=piece.task.replicates)
        if outcome != BYTE:
            result.differences.append(Difference(str(piece.task), outcome, text))
        progress(weight * done / len(sampled))
    if with_rows:
        run = None if share < 1 or kept is None else lambda study: run_study(study, store=kept, jobs=jobs)
        _verify_rows(ledger, result, streams.generator("rows"), run)
    return result


def _measured(
    tasks: Sequence[Task], jobs: int, say: Callable[[str], None] | None
) -> Iterator[tuple[int, dict[str, Column]]]:
    """Measure chunks in the order in which workers begin with different studies, which they have to compile."""
    studies = pd.Series([task.study for task in tasks], dtype=object)
    order = studies.groupby(studies).cumcount().argsort(kind="stable").tolist()
    own = [tasks[position] for position in order]
    here = versions.in_force() and (jobs == 1 or not can_start(say))
    for place, columns in in_process(own) if here else in_processes(own, jobs):
        yield order[place], columns


def _compare_chunk(floats: Sequence[str], line: ChunkLine, columns: Mapping[str, Column]) -> tuple[str, str]:
    """Compare a chunk with its line; return the outcome and what differs."""
    result = line_of(columns)
    if result == line:
        return BYTE, ""
    means = list(zip(floats, line.means, result.means, strict=False))
    text = "; ".join(f"mean of '{name}' {a:.12g} recorded, {b:.12g} here" for name, a, b in means if a != b)
    if result.exact != line.exact or len(result.means) != len(line.means):
        return DIFFERS, text or "other whole numbers, texts or gaps than recorded"
    return NEARLY if all(_means_alike(columns[name], a, b) for name, a, b in means) else DIFFERS, text or "last digits"


def _means_alike(column: Any, before: float, after: float) -> bool:
    """Tell whether means are equal within the rounding of the numbers averaged, which may cancel."""
    values = np.abs(column[np.isfinite(column)])
    return abs(before - after) <= ROUNDING * max(float(values.mean()) if values.size else 0.0, abs(before))


def _verify_rows(
    ledger: Ledger, found: Verification, rng: np.random.Generator, run: Callable[[Study], pd.DataFrame] | None
) -> None:
    """Compute a share of the rows that need no study again, or every row where there is a way to run studies."""
    before = recorded_rows()
    now = digests_of_rows(before)
    found.files += [
        Difference(artifact, DIFFERS, "its rows in data/regenerated are not those of the recorded build")
        for artifact in {**ledger.rows, **now}
        if ledger.rows.get(artifact) != now.get(artifact)
    ]
    found.rows.of = len(before)
    if run is None:
        positions = draw_share(len(ledger.calculated), found.share, rng) if ledger.calculated else []
        here = _rows([ledger.calculated[position] for position in positions], _run_no_study)
        before = before.merge(here[ROW_KEY].astype(str), on=ROW_KEY)
    else:
        here = _rows([a.id for n in catalogue.notebooks() for a in n.artifacts], run)
    diff = diff_rows(before, here)
    unequal = [Difference(c.key[0], NEARLY if c.rounding else DIFFERS, str(c)) for c in diff.changed]
    for keys, text in ((diff.added, "not recorded"), (diff.gone, "recorded, and not here")):
        unequal += [Difference(key[0], DIFFERS, f"{' '.join(key)}: {text}") for key in keys]
    found.rows.count(BYTE, diff.same)
    for one in unequal:
        found.rows.count(one.outcome)
    found.differences += unequal


def _run_no_study(study: Study) -> pd.DataFrame:
    raise UsageError(f"study '{study.id}' is needed by an artifact that is recorded as needing none", RECORD)


def _rows(artifacts: Sequence[str], run: Callable[[Study], pd.DataFrame]) -> pd.DataFrame:
    frames = [recorded_rows().iloc[:0]]
    for name in artifacts:
        notebook, spec = catalogue.artifact(name)
        frames.append(regenerated_frame(name, yielded(spec, notebook.paper, notebook.parameters(), "published", run)))
    return pd.concat(frames[1:] or frames, ignore_index=True)


def machine() -> dict[str, str]:
    """Describe this machine: system, processor, and the features by which numerical libraries choose kernels."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": next(models, platform.machine()),
        "features": " ".join(versions.processor()),
        "python": platform.python_version(),
    }


def _record(one: Stratum) -> dict[str, Any]:
    return {key: value for key, value in vars(one).items() if key != "counts"} | one.counts


def as_text(found: Verification, ledger: Ledger, version: str) -> str:
    """Write the report as text."""
    here, conditions = machine(), other_conditions(ledger.made)
    requested = sum(one.checked > 0 for one in found.studies)
    whose = "every study's" if requested == len(found.studies) else f"{requested} studies'"
    packages = ", ".join(f"{name} {number}" for name, number in versions.installed().items() if name != "python")
    under = f"other conditions: {'; '.join(conditions)}" if conditions else "the same versions and settings"
    studies = pd.DataFrame([_record(one) for one in found.studies])
    strata = [*studies.to_dict("records"), {**studies.sum(numeric_only=True), "name": "all", "code_changed": False}]
    strata += [_record(found.rows)] if found.rows.of else []
    table = pd.DataFrame(
        {
            "study": [one["name"] for one in strata],
            "chunks": [f"{one['checked']} of {one['of']}" for one in strata],
            "replicates": [f"{one['replicates']} of {one['of_replicates']}" for one in strata],
            **{outcome: [one[outcome] for one in strata] for outcome in _BEST_FIRST},
            "": ["its code has changed since" if one["code_changed"] else "" for one in strata],
        }
    )
    lines = [
        f"errorest {version}: {100 * found.share:g} % of {whose} replicates computed again, seed {found.seed}",
        f"machine: {here['processor']}, {here['system']}, Python {here['python']}",
        f"packages: {packages}",
        f"recorded by errorest {ledger.made['version']} under {under}",
        "",
        *table.to_string(index=False).splitlines(),
    ]
    if listed := [f"  {one.where}: {one.outcome}: {one.said}" for one in [*found.files, *found.differences]]:
        more = [f"  and {len(listed) - _LISTED} more"] if len(listed) > _LISTED else []
        lines += ["", "not equal to the byte:", *listed[:_LISTED], *more]
    return "\n".join([*lines, "", f"outcome: {found.outcome}"]) + "\n"


def as_json(found: Verification, ledger: Ledger, version: str) -> str:
    """Write the report as JSON."""
    report = {
        "outcome": found.outcome,
        "status": found.status,
        "share": found.share,
        "seed": found.seed,
        "version": version,
        "machine": machine(),
        "installed": versions.installed(),
        "recorded": {"version": ledger.made["version"], "installed": ledger.made["installed"]},
        "unlike_the_recorded": other_conditions(ledger.made),
        "studies": [_record(one) for one in found.studies],
        "rows": _record(found.rows),
        "files": [one._asdict() for one in found.files],
        "differences": [one._asdict() for one in found.differences],
    }
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"
