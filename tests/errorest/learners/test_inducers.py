"""The majority by hand, the adapter of scikit-learn's classifiers, and what a name stands for.

A name has scikit-learn's defaults, is blind to units, and labels in a batch as in a loop.
"""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from batteries import Scripted, assert_refused, mixed_sample, normal_sample, rows_of
from compendium.methods.conformance import every_scheme
from errorest.data.sample import Attribute, Sample
from errorest.data.sets import load
from errorest.learners import KNN, LinearDiscriminant, Majority, NaiveBayes, SklearnInducer
from errorest.learners.named import DEFAULTS, INDUCERS, named
from errorest.resampling.draw import bootstrap, concatenate, k_fold, leave_one_out


@settings(max_examples=30)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=12))
def test_the_majority_of_a_training_set_is_counted_case_by_case(y):
    sample = Sample.from_arrays(np.arange(len(y)), y, classes=list("abcd"))
    for resamples in every_scheme(len(y)).values():
        labels = Majority().predict_resamples(sample, resamples)
        for row in rows_of(resamples):
            tally = np.bincount(sample.y[row.trained], minlength=4)
            assert (labels[row.at] == tally.argmax()).all()


# scikit-learn


def test_each_row_draws_from_its_own_of_the_spawned_generators():
    g = np.random.default_rng(12)
    sample, inducer = normal_sample(12, seed=12), SklearnInducer(ExtraTreeClassifier())
    resamples = k_fold(12, 4, g, repeats=2)
    labels = inducer.predict_resamples(sample, resamples, np.random.default_rng(6))
    rows, own = list(rows_of(resamples)), np.random.default_rng(6).spawn(resamples.n_rows)
    for r in (5, 0, 7):  # in any order
        fitted = inducer.fit(sample.take(rows[r].trained), own[r])
        np.testing.assert_array_equal(labels[rows[r].at], fitted.predict(sample.X[rows[r].tested]))


def seen_of(sample: Sample, trained: int) -> list:
    """What a classifier gets that is trained on the first cases and labels the others."""
    seen: list = []

    def record(_, X) -> np.ndarray:
        seen.append(np.asarray(X).tolist())
        return np.zeros(len(X), dtype=int)

    SklearnInducer(Scripted(record, record)).fit(sample.take(np.arange(trained))).predict(sample.X[trained:])
    return seen


def test_values_are_encoded_and_gaps_filled_from_the_training_set_alone():
    kinds = (Attribute("a"), Attribute("b", "nominal", ("p", "q", "r")))
    X = np.array([[1.0, 0], [3.0, 1], [np.nan, 0], [99.0, np.nan], [50.0, 2], [np.nan, np.nan]])
    trained, requested = seen_of(Sample.from_arrays(X, [0, 1, 0, 1, 0, 1], attributes=kinds, classes=["u", "v"]), 4)
    # median of 1, 3, 99 is 3; the most frequent category of training is p; r was never seen
    assert trained == [[1, 1, 0], [3, 0, 1], [3, 1, 0], [99, 1, 0]]
    assert requested == [[50, 0, 0], [3, 1, 0]]
    # training without a gap
    X = np.array([[1.0, 5.0], [3.0, 6.0], [8.0, 7.0], [np.nan, 8.0]])
    assert seen_of(Sample.from_arrays(X, [0, 1, 1, 0]), 3)[1] == [[3.0, 8.0]]


def test_an_attribute_that_is_missing_throughout_training_does_not_stop_the_fit():
    kinds = (Attribute("a"), Attribute("b", "nominal", ("p", "q")))
    X = np.array([[np.nan, np.nan], [np.nan, np.nan], [1.0, 1.0]])
    sample = Sample.from_arrays(X, [0, 1, 0], attributes=kinds)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        labels = SklearnInducer(DecisionTreeClassifier(random_state=0)).fit(sample.take(np.arange(2))).predict(sample.X)
    assert labels.shape == (3,)


def test_without_encoding_the_classifier_gets_the_values_as_they_are():
    sample = mixed_sample(np.random.default_rng(0), 24)
    with pytest.raises(ValueError, match="NaN"):
        SklearnInducer(GaussianNB(), encode=False).fit(sample)
    tree = SklearnInducer(DecisionTreeClassifier(random_state=0), encode=False)  # takes missing values itself
    plain = DecisionTreeClassifier(random_state=0).fit(sample.X, sample.y)
    np.testing.assert_array_equal(tree.fit(sample).predict(sample.X), plain.predict(sample.X))


@pytest.mark.parametrize("thing", [LinearRegression(), GaussianNB, "tree", 3])
def test_what_is_no_classifier_is_refused(thing):
    assert_refused(None, SklearnInducer, thing)


def test_the_adapter_leaves_no_column_out_where_training_lacks_a_class():
    s = Sample.from_arrays([0.0, 1.0, 4.0, 5.0], ["a", "a", "b", "c"])
    output = SklearnInducer(KNeighborsClassifier(1)).predict_proba_resamples(s, leave_one_out(4))
    assert output.tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]]
    ours = KNN(1).predict_proba_resamples(s, leave_one_out(4))
    assert (output == ours).all()


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
