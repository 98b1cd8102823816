"""Sections 4 and 7 of Shakhnarovich et al.: boundaries, discrete kernels, rejection, equations, clones of Pima."""

import numpy as np
import pytest
from scipy import integrate, stats

from compendium.papers.shakhnarovich.kernels.equations import equations
from compendium.papers.shakhnarovich.kernels.figure_1 import figure_1
from compendium.papers.shakhnarovich.kernels.figure_2 import correct_density, figure_2
from compendium.papers.shakhnarovich.kernels.figure_3 import figure_3
from compendium.papers.shakhnarovich.kernels.figures_6_7 import figure_7, largest_gap
from compendium.papers.shakhnarovich.kernels.lemma_2 import distance_of, lemma_2
from compendium.papers.shakhnarovich.kernels.parameters import ClonesParameters
from compendium.studies.study import run_study
from study_measures import values

SMALL = ClonesParameters(draws=20_000, spread_samples=10, resamples=10)
MANY_DRAWS = SMALL.model_copy(update={"draws": 200_000})


def test_the_share_of_a_kernel_inside_its_bounds_is_its_integral():
    result = values(figure_1(SMALL, run_study))
    inside, _ = integrate.quad(lambda x: 0.75 * (1 - x * x), -0.3, 1)
    second, _ = integrate.quad(lambda x: 0.75 * (1 - x * x), -0.5, 1)
    assert result["one-dimension", "share-inside"] == pytest.approx(inside)
    assert result["two-dimensions", "share-inside"] == pytest.approx(inside * second)
    assert result["two-dimensions", "rises-by-factor"] == pytest.approx(1 / (inside * second))


def test_redrawing_draws_from_the_corrected_kernel():
    result = figure_1(MANY_DRAWS, run_study)
    assert result.checks[0].outcome == "holds"
    # twenty thousand draws tell no difference of a hundredth
    assert figure_1(SMALL, run_study).checks[0].outcome == "not decided"


def test_the_corrected_estimate_of_figure_2_has_area_only_where_the_density_lives():
    curves = figure_2(SMALL, run_study).data["curves"]
    left = curves[curves["x"] < 0]
    assert (left["corrected"] == 0).all()
    assert (left["plain"] > 0).any()
    right = curves[curves["x"] > 0]
    assert (right["corrected"] >= right["plain"] - 1e-12).all()


def test_a_change_of_scale_changes_no_improvement():
    sample = np.random.default_rng(3).gamma(1.1, 1.0, 200)
    _, one, *_ = correct_density(sample, 1.1, 1.0)
    _, two, *_ = correct_density(7 * sample, 1.1, 7.0)
    assert one == pytest.approx(two, rel=1e-6)


def test_discrete_kernels_are_the_powers_of_the_bandwidth_by_hand():
    result = values(figure_3(SMALL, run_study))
    h = 0.05 ** (1 / np.var([0, 2, 3, 4, 10], ddof=1))
    assert result["sample", "bandwidth"] == pytest.approx(h)
    weights = [h ** ((v - 3) ** 2) for v in (0, 2, 3, 4, 10)]
    assert result["centre=3", "value=4"] == pytest.approx(weights[3] / sum(weights))
    for centre in (0, 2, 3, 4, 10):
        assert sum(v for (row, _), v in result.items() if row == f"centre={centre}") == pytest.approx(1)


def test_rejection_takes_three_halves_of_a_trial_and_not_three():
    result = lemma_2(MANY_DRAWS, run_study)
    row = next(r for r in result.rows if r.column == "expected-trials")
    assert abs(row.value - 1.5) < 4 * row.se
    assert abs(row.value - 3) > 40 * row.se
    # trials of one draw are geometric: variance (1 - p)/p^2 with p = 2/3
    assert row.se == pytest.approx(np.sqrt(0.75 / MANY_DRAWS.draws), rel=0.05)
    assert [c.outcome for c in result.checks] == ["holds", "fails"]


def test_only_the_fifth_root_of_equation_11_minimises_the_error():
    results = {(r.reading, r.row, r.column): r.value for r in equations(SMALL, run_study).rows}
    assert results["fitted:power-one-fifth", "equation-11", "error-over-least"] == pytest.approx(1, abs=1e-6)
    assert results["literal", "equation-11", "error-over-least"] > 2
    # Wand & Jones: the best bandwidth for a normal density is (15/(n psi_4))^(1/5), psi_4 = 3/(8 sqrt(pi))
    best = (15 / (1000 * 3 / (8 * np.sqrt(np.pi)))) ** 0.2
    assert results["fitted:power-one-fifth", "equation-11", "bandwidth"] == pytest.approx(best)


def test_joint_densities_and_not_conditional_ones_sum_to_the_marginal():
    result = values(equations(SMALL, run_study))
    assert result["equation-24", "sum-of-joint"] == pytest.approx(result["equation-24", "density-without-the-last"])
    assert result["equation-24", "sum-of-conditional"] == pytest.approx(1)


def test_the_gap_of_two_samples_is_that_of_kolmogorov_and_smirnov():
    rng = np.random.default_rng(5)
    x, y = rng.integers(0, 6, 40).astype(float), rng.integers(1, 8, 55).astype(float)
    assert largest_gap(x, y) == pytest.approx(stats.ks_2samp(x, y).statistic)


def test_a_clone_has_distinct_cases_and_no_spike_and_a_bootstrap_sample_the_reverse():
    result = values(figure_7(SMALL, run_study))
    assert result["original", "distinct-points"] == result["clone", "distinct-points"] == 768
    assert result["bootstrap-sample", "expected-distinct-points"] == pytest.approx(768 * (1 - (1 - 1 / 768) ** 768))
    # ten samples, each with a standard deviation of about 8.4 points
    assert abs(result["bootstrap-sample", "mean-distinct-points"] - 485.65) < 4 * 8.4 / np.sqrt(10)
    assert result["original", "share-at-spike"] == pytest.approx(374 / 768)
    assert result["clone", "share-at-spike"] < 0.1
    assert abs(result["bootstrap-sample", "share-at-spike"] - 374 / 768) < 0.03


def test_the_bound_on_a_distance_holds_in_19_of_20_runs():
    # 400 runs of 500 draws from the right distribution: a share below .95 - 4 x .011 is a false alarm once in 16,000
    rng = np.random.default_rng(8)
    inside = 0
    for _ in range(400):
        distance = stats.kstest(rng.uniform(size=500), "uniform").statistic
        inside += distance <= 1.96 * distance_of(distance, 500).se
    assert inside / 400 > 0.95 - 4 * 0.011
