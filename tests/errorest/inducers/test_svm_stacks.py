"""Stacks of samples: labels of support vector machines are those of one fit a sample and one fit a fold."""

from __future__ import annotations

import numba as nb
import numpy as np
import pytest
from sklearn.svm import SVC

from errorest.data.sample import Attribute
from errorest.data.stacks import SampleStack, fold_labels
from errorest.inducers import SVM
from errorest.inducers.svm.solver import give_up

NAMES = tuple("abcdef")


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
    assert not (SVM().cross_validate_stack(stack, folds)[stack.y == 1] == 1).any()
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
