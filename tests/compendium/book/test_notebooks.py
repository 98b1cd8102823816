"""Notebooks hold parameters, prose and one show(...) per artifact; their models are the source of the parameters."""

import importlib
import json
import subprocess
import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner
from papermill.cli import papermill
from papermill.inspection import inspect_notebook

from batteries import assert_refused
from compendium import open_notebook
from compendium.book import catalogue, notebook
from compendium.book.notebook import read_notebook
from compendium.book.parameters import describe, parameters_cell, write_parameters_cell
from compendium.book.places import root
from compendium.evidence.artifact import declared_in
from compendium.evidence.texts import texts_of
from compendium.evidence.verdicts import PAPERS

COST = catalogue.notebook("shakhnarovich/05-cost")
NOTEBOOKS = pytest.mark.parametrize("spec", catalogue.notebooks(), ids=lambda s: s.id)


@NOTEBOOKS
def test_a_notebook_has_its_models_parameters_an_opening_and_a_call_for_each_artifact(spec):
    cells = [cell for cell in json.loads((root() / spec.path).read_text())["cells"] if cell["cell_type"] == "code"]
    assert [cell["metadata"].get("tags") for cell in cells] == [["parameters"], *[None] * (len(cells) - 1)]
    parameters, opened, *shown = ("".join(cell["source"]) for cell in cells)
    assert parameters == parameters_cell(spec), f"run: compendium params {spec.id} --write"
    line = opened.partition("\n\n")[0]
    assert opened == f'{line}\n\nnotebook = open_notebook("{spec.id}", globals())'
    assert line.startswith("from compendium import open_notebook")
    assert "make lab" in line
    assert "pip install" in line
    assert shown == [f'notebook.show("{artifact.id}")' for artifact in spec.artifacts]


@NOTEBOOKS
def test_papermill_knows_every_parameter_and_its_type(spec, caplog):
    inspected = inspect_notebook(spec.file)
    assert list(inspected) == [one.name for one in describe(spec.parameters)]
    assert all(one["inferred_type_name"] != "None" for one in inspected.values())
    assert not caplog.records


def test_papermill_prints_the_parameters_of_every_notebook():
    for spec in catalogue.notebooks():
        printed = CliRunner().invoke(papermill, [str(spec.file), "--help-notebook"]).output
        assert all(f"  {one.name}: " in printed for one in describe(spec.parameters))
        assert "Unknown type" not in printed


def run_cells(spec, *changes):
    """Execute the parameters cell, with lines changed by the reader, and open the notebook."""
    own = {}
    text = parameters_cell(spec)
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    exec(compile(text, "cell", "exec"), own)
    return open_notebook(spec.id, own)


def test_a_cell_that_a_reader_changed_is_taken_as_it_is():
    assert run_cells(COST).scale == "published"
    session = run_cells(COST, ("seed: int = 2001", "mine = 3\nseed: int = 7"))
    assert (session.parameters.seed, session.scale) == (7, "own"), "a name without annotation is the reader's own"


def test_the_command_writes_the_cell_and_nothing_else(tmp_path):
    path = tmp_path / COST.path.name
    selected = (root() / COST.path).read_bytes()
    path.write_bytes(selected.replace(b"B of each", b"B of none").replace(b"clones, and repeats", b"others"))
    copy = replace(COST, copy=path)
    assert write_parameters_cell(copy)
    assert path.read_bytes() == selected
    assert not write_parameters_cell(copy)


@NOTEBOOKS
def test_every_parameter_has_a_meaning_and_its_preview_is_valid(spec):
    for described in describe(spec.parameters):
        assert described.meaning
        assert described.type
    assert spec.parameters(**spec.parameters.preview())


def test_every_declared_artifact_is_shown_by_one_notebook():
    shown = [a.id for n in catalogue.notebooks() for a in n.artifacts]
    modules = [importlib.import_module(name) for paper in PAPERS.values() for name in paper.modules]
    declared = [a.id for module in modules for a in declared_in(module)]
    assert sorted(shown) == sorted(declared)


def test_a_notebook_that_shows_what_nobody_declares_is_refused():
    declared = {"kohavi-example-1": catalogue.artifact("kohavi-example-1")[1]}
    assert_refused("which nothing declares", read_notebook, catalogue.notebook("kohavi/01-iris").parameters, declared)


