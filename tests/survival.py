"""What the tests of survival share: a run that costs no kernel, faults of the system, and a disk that loses power."""

from __future__ import annotations

import builtins
import csv
import errno
import hashlib
import io
import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from compendium.book import runner
from compendium.book.runner import Options, Run
from compendium.cli import main as cli

LONG = os.environ.get("ERROREST_TORTURE")
"""The file to which ``make torture`` has the counts written; set, the long versions are run."""

EVERY = int(os.environ.get("ERROREST_EVERY", "1"))
"""Of the calls of whole commands, the long versions let every n-th fail."""

FILES = {
    "notebook.ipynb": b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
    "artifacts/table.json": json.dumps({"id": "table", "rows": [], "files": ["table.csv", "table.svg"]}).encode(),
    "artifacts/table.csv": b"row,column,value\na,b,0.25\n",
    "artifacts/table.svg": b"<svg/>",
}


def counted(what: str, tried: int, survived: int) -> None:
    """Hold that all that was tried was survived, and keep both counts where they are asked for."""
    if LONG:
        with open(LONG, "a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow([what, tried, survived])
    assert survived == tried > 0, what


def content_of(folder: Path) -> dict[str, str]:
    """Digest every file of a folder; what is none has its kind."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[path.relative_to(folder).as_posix()] = f"a link to {os.readlink(path)}"
        elif path.is_file():
            found[path.relative_to(folder).as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
        elif not path.is_dir():
            found[path.relative_to(folder).as_posix()] = "another thing"
    return found


def a_run(patch: pytest.MonkeyPatch, build: Path) -> Run:
    """A run whose notebook is not executed: its files are written as a kernel would, without a flush."""
    patch.setenv("ERROREST_BUILD", str(build))
    patch.setattr(runner, "scale_of", lambda spec, parameters: "own")
    patch.setattr(runner, "_execute_in", _write_files)
    spec: Any = SimpleNamespace(id="paper/01-table", folder="paper--01-table", artifacts=[SimpleNamespace(id="table")])
    parameters: Any = SimpleNamespace()
    return Run(spec, parameters, {"parameters": {"seed": 7}, "code": "0" * 64, "processor": ("x86_64", "AVX2")})


def _write_files(work: Path, run: Run, options: Options, progress: Any) -> None:
    for name, content in FILES.items():
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_bytes(content)
    (work / "progress.json").write_text(json.dumps({"share": 1.0, "took": [["study", 1.0], ["", 0.5]]}))


CALLS = ("open", "write", "fsync", "rename", "replace", "mkdir", "unlink")
"""What may fail: every one of these that our own code asks of the system."""

ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES)


KILL = -signal.SIGKILL
"""The status of a process that was killed."""


def killed() -> BaseException:
    """End this very process as ``kill -9`` does."""
    os.kill(os.getpid(), signal.SIGKILL)
    return AssertionError("killed and alive")


class Faults:
    """Count calls of the system, and let the n-th fail, or end everything there."""

    def __init__(
        self, patch: pytest.MonkeyPatch, last: int = 0, fail: Callable[[], BaseException] | None = None
    ) -> None:
        self.calls: list[str] = []
        self._last, self._fail = last, fail
        self.disk: Disk | None = None
        for name in CALLS:
            patch.setattr(os, name, self._counting(name, getattr(os, name)))

    def _counting(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            self.calls.append(name)
            if len(self.calls) == self._last and self._fail is not None:
                raise self._fail()
            if self.disk is not None:
                self.disk.flushes(name, arguments)
            return real(*arguments, **named)

        return call


def is_well(status: int, said: str) -> bool:
    """An answer, or at the end one line that says what was wrong, what was expected and what to do."""
    lines = [line for line in said.splitlines() if line.strip()]
    told = bool(lines) and lines[-1].startswith("error: ") and "; expected" in lines[-1]
    return "Traceback" not in said and "Warning" not in said and (status == 0 or (status == 2 and told))


def command_in_a_child(
    arguments: list[str], told: Path, last: int = 0, code: int = 0, prepare: Callable[[], object] = lambda: None
) -> tuple[int, int]:
    """Run a whole command in a child whose n-th call of the system fails.

    Parameters
    ----------
    arguments : list of str
    told : Path
        Where all goes that the command prints.
    last, code : int
        Which call fails, and how; none by default.  With the code ``KILL`` the process is killed there.
    prepare : callable
        Called in the child before.

    Returns
    -------
    tuple of int
        The status of the command, and how many calls it made.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 99
        try:
            file = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, 1)
            os.dup2(file, 2)
            sys.stdout = os.fdopen(1, "w")
            sys.stderr = os.fdopen(2, "w")
            prepare()
            patch = pytest.MonkeyPatch()
            faults = Faults(patch, last, killed if code == KILL else lambda: OSError(code, os.strerror(code)))
            opening = faults._counting("open", io.open)
            patch.setattr(io, "open", opening)
            patch.setattr(builtins, "open", opening)
            status = cli.main(arguments)
            sys.stderr.flush()
            patch.undo()
            os.write(writing, str(len(faults.calls)).encode())
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(status)
    os.close(writing)
    _, status = os.waitpid(pid, 0)
    calls = os.read(reading, 100)
    os.close(reading)
    return os.waitstatus_to_exitcode(status), int(calls or 0)


