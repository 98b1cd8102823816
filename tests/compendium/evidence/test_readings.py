"""Every reading that a table uses is explained in a sentence."""

import pytest

from compendium.evidence.papers import PAPERS
from compendium.evidence.readings import meaning_of_reading
from compendium.evidence.verdicts import read_regenerated


@pytest.mark.parametrize("paper", PAPERS)
def test_every_reading_of_the_record_is_explained(paper):
    for reading in read_regenerated(paper).reading.unique():
        if reading != "literal":
            assert ": " in meaning_of_reading(paper, reading), reading


def test_a_reading_that_joins_two_has_both_meanings_and_an_unknown_one_its_kind_alone():
    both = meaning_of_reading("shakhnarovich", "fitted:gamma-0.2-r-to-zero")
    assert "exp(−0.2 d²), with C = 1; in .632+" in both
    assert meaning_of_reading("shakhnarovich", "fitted:of-somebody") == "Chosen because it gives the printed numbers."
