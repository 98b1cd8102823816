"""Monte Carlo over a grid: cells x replicates in, one tidy table out; a study described in plain values.

A study is cut into chunks, each keyed by all that decides its numbers, so that a killed run resumes where it stopped
and a new cell costs only itself.  Code is in the key by its version: the study's, and that of errorest's results.
Every replicate has its own random stream: workers, chunks and order change no bit of the result.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from compendium import versions
from compendium.studies import spot_check
from compendium.studies.columns import Column, joined
from compendium.studies.replicates import Cell
from compendium.studies.store import Store
from compendium.studies.workers import (
    Cluster,
    Measure,
    Result,
    StudyError,
    Task,
    measure_chunk,
    measured,
    number_of_jobs,
    unprotected,
)
from errorest import determinism
from errorest.counting import repeat_each
from errorest.errors import UsageError, quoted
from errorest.streams import canonical

try:
    import resource
except ImportError:  # not on Windows, not in a browser
    resource = None  # type: ignore[assignment]

__all__ = ["Study", "StudyError", "run_study"]

# To be raised when seeds, cutting or the meaning of a column change: every stored chunk is then computed again.
_LAYOUT = 1
_LOOK_SECONDS = 0.2
# Chunks that are locked at a time for workers; two processes that want the same study share the others
_BATCH = 256


@dataclass(frozen=True)
class Study:
    """A grid of cells, the replicates of each, and what is measured.

    Parameters
    ----------
    id : str
        Enters every seed; the studies of one id have one measure.
    cells : sequence of mappings
        The parameters of each cell: strings, numbers, booleans, None, and sequences or
        mappings of these.  No two alike.
    replicates : int or sequence of int
        For every cell, or one number a cell.
    measure : callable
        ``measure(cell, replicates, streams)`` with the cell's parameters (sequences as tuples),
        a ``range`` of replicates and the cell's :class:`~errorest.streams.Streams`; returns named
        columns of numbers or texts, each of shape ``(len(replicates),)``.  Where one of them is
        ``replicate`` it says which replicate a line is of, ascending, and a replicate has any number
        of lines.  Replicate r draws from ``streams.child(r).generator(scheme)`` and from nothing
        else.  A function of an importable module wherever a store or workers are used; or what
        :func:`~compendium.studies.replicates.each_replicate` makes of one.
    seed : int
        Non-negative.
    seed_keys : sequence of str, optional
        The keys of a cell that enter its seed (all by default); cells that agree in these
        share their random streams, such as inducers compared on the same samples.
    data : mapping of str to str
        Digests of the data that the measure reads.
    chunk : int
        Replicates a chunk; does not change the result.
    cost : callable, optional
        Relative cost of one replicate of a cell, for the progress and the order of work.
    version : int
        Raise it with every change of what the measure yields: results of another version are measured again.

    Raises
    ------
    UsageError
        If a number is out of bounds, a cell is repeated, or a parameter is no JSON-like value.

    Examples
    --------
    >>> def measure(cell, replicates, streams):
    ...     draws = [streams.child(r).generator("tosses").random(cell["n"]) for r in replicates]
    ...     return {"heads": np.array([np.sum(d < 0.5) for d in draws])}
    >>> coins = Study("coins", cells=[{"n": 10}, {"n": 20}], replicates=2, measure=measure)
    >>> run_study(coins).columns.tolist()
    ['n', 'replicate', 'heads']
    """

    id: str
    cells: Sequence[Cell]
    replicates: int | Sequence[int]
    measure: Measure
    seed: int = 0
    seed_keys: Sequence[str] | None = None
    data: Mapping[str, str] = field(default_factory=dict)
    chunk: int = 100
    cost: Callable[[Cell], float] | None = None
    version: int = 1

    def __post_init__(self) -> None:
        cells = tuple(self._plain(cell) for cell in self.cells)
        object.__setattr__(self, "cells", cells)
        if not cells:
            raise self._wrong("no cell")
        if isinstance(self.replicates, Sequence) and len(self.replicates) != len(cells):
            raise self._wrong(f"{len(self.replicates)} numbers of replicates for {len(cells)} cells")
        seen: set[str] = set()
        for cell in cells:
            if (text := cell_text(cell)) in seen:
                raise self._wrong(f"a cell twice ({quoted(text)}); name each value of a parameter once")
            seen.add(text)
        numbers = [("seed", self.seed, 0), ("chunk", self.chunk, 1), ("version", self.version, 1)]
        numbers += [("replicates", n, 1) for n in self.counts]
        for name, value, least in numbers:
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
                raise self._wrong(f"{name} = {value!r}; expected a whole number >= {least}")
        unknown = set(self.seed_keys or ()) - {key for cell in cells for key in cell}
        if unknown:
            raise self._wrong(f"seed key '{min(unknown)}', which no cell has")

    @property
    def counts(self) -> tuple[int, ...]:
        if isinstance(self.replicates, Sequence):
            return tuple(self.replicates)
        return (self.replicates,) * len(self.cells)

    def seed_cell(self, cell: Cell) -> Cell:
        """Return the parameters of a cell that enter its seed."""
        return {key: cell[key] for key in cell if self.seed_keys is None or key in self.seed_keys}

    def _plain(self, cell: Cell) -> Cell:
        plain: Cell = _frozen(canonical(cell))
        try:
            cell_text(plain)
        except (TypeError, ValueError) as exc:
            raise self._wrong(f"cell {dict(cell)} ({exc}); expected finite numbers, text and lists of these") from None
        if "replicate" in plain:
            raise self._wrong("a cell parameter called 'replicate', the name of the replicate's number")
        return plain

    def _wrong(self, what: str) -> UsageError:
        return UsageError(f"study '{self.id}' has {what}")


class Piece(NamedTuple):
    """One chunk of a study: the number of its cell, its task, its key in a store, and its relative cost."""

    cell: int
    task: Task
    key: str
    cost: float


def pieces_of(study: Study) -> list[Piece]:
    """List the chunks of a study in order, with their keys under :data:`errorest.determinism.ENVIRONMENT`."""
    _check_importable(study)
    return _cut(study, [dict(determinism.ENVIRONMENT)], keyed=True)


def run_study(
    study: Study,
    *,
    store: Store | None = None,
    jobs: int = 1,
    dask: str | None = None,
    progress: Callable[[float, float], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> pd.DataFrame:
    """Run what of a study is not stored yet and return all of it.

    The result is the same to the bit whatever the store, the workers and the chunk size,
    as long as processes run under :data:`errorest.determinism.ENVIRONMENT`; stored chunks are
    keyed by the settings they were computed under.  Where the code has changed since a stored
    chunk was measured, one replicate of each of its cells is measured again first.

    Parameters
    ----------
    study : Study
    store : Store, optional
        Where chunks are kept; without one nothing is.
    jobs : int
        Worker processes; 1 computes here, -1 takes all cores.
    dask : str, optional
        Address of a Dask scheduler that computes instead.
    progress : callable, optional
        Called with (cost done, cost in all) at the start and after each chunk.
    say : callable, optional
        Called with a line about each damaged chunk and about workers with other settings; by
        default a damaged chunk or an unprotected cluster raises a warning.

    Returns
    -------
    DataFrame
        The cells' parameters (None where a cell lacks one), ``replicate`` and the measured
        columns (float64, int64, or a categorical of texts), in the order of cells and replicates.
        Where replicates have several lines, ``cell`` is the number of the cell.

    Raises
    ------
    UsageError
        If ``jobs`` is out of bounds, the cluster does not answer or differs, the store
        cannot be written, the measure is no function of an importable module, or it yields
        other numbers than are stored under the study's version.
    StudyError
        If the measure fails; finished chunks stay in the store.

    Examples
    --------
    >>> def measure(cell, replicates, streams):
    ...     return {"value": np.array([streams.child(r).generator("x").random() for r in replicates])}
    >>> table = run_study(Study("draws", cells=[{"n": 1}], replicates=3, measure=measure))
    >>> table.shape, table.replicate.tolist()
    ((3, 3), [0, 1, 2])
    """
    jobs = number_of_jobs(jobs)
    if store is not None or jobs > 1 or dask is not None:
        _check_importable(study)
    if dask is not None and say is None and (warning := unprotected(dask)):
        warnings.warn(warning, stacklevel=2)
    with nullcontext() if dask is None else Cluster(dask) as cluster:
        pieces = _cut(study, _settings(jobs, cluster, say), keyed=store is not None)
        code = "" if store is None else spot_check.code_of(spot_check.modules_of(study.measure))
        parts = _Computation(pieces, store, code, jobs, cluster, progress, say).complete()
    return table_of(study, pieces, parts)


def run_here(
    study: Study,
    *,
    progress: Callable[[float, float], None] | None = None,
    seconds: Callable[[float], None] | None = None,
) -> pd.DataFrame:
    """Run a study in this process alone, where there are neither workers nor a store; nothing is kept.

    Parameters
    ----------
    study : Study
    progress : callable, optional
        Called with (cost done, cost in all) after each chunk.
    seconds : callable, optional
        Called before the study runs, with the seconds that it will take by those of one replicate.

    Returns
    -------
    DataFrame
        As from :func:`run_study`.

    Examples
    --------
    >>> def measure(cell, replicates, streams):
    ...     return {"value": np.array([streams.child(r).generator("x").random() for r in replicates])}
    >>> run_here(Study("draws", cells=[{"n": 1}], replicates=3, measure=measure)).replicate.tolist()
    [0, 1, 2]
    """
    pieces = _cut(study, [], keyed=False)
    total, done = sum(piece.cost for piece in pieces), 0.0
    if seconds is not None:
        first = spot_check.first_of(pieces[0].task)
        measure_chunk(first)  # what is imported and compiled once counts for none
        begin = time.perf_counter()
        measure_chunk(first)
        seconds((time.perf_counter() - begin) * total / (pieces[0].cost / pieces[0].task.replicates))
    parts = []
    for piece in pieces:
        parts.append(measure_chunk(piece.task))
        done += piece.cost
        if progress is not None:
            progress(done, total)
    return table_of(study, pieces, parts)


@dataclass
class _Computation:
    """The columns of each chunk of a study, read from a store or computed."""

    pieces: list[Piece]
    store: Store | None
    code: str
    jobs: int
    cluster: Cluster | None
    progress: Callable[[float, float], None] | None
    say: Callable[[str], None] | None

    def __post_init__(self) -> None:
        self.columns: list[dict[str, Column] | None] = [None] * len(self.pieces)
        # places of the chunks that other code measured, by cell the first of them
        self.to_check: dict[int, int] = {}
        self.total = sum(piece.cost for piece in self.pieces)

    def complete(self) -> list[dict[str, Column]]:
        """Read what is stored, compute chunks that no other process computes, read those that others have finished."""
        missing = [place for place in range(len(self.pieces)) if not self._read(place)]
        self._report()
        self._check()
        if missing and self.store is not None:
            self.store.prepare()
        batch = 1
        if self.cluster is not None or self.jobs > 1:
            batch = _most_at_once()
            missing.sort(key=lambda place: -self.pieces[place].cost)  # longest first, so that the tail is short
        while missing:
            places = {self.pieces[place].key: place for place in missing} if self.store is not None else {}
            with nullcontext() if self.store is None else self.store.claimed(places, batch) as keys:
                claimed = missing if keys is None else [places[key] for key in keys]
                # another process may have finished one before it was locked
                self._compute([place for place in claimed if not self._read(place)])
            if not claimed:
                time.sleep(_LOOK_SECONDS)
                if sum(self._read(place) for place in missing):
                    self._report()
            missing = [place for place in missing if self.columns[place] is None]
        return [columns for columns in self.columns if columns is not None]

    def _read(self, place: int) -> bool:
        if self.store is not None and (chunk := self.store.read(self.pieces[place].key, say=self.say)) is not None:
            self.columns[place], about = chunk
            if about.get("code") != self.code:
                self.to_check.setdefault(self.pieces[place].cell, place)
        return self.columns[place] is not None

    def _check(self) -> None:
        """Measure one replicate of each cell again whose chunks other code measured; the bits must be the same."""
        if self.store is None or not self.to_check:
            return
        known = self.store.checked()
        places = [place for place in self.to_check.values() if known.get(self.pieces[place].key) != self.code]
        tasks = [spot_check.first_of(self.pieces[place].task) for place in places]
        other = []
        with closing(self._measured(tasks)) as results:  # type: ignore[type-var]
            for position, columns in results:
                stored = self.columns[places[position]]
                assert stored is not None
                if spot_check.digest_of(columns) != spot_check.first_digest(stored, tasks[position].start):
                    other.append(tasks[position])
        if other:
            raise spot_check.outdated(other[0], f"in {len(other)} of {len(tasks)} cells that were tried")
        self.store.note_checked([self.pieces[place].key for place in places], self.code)

    def _compute(self, places: list[int]) -> None:
        """Compute chunks and store each as it comes."""
        tasks = [self.pieces[place].task for place in places]
        with closing(self._measured(tasks)) as results:  # type: ignore[type-var]
            for position, columns in results:
                task = tasks[position]
                self.columns[places[position]] = columns
                if self.store is not None:
                    about = {"study": task.study, "cell": task.cell, "seed": task.seed, "code": self.code}
                    about["replicates"] = [task.start, task.stop - 1]
                    self.store.put(self.pieces[places[position]].key, columns, about)
                self._report()

    def _measured(self, tasks: list[Task]) -> Iterator[Result]:
        return measured(tasks, self.jobs, self.say) if self.cluster is None else self.cluster.compute(tasks)

    def _report(self) -> None:
        if self.progress is not None:
            pairs = zip(self.pieces, self.columns, strict=True)
            left = sum(piece.cost for piece, columns in pairs if columns is None)
            self.progress(self.total - left if left else self.total, self.total)


def _most_at_once() -> int:
    """Return how many chunks may be locked at once: each lock is an open file, and workers need some too."""
    if not hasattr(resource, "getrlimit"):
        return _BATCH
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _BATCH if files == resource.RLIM_INFINITY else max(1, min(_BATCH, files // 4))


def _settings(jobs: int, cluster: Cluster | None, say: Callable[[str], None] | None) -> list[dict[str, str | None]]:
    """Return the settings of threads and kernels under which chunks will be computed."""
    if cluster is None:
        return [dict(determinism.ENVIRONMENT) if jobs > 1 else versions.settings()]
    if cluster.settings != [dict(determinism.ENVIRONMENT)] and say is not None:
        start = " ".join(f"{name}={value!r}" for name, value in determinism.ENVIRONMENT.items())
        say(
            f"workers at {cluster.address} run under other settings, so last digits may differ; "
            f"for equal bits start them with: env {start} dask worker {cluster.address}"
        )
    return cluster.settings


def _cut(study: Study, settings: list[dict[str, str | None]], *, keyed: bool) -> list[Piece]:
    same: dict[str, object] = {}
    if keyed:
        same = {
            "layout": _LAYOUT,
            "study": study.id,
            "version": int(study.version),
            "results": determinism.RESULTS_VERSION,
            "seed": int(study.seed),
            "data": dict(study.data),
            "versions": versions.versions_digest(),
            "settings": settings,
            "processors": [versions.processor(each) for each in settings],
        }
    pieces = []
    for number, (cell, count) in enumerate(zip(study.cells, study.counts, strict=True)):
        unit = 1.0 if study.cost is None else float(study.cost(cell))
        seed_cell = study.seed_cell(cell)
        for start in range(0, count, study.chunk):
            stop = min(start + study.chunk, count)
            task = Task(study.id, study.measure, cell, int(study.seed), seed_cell, start, stop)
            text = cell_text({**same, "cell": cell, "seed_cell": seed_cell, "start": start, "stop": stop})
            key = hashlib.sha256(text.encode()).hexdigest() if keyed else ""
            pieces.append(Piece(number, task, key, unit * (stop - start)))
    return pieces


def table_of(study: Study, pieces: Sequence[Piece], parts: Sequence[Mapping[str, Column]]) -> pd.DataFrame:
    """Join the columns of all chunks, in order, with the parameters of their cells."""
    names = list(parts[0])
    for piece, part in zip(pieces, parts, strict=True):
        if list(part) != names:
            raise StudyError(f"{piece.task}: measured {list(part)} where the first chunk has {names}")
    keys = list(dict.fromkeys(key for cell in study.cells for key in cell))
    if set(keys) & set(names):
        raise StudyError(f"study '{study.id}': a measured column has the name of a parameter: {names}")
    usual = (np.arange(piece.task.start, piece.task.stop, dtype=np.int64) for piece in pieces)
    numbers = [part.get("replicate", one_a_line) for one_a_line, part in zip(usual, parts, strict=True)]
    cells = repeat_each([piece.cell for piece in pieces], [len(n) for n in numbers])
    table: dict[str, object] = {}
    for key in keys:
        table[key] = pd.Series([cell.get(key) for cell in study.cells]).take(cells).reset_index(drop=True)
    if "replicate" in names:
        table["cell"] = cells.astype(np.int64)
    table["replicate"] = joined(numbers)
    for name in names:
        if name != "replicate":
            table[name] = joined([part[name] for part in parts])
    return pd.DataFrame(table)


def _check_importable(study: Study) -> None:
    for function in spot_check.functions_of(study.measure):
        module = getattr(function, "__module__", None) or ""
        result: object = None if module == "__main__" else sys.modules.get(module)
        for name in getattr(function, "__qualname__", "").split("."):
            result = getattr(result, name, None)
        if result is not function:
            raise UsageError(
                f"study '{study.id}' has a measure that workers cannot import ({function!r})",
                "move it to the top of a module, or run without store, jobs and dask",
            )


def cell_text(value: object) -> str:
    """Write a cell as a text that is equal for equal cells."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return value


def design_of(study: Study) -> str:
    """Return a text equal for studies that differ in their numbers of replicates only."""
    functions = [f"{f.__module__}:{f.__qualname__}" for f in spot_check.functions_of(study.measure)]
    cells = [[dict(cell), study.seed_cell(cell)] for cell in study.cells]
    return cell_text([study.id, study.version, functions, int(study.seed), dict(study.data), cells])
