"""Notebooks hold parameters, prose and one show(...) per artifact; their models are the source of the parameters."""

import ast
import json

import pytest

from errorest.compendium import catalogue
from errorest.compendium.parameters import describe
from errorest.compendium.places import root
from errorest.evidence.verdicts import PAPERS, read_published

NOTEBOOKS = pytest.mark.parametrize("spec", catalogue.NOTEBOOKS, ids=lambda s: s.id)


def cells(spec):
    return json.loads((root() / spec.path).read_text())["cells"]


def code(cell):
    return "".join(cell["source"])


@NOTEBOOKS
def test_the_parameters_cell_is_the_model(spec):
    tagged = [c for c in cells(spec) if "parameters" in c["metadata"].get("tags", [])]
    assert len(tagged) == 1
    written = {}
    for statement in ast.parse(code(tagged[0])).body:
        assert isinstance(statement, ast.AnnAssign), "each default is annotated"
        written[statement.target.id] = ast.literal_eval(statement.value)
    assert written == spec.parameters.published()
    for line in code(tagged[0]).splitlines():
        assert "#" in line, f"each default is commented: {line}"


@NOTEBOOKS
def test_all_parameters_are_handed_to_the_session(spec):
    opened = next(c for c in cells(spec) if "open_notebook(" in code(c))
    call = next(n for n in ast.walk(ast.parse(code(opened))) if isinstance(n, ast.Call))
    assert ast.literal_eval(call.args[0]) == spec.id
    assert {k.arg: k.value.id for k in call.keywords} == {name: name for name in spec.parameters.model_fields}


@NOTEBOOKS
def test_every_artifact_is_shown_once_and_no_cell_holds_logic(spec):
    shown = []
    for cell in cells(spec):
        if cell["cell_type"] != "code" or "parameters" in cell["metadata"].get("tags", []):
            continue
        if "open_notebook" in code(cell):
            continue
        tree = ast.parse(code(cell))
        assert len(tree.body) == 1, "one call a cell"
        assert isinstance(tree.body[0], ast.Expr)
        call = tree.body[0].value
        assert isinstance(call, ast.Call)
        assert call.func.attr == "show"
        shown.append(ast.literal_eval(call.args[0]))
    assert shown == [a.id for a in spec.artifacts]


@NOTEBOOKS
def test_a_notebook_is_committed_without_outputs(spec):
    for cell in cells(spec):
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@NOTEBOOKS
def test_every_parameter_has_a_meaning_and_its_preview_is_valid(spec):
    for described in describe(spec):
        assert described.meaning
        assert described.type
    assert spec.parameters(**spec.parameters.preview())


def test_ids_are_unique_and_belong_to_a_paper():
    artifacts = [a.id for n in catalogue.NOTEBOOKS for a in n.artifacts]
    assert len(artifacts) == len(set(artifacts))
    for spec in catalogue.NOTEBOOKS:
        assert spec.paper in PAPERS
        assert all(a.id.startswith(f"{spec.paper}-") for a in spec.artifacts)


def test_printed_artifacts_carry_the_ids_of_the_print():
    printed = {a for p in PAPERS for a in read_published(p).artifact}
    made = {a.id for n in catalogue.NOTEBOOKS for a in n.artifacts}
    assert made & printed, "some artifacts have printed numbers"
