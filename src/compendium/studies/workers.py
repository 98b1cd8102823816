"""Where the chunks of a study are computed: in this process, in worker processes, or on a Dask cluster.

Each way takes the same tasks and yields results as they come; the calling process alone writes them.
"""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from compendium import versions
from compendium.methods.streams import CompiledStreams
from compendium.studies import digests
from compendium.studies.columns import Column, read_column
from compendium.studies.replicates import Cell
from errorest import determinism
from errorest.errors import UsageError
from errorest.processes import begin_worker, is_main_thread
from errorest.streams import Streams

Measure = Callable[[Cell, range, Streams], Mapping[str, Any]]

_SECONDS_TO_ANSWER = 5
_IDLE_SECONDS = 60
_SEMAPHORES = 16


class StudyError(RuntimeError):
    """A measure failed; the message names the study, the cell and the replicates."""


@dataclass(frozen=True)
class Task:
    study: str
    measure: Measure
    cell: Cell
    seed: int
    seed_cell: Cell
    start: int
    stop: int

    @property
    def replicates(self) -> int:
        return self.stop - self.start

    def __str__(self) -> str:
        return f"study '{self.study}', cell {dict(self.cell)}, replicates {self.start} to {self.stop - 1}"


Result = tuple[int, dict[str, Column]]


def measure_chunk(task: Task) -> dict[str, Column]:
    streams = CompiledStreams(task.seed).child(task.study, task.seed_cell)
    replicates = range(task.start, task.stop)
    try:
        return check_columns(task.measure(dict(task.cell), replicates, streams), replicates)
    except UsageError as exc:
        raise UsageError(f"{exc} ({task})") from exc
    except Exception as exc:
        raise StudyError(f"{task}: {type(exc).__name__}: {exc}") from exc


def check_columns(measured: Mapping[str, object], replicates: range) -> dict[str, Column]:
    """Convert what was measured to columns of a line a replicate, or as many as the column ``replicate`` has."""
    lines, what = len(replicates), "replicate"
    if "replicate" in measured:
        numbers = np.asarray(measured["replicate"])
        if numbers.ndim != 1 or not np.issubdtype(numbers.dtype, np.integer):
            raise TypeError(
                f"column 'replicate' has shape {numbers.shape} and type {numbers.dtype}; expected whole numbers"
            )
        ascending = bool((numbers[1:] >= numbers[:-1]).all())
        if numbers.size and not (ascending and replicates.start <= numbers[0] and numbers[-1] < replicates.stop):
            raise ValueError(f"column 'replicate' is not in the order of {replicates.start} to {replicates.stop - 1}")
        lines, what = int(numbers.size), "line"
    return {str(name): read_column(str(name), values, lines, what) for name, values in measured.items()}


def number_of_jobs(jobs: int) -> int:
    """Check the number of worker processes; -1 means all cores this process may use."""
    if isinstance(jobs, bool) or not isinstance(jobs, int | np.integer) or jobs == 0 or jobs < -1:
        raise UsageError(f"jobs must be a whole number from 1, or -1 for all cores; got {jobs!r}")
    return len(os.sched_getaffinity(0)) if jobs == -1 else int(jobs)


def measured(tasks: Sequence[Task], jobs: int, say: Callable[[str], None] | None = None) -> Iterator[Result]:
    """Measure tasks in worker processes, or here where one serves; yield (position, columns) as they come.

    A process that was started without :data:`errorest.determinism.ENVIRONMENT` may yield other last bits: it measures
    nothing itself.
    """
    if not tasks or (versions.in_force() and (jobs == 1 or len(tasks) == 1 or not can_start(say))):
        return in_process(tasks)
    return in_processes(tasks, jobs)


def in_process(tasks: Sequence[Task]) -> Iterator[Result]:
    """Measure tasks one after another in this process; yield (position, columns)."""
    for position, task in enumerate(tasks):
        yield position, measure_chunk(task)


def can_start(say: Callable[[str], None] | None = None) -> bool:
    """Tell whether worker processes can be started: a container may have no semaphores in /dev/shm, or too few."""
    from multiprocessing import get_context

    try:
        return bool([get_context("spawn").Lock() for _ in range(_SEMAPHORES)])  # a pool takes about as many
    except (OSError, ImportError) as exc:
        if say is not None:
            reason = getattr(exc, "strerror", None) or exc
            say(f"worker processes cannot be started (/dev/shm: {reason}); one process computes, with the same results")
        return False


def in_processes(tasks: Sequence[Task], jobs: int) -> Iterator[Result]:
    """Measure tasks in worker processes; yield (position, columns) as they come.

    The processes wait a minute for the next study.  If the consumer stops early or a task fails, they are killed.
    """
    from concurrent.futures.process import BrokenProcessPool  # a system without processes has no such module

    pool = _pool(min(jobs, len(tasks)), os.getpid())
    try:
        waiting = {pool.submit(measure_chunk, task): position for position, task in enumerate(tasks)}
        for future in as_completed(list(waiting)):
            yield waiting.pop(future), future.result()
    except BrokenProcessPool as exc:
        _pool.cache_clear()
        raise StudyError(
            f"study '{tasks[0].study}': a worker process ended unexpectedly, perhaps for want of memory; "
            "finished chunks are kept; run again with fewer jobs"
        ) from exc
    except BaseException:
        _pool.cache_clear()
        # shutdown(kill_workers=True) prints a traceback where tasks still wait
        for pid in list(pool._processes):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        pool.shutdown(wait=True)
        raise