class PowerLoss(BaseException):
    """The end of everything, at a call of the system."""


class Disk:
    """What of a folder is on the disk for certain: contents of files, and names in folders, as of their last flush."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._contents: dict[int, bytes] = {}
        self._names: dict[int, dict[str, int]] = {}
        self._kept: list[int] = []
        for place in (root, *root.rglob("*")):
            self._flush(place)

    def flushes(self, name: str, arguments: tuple[Any, ...]) -> None:
        """Take note of a call."""
        if name == "fsync":
            self._flush(Path(os.readlink(f"/proc/self/fd/{arguments[0]}")))

    def _flush(self, path: Path) -> None:
        # held open, so that the number of a file that is removed is not given to another
        self._kept.append(_real_open(path, os.O_RDONLY))
        number = path.stat().st_ino
        if path.is_dir():
            self._names[number] = {p.name: p.lstat().st_ino for p in path.iterdir()}
        else:
            self._contents[number] = path.read_bytes()

    def after_loss(self, target: Path, names: str) -> None:
        """Write what is left: names as of the last flush of folders, or as the running system saw them."""
        if names == "flushed":
            self._write(self.root.stat().st_ino, target)
            return
        target.mkdir()
        for path in sorted(self.root.rglob("*")):
            place = target / path.relative_to(self.root)
            if path.is_dir():
                place.mkdir()
            else:
                place.write_bytes(self._contents.get(path.stat().st_ino, b""))

    def _write(self, folder: int, target: Path) -> None:
        target.mkdir()
        for name, number in self._names[folder].items():
            if number in self._names:
                self._write(number, target / name)
            elif number in self._contents:
                (target / name).write_bytes(self._contents[number])
            elif not self._is_folder(number):
                (target / name).write_bytes(b"")
            else:
                (target / name).mkdir()

    def _is_folder(self, number: int) -> bool:
        return any(p.is_dir() and p.stat().st_ino == number for p in self.root.rglob("*"))

    def close(self) -> None:
        """Let go of the files."""
        for descriptor in self._kept:
            os.close(descriptor)


_real_open = os.open


def damages() -> dict[str, Callable[[Path], None]]:
    """Ways to damage a file that was finished."""

    def to(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
        return lambda path: (path.write_bytes(change(path.read_bytes())), None)[1]

    def instead(make: Callable[[Path], None]) -> Callable[[Path], None]:
        def damage(path: Path) -> None:
            path.unlink()
            make(path)

        return damage

    def linked(path: Path) -> None:
        copy = path.parents[2] / f"copy-of-{path.name}"
        copy.write_bytes(path.read_bytes())
        path.unlink()
        path.symlink_to(copy)

    return {
        "first bit": to(lambda c: bytes([c[0] ^ 1]) + c[1:]),
        "last bit": to(lambda c: c[:-1] + bytes([c[-1] ^ 1])),
        "middle byte": to(lambda c: c[: len(c) // 2] + bytes([c[len(c) // 2] ^ 0x10]) + c[len(c) // 2 + 1 :]),
        "cut by one": to(lambda c: c[:-1]),
        "cut by half": to(lambda c: c[: len(c) // 2]),
        "empty": to(lambda c: b""),
        "longer by one": to(lambda c: c + b"\0"),
        "a line longer": to(lambda c: c + b"\n"),
        "twice": to(lambda c: c + c),
        "zeros": to(lambda c: bytes(len(c))),
        "another text": to(lambda c: b"{}"),
        "not of this encoding": to(lambda c: b"\xff\xfe" + c),
        "removed": Path.unlink,
        "a folder": instead(Path.mkdir),
        "a pipe": instead(os.mkfifo),
        "a link to itself": instead(lambda path: path.symlink_to(path)),
        "a link to nothing": instead(lambda path: path.symlink_to("nothing")),
        "a link to a device": instead(lambda path: path.symlink_to("/dev/zero")),
        "a link to a file of the system": instead(lambda path: path.symlink_to("/etc/passwd")),
        "a link to a copy": linked,
    }


@contextmanager
def fresh(folder: Path) -> Iterator[Path]:
    """An empty folder for one of many attempts."""
    with suppress(FileNotFoundError):
        shutil.rmtree(folder)
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)
