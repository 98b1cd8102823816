"""Does another machine get the recorded numbers?  A share of every study's replicates is measured again and compared.

Chunks are drawn study by study from a seed, measured from their description alone, and held against the line that
the recorded build left about each; where an archive is at hand, against every number of the archived chunk, too.
Of the artifacts that need no study the same share is calculated again and compared row by row with
``data/regenerated/``; when all of it is asked for, every row is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from math import ceil
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from compendium.book import catalogue
from compendium.book.changes import ROUNDING, Changed, alike, changes, digests_of_rows, recorded_rows
from compendium.book.ledger import Ledger, Line, line_of
from compendium.book.session import regenerated_frame, yielded
from compendium.studies import digests
from compendium.studies.columns import Coded, Column
from compendium.studies.store import Store
from compendium.studies.study import Piece, Study, run_study
from compendium.studies.workers import Task, can_start, in_process, in_processes
from errorest import bits
from errorest.errors import UsageError
from errorest.streams import Streams

__all__ = [
    "BYTE",
    "DIFFERS",
    "NEARLY",
    "Difference",
    "Outcome",
    "Stratum",
    "Verification",
    "against_record",
    "chosen",
    "leads_first",
    "verify",
]

Outcome = Literal["equal to the byte", "equal within rounding", "differs"]
BYTE: Outcome = "equal to the byte"
NEARLY: Outcome = "equal within rounding"
DIFFERS: Outcome = "differs"
_WORST = (DIFFERS, NEARLY, BYTE)
_NAMED = 3


class Difference(NamedTuple):
    """What is not equal to the byte: where, how far, and both values in words."""

    where: str
    outcome: Outcome
    said: str


@dataclass
class Stratum:
    """What was computed again of one study, or of the rows."""

    name: str
    of: int
    of_replicates: int = 0
    changed: bool = False
    checked: int = 0
    replicates: int = 0
    counts: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(_WORST, 0))

    def count(self, outcome: Outcome, replicates: int = 0) -> None:
        """Count one chunk or row."""
        self.checked += 1
        self.replicates += replicates
        self.counts[outcome] += 1


@dataclass
class Verification:
    """The outcome of computing a share again."""

    share: float
    seed: int
    studies: list[Stratum]
    rows: Stratum
    files: list[Difference]
    differences: list[Difference]

    @property
    def outcome(self) -> Outcome:
        """The worst of all."""
        found = {one.outcome for one in [*self.differences, *self.files]}
        return next((outcome for outcome in _WORST if outcome in found), BYTE)

    @property
    def status(self) -> int:
        """Exit status: 0 equal to the byte, 3 equal within rounding, 1 differs."""
        return {BYTE: 0, NEARLY: 3, DIFFERS: 1}[self.outcome]


def chosen(count: int, share: float, rng: np.random.Generator) -> list[int]:
    """Draw a share of positions, spread evenly from a random start; at least one, and all for a share of 1."""
    wanted = min(count, max(1, ceil(share * count)))
    start = rng.random()
    return [int((start + k) * count / wanted) for k in range(wanted)]


def verify(
    ledger: Ledger,
    *,
    share: float,
    seed: int,
    jobs: int = 1,
    stored: Store | None = None,
    kept: Store | None = None,
    with_rows: bool = True,
    studies: int | None = None,
    progress: Callable[[float], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> Verification:
    """Measure a share of every study, or of some, again and compare it with the record."""
    if not 0 < share <= 1:
        raise UsageError(f"the share is {share:g}; expected more than 0 and at most 1; write --share .05")
    streams = Streams(seed).child("verify")
    strata, drawn = [], []
    count = len(ledger.studies)
    asked = range(count) if studies is None else chosen(count, studies / count, streams.generator("studies"))
    for number, described in enumerate(ledger.studies):
        lines = ledger.pieces(described)
        stratum = Stratum(described["id"], len(lines), sum(_length(p.task) for p, _ in lines), _other_code(described))
        strata.append(stratum)
        if number not in asked:
            continue
        positions = chosen(len(lines), share, streams.generator(described["id"], number))
        drawn += [(stratum, described, *lines[position]) for position in positions]
    differences: list[Difference] = []
    files = _files(ledger) if with_rows else []
    weight = 0.95 if with_rows else 1.0
    for done, (place, columns) in enumerate(_measured([piece.task for _, _, piece, _ in drawn], jobs, say), 1):
        stratum, described, piece, line = drawn[place]
        if kept is not None:
            kept.put(piece.key, columns)
        found = _of_chunk(described, piece, line, columns, stored)
        stratum.count(found.outcome, _length(piece.task))
        if found.outcome != BYTE:
            differences.append(found)
        if progress is not None:
            progress(weight * done / len(drawn))
    rows = Stratum("rows", len(recorded_rows()) if with_rows else 0)
    if with_rows:
        run = _nothing if share < 1 or kept is None else lambda study: run_study(study, store=kept, jobs=jobs)
        differences += _of_rows(ledger, share, streams.generator("rows"), run, rows)
    return Verification(share, seed, strata, rows, files, differences)


def _length(task: Task) -> int:
    return task.stop - task.start


def _other_code(described: Mapping[str, Any]) -> bool:
    return digests.code_digest([described["measure"].partition(":")[0]]) != described["code"]


def _measured(
    tasks: Sequence[Task], jobs: int, say: Callable[[str], None] | None
) -> Iterator[tuple[int, dict[str, Column]]]:
    order = leads_first([task.study for task in tasks])
    own = [tasks[position] for position in order]
    here = bits.in_force() and (jobs == 1 or not can_start(say))
    done = in_process(own) if here else in_processes(own, jobs)
    return ((order[place], columns) for place, columns in done)


def leads_first(studies: Sequence[str]) -> list[int]:
    """Order pieces so that workers begin with different studies: what one of them compiles, the others find.

    One piece of every study comes first, those of the first half of the studies in turn with those of the second,
    since neighbours call the same kernels; then come all others.
    """
    leads = sorted({study: place for place, study in reversed(list(enumerate(studies)))}.values())
    half = (len(leads) + 1) // 2
    turns = [place for pair in zip_longest(leads[:half], leads[half:]) for place in pair if place is not None]
    return [*turns, *sorted(set(range(len(studies))) - set(turns))]


def against_record(ledger: Ledger, stored: Store) -> list[Difference]:
    """Hold every chunk that is stored against the line that the recorded build left about it; return what is apart."""
    apart = []
    for described in ledger.studies:
        for piece, line in ledger.pieces(described):
            columns = stored.get(piece.key)
            if columns is not None:
                found = _against_line(str(piece.task), described["floats"], line, columns, "archived")
                apart += [found] if found.outcome != BYTE else []
    return apart


def _of_chunk(
    described: Mapping[str, Any], piece: Piece, line: Line, columns: Mapping[str, Column], stored: Store | None
) -> Difference:
    """Compare a chunk with its line, and with the archived one where there is an archive."""
    where = str(piece.task)
    archived = None if stored is None else stored.get(piece.key)
    if archived is not None:
        said = list(_numbers_apart(archived, columns))
        if said:
            outcome = DIFFERS if any(one.outcome == DIFFERS for one in said) else NEARLY
            more = f" and {len(said) - _NAMED} more" if len(said) > _NAMED else ""
            return Difference(where, outcome, "; ".join(one.said for one in said[:_NAMED]) + more)
    return _against_line(where, described["floats"], line, columns, "here")


def _against_line(
    where: str, floats: Sequence[str], line: Line, columns: Mapping[str, Column], whose: str
) -> Difference:
    """Compare a chunk with what is recorded of it."""
    found = line_of(columns)
    if found == line:
        return Difference(where, BYTE, "")
    apart = [
        f"mean of '{name}' {before:.12g} recorded, {after:.12g} {whose}"
        for name, before, after in zip(floats, line.means, found.means, strict=False)
        if before != after
    ]
    if found.exact != line.exact or len(found.means) != len(line.means):
        return Difference(where, DIFFERS, "; ".join(apart) or "other whole numbers, texts or gaps than recorded")
    compared = zip(floats, line.means, found.means, strict=True)
    if all(_means_alike(columns[name], before, after) for name, before, after in compared):
        return Difference(where, NEARLY, "; ".join(apart) or "last digits")
    return Difference(where, DIFFERS, "; ".join(apart))


def _means_alike(column: Any, before: float, after: float) -> bool:
    """Tell whether means are equal within the rounding of what they are means of, which may cancel."""
    values = np.abs(column[np.isfinite(column)])
    return abs(before - after) <= ROUNDING * max(float(values.mean()) if values.size else 0.0, abs(before))


def _numbers_apart(archived: Mapping[str, Column], here: Mapping[str, Column]) -> Iterator[Difference]:
    """Name the lines of a chunk in which an archived one has other numbers."""
    if list(archived) != list(here):
        yield Difference("", DIFFERS, f"columns {list(archived)} archived, {list(here)} here")
        return
    before, after = _plain(archived), _plain(here)
    if len(before) != len(after):
        yield Difference("", DIFFERS, f"{len(before)} lines archived, {len(after)} here")
        return
    names = [name for name, column in here.items() if isinstance(column, Coded) or name == "replicate"]
    for name in after.columns:
        a, b = before[name].to_numpy(), after[name].to_numpy()
        unequal = a.view(np.int64) != b.view(np.int64) if a.dtype == b.dtype == np.float64 else a != b
        for i in np.flatnonzero(unequal):
            line = ", ".join(f"{key} {after[key].iloc[i]}" for key in names if key != name) or f"line {i}"
            near = a.dtype.kind == "f" and b.dtype.kind == "f" and alike(float(a[i]), float(b[i]))
            said = f"{line}: {name} {_spelled(a[i])} archived, {_spelled(b[i])} here"
            yield Difference("", NEARLY if near else DIFFERS, said)


def _spelled(value: Any) -> str:
    return f"{value:.17g}" if isinstance(value, float) else str(value)


def _plain(columns: Mapping[str, Column]) -> pd.DataFrame:
    read = {n: np.array(c.texts, dtype=object)[c.codes] if isinstance(c, Coded) else c for n, c in columns.items()}
    return pd.DataFrame(read)


def _files(ledger: Ledger) -> list[Difference]:
    """Name the artifacts whose recorded rows were changed after they were recorded."""
    now = digests_of_rows(recorded_rows())
    return [
        Difference(artifact, DIFFERS, "its rows in data/regenerated are not those of the recorded build")
        for artifact in {**ledger.rows, **now}
        if ledger.rows.get(artifact) != now.get(artifact)
    ]


def _nothing(study: Study) -> pd.DataFrame:
    raise UsageError(
        f"study '{study.id}' is needed by an artifact that the record calls calculated; expected none; record a "
        "complete build anew: compendium build --record"
    )


def _of_rows(
    ledger: Ledger,
    share: float,
    rng: np.random.Generator,
    run: Callable[[Study], pd.DataFrame],
    rows: Stratum,
) -> list[Difference]:
    """Make rows again: all of them, or those of a share of the artifacts that need no study."""
    whole = run is not _nothing
    names = [a.id for n in catalogue.notebooks() for a in n.artifacts] if whole else list(ledger.calculated)
    if not whole:
        names = [names[position] for position in chosen(len(names), share, rng)] if names else []
    frames = []
    for name in names:
        notebook, spec = catalogue.artifact(name)
        made = yielded(spec, notebook.paper, notebook.parameters(), "published", run)
        frames.append(regenerated_frame(name, made))
    here = pd.concat(frames, ignore_index=True) if frames else recorded_rows().iloc[:0]
    before = recorded_rows()
    if not whole:
        keys = ["artifact", "reading", "scale", "row", "column"]
        before = before.merge(here[keys].astype(str), on=keys)
    return _counted(changes(before, here), rows)


def _counted(found: Changed, rows: Stratum) -> list[Difference]:
    rows.checked, rows.counts[BYTE] = found.same, found.same
    differences = []
    for change in found.changed:
        outcome = NEARLY if change.rounding else DIFFERS
        rows.count(outcome)
        differences.append(Difference(change.artifact, outcome, str(change)))
    for keys, said in ((found.added, "not recorded"), (found.gone, "recorded, and not here")):
        for key in keys:
            rows.count(DIFFERS)
            differences.append(Difference(key[0], DIFFERS, f"{' '.join(key)}: {said}"))
    return differences
