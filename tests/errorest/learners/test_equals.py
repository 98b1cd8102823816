"""Compiled batches give the labels and probabilities of scikit-learn's classifiers, or say that they are not sure."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from batteries import rows_of
from errorest.data.sets import load
from errorest.learners.equals import BatchAnswers, batch_of
from errorest.resampling.draw import bootstrap, k_fold
from errorest.resampling.multisets import Resamples

Data = tuple[np.ndarray, np.ndarray]


def normal(n: int, d: int, classes: int, seed: int) -> Data:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    return rng.normal(size=(n, d)) + y[:, None] * rng.normal(size=d), y


def grid(n: int, d: int, classes: int, seed: int, steps: int = 4) -> Data:
    """Whole numbers from a small grid: equal distances, equal cases of different classes, equal scores."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, steps, (n, d)).astype(float), rng.integers(0, classes, n)


def named(name: str, n: int) -> Data:
    sample = load(name)
    rows = np.random.default_rng(0).permutation(sample.n)[:n]
    y = np.unique(sample.y[rows], return_inverse=True)[1]
    return np.ascontiguousarray(sample.X[rows]), y


DATA: dict[str, Data] = {
    "two classes": normal(36, 3, 2, 0),
    "three classes": normal(60, 4, 3, 1),
    "one column": normal(30, 1, 2, 2),
    "far from zero": (normal(40, 3, 2, 3)[0] + 1000, normal(40, 3, 2, 3)[1]),
    "unequal scales": (normal(45, 3, 3, 4)[0] * [1, 1e-3, 1e4], normal(45, 3, 3, 4)[1]),
    "grid": grid(40, 2, 2, 5),
    "grid of three classes": grid(50, 3, 3, 6, 3),
    "ones and zeros": grid(36, 5, 2, 7, 2),
    "many columns": normal(48, 18, 2, 8),
    "iris": named("iris", 75),
}
ALONE: list[Any] = [
    GaussianNB(),
    GaussianNB(priors=None, var_smoothing=0.1),
    BernoulliNB(),
    BernoulliNB(alpha=0.3, binarize=1.0, fit_prior=False),
    CategoricalNB(),
    CategoricalNB(alpha=2.0, min_categories=7),
    KNeighborsClassifier(),
    KNeighborsClassifier(1),
    KNeighborsClassifier(4, algorithm="brute"),
    NearestCentroid(),
    DummyClassifier(),
    DummyClassifier(strategy="most_frequent"),
    LinearDiscriminantAnalysis(),
    LinearDiscriminantAnalysis(solver="lsqr"),
    QuadraticDiscriminantAnalysis(),
    LogisticRegression(),
    LogisticRegression(C=0.05, fit_intercept=False, tol=1e-3),
    make_pipeline(StandardScaler(), LogisticRegression(C=20.0)),
]
STEPS: list[Any] = [
    (StandardScaler(),),
    (MinMaxScaler((-1, 2)),),
    (SimpleImputer(), StandardScaler(with_mean=False)),
    (StandardScaler(), PCA(1)),
    (PCA(1, whiten=True), MinMaxScaler()),
]


