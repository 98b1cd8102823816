"""An unchanged book is recognized by a note next to its pages, which is valid while everything is as it was."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from compendium.book import places, source_state
from compendium.cli.main import main


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a project of a page, a build folder with its preview, and the note about it."""
    project = tmp_path / "project"
    for name in ("src/errorest/one.py", "notebooks/a.ipynb", "book/index.md", "data/published/a.csv"):
        (project / name).parent.mkdir(parents=True)
        (project / name).write_text("written")
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(source_state, "root", lambda: project)
    monkeypatch.setattr(source_state, "commit_of", lambda folder: "c")
    monkeypatch.setattr(source_state, "tree_id", lambda folder: "t")
    site = places.site_folder("preview")
    site.mkdir(parents=True)
    (site / "index.html").write_text("a page")
    source_state.remember("preview", source_state.state("preview"), "all is well")
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        "build/preview/html/index.html",
        "project/src/errorest/one.py",
        "project/notebooks/a.ipynb",
        "project/book/index.md",
        "project/data/published/a.csv",
    ],
)
def test_another_source_or_page_is_no_current_book(built: Path, name: str) -> None:
    path, more = built / name, (built / name).with_name("more")
    before = path.read_text()
    assert source_state.recall("published") is None
    changes = (lambda: path.write_text("something else"), path.unlink, lambda: more.write_text("more"))
    for change in changes:
        change()
        assert source_state.recall("preview") is None
        path.write_text(before)
        more.unlink(missing_ok=True)
        assert source_state.recall("preview") == "all is well"


@pytest.mark.parametrize("part", ["commit_of", "tree_id", "versions.versions_digest", "versions.processor"])
def test_another_state_other_versions_or_another_machine_are_no_current_book(
    built: Path, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"compendium.book.source_state.{part}", lambda *folder: "another")
    assert source_state.recall("preview") is None


def test_what_came_from_an_archive_is_reported_by_another_book(built: Path) -> None:
    places.note_of_origin().parent.mkdir()
    places.note_of_origin().write_text("an archive")
    assert source_state.recall("preview") is None


def test_a_project_that_changed_during_the_build_is_no_current_book(built: Path) -> None:
    before = source_state.state("preview")
    page = built / "project" / "book" / "index.md"
    page.write_text("meanwhile")
    source_state.remember("preview", before, "of two states")
    assert source_state.recall("preview") is None
    page.write_text("written")
    assert source_state.recall("preview") == "all is well"


def test_a_book_of_other_data_is_neither_known_nor_noted(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERROREST_DATA", str(built))
    assert source_state.recall("preview") is None
    source_state.remember("preview", source_state.state("preview"), "of my data")
    monkeypatch.delenv("ERROREST_DATA")
    assert source_state.recall("preview") == "all is well"


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"summary": "all is well"}'])
def test_a_note_that_says_something_else_is_none(built: Path, text: str) -> None:
    (built / "build" / "preview" / "html.json").write_text(text)
    assert source_state.recall("preview") is None
    assert not source_state.as_built("preview")


def test_the_command_asks_the_note_first(built: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from compendium.book import build

    requested: list[bool] = []
    monkeypatch.setattr(build, "build_book", lambda scale, options, *, record, archive: requested.append(record) or 0)
    index = places.site_folder("preview") / "index.html"
    assert main(["build", "--scale", "preview"]) == 0
    assert capsys.readouterr().out == f"all is well\n\nOpen {index}\n"
    assert requested == []
    assert main(["build", "--scale", "preview", "--record"]) == 0
    assert main(["build", "--scale", "preview", "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "127.0.0.1:1" in capsys.readouterr().err
    index.write_text("another page")
    assert main(["build", "--scale", "preview"]) == 0
    assert requested == [True, False]


def test_parts_beside_a_current_book_are_part_of_it(built: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from compendium.book import in_page

    command = ["build", "--scale", "preview"]
    monkeypatch.setattr(in_page, "self_contained_files", lambda folder: {"_static/page/parts/a": str(folder).encode()})
    assert main([*command, "--self-contained", "--parts", "where"]) == 0
    part = places.site_folder("preview") / "_static/page/parts/a"
    assert (part.read_text(), source_state.recall("preview")) == ("where", "all is well")
    part.write_text("something else")
    assert source_state.recall("preview") is None
    capsys.readouterr()
    assert main([*command, "--parts", "where"]) == 2
    assert "--parts is for a self-contained book" in capsys.readouterr().err


def test_what_knows_an_unchanged_book_imports_none_of_its_code() -> None:
    code = (
        "import sys; import compendium.book.source_state; "
        "print(sorted({m for m in sys.modules if m in ('pandas', 'matplotlib', 'nbformat', 'numba', 'sphinx')}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
