"""Notes on why numbers differ: of known kinds, about numbers that do."""

import pytest

from compendium.evidence import differences as module
from compendium.evidence.differences import differences, explain_difference
from compendium.evidence.keys import names_of
from compendium.evidence.papers import PAPERS
from compendium.evidence.verdicts import compare, read_published, read_regenerated
from errorest.errors import UsageError


@pytest.mark.parametrize("paper", [one.id for one in PAPERS.values() if one.printed])
def test_every_note_is_about_a_number_that_differs(paper: str) -> None:
    judged = compare(read_published(paper), read_regenerated(paper))
    differing = judged[judged["verdict"] == "differs"]
    for artifact in PAPERS[paper].read("artifacts"):
        own = differing[differing["artifact"] == artifact]
        numbers = own[["artifact", "row", "column", "reading"]].itertuples(index=False, name=None)
        found = [explain_difference(*number) for number in numbers]
        for note in differences(artifact):
            assert {*note.where} <= {*names_of([artifact])}
            assert note in found, (artifact, note)
            reading = note.kind.removeprefix("explained by ")
            assert reading == note.kind or reading in set(judged.loc[judged["artifact"] == artifact, "reading"])


def test_a_note_of_an_unknown_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"differs": [{"kind": "a guess", "text": "It may be so."}]}
    monkeypatch.setattr(module, "declared_of", lambda artifact: entry)
    with pytest.raises(UsageError, match="kind 'a guess'; expected one of the print contradicts itself"):
        differences("x-table-1")
