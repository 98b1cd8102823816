"""A session hands the print to those alone who compare with it."""

import json

import numpy as np
import pytest

from compendium.book.notebook import Notebook
from compendium.book.session import Session
from compendium.evidence.artifact import Artifact
from compendium.evidence.results import ArtifactResult, Row, read_errata
from compendium.evidence.verdicts import read_published
from compendium.papers.parameters import Parameters
from compendium.studies.study import Study


def _compute(p, run):
    return ArtifactResult(findings=["computed"])


def _name_rows(result, published):
    assert result.findings == ["computed"]
    return [Row.exact("literal", "all", "printed", len(published))]


@pytest.mark.parametrize(("seed", "scale"), [(1996, "published"), (7, "own")])
def test_what_is_recorded_of_a_print_stands_at_the_published_scale_alone(tmp_path, monkeypatch, seed, scale):
    monkeypatch.setenv("ERROREST_OUT", str(tmp_path))
    monkeypatch.setenv("ERROREST_STORE", str(tmp_path / "store"))
    one = Artifact("kohavi-table-1", "Table 0", "Made up", compute=_compute, name_rows=_name_rows)
    Session(Notebook("kohavi/00-made-up", "Made up", Parameters, (one,)), Parameters(seed=seed)).show(one.id)
    manifest = json.loads((tmp_path / "artifacts" / f"{one.id}.json").read_text())
    seen = scale == "published"
    assert manifest["scale"] == scale
    recorded = read_errata("kohavi")[one.id]
    assert [e["place"] for e in manifest["errata"]] == ([e["place"] for e in recorded["errata"]] if seen else [])
    assert len(manifest["findings"]) == 1 + seen * len(recorded["findings"])
    printed = read_published("kohavi")
    assert [r["value"] for r in manifest["rows"]] == [sum(printed["artifact"] == one.id)] * seen


def _ones(cell, replicates, streams):
    return {"x": np.ones(len(replicates))}


def _twos(cell, replicates, streams):
    return {"x": np.full(len(replicates), 2.0)}


def test_studies_that_share_an_id_and_cells_are_distinguished_by_all_that_decides_their_numbers(tmp_path, monkeypatch):
    monkeypatch.setenv("ERROREST_OUT", str(tmp_path))
    monkeypatch.setenv("ERROREST_STORE", str(tmp_path / "store"))
    session = Session(Notebook("kohavi/00-made-up", "Made up", Parameters, ()), Parameters())
    assert session._run(Study("same", [{"n": 1}], 2, _ones))["x"].tolist() == [1.0, 1.0]
    assert session._run(Study("same", [{"n": 1}], 2, _twos))["x"].tolist() == [2.0, 2.0]
    assert len(session._studies) == len(session._largest) == 2
    session._run(Study("same", [{"n": 1}], 2, _twos, data={"iris": "another digest"}))
    assert len(session._largest) == 3
