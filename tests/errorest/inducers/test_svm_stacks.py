"""Stacks of samples: labels of support vector machines are those of one fit a sample and one fit a fold."""

from __future__ import annotations

import numba as nb
import numpy as np
import pytest
from sklearn.svm import SVC

from errorest.data.sample import Attribute, Sample
from errorest.data.stacks import SampleStack, fold_labels
from errorest.errors import UsageError
from errorest.inducers import SVM
from errorest.inducers.base import StackInducer, cross_validate_stack, predict_stack
from errorest.inducers.svm.solver import give_up

NAMES = tuple("abcdef")


class OneFitATime:
    """An inducer without stack faces, which makes the functions of ``base`` loop."""

    def __init__(self, rule: SVM) -> None:
        self.rule = rule
        self.id = rule.id

    def fit(self, sample, rng=None):
        return self.rule.fit(sample)

    def predict_resamples(self, sample, resamples, rng=None):
        return self.rule.predict_resamples(sample, resamples)


def new_values(seed: int, samples: int, n: int, d: int, classes: int = 2, apart: float = 1.0) -> SampleStack:
    """As clones: no value stands twice."""
    rng = np.random.default_rng(seed)
    y = rng.permuted(np.tile(np.arange(n) % classes, (samples, 1)), axis=1)
    X = rng.normal(size=(samples, n, d))
    X[:, :, 0] += apart * y
    return SampleStack(X, y, tuple(Attribute(f"x{j + 1}") for j in range(d)), NAMES[:classes])


def bootstrap_samples(seed: int, samples: int, n: int, d: int, classes: int = 2, apart: float = 1.0) -> SampleStack:
    stack = new_values(seed, 1, n, d, classes, apart)
    return SampleStack.of_cases(stack.sample(0), np.random.default_rng(seed).integers(0, n, (samples, n)))


