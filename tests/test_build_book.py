"""The whole book: pages that are made of the same are neither laid out nor built again."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from errorest import bits
from errorest.compendium import build, staging
from errorest.compendium.origin import note_of_origin
from errorest.compendium.runner import Options


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Build a made-up book of one notebook; tells how often it has been laid out and given to Sphinx."""
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    done: list[str] = []
    run = SimpleNamespace(spec=SimpleNamespace(id="guide/01-your-own-data"), key="a", complete=True, manifests=list)

    def quickly(command: list[str], **options: Any) -> Any:
        done.append("built")
        html = Path(command[-2])
        html.mkdir(parents=True)
        (html / "index.html").write_text("a page")
        return SimpleNamespace(returncode=0, stderr="", stdout="")

    monkeypatch.setattr(build, "catalogue", SimpleNamespace(NOTEBOOKS=(run.spec,)))
    monkeypatch.setattr(build, "plan", lambda spec, parameters: run)
    monkeypatch.setattr(build, "resolve", lambda spec, given, scale: None)
    monkeypatch.setattr(build, "_check_unedited", lambda specs: None)
    monkeypatch.setattr(build, "stage_book", lambda *given: done.append("laid out"))
    monkeypatch.setattr(build, "check_site", lambda site, manifests: [])
    monkeypatch.setattr(
        build, "rows_of", lambda manifests: SimpleNamespace(duplicated=lambda of: SimpleNamespace(any=bool))
    )
    monkeypatch.setattr(staging, "environment", dict)
    monkeypatch.setattr(staging, "subprocess", SimpleNamespace(run=quickly, DEVNULL=None))
    monkeypatch.setattr(staging, "commit_of", lambda folder: "c")
    monkeypatch.setattr(staging, "tree_id", lambda folder: "t")

    def made(key: str = "a") -> list[str]:
        run.key = key
        done.clear()
        assert build.build_book("preview", Options()) == 0
        return list(done)

    return made


def test_an_unchanged_book_is_neither_laid_out_nor_built(book: Any) -> None:
    assert book() == ["laid out", "built"]
    assert book() == []


def test_what_is_found_out_about_modules_is_kept_though_nothing_is_executed(book: Any, tmp_path: Path) -> None:
    bits.code_digest(["errorest.study.study"])
    book()
    assert bits.recalled() == (tmp_path / "code.json").read_text()


def test_another_run_is_another_book(book: Any) -> None:
    book()
    assert book("b") == ["laid out", "built"]


def test_another_state_of_the_project_is_another_book(book: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    book()
    monkeypatch.setattr(staging, "tree_id", lambda folder: "u")
    assert book() == ["laid out", "built"]


def test_what_came_from_an_archive_is_told_by_another_book(book: Any) -> None:
    book()
    note_of_origin().parent.mkdir()
    note_of_origin().write_text("an archive")
    assert book() == ["laid out", "built"]


def test_a_page_that_git_does_not_know_is_another_book(
    book: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "project" / "book").mkdir(parents=True)
    monkeypatch.setattr(staging, "root", lambda: tmp_path / "project")
    book()
    (tmp_path / "project" / "book" / "new.md").write_text("# A page")
    assert book() == ["laid out", "built"]


def test_a_damaged_page_is_built_again(book: Any, tmp_path: Path, capsys: Any) -> None:
    book()
    (tmp_path / "preview" / "html" / "index.html").write_text("another page")
    assert book() == ["laid out", "built"]
    assert "were damaged" in capsys.readouterr().err


@pytest.mark.parametrize(("scale", "workers"), [("preview", [1, 1]), ("published", [1, 2])])
def test_no_notebook_of_a_preview_starts_workers(
    scale: str, workers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int] = []
    runs: list[Any] = [
        SimpleNamespace(spec=SimpleNamespace(id=name), complete=False, files=list)
        for name in ("guide/02-coverage", "guide/05-other-packages")
    ]
    monkeypatch.setattr(build, "execute", lambda run, options, report: given.append(options.jobs))
    bar: Any = SimpleNamespace(say=lambda name: None)
    build._execute_all(runs, scale, Options(jobs=2), bar)
    assert sorted(given) == workers
