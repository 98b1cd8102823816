"""Nearest neighbours of stacks: labels are those of one fit after another, ties included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errorest.data.sample import Attribute, Sample
from errorest.data.stacks import SampleStack, fold_labels
from errorest.errors import UsageError
from errorest.inducers import KNN, Inducer
from errorest.inducers.base import StackInducer, cross_validate_stack, predict_stack
from errorest.resampling.draw import leave_one_out


class PlainFace:
    """An inducer without its stack faces, so that the generic loops serve it."""

    def __init__(self, inducer: Inducer) -> None:
        self.id, self.fit, self.predict_resamples = inducer.id, inducer.fit, inducer.predict_resamples


def make(seed: int, n: int, d: int, classes: int = 3, grid: bool = True) -> Sample:
    """Tenths from a small grid, with many distances that are equal but for rounding, or normal values."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (n, d)) / 10 if grid else rng.normal(size=(n, d))
    return Sample.from_arrays(X, rng.integers(0, classes, n), classes=[f"c{i}" for i in range(classes)])


@pytest.mark.parametrize("ties", ["nearest", "lowest-class"])
@pytest.mark.parametrize("grid", [True, False])
@pytest.mark.parametrize("k", [1, 2, 3, 5, 17])
def test_labels_of_a_stack_are_those_of_one_fit_after_another(k, grid, ties):
    rule = KNN(k, ties)
    assert isinstance(rule, StackInducer)
    assert not isinstance(PlainFace(rule), StackInducer)
    for seed, (n, d) in enumerate([(max(k, 14), 1), (40, 2), (25, 10)]):
        rng = np.random.default_rng(seed)
        stack = SampleStack.of_cases(make(seed, n, d, grid=grid), rng.integers(0, n, (8, n)))
        own = np.stack([make(s, 11, d, grid=grid).X for s in range(8)])
        for X in (own, own[0], stack.X):
            labels = predict_stack(rule, stack, X)
            assert labels.dtype == np.int64
            np.testing.assert_array_equal(labels, predict_stack(PlainFace(rule), stack, X))


@pytest.mark.parametrize("ties", ["nearest", "lowest-class"])
@pytest.mark.parametrize("grid", [True, False])
@pytest.mark.parametrize("k", [1, 2, 3, 5, 17])
def test_cross_validation_of_a_stack_is_that_of_one_fit_after_another(k, grid, ties):
    rule = KNN(k, ties)
    for seed, (n, d) in enumerate([(40, 1), (36, 10)]):
        rng = np.random.default_rng(seed)
        stack = SampleStack.of_cases(make(seed, n, d, grid=grid), rng.integers(0, n, (6, n)))
        for folds in (n, 10, 5, 2):
            labels = fold_labels(6, n, folds, rng)
            np.testing.assert_array_equal(
                cross_validate_stack(rule, stack, labels), cross_validate_stack(PlainFace(rule), stack, labels)
            )


@given(st.integers(0, 10**6), st.integers(3, 12), st.integers(1, 4), st.integers(1, 3), st.booleans())
@settings(max_examples=60)
def test_stacks_of_small_samples_agree_with_the_loop(seed, n, d, k, grid):
    rng = np.random.default_rng(seed)
    rule = PlainFace(KNN(min(k, n // 2)))
    stack = SampleStack.of_cases(make(seed, n, d, grid=grid), rng.integers(0, n, (4, n)))
    folds = fold_labels(4, n, int(rng.integers(2, n + 1)), rng)
    np.testing.assert_array_equal(
        cross_validate_stack(KNN(min(k, n // 2)), stack, folds), cross_validate_stack(rule, stack, folds)
    )
    np.testing.assert_array_equal(
        predict_stack(KNN(min(k, n // 2)), stack, stack.X), predict_stack(rule, stack, stack.X)
    )


def test_leaving_one_out_of_a_stack_is_leaving_one_out_of_each_sample():
    stack = SampleStack.of_cases(make(1, 20, 3), np.random.default_rng(1).integers(0, 20, (5, 20)))
    labels = KNN(3).cross_validate_stack(stack, fold_labels(5, 20, 20, np.random.default_rng(0)))
    for s in range(5):
        np.testing.assert_array_equal(labels[s], KNN(3).predict_resamples(stack.sample(s), leave_one_out(20)))


@pytest.mark.parametrize("metric", ["hamming", "mixed"])
def test_stacks_take_nominal_attributes_where_the_metric_does(metric):
    rng = np.random.default_rng(0)
    kinds = [Attribute("x"), Attribute("colour", "nominal", ("red", "green", "blue"))]
    X = np.column_stack([rng.integers(0, 4, 16) / 2, rng.integers(0, 3, 16)])
    sample = Sample.from_arrays(X, rng.integers(0, 2, 16), attributes=kinds, classes=["a", "b"])
    stack = SampleStack.of_cases(sample, rng.integers(0, 16, (5, 16)))
    rule, folds = KNN(3, metric=metric), fold_labels(5, 16, 4, rng)
    np.testing.assert_array_equal(predict_stack(rule, stack, X), predict_stack(PlainFace(rule), stack, X))
    np.testing.assert_array_equal(
        cross_validate_stack(rule, stack, folds), cross_validate_stack(PlainFace(rule), stack, folds)
    )
    with pytest.raises(UsageError, match="nominal attribute 'colour'"):
        KNN(3).predict_stack(stack, X)


def test_too_few_cases_for_k_are_refused():
    stack = SampleStack.of_cases(make(0, 6, 2), np.arange(6)[None])
    with pytest.raises(UsageError, match=r"training set of 6 case.*k = 7"):
        KNN(7).predict_stack(stack, stack.X)
    with pytest.raises(UsageError, match=r"training set of 3 case.*k = 4"):
        KNN(4).cross_validate_stack(stack, np.array([[0, 0, 0, 1, 1, 1]]))
    assert KNN(4).cross_validate_stack(stack, np.arange(6)[None]).shape == (1, 6)


def test_missing_values_and_cases_of_another_width_are_refused():
    sample = make(0, 6, 2)
    stack = SampleStack.of_cases(sample, np.arange(6)[None])
    X = stack.X.copy()
    X[0, 2, 1] = np.nan
    holed = SampleStack(X, stack.y, stack.attributes, stack.classes)
    with pytest.raises(UsageError, match=r"1 missing value\(s\) of attribute 'x2'"):
        KNN().cross_validate_stack(holed, np.arange(6)[None])
    with pytest.raises(UsageError, match=r"1 missing value\(s\) to label"):
        KNN().predict_stack(stack, np.array([[np.nan, 1.0]]))
    with pytest.raises(UsageError, match=r"expected \(m, 2\)"):
        KNN().predict_stack(stack, np.zeros((3, 1)))
