"""Monte Carlo over a grid: cells x replicates in, one tidy table out.

A study is cut into chunks, each keyed by all that decides its numbers, so that a killed run resumes where it stopped
and a new cell costs only itself.  Every replicate has its own random stream: workers, chunks and order change no bit
of the result.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
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

# To be raised when seeds, cutting or the meaning of a column change: every stored chunk is then computed again.
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
            raise self._wrong("no cell")
        if isinstance(self.replicates, Sequence) and len(self.replicates) != len(cells):
            raise self._wrong(f"{len(self.replicates)} numbers of replicates for {len(cells)} cells")
        seen: set[str] = set()
        for cell in cells:
            text = _text(cell)
            if text in seen:
                raise self._wrong(f"cell {dict(cell)} twice")
            seen.add(text)
        numbers = [("seed", self.seed, 0), ("chunk", self.chunk, 1), *(("replicates", n, 1) for n in self.counts)]
        for name, value, least in numbers:
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
                raise self._wrong(f"{name} = {value!r}; expected a whole number >= {least}")
        unknown = set(self.seed_keys or ()) - {key for cell in cells for key in cell}
        if unknown:
            raise self._wrong(f"seed key '{min(unknown)}', which no cell has")

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
            raise self._wrong(f"cell {dict(cell)} ({exc}); expected finite numbers, text and lists of these") from None
        if "replicate" in plain:
            raise self._wrong("a cell parameter called 'replicate', the name of the replicate's number")
        return plain

    def _wrong(self, what: str) -> UsageError:
        return UsageError(f"study '{self.id}' has {what}")


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
    return _cut(study, [dict(bits.ENVIRONMENT)], keyed=True)


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
        cannot be written, or the measure is no function of an importable module.
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
        computation = _Computation(study, pieces, store, jobs, cluster, progress, say)
        computation.complete()
    return _table(study, pieces, [columns for columns in computation.columns if columns is not None])


class _Computation:
    """The columns of each chunk of a study, read from a store or computed."""

    def __init__(
        self,
        study: Study,
        pieces: list[Piece],
        store: Store | None,
        jobs: int,
        cluster: Cluster | None,
        progress: Callable[[float, float], None] | None,
        say: Callable[[str], None] | None,
    ) -> None:
        self.parameters = {key for cell in study.cells for key in cell}
        self.pieces, self.store, self.jobs, self.cluster = pieces, store, jobs, cluster
        self.progress, self.say = progress, say
        self.columns: list[dict[str, Column] | None] = [None] * len(pieces)
        self.fresh: set[int] = set()
        self.total = sum(piece.cost for piece in pieces)

    def complete(self) -> None:
        """Read what is stored, and compute the rest."""
        for place in range(len(self.pieces)):
            self._read(place)
        self._compute_missing()
        while self.store is not None and (odd := self._inconsistent()):
            for place in odd:
                self.store.drop(self.pieces[place].key, "its columns are not those of the others", say=self.say)
                self.columns[place] = None
            self._compute_missing()

    def _read(self, place: int) -> bool:
        """Read a chunk from the store, if there is one with possible columns."""
        if self.store is None:
            return False
        piece = self.pieces[place]
        columns = self.store.get(piece.key, say=self.say)
        if columns is not None:
            try:
                check_columns(columns, range(piece.task.start, piece.task.stop))
                if taken := self.parameters & set(columns):
                    raise ValueError(f"column '{min(taken)}' has the name of a parameter")
            except (TypeError, ValueError) as exc:
                self.store.drop(piece.key, str(exc), say=self.say)
                columns = None
        self.columns[place] = columns
        return columns is not None

    def _compute_missing(self) -> None:
        """Compute chunks that no other process computes, and read those that others have finished."""
        missing = self._missing()
        self._report()
        if missing and self.store is not None:
            self.store.prepare()
        if self.cluster is not None or self.jobs > 1:
            missing.sort(key=lambda place: -self.pieces[place].cost)  # longest first, so that the tail is short
        batch = _BATCH if self.jobs > 1 or self.cluster is not None else 1
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

    def _compute(self, places: list[int]) -> None:
        """Compute chunks and store each as it comes."""
        tasks = [self.pieces[place].task for place in places]
        if not tasks:
            return
        if self.cluster is not None:
            results = self.cluster.compute(tasks)
        elif self.jobs == 1 or (bits.in_force() and (len(tasks) == 1 or not can_start(self.say))):
            results = in_process(tasks)
        else:
            results = in_processes(tasks, self.jobs)
        with closing(results):  # type: ignore[type-var]
            for position, columns in results:
                task = tasks[position]
                self.columns[places[position]] = columns
                self.fresh.add(places[position])
                if self.store is not None:
                    about = {"study": task.study, "cell": task.cell, "seed": task.seed}
                    about["replicates"] = [task.start, task.stop - 1]
                    self.store.put(self.pieces[places[position]].key, columns, about)
                self._report()

    def _missing(self) -> list[int]:
        return [place for place, columns in enumerate(self.columns) if columns is None]

    def _report(self) -> None:
        if self.progress is not None:
            left = sum(self.pieces[place].cost for place in self._missing())
            self.progress(self.total - left if left else self.total, self.total)

    def _inconsistent(self) -> list[int]:
        """Find stored chunks whose columns are not those of what was computed, or of most where nothing was."""
        kinds = [_kinds(columns or {}) for columns in self.columns]
        known = [kinds[place] for place in self.fresh] or kinds
        names = Counter(tuple(one) for one in known).most_common(1)[0][0]
        usual = {name: Counter(one[name] for one in known if one.get(name)).most_common(1) for name in names}

        def differs(one: dict[str, str]) -> bool:
            return tuple(one) != names or any(
                kind and usual[name] and usual[name][0][0] != kind for name, kind in one.items()
            )

        return [place for place, one in enumerate(kinds) if place not in self.fresh and differs(one)]


def _kinds(columns: Mapping[str, Column]) -> dict[str, str]:
    """Return whether each column holds texts or numbers; "" for one without lines."""
    return {
        name: ("texts" if len(column.codes) else "") if isinstance(column, Coded) else "numbers" if len(column) else ""
        for name, column in columns.items()
    }


def _settings(jobs: int, cluster: Cluster | None, say: Callable[[str], None] | None) -> list[dict[str, str | None]]:
    """Return the settings of threads and kernels under which chunks will be computed."""
    if cluster is None:
        return [dict(bits.ENVIRONMENT) if jobs > 1 else bits.settings()]
    if cluster.settings != [dict(bits.ENVIRONMENT)] and say is not None:
        start = " ".join(f"{name}={value!r}" for name, value in bits.ENVIRONMENT.items())
        say(
            f"workers at {cluster.address} run under other settings, so last digits may differ; "
            f"for equal bits start them with: env {start} dask worker {cluster.address}"
        )
    return cluster.settings


def _cut(study: Study, settings: list[dict[str, str | None]], *, keyed: bool) -> list[Piece]:
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
    pieces = []
    for number, (cell, count) in enumerate(zip(study.cells, study.counts, strict=True)):
        unit = 1.0 if study.cost is None else float(study.cost(cell))
        seed_cell = study.seed_cell(cell)
        for start in range(0, count, study.chunk):
            stop = min(start + study.chunk, count)
            task = Task(study.id, study.measure, cell, int(study.seed), seed_cell, start, stop)
            text = _text({**same, "cell": cell, "seed_cell": seed_cell, "start": start, "stop": stop}) if keyed else ""
            pieces.append(Piece(number, task, hashlib.sha256(text.encode()).hexdigest(), unit * (stop - start)))
    return pieces


def _table(study: Study, pieces: list[Piece], parts: list[dict[str, Column]]) -> pd.DataFrame:
    names = list(parts[0])
    for piece, part in zip(pieces, parts, strict=True):
        if list(part) != names:
            raise StudyError(f"{piece.task}: measured {list(part)} where the first chunk has {names}")
    keys = list(dict.fromkeys(key for cell in study.cells for key in cell))
    if set(keys) & set(names):
        raise StudyError(f"study '{study.id}': a measured column has the name of a parameter: {names}")
    usual = (np.arange(piece.task.start, piece.task.stop, dtype=np.int64) for piece in pieces)
    numbers = [part.get("replicate", one_a_line) for one_a_line, part in zip(usual, parts, strict=True)]
    cells = np.repeat([piece.cell for piece in pieces], [len(n) for n in numbers])
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
                f"study '{study.id}' has a measure that workers cannot import ({function!r})",
                "move it to the top of a module, or run without store, jobs and dask",
            )


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return value
