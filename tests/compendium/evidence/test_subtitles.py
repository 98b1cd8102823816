"""Subtitles: their numbers are those of the rows, and the most used figures have one."""

import re

import pandas as pd
import pytest

from compendium.book import catalogue
from compendium.evidence.papers import read_yaml
from compendium.evidence.subtitles import LONGEST, MOST_USED, fill_subtitle
from compendium.evidence.texts import declared_of, paper_of
from compendium.evidence.verdicts import read_regenerated
from errorest.errors import UsageError

ROWS = pd.DataFrame(
    [
        ["fitted:other", "published", "loo", "bias", 9.0],
        ["literal", "enlarged", "loo", "bias", 8.0],
        ["literal", "published", "loo", "bias", -0.25],
        ["literal", "published", "app", "bias", -7.16],
        ["literal", "published", "app", "rms", 0.04],
    ],
    columns=["reading", "scale", "row", "column", "value"],
)


@pytest.mark.parametrize(
    ("subtitle", "expected"),
    [
        ("{loo | bias}", "−0.2"),
        ("{app | bias | digits=0} and {app|rms}", "−7 and 0.0"),
        ("{loo | bias | reading=fitted:other}", "9.0"),
        ("{* | bias | of=least | digits=2} to {* | bias | of=greatest | digits=2}", "−7.16 to −0.25"),
        ("{* | bias | of=mean | digits=3}", "−3.705"),
    ],
)
def test_numbers_come_from_the_published_rows(subtitle, expected):
    assert fill_subtitle(subtitle, ROWS) == expected


@pytest.mark.parametrize("subtitle", ["{loo | spread}", "{* | bias}"])
def test_no_number_or_several_are_refused(subtitle):
    with pytest.raises(UsageError, match=r"is [02] numbers"):
        fill_subtitle(subtitle, ROWS)


def subtitles():
    return {
        one: text
        for notebook in catalogue.NOTEBOOKS
        for one in catalogue.outline(notebook).shown
        if (text := declared_of(one).get("subtitle"))
    }


def test_the_most_used_figures_have_a_subtitle():
    used = [one for ids in read_yaml(MOST_USED).values() for one in ids]
    assert len(used) == len({*used}) == 30
    assert [one for one in used if one not in subtitles()] == []


@pytest.mark.parametrize("artifact", sorted(subtitles()))
def test_a_subtitle_is_a_line_with_the_numbers_of_its_rows_and_no_typed_ones(artifact):
    subtitle = subtitles()[artifact]
    recorded = read_regenerated(paper_of(artifact))
    filled = fill_subtitle(subtitle, recorded[recorded["artifact"] == artifact])
    assert len(filled) <= LONGEST
    assert re.search(r"\{[^{}]*\|", subtitle), "no number of the rows"
    typed = re.findall(r"(?<![\w.+-])\d+(?:\.\d+)?(?=\s?(?:%|points?|times)\b)", re.sub(r"\{[^{}]*\}", "", subtitle))
    assert typed == []
