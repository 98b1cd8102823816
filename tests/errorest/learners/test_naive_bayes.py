"""Naive Bayes: batch and single fits agree, the settings mean what they say, scikit-learn agrees where it can."""

import math

import numpy as np
import pytest
from scipy.special import softmax

from batteries import mixed_sample
from errorest.data.sample import Attribute, Sample
from errorest.learners import NaiveBayes
from errorest.resampling.multisets import from_training_counts

SETTINGS = [
    NaiveBayes(),
    NaiveBayes("zero"),
    NaiveBayes("laplace", "known"),
    NaiveBayes(denominator="known", sd_floor=0.5),
]


def scores_by_hand(inducer, sample, x):
    """The definition, in the plainest words: one product a class."""
    m = sample.n
    scores = []
    for c in range(sample.n_classes):
        own = sample.X[sample.y == c]
        if not len(own):
            scores.append(-math.inf)
            continue
        score = math.log(len(own) / m)
        for j, attribute in enumerate(sample.attributes):
            if math.isnan(x[j]):
                continue
            known = own[~np.isnan(own[:, j]), j]
            if attribute.kind == "nominal":
                count = int((known == x[j]).sum())
                below = len(known) if inducer.denominator == "known" else len(own)
                if inducer.zero_counts == "laplace":
                    score += math.log((count + 1) / (below + len(attribute.categories)))
                elif count:
                    score += math.log(count / below)
                else:
                    score += math.log(0.5 / m) if inducer.zero_counts == "half-case" else -math.inf
            elif not len(known):
                score += math.log(0.5 / m)
            else:
                sd = max(np.std(known, ddof=1) if len(known) > 1 else 0.0, inducer.sd_floor)
                score += -0.5 * ((x[j] - known.mean()) / sd) ** 2 - math.log(sd) - 0.5 * math.log(2 * math.pi)
        scores.append(score)
    return scores


@pytest.mark.parametrize("inducer", SETTINGS, ids=lambda i: i.id)
def test_scores_are_those_of_the_definition(inducer):
    for seed in range(5):
        sample = mixed_sample(np.random.default_rng(seed), 12)
        cases = mixed_sample(np.random.default_rng(seed + 100), 20).X
        by_hand = [scores_by_hand(inducer, sample, x) for x in cases]
        expected = [softmax(s) if max(s) > -math.inf else sample.class_counts() / sample.n for s in by_hand]
        np.testing.assert_allclose(inducer.fit(sample).predict_proba(cases), expected, rtol=1e-9, atol=1e-12)


def test_counts_are_repeated_cases_to_the_bit_and_order_does_not_matter():
    sample = mixed_sample(np.random.default_rng(7), 30)
    counts = np.random.default_rng(1).integers(0, 4, sample.n, dtype=np.int32)
    repeated = sample.take(np.random.default_rng(2).permutation(np.repeat(np.arange(sample.n), counts)))
    rows = from_training_counts(counts[None], np.array([0, sample.n]), np.arange(sample.n, dtype=np.int32))
    counted = NaiveBayes().predict_proba_resamples(sample, rows)
    assert np.array_equal(counted, NaiveBayes().fit(repeated).predict_proba(sample.X))


@pytest.mark.parametrize(
    ("values", "y", "labels"), [([0.0, 0, 1, 1], [1, 0, 1, 0], [0, 0, 0, 0]), ([0.0, 1, 1], [1, 2, 2], [1, 2, 2, 2])]
)
def test_a_tie_goes_to_the_lowest_class_and_never_to_one_without_cases(values, y, labels):
    colour = [Attribute("x", "nominal", ("a", "b", "c"))]
    sample = Sample.from_arrays(values, y, attributes=colour, classes=("0", "1", "2"))
    assert NaiveBayes().fit(sample).predict([[0.0], [1.0], [2.0], [np.nan]]).tolist() == labels


def test_a_value_that_no_training_case_has_leaves_the_shares_of_the_classes():
    colour = (Attribute("colour", "nominal", ("red", "green", "blue")),)
    s = Sample.from_arrays([[0], [0], [1]], ["a", "a", "b"], attributes=colour)
    assert NaiveBayes(zero_counts="zero").fit(s).predict_proba([[2]]).tolist() == [[2 / 3, 1 / 3]]
