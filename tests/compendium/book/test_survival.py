"""Runs, studies and results after damage, a full disk and sudden death: repaired, or one line."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import survival
from compendium.book import build, staging
from compendium.book.places import output_folder
from compendium.book.runs import Options, Run, execute, explain
from compendium.cli import main as cli
from compendium.studies.store import Store
from compendium.studies.study import run_study
from errorest import files
from errorest.errors import UsageError, lacking
from study_measures import coins
from survival import DAMAGES, Faults, a_run, content_of, fresh

STEP = 5
"""Of the n-th calls of the system, every fifth fails."""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    made = a_run(monkeypatch, tmp_path / "build")
    execute(made, Options())
    return made


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_every_damage_of_a_run_is_reported_in_one_line_and_executed_again(
    run: Run, damage: Callable[[Path], object], capsys: pytest.CaptureFixture[str]
) -> None:
    whole = content_of(run.folder)
    for name in whole:
        damage(run.folder / name)
        assert not run.complete
        assert "was damaged" in explain(run)
        capsys.readouterr()
        execute(run, Options())
        output = capsys.readouterr().err
        assert output.startswith("the run of paper/01-table was damaged;")
        assert output.count("\n") == 1
        assert content_of(run.folder) == whole, name
    execute(run, Options())
    assert capsys.readouterr().err == ""


def test_a_damaged_record_of_the_last_run_explains_nothing_wrong(run: Run) -> None:
    other = Run(run.spec, run.parameters, {**run.parts, "parameters": {"seed": 8}})
    assert "seed: 7 -> 8" in explain(other)
    DAMAGES["cut by half"](run.folder.parent / "latest-own.json")
    assert "->" not in explain(other)
    execute(run, Options())
    assert "seed: 7 -> 8" in explain(other)


def mistake_of(work: Callable[[], Any]) -> str:
    """Return the line of advice that some work ends with, if it does; anything else is a fault of ours."""
    try:
        work()
    except UsageError as exc:
        return str(exc)
    return ""


def undisturbed(tmp_path: Path, work: Callable[[Path], Any], whole: Callable[[Path], Any]) -> tuple[int, Any]:
    """Return how often some work calls the system, and what it leaves."""
    with fresh(tmp_path / "undisturbed") as folder, pytest.MonkeyPatch.context() as patch:
        faults = Faults(patch)
        work(folder)
        return len(faults.calls), whole(folder)


def survives_failures(tmp_path: Path, work: Callable[[Path], Any], whole: Callable[[Path], Any]) -> None:
    """Let the n-th call of the system fail, with each error in turn; the next attempt must repair."""
    calls, wanted = undisturbed(tmp_path, work, whole)
    assert calls > 5
    for code in survival.ERRORS:
        for last in range(1, calls + 1, STEP):
            with fresh(tmp_path / "faulty") as folder:
                with pytest.MonkeyPatch.context() as patch:
                    Faults(patch, last, lambda code=code: OSError(code, os.strerror(code)))
                    output = mistake_of(lambda folder=folder: work(folder))
                assert "\n" not in output
                assert output.count(";") <= 2, output
                work(folder)
                assert whole(folder) == wanted, (code, last)


def test_a_study_survives_the_failure_of_any_call_of_the_system(tmp_path: Path) -> None:
    def work(folder: Path) -> None:
        run_study(coins(replicates=(5, 3)), store=Store(folder / "store"), say=lambda line: None)

    def whole(folder: Path) -> Any:
        return {name: d for name, d in content_of(folder).items() if name.endswith(".npz")}

    survives_failures(tmp_path, work, whole)


def test_a_folder_of_results_survives_the_failure_of_any_call_of_the_system(tmp_path: Path) -> None:
    def fill(folder: Path, **tables: str) -> None:
        with output_folder(folder / "results") as new:
            for name, text in tables.items():
                (new / name).mkdir(parents=True)
                (new / name / "table.csv").write_text(text)

    def work(folder: Path) -> None:
        try:
            fill(folder, kept="first", gone="first")
            fill(folder, kept="second", come="second")
        except OSError as exc:
            raise UsageError(lacking(exc)) from None

    def whole(folder: Path) -> Any:
        return {name: d for name, d in content_of(folder / "results").items() if ".tmp" not in name}

    survives_failures(tmp_path, work, whole)


def in_a_child(work: Callable[[], Any]) -> int:
    """Start work in a process of its own; return its number."""
    pid = os.fork()
    if pid:
        return pid
    with suppress(BaseException):
        work()
        os._exit(0)
    os._exit(1)


class TestARun:
    """Executed, with a full disk, failing calls or a kill in between."""

    @pytest.fixture
    def work(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
        return lambda folder: execute(a_run(monkeypatch, folder), Options())

    @pytest.fixture
    def whole(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], Any]:
        def whole(folder: Path) -> Any:
            made = a_run(monkeypatch, folder)
            return made.complete, content_of(made.folder)

        return whole

    def test_it_survives_the_failure_of_any_call_of_the_system(
        self, tmp_path: Path, work: Callable[[Path], None], whole: Callable[[Path], Any]
    ) -> None:
        survives_failures(tmp_path, work, whole)

    def test_it_survives_a_kill_at_any_call_of_the_system(
        self, tmp_path: Path, work: Callable[[Path], None], whole: Callable[[Path], Any]
    ) -> None:
        calls, wanted = undisturbed(tmp_path, work, whole)
        for last in range(1, calls + 1, STEP):
            with fresh(tmp_path / "killed") as folder:

                def until_then(folder: Path = folder, last: int = last) -> None:
                    Faults(pytest.MonkeyPatch(), last, survival.killed)
                    work(folder)

                _, status = os.waitpid(in_a_child(until_then), 0)
                assert os.waitstatus_to_exitcode(status) == survival.KILL
                work(folder)
                assert whole(folder) == wanted, last


def test_equal_runs_side_by_side_both_end_with_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = a_run(monkeypatch, tmp_path / "build")
    execute(made, Options())
    wanted = content_of(made.folder)
    for attempt in range(20):
        DAMAGES["cut by half"](made.folder / "artifacts" / "table.csv")
        children = [in_a_child(lambda: execute(made, Options())) for _ in range(2 + attempt % 3)]
        ended = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
        assert not any(ended)
        assert content_of(made.folder) == wanted
        assert not list(made.folder.parent.glob(".*.tmp"))


def test_stages_of_two_builds_at_once_are_each_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    with staging.private_stage() as one:
        one.mkdir()
        with staging.private_stage() as other:
            other.mkdir()
            assert one != other
        assert one.is_dir()
        assert not other.exists()
    assert not one.exists()


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
    with files.working_folder(run.folder):
        assert cli.main(["clean"]) == 2
        assert "another errorest works in" in capsys.readouterr().err
        assert run.complete
    assert cli.main(["clean"]) == 0
    assert not run.folder.exists()