@pytest.mark.parametrize("where", ["title", "caption"])
def test_a_text_that_names_no_parameter_is_refused_before_a_run(where, monkeypatch):
    spec = catalogue.notebook("kohavi/01-iris")
    declared = {one.id: one for one in spec.artifacts}
    texts = texts_of("kohavi", "kohavi-example-1")
    monkeypatch.setattr(notebook, "texts_of", lambda paper, one: texts._replace(**{where: "Of {holdout} draws."}))
    assert_refused(("{holdout}", "did you mean 'holdouts'"), read_notebook, spec.parameters, declared)


UNREADABLE = {
    "of an older format": ({"nbformat": 3}, "nbformat 3, and 4 is expected"),
    "without a format": ({"nbformat": None}, "nbformat None, and 4 is expected"),
    "of a format as text": ({"nbformat": "4"}, "nbformat '4', and 4 is expected"),
    "with metadata that are none": ({"metadata": None}, "its metadata are no mapping"),
    "of cells that are none": ({"cells": [1]}, "cannot be read as a notebook"),
    "of code nested without end": ({"cells": [{"cell_type": "code", "source": "(" * 5000}]}, "as a notebook"),
}


@pytest.mark.parametrize(("changed", "words"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_copy_that_is_no_notebook_of_today_is_refused_in_one_line(tmp_path, changed, words):
    document = json.loads(catalogue.notebook("kohavi/01-iris").file.read_text())
    (tmp_path / "old.ipynb").write_text(json.dumps({**document, **changed}))
    assert_refused(words, catalogue.notebook, str(tmp_path / "old.ipynb"))
    (tmp_path / "deep.ipynb").write_text("[" * 100_000)
    assert_refused("cannot be read as a notebook", catalogue.notebook, str(tmp_path / "deep.ipynb"))


# The catalogue, which imports nothing that computes


@pytest.mark.parametrize("name", catalogue.NOTEBOOKS)
def test_what_is_read_of_a_notebook_is_what_its_modules_say(name):
    spec, outline = catalogue.notebook(name), catalogue.outline(name)
    assert spec.id == name
    assert spec.parameters is catalogue.parameters(name)
    assert list(outline.parameters) == [one.name for one in describe(spec.parameters)]
    assert outline.parameters == {n: v for n, v in spec.parameters.published().items() if n in outline.parameters}
    assert catalogue.headings(name) == {a.id: (a.number, spec.title_of(a)) for a in spec.artifacts}


def test_every_artifact_of_a_paper_has_texts_and_no_text_is_left_over():
    assert {name.partition("/")[0] for name in catalogue.NOTEBOOKS} == {*PAPERS}
    for paper in PAPERS:
        shown = [one for n in catalogue.NOTEBOOKS if n.startswith(f"{paper}/") for one in catalogue.outline(n).shown]
        # an entry without texts is of printed rows that others compute
        written = [one for one, entry in PAPERS[paper].read("artifacts").items() if not {*entry} <= {"keys", "differs"}]
        assert sorted(written) == sorted(shown)
        assert all(one.startswith(f"{paper}-") for one in shown)
        assert all(texts_of(paper, one).number and texts_of(paper, one).title for one in written)


def test_a_command_imports_no_paper_but_the_one_that_it_is_about():
    code = """
import sys
from compendium.cli.main import main
for command in (["list"], ["params", "kohavi/01"], ["cite", "kohavi-example-1"]):
    main(command)
    sections = [m.removeprefix("compendium.papers.") for m in sys.modules if m.startswith("compendium.papers.")]
    print(*sorted(m for m in sections if "." in m), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    listing, parameters, citing = done.stderr.splitlines()
    assert listing == ""
    assert parameters == "kohavi.iris"
    assert {name.partition(".")[0] for name in citing.split()} == {"kohavi"}


@pytest.mark.parametrize("text", ["kohavi/01-iris", "01-iris", "kohavi/01", "notebooks/kohavi/01-iris.ipynb"])
def test_a_notebook_is_called_by_id_name_number_or_path(text):
    assert catalogue.notebook_id(text) == "kohavi/01-iris"
