"""A changed sentence costs no execution: the last run's outputs stand in the new prose, byte for byte."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest

from compendium.book import runner
from compendium.book.executed import normalise, retold
from compendium.book.runner import Options, Run, execute

PROSE = [
    "# Title\n\nThe <!-- only seed -->published<!-- else: changed --> seed.",
    "<!-- only seed -->Gone.<!-- end -->",
]


def write_source(path: Path, prose: list[str], code: str = 'session.show("table")') -> None:
    """Write a notebook as it stands in the project: prose, parameters, prose, code."""
    new = nbformat.v4
    parameters = new.new_code_cell("seed = 1", id="a")
    parameters.metadata["tags"] = ["parameters"]
    shown = new.new_code_cell(code, id="b")
    cells = [new.new_markdown_cell(prose[0], id="c"), parameters, *(new.new_markdown_cell(p) for p in prose[1:]), shown]
    nbformat.write(
        new.new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}}), path
    )


def run_by_hand(source: Path, target: Path) -> None:
    """Do to a notebook what papermill does: tags everywhere, parameters injected, outputs, timings."""
    made = nbformat.read(source, as_version=4)
    injected = nbformat.v4.new_code_cell("seed = 2")
    injected.metadata["tags"] = ["injected-parameters"]
    cells: list[Any] = []
    for cell in made.cells:
        cell.metadata.setdefault("tags", [])
        cell.metadata["papermill"] = {"duration": 0.5}
        cells += [cell, injected] if "parameters" in cell.metadata["tags"] else [cell]
    cells[-1].outputs = [nbformat.v4.new_output("display_data", data={"text/html": "<table>7</table>"})]
    made.cells = cells
    made.metadata["papermill"] = {"duration": 1.0}
    nbformat.write(made, target)
    normalise(target, ["seed"])


@pytest.mark.parametrize(
    "prose",
    [
        ["# Title\n\nAnother sentence.", "More."],
        [PROSE[0], "One cell more.", "And another, <!-- only seed -->or<!-- else: and --> not."],
        [PROSE[0]],
        [PROSE[0], PROSE[1], "<!-- only seed -->Nothing is left of it.<!-- end -->"],
    ],
)
def test_new_prose_around_what_was_executed_has_the_bytes_of_a_new_execution(tmp_path: Path, prose: list[str]) -> None:
    write_source(tmp_path / "before.ipynb", PROSE)
    run_by_hand(tmp_path / "before.ipynb", tmp_path / "executed.ipynb")
    write_source(tmp_path / "now.ipynb", prose)
    run_by_hand(tmp_path / "now.ipynb", tmp_path / "anew.ipynb")
    executed = (tmp_path / "executed.ipynb").read_text()
    assert retold(executed, tmp_path / "now.ipynb", ["seed"], tmp_path / "retold.ipynb")
    assert (tmp_path / "retold.ipynb").read_bytes() == (tmp_path / "anew.ipynb").read_bytes()
    assert "<table>7</table>" in (tmp_path / "retold.ipynb").read_text()


def test_other_code_is_not_retold(tmp_path: Path) -> None:
    write_source(tmp_path / "before.ipynb", PROSE)
    run_by_hand(tmp_path / "before.ipynb", tmp_path / "executed.ipynb")
    write_source(tmp_path / "now.ipynb", PROSE, code='session.show("another")')
    executed = (tmp_path / "executed.ipynb").read_text()
    assert not retold(executed, tmp_path / "now.ipynb", ["seed"], tmp_path / "retold.ipynb")
    assert not (tmp_path / "retold.ipynb").exists()


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A run of a made-up notebook whose execution is done by hand, and counted."""
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(runner, "scale_of", lambda spec, parameters: "own")
    monkeypatch.setattr(runner, "changed", lambda spec, parameters: ["seed"])
    file, executed = tmp_path / "source.ipynb", []

    def by_hand(work: Path, run: Run, options: Options, progress: Any) -> None:
        executed.append(run.key)
        run_by_hand(file, work / "notebook.ipynb")
        (work / "artifacts").mkdir()
        (work / "artifacts" / "table.json").write_text('{"id": "table"}')
        (work / "progress.json").write_text(json.dumps({"share": 1.0, "took": []}))

    monkeypatch.setattr(runner, "_execute_in", by_hand)

    def made(prose: list[str], code: str = 'session.show("table")', **parts: Any) -> Run:
        write_source(file, prose, code)
        spec: Any = SimpleNamespace(
            id="paper/01", folder="paper--01", file=file, artifacts=[SimpleNamespace(id="table")]
        )
        text = hashlib.sha256(json.dumps([prose, code]).encode()).hexdigest()
        run = Run(spec, SimpleNamespace(), {"notebook": text, "code": "0", **parts})  # type: ignore[arg-type]
        told: list[float] = []
        execute(run, Options(), told.append)
        assert run.complete
        assert told[-1] == 1.0
        return run

    return SimpleNamespace(made=made, executed=executed)


def test_a_changed_sentence_is_not_executed(notebook: Any) -> None:
    first = notebook.made(PROSE)
    second = notebook.made(["# Title\n\nA better sentence."])
    assert notebook.executed == [first.key]
    assert b"A better sentence." in second.read("notebook.ipynb")
    assert second.files() == first.files()
    assert second.read("artifacts/table.json") == first.read("artifacts/table.json")
    # and again from there
    assert b"The best one." in notebook.made(["# Title\n\nThe best one."]).read("notebook.ipynb")
    assert len(notebook.executed) == 1


def test_whatever_else_changes_is_executed(notebook: Any) -> None:
    notebook.made(PROSE)
    notebook.made(["# Title\n\nA better sentence."], code='session.show("table")  # here')
    notebook.made(["# Title\n\nAnother sentence."], code='session.show("table")  # here', data="1")
    assert len(notebook.executed) == 3


def test_a_damaged_run_is_not_retold(notebook: Any) -> None:
    first = notebook.made(PROSE)
    (first.folder / "artifacts" / "table.json").write_text("{}")
    notebook.made(["# Title\n\nA better sentence."])
    assert len(notebook.executed) == 2
