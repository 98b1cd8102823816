"""Measure a share of every study again, and compare it with the record.

Chunks are drawn study by study from a seed, measured from their description alone, and compared with their recorded
line; where an archive is given, with every number of the archived chunk, too.  Of the artifacts that need no study the
same share is calculated again and compared row by row with ``data/regenerated/``; for a share of 1, every row is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from compendium.book import catalogue
from compendium.book.record.ledger import ChunkLine, Ledger, code_changed, line_of
from compendium.book.row_diff import ROUNDING, ROW_KEY, diff_rows, digests_of_rows, recorded_rows, within_rounding
from compendium.book.session import regenerated_frame, yielded
from compendium.studies.columns import Coded, Column
from compendium.studies.store import Store
from compendium.studies.study import Piece, Study, run_study
from compendium.studies.workers import Task, can_start, in_process, in_processes
from errorest import bits
from errorest.errors import UsageError
from errorest.streams import Streams

__all__ = ["BYTE", "DIFFERS", "NEARLY", "Difference", "Outcome", "Stratum", "Verification", "verify"]

Outcome = Literal["equal to the byte", "equal within rounding", "differs"]
BYTE: Outcome = "equal to the byte"
NEARLY: Outcome = "equal within rounding"
DIFFERS: Outcome = "differs"
_WORST_FIRST = (DIFFERS, NEARLY, BYTE)
_STATUS = {BYTE: 0, NEARLY: 3, DIFFERS: 1}
_NUMBERS_LISTED = 3


class Difference(NamedTuple):
    """A chunk, row or artifact that is not equal to the byte, and both values in words."""

    where: str
    outcome: Outcome
    said: str


def worst(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the worst of outcomes; equal to the byte if there is none."""
    return min(outcomes, key=_WORST_FIRST.index, default=BYTE)


@dataclass
class Stratum:
    """What was computed again of one study, or of the rows."""

    name: str
    of: int
    of_replicates: int = 0
    changed: bool = False
    checked: int = 0
    replicates: int = 0
    counts: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(_WORST_FIRST, 0))

    def count(self, outcome: Outcome, replicates: int = 0, number: int = 1) -> None:
        """Count chunks or rows."""
        self.checked += number
        self.replicates += replicates
        self.counts[outcome] += number


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
        return worst([one.outcome for one in (*self.differences, *self.files)])

    @property
    def status(self) -> int:
        """Exit status: 0 equal to the byte, 3 equal within rounding, 1 differs."""
        return _STATUS[self.outcome]


def draw_share(count: int, share: float, rng: np.random.Generator) -> list[int]:
    """Draw a share of positions by systematic sampling; at least one, and all for a share of 1."""
    wanted = min(count, max(1, ceil(share * count)))
    start = rng.random()
    return [int((start + k) * count / wanted) for k in range(wanted)]


