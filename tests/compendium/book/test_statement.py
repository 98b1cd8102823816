"""Which claims stand is told by executed checks alone."""

from __future__ import annotations

import pytest

from compendium.book.citation import Work
from compendium.book.pages import Pages
from compendium.book.statement import MARKS, claim_counts, statement_html

WORK = Work({"title": "W", "version": "0", "date-released": "2026-01-31", "authors": [{"name": "They"}]})


def manifest(outcome, paper="kohavi", artifact="kohavi-table-1"):
    check = {"claim": "It is *so*.", "evidence": "measured 1.5 < 2", "outcome": outcome}
    return {"id": artifact, "paper": paper, "notebook": f"{paper}/01", "labels": {}, "rows": [], "checks": [check],
            "findings": [], "errata": [], "number": "Table 1", "title": "A table"}  # fmt: skip


@pytest.mark.parametrize(("outcome", "mark"), MARKS.items())
def test_the_mark_of_a_claim_follows_its_outcome(outcome, mark):
    html = statement_html([manifest(outcome)], "kohavi", "Kohavi (1995)", lambda artifact: f"<i>{artifact}</i>")
    assert f'<th scope="row">{mark}</th>' in html
    assert f"Of 1 claims: 1 {mark}." in html
    assert "measured 1.5 &lt; 2" in html
    assert "<em>so</em>" in html
    assert "<i>kohavi-table-1</i>" in html


def test_what_was_reproduced_stands_first_and_other_papers_stand_elsewhere():
    made = [manifest("fails"), manifest("holds"), manifest("holds", "lis", "lis-table-1")]
    html = statement_html(made, "kohavi", "Kohavi (1995)", str)
    assert html.index('scope="row">[Re]') < html.index('scope="row">[¬Re]')
    assert "lis-table-1" not in html
    assert statement_html(made, "shakhnarovich", "S", str) == ""
    assert claim_counts(made).holds == 2


def test_a_preview_marks_nothing_and_own_measurements_are_no_claims_of_a_paper():
    made = [manifest("holds"), manifest("fails", "guide", "guide-own-data")]
    page = "[[ claim_counts().total ]] [[ statement_html('kohavi') ]]"
    assert (
        Pages(made, "preview", WORK, "c").render(page) == "1 <p>The marks are filled in by <code>make book</code>.</p>"
    )
    assert "[Re]" in Pages(made, "published", WORK, "c").render(page)
