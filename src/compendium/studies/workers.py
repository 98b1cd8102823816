"""Who computes the chunks of a study: this process, processes beside it, or a Dask cluster.

Each way takes the same tasks and hands results back as they come, so that the
parent alone decides what is written.  Workers run under the settings of
:mod:`errorest.bits` and end when their parent does.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from compendium.studies import digests
from compendium.studies.columns import Column, read_column
from compendium.studies.orphans import watch_parent
from errorest import bits
from errorest.errors import UsageError
from errorest.streams import Streams

__all__ = [
    "Cluster",
    "Measure",
    "StudyError",
    "Task",
    "can_start",
    "check_columns",
    "in_process",
    "in_processes",
    "measure_chunk",
    "number_of_jobs",
    "unprotected",
]

Measure = Callable[[Mapping[str, Any], range, Streams], Mapping[str, Any]]

_SECONDS_TO_ANSWER = 5
_IDLE_SECONDS = 60
_SEMAPHORES = 16


class StudyError(RuntimeError):
    """A measure failed; the message names the study, the cell and the replicates."""


@dataclass(frozen=True)
class Task:
    """One chunk of a study."""

    study: str
    measure: Measure
    cell: Mapping[str, Any]
    seed: int
    seed_cell: Mapping[str, Any]
    start: int
    stop: int

    def __str__(self) -> str:
        return f"study '{self.study}', cell {dict(self.cell)}, replicates {self.start} to {self.stop - 1}"


Result = tuple[int, dict[str, Column]]


def measure_chunk(task: Task) -> dict[str, Column]:
    """Measure the replicates of one task."""
    streams = Streams(task.seed).child(task.study, task.seed_cell)
    replicates = range(task.start, task.stop)
    try:
        return check_columns(task.measure(dict(task.cell), replicates, streams), replicates)
    except UsageError as exc:
        raise UsageError(f"{exc} ({task})") from exc
    except Exception as exc:
        raise StudyError(f"{task}: {type(exc).__name__}: {exc}") from exc


def check_columns(measured: Mapping[str, Any], replicates: range) -> dict[str, Column]:
    """Bring what was measured to columns: a line a replicate, or as many as the column ``replicate`` has."""
    lines, what = len(replicates), "replicate"
    if "replicate" in measured:
        lines, what = _check_numbers(np.asarray(measured["replicate"]), replicates), "line"
    return {str(name): read_column(str(name), values, lines, what) for name, values in measured.items()}


def _check_numbers(numbers: np.ndarray, replicates: range) -> int:
    """Return how many lines there are, once they are known to stand in the order of the replicates."""
    if numbers.ndim != 1 or not np.issubdtype(numbers.dtype, np.integer):
        raise TypeError(
            f"column 'replicate' has shape {numbers.shape} and type {numbers.dtype}; expected whole numbers"
        )
    ascending = bool((numbers[1:] >= numbers[:-1]).all())
    if numbers.size and not (ascending and replicates.start <= numbers[0] and numbers[-1] < replicates.stop):
        raise ValueError(f"column 'replicate' is not in the order of {replicates.start} to {replicates.stop - 1}")
    return int(numbers.size)


def number_of_jobs(jobs: int) -> int:
    """Check the number of worker processes; -1 stands for all cores this process may use."""
    if isinstance(jobs, bool) or not isinstance(jobs, int | np.integer) or jobs == 0 or jobs < -1:
        raise UsageError(f"jobs is {jobs!r}; expected a number from 1, or -1 for all cores; choose one of these")
    return len(os.sched_getaffinity(0)) if jobs == -1 else int(jobs)


def in_process(tasks: Sequence[Task]) -> Iterator[Result]:
    """Measure tasks one after another, here; yield (position, columns)."""
    for position, task in enumerate(tasks):
        yield position, measure_chunk(task)


def can_start(say: Callable[[str], None] | None = None) -> bool:
    """Whether worker processes can be started here; if not, say so.

    They need semaphores, which Linux keeps in /dev/shm: a container may have none, a tiny one, or one that is not ours
    to write.
    """
    from multiprocessing import get_context

    try:
        # a pool takes about as many
        held = [get_context("spawn").Lock() for _ in range(_SEMAPHORES)]
    except (OSError, ImportError) as exc:
        if say is not None:
            say(
                f"worker processes cannot be started (/dev/shm: {getattr(exc, 'strerror', None) or exc}); one process "
                "computes, with the same results"
            )
        return False
    return bool(held)


def in_processes(tasks: Sequence[Task], jobs: int) -> Iterator[Result]:
    """Measure tasks in worker processes; yield (position, columns) as they come.

    The processes stay for the next study and leave after a minute without work.  If the consumer stops early, or a
    task fails, they are ended with whatever they are at.
    """
    pool = _pool_of(min(jobs, len(tasks)), os.getpid(), threading.current_thread() is threading.main_thread())
    try:
        waiting = {pool.submit(measure_chunk, task): position for position, task in enumerate(tasks)}
        for future in as_completed(list(waiting)):
            yield waiting.pop(future), future.result()
    except BrokenProcessPool as exc:
        _pool_of.cache_clear()
        raise StudyError(
            f"study '{tasks[0].study}': a worker process ended unexpectedly, perhaps for want of memory; "
            "finished chunks are kept; run again with fewer jobs"
        ) from exc
    except BaseException:
        _pool_of.cache_clear()
        _kill_workers(pool)
        raise


@lru_cache(maxsize=1)
def _pool_of(jobs: int, parent: int, from_main: bool) -> Any:
    """Start worker processes.

    The pool is not the one that joblib hands out: that belongs to what joblib itself runs in this process,
    and it stumbles over a pool that somebody else has put there.
    """
    from joblib.externals.loky import ProcessPoolExecutor

    return ProcessPoolExecutor(
        max_workers=jobs,
        env=dict(bits.ENVIRONMENT),
        timeout=_IDLE_SECONDS,
        initializer=watch_parent,
        initargs=(parent, from_main),
    )


def _kill_workers(pool: Any) -> None:
    """End the workers with whatever they are at; the next study gets fresh ones.

    The pool's own ``shutdown(kill_workers=True)`` stumbles over tasks that still wait, in a thread that prints a
    traceback; a pool whose workers are gone cleans up quietly.
    """
    for pid in list(pool._processes):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    pool.shutdown(wait=True)


@dataclass(frozen=True)
class Identity:
    """What must agree between the two ends of a cluster, and the settings of bits."""

    source: str
    versions: str
    settings: tuple[tuple[str, str | None], ...]


def identity() -> Identity:
    """Describe this process."""
    return Identity(digests.source_digest(), bits.versions_digest(), tuple(sorted(bits.settings().items())))


class _OtherError(Exception):
    """A worker that came later runs something else."""


def _measure_on_worker(task: Task, source: str, versions: str) -> dict[str, Column]:
    here = identity()
    if (here.source, here.versions) != (source, versions):
        raise _OtherError
    return measure_chunk(task)


def _knock(address: str) -> None:
    """Raise OSError or ValueError unless a scheduler seems to listen at an address."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if parts.scheme not in ("tcp", "tls") or parts.hostname is None or parts.port is None:
        raise ValueError("it is not of the form tcp://host:port")
    with socket.create_connection((parts.hostname, parts.port), timeout=_SECONDS_TO_ANSWER) as connection:
        # a scheduler speaks first; Dask's own handshake would wait without end for one that does not
        if parts.scheme == "tcp" and not connection.recv(1):
            raise ConnectionError("what listens there closed the connection")


