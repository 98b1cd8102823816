"""Section 5 of Martin & Hirschberg (1996): nearest neighbours, their shapes, and the claims about their estimates."""

import numpy as np
import pytest

from compendium.methods.learners.threshold import IntervalClassifier
from compendium.papers.martin_hirschberg.neighbors import study
from compendium.papers.martin_hirschberg.neighbors.figure_8 import interval_tree_layout
from compendium.studies.populations import TwoNormals, intervals_of
from errorest.data.sample import Sample
from errorest.learners.neighbors import KNN


def test_the_full_tree_of_a_sample_has_the_cut_points_of_1_nn():
    population = TwoNormals.of_inherent_error(0.25)
    for seed in range(20):
        sample = population.sample(12, np.random.default_rng(seed))
        cuts = intervals_of(KNN(1).fit(sample)).cuts
        np.testing.assert_allclose(study.cuts_of_tree(sample), cuts, rtol=1e-5, atol=1e-5)


def test_cases_of_one_class_are_split_only_where_predictions_differ():
    s = Sample.from_arrays([0.0, 1.0, 2.0, 3.0, 10.0], ["a", "a", "a", "b", "b"])
    assert study.splits_alike(intervals_of(KNN(3).fit(s)), s)
    assert not study.splits_alike(intervals_of(KNN(1).fit(s)), s)


@pytest.mark.parametrize("n_cuts", range(6))
def test_the_tree_of_intervals_predicts_what_the_intervals_predict(n_cuts):
    cuts = tuple(float(c) for c in range(n_cuts))
    classifier = IntervalClassifier(cuts, tuple(i % 2 for i in range(n_cuts + 1)))
    layout = interval_tree_layout(classifier, "x", ("O", "X"))
    assert layout.leaf.sum() == n_cuts + 1
    for value in np.arange(-1.0, n_cuts + 1, 0.5):
        node = 0
        while not layout.leaf[node]:
            answer = "yes" if value <= float(layout.text[node].removeprefix("x <= ")) else "no"
            node = next(i for i in range(len(layout.text)) if layout.parent[i] == node and layout.branch[i] == answer)
        assert layout.label[node] == classifier.predict(np.array([value]))[0]
