"""What is recorded of errors in print follows from the printed numbers and from ours."""

import pytest

from compendium.evidence.errata import (
    CHECKS,
    FINDINGS,
    Evidence,
    derivations,
    errata_module,
    recorded_errata,
    recorded_words,
)
from compendium.evidence.papers import PAPERS
from compendium.evidence.results import read_errata

DERIVED = [paper for paper in PAPERS if errata_module(paper)]


@pytest.mark.parametrize("paper", DERIVED)
def test_what_is_stated_of_a_print_is_computed_again(paper):
    computed = derivations(paper)
    for one in computed:
        assert one.text, one
        assert one.text in recorded_words(one.artifact, one.place), one
    declared = [one for one in vars(errata_module(paper)).values() if isinstance(one, Evidence)]
    assert {(one.evidence, one.artifact) for one in computed} == {(e, name) for e in declared for name in e.artifacts}


@pytest.mark.parametrize("paper", DERIVED)
def test_every_recorded_erratum_is_of_a_known_kind(paper):
    for artifact, entry in read_errata(paper).items():
        kinds = {e.get("kind", "substantive") for e in recorded_errata(artifact)}
        assert kinds <= {"substantive", "labelling", "typographical"}
        assert {*entry} <= {"errata", FINDINGS, CHECKS}


def test_statements_are_of_the_named_place_alone():
    assert "63.4 %" in recorded_words("kohavi-text-632", "Section 2.3")
    assert recorded_words("kohavi-text-632", "Section 2.4") == ""
    assert "differs on 1 of 7" in recorded_words("kohavi-table-1", FINDINGS)
