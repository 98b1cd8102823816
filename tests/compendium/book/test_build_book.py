"""The whole book: laid out, built and checked, and noted where it is without a fault."""

import time
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest

from compendium.book import build, catalogue, progress, source_state
from compendium.book.progress import Bar, seconds_of, usual_seconds, write_usual_seconds
from compendium.book.runs import Options
from errorest.errors import UsageError


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Build a made-up book of one notebook; tells which runs became the last, and how often Sphinx was called."""
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    done: list[str] = []
    own = SimpleNamespace(id="guide/01-your-own-data")
    run = SimpleNamespace(
        spec=own,
        complete=True,
        manifests=list,
        parts={},
        parts_before=lambda: {"another": "run"},
        record=lambda: done.append("recorded"),
    )

    def quickly(scale: str, jobs: int, *, afresh: bool) -> None:
        done.append("built")
        html = source_state.site_folder(scale)
        html.mkdir(parents=True, exist_ok=True)
        (html / "index.html").write_text("a page")
        (html / "edition.json").write_text("{}")

    monkeypatch.setattr(build, "catalogue", SimpleNamespace(notebooks=lambda: (run.spec,)))
    monkeypatch.setattr(build, "plan", lambda spec, parameters: run)
    monkeypatch.setattr(build, "resolve", lambda spec, given, scale: None)
    monkeypatch.setattr(build, "edited_parameters", lambda spec: {})
    monkeypatch.setattr(build, "build_site", quickly)
    monkeypatch.setattr(build, "check_site", lambda site, manifests: [])
    monkeypatch.setattr(source_state, "commit_of", lambda folder: "c")
    monkeypatch.setattr(source_state, "tree_id", lambda folder: "t")

    def made() -> list[str]:
        done.clear()
        assert build.build_book("preview", Options()) == 0
        return list(done)

    return made


def test_a_build_without_a_fault_leaves_a_note_and_one_with_a_fault_none(
    book: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    assert book() == ["recorded", "built"]
    assert source_state.recall("preview") == "\nPreview: 0 artifacts at a reduced scale, no verdicts."
    monkeypatch.setattr(build, "check_site", lambda site, manifests: ["a link is broken"])
    monkeypatch.setattr(source_state, "tree_id", lambda folder: "u")
    assert build.build_book("preview", Options()) == 1
    assert source_state.recall("preview") is None
    assert "fault: a link is broken" in capsys.readouterr().err


def test_a_notebook_whose_inputs_another_rewrote_is_executed_again(book: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    executed: list[str] = []
    planned = iter("ab")

    def plan(spec: Any, parameters: Any) -> Any:
        key = next(planned)
        return SimpleNamespace(
            spec=spec, key=key, complete=False, manifests=list, files=dict, parts={}, parts_before=dict
        )

    monkeypatch.setattr(build, "plan", plan)
    monkeypatch.setattr(build, "execute", lambda run, options, report: executed.append(run.key))
    book()
    assert executed == ["a", "b"]


def test_a_source_that_changes_during_the_build_leaves_no_note(book: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        build, "check_site", lambda site, manifests: monkeypatch.setattr(source_state, "tree_id", str) or []
    )
    book()
    assert source_state.recall("preview") is None


def some_runs() -> list[Any]:
    names = ("guide/08-other-packages", "guide/03-coverage", "kohavi/01-iris")
    return [SimpleNamespace(spec=SimpleNamespace(id=name), complete=False, files=dict) for name in names]


BAR: Any = SimpleNamespace(say=lambda name: None, report=lambda step, share: None)


@pytest.mark.parametrize(("jobs", "workers"), [(1, 1), (2, 1), (8, 2)])
def test_the_longest_notebook_starts_first_and_workers_are_shared_out(
    jobs: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[tuple[str, int]] = []
    monkeypatch.setattr(build, "number_of_jobs", lambda jobs: 64)
    monkeypatch.setattr(build, "execute", lambda run, options, report: begun.append((run.spec.id, options.jobs)))
    build._execute_all(some_runs(), "preview", Options(jobs=jobs), BAR)
    assert begun[0][0] == "guide/03-coverage"
    assert {n for _, n in begun} == {workers}
    assert len(begun) == 3


def test_where_one_notebook_fails_the_others_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[str] = []
    all_began = Barrier(3)

    def execute(run: Any, options: Options, report: Any) -> None:
        all_began.wait(60)
        if run.spec.id == "kohavi/01-iris":
            raise UsageError("no room")
        try:
            while True:
                report(0.5)
                time.sleep(0.01)
        finally:
            ended.append(run.spec.id)

    monkeypatch.setattr(build, "number_of_jobs", lambda jobs: 64)
    monkeypatch.setattr(build, "execute", execute)
    with pytest.raises(UsageError, match="no room"):
        build._execute_all(some_runs(), "preview", Options(jobs=3), BAR)
    assert sorted(ended) == ["guide/03-coverage", "guide/08-other-packages"]


# Progress


def test_the_seconds_of_every_notebook_are_recorded_and_can_be_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list(usual_seconds()) == list(catalogue.NOTEBOOKS), "run: compendium build --record"
    monkeypatch.setattr(progress, "root", lambda: tmp_path)
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "notebooks.csv").write_text("notebook,seconds\na,3.5\nb,1.0\n")
    usual_seconds.cache_clear()
    write_usual_seconds({"b": 2.04})
    assert usual_seconds() == {"a": 3.5, "b": 2.0}
    assert seconds_of("a") == 3.5
    assert seconds_of("new") > 0
    usual_seconds.cache_clear()


def test_steps_weigh_their_seconds_and_a_share_never_goes_back(capsys: Any) -> None:
    bar = Bar([30.0, 10.0, 60.0])
    bar.skip(2)
    bar.report(0, 0.5)
    bar.report(0, 0.4)
    assert bar._bar.n / bar._bar.total == pytest.approx(15 / 40)
    bar.report(0, 1.0)
    bar.report(1, 2.0)
    assert bar._bar.n / bar._bar.total == pytest.approx(1.0)
    bar.__exit__()
    assert "100 %" in capsys.readouterr().err


def shown_after(bar: Bar, elapsed: float) -> str:
    """Return the line of a bar whose start lies so many seconds back, without a final line break."""
    now = bar._bar._time()
    bar._bar._time, bar._bar.start_t = lambda: now, now - elapsed
    return str(bar._bar).strip()


def test_the_usual_seconds_tell_the_time_left_until_the_pace_does() -> None:
    bar = Bar([200.0, 40.0])
    assert shown_after(bar, 0).endswith("about 04:00 left")
    assert shown_after(bar, 80).endswith("about 02:40 left")
    assert shown_after(bar, 300).endswith("about ? left"), "what took longer than usual is not told"
    bar.report(0, 0.5)
    assert shown_after(bar, 50).endswith("about 01:10 left")
    bar._bar.close()


def test_no_time_left_is_below_zero() -> None:
    bar = Bar([1.1] * 7)
    for step in range(7):
        for share in (0.6, 0.9, 1.0):
            bar.report(step, share)
    assert bar._bar.n > bar._bar.total, "rounding exceeds the whole"
    assert shown_after(bar, 50).endswith("about 00:00 left")
    bar._bar.close()
