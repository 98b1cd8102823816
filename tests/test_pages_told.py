"""What pages say of a run: words and sizes come from the values, whatever these are."""

from __future__ import annotations

import pytest

from errorest.compendium.pages import Pages
from errorest.errors import UsageError

ARTIFACT = "kohavi-text-bootstrap"


def pages(value=1.5, se=0.1, outcome="holds", scale="preview"):
    row = {
        "artifact": ARTIFACT, "reading": "literal", "scale": scale, "row": "vehicle/c4.5", "column": "bias-percent",
        "value": value, "se": se, "n": 50,
    }  # fmt: skip
    manifest = {
        "id": ARTIFACT, "paper": "kohavi", "notebook": "kohavi/03", "labels": {}, "rows": [row], "errata": [],
        "findings": ["First this.", f"Then {value} points."],
        "checks": [
            {"claim": "It is so. [a]", "evidence": "", "outcome": outcome},
            {"claim": "It is so. [b]", "evidence": "", "outcome": "fails"},
        ],
    }  # fmt: skip
    return Pages([manifest], scale, "0", "c")


@pytest.mark.parametrize("value", [-40.0, -1.5, -0.01, 0.01, 1.5, 40.0])
def test_the_word_behind_a_size_follows_its_sign(value):
    template = (
        "[[ sided('kohavi-text-bootstrap', 'vehicle/c4.5', 'bias-percent', 'points too high', 'points too low') ]]"
    )
    told = pages(value).render(template)
    assert told.endswith("too high" if value > 0 else "too low")
    assert not told.startswith(("-", "−", "+"))


@pytest.mark.parametrize(
    ("outcome", "verb"),
    [
        ("holds", "holds"),
        ("fails", "fails"),
        ("holds in part", "holds in part"),
        ("not decided", "is not decided"),
    ],
)
def test_an_outcome_is_a_verb(outcome, verb):
    assert pages(outcome=outcome).outcome(ARTIFACT, "It is so") == verb
    assert pages(outcome=outcome).outcome(ARTIFACT, "It is so", "[b]") == "fails"


def test_a_finding_is_found_by_its_words():
    assert pages(value=-2.5).finding(ARTIFACT, "points") == "Then -2.5 points."


def test_what_no_run_says_stops_a_book_and_leaves_a_gap_in_a_preview():
    assert "—" in pages().finding(ARTIFACT, "never said")
    assert "—" in pages().outcome("lis-claims", "never made")
    with pytest.raises(UsageError, match="never said"):
        pages(scale="published").finding(ARTIFACT, "never said")
    with pytest.raises(UsageError, match="which no run yields"):
        pages(scale="published").sided(ARTIFACT, "vehicle/c4.5", "no-such", "up", "down")


def test_entries_that_are_not_reproduced_are_named():
    # printed: 9.8
    whole = pages(value=9.8, scale="published").compared(ARTIFACT)
    off = pages(value=2.0, scale="published").compared(ARTIFACT)
    assert whole.reproduced == off.reproduced + 1
    assert "bias-percent" in off.others
    assert whole.total == off.total
