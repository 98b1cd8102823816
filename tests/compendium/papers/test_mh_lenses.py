"""Section 6 of Martin & Hirschberg: the lens population, statistics of six samples, tables and figures."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from compendium.papers.martin_hirschberg.lenses import study
from compendium.papers.martin_hirschberg.lenses.blocks import Blocks, deviation
from compendium.papers.martin_hirschberg.lenses.figure_10 import fewest_leaves
from compendium.papers.martin_hirschberg.lenses.figure_14 import zero_of
from compendium.papers.martin_hirschberg.lenses.population import CASES, Lenses
from compendium.papers.martin_hirschberg.lenses.table_11 import table_11, text_correlations
from compendium.papers.martin_hirschberg.lenses.table_15_regression import regression
from compendium.papers.martin_hirschberg.lenses.text import distinct_items, largest_tree, lenses_24
from compendium.studies.experiment import wide
from errorest.data.sample import Sample
from errorest.data.sets import load

SMALL = study.LensesParameters(
    readings=["gain-3102", "gain-ratio-none"],
    noise_readings=["gain-3102", "misclassification-3102"],
    sizes=[24, 48],
    noise_sizes=[24, 48],
    noise_levels=[0.05, 0.25],
    samples=4,
    many_samples=12,
    repeats=20,
    cv_repeats=2,
    bootstrap_replicates=5,
)


def of(rows, **wanted):
    return {(r.row, r.column): r for r in rows if all(getattr(r, k) == v for k, v in wanted.items())}


def test_a_wrong_label_is_the_next_of_hard_soft_none():
    population = Lenses.with_noise(0.1)
    classes = population.cells.classes
    wrong = {c: classes[w] for c, w in zip(classes, population.wrong_label, strict=True)}
    assert wrong == {"hard": "soft", "soft": "none", "none": "hard"}


def test_a_sample_draws_cells_evenly_and_labels_wrong_with_the_probability_requested_for():
    # counts of 24 cells and of wrong labels within 4.5 standard deviations: false alarm below 1 in 1000, seed fixed
    population = Lenses.with_noise(0.25)
    sample = population.sample(24_000, np.random.default_rng(1))
    key = {tuple(x): i for i, x in enumerate(population.cells.X)}
    cell = np.array([key[tuple(x)] for x in sample.X])
    assert abs(np.bincount(cell, minlength=24) - 1000).max() < 4.5 * np.sqrt(1000)
    correct = population.cells.y[cell]
    wrong = sample.y != correct
    assert abs(wrong.sum() - 6000) < 4.5 * np.sqrt(24_000 * 0.25 * 0.75)
    np.testing.assert_array_equal(sample.y[wrong], population.wrong_label[correct[wrong]])


def test_the_true_error_is_the_papers_formula_and_the_exact_one_is_what_fresh_cases_show():
    # the observed rate of 200,000 cases within 4.5 standard deviations: false alarm below 1 in 100,000, seed fixed
    population = Lenses.with_noise(0.25)
    tree = study.INDUCERS["gain-3102"].fit(population.sample(12, np.random.default_rng(3)))
    labels = tree.predict(population.cells.X)
    by_hand = sum(0.25 if p == c else 0.75 for p, c in zip(labels, population.cells.y, strict=True)) / 24
    assert population.true_error(tree) == pytest.approx(by_hand)
    fresh = population.sample(200_000, np.random.default_rng(4))
    rate = (tree.predict(fresh.X) != fresh.y).mean()
    assert population.exact_error(tree) > population.true_error(tree)
    assert abs(rate - population.exact_error(tree)) < 4.5 * 0.5 / np.sqrt(200_000)


def test_expected_distinct_items_are_what_listing_all_draws_gives():
    draws = list(product(range(3), repeat=4))
    assert distinct_items(4, 3) == pytest.approx(np.mean([len(set(d)) for d in draws]))


def test_the_largest_lens_tree_has_46_nodes_and_24_leaves_and_the_smallest_correct_one_9_leaves():
    sample = load(CASES)

    def largest(arity):
        return 1 + max((a * largest(arity[:i] + arity[i + 1 :]) for i, a in enumerate(arity)), default=0)

    arity = [len(a.categories) for a in sample.attributes]
    assert largest_tree(arity) == (largest(arity), 24) == (46, 24)
    assert fewest_leaves(sample) == 9


def test_fewest_leaves_of_a_parity_are_all_cells():
    cells = load(CASES)
    parity = Sample(cells.X, cells.X.sum(axis=1).astype(int) % 2, cells.attributes, ("even", "odd"))
    assert fewest_leaves(parity) == 24


def of_blocks(statistic, size, shown, values):
    frame = pd.DataFrame({"x": values / 100, "shown": np.arange(len(values)) < size * shown})
    return Blocks(frame, size=size).of_blocks(statistic, "x")


def test_a_statistic_of_blocks_has_the_spread_of_the_blocks_and_the_mean_of_those_shown():
    values = np.array([1.0, 3.0, 2.0, 2.0, 6.0, 8.0])
    means = [2.0, 2.0, 7.0]
    first = of_blocks(np.mean, 2, 1, values)
    assert (first.value, first.n) == (pytest.approx(2.0), 2)
    assert first.se == pytest.approx(np.std(means, ddof=1))
    shown = of_blocks(np.mean, 2, 3, values)
    assert shown.value == pytest.approx(np.mean(means))
    assert shown.se == pytest.approx(np.std(means, ddof=1) / np.sqrt(3))
    assert shown.n == 6


def test_blocks_without_a_value_are_left_out_and_a_lone_block_has_no_error():
    def never_first(x):
        return float("nan") if x[0] == 0 else float(x[0])

    assert of_blocks(never_first, 1, 3, np.array([0.0, 2.0, 4.0])).n == 2
    assert np.isnan(of_blocks(never_first, 1, 1, np.array([0.0, 2.0, 4.0])).value)
    assert np.isnan(of_blocks(np.mean, 2, 1, np.array([1.0, 3.0])).se)


def test_equal_values_have_no_deviation_whatever_their_rounding():
    assert deviation(np.full(6, 5 / 24)) == 0.0


def test_the_regression_is_least_squares_with_sandwich_errors():
    rng = np.random.default_rng(2)
    x = rng.normal(size=40)
    y = 1.0 + 2.0 * x + rng.normal(size=40) * (1 + x**2)
    design = np.column_stack([np.ones(40), x])
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ design.T @ y
    residual = y - design @ beta
    covariance = inverse @ (design.T * residual**2) @ design @ inverse * 40 / 38
    for fitted, value, variance in zip(regression(x, y), beta, np.diag(covariance), strict=True):
        assert fitted.value == pytest.approx(value)
        assert fitted.se == pytest.approx(np.sqrt(variance))


def test_leave_one_out_on_the_lenses_is_exact_and_the_apparent_error_zero(run):
    p = SMALL.model_copy(update={"readings": list(study.INDUCERS), "repeats": 2})
    made = lenses_24(p, run)
    for name in study.INDUCERS:
        rows = of(made.rows, reading=study.READINGS[name])
        wrong = 3 if name.startswith("misclassification") else 5
        assert rows["loo", "mean-percent"].value == pytest.approx(100 * wrong / 24)
        for key in (("loo", "mean-percent"), ("resubstitution", "mean-percent"), ("true-error", "mean-percent")):
            assert rows[key].se == 0.0
        assert rows["resubstitution", "mean-percent"].value == 0.0


def test_the_published_scale_is_the_first_group_of_the_enlarged_one(run):
    small, large = table_11(SMALL, run), table_11(SMALL.enlarged(), run)
    results = wide(run(study.sizes_study(SMALL)), "gain-3102")
    values = 100 * results.loc[results["n"] == 24, "cv-10"].to_numpy()
    first = of(small.rows, reading="fitted:gain-3102")["cv-10", "mean-percent/N=24"]
    every = of(large.rows, reading="fitted:gain-3102")["cv-10", "mean-percent/N=24"]
    assert first.value == pytest.approx(values[:4].mean())
    assert every.value == pytest.approx(values.mean())
    assert (first.n, every.n) == (4, 80)
    assert first.se == pytest.approx(every.se * np.sqrt(20))
    alone = table_11(SMALL.model_copy(update={"repeats": 1}), run)
    assert of(alone.rows, reading="fitted:gain-3102")["cv-10", "mean-percent/N=24"].value == first.value


def test_the_sign_change_is_the_zero_of_a_line_that_falls():
    # a bias of +3 at 10 % and of -1 at 30 % is zero at 25 %
    assert zero_of(np.array([10.0, 30.0]), np.array([3.0, -1.0])) == pytest.approx(25.0)
    for x, y in (([10.0, 30.0], [-1.0, 3.0]), ([10.0, 10.0], [3.0, -1.0]), ([10.0], [3.0])):
        assert np.isnan(zero_of(np.array(x), np.array(y)))


def test_a_correlation_of_few_pairs_is_enlarged_to_the_mean_over_groups(run):
    made = text_correlations(SMALL.enlarged(), run)
    results = wide(run(study.sizes_study(SMALL)), "gain-3102")
    cell = results[results["n"] == 24]
    pairs = cell[["bootstrap-632", "true-error"]].to_numpy().reshape(20, 4, 2)
    each = [np.corrcoef(g.T)[0, 1] for g in pairs if np.ptp(g, axis=0).min() > 0]
    row = of(made.rows, reading="fitted:gain-3102")["bootstrap-632", "N=24"]
    assert row.value == pytest.approx(np.mean(each))
    assert row.n == 4 * len(each)
    whole = of(made.rows, reading="fitted:gain-3102")["bootstrap-632", "N=24/all-samples"]
    assert whole.value == pytest.approx(np.corrcoef(pairs.reshape(80, 2).T)[0, 1])
