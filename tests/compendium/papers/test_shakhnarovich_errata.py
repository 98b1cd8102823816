"""Errata of Shakhnarovich et al.: each has evidence, and what is no erratum shows none."""

import pytest

from compendium.evidence.errata import CHECKS, FINDINGS, derivations, recorded_errata
from compendium.evidence.results import read_errata
from compendium.papers.shakhnarovich.errata_of_tables import TABLES, gaps_of_suspects

# the product in equation 23 is misprinted in its letters alone
WITHOUT_NUMBERS = {("shakhnarovich-equations", "Section 7.3, equation 23")}


def test_every_recorded_erratum_has_evidence_and_no_other_place_has():
    derived = {(one.artifact, one.place) for one in derivations("shakhnarovich") if one.place not in (CHECKS, FINDINGS)}
    recorded = {(name, e["place"]) for name in read_errata("shakhnarovich") for e in recorded_errata(name)}
    assert derived == recorded - WITHOUT_NUMBERS


@pytest.mark.parametrize("table", TABLES)
def test_rows_that_are_not_called_copied_or_exchanged_differ_by_less_than_two_standard_errors(table):
    places = {e["place"] for e in recorded_errata(table)}
    for place, gaps in gaps_of_suspects(table).items():
        suspect = gaps[gaps["copied"] | gaps["exchanged"]]
        if place not in places:
            assert (suspect["ours"].abs() < 0.004).all()
