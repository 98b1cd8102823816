"""Runs, pages and outputs after damage, faults of the disk, loss of power and sudden death: repaired, or one line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

import survival
from compendium.book import build, listing, places, runner, staging
from compendium.book.catalogue import notebook
from compendium.book.parameters import resolve
from compendium.book.runner import NotebookError, Options, Run, execute, explain, plan
from compendium.book.watching import Watch, end_with_children
from compendium.cli import main as cli
from errorest import files
from errorest.errors import UsageError
from survival import a_run, content_of, counted, damages

STEP = 1 if survival.LONG else 5
"""Of the n-th calls that may fail, the short versions try every fifth."""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    made = a_run(monkeypatch, tmp_path / "build")
    execute(made, Options())
    return made


def ends(pid: int) -> bool:
    """Wait for the end of a process that is no child of ours."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with suppress(psutil.NoSuchProcess):
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                time.sleep(0.01)
                continue
        return True
    return False


def test_every_damage_of_a_run_is_told_in_one_line_and_executed_anew(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = content_of(run.folder)
    tried = survived = 0
    for name in whole:
        for damage in damages().values():
            damage(run.folder / name)
            assert not run.complete
            assert "was damaged" in explain(run)
            with pytest.raises(UsageError, match=r"was damaged meanwhile .* run the same command again"):
                [run.read(one) for one in whole]
            capsys.readouterr()
            execute(run, Options())
            said = capsys.readouterr().err
            tried += 1
            survived += said.count("\n") == 1 and said.startswith("the run of paper/01-table was damaged (")
            assert content_of(run.folder) == whole, (name, damage)
    execute(run, Options())
    assert capsys.readouterr().err == ""
    counted("damages of finished runs", tried, survived)


def _linked_folder(folder: Path) -> None:
    os.rename(folder / "artifacts", folder.parent / "elsewhere")
    (folder / "artifacts").symlink_to(folder.parent / "elsewhere")


def _moved(folder: Path) -> None:
    os.rename(folder, folder.parent / "elsewhere")
    folder.symlink_to(folder.parent / "elsewhere")


def _of_another_run(folder: Path) -> None:
    other = Run(SimpleNamespace(id="paper/01-table", folder=folder.parent.name, artifacts=[]), None, {"seed": 8})  # type: ignore[arg-type]
    execute(other, Options())
    (folder / "key.json").write_bytes((other.folder / "key.json").read_bytes())


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / "artifacts" / "more.csv").write_text("more"),
        lambda folder: (folder / "link").symlink_to("/etc"),
        lambda folder: (folder.rename(folder.parent / "other"), folder.write_text("a file")),
        _linked_folder,
        _moved,
        _of_another_run,
    ],
)
def test_a_run_whose_folder_is_not_what_was_sealed_is_executed_anew(
    run: Run, damage: Callable[[Path], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    whole = content_of(run.folder)
    damage(run.folder)
    capsys.readouterr()
    execute(run, Options())
    assert capsys.readouterr().err.count("was damaged") == 1
    assert content_of(run.folder) == whole
    assert run.complete
    assert not run.folder.is_symlink()


@pytest.mark.parametrize("damage", damages().values(), ids=damages())
def test_a_damaged_record_of_the_last_run_is_told_and_explains_nothing_wrong(
    run: Run, damage: Callable[[Path], None]
) -> None:
    latest = run.folder.parent / "latest-own.json"
    other = Run(run.spec, run.parameters, {**run.parts, "parameters": {"seed": 8}})
    assert "seed: 7 -> 8" in explain(other)
    damage(latest)
    told = explain(other)
    assert "->" not in told
    assert "was damaged" in told or "not executed yet" in told
    execute(run, Options())
    assert "seed: 7 -> 8" in explain(other)
    execute(other, Options())
    assert "cached" in explain(other)


def pages_of(stage: Path, out: Path, patch: pytest.MonkeyPatch) -> None:
    """Build pages with something quicker than Sphinx."""

    def quickly(command: list[str], **options: Any) -> Any:
        html = Path(command[-2])
        (html / "_static").mkdir(parents=True)
        for name in ("index.html", "notebook.html", "_static/style.css"):
            (html / name).write_text(f"{name} of {(stage / 'page.md').read_text()}")
        return SimpleNamespace(returncode=0, stderr="", stdout="")

    patch.setattr(staging, "environment", dict)
    patch.setattr(staging.subprocess, "run", quickly)
    staging.build_pages(stage, out)


def test_every_damage_of_built_pages_is_told_in_one_line_and_they_are_built_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stage, out = tmp_path / "stage", tmp_path / "site" / "html"
    stage.mkdir()
    (stage / "page.md").write_text("a page")
    pages_of(stage, out, monkeypatch)
    whole = content_of(out.parent)
    tried = survived = 0
    for name in whole:
        for kind, damage in damages().items():
            damage(out.parent / name)
            capsys.readouterr()
            pages_of(stage, out, monkeypatch)
            tried += 1
            lines = capsys.readouterr().err.count("\n")
            survived += lines == 1 or (lines == 0 and name == "html.stage" and kind == "removed")
            assert {n: d for n, d in content_of(out.parent).items() if not n.startswith("copy")} == whole, (name, kind)
    counted("damages of built pages", tried, survived)


def kept_for_later(build_folder: Path, patch: pytest.MonkeyPatch) -> dict[str, Callable[[], object]]:
    """What commands leave for later ones in the build folder beside runs and pages, and how it is taken up."""
    patch.setenv("ERROREST_BUILD", str(build_folder))
    patch.setattr(listing, "_told", lambda: [{"id": "paper/01-table"}])
    patch.setattr(listing, "_digest", lambda: "0" * 16)

    def code() -> None:
        places._recall.cache_clear()

    return {"code": code, "listing": listing.listed, "settings": runner.environment}


@pytest.mark.parametrize("what", ["code", "listing", "settings"])
def test_every_damage_of_what_is_kept_for_later_commands_is_mended_and_keeps_nobody_waiting(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "of" / "build"
    take_up = kept_for_later(folder, monkeypatch)[what]
    wanted = take_up()
    whole = content_of(folder)
    (name,) = whole
    tried = 0
    for damage in damages().values():
        damage(folder / name)
        signal.alarm(20)
        try:
            assert take_up() == wanted
        finally:
            signal.alarm(0)
        tried += 1
        assert {n: d for n, d in content_of(folder).items() if not n.startswith("copy")} == whole, damage
    counted("damages of what is kept for later commands", tried, tried)


def mistake_of(work: Callable[[], Any]) -> str:
    """Return the line of advice that some work ends with, if it does; anything else is a fault of ours."""
    try:
        work()
    except UsageError as exc:
        return str(exc)
    return ""


def in_a_child(work: Callable[[], Any]) -> int:
    """Start work in a process of its own; return its number."""
    pid = os.fork()
    if pid:
        return pid
    with suppress(BaseException):
        work()
        os._exit(0)
    os._exit(1)


def test_equal_runs_side_by_side_both_end_with_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = a_run(monkeypatch, tmp_path / "build")
    execute(made, Options())
    wanted = content_of(made.folder)
    tried = survived = 0
    for attempt in range(100 // STEP):
        damages()["cut by one"](made.folder / "artifacts" / "table.csv")
        children = [in_a_child(lambda: execute(made, Options())) for _ in range(2 + attempt % 3)]
        ended = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
        tried += len(ended)
        survived += ended.count(0)
        assert content_of(made.folder) == wanted
        assert not list(made.folder.parent.glob(".*.tmp"))
    counted("equal runs side by side", tried, survived)


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
    said = ""
    while not said and both[1].is_alive():
        said = capsys.readouterr().err
        time.sleep(0.01)
    assert said == f"another errorest builds in {tmp_path}; waiting for it to end\n"
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


HANGS = (
    "import subprocess; p = subprocess.Popen(['setsid', 'sleep', '600']); open(PID, 'w').write(str(p.pid)); p.wait()"
)


@pytest.mark.parametrize("where", ["while it imports", "while it is executed"])
def test_a_notebook_that_hangs_is_told_of_and_ended_with_all_that_it_started(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Papermill is another one, which starts a process in a session of its own and waits for that."""
    package = tmp_path / "packages" / "papermill"
    package.mkdir(parents=True)
    hangs = HANGS.replace("PID", repr(str(tmp_path / "pid")))
    body = hangs if where == "while it imports" else f"def execute_notebook(*_, **__): {hangs}"
    (package / "__init__.py").write_text(f"{body}\n")
    (package / "exceptions.py").write_text("class PapermillExecutionError(Exception): ...\n")
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    monkeypatch.setenv("PYTHONPATH", f"{package.parent}{os.pathsep}{Path(runner.__file__).parents[2]}")
    spec = notebook("scheffer-herbrich/03-calculator")
    made = plan(spec, resolve(spec, {}, "preview"))

    def patience(path: Path) -> dict[str, Any]:
        # it stands still from when it hangs, however long imports take before
        return {"share": 0.0, "took": [], "hangs": (tmp_path / "pid").exists() or time.monotonic()}

    monkeypatch.setattr(runner, "_told", patience)
    with pytest.raises(NotebookError, match=r"finished nothing for 0.02 minutes, as long as --patience allows; it was"):
        execute(made, Options(patience=0.02))
    assert ends(int((tmp_path / "pid").read_text()))
    assert [p.name for p in made.folder.parent.iterdir()] == []


def test_a_standstill_is_told_after_five_minutes_and_then_less_and_less_often() -> None:
    minutes = [0.0]
    watch = Watch("kohavi/03", clock=lambda: 60 * minutes[0])
    told = []
    for minute in range(60):
        minutes[0] = minute
        told += [(minute, line) for line in watch.look({"share": 0.5 if minute > 2 else 0.1})]
    assert [minute for minute, _ in told] == [8, 13, 23, 43]
    assert told[0][1].startswith("kohavi/03: nothing finished for 5 minutes; ")
    assert watch.over == ""


def test_patience_is_a_number_of_minutes(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("0", "-1", "nan", "inf", "soon"):
        assert cli.main(["build", f"--patience={wrong}"]) == 2
        assert "is no number of minutes" in capsys.readouterr().err


def test_a_process_is_ended_with_those_that_it_started_in_sessions_of_their_own() -> None:
    script = "setsid sleep 600 & echo $!; sleep 600"
    child = subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    pid = int(child.stdout.readline())
    end_with_children(child)
    assert child.returncode == -signal.SIGKILL
    assert ends(pid)


def test_seconds_that_were_damaged_are_not_known_and_stop_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "usual_seconds", lambda notebook: [("study", 9.0)])
    assert build._took(run) == [("study", 1.0), ("", 0.5)]
    for text in ("", "[1]", "{", json.dumps([["study"]]), "null", "\xff"):
        run.took.write_text(text, encoding="latin-1")
        assert build._took(run) == [("study", 9.0)]
