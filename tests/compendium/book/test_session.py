"""A session hands the print to those alone who compare with it."""

import json

import numpy as np
import pandas as pd
import pytest

from compendium.book.notebook import Notebook
from compendium.book.session import Session
from compendium.evidence.artifact import Artifact
from compendium.evidence.regenerated import Check, Regenerated
from compendium.evidence.verdicts import read_published
from compendium.papers.parameters import Parameters
from compendium.studies.study import Study


def _compute(p, run):
    return Regenerated(findings=["computed"])


def _examine(p, result, published):
    assert result.findings == ["computed"]
    frame = pd.DataFrame({"printed": [len(published)]})
    return Regenerated(data={"print": frame}, checks=[Check("It adds up.", "it does", "holds")])


@pytest.mark.parametrize(("seed", "scale"), [(1996, "published"), (7, "own")])
def test_the_print_is_examined_at_the_published_scale_alone(tmp_path, monkeypatch, seed, scale):
    monkeypatch.setenv("ERROREST_OUT", str(tmp_path))
    monkeypatch.setenv("ERROREST_STORE", str(tmp_path / "store"))
    one = Artifact("kohavi-made-up", "Table 0", "Made up", compute=_compute, examine=_examine)
    Session(Notebook("kohavi/00-made-up", "Made up", Parameters, (one,)), Parameters(seed=seed)).show(one.id)
    manifest = json.loads((tmp_path / "artifacts" / f"{one.id}.json").read_text())
    seen = scale == "published"
    assert manifest["scale"] == scale
    assert [c["claim"] for c in manifest["checks"]] == (["It adds up."] if seen else [])
    written = tmp_path / "artifacts" / f"{one.id}-print.csv"
    assert written.is_file() == seen
    if seen:
        assert pd.read_csv(written)["printed"][0] == len(read_published("kohavi"))


def _ones(cell, replicates, streams):
    return {"x": np.ones(len(replicates))}


def _twos(cell, replicates, streams):
    return {"x": np.full(len(replicates), 2.0)}


def test_studies_that_share_an_id_and_cells_are_told_apart_by_all_that_decides_their_numbers(tmp_path, monkeypatch):
    monkeypatch.setenv("ERROREST_OUT", str(tmp_path))
    monkeypatch.setenv("ERROREST_STORE", str(tmp_path / "store"))
    session = Session(Notebook("kohavi/00-made-up", "Made up", Parameters, ()), Parameters())
    assert session._run(Study("same", [{"n": 1}], 2, _ones))["x"].tolist() == [1.0, 1.0]
    assert session._run(Study("same", [{"n": 1}], 2, _twos))["x"].tolist() == [2.0, 2.0]
    assert len(session._measured) == len(session._largest) == 2
    session._run(Study("same", [{"n": 1}], 2, _twos, data={"iris": "another digest"}))
    assert len(session._largest) == 3
