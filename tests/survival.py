"""What the tests of survival share: a run without a notebook, damaged files, calls of the system that fail or kill."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from compendium.book import runs
from compendium.book.runs import Options, Run

FILES = {
    "notebook.ipynb": b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
    "artifacts/table.json": json.dumps({"id": "table", "rows": [], "files": ["table.csv", "table.svg"]}).encode(),
    "artifacts/table.csv": b"row,column,value\na,b,0.25\n",
    "artifacts/table.svg": b"<svg/>",
}


def content_of(folder: Path) -> dict[str, str]:
    """Digest every file of a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def a_run(patch: pytest.MonkeyPatch, build: Path) -> Run:
    """A run whose notebook is not executed: its files are written as a notebook would."""
    patch.setenv("ERROREST_BUILD", str(build))
    patch.setattr(runs, "scale_of", lambda spec, parameters: "own")
    patch.setattr(runs, "_execute_in", _write_files)
    spec: Any = SimpleNamespace(id="paper/01-table", folder="paper--01-table", artifacts=[SimpleNamespace(id="table")])
    parameters: Any = SimpleNamespace()
    return Run(spec, parameters, {"parameters": {"seed": 7}, "code": "0" * 64, "processor": ["x86_64", "AVX2"]})


def _write_files(work: Path, run: Run, options: Options, progress: Any) -> None:
    for name, content in FILES.items():
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_bytes(content)


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
        for name in CALLS:
            patch.setattr(os, name, self._counting(name, getattr(os, name)))

    def _counting(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            self.calls.append(name)
            if len(self.calls) == self._last and self._fail is not None:
                raise self._fail()
            return real(*arguments, **named)

        return call


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a flipped bit": lambda path: path.write_bytes(bytes([path.read_bytes()[0] ^ 1]) + path.read_bytes()[1:]),
    "cut by half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "empty": lambda path: path.write_bytes(b""),
    "a line longer": lambda path: path.write_bytes(path.read_bytes() + b"more\n"),
    "removed": Path.unlink,
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "a link to nothing": lambda path: (path.unlink(), path.symlink_to("nothing")),
}
"""Ways to damage a file that was finished."""


@contextmanager
def fresh(folder: Path) -> Iterator[Path]:
    """An empty folder for one of many attempts."""
    with suppress(FileNotFoundError):
        shutil.rmtree(folder)
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)
