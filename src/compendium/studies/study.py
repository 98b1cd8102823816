"""Monte Carlo over a grid: cells x replicates in, one tidy table out.

A study is cut into chunks, each keyed by all that decides its numbers, so that
a killed run goes on where it stopped and a new cell costs only itself.  Every
replicate has its own random stream: neither the workers nor the cutting, the
order or the neighbours change a bit of the result.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from compendium.studies import digests
from compendium.studies.columns import Coded, Column, joined
from compendium.studies.replicates import Each, measure_each
from compendium.studies.store import Store
from compendium.studies.workers import (
    Cluster,
    Measure,
    Result,
    StudyError,
    Task,
    can_start,
    check_columns,
    in_process,
    in_processes,
    number_of_jobs,
    unprotected,
)
from errorest import bits
from errorest.errors import UsageError
from errorest.streams import canonical

__all__ = ["Piece", "Study", "StudyError", "pieces_of", "run_study"]

# Raise it when seeds, cutting or the meaning of a column change: every stored chunk is then made anew.
_LAYOUT = 1
_LOOK_SECONDS = 0.2
_BATCH = 256
"""Chunks that are locked at a time for workers; two processes that want the same study share the others."""


@dataclass(frozen=True)
class Study:
    """A grid of cells, the replicates of each, and what is measured.

    Parameters
    ----------
    id : str
        Enters every seed.
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
    cells: Sequence[Mapping[str, Any]]
    replicates: int | Sequence[int]
    measure: Measure
    seed: int = 0
    seed_keys: Sequence[str] | None = None
    data: Mapping[str, str] = field(default_factory=dict)
    chunk: int = 100
    cost: Callable[[Mapping[str, Any]], float] | None = None

    def __post_init__(self) -> None:
        cells = tuple(self._plain(cell) for cell in self.cells)
        object.__setattr__(self, "cells", cells)
        if not cells:
            raise self._wrong("no cell", "at least one")
        if isinstance(self.replicates, Sequence) and len(self.replicates) != len(cells):
            raise self._wrong(
                f"{len(self.replicates)} numbers of replicates for {len(cells)} cells", "one number, or one a cell"
            )
        seen: set[str] = set()
        for cell in cells:
            text = _text(cell)
            if text in seen:
                raise self._wrong(f"cell {dict(cell)} twice", "no two cells alike")
            seen.add(text)
        for name, value, least in (("seed", self.seed, 0), ("chunk", self.chunk, 1)):
            self._check(name, value, least)
        for number in self.counts:
            self._check("replicates", number, 1)
        unknown = set(self.seed_keys or ()) - {key for cell in cells for key in cell}
        if unknown:
            raise self._wrong(f"seed key '{min(unknown)}', which no cell has", "keys of the cells")

    @property
    def counts(self) -> tuple[int, ...]:
        """The replicates of each cell."""
        if isinstance(self.replicates, Sequence):
            return tuple(self.replicates)
        return (self.replicates,) * len(self.cells)

    def seed_cell(self, cell: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of a cell that enter its seed."""
        return {key: cell[key] for key in cell if self.seed_keys is None or key in self.seed_keys}

    def _plain(self, cell: Mapping[str, Any]) -> dict[str, Any]:
        plain: dict[str, Any] = _frozen(canonical(cell))
        try:
            _text(plain)
        except (TypeError, ValueError) as exc:
            raise self._wrong(f"cell {dict(cell)} ({exc})", "finite numbers, text and lists of these") from None
        if "replicate" in plain:
            raise self._wrong("a cell parameter called 'replicate'", "that name free for the number of the replicate")
        return plain

    def _check(self, name: str, value: Any, least: int) -> None:
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
            raise self._wrong(f"{name} = {value!r}", f"a whole number, at least {least}")

    def _wrong(self, what: str, expected: str) -> UsageError:
        return UsageError(f"study '{self.id}' has {what}; expected {expected}; mend the study")


class Piece(NamedTuple):
    """One chunk of a study: the number of its cell, its task, its key in a store, and its relative cost.

    Examples
    --------
    >>> from json import dumps
    >>> from compendium.studies.replicates import each_replicate
    >>> print(pieces_of(Study("texts", [{"n": 10}], 5, each_replicate(dumps)))[0].task)
    study 'texts', cell {'n': 10}, replicates 0 to 4
    """

    cell: int
    task: Task
    key: str
    cost: float


def pieces_of(study: Study) -> list[Piece]:
    """List the chunks of a study in the order of cells and replicates, with their keys on this machine.

    The keys are those of results computed under :data:`errorest.bits.ENVIRONMENT`.

    Examples
    --------
    >>> from json import dumps
    >>> from compendium.studies.replicates import each_replicate
    >>> found = pieces_of(Study("texts", [{"n": 10}], 150, each_replicate(dumps)))
    >>> [(one.task.start, one.task.stop) for one in found], len(found[0].key)
    ([(0, 100), (100, 150)], 64)
    """
    _check_importable(study)
    chunks = _cut(study, [dict(bits.ENVIRONMENT)], keyed=True)
    return [Piece(chunk.cell, chunk.task, chunk.key, chunk.cost) for chunk in chunks]


@dataclass
class _Chunk:
    """A task with its place in the result, its key and its numbers once there."""

    cell: int
    task: Task
    key: str
    cost: float
    columns: dict[str, Column] | None = None
    fresh: bool = False


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
    as long as processes run under :data:`errorest.bits.ENVIRONMENT`; stored chunks are
    keyed by the settings they were computed under.

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
        Told, in one line each, of damaged chunks and of workers with other settings; by
        default damaged chunks draw a warning, and so does a cluster that is open to all.

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
        cannot be written, or the measure is no function of an importable module.
    StudyError
        If the measure fails; finished chunks stay in the store.

    Examples
    --------
    >>> def measure(cell, replicates, streams):
    ...     return {"drawn": np.array([streams.child(r).generator("x").random() for r in replicates])}
    >>> table = run_study(Study("draws", cells=[{"n": 1}], replicates=3, measure=measure))
    >>> table.shape, table.replicate.tolist()
    ((3, 3), [0, 1, 2])
    """
    jobs = number_of_jobs(jobs)
    if store is not None or jobs > 1 or dask is not None:
        _check_importable(study)
    if dask is not None and say is None and (open_to_all := unprotected(dask)):
        warnings.warn(open_to_all, stacklevel=2)
    with ExitStack() as stack:
        cluster = None if dask is None else stack.enter_context(Cluster(dask))
        chunks = list(_cut(study, _settings(jobs, cluster, say), keyed=store is not None))
        if store is not None:
            for chunk in chunks:
                chunk.columns = _stored(store, chunk, study, say)
        computing = _Computing(study, store, jobs, cluster, progress, say)
        computing.all_of(chunks)
        while store is not None and (odd := _of_other_columns(chunks)):
            for chunk in odd:
                store.drop(chunk.key, "its columns are not those of the others", say=say)
                chunk.columns = None
            computing.all_of(chunks)
    return _table(study, chunks)


@dataclass(frozen=True)
class _Computing:
    """Who computes the chunks that are not there, and who is told of it."""

    study: Study
    store: Store | None
    jobs: int
    cluster: Cluster | None
    progress: Callable[[float, float], None] | None
    say: Callable[[str], None] | None

    def all_of(self, chunks: list[_Chunk]) -> None:
        """Compute what is missing, and keep each chunk as it comes."""
        todo = [chunk for chunk in chunks if chunk.columns is None]
        total = sum(chunk.cost for chunk in chunks)
        self._tell(todo, total)
        if todo and self.store is not None:
            self.store.prepare()
        if self.cluster is not None or self.jobs > 1:
            todo.sort(key=lambda chunk: -chunk.cost)  # longest first, so that the tail is short
        while todo:
            with self._claimed(todo) as own:
                # another process may have finished it between our look and our lock
                for _ in self._computed([chunk for chunk in own if not self._came(chunk)]):
                    self._tell(todo, total)
            if not own:
                time.sleep(_LOOK_SECONDS)
                if sum(self._came(chunk) for chunk in todo):
                    self._tell(todo, total)
            todo = [chunk for chunk in todo if chunk.columns is None]

    @contextmanager
    def _claimed(self, todo: list[_Chunk]) -> Iterator[list[_Chunk]]:
        """Lock the next chunks that no other process computes: one at a time, or a batch for workers."""
        if self.store is None:
            yield todo
            return
        batch = _BATCH if self.jobs > 1 or self.cluster is not None else 1
        by_key = {chunk.key: chunk for chunk in todo}
        with self.store.claimed(by_key, batch) as keys:
            yield [by_key[key] for key in keys]

    def _computed(self, own: list[_Chunk]) -> Iterator[_Chunk]:
        with closing(_compute([chunk.task for chunk in own], self.jobs, self.cluster, self.say)) as results:
            for position, columns in results:
                chunk, task = own[position], own[position].task
                chunk.columns, chunk.fresh = columns, True
                if self.store is not None:
                    said = {"study": task.study, "cell": task.cell, "seed": task.seed}
                    self.store.put(chunk.key, columns, said | {"replicates": [task.start, task.stop - 1]})
                yield chunk

    def _came(self, chunk: _Chunk) -> bool:
        """Take over what another process has computed meanwhile."""
        if self.store is not None:
            chunk.columns = _stored(self.store, chunk, self.study, self.say)
        return chunk.columns is not None

    def _tell(self, todo: list[_Chunk], total: float) -> None:
        if self.progress is not None:
            left = sum(chunk.cost for chunk in todo if chunk.columns is None)
            self.progress(total - left if left else total, total)


def _stored(store: Store, chunk: _Chunk, study: Study, say: Callable[[str], None] | None) -> dict[str, Column] | None:
    """Read a chunk, if there is one that can be what its key says."""
    columns = store.get(chunk.key, say=say)
    if columns is None:
        return None
    try:
        check_columns(columns, range(chunk.task.start, chunk.task.stop))
        taken = {key for cell in study.cells for key in cell} & set(columns)
        if taken:
            raise ValueError(f"column '{min(taken)}' has the name of a parameter")
    except (TypeError, ValueError) as exc:
        store.drop(chunk.key, str(exc), say=say)
        return None
    return columns


def _of_other_columns(chunks: list[_Chunk]) -> list[_Chunk]:
    """Find stored chunks whose columns are not those of what was computed, or of most where nothing was."""
    known = [chunk for chunk in chunks if chunk.fresh] or chunks
    usual = Counter(tuple(chunk.columns or ()) for chunk in known).most_common(1)[0][0]
    texts = {
        name: Counter(
            isinstance(chunk.columns[name], Coded)
            for chunk in known
            if chunk.columns and name in chunk.columns and _lines(chunk.columns[name])
        ).most_common(1)
        for name in usual
    }

    def odd(columns: dict[str, Column]) -> bool:
        return tuple(columns) != usual or any(
            _lines(column) and kind and isinstance(column, Coded) != kind[0][0]
            for (name, column), kind in zip(columns.items(), texts.values(), strict=True)
        )

    return [chunk for chunk in chunks if not chunk.fresh and chunk.columns is not None and odd(chunk.columns)]


def _lines(column: Column) -> int:
    return len(column.codes if isinstance(column, Coded) else column)


def _settings(jobs: int, cluster: Cluster | None, say: Callable[[str], None] | None) -> list[dict[str, str | None]]:
    """Return the settings of bits under which chunks will be computed."""
    if cluster is None:
        return [dict(bits.ENVIRONMENT) if jobs > 1 else bits.settings()]
    if cluster.settings != [dict(bits.ENVIRONMENT)] and say is not None:
        start = " ".join(f"{name}={value!r}" for name, value in bits.ENVIRONMENT.items())
        say(
            f"workers at {cluster.address} run under other settings, so last digits may differ; "
            f"for equal bits start them with: env {start} dask worker {cluster.address}"
        )
    return cluster.settings


def _compute(
    tasks: list[Task], jobs: int, cluster: Cluster | None, say: Callable[[str], None] | None
) -> Generator[Result, None, None]:
    if not tasks:
        return
    if cluster is not None:
        source = cluster.compute(tasks)
    elif jobs == 1 or (bits.in_force() and (len(tasks) == 1 or not can_start(say))):
        source = in_process(tasks)
    else:
        source = in_processes(tasks, jobs)
    yield from source


def _cut(study: Study, settings: list[dict[str, str | None]], *, keyed: bool) -> Iterator[_Chunk]:
    same: dict[str, Any] = {}
    if keyed:
        functions = _functions(study.measure)
        same = {
            "layout": _LAYOUT,
            "study": study.id,
            "measure": " of ".join(f"{f.__module__}.{f.__qualname__}" for f in functions),
            "seed": int(study.seed),
            "data": dict(study.data),
            "code": digests.code_digest([f.__module__ for f in functions]),
            "versions": bits.versions_digest(),
            "settings": settings,
            "processors": [bits.processor(each) for each in settings],
        }
    for number, (cell, count) in enumerate(zip(study.cells, study.counts, strict=True)):
        unit = 1.0 if study.cost is None else float(study.cost(cell))
        seed_cell = study.seed_cell(cell)
        for start in range(0, count, study.chunk):
            stop = min(start + study.chunk, count)
            task = Task(study.id, study.measure, cell, int(study.seed), seed_cell, start, stop)
            text = _text({**same, "cell": cell, "seed_cell": seed_cell, "start": start, "stop": stop}) if keyed else ""
            yield _Chunk(number, task, hashlib.sha256(text.encode()).hexdigest(), unit * (stop - start))


def _table(study: Study, chunks: list[_Chunk]) -> pd.DataFrame:
    parts = [chunk.columns for chunk in chunks if chunk.columns is not None]
    names = list(parts[0])
    for chunk, part in zip(chunks, parts, strict=True):
        if list(part) != names:
            raise StudyError(f"{chunk.task}: measured {list(part)} where the first chunk has {names}")
    keys = list(dict.fromkeys(key for cell in study.cells for key in cell))
    if set(keys) & set(names):
        raise StudyError(f"study '{study.id}': a measured column has the name of a parameter: {names}")
    usual = (np.arange(chunk.task.start, chunk.task.stop, dtype=np.int64) for chunk in chunks)
    numbers = [part.get("replicate", one_a_line) for one_a_line, part in zip(usual, parts, strict=True)]
    cells = np.repeat([chunk.cell for chunk in chunks], [len(n) for n in numbers])
    table: dict[str, Any] = {}
    for key in keys:
        table[key] = pd.Series([cell.get(key) for cell in study.cells]).take(cells).reset_index(drop=True)
    if "replicate" in names:
        table["cell"] = cells.astype(np.int64)
    table["replicate"] = joined(numbers)
    for name in names:
        if name != "replicate":
            table[name] = joined([part[name] for part in parts])
    return pd.DataFrame(table)


def _functions(measure: Measure) -> list[Any]:
    """Return the functions that decide what a measure yields."""
    return [measure_each, measure.design] if isinstance(measure, Each) else [measure]


def _check_importable(study: Study) -> None:
    for function in _functions(study.measure):
        module = getattr(function, "__module__", None) or ""
        found: Any = None if module == "__main__" else sys.modules.get(module)
        for name in getattr(function, "__qualname__", "").split("."):
            found = getattr(found, name, None)
        if found is not function:
            raise UsageError(
                f"study '{study.id}' has a measure that workers cannot import ({function!r}); expected a function at "
                "the top of a module; move it into one, or run without store, jobs and dask"
            )


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return value
