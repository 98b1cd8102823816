"""Populations: exact true errors against closed forms and against large draws.

A simulated error rate of m draws is compared at 5 binomial standard deviations: a false alarm of 6e-7 a check,
under 1e-4 in all.  Seeds are fixed.
"""

import itertools
from math import inf, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from batteries import assert_refused
from compendium.methods.learners.threshold import IntervalClassifier, Threshold
from compendium.studies.populations import NormalClasses, TwoNormals, intervals_of
from errorest.data.sample import Sample
from errorest.learners.base import ConstantClassifier
from errorest.learners.neighbors import KNN

M = 400_000


def agrees(exact: float, observed: float, m: int = M) -> bool:
    return abs(observed - exact) <= 5 * sqrt(max(exact * (1 - exact), 1 / m) / m)


@settings(deadline=None)
@given(st.floats(1e-12, 0.5))
def test_a_population_of_an_inherent_error_has_it(error):
    population = TwoNormals.of_inherent_error(error)
    assert population.inherent_error == pytest.approx(error, rel=1e-9)
    assert population.best_threshold == pytest.approx(population.distance / 2)
    best = IntervalClassifier((population.best_threshold,), (0, 1))
    assert population.true_error(best) == pytest.approx(error, rel=1e-6, abs=1e-15)


@settings(deadline=None, max_examples=50)
@given(st.floats(0, 6), st.floats(0.02, 0.98), st.floats(-5, 8))
def test_no_threshold_does_better_than_the_best(distance, p0, t):
    population = TwoNormals(distance, p0)
    errors = population.error_of_thresholds(np.array([t, t]), np.array([False, True]))
    assert errors.sum() == pytest.approx(1.0)
    assert errors[0] >= population.inherent_error - 1e-12
    if distance == 0:
        assert population.inherent_error == pytest.approx(min(p0, 1 - p0))


def test_unequal_shares_move_the_best_threshold_by_the_log_odds():
    population = TwoNormals(2.0, 0.8)
    assert population.best_threshold == pytest.approx(1 + log(4) / 2)
    densities = [population.density(np.array([population.best_threshold]), c)[0] for c in (0, 1)]
    assert densities[0] == pytest.approx(densities[1])
    assert [TwoNormals(0.0, p).best_threshold for p in (0.3, 0.5, 0.7)] == [-inf, 0.0, inf]


def test_a_density_is_its_share_of_a_normal_one():
    x = np.linspace(-4, 8, 7)
    population = TwoNormals(3.0, 0.3)
    np.testing.assert_allclose(population.density(x, 0), 0.3 * norm.pdf(x), rtol=1e-14)
    np.testing.assert_allclose(population.density(x, 1), 0.7 * norm.pdf(x - 3), rtol=1e-14)


@pytest.mark.parametrize(
    "classifier",
    [
        IntervalClassifier((0.4,), (0, 1)),
        IntervalClassifier((0.4,), (1, 0)),
        IntervalClassifier((-0.5, 0.2, 1.1, 2.5), (1, 0, 1, 0, 1)),
        IntervalClassifier((), (1,)),
        IntervalClassifier((-inf,), (0, 1)),
        IntervalClassifier((inf,), (0, 1)),
        IntervalClassifier((1.0, 1.0), (0, 1, 1)),
    ],
)
@pytest.mark.parametrize("population", [TwoNormals(1.3), TwoNormals(0.7, 0.2)], ids=str)
def test_the_true_error_of_intervals_is_what_a_large_draw_shows(population, classifier):
    sampled = population.sample(M, np.random.default_rng(11))
    assert agrees(population.true_error(classifier), float((classifier.predict(sampled.X) != sampled.y).mean()))


@pytest.mark.parametrize("rule", ["literal", "class-0-mean"])
def test_the_true_error_of_fitted_classifiers_is_what_a_large_draw_shows(rule):
    population = TwoNormals.of_inherent_error(0.25)
    big = population.sample(M, np.random.default_rng(12))
    for seed in range(10):
        sample = population.sample(10, np.random.default_rng(seed))
        for fitted in (Threshold(rule).fit(sample), intervals_of(KNN(3).fit(sample))):
            observed = float((fitted.predict(big.X) != big.y).mean())
            assert agrees(population.true_error(fitted), observed)


def test_the_two_forms_of_a_threshold_s_true_error_agree():
    population = TwoNormals(1.7, 0.35)
    t = np.array([-inf, -2.0, 0.0, 0.85, 3.0, inf])
    for reverse, labels in ((False, (0, 1)), (True, (1, 0))):
        one_by_one = [population.true_error(IntervalClassifier((v,), labels)) for v in t]
        np.testing.assert_allclose(population.error_of_thresholds(t, np.full(6, reverse)), one_by_one, atol=1e-15)