def scikit_learn(model: Any, data: Data, resamples: Resamples) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Fit every row by scikit-learn: labels, probabilities and whether the row fails or warns."""
    X, y = data
    k = int(y.max()) + 1
    labels, shares = np.full(resamples.cases.size, -1), np.zeros((resamples.cases.size, k))
    failed = np.zeros(resamples.n_rows, dtype=bool)
    for r, row in enumerate(rows_of(resamples)):
        if np.unique(y[row.trained]).size == 1:
            labels[row.at], shares[row.at, y[row.trained][0]] = y[row.trained][0], 1.0
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                fitted = clone(model).fit(X[row.trained], y[row.trained])
                labels[row.at] = fitted.predict(X[row.tested])
                predicted = fitted.predict_proba(X[row.tested])
            except (ValueError, IndexError, RuntimeWarning, UserWarning):
                failed[r] = True
                continue
        shares[row.at] = 0.0
        for c, column in zip(fitted.classes_, predicted.T, strict=True):
            shares[row.at, c] = column
    return labels, shares, failed


def compared(model: Any, data: Data, resamples: Resamples) -> tuple[BatchAnswers, np.ndarray]:
    """Check that all of which a batch is sure is as scikit-learn has it; return the answers and the sure tests."""
    k = int(data[1].max()) + 1
    batch = batch_of(model, data[0], k)
    assert batch is not None
    labels, shares, failed = scikit_learn(model, data, resamples)
    results = []
    for scores in (False, True):
        answers = batch.answer(data[1], k, resamples, scores)
        assert not (failed & ~answers.left).any()
        sure = ~answers.left[resamples.row_of_test()] & ~answers.doubtful
        assert (answers.labels[sure] == labels[sure]).all()
        if scores:
            assert answers.probabilities is not None
            assert np.abs(answers.probabilities - shares)[sure].max(initial=0) < 1e-9
        results.append((answers, sure))
    return results[1]


def resamples_of(n: int) -> list[Resamples]:
    rng = np.random.default_rng(11)
    return [bootstrap(n, 8, rng), k_fold(n, 5, rng)]


@pytest.mark.parametrize("name", DATA)
def test_labels_and_probabilities_are_those_of_scikit_learn(name: str) -> None:
    for model in ALONE:
        data = DATA[name]
        if isinstance(model, LogisticRegression) and name == "far from zero":
            assert batch_of(model, data[0], 2) is None  # its iterates lose digits there
            continue
        if isinstance(model, CategoricalNB):
            data = (np.clip(np.rint(data[0] - data[0].min(axis=0)), 0, 5), data[1])
        for resamples in resamples_of(data[1].size):
            compared(model, data, resamples)


@pytest.mark.parametrize("steps", STEPS, ids=lambda s: "-".join(type(one).__name__ for one in s))
def test_so_they_are_behind_transformers(steps: Any) -> None:
    for name in ("two classes", "far from zero", "unequal scales", "grid of three classes", "iris"):
        for last in (GaussianNB(), KNeighborsClassifier(3), LinearDiscriminantAnalysis(), NearestCentroid()):
            for resamples in resamples_of(DATA[name][1].size):
                compared(make_pipeline(*(clone(s) for s in steps), clone(last)), DATA[name], resamples)


@pytest.mark.parametrize("strategy", ["mean", "median", "most_frequent", "constant"])
def test_missing_values_are_filled_from_the_training_set(strategy: str) -> None:
    X, y = grid(40, 3, 2, 9, 5)
    X[np.random.default_rng(1).random(X.shape) < 0.2] = np.nan
    for last in (GaussianNB(), BernoulliNB(binarize=1.9), KNeighborsClassifier(3)):
        model = make_pipeline(SimpleImputer(strategy=strategy), last)
        for resamples in resamples_of(40):
            answers, _ = compared(model, (X, y), resamples)
            assert not answers.left.all()
    assert batch_of(make_pipeline(StandardScaler(), GaussianNB()), X, 2) is None


def test_most_tests_of_continuous_values_are_sure() -> None:
    data = normal(60, 4, 3, 20)
    for model in ALONE:
        if not isinstance(model, CategoricalNB):
            _, sure = compared(model, data, resamples_of(60)[0])
            assert sure.mean() > 0.9, model


def test_given_priors_are_used_where_every_class_is_present() -> None:
    data = normal(36, 2, 2, 21)
    priors = [0.2, 0.8]
    for model in (
        GaussianNB(priors=priors),
        BernoulliNB(class_prior=priors),
        LinearDiscriminantAnalysis(priors=priors),
        LinearDiscriminantAnalysis(solver="lsqr", priors=priors),
        QuadraticDiscriminantAnalysis(priors=priors),
    ):
        _, sure = compared(model, data, resamples_of(36)[0])
        assert sure.any()


def test_iterations_of_logistic_regression_are_those_of_scikit_learns_solver() -> None:
    # steps are shortened, lengthened and halved with many classes, and with little and much shrinkage
    for seed, (n, d, k) in enumerate([(36, 3, 2), (60, 4, 3), (80, 2, 4), (40, 30, 2), (150, 3, 3)]):
        X, y = normal(n, d, k, 30 + seed)
        for model in (LogisticRegression(C=0.01), LogisticRegression(), LogisticRegression(C=50, tol=1e-3)):
            answers, _ = compared(model, (X, y), bootstrap(n, 15, np.random.default_rng(seed)))
            assert not answers.left.all(), (n, d, k, model)


def test_solvers_that_stop_late_are_scikit_learns() -> None:
    data = normal(60, 4, 2, 40)
    for late in (LogisticRegression(tol=1e-14), LogisticRegression(max_iter=3)):
        answers, _ = compared(late, data, resamples_of(60)[0])
        assert answers.left.all()


def test_equal_distances_of_different_classes_are_doubtful() -> None:
    # the third nearest of 0 is either of two cases, one of each class
    X, y = np.array([[0.0], [0.0], [1.0], [-1.0], [5.0]]), np.array([0, 1, 0, 1, 0])
    counts = np.array([[1, 1, 1, 1, 1]], dtype=np.int32)
    from errorest.resampling.multisets import from_training_counts

    resamples = from_training_counts(counts, np.array([0, 2]), np.array([0, 4]))
    batch = batch_of(KNeighborsClassifier(3, algorithm="kd_tree"), X, 2)
    assert batch is not None
    answers = batch.answer(y, 2, resamples, False)
    assert answers.doubtful.tolist() == [True, False]
    assert answers.labels[1] == 0


def test_what_scikit_learn_warns_of_or_refuses_is_left_to_it() -> None:
    X, y = normal(30, 3, 2, 22)
    twice = np.column_stack([X, X[:, 0]])  # collinear
    resamples = k_fold(30, 5, np.random.default_rng(0))
    for model in (LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()):
        answers, _ = compared(model, (twice, y), resamples)
        assert answers.left.all()
    constant = np.column_stack([X, np.ones(30)])
    assert compared(NearestCentroid(), (constant, y), resamples)[0].left.all()
    assert compared(KNeighborsClassifier(29), (X, y), resamples)[0].left.all()


class Derived(GaussianNB):  # type: ignore[misc]
    """A class of the user's."""


