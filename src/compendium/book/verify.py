"""What the code yields now, compared with the record of the studies.

The first replicate of each cell is measured again where the code of a study has changed, or of every study, and a share
of the chunks if that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

import numpy as np

from compendium.book.record import CHUNK, FIRST, RECORD, Line, Record, other_conditions, write_record
from compendium.book.row_diff import ROW_KEY, diff_rows, recorded_rows
from compendium.book.survey import OneReplicate, SurveyedStudy, every_artifact, survey
from compendium.studies import spot_check
from compendium.studies.columns import Column
from compendium.studies.workers import measured
from errorest import determinism
from errorest.errors import UsageError
from errorest.streams import Streams

# Differences that are printed
_LISTED = 20


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
    studies, rows = survey([name for name in every_artifact() if every or name in wanted], one)
    results = []
    for name in {**lines, **(studies if every else {})}:
        result = _compared(name, lines.get(name), studies.get(name), one.columns)
        if share and not result.differences:
            tasks = [piece.task for piece in studies[name].pieces.values()]
            sampled = draw_share(len(tasks), share, Streams(seed).child("verify").generator(name))
            result.chunks = len(sampled)
            for position, columns in measured([tasks[k] for k in sampled], jobs, say):
                place = sampled[position]
                if spot_check.digest_of(columns)[:CHUNK] != lines[name].chunks[place]:
                    result.differences.append(f"{tasks[place]}: other numbers than recorded")
        results.append(result)
    if every:
        # what needs no study is compared with data/regenerated
        recorded = recorded_rows()
        diff = diff_rows(recorded.merge(rows[ROW_KEY], on=ROW_KEY), rows)
        differences = [*map(str, diff.changed), *(f"{' '.join(key)}: not recorded" for key in diff.added)]
        results.append(Verified(f"{len(rows)} rows that need no study", differences=differences))
    noted = []
    for line in record.studies:
        if any(one.name == line.id and not one.differences for one in results):
            modules = spot_check.modules_of(studies[line.id].measure)
            line = replace(line, modules=modules, code=spot_check.code_of(modules))
        noted.append(line)
    if noted != list(record.studies):
        write_record(replace(record, studies=noted))
    return results


def _compared(
    name: str, line: Line | None, study: SurveyedStudy | None, columns: Mapping[str, Mapping[str, Column]]
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
        if spot_check.digest_of(columns[key])[:FIRST] != digest:
            result.differences.append(f"{piece.task}: other numbers than recorded")
    return result


def report(results: Sequence[Verified], record: Record) -> str:
    """Say in lines what was tried and what differs."""
    lines = []
    for one in results:
        parts = {"first replicate of {} cells": one.cells, "{} chunks": one.chunks}
        what = ", ".join(text.format(number) for text, number in parts.items() if number) or "calculated"
        lines.append(f"{one.name}: {what}{'' if one.differences else ', as recorded'}")
    differences = [f"  {one.name}: {text}" for one in results for text in one.differences]
    if differences:
        other = other_conditions(record.made)
        cause = f"this machine is another: {'; '.join(other)}" if other else spot_check.RAISE
        more = [f"  and {len(differences) - _LISTED} more"] if len(differences) > _LISTED else []
        lines += ["", "not as recorded:", *differences[:_LISTED], *more, "", cause]
    return "\n".join(lines or ["the code of all studies is as recorded"])
