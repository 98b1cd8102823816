"""Declarations of artifacts: what a declaration does not know is refused where it stands."""

import pytest

from batteries import assert_refused
from compendium.evidence import texts
from compendium.evidence.artifact import artifact, declarations
from compendium.evidence.papers import PAPERS
from compendium.evidence.results import ArtifactResult
from compendium.evidence.texts import paper_of, why_untestable


def table(p, run, *, size):
    return ArtifactResult(findings=[f"{size} cases"])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"matrx": True, "size": 10}, ("'matrx'", "did you mean 'matrix'")),
        ({"siz": 10}, ("paper-table-1", "table()")),
        ({"matrix": True}, ("'size'", "name it beside the id")),
    ],
)
def test_a_setting_that_nothing_knows_is_refused_at_its_declaration(settings, said):
    assert_refused(said, lambda: artifact("paper-table-1", **settings)(table))


def test_settings_of_the_function_and_of_the_artifact_stand_side_by_side():
    def other(p, run, *, size, unit="cases"):
        return ArtifactResult(findings=[f"{size} {unit}"])

    (one,) = declarations(artifact("paper-table-1", size=10, matrix=True)(other))
    assert one.matrix
    assert one.compute(None, None).findings == ["10 cases"]


def test_an_artifact_is_of_the_paper_whose_id_is_the_longest_that_it_begins_with(monkeypatch, tmp_path):
    for papers in (["kohavi", "kohavi-1997"], ["kohavi-1997", "kohavi"]):
        monkeypatch.setattr(
            texts, "PAPERS", {name: PAPERS["kohavi"]._replace(id=name, folder=tmp_path) for name in papers}
        )
        assert paper_of("kohavi-1997-table-1") == "kohavi-1997"
        assert paper_of("kohavi-table-1") == "kohavi"
        assert why_untestable("kohavi-1997-table-1", "a", "b") == "no reason is known"
    assert_refused("of no paper", paper_of, "kohavy-table-1")
