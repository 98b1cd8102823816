"""Inducers: batch equals loop to the label; both equal independent implementations and hand-worked cases."""

from __future__ import annotations

import warnings
from math import inf, isfinite, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from batteries import assert_refused, normal_sample, rows_of
from errorest.conformance.inducers import every_scheme
from errorest.data.sample import Attribute, Sample
from errorest.inducers import Majority, SklearnInducer, Threshold
from errorest.resampling.draw import k_fold

RULES = ("literal", "class-0-mean")


def two_classes(x, y) -> Sample:
    return Sample.from_arrays(x, y, classes=["0", "1"])


@settings(max_examples=30)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=12))
def test_the_majority_of_a_training_set_is_counted_case_by_case(y):
    sample = Sample.from_arrays(np.arange(len(y)), y, classes=list("abcd"))
    for resamples in every_scheme(len(y)).values():
        labels = Majority().predict_resamples(sample, resamples)
        for row in rows_of(resamples):
            tally = np.bincount(sample.y[row.trained], minlength=4)
            assert (labels[row.at] == tally.argmax()).all()


def threshold_by_hand(x, y, rule: str) -> tuple[float, int, int]:
    """The appendix's function in plain Python, statement by statement, in exact arithmetic of the test."""
    zero, one = [v for v, c in zip(x, y, strict=True) if c == 0], [v for v, c in zip(x, y, strict=True) if c == 1]
    if not zero:
        return -inf, 0, 1
    if not one:
        return inf, 0, 1
    mean0, mean1 = sum(zero) / len(zero), sum(one) / len(one)
    if mean0 == mean1:
        return ((mean0 + mean1) / 2 if len(zero) == len(one) else -inf if len(zero) < len(one) else inf), 0, 1
    squares = sum((v - mean0) ** 2 for v in zero) + sum((v - mean1) ** 2 for v in one)
    s2 = squares / (len(x) - 2) if len(x) > 2 else 0.0
    t = (mean0 + mean1) / 2 + s2 * log(len(zero) / len(one)) / (mean1 - mean0)
    reverse = mean0 > mean1 if rule == "literal" else t < mean0
    return (t, 1, 0) if reverse else (t, 0, 1)


@pytest.mark.parametrize("rule", RULES)
def test_the_threshold_follows_the_appendix_on_random_samples(rule):
    for seed in range(200):
        g = np.random.default_rng(seed)
        n = int(g.integers(2, 12))
        y = g.integers(0, 2, n)
        # whole numbers make equal means and classes without spread
        x = g.normal(size=n) * 10.0 ** g.integers(-2, 3) if seed % 2 else g.integers(0, 3, n).astype(float)
        fitted = Threshold(rule).fit(two_classes(x, y))
        t, a, b = threshold_by_hand(x.tolist(), y.tolist(), rule)
        assert fitted.labels == (a, b)
        assert fitted.cuts[0] == (t if not isfinite(t) else pytest.approx(t, rel=1e-9, abs=1e-9))


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("rule", RULES)
def test_means_that_differ_by_rounding_alone_count_as_equal(rule, offset):
    # (.1 + .2 + .3)/3 is not .2 in binary
    x = offset + np.array([0.1, 0.2, 0.3, 0.2])
    assert Threshold(rule).fit(two_classes(x, [0, 0, 0, 1])).cuts == (inf,)
    assert Threshold(rule).fit(two_classes(x, [1, 1, 1, 0])).cuts == (-inf,)
    balanced = Threshold(rule).fit(two_classes(offset + np.array([0.1, 0.2, 0.3, 0.2, 0.2, 0.2]), [0, 0, 0, 1, 1, 1]))
    assert (balanced.labels, balanced.cuts[0]) == ((0, 1), pytest.approx(offset + 0.2))


def test_the_printed_test_at_a_tenth_below_the_threshold_is_the_order_of_the_means():
    """The appendix weighs the classes at t - 0.1; in logarithms, without underflow, it is the literal rule."""
    for seed in range(300):
        g = np.random.default_rng(seed)
        y = g.integers(0, 2, 8)
        x = g.normal(size=8) + g.normal() * y
        n0 = int((y == 0).sum())
        if not 0 < n0 < 8:
            continue
        m0, m1 = x[y == 0].mean(), x[y == 1].mean()
        s2 = (((x[y == 0] - m0) ** 2).sum() + ((x[y == 1] - m1) ** 2).sum()) / 6
        at = (m0 + m1) / 2 + s2 * log(n0 / (8 - n0)) / (m1 - m0) - 0.1
        straight = log(n0) - (at - m0) ** 2 / (2 * s2) >= log(8 - n0) - (at - m1) ** 2 / (2 * s2)
        assert Threshold().fit(two_classes(x, y)).labels == ((0, 1) if straight else (1, 0))


