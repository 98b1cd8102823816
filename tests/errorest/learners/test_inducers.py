"""The majority by hand, and what a name means.

A name has scikit-learn's defaults, is blind to units, and labels in a batch as in a loop.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from batteries import assert_refused, rows_of
from compendium.methods.conformance import every_scheme
from errorest.data.sample import Sample
from errorest.data.sets import load
from errorest.learners import KNN, LinearDiscriminant, Majority, NaiveBayes
from errorest.learners.named import DEFAULTS, INDUCERS, named
from errorest.resampling.draw import bootstrap, k_fold
from errorest.resampling.multisets import concatenate


@settings(max_examples=30)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=12))
def test_the_majority_of_a_training_set_is_counted_case_by_case(y):
    sample = Sample.from_arrays(np.arange(len(y)), y, classes=list("abcd"))
    for resamples in every_scheme(len(y)).values():
        labels = Majority().predict_resamples(sample, resamples)
        for row in rows_of(resamples):
            tally = np.bincount(sample.y[row.trained], minlength=4)
            assert (labels[row.at] == tally.argmax()).all()


# names

PIPELINES = {
    "knn": KNeighborsClassifier(),
    "linear-discriminant": LinearDiscriminantAnalysis(tol=1e-12),
    "naive-bayes": GaussianNB(),
}


def complete(name: str, cases: int = 250) -> Sample:
    whole = load(name)
    known = np.nonzero(~np.isnan(whole.X).any(axis=1))[0]
    return whole.take(np.random.default_rng(0).permutation(known)[:cases])


def clear(name: str, model: Pipeline, X: np.ndarray) -> np.ndarray:
    """Which cases scikit-learn labels by more than a tie, or than the divisor of its covariance decides."""
    if name == "knn":
        scaler, rule = model[0], model[-1]
        distances, near = rule.kneighbors(scaler.transform(X), 6)
        votes = np.sort([np.bincount(rule._y[row[:5]], minlength=9) for row in near])
        return (votes[:, -1] > votes[:, -2]) & (distances[:, 5] - distances[:, 4] > 1e-9)
    scores = np.sort(np.log(np.maximum(model.predict_proba(X), 1e-300)))
    # scikit-learn divides the covariance of a linear discriminant by n, not by n less the classes
    return scores[:, -1] - scores[:, -2] > (0.1 if name == "linear-discriminant" else 1e-6)


@pytest.mark.parametrize("name", PIPELINES)
@pytest.mark.parametrize("data", ["breast-cancer", "heart", "iris", "land-sat-train", "pima", "vehicle"])
def test_names_label_as_the_pipelines_of_scikit_learn_but_for_ties(name, data):
    sample = complete(data)
    folds = k_fold(sample.n, 3, np.random.default_rng(1))
    labels = named(name).predict_resamples(sample, folds)
    compared = 0
    for r in range(folds.n_rows):
        tested = slice(folds.start[r], folds.start[r + 1])
        training = np.nonzero(folds.training_counts(r, r + 1)[0])[0]
        model = make_pipeline(StandardScaler(), clone(PIPELINES[name])).fit(sample.X[training], sample.y[training])
        X = sample.X[folds.cases[tested]]
        sure = clear(name, model, X)
        np.testing.assert_array_equal(labels[tested][sure], model.predict(X)[sure])
        compared += sure.sum()
    assert compared > 0.85 * sample.n


@pytest.mark.parametrize("name", [*DEFAULTS, "knn(k=3)", "knn(metric=mixed)"])
def test_other_units_change_no_label(name):
    sample = complete("heart", 80)
    X = sample.X.copy()
    X[:, 3] *= 1000
    other = Sample.from_arrays(X, sample.y, attributes=sample.attributes, classes=sample.classes)
    rows = concatenate([bootstrap(sample.n, 10, np.random.default_rng(0)), k_fold(80, 5, np.random.default_rng(1))])
    np.testing.assert_array_equal(
        named(name).predict_resamples(sample, rows), named(name).predict_resamples(other, rows)
    )


def test_a_name_has_the_defaults_of_the_field_and_a_class_those_of_the_papers():
    assert (named("knn"), named("knn(k=3)")) == (KNN(5, standardize="training"), KNN(3, standardize="training"))
    assert named("knn(k=3, standardize=none)") == KNN(3)
    assert named("linear-discriminant") == LinearDiscriminant("sample")
    assert named("naive-bayes") == NaiveBayes(var_smoothing=1e-9)
    for name in DEFAULTS:
        assert (INDUCERS.parse(name), named(named(name).id)) == (INDUCERS[name](), named(name))


def test_a_plus_joins_transformers_and_a_classifier_of_scikit_learn():
    scaler = "sklearn.preprocessing.StandardScaler"
    made = named(f"{scaler} + sklearn.decomposition.PCA(n_components=2) + sklearn.svm.SVC(C=3)")
    assert repr(made) == repr(make_pipeline(StandardScaler(), PCA(n_components=2), SVC(C=3)))
    assert named("sklearn.svm.SVC(C=3)").C == 3
    assert_refused("'knn' takes no step before it", named, f"{scaler} + knn")
    assert_refused("is no transformer: it has no fit and transform", named, "sklearn.svm.SVC + sklearn.svm.SVC")
    assert_refused("is no classifier", named, f"{scaler}() + {scaler}")
    assert_refused("names no classifier", named, f"{scaler} + ")


def test_naive_bayes_is_blind_to_a_constant_and_to_what_varies_between_classes_alone():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 20)
    X = rng.normal(size=(40, 2)) + y[:, None]
    rule = NaiveBayes(var_smoothing=1e-9)
    plain = rule.fit(Sample.from_arrays(X, y)).predict_proba(X)
    more = np.column_stack([X, np.full(40, 0.1)])
    np.testing.assert_allclose(rule.fit(Sample.from_arrays(more, y)).predict_proba(more), plain, rtol=1e-9)
    report = np.column_stack([X, 0.1 + 1e-6 * y])
    assert (rule.fit(Sample.from_arrays(report, y)).predict(report) == y).all()
