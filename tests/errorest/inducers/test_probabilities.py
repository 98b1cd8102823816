"""Class probabilities of the inducers: batch against loop, by hand, and against scikit-learn."""

import numpy as np
import pytest

from errorest.data.sample import Attribute, Sample
from errorest.data.sets import load
from errorest.inducers import ID3, KNN, LinearDiscriminant, NaiveBayes, SklearnInducer
from errorest.resampling.draw import leave_one_out


def test_shares_of_neighbours_by_hand():
    s = Sample.from_arrays([0.0, 1.0, 2.0, 10.0], ["a", "b", "b", "a"])
    assert KNN(3).fit(s).predict_proba([[0.0], [9.0]]).tolist() == [[1 / 3, 2 / 3], [1 / 3, 2 / 3]]
    assert KNN(1).predict_proba_resamples(s, leave_one_out(4)).tolist() == [[0, 1], [1, 0], [0, 1], [0, 1]]


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


def test_linear_discriminants_agree_with_scikit_learn():
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    sample = load("iris")
    theirs = LinearDiscriminantAnalysis(solver="lsqr").fit(sample.X, sample.y).predict_proba(sample.X)
    # scikit-learn divides the scatter by n, not by n - 3
    scaled = np.log(theirs) * (sample.n - 3) / sample.n
    theirs = np.exp(scaled) / np.exp(scaled).sum(axis=1, keepdims=True)
    ours = LinearDiscriminant(priors="sample").fit(sample).predict_proba(sample.X)
    assert ours == pytest.approx(theirs, abs=1e-8)


def test_a_value_that_no_training_case_has_leaves_the_shares_of_the_classes():
    colour = (Attribute("colour", "nominal", ("red", "green", "blue")),)
    s = Sample.from_arrays([[0], [0], [1]], ["a", "a", "b"], attributes=colour)
    assert NaiveBayes(zero_counts="zero").fit(s).predict_proba([[2]]).tolist() == [[2 / 3, 1 / 3]]
    tree = ID3(empty_branch="b").fit(s)
    assert tree.predict([[2]]).tolist() == [1]
    assert tree.predict_proba([[0], [1], [2]]).tolist() == [[1, 0], [0, 1], [2 / 3, 1 / 3]]


def test_the_adapter_leaves_no_column_out_where_training_lacks_a_class():
    from sklearn.neighbors import KNeighborsClassifier

    s = Sample.from_arrays([0.0, 1.0, 4.0, 5.0], ["a", "a", "b", "c"])
    output = SklearnInducer(KNeighborsClassifier(1)).predict_proba_resamples(s, leave_one_out(4))
    assert output.tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]]
    ours = KNN(1).predict_proba_resamples(s, leave_one_out(4))
    assert (output == ours).all()
