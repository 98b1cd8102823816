"""The examples of Scheffer & Herbrich: the readings that the numbers were read with, and their keys."""

from dataclasses import replace
from functools import lru_cache

import pandas as pd
import pytest

from compendium.book.session import regenerated_frame
from compendium.evidence.results import ResultsByScale
from compendium.evidence.verdicts import read_regenerated
from compendium.papers.scheffer_herbrich import examples as data
from compendium.papers.scheffer_herbrich.fixed import fixed
from compendium.papers.scheffer_herbrich.one_shot import one_shot
from compendium.papers.scheffer_herbrich.parameters import CalculationParameters
from compendium.papers.scheffer_herbrich.per_fold import per_fold

P = CalculationParameters(experiments=100)
ARTIFACTS = {f"scheffer-herbrich-{make.__name__.replace('_', '-')}": make for make in (one_shot, per_fold, fixed)}


def examples():
    return [*data.one_shot_examples(), *data.per_fold_examples(), *data.fixed_examples()]


@lru_cache(maxsize=1)
def made():
    return {artifact: make(P) for artifact, make in ARTIFACTS.items()}


@lru_cache(maxsize=1)
def table():
    return pd.concat([regenerated_frame(one, ResultsByScale({"published": result})) for one, result in made().items()])


def value(row, column, reading=None):
    t = table()
    return t[(t.row == row) & (t.column == column) & (t.reading == (reading or t.reading))].value.iloc[0]


def test_rows_are_the_recorded_ones():
    keys = ["artifact", "reading", "row", "column"]
    recorded = read_regenerated("scheffer-herbrich").set_index(keys)["value"]
    rows = table().set_index(keys)["value"]
    pd.testing.assert_series_equal(rows, recorded[rows.index], rtol=1e-12)


def test_no_number_that_the_examples_take_as_given_has_a_row():
    # a hit count read off the print would agree with it whatever the truth
    given = {(e.row, e.hits) for e in examples() if e.reading != "literal"}
    rows = table()
    for row, hits in given:
        assert not ((rows["row"] == row) & (rows.value == hits) & rows.column.str.startswith("hits")).any()


def test_reported_labels_are_the_least_that_reach_the_chance():
    for e in examples():
        c = e.least_labels()
        assert e.chance(int(c)) >= e.wanted > e.chance(int(c) - 1)


def test_hits_are_the_fewest_that_make_the_accuracy():
    for cases, accuracy in [(2000, 0.85), (277, 0.21), (768, 0.73)]:
        hits = data.fewest_hits(cases, accuracy)
        assert hits / cases >= accuracy - 1e-12 > (hits - 1) / cases


def test_uneven_folds_of_one_size_are_the_even_ones():
    uneven = data.uneven_gain("fixed", 768, 47 * 12, 7, 12, 500 / 768)
    assert uneven.at_least(6) == pytest.approx(0.0211, abs=5e-5)


def test_where_no_number_of_folds_fits_none_is_given():
    e = next(e for e in examples() if e.row == "diabetes" and e.setting == "per-fold")
    assert data.folds_that_fit(replace(e, wanted=0.5), 768, 561, range(2, 21)) == {}
