"""Notes on why numbers differ: every number that differs has one, and every note is about some."""

from itertools import chain
from typing import Any

import pandas as pd
import pytest

from compendium.evidence import differences as module
from compendium.evidence.differences import CONTRADICTED, differences, explain_difference
from compendium.evidence.keys import names_of
from compendium.evidence.papers import PAPERS
from compendium.evidence.verdicts import compare, headline, read_published, read_regenerated, read_words
from errorest.errors import UsageError

PRINTED = [paper.id for paper in PAPERS.values() if paper.printed]
PLACES = {e["place"] for paper in PAPERS for words in read_words(paper).values() for e in words["errata"]}


@pytest.fixture(scope="module", params=PRINTED)
def judged(request: pytest.FixtureRequest) -> pd.DataFrame:
    return compare(read_published(request.param), read_regenerated(request.param)).assign(paper=request.param)


def test_every_headline_number_that_differs_has_a_reason(judged: pd.DataFrame) -> None:
    first = headline(judged)
    without = first[(first["verdict"] == "differs") & (first["note"] == "")]
    assert without[["artifact", "row", "column", "reading"]].to_numpy().tolist() == []


def test_every_note_is_about_a_number_that_differs(judged: pd.DataFrame) -> None:
    found = set(zip(judged["artifact"], judged["note"], strict=True))
    artifacts = PAPERS[judged["paper"].iloc[0]].read("artifacts")
    notes = [(artifact, note) for artifact in artifacts for note in differences(artifact)]
    for artifact, note in notes:
        assert {*note.where} <= {*names_of([artifact])}
    assert [one for one in notes if (one[0], one[1].sentence) not in found] == []


def test_a_reading_explains_only_numbers_that_agree_under_it(judged: pd.DataFrame) -> None:
    agrees = judged[judged["verdict"].isin(["reproduced", "close"])]
    key = ["artifact", "row", "column", "scale"]
    agreeing = set(agrees[[*key, "reading"]].itertuples(index=False, name=None))
    explained = judged[judged["cause"].str.startswith("explained by ")]
    reading = explained["cause"].str.removeprefix("explained by ")
    claimed = explained[key].assign(reading=reading).itertuples(index=False, name=None)
    assert [one for one in claimed if one not in agreeing] == []


@pytest.mark.parametrize("paper", PRINTED)
def test_a_contradiction_in_print_is_among_the_errata(paper: str) -> None:
    notes = chain.from_iterable(map(differences, PAPERS[paper].read("artifacts")))
    assert [n.erratum for n in notes if n.kind == CONTRADICTED and n.erratum not in PLACES] == []


def test_the_first_note_that_fits_is_the_reason(declared: list[dict[str, Any]]) -> None:
    declared += [
        {"where": {"n": ["10", 20]}, "reading": "literal", "kind": "explained by fitted:x", "text": "With x."},
        {"where": {"n": 20}, "kind": "left open by the paper", "text": "Nothing is said."},
        {"kind": "unexplained", "text": "Tried: all."},
    ]

    def why(n: str, reading: str, *agreeing: str) -> str:
        note = explain_difference({"artifact": "x-table-1", "n": n}, reading, agreeing)
        return note.text if note else ""

    assert why("10", "literal", "fitted:x") == "With x."
    assert why("10", "literal", "fitted:y") == why("30", "literal", "fitted:x") == "Tried: all."
    assert why("20", "unstated:z", "fitted:x") == why("20", "literal") == "Nothing is said."


@pytest.mark.parametrize(
    ("note", "message"),
    [
        ({"kind": "a guess"}, "kind 'a guess'; expected one of the print contradicts itself"),
        ({"kind": CONTRADICTED}, "needs erratum: where the print contradicts itself"),
        ({"kind": "unexplained", "erratum": "Table 1"}, "and there alone"),
    ],
)
def test_a_note_that_says_too_little_is_refused(
    note: dict[str, str], message: str, declared: list[dict[str, Any]]
) -> None:
    declared.append({"text": "It may be so.", **note})
    with pytest.raises(UsageError, match=message):
        differences("x-table-1")


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    notes: list[dict[str, Any]] = []
    monkeypatch.setattr(module, "declared_of", lambda artifact: {"differs": notes})
    return notes
