"""Fisher's linear discriminant: batch and stack against loop, scikit-learn, linear algebra and hand-worked cases."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import softmax
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from batteries import random_sample
from compendium.methods.conformance import every_scheme
from errorest.data.sample import Attribute, Sample
from errorest.learners import LinearDiscriminant, NaiveBayes, predict_by_loop
from errorest.learners.wide_scores import LEAST_ATTRIBUTES
from errorest.symmetric_matrices import cholesky, eigen, solve


@pytest.mark.parametrize("priors", ["equal", "sample"])
@pytest.mark.parametrize(("n", "d", "classes"), [(14, 5, 2), (100, 10, 2), (60, 3, 4), (200, 18, 4), (40, 1, 3)])
def test_probabilities_and_labels_are_those_of_scikit_learn(n, d, classes, priors):
    sample = random_sample(n, d, classes, seed=n)
    rng = np.random.default_rng(d)
    # units that differ by factors of a thousand
    units = 10.0 ** rng.integers(-3, 4, d)
    sample = Sample.from_arrays(sample.X * units, sample.y, classes=sample.classes)
    tested = (rng.normal(size=(2000, d)) + rng.integers(0, classes, (2000, 1))) * units
    shares = np.full(classes, 1 / classes)
    if priors == "sample":
        # scikit-learn divides the covariance by n, not by n - k, which weighs the priors less
        shares = (sample.class_counts() / n) ** (n / (n - classes))
        shares /= shares.sum()
    other = LinearDiscriminantAnalysis(solver="svd", priors=shares, tol=1e-12).fit(sample.X, sample.y)
    theirs = softmax(other.predict_log_proba(tested) * (n - classes) / n, axis=1)
    own = LinearDiscriminant(priors=priors).fit(sample)
    np.testing.assert_allclose(own.predict_proba(tested), theirs, rtol=0, atol=1e-8)
    ordered = np.sort(theirs, axis=1)
    clear = ordered[:, -1] - ordered[:, -2] > 1e-6
    assert clear.mean() > 0.99
    np.testing.assert_array_equal(own.predict(tested)[clear], other.predict(tested)[clear])


def test_probabilities_of_two_normals_by_hand():
    # means 0.5 and 4.5, pooled variance 0.5: the log ratio is 4 / 0.5 (x - 2.5)
    s = Sample.from_arrays([0.0, 1.0, 4.0, 5.0], ["a", "a", "b", "b"])
    p = LinearDiscriminant().fit(s).predict_proba([[2.5], [2.6]])
    assert p[:, 1] == pytest.approx([0.5, 1 / (1 + np.exp(-0.8))])
    assert NaiveBayes().fit(s).predict_proba([[2.6]])[0, 1] == pytest.approx(1 / (1 + np.exp(-0.8)))


def test_directions_without_variance_decide_with_certainty():
    s = Sample.from_arrays([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], ["a", "a", "b", "b"])
    p = LinearDiscriminant().fit(s).predict_proba([[0.3, 0.2], [0.3, 0.9], [0.3, 0.5]])
    assert p.tolist() == [[1, 0], [0, 1], [0.5, 0.5]]


MOVED, OUT_OF_SPAN = 5.0 + np.log(3.0) / 8.0, np.zeros((7, 120))
# the means differ along the first attribute alone, and the cases of a class along the second alone
OUT_OF_SPAN[2:4, 0], OUT_OF_SPAN[[1, 3], 1] = 2.0, 1.0
OUT_OF_SPAN[4:, 0], OUT_OF_SPAN[4:, 1] = [0.9, 1.0, 1.1], 7.0
EQUAL_MEANS, UNEQUAL = [-1.0, 1.0, -2.0, 2.0, 0.0], [0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 8.0, 10.0]
# the second attribute is .1 in one class and .7 in the other; the first means nothing against it
NO_SPREAD = np.column_stack([[0.0, 2.0, 1.0, 50.0, 51.0, 49.5], [0.1, 0.1, 0.1, 0.7, 0.7, 0.7]])


@pytest.mark.parametrize(
    ("priors", "X", "y", "at", "labels"),
    [
        # means 1 and 9, one class three times as large: only sample priors move the boundary
        ("equal", UNEQUAL, [0] * 6 + [1] * 2, [[4.99], [5.0], [5.01]], [0, 0, 1]),
        # S = (4 + 2) / 6 = 1, so that the boundary lies at 5 + ln(3) / 8
        ("sample", UNEQUAL, [0] * 6 + [1] * 2, [[MOVED - 1e-6], [MOVED + 1e-6]], [0, 1]),
        ("equal", EQUAL_MEANS, [0, 0, 1, 1, 1], [[-5.0], [0.0], [5.0]], [0, 0, 0]),
        ("sample", EQUAL_MEANS, [0, 0, 1, 1, 1], [[-5.0], [0.0], [5.0]], [1, 1, 1]),
        # exactly between the two values of the second attribute, the first one decides
        ("equal", NO_SPREAD, [0, 0, 0, 1, 1, 1], [[99, 0.39], [-99, 0.41], [30, 0.4], [20, 0.4]], [0, 1, 1, 0]),
        ("equal", [[0.0, 0.0], [2.0, 2.0]], [0, 1], [[0.9, 1.0], [1.1, 1.0], [1.0, 1.0]], [0, 1, 0]),
        ("equal", [[1.0, 1.0], [1.0, 1.0]], [0, 1], [[5.0, 5.0]], [0]),
        ("equal", OUT_OF_SPAN[:4], [0, 0, 1, 1], OUT_OF_SPAN[4:], [0, 0, 1]),
    ],
)
def test_labels_by_hand(priors, X, y, at, labels):
    assert LinearDiscriminant(priors).fit(Sample.from_arrays(X, y)).predict(at).tolist() == labels


@pytest.mark.parametrize(("n", "d"), [(4, 9), (6, 9), (8, 9), (4, 101), (30, 150), (100, 400)])
def test_fewer_cases_than_attributes_give_the_pseudo_inverse_of_the_total_covariance(n, d):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, d))
    y = np.arange(n) % 2
    X[y == 1] += 0.3
    mean, deviation = X.mean(axis=0), X.std(axis=0)
    scaled = (X - mean) / deviation
    means = np.array([scaled[y == c].mean(axis=0) for c in (0, 1)])
    weights = np.linalg.pinv(scaled, rcond=1e-9) @ np.linalg.pinv(scaled.T, rcond=1e-9) @ (means[1] - means[0])
    tested = rng.normal(size=(1000, d)) + 0.15
    margin = ((tested - mean) / deviation - means.mean(axis=0)) @ weights
    clear = np.abs(margin) > 1e-9
    assert clear.mean() > 0.99
    fitted = LinearDiscriminant().fit(Sample.from_arrays(X, y))
    np.testing.assert_array_equal(fitted.predict(tested)[clear], (margin > 0)[clear])
    np.testing.assert_array_equal(fitted.predict(X), y)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_singular_covariance_is_the_limit_of_a_ridge(classes):
    for seed in range(20):
        sample = random_sample(7, 5, classes, seed=seed)
        if (sample.class_counts() == 0).any():
            continue
        X = (sample.X - sample.X.mean(axis=0)) / sample.X.std(axis=0)
        means = np.array([X[sample.y == c].mean(axis=0) for c in range(classes)])
        deviations = X - means[sample.y]
        inverse = np.linalg.inv(deviations.T @ deviations + 1e-7 * np.eye(5))
        tested = np.random.default_rng(seed).normal(size=(200, 5)) * 2
        scores = np.stack([(tested - m / 2) @ inverse @ m for m in means], axis=1)
        ordered = np.sort(scores, axis=1)
        clear = ordered[:, -1] - ordered[:, -2] > 1e-2 * np.abs(ordered[:, -1])
        own = LinearDiscriminant().fit(sample).predict(tested * sample.X.std(axis=0) + sample.X.mean(axis=0))
        assert clear.mean() > 0.9
        np.testing.assert_array_equal(own[clear], scores.argmax(axis=1)[clear])


def test_an_attribute_that_repeats_another_or_has_one_value_changes_no_label():
    sample = random_sample(20, 3, 3, seed=5)
    tested = random_sample(300, 3, 3, seed=6).X
    plain = LinearDiscriminant().fit(sample).predict(tested)

    def widened(X: np.ndarray) -> np.ndarray:
        return np.column_stack([X, X[:, 1], np.full(X.shape[0], 0.1), 2 * X[:, 0] - X[:, 2]])

    wide = Sample.from_arrays(widened(sample.X), sample.y, classes=sample.classes)
    np.testing.assert_array_equal(LinearDiscriminant().fit(wide).predict(widened(tested)), plain)


def widened(sample: Sample) -> Sample:
    """The sample among so many attributes of one value that it is done in matrices of cases."""
    more = max(LEAST_ATTRIBUTES, sample.n + 1) - sample.d
    X = np.column_stack([sample.X, np.full((sample.n, more), 3.7)])
    return Sample.from_arrays(X, sample.y, classes=sample.classes)


@given(st.integers(0, 10**6), st.integers(3, 30), st.integers(1, 40), st.integers(2, 4), st.booleans())
@settings(max_examples=60)
def test_matrices_of_cases_and_of_attributes_give_the_same_labels(seed, n, d, classes, units):
    sample = random_sample(n, d, classes, seed=seed)
    if units:
        factors = 10.0 ** np.random.default_rng(seed).integers(-6, 6, d)
        sample = Sample.from_arrays(sample.X * factors, sample.y, classes=sample.classes)
    rule, wide = LinearDiscriminant(("equal", "sample")[seed % 2]), widened(sample)
    for resamples in every_scheme(n).values():
        labels = rule.predict_resamples(wide, resamples)
        np.testing.assert_array_equal(labels, rule.predict_resamples(sample, resamples))
        np.testing.assert_array_equal(labels, predict_by_loop(rule, wide, resamples))


@pytest.mark.parametrize("matrix", ["total", "within"])
def test_a_covariance_of_fewer_cases_than_attributes_is_degenerate_under_any_condition(matrix):
    sample = random_sample(12, 150, 2, seed=1)
    assert LinearDiscriminant().fit(sample).predict(sample.X).any()
    assert LinearDiscriminant(degenerate_condition=0.0, degenerate_matrix=matrix).fit(sample).predict(sample.X).any()
    rule = LinearDiscriminant(degenerate_condition=1e-9, degenerate_matrix=matrix)
    assert not rule.fit(sample).predict(sample.X).any()


@pytest.mark.parametrize("matrix", ["total", "within"])
def test_a_degenerate_covariance_gives_one_fixed_class(matrix):
    met = []
    for seed in range(60):
        sample = random_sample(12, 4, 2, seed=seed)
        centre = np.array([sample.X[sample.y == c].mean(axis=0) for c in (0, 1)])
        deviations = sample.X - (sample.X.mean(axis=0) if matrix == "total" else centre[sample.y])
        eigenvalues = np.linalg.eigvalsh(deviations.T @ deviations)
        ratio = eigenvalues[0] / eigenvalues[-1]
        labels = [
            LinearDiscriminant(degenerate_condition=c, degenerate_matrix=matrix).fit(sample).predict(sample.X)
            for c in (ratio * (1 + 1e-9), ratio * (1 - 1e-9))
        ]
        ordinary = LinearDiscriminant().fit(sample).predict(sample.X)
        np.testing.assert_array_equal(labels[0], 0)
        np.testing.assert_array_equal(labels[1], ordinary)
        met.append(ordinary.any())
    assert all(met)


def test_a_degenerate_covariance_gives_the_lowest_class_that_is_present():
    sample = Sample(np.array([[0.0], [0.0]]), np.array([1, 2]), (Attribute("x"),), ("a", "b", "c"))
    assert LinearDiscriminant(degenerate_condition=0.0).fit(sample).predict([[3.0]]).tolist() == [1]


@pytest.mark.parametrize("d", [1, 2, 5, 10, 18])
def test_small_matrices_agree_with_linear_algebra(d):
    rng = np.random.default_rng(d)
    half = rng.normal(size=(d, d + 2))
    A = half @ half.T
    b = rng.normal(size=d)
    L, x = np.zeros((d, d)), np.zeros(d)
    assert cholesky(A, np.zeros(d), L)
    solve(L, b, x)
    np.testing.assert_allclose(x, np.linalg.solve(A, b), rtol=1e-8)
    D, V = A.copy(), np.zeros((d, d))
    eigen(D, V, True)
    np.testing.assert_allclose(np.sort(D.diagonal()), np.linalg.eigvalsh(A), rtol=1e-10)
    np.testing.assert_allclose(V.T * D.diagonal() @ V, A, atol=1e-12 * np.abs(A).max())
    np.testing.assert_allclose(V @ V.T, np.eye(d), atol=1e-13)


def test_a_matrix_of_less_than_full_rank_has_no_factor():
    half = np.random.default_rng(0).normal(size=(4, 3))
    A = half @ half.T
    assert not cholesky(A, 1e-10 * A.diagonal(), np.zeros((4, 4)))


def test_one_class_gives_that_class_and_an_absent_class_is_never_predicted():
    two = Sample(np.array([[0.0], [1.0]]), np.array([1, 1]), (Attribute("x"),), ("a", "b", "c"))
    assert LinearDiscriminant().fit(two).predict([[-9.0], [9.0]]).tolist() == [1, 1]
    some = Sample(np.array([[0.0], [1.0], [4.0], [5.0]]), np.array([1, 1, 3, 3]), two.attributes, tuple("abcd"))
    assert set(LinearDiscriminant().fit(some).predict(np.linspace(-9, 9, 50)[:, None]).tolist()) == {1, 3}
