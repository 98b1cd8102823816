"""What the book shows whatever its notebooks yield is laid out beside them, and as well without that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from compendium.book import build, early
from compendium.book.citing.identity import tree_id
from compendium.book.early import Early, Told
from compendium.book.places import root
from compendium.book.runner import Options

PROGRAM = """
import sys
from pathlib import Path
from compendium.book import early

def lay_out(folder):
    {first}
    (folder / "extra" / "deep").mkdir(parents=True)
    (folder / "extra" / "deep" / "page.html").write_text("a page")
    return early.Told("a chart", "2 %")

early.lay_out = lay_out
early.main(Path(sys.argv[1]), int(sys.argv[2]))
"""


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Begin a process that lays out little; gives it with a stage that holds something already."""
    monkeypatch.setattr(early, "tree_id", lambda folder: "a tree")
    (tmp_path / "stage" / "extra" / "deep").mkdir(parents=True)
    started = subprocess.Popen

    def begin(first: str = "pass") -> Early:
        def instead(command: list[str], **options: Any) -> Any:
            assert command[1:3] == ["-m", "compendium.book.early"]
            return started([sys.executable, "-c", PROGRAM.format(first=first), *command[3:]], **options)

        monkeypatch.setattr(subprocess, "Popen", instead)
        return Early(tmp_path / "early")

    return begin, tmp_path / "stage"


def test_what_another_process_laid_out_is_moved_into_the_stage(begun: Any) -> None:
    begin, stage = begun
    with begin() as one:
        assert one.into(stage) == Told("a chart", "2 %")
    assert (stage / "extra" / "deep" / "page.html").read_text() == "a page"


def test_nothing_is_taken_from_a_process_that_failed(begun: Any) -> None:
    begin, stage = begun
    with begin("raise SystemExit(1)") as one:
        assert one.into(stage) is None
    assert not any((stage / "extra" / "deep").iterdir())


def test_nothing_is_taken_where_the_project_changed_meanwhile(begun: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    begin, stage = begun
    with begin() as one:
        monkeypatch.setattr(early, "tree_id", lambda folder: "another tree")
        assert one.into(stage) is None
    assert not any((stage / "extra" / "deep").iterdir())


def test_the_process_ends_with_the_block(begun: Any) -> None:
    begin, _ = begun
    with begin("import signal; signal.pause()") as one:
        pid = one._process.pid
        assert Path(f"/proc/{pid}").is_dir()
    assert not Path(f"/proc/{pid}").exists()


def test_it_lays_out_the_chart_and_the_output_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(early, "command_output", lambda: "error rate  2 %")
    monkeypatch.setattr(early, "watch_parent", lambda parent, signal_on_death: None)
    early.main(tmp_path / "early", os.getpid())
    laid = Early(tmp_path / "early")
    laid._process, laid._tree = SimpleNamespace(wait=lambda: 0), tree_id(root())  # type: ignore[assignment]
    told = laid.into(tmp_path / "stage")
    assert told is not None
    assert told.command == "error rate  2 %"
    assert 'id="tuning-chart"' in told.chart
    assert {"tuning-bias"} == {path.name for path in (tmp_path / "stage" / "extra").iterdir()}


@pytest.mark.parametrize(
    ("complete", "stands", "jobs", "record", "begins"),
    [
        (False, False, 2, False, True),
        (True, False, 2, False, True),
        (True, True, 2, False, False),
        (False, False, 1, False, False),
        # notebooks that are timed have the machine to themselves
        (False, False, 2, True, False),
    ],
)
def test_a_book_that_will_be_laid_out_begins_early_where_there_are_workers(
    complete: bool,
    stands: bool,
    jobs: int,
    record: bool,
    begins: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    begun: list[Path] = []
    given: list[bool] = []

    class Beginning(Early):
        def __enter__(self) -> Any:
            begun.append(self._folder)
            return self

    run = SimpleNamespace(spec=SimpleNamespace(id="guide/01-your-own-data"), key="a", complete=complete, manifests=list)
    run.sealed_at = tmp_path / "key.json"
    monkeypatch.setattr(build, "catalogue", SimpleNamespace(NOTEBOOKS=(run.spec,)))
    for name, value in {
        "Early": Beginning,
        "plan": lambda spec, parameters: run,
        "resolve": lambda spec, given, scale: None,
        "_check_unedited": lambda specs: None,
        "_check_unique": lambda frame: None,
        "rows_of": lambda manifests: None,
        "made_of": lambda scale, runs: "d",
        "pages_stand": lambda site, made: stands,
        "_execute_all": lambda *args, **options: None,
        "stage_book": lambda runs, manifests, scale, stage, early: given.append(early is not None),
        "build_pages": lambda *args: None,
        "check_site": lambda site, manifests: [],
        "_check_scale": lambda scale, record, archive: None,
    }.items():
        monkeypatch.setattr(build, name, value)
    assert build.build_book("preview", Options(jobs=jobs), record=record) == 0
    assert len(begun) == begins
    assert given == ([] if stands else [begins])
