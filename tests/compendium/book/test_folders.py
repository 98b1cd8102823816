"""A folder of results: held by one run, filled whole, and never emptied of what is a person's."""

import os
from pathlib import Path

import pytest

from batteries import assert_refused
from compendium.book.places import FOLDER_MARK, output_folder
from compendium.folders import locked
from errorest.errors import UsageError


def looked_at(folder: Path) -> dict[str, tuple[str, object]]:
    """Everything in a folder, with its kind and content."""
    seen: dict[str, tuple[str, object]] = {}
    for path in sorted(folder.rglob("*")):
        kind = "link" if path.is_symlink() else "file" if path.is_file() else "folder" if path.is_dir() else "other"
        content = os.readlink(path) if kind == "link" else path.read_bytes() if kind == "file" else path.lstat().st_mode
        seen[str(path.relative_to(folder))] = (kind, content)
    return seen


def filled(place: Path, **files: str) -> None:
    with output_folder(place) as new:
        for name, text in files.items():
            path = new / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def test_a_folder_of_results_is_new_empty_or_ours(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    filled(place, notebook_ipynb="ours")
    inside = place / "data.csv"
    inside.write_text("x")
    with pytest.raises(UsageError, match="lies in the output folder"), output_folder(place, inputs=["iris", inside]):
        pass
    assert_refused("could not be written to", filled, inside, notebook_ipynb="ours")
    (place / FOLDER_MARK).unlink()
    assert_refused("errorest did not write it", filled, place, notebook_ipynb="ours")
    assert (place / "notebook.ipynb").read_text() == "ours"


def test_a_second_filling_replaces_what_we_made(tmp_path: Path) -> None:
    place = tmp_path / "place"
    filled(place, notebook_ipynb="first", artifacts__a_csv="1", html__old__page_html="old")
    filled(place, notebook_ipynb="second", artifacts__b_csv="2")
    results = {name: content for name, (kind, content) in looked_at(place).items() if kind == "file"}
    assert results.pop(FOLDER_MARK)
    assert results == {"notebook.ipynb": b"second", "artifacts/b.csv": b"2"}
    assert not (place / "html").exists()


@pytest.mark.parametrize("seconds", [1, -3600], ids=["later", "earlier"])
@pytest.mark.parametrize("name", ["notebook.ipynb", "artifacts/b.csv", "artifacts/a.csv", "artifacts/notes.txt"])
def test_what_a_person_changed_or_put_in_the_way_is_refused_and_stays(tmp_path: Path, name: str, seconds: int) -> None:
    place = tmp_path / "place"
    filled(place, notebook_ipynb="first", artifacts__a_csv="1")
    (place / name).write_text("mine")
    time = (place / FOLDER_MARK).stat().st_mtime_ns + seconds * 10**9
    os.utime(place / name, ns=(time, time))
    before = looked_at(place)
    assert_refused("move it", filled, place, notebook_ipynb="second", artifacts__b_csv="2")
    assert looked_at(place) == before


def test_what_is_as_we_wrote_it_is_replaced_whatever_its_time(tmp_path: Path) -> None:
    place = tmp_path / "place"
    filled(place, notebook_ipynb="first")
    later = (place / FOLDER_MARK).stat().st_mtime_ns + 10**12
    os.utime(place / "notebook.ipynb", ns=(later, later))
    filled(place, notebook_ipynb="second")
    assert (place / "notebook.ipynb").read_text() == "second"


def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    place, elsewhere = tmp_path / "place", tmp_path / "elsewhere"
    filled(place, notebook_ipynb="first")
    elsewhere.mkdir()
    (elsewhere / "a.csv").write_text("mine")
    (place / "artifacts").symlink_to(elsewhere)
    assert_refused("in the way", filled, place, artifacts__a_csv="1")
    assert (elsewhere / "a.csv").read_text() == "mine"


def test_an_interrupted_filling_is_completed_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "place"
    filled(place, a_csv="1", b_csv="1")
    move = os.replace

    def stop(source: Path, target: Path) -> None:
        if Path(target).name == "b.csv":
            raise KeyboardInterrupt
        move(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", stop)
        with pytest.raises(KeyboardInterrupt):
            filled(place, a_csv="2", b_csv="2")
    assert not (place / "b.csv").exists()
    filled(place, a_csv="3", b_csv="3")
    assert [(place / name).read_text() for name in ("a.csv", "b.csv")] == ["3", "3"]


def test_a_folder_that_another_run_writes_to_is_refused(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(UsageError, match="another run writes to"), output_folder(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_fails_leaves_no_folder_that_it_made(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), output_folder(tmp_path / "a" / "b"):
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "kept").mkdir()
    with pytest.raises(RuntimeError), output_folder(tmp_path / "kept"):
        raise RuntimeError
    assert (tmp_path / "kept").is_dir()


@pytest.mark.parametrize("content", ["", "[]", '{"sha256": 3}', '{"files": {"../letters/a.txt": []}}'])
def test_a_damaged_list_makes_no_file_ours(tmp_path: Path, content: str) -> None:
    place = tmp_path / "place"
    filled(place, notebook_ipynb="first")
    (place / FOLDER_MARK).write_text(content)
    assert_refused("in the way", filled, place, notebook_ipynb="second")
    assert (place / "notebook.ipynb").read_text() == "first"