def test_a_cut_point_belongs_to_the_interval_on_its_left():
    classifier = IntervalClassifier((0.0, 1.0), (1, 0, 1))
    assert classifier.predict(np.array([-1.0, 0.0, 1e-300, 1.0, 1.1])).tolist() == [1, 1, 0, 0, 1]
    assert classifier.predict(np.array([[0.5]])).tolist() == [0]


def test_samples_have_the_shares_means_and_spreads_of_the_population():
    population = TwoNormals(1.5, 0.3)
    sample = population.sample(M, np.random.default_rng(13))
    assert agrees(0.3, float((sample.y == 0).mean()))
    for c in (0, 1):
        x = sample.X[sample.y == c, 0]
        assert abs(x.mean() - 1.5 * c) < 5 / sqrt(x.size)
        assert abs(x.std() - 1) < 5 / sqrt(2 * x.size)


@pytest.mark.parametrize(
    "make",
    [
        lambda: TwoNormals(-0.1),
        lambda: TwoNormals(inf),
        lambda: TwoNormals(float("nan")),
        lambda: TwoNormals(1.0, 0.0),
        lambda: TwoNormals(1.0, 1.0),
        lambda: TwoNormals.of_inherent_error(0.0),
        lambda: TwoNormals.of_inherent_error(0.51),
        lambda: TwoNormals.of_inherent_error(25),
        lambda: TwoNormals.of_inherent_error(float("nan")),
    ],
)
def test_a_parameter_out_of_bounds_is_refused_with_what_to_do(make):
    assert_refused(None, make)


def plane(p0: float = 0.4) -> NormalClasses:
    covariances = np.array([[[1.0, 0.3], [0.3, 0.5]], [[0.6, -0.2], [-0.2, 1.5]]])
    return NormalClasses(np.array([[0.0, 0.0], [1.5, 1.0]]), covariances, p0)


def test_the_true_error_of_a_line_is_what_a_large_draw_shows():
    population = plane()
    sampled = population.sample(M, np.random.default_rng(14))
    direction = np.array([1.0, 0.5])
    wrong = (sampled.X @ direction - 1.2 > 0) != (sampled.y == 1)
    assert agrees(population.linear_error(direction, -1.2), float(wrong.mean()))


def test_the_best_line_is_no_worse_than_any_other_and_the_best_boundary_no_worse_than_it():
    population = plane()
    direction, offset, error = population.best_linear()
    assert error == pytest.approx(population.linear_error(direction, offset))
    g = np.random.default_rng(15)
    assert all(population.linear_error(g.normal(size=2), g.normal()) >= error - 1e-9 for _ in range(200))
    least = population.error_of(lambda X: population.log_ratio(X) > 0)
    assert least < error
    assert population.error_of(lambda X: X @ direction + offset > 0) == pytest.approx(error, abs=1e-4)


def test_with_equal_covariances_the_best_line_is_the_least_error_boundary():
    population = NormalClasses(np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([np.eye(2)] * 2))
    _, _, error = population.best_linear()
    assert error == pytest.approx(norm.cdf(-1.0), abs=1e-9)
    assert population.error_of(lambda X: population.log_ratio(X) > 0) == pytest.approx(error, abs=1e-4)


def test_a_constant_s_error_on_the_plane_is_the_other_class_s_share():
    assert plane(0.4).error_of(ConstantClassifier(1).predict) == pytest.approx(0.4, abs=1e-6)
    X = np.array([[0.3, -0.2]])
    from scipy.stats import multivariate_normal

    population = plane()
    parts = [
        log(share) + multivariate_normal(population.means[c], population.covariances[c]).logpdf(X)
        for c, share in ((0, 0.4), (1, 0.6))
    ]
    assert population.log_ratio(X)[0] == pytest.approx(parts[1] - parts[0])


@pytest.mark.parametrize("ties", ["nearest", "lowest-class"])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_intervals_predict_what_neighbours_predict_off_the_cut_points(k, ties):
    rng = np.random.default_rng(k)
    for repeat in range(40):
        n = int(rng.integers(k, 14))
        # half of the samples stand on a coarse grid: repeated values, with equal and unequal classes
        x = rng.integers(0, 6, n).astype(float) if repeat % 2 else rng.normal(size=n)
        sample = Sample.from_arrays(x, rng.integers(0, 3, n), classes=["a", "b", "c"])
        for training in (sample, sample.take(np.sort(rng.integers(0, n, n)))):
            classifier = KNN(k, ties).fit(training)
            intervals = intervals_of(classifier)
            at = rng.uniform(-3, 9, (300, 1))
            np.testing.assert_array_equal(intervals.predict(at), classifier.predict(at))
            assert all(a != b for a, b in itertools.pairwise(intervals.labels))
            assert all(a < b for a, b in itertools.pairwise(intervals.cuts))
