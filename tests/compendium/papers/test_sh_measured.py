"""Tuning measured: estimates from the fits that they may see, biases pooled as they should be, pictures with words."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from compendium.methods.tuning_bias import tuning_bias
from compendium.papers.scheffer_herbrich import calculator, tuning
from compendium.papers.scheffer_herbrich.equations import gain_one_shot
from compendium.papers.scheffer_herbrich.independence import agreement, coupling
from compendium.papers.scheffer_herbrich.parameters import CalculatorParameters
from compendium.studies.replicates import each_replicate
from errorest.data import sets as datasets
from errorest.learners.neighbors import KNN
from errorest.resampling.draw import k_fold
from errorest.streams import Streams

CELL = {"data": "heart", "inducer": "k-nn", "n": 80, "held_out": 60, "folds": 3, "inner_folds": 3}


def measured_columns(design, cell, replicates, streams):
    return {name: np.array(values) for name, values in each_replicate(design)(cell, replicates, streams).items()}


@pytest.mark.parametrize(("settings", "tried"), [(1, 1), (4, 1), (5, 3), (6, 6)])
def test_the_best_of_a_subset_is_counted_over_all_subsets(settings, tried):
    brute = np.zeros(settings)
    subsets = list(itertools.combinations(range(settings), tried))
    for subset in subsets:
        brute[min(subset)] += 1 / len(subsets)
    assert tuning.first_of_subset(settings, tried) == pytest.approx(brute)


def test_subset_sizes_are_powers_of_two_and_the_whole_grid():
    assert tuning.subset_sizes(16) == [1, 2, 4, 8, 16]
    assert tuning.subset_sizes(6) == [1, 2, 4, 6]
    assert {len(grid()) for grid in tuning.GRIDS.values()} == {16}


def grid_fits(flip=()):
    sample = datasets.load("heart").take(Streams(1).generator("some").permutation(270)[:140])
    y = sample.y.copy()
    y[list(flip)] = 1 - y[list(flip)]
    return tuning._fits(replace(sample, y=y), [KNN(k=1), KNN(k=5), KNN(k=9)], 80, 4, 3, Streams(5))


def test_a_folds_own_labels_do_not_choose_its_setting_in_nested_folds():
    whole = grid_fits()
    split = k_fold(80, 4, Streams(5).generator("folds"))
    for fold in range(4):
        test = split.cases[split.start[fold] : split.start[fold + 1]]
        errors, away, inner, _, _ = grid_fits(flip=test)
        assert np.array_equal(inner[:, fold], whole[2][:, fold])
        assert np.array_equal(away[:, fold], whole[1][:, fold])
        assert not np.array_equal(errors[:, fold], whole[0][:, fold])


def test_labels_contained_out_change_nothing_that_is_reported():
    whole, other = grid_fits(), grid_fits(flip=range(80, 140))
    assert np.array_equal(whole[0], other[0])
    assert np.array_equal(whole[2], other[2])
    assert other[3] == pytest.approx(1 - whole[3])


def test_estimates_of_a_grid_worked_by_hand():
    errors = np.array([[0.2, 0.4], [0.3, 0.1]])
    away = np.array([[0.5, 0.6], [0.7, 0.8]])
    inner = np.array([[3.0, 2.0], [1.0, 2.0]])
    result = tuning._estimates(errors, away, inner, np.array([0.35, 0.45]), np.array([0.5, 0.5]), [1, 2])
    assert result["untuned"] == pytest.approx(0.3)
    assert result["best-of-grid"] == pytest.approx(0.2)
    assert result["best-of-grid/held-out"] == pytest.approx(0.45)
    assert result["per-fold"] == pytest.approx(0.15)
    assert result["per-fold/held-out"] == pytest.approx((0.5 + 0.8) / 2)
    # inner folds choose setting 1 in fold 0, and of the tie in fold 1 the first
    assert result["nested"] == pytest.approx((0.3 + 0.4) / 2)
    assert result["best-of-grid/tried=1"] == pytest.approx(0.25)
    assert result["best-of-grid/held-out/tried=1"] == pytest.approx(0.4)
    assert result["per-fold/tried=2"] == result["per-fold"]
    assert result["best-of-grid/tried=2"] == result["best-of-grid"]


def test_tuning_per_fold_reports_the_least_and_more_settings_report_less():
    out = measured_columns(tuning.tuning, CELL, range(3), Streams(3))
    assert (out["per-fold"] <= out["best-of-grid"] + 1e-12).all()
    assert (out["best-of-grid"] <= out["untuned"] + 1e-12).all()
    for way in ("best-of-grid", "per-fold"):
        curve = np.array([out[f"{way}/tried={t}"] for t in tuning.subset_sizes(16)])
        assert (np.diff(curve, axis=0) <= 1e-12).all()
        assert curve[-1] == pytest.approx(out[way])


def test_coupling_is_measured_with_both_calculations_with_it():
    cell = {"data": "heart", "inducer": "k-nn", "folds": 9, "extra": 6, "told": [2, 9], "experiments": 400}
    out = measured_columns(coupling, cell, range(2), Streams(4))
    assert all(
        ((out[f"{way}/c=9"] >= 0) & (out[f"{way}/c=9"] <= 1)).all() for way in ("measured", "equation", "coupled")
    )
    # the mean gain does not depend on what is coupled with what
    assert out["equation/gain/c=9"] == pytest.approx(out["coupled/gain/c=9"])
    assert (out["hits/default"] > out["hits/other"]).all()


def test_a_pooled_bias_counts_a_sample_once_however_many_inducers_share_it():
    one = pd.DataFrame({"data": "heart", "inducer": "k-nn", "replicate": range(6), "bias": [1.0, 2, 3, 4, 5, 6]})
    both = pd.concat([one, one.assign(inducer="tree")])
    assert tuning.pooled(both) == tuning.pooled(one)


def test_no_success_in_few_runs_is_no_proof_of_a_small_chance():
    cell = pd.DataFrame({"measured/c=9": np.zeros(5), "equation/c=9": np.full(5, 1e-4) + 1e-6 * np.arange(5)})

    def outcome(found, experiments):
        return agreement("heart", "tree", found, 9, "equation", experiments).outcome

    assert outcome(cell, 200) == "not decided"
    assert outcome(cell, 10_000_000) == "fails"
    assert outcome(cell.assign(**{"measured/c=9": cell["equation/c=9"]}), 10_000_000) == "holds"


def test_the_calculators_tables_are_the_calculators_answers():
    p = CalculatorParameters(sizes=[100], trials=[1, 30], gains=[0.05], map_steps=20)
    answer = tuning_bias(100, accuracy=p.accuracy, classes=2, trials=30)
    rows = {(r.row, r.column): r.value for r in calculator.biases(p).rows}
    for scenario in answer.scenarios:
        assert rows["m=100/t=30", f"{scenario.name}/bias-percent"] == pytest.approx(100 * scenario.expected_bias)
    cells = calculator.heat_map(p).data["map"].dropna().sample(20, random_state=1)
    for m, c, chance in cells.to_numpy():
        hits, wanted = int(np.floor(p.accuracy * m + 0.5)), int(np.ceil(p.map_gain * m - 1e-9))
        assert chance == pytest.approx(gain_one_shot(int(m), hits, int(c)).at_least(wanted), rel=1e-9)
