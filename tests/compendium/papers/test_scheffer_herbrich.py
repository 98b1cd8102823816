"""The examples of Scheffer & Herbrich: the readings that the numbers were read with, and their keys."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest
from scipy.special import binom

from compendium.book.session import regenerated_frame
from compendium.evidence.results import ResultsByScale, read_errata
from compendium.evidence.verdicts import read_regenerated
from compendium.methods.tuning_bias.distributions import most_frequent_in_folds
from compendium.papers.bootstrap import distinct_share
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


def test_the_errata_quote_what_the_equations_give():
    evidence = {
        e["place"]: f"{e['printed']} {e['evidence']}"
        for one in read_errata("scheffer-herbrich").values()
        for e in one["errata"]
    }
    land_sat, _, dna = data.one_shot_examples()
    # as printed p_h/H stands where the hits belong
    m, c, k = land_sat.m, land_sat.labels, np.arange(land_sat.extra, land_sat.labels + 1)
    printed, meant = (
        (binom(hits, c - k) * binom(m - hits, k) / binom(m, c)).sum()
        for hits in (land_sat.hits / land_sat.entropy, land_sat.hits)
    )
    assert f"{printed:.4f} as printed and {meant:.4f}" in evidence["equation (5)"]
    assert f"(4) gives {land_sat.chance():.4f}" in evidence["equation (5)"]
    # c (3/2 - c/2 + n) - n for c = 6 classes and n = 60 objects, and as printed, the other way round
    assert f"{6 * (1.5 - 6 / 2 + 60) - 60:.0f} trials" in evidence["footnote 1"]
    assert f"{60 * (1.5 - 60 / 2 + 6) - 6:.0f}" in evidence["footnote 1"]
    assert f"wrong on {value('land-sat', 'default-error'):.4f}" in evidence["section 2.4, Land-sat"]
    tens = value("dna", "parameters-of-10-values", "fitted:truncated-bits")
    assert f"{int(dna.bits)} bits are {tens:.2f}" in evidence["section 2.4, DNA"]
    first = read_errata("scheffer-herbrich")["scheffer-herbrich-one-shot"]["errata"][4]
    assert f"{100 * distinct_share(100):.1f} distinct" in first["evidence"]
    mesh = data.per_fold_examples()[0]
    assert f"a gain of {mesh.extra + 1} hits" in evidence["section 3, before equation (7)"]
    diabetes, tree, knn, _ = data.fixed_examples()
    # as printed the last factor of the recursion is P(Y_c = l) in place of P(Y_c = r)
    one = np.array([most_frequent_in_folds(9, knn.default_share).at(v) for v in range(10)])
    total = float(one @ np.cumsum(one))
    assert f"add up to {total:.3f}" in evidence["equation (19)"]
    assert f"{diabetes.bits:.1f} bits" in evidence["section 4.1, diabetes"]
    extra, poor, default = (
        e["evidence"]
        for e in read_errata("scheffer-herbrich")["scheffer-herbrich-fixed"]["errata"]
        if e["place"] == "section 4.1, heart disease"
    )
    assert f"{tree.bits:.2f} bits and {tree.trials} trials" in extra
    assert f"{tree.hits} hits in a fold of {tree.m}" in poor
    assert f"{knn.default_share:.3f} against {knn.hits}/{knn.m} = {knn.hits / knn.m:.3f}" in default
    own = next(c.evidence for c in made()["scheffer-herbrich-fixed"].checks if "own hits" in c.claim)
    assert "right on 216 of 270 cases" in own
    assert "right on 216 of 270 cases" in poor
    assert f"{9 * (10 * 5 + 1)} fits" in evidence["section 5"]


def test_where_no_number_of_folds_fits_none_is_given():
    e = next(e for e in examples() if e.row == "diabetes" and e.setting == "per-fold")
    assert data.folds_that_fit(replace(e, wanted=0.5), 768, 561, range(2, 21)) == {}
