"""scikit-learn's classifiers as inducers: what they are given, and what each row draws from."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from batteries import Scripted, assert_refused, mixed_sample, normal_sample, rows_of
from compendium.methods.learners.sklearn_adapter import SklearnInducer
from errorest.data.sample import Attribute, Sample
from errorest.learners import KNN
from errorest.resampling.draw import k_fold, leave_one_out


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


def test_a_seed_that_no_part_reads_is_drawn_all_the_same():
    sample = normal_sample(40, 4, seed=3)
    tree = DecisionTreeClassifier(max_features=1, splitter="random")
    model = Pipeline([("a", PCA(2, svd_solver="full")), ("b", tree)])
    fitted = SklearnInducer(model).fit(sample, np.random.default_rng(5))
    _, seed = np.random.default_rng(5).integers(2**31, size=2)
    expected = clone(model).set_params(b__random_state=int(seed)).fit(sample.X, sample.y)
    X = np.random.default_rng(6).normal(size=(300, 4))
    np.testing.assert_array_equal(fitted.predict(X), expected.predict(X))
