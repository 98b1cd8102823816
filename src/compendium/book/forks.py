"""Processes that have imported everything when they begin: one imports, and is forked for each notebook.

``begin`` starts ``python -m compendium.book.forks`` once, which imports what notebooks and kernels need and then
waits at a socket.  It has one thread, so that a fork of it is whole.  Its end closes with that of who asked.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import IO, Any

__all__ = ["Forked", "begin", "end", "forked", "main"]

_MESSAGE = 1 << 16
_LINES = 64
"""Bytes; a line is written at once, and so read whole."""
_PATIENCE = 5.0
"""Seconds after which a process that does not answer, and did not end, is one that could not fork."""
_IMPORTED = (
    "compendium.book.execute",
    "compendium.book.session",
    "compendium.evidence.claims",
    "compendium.studies.experiment",
    "errorest.plots",
    "ipykernel.kernelapp",
    "matplotlib.backends.backend_svg",
    "matplotlib.backends.backend_agg",
)
"""What the processes of all notebooks and their kernels would import; the rest is imported by the notebook's own."""


def forked(what: Callable[[], int]) -> int:
    """Fork this process; the child does something and ends with the status that it returns."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        status = what()
    except SystemExit as exc:
        status = exc.code if isinstance(exc.code, int) else int(exc.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


class Forked:
    """A notebook's process, as :class:`subprocess.Popen` has it, though another process started it."""

    def __init__(self, told: int, server: subprocess.Popen[bytes]) -> None:
        self._told, self._server = os.fdopen(told, "rb", buffering=0), server
        self._numbers: list[int] = []
        self.returncode: int | None = None

    @property
    def pid(self) -> int:
        """Its number; that of the process that is to fork it, as long as it does not."""
        return self._numbers[0] if self._numbers else self._server.pid

    def poll(self) -> int | None:
        """Return the exit status, or None as long as it runs."""
        return self._look(blocking=False)

    def wait(self) -> int:
        """Wait for its end; return the exit status."""
        status = self._look(blocking=True)
        assert status is not None
        return status

    def kill(self) -> None:
        """End it at once."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def _look(self, *, blocking: bool) -> int | None:
        if self.returncode is not None:
            return self.returncode
        os.set_blocking(self._told.fileno(), blocking)
        while (told := self._told.read(_LINES)) is not None:
            self._numbers += [int(line) for line in told.splitlines()]
            if not told or len(self._numbers) == 2:
                self.returncode = self._numbers[1] if told else self._lost()
                self._told.close()
                return self.returncode
        return None

    def _lost(self) -> int:
        """Say how the other process ended, which told nothing more; 1 where it goes on and could not fork."""
        try:
            return self._server.wait(_PATIENCE) or 1
        except subprocess.TimeoutExpired:
            return 1


class _Serving:
    """The process that is forked, seen from who asks it."""

    def __init__(self, variables: Mapping[str, str], folder: Path) -> None:
        self.asked_with = (dict(variables), folder)
        self._lock = Lock()
        self._own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "compendium.book.forks", str(other.fileno())],
                env=dict(variables),
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=sys.__stderr__,
                pass_fds=[other.fileno()],
            )

    def is_there(self) -> bool:
        return self._process.poll() is None

    def fork(self, request: Path, log: IO[Any]) -> Forked:
        told, tell = os.pipe()
        try:
            with self._lock, suppress(BrokenPipeError, ConnectionResetError):
                socket.send_fds(self._own, [os.fsencode(request)], [log.fileno(), tell])
        finally:
            os.close(tell)
        return Forked(told, self._process)

    def end(self) -> None:
        self._own.close()
        self._process.wait()


_serving: _Serving | None = None
_changing = Lock()


def begin(request: Path, log: IO[Any], variables: Mapping[str, str], folder: Path) -> Forked:
    """Begin to execute a notebook in a process of its own."""
    global _serving
    with _changing:
        if _serving is not None and not (_serving.is_there() and _serving.asked_with == (dict(variables), folder)):
            _serving.end()
            _serving = None
        if _serving is None:
            _serving = _Serving(variables, folder)
        serving = _serving
    return serving.fork(request, log)


def end() -> None:
    """End the process that is forked; the next notebook starts it again."""
    global _serving
    with _changing:
        if _serving is not None:
            _serving.end()
        _serving = None


def _serve(connection: socket.socket) -> None:
    """Fork for every request until the other end is closed."""
    tells: dict[int, int] = {}

    def reap(*_: object) -> None:
        for pid in list(tells):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                _tell(tells.pop(pid), os.waitstatus_to_exitcode(status))

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked gets Ctrl-C and ends us itself
    failed = ""
    try:
        _warm()
    except Exception:
        failed = traceback.format_exc()
    # not before: what is imported may start processes of its own
    signal.signal(signal.SIGCHLD, reap)
    while True:
        message, given, _, _ = socket.recv_fds(connection, _MESSAGE, 2, socket.MSG_CMSG_CLOEXEC)
        if not message:
            return
        log, tell = given
        if failed:
            os.write(log, failed.encode())
            raise SystemExit(1)

        # a child that ends at once is not missed
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
        try:
            others = (connection.fileno(), *tells.values(), tell)
            pid = forked(partial(_become, message, log, others, os.getpid()))
        except OSError as exc:
            os.write(log, f"no process could be forked: {exc.strerror}\n".encode())
            os.close(tell)
        else:
            tells[pid] = tell
            with suppress(BrokenPipeError):
                os.write(tell, f"{pid}\n".encode())
        finally:
            os.close(log)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])


def _warm() -> None:
    """Do once what every kernel would do before its first cell."""
    for name in _IMPORTED:
        importlib.import_module(name)
    # numba sets itself up with the first function that it compiles
    importlib.import_module("numba").njit(lambda x: x + 1)(importlib.import_module("numpy").zeros(1))
    gc.collect()
    gc.freeze()


def _tell(pipe: int, status: int) -> None:
    with suppress(BrokenPipeError):
        os.write(pipe, f"{status}\n".encode())
    os.close(pipe)


def _become(message: bytes, log: int, others: Iterable[int], parent: int) -> int:
    """Be the process of a notebook: its environment, its folder, its log."""
    for other in others:
        os.close(other)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
    os.dup2(log, 1)
    os.dup2(log, 2)
    asked = json.loads(Path(os.fsdecode(message)).read_text())
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    tempfile.tempdir = None  # found anew from the environment
    return int(importlib.import_module("compendium.book.execute").execute(asked, parent))


def main(argv: list[str]) -> int:
    """Serve at the socket whose number is given."""
    with socket.socket(fileno=int(argv[0])) as connection:
        _serve(connection)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
