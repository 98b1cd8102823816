"""Stacks of samples are labelled by any inducer as by one fit a sample."""

from typing import Any

import numpy as np
import pytest

from batteries import random_sample
from compendium.methods.stacks import cross_validate_stack, fold_labels, knows_stacks, predict_stack
from errorest.data.sample import Sample, SampleStack
from errorest.learners import Majority, NaiveBayes
from errorest.resampling.multisets import Resamples

RNG = np.random.default_rng(20)


class WithoutGenerator:
    """Draws nothing, and its batch form takes no generator."""

    id, fit = "without a generator", Majority().fit

    def predict_resamples(self, sample: Sample, resamples: Resamples) -> np.ndarray:
        return Majority().predict_resamples(sample, resamples)


@pytest.mark.parametrize("inducer", [Majority(), NaiveBayes(), WithoutGenerator()], ids=lambda i: i.id)
def test_inducers_without_stack_methods_go_through_the_generic_loops(inducer: Any) -> None:
    sample = random_sample(12, 1, 2)
    rows = RNG.integers(0, 12, (6, 12))
    stack, folds = SampleStack.of_cases(sample, rows), fold_labels(6, 12, 4, RNG)
    assert not knows_stacks(inducer)
    labels, validated = predict_stack(inducer, stack, sample.X), cross_validate_stack(inducer, stack, folds)
    for s in range(6):
        one = sample.take(rows[s])
        np.testing.assert_array_equal(labels[s], inducer.fit(one).predict(sample.X))
        for f in range(4):
            fitted = inducer.fit(one.take(np.nonzero(folds[s] != f)[0]))
            np.testing.assert_array_equal(validated[s][folds[s] == f], fitted.predict(one.X[folds[s] == f]))
