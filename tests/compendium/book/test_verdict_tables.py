"""Counts of verdicts as pages and the terminal show them."""

import re

import pandas as pd
import pytest

from compendium.book import verdict_tables
from compendium.book.templating import Cell, words
from compendium.book.verdict_tables import named_counts
from compendium.evidence.verdicts import REGENERATED_COLUMNS, compare

PRINTED = ["artifact", "row", "column", "value", "decimals", "halfwidth", "kind", "relation", "note"]
WHOLE = {
    "artifact": "a-table-1",
    "reading": "headline",
    "scale": "published",
    "cells": 20,
    "within": 12,
    "expected": 0.95,
    "least": 0.8,
    "p": 0.02,
    "column": "mean",
    "below": 9,
    "of": 10,
    "side_p": 0.3,
    "reruns": 60,
    "z": [-1.0, 0.5, 7.0],
    "said": "It came out *so*.",
}


@pytest.fixture
def compared() -> pd.DataFrame:
    rows = {
        "literal": ("literal", 5.1, 0.2),
        "fitted": ("fitted:x", 5.1, 0.2),
        "exact": ("literal", 5.0, 0.0),
        "counted": ("literal", 5.0, 0.0),
        "zero": ("literal", 0.0, 0.0),
        "vague": ("literal", 5.1, 2.0),
    }
    ours = [["a-table-1", reading, "published", r, "c", value, se, 100] for r, (reading, value, se) in rows.items()]
    numbers = [[r, "c", "0" if r == "zero" else "5.0", 0.0 if r == "zero" else 1.0] for r in (*rows, "none")]
    printed = [["a-table-1", *number, None, "result", "=", ""] for number in numbers]
    printed.append(["a-table-1", "given", "c", "3", 0.0, None, "setting", "=", ""])
    own = pd.DataFrame(ours, columns=list(REGENERATED_COLUMNS))
    return compare(pd.DataFrame(printed, columns=PRINTED).astype({"halfwidth": float}), own)


def test_a_hyphen_before_a_number_is_a_minus_sign():
    assert words("less by -4.5 points (-6 to -.5) in 10-CV of `a -p`") == (
        "less by −4.5 points (−6 to −.5) in 10-CV of <code>a -p</code>"
    )


def test_counts_for_a_page_are_those_of_each_kind_and_add_up(compared):
    c = named_counts(compared)
    assert (c.reproduced, c.no_power, c.not_testable, c.setting, c.total, c.judged) == (5, 1, 1, 1, 8, 6)
    assert [(kind.reproduced, kind.judged) for kind in (c.literal, c.fitted, c.unstated)] == [(4, 5), (1, 1), (0, 0)]
    assert (c.exact, c.zero) == (3, 1)


def test_the_tally_names_kinds_and_bases_and_sums_to_all(compared):
    table = verdict_tables.tally_html(compared, "A paper")
    for kind in ("literal, simulated", "literal, exact", "literal, zero by definition", "fitted, simulated"):
        assert f'<th scope="row">{kind}</th>' in table
    assert "unstated" not in table
    assert re.search(r'<tfoot><tr><th scope="row">All</th><td class="num">5</td>', table)
    assert re.search(r'zero by definition</th><td class="num">1</td>', table)
    head, *lines = verdict_tables.tally_lines(compared)
    assert head.split()[:2] == ["reproduced", "close"]
    assert lines[-1].split() == ["all", "5", "·", "·", "1", "1", "1"]


def test_a_papers_artifacts_show_reproduced_numbers_by_kind(compared):
    row = (Cell("Table 1: of <cells>", "../x.html#y"), named_counts(compared), Cell(words("*found*"), small="(a run)"))
    table = verdict_tables.artifacts_html("A", [row])
    assert re.findall(r'<td class="num">(.*?)</td>', table) == ["4", "·", "1", "3", "·", "·", "1", "1"]
    assert '<a href="../x.html#y">Table 1: of &lt;cells&gt;</a>' in table
    assert "<em>found</em> <small>(a run)</small>" in table


@pytest.mark.parametrize(("side_p", "flagged"), [(0.3, False), (0.02, True)])
def test_tables_as_wholes_show_observed_with_expected(side_p, flagged):
    more = {**WHOLE, "artifact": "a-table-2", "cells": 60, "within": 60, "p": 0.5, "side_p": 0.9}
    enlarged = {**WHOLE, "scale": "enlarged"}
    page = verdict_tables.wholes_html("A", [{**WHOLE, "side_p": side_p}, more, enlarged], Cell)
    assert "90 % of 80 simulated numbers in 2 tables lie within two standard errors" in page
    assert "if the print were right, 95 % would" in page
    assert (
        "larger than those between reruns (p below 0.05) in 1 of 2, after Holm's correction for 2 tables in 1" in page
    )
    assert "60 reruns allow no p below 0.017, corrected 0.033." in page
    several = [{**WHOLE, "p": 0.03}, more, {**more, "p": 0.04}]
    assert "in 2 of 3, after Holm's correction for 3 tables in 0: 60" in verdict_tables.wholes_html("A", several, Cell)
    assert "Holm" not in verdict_tables.wholes_html("A", [WHOLE], Cell)
    assert "mean: 9 of 10 below" in page
    assert page.count("<strong>one-sided</strong>") == flagged
    assert "It came out <em>so</em>." in page
    assert 'aria-label="z of 3 numbers, from −1.0 to 7.0; 1 below zero; 1 beyond 6"' in page
    assert "M100 5v14M130 5v14M240 5v14" in page
    assert verdict_tables.wholes_html("A", [], Cell) == ""


def test_a_terminal_lists_tables_as_wholes():
    head, line = verdict_tables.wholes_lines(pd.DataFrame([WHOLE]))
    assert line.split() == ["a-table-1,", "headline,", "published", "20", "60%", "95%", "0.02", "0.30"]
    assert head.split()[-3:] == ["p", "side", "p"]


def manifest(*outcomes):
    checks = [{"claim": "It is *so*.", "evidence": "measured 1.5 < 2", "outcome": outcome} for outcome in outcomes]
    return {"id": "kohavi-table-1", "paper": "kohavi", "checks": checks}


def test_claims_are_marked_by_their_outcome_and_what_was_reproduced_stands_first():
    made = [manifest("fails", "holds")]
    html = verdict_tables.statement_html({"Kohavi (1995)": made}, Cell)
    assert "Of 2 claims: 1 [Re], 1 [¬Re]." in html
    assert html.index('data-label="Mark">[Re]<') < html.index('data-label="Mark">[¬Re]<')
    assert "measured 1.5 &lt; 2" in html
    assert "<em>so</em>" in html
    assert verdict_tables.statement_html({"S": [manifest()]}, Cell).startswith("<p>Of 0 claims")
    assert set(verdict_tables.MARKS) == {"holds", "holds in part", "fails", "not decided"}
    assert (verdict_tables.claim_counts(made).holds, verdict_tables.claim_counts(made).total) == (1, 2)
