"""Predictions are made once; what is estimated from them equals what one call estimates."""

import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import KFold, LeaveOneOut, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from batteries import assert_refused
from errorest import Predictions, estimate, resample

RNG = np.random.default_rng(3)
N = 50
Y = np.where(RNG.random(N) < 0.4, "yes", "no")
X = RNG.normal(size=(N, 2)) + 1.2 * (Y == "yes")[:, None]
GROUPS = np.repeat(np.arange(25), 2)
# Functions and modules that a plain estimate passes, in the check of its length
MOST_FUNCTIONS, MOST_MODULES = 287, 44

METRICS = ["error", "accuracy", "brier", "auc", "average-precision", "macro-f1", "balanced"]


class Counting(GaussianNB):
    """Naive Bayes that counts its fits."""

    fits = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        Counting.fits += 1
        return super().fit(X, y, sample_weight)


def _numbers(e: Any) -> tuple[Any, ...]:
    limits = () if e.interval is None else (e.interval.low, e.interval.high, e.interval.method)
    return e.value, e.standard_error, e.method, e.n_fits, e.warnings, *limits


@pytest.mark.parametrize("model", ["naive-bayes", GaussianNB(), DecisionTreeClassifier(max_features=1)], ids=str)
@pytest.mark.parametrize("groups", [None, GROUPS], ids=["cases", "groups"])
def test_an_estimate_does_not_depend_on_what_else_was_asked(model: Any, groups: Any) -> None:
    everything = resample(model, X, Y, groups=groups, rng=1)
    several = estimate(model, X, Y, groups=groups, scoring=METRICS, rng=1)
    for position, metric in enumerate(METRICS):
        alone = estimate(model, X, Y, groups=groups, scoring=metric, rng=1)
        assert _numbers(everything.estimate(metric)) == _numbers(alone)
        assert _numbers(several[position]) == _numbers(alone)
        assert several[position] is several[str(alone.metric)]


def test_several_metrics_fit_the_union_of_their_resamplings_once() -> None:
    Counting.fits = 0
    three = estimate(Counting(), X, Y, scoring=["error", "brier", "auc"], method="cv(k=5, repeats=2)", rng=1)
    assert Counting.fits == 10 + 2  # two look whether it learns
    assert [e.n_fits for e in three] == [10, 10, 10]
    Counting.fits = 0
    estimate(Counting(), X, Y, scoring=["error", "brier"], rng=1)
    assert Counting.fits == 201 + 50 + 2
    Counting.fits = 0
    p = resample(Counting(), X, Y, method="cv(k=5)", rng=1)
    p.estimate(["error", "mcc", "auc"])
    assert (Counting.fits, p.n_fits) == (7, 5)


@pytest.mark.parametrize(
    ("method", "groups"),
    [
        ("cv(k=5, repeats=3, stratified=True)", None),
        ("cv(k=5, repeats=3, stratified=True)", GROUPS),
        ("cv(k=5)", None),
        ("cv(k=5)", GROUPS),
        ("loo", None),
    ],
)
def test_predictions_made_elsewhere_are_estimated_as_ours(method: str, groups: Any) -> None:
    p = resample(GaussianNB(), X, Y, method=method, groups=groups, rng=1)
    table = p.to_frame()
    group = [] if groups is None else ["group"]
    assert list(table) == ["scheme", "repeat", "fold", "split", "case", *group, "y_true", "y_pred", "p(no)", "p(yes)"]
    columns = {name: table[name] for name in ("fold", "repeat", "case")} | (
        {} if groups is None else {"groups": table["group"]}
    )
    given = Predictions.from_arrays(table["y_true"], table["y_pred"], y_prob=table["p(yes)"], **columns)
    assert (given.n, given.n_fits) == (N, 0)
    for metric in METRICS:
        theirs, own = given.estimate(metric), p.estimate(metric)
        assert theirs.value == pytest.approx(own.value, abs=1e-12)
        assert (theirs.interval is None) == (own.interval is None), metric
        if own.interval is not None:
            limits = own.interval.low, own.interval.high
            assert (theirs.interval.low, theirs.interval.high) == pytest.approx(limits), metric
    assert given.confusion().equals(p.confusion())
    assert np.allclose(given.reliability(), p.reliability())
    assert given.cases("brier")["loss"].to_numpy() == pytest.approx(p.cases("brier")["loss"].to_numpy())


