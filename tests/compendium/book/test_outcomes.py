"""A claim that comes out otherwise, and an erratum or a figure that comes or goes, is told by a complete build."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from compendium.book import outcomes
from compendium.book.outcomes import claim_keys, outcomes_of, outcomes_told, recorded_outcomes, write_outcomes

MANIFESTS: list[dict[str, Any]] = [
    {
        "id": "kohavi-figure-1",
        "checks": [
            {"claim": "With 10 folds the bias is small on most data sets. [C4.5]", "outcome": "holds"},
            {"claim": "With 10 folds the bias is small on most data sets. [Naive Bayes]", "outcome": "not decided"},
        ],
        "errata": [{"place": "Section 5.1"}, {"place": "Section 5.1"}],
        "figure": {"svg": "kohavi-figure-1.svg"},
    },
    {"id": "kohavi-table-1", "checks": [], "errata": [], "figure": None},
]
FIGURE = "kohavi-figure-1"
KEY = "with-10-folds-the-bias-is-small-on"


def differing(change: Any) -> list[str]:
    other = deepcopy(MANIFESTS)
    change(other[0])
    return outcomes_told(outcomes_of(MANIFESTS), outcomes_of(other))


def test_equal_outcomes_are_not_spoken_of() -> None:
    assert differing(lambda m: None) == []


def test_a_claim_that_comes_out_otherwise_is_told_with_both_outcomes() -> None:
    assert differing(lambda m: m["checks"][0].update(outcome="fails")) == [
        "Claims, errata and figures that are not as recorded: 1.",
        f"  {FIGURE}, claim {KEY} [C4.5]: holds recorded, fails here",
    ]


def test_an_erratum_that_went_is_told() -> None:
    assert differing(lambda m: m["errata"].pop())[1:] == [f"  {FIGURE}, erratum Section 5.1 (2): gone"]


def test_a_figure_that_went_and_one_of_another_name_are_told() -> None:
    assert differing(lambda m: m["figure"].update(svg="other.svg"))[1:] == [
        f"  {FIGURE}, figure {FIGURE}.svg: gone",
        f"  {FIGURE}, figure other.svg: added",
    ]


def test_many_differences_are_cut_short() -> None:
    told = outcomes_told(outcomes_of([]), outcomes_of([{**MANIFESTS[0], "id": str(i)} for i in range(20)]))
    assert (told[0], told[-1]) == ("Claims, errata and figures that are not as recorded: 100.", "  and 60 more")


def test_claims_that_begin_alike_have_keys_of_their_own() -> None:
    begin = "One two three four five six seven eight"
    (_, one), (_, other), (reading, third) = claim_keys([f"{begin} nine.", f"{begin} ten.", f"{begin} ten. [b, c]"])
    assert one != other
    assert (reading, third) == ("b, c", "one-two-three-four-five-six-seven-eight")


def test_outcomes_are_read_as_they_were_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "root", lambda: tmp_path)
    assert outcomes_told(recorded_outcomes(), outcomes_of([])) == []
    write_outcomes(MANIFESTS)
    pd.testing.assert_frame_equal(recorded_outcomes(), outcomes_of(MANIFESTS), check_dtype=False)


def test_every_claim_erratum_and_figure_is_recorded_once() -> None:
    found = recorded_outcomes()
    assert set(found["kind"]) == {"claim", "erratum", "figure"}
    assert not found.duplicated(["kind", "artifact", "reading", "key"]).any()