def few_values(seed: int, samples: int, n: int, d: int, classes: int = 2, apart: float = 1.0) -> SampleStack:
    """On a small grid, equal cases of different classes among them; a sample may lack a class."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (samples, n, d)).astype(float)
    y = rng.integers(0, classes, (samples, n))
    return SampleStack(X, y, tuple(Attribute(f"x{j + 1}") for j in range(d)), NAMES[:classes])


MAKERS = [new_values, bootstrap_samples, few_values]
SETTINGS = [
    (14, 5, 2, 1.0, SVM()),
    (20, 3, 2, 0.0, SVM(C=100)),
    (30, 9, 2, 2.0, SVM("linear", C=0.01)),
    (24, 4, 2, 2.0, SVM(C=0.01)),
    (24, 6, 4, 0.7, SVM(gamma=0.12, C=1.5)),
    (24, 6, 4, 0.7, SVM(gamma=0.12, C=1.5, standardize="training")),
    (21, 3, 3, 0.7, SVM("linear", vote="count")),
    (16, 2, 2, 1.0, SVM("linear", standardize="training")),
]
settings = pytest.mark.parametrize(("n", "d", "classes", "apart", "rule"), SETTINGS)
makers = pytest.mark.parametrize("make", MAKERS)


def test_the_methods_are_those_of_the_contract():
    assert isinstance(SVM(), StackInducer)
    assert not isinstance(OneFitATime(SVM()), StackInducer)


@settings
@makers
def test_labels_of_a_stack_are_those_of_one_fit_a_sample(make, n, d, classes, apart, rule):
    stack = make(n, 6, n, d, classes, apart)
    rng = np.random.default_rng(1)
    for X in (rng.normal(size=(7, d)), rng.normal(size=(6, 1, d)), stack.X):
        labels = predict_stack(rule, stack, X)
        assert labels.dtype == np.int64
        np.testing.assert_array_equal(labels, predict_stack(OneFitATime(rule), stack, X))


@settings
@makers
def test_labels_out_of_folds_are_those_of_one_fit_a_fold(make, n, d, classes, apart, rule):
    stack = make(n + 1, 6, n, d, classes, apart)
    rng = np.random.default_rng(2)
    for k in (n, 10, 5, 2):
        folds = fold_labels(6, n, k, rng)
        labels = cross_validate_stack(rule, stack, folds)
        assert labels.dtype == np.int64
        np.testing.assert_array_equal(labels, cross_validate_stack(OneFitATime(rule), stack, folds))


def test_leaving_one_out_gives_the_labels_of_scikit_learn():
    stack = bootstrap_samples(3, 2, 30, 4)
    labels = SVM(C=5).cross_validate_stack(stack, fold_labels(2, 30, 30, np.random.default_rng(0)))
    for s, i in np.ndindex(2, 30):
        others = np.arange(30) != i
        model = SVC(gamma=0.2, C=5, tol=1e-6).fit(stack.X[s, others], stack.y[s, others])
        if abs(model.decision_function(stack.X[s, [i]])[0]) > 1e-3:
            assert labels[s, i] == model.predict(stack.X[s, [i]])[0]


def test_a_fold_that_holds_a_whole_class_is_labelled_with_the_others():
    stack = new_values(4, 3, 12, 2, 3)
    folds = np.where(stack.y == 1, 0, 1 + np.arange(12) % 2)
    labels = SVM().cross_validate_stack(stack, folds)
    assert not (labels[stack.y == 1] == 1).any()
    np.testing.assert_array_equal(labels, cross_validate_stack(OneFitATime(SVM()), stack, folds))
    two = new_values(4, 3, 12, 2, 2)
    assert (SVM().cross_validate_stack(two, two.y) == 1 - two.y).all()


@nb.njit
def lead_back(Q, lower, upper, beta, residual, t):
    give_up(Q, beta.shape[0], lower, upper, beta, residual, t)


@pytest.mark.parametrize("t", [0, 3])
def test_what_a_case_gives_up_is_taken_by_others_and_residuals_follow(t):
    rng = np.random.default_rng(7)
    A = rng.normal(size=(6, 6))
    Q = A @ A.T
    y = np.array([1.0, 1, 1, -1, -1, -1])
    upper, lower = np.where(y > 0, 2.0, 0), np.where(y > 0, 0, -2.0)
    beta = np.array([1.7, 0.9, 0.4, -1.5, -0.2, -1.3])
    lower[t] = upper[t] = 0.0
    residual = y - Q @ beta
    lead_back(Q, lower, upper, beta, residual, t)
    assert beta[t] == 0
    assert ((lower <= beta) & (beta <= upper)).all()
    np.testing.assert_allclose(beta.sum(), 0, atol=1e-12)
    np.testing.assert_allclose(residual, y - Q @ beta, rtol=0, atol=1e-11)


def test_a_coefficient_at_the_end_of_its_new_range_but_for_rounding_is_put_there():
    # three copies less one: otherwise the case would seem to lie inside its range, and fix the constant
    below = np.nextafter(0.02, 0)
    beta = np.array([below, -below])
    lead_back(np.eye(2), np.array([0, -0.03]), np.array([0.02, 0]), beta, np.array([1 - below, below - 1]), 0)
    assert beta[0] == 0.02


def test_folds_may_bear_any_numbers():
    stack = bootstrap_samples(5, 3, 12, 2)
    folds = fold_labels(3, 12, 4, np.random.default_rng(0))
    labels = SVM().cross_validate_stack(stack, folds)
    for renamed in (folds + 1, 7_000_000 * (folds + 1), -folds, folds.astype(np.int32)):
        np.testing.assert_array_equal(SVM().cross_validate_stack(stack, renamed), labels)


def test_what_cannot_be_trained_on_is_refused():
    stack = new_values(6, 3, 12, 2)
    folds = fold_labels(3, 12, 4, np.random.default_rng(0))
    folds[1] = 2
    with pytest.raises(UsageError, match="sample 1 of the stack"):
        SVM().cross_validate_stack(stack, folds)
    with pytest.raises(UsageError, match=r"folds of shape \(12,\)"):
        SVM().cross_validate_stack(stack, folds[0])
    with pytest.raises(UsageError, match="cases for 2 samples and 3 samples"):
        SVM().predict_stack(stack, np.zeros((2, 1, 2)))
    with pytest.raises(UsageError, match=r"expected \(m, 2\)"):
        SVM().predict_stack(stack, np.zeros((4, 3)))
    holed = SampleStack(np.where(stack.X > 1, np.nan, stack.X), stack.y, stack.attributes, stack.classes)
    with pytest.raises(UsageError, match="missing"):
        SVM().cross_validate_stack(holed, fold_labels(3, 12, 4, np.random.default_rng(0)))
    nominal = Sample.from_arrays([[0], [1]], ["a", "b"], attributes=[Attribute("c", "nominal", ("x", "y"))])
    with pytest.raises(UsageError, match="nominal attribute 'c'"):
        SVM().predict_stack(SampleStack.of_cases(nominal, np.array([[0, 1]])), np.zeros((1, 1)))
