"""Runs, studies and results after damage, a full disk and sudden death: repaired, or one line."""

import errno
import hashlib
import json
import os
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from batteries import assert_refused
from compendium import folders
from compendium.book import build, runs
from compendium.book.places import output_folder
from compendium.book.runs import Options, Run, execute
from compendium.cli import main as cli
from compendium.studies.store import Store
from compendium.studies.study import run_study
from errorest.errors import UsageError, lacking
from processes import in_a_child, status_of
from study_measures import coins

FILES = {
    "notebook.ipynb": b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
    "artifacts/table.json": json.dumps({"id": "table", "rows": [], "files": ["table.csv", "table.svg"]}).encode(),
    "artifacts/table.csv": b"row,column,value\na,b,0.25\n",
    "artifacts/table.svg": b"<svg/>",
}


def _write_files(work: Path, *_: object) -> None:
    """Write the files of a run as its notebook would."""
    for name, content in FILES.items():
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_bytes(content)


@pytest.fixture(autouse=True)
def _no_notebook_is_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "scale_of", lambda spec, parameters: "own")
    monkeypatch.setattr(runs, "_execute_in", _write_files)


def a_run(seed: int = 7) -> Run:
    spec: Any = SimpleNamespace(id="paper/01-table", folder="paper--01-table", artifacts=[SimpleNamespace(id="table")])
    parts = {"parameters": {"seed": seed}, "code": "0" * 64, "processor": ["x86_64", "AVX2"]}
    return Run(spec, SimpleNamespace(), parts)  # type: ignore[arg-type]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    made = a_run()
    execute(made, Options())
    return made