# scikit-learn


def mixed_sample(n: int = 24, seed: int = 0) -> Sample:
    g = np.random.default_rng(seed)
    X = np.column_stack([g.normal(size=n), g.integers(0, 4, n), g.integers(0, 3, n)]).astype(float)
    X[g.random((n, 3)) < 0.15] = np.nan
    kinds = (Attribute("a"), Attribute("b", "nominal", ("p", "q", "r", "s")), Attribute("c", "integer"))
    return Sample.from_arrays(X, g.integers(0, 3, n), attributes=kinds, classes=["u", "v", "w"])


@pytest.mark.parametrize(
    "model",
    [GaussianNB(), KNeighborsClassifier(1), make_pipeline(StandardScaler(), GaussianNB()), DummyClassifier()],
    ids=lambda m: type(m).__name__,
)
def test_an_adapted_classifier_equals_a_plain_loop(model):
    g = np.random.default_rng(8)
    sample = Sample.from_arrays(g.normal(size=(12, 2)), g.integers(0, 3, 12), classes=["a", "b", "c"])
    inducer = SklearnInducer(model)
    for resamples in every_scheme(12).values():
        labels = inducer.predict_resamples(sample, resamples)
        for row in rows_of(resamples):
            X, y, tested = sample.X[row.trained], sample.y[row.trained], sample.X[row.tested]
            if tested.size:
                one_class = np.unique(y).size == 1
                expected = np.full(len(tested), y[0]) if one_class else type(model).fit(model, X, y).predict(tested)
                np.testing.assert_array_equal(labels[row.at], expected)


def test_each_row_draws_from_its_own_of_the_spawned_generators():
    g = np.random.default_rng(12)
    sample, inducer = normal_sample(12, seed=12), SklearnInducer(ExtraTreeClassifier())
    resamples = k_fold(12, 4, g, repeats=2)
    labels = inducer.predict_resamples(sample, resamples, np.random.default_rng(6))
    rows, own = list(rows_of(resamples)), np.random.default_rng(6).spawn(resamples.n_rows)
    for r in (5, 0, 7):  # in any order
        fitted = inducer.fit(sample.take(rows[r].trained), own[r])
        np.testing.assert_array_equal(labels[rows[r].at], fitted.predict(sample.X[rows[r].tested]))


class Recording(GaussianNB):
    """Remembers what it was trained on and asked for."""

    seen: list = []  # noqa: RUF012

    def fit(self, X, y):
        Recording.seen.append(np.array(X))
        return super().fit(X, y)

    def predict(self, X):
        Recording.seen.append(np.array(X))
        return super().predict(X)


def seen_of(sample: Sample, trained: int) -> list:
    """What a classifier gets that is trained on the first cases and labels the others."""
    Recording.seen.clear()
    SklearnInducer(Recording()).fit(sample.take(np.arange(trained))).predict(sample.X[trained:])
    return [X.tolist() for X in Recording.seen]


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
    sample = mixed_sample()
    Recording.seen.clear()
    with pytest.raises(ValueError, match="NaN"):
        SklearnInducer(Recording(), encode=False).fit(sample)
    tree = SklearnInducer(DecisionTreeClassifier(random_state=0), encode=False)  # takes missing values itself
    plain = DecisionTreeClassifier(random_state=0).fit(sample.X, sample.y)
    np.testing.assert_array_equal(tree.fit(sample).predict(sample.X), plain.predict(sample.X))


def test_the_wrapped_classifier_is_never_changed():
    model = DecisionTreeClassifier()
    before = model.get_params()
    SklearnInducer(model).fit(Sample.from_arrays([0.0, 1.0], [0, 1]), np.random.default_rng(0))
    assert model.get_params() == before
    assert not hasattr(model, "tree_")


@pytest.mark.parametrize("thing", [LinearRegression(), GaussianNB, "tree", 3])
def test_what_is_no_classifier_is_refused(thing):
    assert_refused(None, SklearnInducer, thing)