def verify(
    ledger: Ledger,
    *,
    share: float,
    seed: int,
    jobs: int = 1,
    archived: Store | None = None,
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
    asked = range(count) if n_studies is None else draw_share(count, n_studies / count, streams.generator("studies"))
    found = Verification(share, seed, [], Stratum("rows", 0), [], [])
    drawn: list[tuple[Stratum, Mapping[str, Any], Piece, ChunkLine]] = []
    for number, description in enumerate(ledger.studies):
        pieces = ledger.pieces(description)
        replicates = sum(_replicates(piece.task) for piece, _ in pieces)
        stratum = Stratum(description["id"], len(pieces), replicates, code_changed(description))
        found.studies.append(stratum)
        if number in asked:
            positions = draw_share(len(pieces), share, streams.generator(description["id"], number))
            drawn += [(stratum, description, *pieces[position]) for position in positions]
    weight = 0.95 if with_rows else 1.0
    for done, (position, columns) in enumerate(_measured([piece.task for _, _, piece, _ in drawn], jobs, say), 1):
        stratum, description, piece, line = drawn[position]
        if kept is not None:
            kept.put(piece.key, columns)
        one = _compare_chunk(description, piece, line, columns, archived)
        stratum.count(one.outcome, _replicates(piece.task))
        found.differences += [one] if one.outcome != BYTE else []
        progress(weight * done / len(drawn))
    if with_rows:
        before = recorded_rows()
        found.files += _rows_not_recorded(ledger, before)
        found.rows.of = len(before)
        if share == 1 and kept is not None:
            names = [a.id for n in catalogue.notebooks() for a in n.artifacts]
            here = _rows(names, lambda study: run_study(study, store=kept, jobs=jobs))
        else:
            positions = (
                draw_share(len(ledger.calculated), share, streams.generator("rows")) if ledger.calculated else []
            )
            here = _rows([ledger.calculated[position] for position in positions], _run_no_study)
            before = before.merge(here[ROW_KEY].astype(str), on=ROW_KEY)
        found.differences += _compare_rows(before, here, found.rows)
    return found


def _replicates(task: Task) -> int:
    return task.stop - task.start


def _measured(
    tasks: Sequence[Task], jobs: int, say: Callable[[str], None] | None
) -> Iterator[tuple[int, dict[str, Column]]]:
    """Measure chunks in the order in which workers begin with different studies, which they have to compile."""
    studies = pd.Series([task.study for task in tasks], dtype=object)
    order = studies.groupby(studies).cumcount().argsort(kind="stable").tolist()
    own = [tasks[position] for position in order]
    here = bits.in_force() and (jobs == 1 or not can_start(say))
    for place, columns in in_process(own) if here else in_processes(own, jobs):
        yield order[place], columns


def _compare_chunk(
    description: Mapping[str, Any],
    piece: Piece,
    line: ChunkLine,
    columns: Mapping[str, Column],
    archived: Store | None,
) -> Difference:
    """Compare a chunk with the archived one, if there is one, and with its line."""
    where, floats = str(piece.task), description["floats"]
    other = None if archived is None else archived.get(piece.key)
    if other is not None and (apart := _compare_numbers(other, columns)):
        more = f" and {len(apart) - _NUMBERS_LISTED} more" if len(apart) > _NUMBERS_LISTED else ""
        text = "; ".join(said for _, said in apart[:_NUMBERS_LISTED]) + more
        return Difference(where, worst([outcome for outcome, _ in apart]), text)
    found = line_of(columns)
    if found == line:
        return Difference(where, BYTE, "")
    means = list(zip(floats, line.means, found.means, strict=False))
    text = "; ".join(f"mean of '{name}' {a:.12g} recorded, {b:.12g} here" for name, a, b in means if a != b)
    if found.exact != line.exact or len(found.means) != len(line.means):
        return Difference(where, DIFFERS, text or "other whole numbers, texts or gaps than recorded")
    alike = all(_means_alike(columns[name], a, b) for name, a, b in means)
    return Difference(where, NEARLY if alike else DIFFERS, text or "last digits")


def _means_alike(column: Any, before: float, after: float) -> bool:
    """Tell whether means are equal within the rounding of the numbers averaged, which may cancel."""
    values = np.abs(column[np.isfinite(column)])
    return abs(before - after) <= ROUNDING * max(float(values.mean()) if values.size else 0.0, abs(before))


def _compare_numbers(archived: Mapping[str, Column], here: Mapping[str, Column]) -> list[tuple[Outcome, str]]:
    """List the numbers and texts of a chunk that differ from those archived."""
    before, after = _frame(archived), _frame(here)
    if list(before) != list(after) or len(before) != len(after):
        return [(DIFFERS, "other columns or lines than archived")]
    names = [name for name in here if name == "replicate" or isinstance(here[name], Coded)]
    found = []
    for name in here:
        unequal = (before[name] != after[name]) & ~(before[name].isna() & after[name].isna())
        for i in np.flatnonzero(unequal):
            line = ", ".join(f"{key} {after[key].iloc[i]}" for key in names if key != name) or f"line {i}"
            a, b = before[name].iloc[i], after[name].iloc[i]
            rounding = isinstance(a, float) and isinstance(b, float) and within_rounding(a, b)
            texts = (f"{value:.17g}" if isinstance(value, float) else value for value in (a, b))
            found.append((NEARLY if rounding else DIFFERS, "{}: {} {} archived, {} here".format(line, name, *texts)))
    return found


def _frame(columns: Mapping[str, Column]) -> pd.DataFrame:
    read = {n: np.array(c.texts, dtype=object)[c.codes] if isinstance(c, Coded) else c for n, c in columns.items()}
    return pd.DataFrame(read)


def _rows_not_recorded(ledger: Ledger, rows: pd.DataFrame) -> list[Difference]:
    """List the artifacts whose rows were changed after they were recorded."""
    now = digests_of_rows(rows)
    return [
        Difference(artifact, DIFFERS, "its rows in data/regenerated are not those of the recorded build")
        for artifact in {**ledger.rows, **now}
        if ledger.rows.get(artifact) != now.get(artifact)
    ]


def _run_no_study(study: Study) -> pd.DataFrame:
    raise UsageError(
        f"study '{study.id}' is needed by an artifact that is recorded as needing none; record again with: "
        "compendium build --record"
    )


def _rows(artifacts: Sequence[str], run: Callable[[Study], pd.DataFrame]) -> pd.DataFrame:
    """Compute the rows of artifacts."""
    frames = [recorded_rows().iloc[:0]]
    for name in artifacts:
        notebook, spec = catalogue.artifact(name)
        made = yielded(spec, notebook.paper, notebook.parameters(), "published", run)
        frames.append(regenerated_frame(name, made))
    return pd.concat(frames[1:] or frames, ignore_index=True)


def _compare_rows(before: pd.DataFrame, here: pd.DataFrame, rows: Stratum) -> list[Difference]:
    """Count the rows by outcome, and list those that differ."""
    diff = diff_rows(before, here)
    rows.count(BYTE, number=diff.same)
    differences = [Difference(c.key[0], NEARLY if c.rounding else DIFFERS, str(c)) for c in diff.changed]
    for keys, text in ((diff.added, "not recorded"), (diff.gone, "recorded, and not here")):
        differences += [Difference(key[0], DIFFERS, f"{' '.join(key)}: {text}") for key in keys]
    for one in differences:
        rows.count(one.outcome)
    return differences