def content_of(folder: Path) -> dict[str, str]:
    """Digest every file of a folder but those that a killed process may leave there."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".lock" and ".tmp" not in str(path.relative_to(folder))
    }


# Damage

DAMAGES: dict[str, Callable[[Path], object]] = {
    "a flipped bit": lambda path: path.write_bytes(bytes([path.read_bytes()[0] ^ 1]) + path.read_bytes()[1:]),
    "cut by half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "empty": lambda path: path.write_bytes(b""),
    "a line longer": lambda path: path.write_bytes(path.read_bytes() + b"more\n"),
    "removed": Path.unlink,
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "a link to nothing": lambda path: (path.unlink(), path.symlink_to("nothing")),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_every_damage_of_a_run_is_reported_in_one_line_and_executed_again(
    run: Run, damage: Callable[[Path], object], capsys: pytest.CaptureFixture[str]
) -> None:
    whole = content_of(run.folder)
    for name in whole:
        damage(run.folder / name)
        assert not run.complete
        assert run.damaged
        capsys.readouterr()
        execute(run, Options())
        output = capsys.readouterr().err
        assert output.startswith("the run of paper/01-table was damaged;")
        assert output.count("\n") == 1
        assert content_of(run.folder) == whole, name
    execute(run, Options())
    assert capsys.readouterr().err == ""


def test_a_run_that_the_machine_does_not_let_be_read_is_no_damaged_one(run: Run, monkeypatch: Any) -> None:
    whole = content_of(run.folder)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", Mock(side_effect=OSError(errno.EIO, os.strerror(errno.EIO))))
        assert_refused("cannot be read .*; nothing was removed", execute, run, Options())
    assert content_of(run.folder) == whole


def test_a_damaged_record_of_the_last_run_is_read_as_none_and_written_again(run: Run) -> None:
    other = a_run(seed=8)
    assert other.parts_before() == run.parts
    DAMAGES["cut by half"](run.folder.parent / "latest-own.json")
    assert other.parts_before() is None
    execute(run, Options())
    assert other.parts_before() == run.parts


# Calls of the system that fail, or in the midst of which the process is killed

CALLS = ("open", "write", "fsync", "rename", "replace", "mkdir", "unlink")
"""What may fail: every one of these that our own code asks of the system."""

ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES)

KILL = 0
"""In place of the number of an error."""

STEP = 5
"""Of the n-th calls of the system, every fifth fails."""


class Faults:
    """Count calls of the system, and let the n-th fail with an error, or kill the process there."""

    def __init__(self, patch: pytest.MonkeyPatch, last: int = 0, code: int = KILL) -> None:
        self.calls, self._last, self._code = 0, last, code
        for name in CALLS:
            patch.setattr(os, name, self._counting(getattr(os, name)))

    def _counting(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            self.calls += 1
            if self.calls == self._last and self._code == KILL:
                os.kill(os.getpid(), signal.SIGKILL)
            if self.calls == self._last:
                raise OSError(self._code, os.strerror(self._code))
            return real(*arguments, **named)

        return call


def write_study(folder: Path) -> None:
    run_study(coins(replicates=(5, 3)), store=Store(folder / "store"), say=lambda line: None)


def write_results_twice(folder: Path) -> None:
    try:
        for tables in ({"kept": "first", "gone": "first"}, {"kept": "second", "come": "second"}):
            with output_folder(folder / "results") as new:
                for name, text in tables.items():
                    (new / name).mkdir(parents=True)
                    (new / name / "table.csv").write_text(text)
    except OSError as exc:
        raise UsageError(lacking(exc)) from None


def write_run(folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ERROREST_BUILD", str(folder))
        execute(a_run(), Options())


def mistake_of(work: Callable[[], Any]) -> str:
    """Return the line of advice that some work ends with, if it does; anything else is a fault of ours."""
    try:
        work()
    except UsageError as exc:
        return str(exc)
    return ""


DISTURBED = [
    *((work, code) for work in (write_study, write_results_twice, write_run) for code in ERRORS),
    *((work, KILL) for work in (write_study, write_run)),
]


@pytest.mark.parametrize(("work", "code"), DISTURBED)
def test_the_next_attempt_repairs_what_any_failing_call_or_a_kill_left(
    tmp_path: Path, work: Callable[[Path], None], code: int
) -> None:
    def attempt(folder: Path, last: int = 0) -> int:
        folder.mkdir()
        with pytest.MonkeyPatch.context() as patch:
            faults = Faults(patch, last, code)
            work(folder)
        return faults.calls

    calls, wanted = attempt(tmp_path / "undisturbed"), content_of(tmp_path / "undisturbed")
    assert calls > 5
    for last in range(1, calls + 1, STEP):
        folder = tmp_path / str(last)
        if code == KILL:
            assert status_of(in_a_child(partial(attempt, folder, last))) == -signal.SIGKILL
        else:
            text = mistake_of(partial(attempt, folder, last))
            assert "\n" not in text
            assert text.count(";") <= 2, text
        work(folder)
        assert content_of(folder) == wanted, last


# Several processes at once


def test_equal_runs_side_by_side_both_end_with_the_same_bytes(run: Run) -> None:
    wanted = content_of(run.folder)
    for attempt in range(20):
        DAMAGES["cut by half"](run.folder / "artifacts" / "table.csv")
        children = [in_a_child(lambda: execute(run, Options())) for _ in range(2 + attempt % 3)]
        assert [status_of(pid) for pid in children] == [0] * len(children)
        assert content_of(run.folder) == wanted
        assert not list(run.folder.parent.glob(".*.tmp"))


def test_of_two_builds_the_second_says_so_and_waits_and_nothing_is_cleaned_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    inside = threading.Lock()
    first, go_on = threading.Event(), threading.Event()

    def building(scale: str, options: Options, **how: Any) -> int:
        assert inside.acquire(blocking=False), "two builds at once"
        first.set()
        assert go_on.wait(60)
        inside.release()
        return 0

    monkeypatch.setattr(build, "build_book", building)
    both = [threading.Thread(target=cli.main, args=(["build", "--scale", "preview"],)) for _ in range(2)]
    both[0].start()
    assert first.wait(60)
    both[1].start()
    text = ""
    while not text and both[1].is_alive():
        text = capsys.readouterr().err
        time.sleep(0.01)
    assert text == f"another errorest builds in {tmp_path}; waiting for it to end\n"
    assert cli.main(["clean"]) == 2
    assert capsys.readouterr().err.count("another errorest builds") == 1
    go_on.set()
    for thread in both:
        thread.join()
    assert cli.main(["clean"]) == 0
    assert (tmp_path / "build.lock").is_file(), "removed, it would let two hold it"


def test_a_run_at_work_is_not_cleaned_away(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    with folders.working_folder(run.folder):
        assert cli.main(["clean"]) == 2
        assert "another errorest works in" in capsys.readouterr().err
        assert run.complete
    assert cli.main(["clean"]) == 0
    assert not run.folder.exists()
