"""What learners refuse: settings out of bounds, and samples or cases that they cannot take."""

from typing import Any

import numpy as np
import pytest

from batteries import assert_refused
from errorest.data.sample import Attribute, Sample, SampleStack
from errorest.learners import C45, KNN, LinearDiscriminant, NaiveBayes
from errorest.resampling.draw import leave_one_out
from errorest.resampling.multisets import Resamples


@pytest.mark.parametrize(
    ("made", "settings", "message"),
    [
        (KNN, {"k": 0}, "whole number from 1"),
        (KNN, {"k": 1.5}, "whole number from 1"),
        (KNN, {"k": True}, "whole number from 1"),
        (LinearDiscriminant, {"degenerate_condition": 41.0}, "from 0 to 1"),
        (LinearDiscriminant, {"degenerate_condition": float("nan")}, "from 0 to 1"),
        (NaiveBayes, {"sd_floor": 0.0}, "a number above 0"),
        (NaiveBayes, {"var_smoothing": -1e-9}, "a number above 0"),
        (C45, {"release": 6}, "release"),
        (C45, {"min_cases": 0}, "min_cases"),
        (C45, {"min_cases": 1.5}, "min_cases"),
        (C45, {"confidence": 0.0}, "confidence"),
        (C45, {"confidence": 0.6}, "confidence"),
    ],
)
def test_settings_out_of_bounds(made: Any, settings: dict[str, Any], message: str) -> None:
    assert_refused(message, made, **settings)


NUMBERS = Sample.from_arrays(np.random.default_rng(0).normal(size=(6, 2)), [0, 1, 0, 1, 0, 1])
COLOUR = (Attribute("colour", "nominal", ("red", "blue")),)
NAMES = Sample.from_arrays([[0.0], [1.0]], ["a", "b"], attributes=COLOUR)
GAP = Sample.from_arrays([[0.0], [np.nan]], ["a", "b"])
MISSING, NOMINAL = r"1 missing value\(s\)", "nominal attribute 'colour'"


@pytest.mark.parametrize(
    ("inducer", "sample", "message"),
    [
        *((inducer, GAP, MISSING) for inducer in (KNN(), LinearDiscriminant())),
        *((inducer, NAMES, NOMINAL) for inducer in (KNN(), LinearDiscriminant())),
        (KNN(), NAMES, "metric='hamming'"),
    ],
)
def test_samples_that_a_learner_cannot_take(inducer: Any, sample: Sample, message: str) -> None:
    stack = SampleStack.of_cases(sample, np.arange(sample.n)[None])
    calls = [lambda: inducer.fit(sample), lambda: inducer.predict_resamples(sample, leave_one_out(sample.n))]
    if hasattr(inducer, "predict_stack"):
        calls.append(lambda: inducer.predict_stack(stack, np.zeros((1, sample.d))))
        calls.append(lambda: inducer.cross_validate_stack(stack, np.arange(sample.n)[None]))
    for call in calls:
        assert_refused(message, call)


@pytest.mark.parametrize("inducer", [KNN(), LinearDiscriminant(), C45(), NaiveBayes()], ids=lambda i: i.id)
def test_cases_to_label_of_another_width_or_with_gaps(inducer: Any) -> None:
    stack = SampleStack.of_cases(NUMBERS, np.arange(6)[None])
    calls = [inducer.fit(NUMBERS).predict]
    if hasattr(inducer, "predict_stack"):
        calls.append(lambda X: inducer.predict_stack(stack, X))
    for call in calls:
        assert_refused(r"to label; expected \(m, 2\)", call, np.zeros((2, 3)))
        if not isinstance(inducer, C45 | NaiveBayes):
            assert_refused(r"1 missing value\(s\) to label", call, np.array([[np.nan, 1.0]]))


def test_training_sets_without_cases_or_with_all_in_one_fold() -> None:
    inducer = LinearDiscriminant()
    stack = SampleStack.of_cases(NUMBERS, np.arange(6)[None])
    assert_refused("sample 0 of the stack", inducer.cross_validate_stack, stack, np.zeros((1, 6), int))


@pytest.mark.parametrize("inducer", [LinearDiscriminant(), C45(), NaiveBayes()], ids=lambda i: i.id)
def test_a_sample_without_cases(inducer: Any) -> None:
    assert_refused("training set without cases", inducer.fit, NUMBERS.take(np.empty(0, int)))
    compact = leave_one_out(2).compact._replace(n=1, labels=np.zeros((1, 1), dtype=np.int32))
    rows = Resamples(compact, np.array([0, 1, 1]), np.zeros(1, np.int32), np.zeros(2, np.int32), 1)
    assert_refused("training set without cases: row 0", inducer.predict_resamples, NUMBERS.take(np.arange(1)), rows)


def test_folds_and_cases_that_do_not_fit_a_stack() -> None:
    inducer = KNN()
    stack = SampleStack.of_cases(NUMBERS, np.tile(np.arange(6), (3, 1)))
    assert_refused(r"folds of shape \(6,\)", inducer.cross_validate_stack, stack, np.arange(6))
    assert_refused("cases for 2 samples and 3 samples", inducer.predict_stack, stack, np.zeros((2, 1, 2)))


def test_a_training_set_with_fewer_cases_than_neighbours_is_named() -> None:
    few, stack = NUMBERS.take(np.arange(3)), SampleStack.of_cases(NUMBERS, np.arange(6)[None])
    for call, message in (
        (lambda: KNN(7).fit(NUMBERS), r"training set of 6 case.*k = 7"),
        (lambda: KNN(7).predict_stack(stack, stack.X), r"training set of 6 case.*k = 7"),
        (lambda: KNN(4).cross_validate_stack(stack, np.array([[0, 0, 0, 1, 1, 1]])), r"training set of 3 case.*k = 4"),
        (
            lambda: KNN(6).predict_resamples(NUMBERS, leave_one_out(6)),
            r"set of 5 case.* in row 0 .*replicate 0, fold 0",
        ),
    ):
        assert_refused(message, call)
    assert KNN(4).cross_validate_stack(stack, np.arange(6)[None]).shape == (1, 6)
    # a row that tests nothing may hold fewer
    rows = Resamples(leave_one_out(3).compact, np.zeros(4, int), np.empty(0, np.int32), np.zeros(3, np.int32), 1)
    assert KNN(5).predict_resamples(few, rows).size == 0