@lru_cache(maxsize=1)
def _pool(jobs: int, parent: int) -> Any:
    """Start worker processes, apart from those that joblib reuses for other work of this process."""
    from joblib.externals.loky import ProcessPoolExecutor

    return ProcessPoolExecutor(
        max_workers=jobs,
        env=dict(determinism.ENVIRONMENT),
        timeout=_IDLE_SECONDS,
        initializer=_begin,
        initargs=(parent, is_main_thread()),
    )


def _begin(parent: int, from_main: bool) -> None:
    """Prepare a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets Ctrl-C and ends its workers
    begin_worker(parent, from_main)


def unprotected(address: str) -> str | None:
    """Return the warning about an address that is neither encrypted nor authenticated; None for ``tls://``."""
    if address.startswith("tls://"):
        return None
    return (
        f"the Dask cluster at '{address}' is neither encrypted nor authenticated: anyone who reaches its ports runs "
        "code on its workers and here; keep it on a network you trust, or use tls:// with certificates"
    )


class _OtherError(Exception):
    """A worker that joined later runs another source or other versions."""


def _identity() -> tuple[str, str, dict[str, str | None]]:
    """Return what must agree at both ends of a cluster (source, versions), and the settings of the process."""
    return digests.source_digest(), versions.versions_digest(), versions.settings()


def _measure_on_worker(task: Task, source: str, versions: str) -> dict[str, Column]:
    if _identity()[:2] != (source, versions):
        raise _OtherError
    return measure_chunk(task)


class Cluster:
    """A connection to a Dask cluster whose workers run the same errorest with the same versions of what computes."""

    def __init__(self, address: str) -> None:
        from distributed import Client

        self.address = address
        try:
            _check_listening(address)  # a Client that finds no scheduler retries in a thread, loudly
            self._client = Client(address, timeout=_SECONDS_TO_ANSWER, set_as_default=False)
        except Exception as exc:
            raise UsageError(
                f"no Dask scheduler answers at '{address}' ({exc})",
                "give an address such as tcp://127.0.0.1:8786, or start one with 'dask scheduler'",
            ) from exc
        try:
            self.settings = self._compared()
        except BaseException:
            self._client.close(timeout=_SECONDS_TO_ANSWER)
            raise

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close(timeout=_SECONDS_TO_ANSWER)

    def _compared(self) -> list[dict[str, str | None]]:
        """Compare the workers with this process; return the different settings that they run under."""
        try:
            self._client.wait_for_workers(1, timeout=_SECONDS_TO_ANSWER)
        except TimeoutError as exc:
            raise UsageError(
                f"the Dask cluster at '{self.address}' has no worker", f"start one with 'dask worker {self.address}'"
            ) from exc
        try:
            result = self._client.run(_identity)
        except Exception as exc:
            raise UsageError(
                f"a worker of the Dask cluster at '{self.address}' cannot run errorest ({type(exc).__name__}: {exc})",
                "install the same errorest there and start the worker again",
            ) from exc
        for worker, there in sorted(result.items()):
            for what, ours, theirs in zip(("source", "versions"), _identity()[:2], there[:2], strict=True):
                if ours != theirs:
                    raise self._mismatch(f"worker {worker}", f"other {what} ({theirs[:12]}, here {ours[:12]})")
        settings = {repr(sorted(there[2].items())): there[2] for there in result.values()}
        return [settings[text] for text in sorted(settings)]

    def _mismatch(self, worker: str, what: str) -> UsageError:
        return UsageError(
            f"{worker} of the Dask cluster at '{self.address}' has {what}",
            "install the same errorest, Python, numpy and the rest there and start the worker again",
        )

    def compute(self, tasks: Sequence[Task]) -> Iterator[Result]:
        """Measure tasks on the cluster; yield (position, columns) as they come."""
        from distributed import CancelledError, KilledWorker
        from distributed import as_completed as as_arriving

        source, versions, _ = _identity()
        waiting: dict[Any, int] = {}
        try:
            try:
                for position, task in enumerate(tasks):
                    future = self._client.submit(_measure_on_worker, task, source, versions, pure=False)
                    waiting[future] = position
                for future in as_arriving(list(waiting), loop=self._client.loop):
                    columns = future.result()
                    yield waiting.pop(future), columns
                    future.release()
            finally:
                self._client.cancel(list(waiting))
        except _OtherError:
            raise self._mismatch("a worker that joined later", "other source or versions") from None
        except KilledWorker as exc:
            raise StudyError(
                f"study '{tasks[0].study}': workers of the Dask cluster died, perhaps for want of memory; "
                f"finished chunks are kept; give them more and run again ({exc})"
            ) from exc
        except (CancelledError, OSError) as exc:
            raise UsageError(
                f"the Dask cluster at '{self.address}' went away ({type(exc).__name__})",
                "start it and run again (finished chunks are kept)",
            ) from exc


def _check_listening(address: str) -> None:
    """Raise OSError or ValueError unless a scheduler seems to listen at an address."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if parts.scheme not in ("tcp", "tls") or parts.hostname is None or parts.port is None:
        raise ValueError("it is not of the form tcp://host:port")
    with socket.create_connection((parts.hostname, parts.port), timeout=_SECONDS_TO_ANSWER) as connection:
        # a scheduler speaks first; Dask's handshake would wait without end for one that does not
        if parts.scheme == "tcp" and not connection.recv(1):
            raise ConnectionError("what listens there closed the connection")
