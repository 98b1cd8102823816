"""Claims as data: three outcomes a part, one meaning of each for a claim, and words that follow from the values."""

from itertools import product

import pytest

from compendium.evidence.claims import check, evidence_of, judged
from compendium.evidence.estimate import Estimate, every, exact, most, signed, some

ABOVE = {1.3: "holds", 1.1: "not decided", 0.9: "not decided", 0.7: "fails"}
BELOW = {1.3: "fails", 1.1: "not decided", 0.9: "not decided", 0.7: "holds"}
NEAR = {1.0: "holds", 1.4: "not decided", 0.4: "not decided", 0.2: "fails"}
APART = {1.0: "fails", 1.4: "not decided", 0.4: "not decided", 1.8: "holds"}
WAYS = {
    "above": (lambda m: m > 1.0, ABOVE),
    "above another": (lambda m: m > exact(1.0), ABOVE),
    "larger": (lambda m: abs(m) > abs(exact(-1.0)), ABOVE),
    "ratio above": (lambda m: m / exact(2.0) > 0.5, ABOVE),
    "below": (lambda m: m < 1.0, BELOW),
    "smaller": (lambda m: abs(m * -1) < abs(exact(1.0)), BELOW),
    "near": (lambda m: m.within(0.5, 1.5), NEAR),
    "no further than": (lambda m: abs(m - 1.0) <= 0.5, NEAR),
    "apart": (lambda m: abs(m - 1.0) > 0.5, APART),
}
KINDS = {kind: condition for kind, (condition, _) in WAYS.items()}


@pytest.mark.parametrize(
    ("kind", "value", "outcome"), [(kind, *case) for kind, (_, outcomes) in WAYS.items() for case in outcomes.items()]
)
def test_a_part_is_decided_where_the_value_and_its_error_lie_on_one_side(kind, value, outcome):
    assert KINDS[kind](Estimate(value, 0.1, 50)).outcome == outcome


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_decided_by_a_wide_error_or_by_none(kind):
    for m in (Estimate(1.0, 9.0, 4), Estimate(float("nan"), 0.1, 4), Estimate(2.0, float("nan"), 1)):
        assert KINDS[kind](m).outcome == "not decided"


@pytest.mark.parametrize("kind", KINDS)
def test_an_exact_number_decides_always(kind):
    assert {KINDS[kind](exact(v)).outcome for v in (-9.0, 0.5, 1.0, 1.5, 9.0)} == {"holds", "fails"}


def test_a_limit_itself_is_not_above_it_and_is_still_near():
    assert (exact(1.0) > 1.0).outcome == (exact(1.0) < 1.0).outcome == "fails"
    assert (exact(1.0) > exact(1.0)).outcome == (exact(1.0) < exact(1.0)).outcome == "fails"
    assert exact(1.5).within(0.5, 1.5).outcome == "holds"
    assert (exact(3).equals(3).outcome, exact(2).equals(3).outcome) == ("holds", "fails")


@pytest.mark.parametrize(
    ("parts", "outcome"),
    [
        (["holds"], "holds"),
        (["holds", "holds"], "holds"),
        (["holds", "fails"], "holds in part"),
        (["holds", "fails", "not decided"], "holds in part"),
        (["holds", "not decided"], "not decided"),
        (["fails", "not decided"], "fails"),
        (["fails"], "fails"),
        (["not decided"], "not decided"),
        ([], "not decided"),
    ],
)
def test_what_follows_for_a_claim_from_its_parts(parts, outcome):
    assert judged(parts) == outcome


def cells(right, wrong, unsure=0):
    values = [5.0] * right + [-5.0] * wrong + [0.0] * unsure
    return [Estimate(v, 0.5, 50, f"cell {i}") > 0 for i, v in enumerate(values)]


@pytest.mark.parametrize(
    ("right", "wrong", "of_every", "of_most", "of_some"),
    [
        (8, 0, "holds", "holds", "holds"),
        (5, 3, "fails", "holds", "holds"),
        (4, 4, "fails", "fails", "holds"),
        (2, 6, "fails", "fails", "holds"),
        (0, 8, "fails", "fails", "fails"),
    ],
)
def test_most_are_more_than_half(right, wrong, of_every, of_most, of_some):
    results = [kind("", cells(right, wrong)).outcome for kind in (every, most, some)]
    assert results == [of_every, of_most, of_some]


def test_undecided_cells_leave_open_what_they_could_still_turn():
    assert most("", cells(4, 2, 3)).outcome == "not decided"
    assert most("", cells(5, 1, 3)).outcome == "holds"
    assert most("", cells(2, 5, 2)).outcome == "fails"
    assert [parts("", []).outcome for parts in (every, most, some)] == ["not decided"] * 3


def test_one_cell_of_many_that_is_off_by_chance_refutes_nothing():
    near_two = [Estimate(v, 1.0, 50) > 0 for v in [9.0] * 39 + [-2.5]]
    assert every("", near_two).outcome == "not decided"
    assert every("", near_two[-1:]).outcome == "fails"


def test_evidence_says_value_error_number_and_criterion():
    near = abs(Estimate(-0.25, 0.125, 4000, "LOO", "points")) <= 0.5
    result = check("x", [near], name="unbiased", reading="literal")
    assert (result.claim, result.name, result.reading) == ("x [literal]", "unbiased", "literal")
    assert result.evidence == "LOO −0.25 ± 0.12 points (asked: no more than 0.5 from 0; n = 4,000)"


def test_a_share_of_all_has_an_error_to_one_side():
    assert Estimate(100.0, 1.0, 98, "covered", "%", 1, "").words == "covered 99.0 to 100.0 %"
    assert Estimate(99.5, 1.0, 98, "covered", "%", 1, "").words == "covered 99.5 ± 1.0 %"


@pytest.mark.parametrize(("value", "se"), list(product((-30.0, -0.3, 0.0, 0.3, 30.0), (0.0, 0.1, 50.0))))
def test_words_follow_signs_and_sizes(value, se):
    m = Estimate(value, se, 10)
    evidence = evidence_of([m > 0])
    assert evidence.startswith("−" if value < 0 else "+")
    assert signed(value, 1) in evidence.replace("0 ±", " ±") or f"{abs(value):.2f}" in evidence