@pytest.mark.parametrize("grouped", [False, True])
def test_folds_are_numbered_in_each_repetition(grouped: bool) -> None:
    pairs = list(KFold(4).split(X)) + list(KFold(3).split(X))
    p = resample(GaussianNB(), X, Y, method=pairs)
    assert list(zip(*p.by_split()[["repeat", "fold"]].to_numpy().T, strict=True)) == [
        *((0, k) for k in range(4)),
        *((1, k) for k in range(3)),
    ]
    q = resample(GaussianNB(), X, Y, method="cv(k=3, repeats=2)", groups=GROUPS if grouped else None, rng=1)
    assert q.by_split()["fold"].tolist() == [0, 1, 2] * 2


@pytest.mark.parametrize("metric", ["f1", "mcc", "auc", "cohen-kappa"])
def test_single_cases_have_no_statistic_of_their_own(metric: str) -> None:
    assert estimate(GaussianNB(), X, Y, cv=LeaveOneOut(), scoring=metric).value == pytest.approx(
        estimate(GaussianNB(), X, Y, method="loo", scoring=metric).value
    )


def test_values_of_pairs_of_classes_are_no_scores_of_classes() -> None:
    X3, y3 = load_iris(return_X_y=True)
    pairs = SVC(decision_function_shape="ovo")
    assert_refused("predict_proba", estimate, pairs, X3, y3, scoring="macro-auc", cv=3)
    assert resample(pairs, X3, y3, cv=3, rng=1).estimate("error").value < 0.1
    assert estimate(SVC(), X3, y3, scoring="macro-auc", cv=3, rng=1).value > 0.9


def test_values_that_are_no_numbers_are_refused() -> None:
    class Lost(LinearSVC):
        def decision_function(self, X: Any) -> Any:
            return np.full(len(X), np.nan)

    assert_refused("NaN", estimate, Lost(), X, Y, scoring="auc", cv=3)


def test_labels_and_scores_are_both_kept() -> None:
    """Labels of ``predict`` are not the largest of ``predict_proba`` for every classifier."""

    class Contrary(GaussianNB):
        def predict(self, X: Any) -> Any:
            return self.classes_[1 - self.predict_proba(X).argmax(axis=1)]

    p = resample(Contrary(), X, Y, method="cv(k=5, weights=folds)", rng=1)
    plain = resample(GaussianNB(), X, Y, method="cv(k=5, weights=folds)", rng=1)
    assert p.estimate("error").value == pytest.approx(1 - plain.estimate("error").value)
    assert p.estimate("auc").value == plain.estimate("auc").value


def test_tables_have_the_shapes_that_are_documented() -> None:
    p = resample("naive-bayes", X, Y, method="cv(k=5)", groups=GROUPS, rng=1)
    assert "group" in p.to_frame()
    splits = p.by_split("error")
    assert list(splits) == ["scheme", "repeat", "fold", "split", "trained", "tested", "value"]
    assert (splits["trained"] + splits["tested"] == N).all()
    wrong = (p.to_frame()["y_true"] != p.to_frame()["y_pred"]).groupby(p.to_frame()["split"]).mean()
    assert splits["value"].to_numpy() == pytest.approx(wrong.to_numpy())
    assert p.cases()["tested"].tolist() == [1] * N
    assert p.by_class()["cases"].sum() == N
    assert "50 cases of 2 classes" in repr(p)


@pytest.mark.parametrize("model", [LinearSVC(), RidgeClassifier()], ids=str)
def test_a_decision_function_ranks(model: Any) -> None:
    folds = StratifiedKFold(5, shuffle=True, random_state=1)
    e = estimate(model, X, Y, scoring="auc", method=folds, rng=1)
    assert e.value == pytest.approx(cross_val_score(model, X, Y, cv=folds, scoring="roc_auc").mean())
    three = np.where(X[:, 0] > 1.5, "more", Y)
    assert 0.5 < estimate(model, X, three, scoring="macro-auc", method=5, rng=1).value <= 1
    assert_refused("predict_proba", estimate, model, X, Y, scoring="brier")
    p = resample(model, X, Y, method=folds, rng=1)
    assert "score(yes)" in p.to_frame()
    assert_refused("decision function", p.estimate, "brier")


def test_fit_params_are_cut_by_rows() -> None:
    weight = RNG.random(N)
    folds = KFold(5, shuffle=True, random_state=1)
    own = estimate(GaussianNB(), X, Y, method=folds, fit_params={"sample_weight": weight}, rng=1)
    wrong = []
    for train, test in folds.split(X):
        made = GaussianNB().fit(X[train], Y[train], sample_weight=weight[train])
        wrong.append(np.mean(made.predict(X[test]) != Y[test]))
    assert own.value == pytest.approx(np.mean(wrong))
    pipe = make_pipeline(StandardScaler(), LogisticRegression())
    named = {"logisticregression__sample_weight": pd.Series(weight)}
    assert estimate(pipe, X, Y, method=folds, fit_params=named, rng=1).value >= 0
    assert_refused("fit_params", estimate, "naive-bayes", X, Y, fit_params={"sample_weight": weight})


