"""A book that stands is known by its note, which is believed only while everything is as it was."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from compendium.book import standing
from compendium.book.seals import seal, sealed_text

KEYS = [("guide/01-your-own-data", "a")]


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a build folder with one run, its pages, and the note about them."""
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    monkeypatch.setattr(standing, "commit_of", lambda folder: "c")
    monkeypatch.setattr(standing, "tree_id", lambda folder: "t")
    run, site = tmp_path / "runs" / "a", standing.site_folder("preview")
    for folder, name in ((run, "notebook.ipynb"), (site, "index.html")):
        folder.mkdir(parents=True)
        (folder / name).write_text("written")
    seal(run, {"seed": 7}, run / "key.json")
    made = standing.made_of("preview", KEYS)
    seal(site, made, standing.stamp_of(site))
    standing.remember("preview", made, [(*KEYS[0], run / "key.json")], "all is well")
    return tmp_path


def test_what_was_said_of_a_whole_book_is_said_again(built: Path) -> None:
    assert standing.recall("preview") == "all is well"
    assert standing.recall("published") is None


def test_the_note_holds_wherever_the_folder_lies(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved = tmp_path.with_name(f"{tmp_path.name}-moved")
    built.rename(moved)
    monkeypatch.setenv("ERROREST_BUILD", str(moved))
    assert standing.recall("preview") == "all is well"


@pytest.mark.parametrize(
    "name", ["preview/html/index.html", "preview/html.stage", "runs/a/notebook.ipynb", "runs/a/key.json"]
)
@pytest.mark.parametrize("harm", ["changed", "removed"])
def test_a_damaged_file_is_no_standing_book(built: Path, name: str, harm: str) -> None:
    path = built / name
    if harm == "changed":
        path.write_bytes(path.read_bytes() + b" ")
    else:
        path.unlink()
    assert standing.recall("preview") is None


@pytest.mark.parametrize("folder", ["preview/html", "runs/a"])
def test_a_file_too_many_is_no_standing_book(built: Path, folder: str) -> None:
    (built / folder / "added").write_text("")
    assert standing.recall("preview") is None


def test_another_run_in_the_place_of_one_is_no_standing_book(built: Path) -> None:
    run = built / "runs" / "a"
    seal(run, {"seed": 8}, run / "key.json")
    assert standing.recall("preview") is None


def test_a_run_that_lies_elsewhere_is_no_standing_book(built: Path) -> None:
    run = built / "runs" / "a"
    run.rename(built / "elsewhere")
    run.symlink_to(built / "elsewhere")
    assert standing.recall("preview") is None


@pytest.mark.parametrize("part", ["commit_of", "tree_id"])
def test_another_state_of_the_project_is_no_standing_book(
    built: Path, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standing, part, lambda folder: "another")
    assert standing.recall("preview") is None


@pytest.mark.parametrize("part", ["source_digest", "versions_digest", "processor"])
def test_other_code_versions_or_machine_are_no_standing_book(
    built: Path, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standing.bits, part, lambda: "another")
    assert standing.recall("preview") is None


def test_pages_with_a_fault_are_not_known_by_the_note_of_others(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # the state moved on and its pages had a fault, so the note about earlier ones still lies there
    monkeypatch.setattr(standing, "tree_id", lambda folder: "another")
    site = standing.site_folder("preview")
    seal(site, standing.made_of("preview", KEYS), standing.stamp_of(site))
    assert standing.recall("preview") is None


def test_an_archive_and_data_of_ones_own_are_looked_at(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERROREST_DATA", str(built))
    assert standing.recall("preview") is None
    monkeypatch.delenv("ERROREST_DATA")
    assert standing.recall("preview") is not None
    standing.note_of_origin().parent.mkdir()
    standing.note_of_origin().write_text("an archive")
    assert standing.recall("preview") is None


def test_a_book_of_other_data_is_not_known_without_them(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (built / "standing-preview.json").unlink()
    made = standing.made_of("preview", KEYS)
    runs = [(*KEYS[0], built / "runs" / "a" / "key.json")]
    monkeypatch.setenv("ERROREST_DATA", str(built))
    standing.remember("preview", made, runs, "all is well")
    monkeypatch.delenv("ERROREST_DATA")
    assert standing.recall("preview") is None
    standing.remember("preview", made, runs, "all is well")
    assert standing.recall("preview") == "all is well"


def test_a_damaged_note_is_none(built: Path) -> None:
    note = built / "standing-preview.json"
    note.write_text(note.read_text().replace("well", "best"))
    assert standing.recall("preview") is None


def test_a_note_of_another_form_is_none(built: Path) -> None:
    (built / "standing-preview.json").write_text(sealed_text({"said": "all is well"}))
    assert standing.recall("preview") is None


def test_where_no_note_can_be_kept_none_is(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (built / "file").write_text("")
    monkeypatch.setenv("ERROREST_BUILD", str(built / "file"))
    standing.remember("preview", "made", [], "all is well")
    assert standing.recall("preview") is None


def test_the_command_asks_the_note_first(built: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from compendium.book import build
    from compendium.cli.main import main

    asked: list[bool] = []
    monkeypatch.setattr(build, "build_book", lambda scale, options, *, record, archive: asked.append(record) or 0)
    assert main(["build", "--scale", "preview"]) == 0
    assert capsys.readouterr().out == f"all is well\n\nOpen {built / 'preview' / 'html' / 'index.html'}\n"
    assert asked == []
    assert main(["build", "--scale", "preview", "--record"]) == 0
    assert main(["build", "--scale", "preview", "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "127.0.0.1:1" in capsys.readouterr().err
    (built / "preview" / "html" / "index.html").write_text("another page")
    assert main(["build", "--scale", "preview"]) == 0
    assert asked == [True, False]


def test_what_knows_a_standing_book_imports_none_of_its_code() -> None:
    code = (
        "import sys; import compendium.book.standing; "
        "print(sorted({m for m in sys.modules if m in ('pandas', 'matplotlib', 'nbformat', 'numba', 'sphinx')}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