def unprotected(address: str) -> str | None:
    """Say what is to be known of an address that is neither encrypted nor authenticated; None for ``tls://``."""
    if address.startswith("tls://"):
        return None
    return (
        f"the Dask cluster at '{address}' is neither encrypted nor authenticated: whoever reaches its ports runs code "
        "on its workers and here; keep it on this machine or a network you trust, or use tls:// with certificates"
    )


class Cluster:
    """A connection to a Dask cluster whose workers run the same errorest with the same versions of what computes."""

    def __init__(self, address: str) -> None:
        from distributed import Client

        self.address = address
        try:
            _knock(address)  # a Client that finds nobody tries on in a thread of its own, loudly
            self._client = Client(address, timeout=_SECONDS_TO_ANSWER, set_as_default=False)
        except Exception as exc:
            raise UsageError(
                f"no Dask scheduler answers at '{address}' ({exc}); expected an address such as "
                "tcp://127.0.0.1:8786; start one with 'dask scheduler' or mend the address"
            ) from exc
        try:
            self.settings = self._compare()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; its workers go on."""
        self._client.close(timeout=_SECONDS_TO_ANSWER)

    def _compare(self) -> list[dict[str, str | None]]:
        try:
            self._client.wait_for_workers(1, timeout=_SECONDS_TO_ANSWER)
        except TimeoutError as exc:
            raise UsageError(
                f"the Dask cluster at '{self.address}' has no worker; expected at least one; "
                f"start one with 'dask worker {self.address}'"
            ) from exc
        try:
            found: dict[str, Identity] = self._client.run(identity)
        except Exception as exc:
            raise UsageError(
                f"a worker of the Dask cluster at '{self.address}' cannot run errorest ({type(exc).__name__}: {exc}); "
                "expected the same errorest on every worker; install it there and start the worker again"
            ) from exc
        here = identity()
        for worker, there in sorted(found.items()):
            for what, ours, theirs in (
                ("another source", here.source, there.source),
                ("other versions of what computes", here.versions, there.versions),
            ):
                if ours != theirs:
                    raise self._mismatch(f"worker {worker}", f"{what} ({theirs[:12]}, here {ours[:12]})")
        return [dict(settings) for settings in sorted({there.settings for there in found.values()}, key=repr)]

    def _mismatch(self, who: str, what: str) -> UsageError:
        return UsageError(
            f"{who} of the Dask cluster at '{self.address}' has {what}; expected the same errorest and the "
            "same versions of Python, numpy and the rest on every worker; update it there and start the worker again"
        )

    def compute(self, tasks: Sequence[Task]) -> Iterator[Result]:
        """Measure tasks on the cluster; yield (position, columns) as they come."""
        from distributed import CancelledError, KilledWorker
        from distributed import as_completed as as_arriving

        here = identity()
        positions: dict[Any, int] = {}
        try:
            for position, task in enumerate(tasks):
                future = self._client.submit(_measure_on_worker, task, here.source, here.versions, pure=False)
                positions[future] = position
            for future in as_arriving(list(positions), loop=self._client.loop):
                columns = future.result()
                yield positions.pop(future), columns
                future.release()
        except _OtherError:
            raise self._mismatch("a worker that joined later", "another source or other versions") from None
        except KilledWorker as exc:
            raise StudyError(
                f"study '{tasks[0].study}': workers of the Dask cluster died, perhaps for want of memory; "
                f"finished chunks are kept; give them more and run again ({exc})"
            ) from exc
        except (CancelledError, OSError) as exc:
            raise UsageError(
                f"the Dask cluster at '{self.address}' went away ({type(exc).__name__}); expected it to stay up; "
                "start it and run again (finished chunks are kept)"
            ) from exc
        finally:
            self._client.cancel(list(positions))
