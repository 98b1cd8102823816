"""``compendium build --only``: one notebook is executed, its page built alone, and nothing else written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from compendium.book import build
from compendium.book.runs import Options
from compendium.cli import main as cli

NOTEBOOK = "guide/05-other-packages"
PAGE = '<html><meta name="description"><meta name="citation_title"><meta name="citation_author"><h1>Page</h1>{}</html>'


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Build a page whose notebook and book are made up; tells what was executed, and for which scale it was staged."""
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    done: list[Any] = []

    def made(content: str, scale: str = "preview") -> tuple[int, list[Any]]:
        def pages(stage: Path, site: Path) -> None:
            page = site / "notebooks" / f"{NOTEBOOK}.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(PAGE.format(content))

        monkeypatch.setattr(build, "execute", lambda run, options, progress: done.append((run.spec.id, options.jobs)))
        monkeypatch.setattr(build, "stage_single", lambda run, scale, stage: done.append((run.spec.id, scale)))
        monkeypatch.setattr(build, "build_pages", pages)
        return build.build_page("05-other-packages", scale, Options(jobs=2)), done

    return made


def test_one_notebook_is_executed_and_its_page_named(built: Any, tmp_path: Path, capsys: Any) -> None:
    assert built("fine") == (0, [(NOTEBOOK, 2), (NOTEBOOK, "preview")])
    page = tmp_path / "pages" / "guide--05-other-packages" / "notebooks" / f"{NOTEBOOK}.html"
    assert f"Open {page}" in capsys.readouterr().out
    assert page.is_file()


def test_a_fault_of_the_page_is_reported(built: Any, capsys: Any) -> None:
    assert built('<a href="nowhere.html">there</a>')[0] == 1
    assert "broken link to nowhere.html" in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--record"], ["--store", "studies.tar"]])
def test_one_page_is_neither_recorded_nor_built_from_an_archive(more: list[str], capsys: Any) -> None:
    assert cli.main(["build", "--only", NOTEBOOK, *more]) == 2
    assert "leave these out" in capsys.readouterr().err


def test_an_unknown_notebook_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    assert cli.main(["build", "--only", "guide/55-nothing"]) == 2
    assert "unknown notebook 'guide/55-nothing'" in capsys.readouterr().err