@pytest.mark.parametrize(
    "model",
    [
        Derived(),
        LogisticRegression(solver="newton-cg"),
        LogisticRegression(class_weight="balanced"),
        LogisticRegression(l1_ratio=0.5, solver="saga"),
        make_pipeline(PCA(2), LogisticRegression()),
        RandomForestClassifier(),
        KNeighborsClassifier(weights="distance"),
        KNeighborsClassifier(p=1),
        KNeighborsClassifier(metric="manhattan"),
        LinearDiscriminantAnalysis(solver="eigen"),
        LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
        QuadraticDiscriminantAnalysis(reg_param=0.1),
        NearestCentroid(shrink_threshold=0.1),
        GaussianNB(priors=[1.0, 0.0]),
        BernoulliNB(alpha=0.0),
        CategoricalNB(),
        DummyClassifier(strategy="stratified"),
        make_pipeline(SelectKBest(k=1), GaussianNB()),
        make_pipeline(StandardScaler(), Derived()),
        make_pipeline(PCA(0.9), GaussianNB()),
        make_pipeline(PCA(1), BernoulliNB()),
        make_pipeline(SimpleImputer(add_indicator=True), GaussianNB()),
        make_pipeline(StandardScaler(), GaussianNB(), memory="somewhere"),
    ],
    ids=lambda model: " ".join(repr(model).split())[:60],
)
def test_settings_without_a_batch_go_the_ordinary_way(model: Any) -> None:
    assert batch_of(model, DATA["two classes"][0], 2) is None


def test_tables_without_a_batch_go_the_ordinary_way() -> None:
    X = DATA["two classes"][0]
    frame = pd.DataFrame(X, columns=list("abc"))
    assert batch_of(GaussianNB(), frame, 2) is not None
    for other in (X.astype(np.float32), X + 1e7, frame.assign(a="text"), frame.astype("Float64"), [[1.0], [2.0]]):
        assert batch_of(GaussianNB(), other, 2) is None
    with_gap = X.copy()
    with_gap[0, 0] = np.inf
    assert batch_of(GaussianNB(), with_gap, 2) is None
