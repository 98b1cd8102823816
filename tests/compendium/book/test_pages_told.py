"""What pages say of a run: words and sizes come from the values, whatever these are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compendium.book import catalogue
from compendium.book.citation import Work
from compendium.book.pages import Pages
from compendium.studies.study import run_study
from errorest.errors import UsageError

WORK = Work({"title": "W", "version": "0", "date-released": "2026-01-31", "authors": [{"name": "They"}]})
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
    return Pages([manifest], scale, WORK, "c")


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


# the runs that pages quote, as small as they come: what they find is said in the same words at any size
SMALL = {
    "lis/01-field-guide": {"sizes": [10, 20], "inherent_errors": [0.1, 0.4], "samples": 20, "cv_repeats": 3},
    "scheffer-herbrich/01-calculations": {"experiments": 100},
    "scheffer-herbrich/02-measured": {
        "data": ["heart"], "inducers": ["k-nn"], "cases": 80, "held_out": 60, "folds": 3, "inner_folds": 3,
        "samples": 3, "divisions": 3, "experiments": 100, "told": [2],
    },
    "scheffer-herbrich/03-calculator": {"map_steps": 20},
    "guide/05-other-packages": {},
}  # fmt: skip


def test_every_finding_and_outcome_that_a_page_quotes_is_one_that_the_run_yields():
    text = "".join(p.read_text(encoding="utf-8") for p in (Path(__file__).parents[3] / "book").rglob("*.md"))
    asked = re.findall(r"\[\[ *(finding|outcome)\(([^\]]*)\) *\]\]", text)
    assert len(asked) > 10
    known = {}

    def run(study):
        key = repr((study.id, [dict(c) for c in study.cells], study.counts))
        if key not in known:
            known[key] = run_study(study)
        return known[key]

    made = {}
    for what, given in asked:
        artifact, *parts = re.findall(r"'([^']*)'", given)
        if artifact not in made:
            notebook = next(n for n in catalogue.notebooks() if artifact in {a.id for a in n.artifacts})
            made[artifact] = notebook.artifact(artifact).compute(notebook.parameters(**SMALL[notebook.id]), run)
        found = made[artifact].findings if what == "finding" else [c.claim for c in made[artifact].checks]
        fits = [text for text in found if all(part in text for part in parts)]
        assert fits, (artifact, parts, found)
        if what == "outcome":
            assert fits[0].startswith(parts[0])


def test_what_stands_in_short_names_the_run_that_it_comes_from():
    one = pages()
    manifest = one._manifests[ARTIFACT]
    larger = {**manifest, "rows": [*manifest["rows"], {**manifest["rows"][0], "scale": "preview, enlarged"}]}
    assert "preview, enlarged run" in Pages([larger], "preview", WORK, "c").artifacts_html("kohavi")
    assert "enlarged" not in one.artifacts_html("kohavi")
