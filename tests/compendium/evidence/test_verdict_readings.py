"""Which reading of a paper is the headline: a literal one where one was run, a fitted one only where nothing else is.

The rows are those of the last complete build; what a design would yield next is asked of the designs.
"""

import pandas as pd
import pytest

from compendium.evidence.judging import VERDICTS
from compendium.evidence.verdicts import (
    PAPERS,
    compare,
    counted_once,
    counts,
    headline,
    read_published,
    read_regenerated,
    tally,
)
from compendium.papers.kohavi.inducers import column_and_reading
from compendium.papers.kohavi.parameters import StudyParameters, TruthParameters
from compendium.papers.shakhnarovich.cases import Case, to_zero, zero_reading
from compendium.papers.shakhnarovich.methods import PLUS, TO_ZERO, estimators_for

KINDS = ("literal", "unstated", "fitted")


@pytest.mark.parametrize("paper", [p for p in PAPERS if len(read_published(p)) and len(read_regenerated(p))])
def test_no_headline_is_fitted_where_a_literal_row_exists(paper):
    judged = compare(read_published(paper), read_regenerated(paper)).set_index(["artifact", "row", "column"])
    known = judged[judged["reading"] != ""]
    rank = known["reading"].str.partition(":")[0].map(KINDS.index)
    least = rank.groupby(level=[0, 1, 2]).min()
    shown = headline(known.assign(rank=rank).reset_index()).set_index(least.index.names)["rank"]
    assert shown.index[shown > least.loc[shown.index]].tolist() == []


@pytest.mark.parametrize("design", [TruthParameters(), StudyParameters()], ids=lambda p: p.notebook)
def test_of_each_of_kohavi_s_inducers_the_literal_reading_comes_first(design):
    first = {}
    for name in design.inducers:
        column, reading = column_and_reading(name)
        first.setdefault(column, reading)
    assert first == {"c4.5": "literal", "naive-bayes": "literal"}


def test_the_632plus_of_the_text_stands_under_the_printed_name_and_the_fitted_form_under_its_own():
    made = estimators_for(PLUS, 10)
    assert [made[name].variant for name in PLUS] == [made[PLUS[0]].variant] * 2
    assert all(made[TO_ZERO[name]].variant == "zero-outside" != made[name].variant for name in PLUS)
    assert to_zero(Case(pd.DataFrame(), "literal")).reading == zero_reading("literal") == "fitted:r-to-zero"
    assert zero_reading("fitted:gamma-0.2") == "fitted:gamma-0.2-r-to-zero"


def test_a_number_that_is_printed_again_in_a_summary_is_counted_once():
    judged = compare(read_published("shakhnarovich"), read_regenerated("shakhnarovich"))
    once = counted_once(judged)
    repeated = headline(judged).drop(once.index)
    assert {*repeated["artifact"]} == {f"shakhnarovich-table-{n}" for n in (2, 4, 5)}
    assert sum(counts(judged).values()) == tally(judged)[[*VERDICTS]].to_numpy().sum() == len(once)
    # the true error has fewer digits, and three of the others are misprints
    there = {float(one) for one in once["printed"] if one.replace(".", "", 1).isdigit()}
    again = repeated[~repeated["column"].isin(["true-error"])]["printed"].astype(float)
    assert sum(one not in there and round(one, 3) not in there for one in again) < 0.02 * len(again)
    assert {*once.loc[once["artifact"] == "shakhnarovich-table-5", "row"]} == {"alpha"}