def test_generators_of_splits_and_cv_name_a_method() -> None:
    folds = StratifiedKFold(5, shuffle=True, random_state=1)
    expected = estimate(GaussianNB(), X, Y, method=folds, rng=1).value
    assert estimate(GaussianNB(), X, Y, cv=folds.split(X, Y), rng=1).value == expected
    assert estimate(GaussianNB(), X, Y, cv=list(folds.split(X, Y)), rng=1).value == expected
    assert_refused("method and cv", estimate, GaussianNB(), X, Y, method=5, cv=5)


@pytest.mark.parametrize("n_jobs", [None, -1, -2])
def test_workers_are_counted_as_in_scikit_learn(n_jobs: Any) -> None:
    one = estimate(GaussianNB(), X, Y, method=3, rng=np.random.SeedSequence(4))
    assert estimate(GaussianNB(), X, Y, method=3, n_jobs=n_jobs, rng=np.random.SeedSequence(4)).value == one.value


def test_an_interval_that_was_named_with_the_fits_is_that_of_the_predictions() -> None:
    named = "nested-cv(k=4, repeats=2)"
    p = resample("naive-bayes", X, Y, interval=named, rng=1)
    assert _numbers(p.estimate()) == _numbers(estimate("naive-bayes", X, Y, interval=named, rng=1))
    assert resample("naive-bayes", X, Y, method="cv(k=5)", interval=None, rng=1).estimate().interval is None
    assert_refused("not legal with", resample("naive-bayes", X, Y, method=5, rng=1).estimate, interval="oob")


def test_several_estimates_have_the_predictions_of_all() -> None:
    several = estimate("naive-bayes", X, Y, scoring=["error", "brier"], rng=1)
    assert several.predictions.n_fits == sum(e.n_fits for e in several) == 201 + 50


def test_what_predictions_lack_is_named() -> None:
    p = resample("naive-bayes", X, Y, scoring="error", rng=1)
    assert_refused(r"scoring=\['auc'\]", p.estimate, "auc")
    given = Predictions.from_arrays(Y, Y)
    assert_refused("needs probabilities", given.estimate, "auc")
    assert_refused("max_bytes", resample, "naive-bayes", X, Y, max_bytes=1000)
    assert_refused("labels lack", Predictions.from_arrays, Y, Y, labels=["yes", "other"])
    assert Predictions.from_arrays(Y, Y, labels=["no", "other", "yes"]).n_classes == 3


def test_regression_is_refused_in_one_line() -> None:
    from sklearn.linear_model import LinearRegression

    assert_refused("cross_val_score", estimate, LinearRegression(), X, Y)


def test_time_and_seed_are_those_of_the_run() -> None:
    p = resample("naive-bayes", X, Y, method=5)
    again = estimate("naive-bayes", X, Y, method=5, rng=p.seed)
    assert p.estimate().value == again.value
    assert (p.model, p.settings) == ("naive-bayes", "")[:0] or p.model.startswith("naive-bayes")


def test_a_label_of_many_classes_fits_into_small_integers() -> None:
    rng = np.random.default_rng(1)
    y = np.arange(600) % 200
    x = rng.normal(size=(600, 2)) + y[:, None]
    p = resample(GaussianNB(), x, y, method="holdout(test=1/3)", rng=1)
    (run,) = p.runs.values()
    assert run.labels is not None
    assert run.labels.dtype == np.int16
    few = resample("naive-bayes", X, Y, method=5, rng=1)
    assert next(iter(few.runs.values())).labels.dtype == np.int8  # type: ignore[union-attr]
    assert p.confusion()["share"].sum() == pytest.approx(p.by_class()["cases"].size)


def _called(call: Any) -> tuple[set[str], set[str]]:
    """Return the Python functions of errorest that a call passes, and their modules."""
    functions, modules = set(), set()

    def note(frame: Any, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and "/errorest/" in code.co_filename and "/tests/" not in code.co_filename:
            functions.add((code.co_filename, code.co_qualname))
            modules.add(code.co_filename)

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return functions, modules


def test_the_path_of_a_plain_estimate_does_not_grow() -> None:
    def call() -> None:
        str(estimate(GaussianNB(), X, Y, rng=1))

    call()
    functions, modules = _called(call)
    named = {one for one in functions if not one[1].endswith(">")}  # neither lambdas nor comprehensions
    assert len(named) <= MOST_FUNCTIONS
    assert len(modules) <= MOST_MODULES
