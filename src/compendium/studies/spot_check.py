"""Whether stored results still are what the code yields.

A study is known by its id and its version, which is raised with every change of its numbers.  A spot check finds
whether that was forgotten: where the code is another than the one that measured, a replicate of each cell is measured
again and must be the same to the bit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from compendium.studies.columns import Coded, Column
from compendium.studies.digests import code_digest
from compendium.studies.replicates import Each, measure_each
from compendium.studies.workers import Measure, Task
from errorest.errors import UsageError

RAISE = (
    "raise the version of the study (version=2, and so on), or RESULTS_VERSION of errorest.determinism where the "
    "library is meant to yield other numbers; else find what changed them"
)

# What a design may import for its tables, figures and parameters: no number that is measured depends on it
_NO_MEASURE = tuple(f"compendium.{name}" for name in ("book", "cli", "evidence", "plots", "papers.parameters"))

# Every replicate draws from these
_STREAMS = "compendium.methods.streams"


def functions_of(measure: Measure) -> list[Callable[..., object]]:
    """Return the functions that decide what a measure yields."""
    return [measure_each, measure.design] if isinstance(measure, Each) else [measure]


def modules_of(measure: Measure) -> list[str]:
    """Return the modules of a measure."""
    return [function.__module__ for function in functions_of(measure)]


def code_of(modules: Iterable[str]) -> str:
    """Digest the modules of a measure and what they import of the project: another digest asks for a spot check."""
    return code_digest([*modules, _STREAMS], without=_NO_MEASURE)[:16]


def digest_of(columns: Mapping[str, Column]) -> str:
    """Digest names, texts and every bit of the columns of a chunk (ten hexadecimal digits)."""
    digest = hashlib.sha256()
    for name, column in columns.items():
        head: list[object] = [name]
        if isinstance(column, Coded):
            head, values = [name, list(column.texts)], column.codes.astype("<i4")
        elif column.dtype.kind == "f":
            head, values = [name, len(column)], column.astype("<f8")
        else:
            values = column.astype("<i8")
        digest.update(json.dumps(head).encode() + values.tobytes())
    return digest.hexdigest()[:10]


def first_of(task: Task) -> Task:
    """Return the task of the first replicate of a chunk."""
    return replace(task, stop=task.start + 1)


def first_digest(columns: Mapping[str, Column], start: int) -> str:
    """Digest the lines of the first replicate of a chunk, as if it had been measured alone."""
    one_a_line = "replicate" not in columns
    lines = 1 if one_a_line else int(np.searchsorted(np.asarray(columns["replicate"]), start, side="right"))
    first: dict[str, Column] = {}
    for name, column in columns.items():
        if isinstance(column, Coded):
            first[name] = Coded.of([column.texts[code] for code in column.codes[:lines]])
        else:
            first[name] = column[:lines]
    return digest_of(first)


def outdated(task: Task, where: str) -> UsageError:
    """Return the error about a study whose code yields other numbers than are stored under its version."""
    return UsageError(f"{task} yields other numbers than were stored or recorded, {where}", RAISE)
