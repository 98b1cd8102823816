"""Odd values of every argument end in one line, or in the right number, and never in a traceback."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import fbeta_score, jaccard_score, make_scorer
from sklearn.naive_bayes import GaussianNB

from batteries import assert_refused
from errorest import Predictions, choose, compare, estimate, from_predictions, report, resample
from errorest import test_size_for as size_for

RNG = np.random.default_rng(3)
X = RNG.normal(size=(40, 3))
Y = np.where(X[:, 0] + RNG.normal(size=40) > 0, "yes", "no")
GROUPS = np.arange(40) // 4
TRUE = ["a", "a", "b", "b"]


class Threshold(ClassifierMixin, BaseEstimator):
    """Says the last class where the first attribute is positive."""

    def fit(self, X: Any, y: Any) -> Any:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.where(np.asarray(X)[:, 0] > 0, self.classes_[-1], self.classes_[0])


class Silent(Threshold):
    """Forgets to return what it predicts."""

    def predict(self, X: Any) -> Any:
        super().predict(X)

    def predict_proba(self, X: Any) -> Any:
        super().predict(X)


class Starred(Threshold):
    """Has settings that scikit-learn cannot name."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts


class Forgetful(Threshold):
    """Does not keep its setting."""

    def __init__(self, cut: float = 0.0) -> None:
        pass


class FailsOnFewCases(Threshold):
    """Fails where a third of the cases is held out, and on no fold."""

    def fit(self, X: Any, y: Any) -> Any:
        if len(y) < 30:
            raise ValueError("too few cases")
        return super().fit(X, y)


@pytest.mark.parametrize("value", [3, len, {"a": 1}, iter("ab")], ids=["number", "function", "mapping", "iterator"])
@pytest.mark.parametrize("name", ["y", "groups", "stratify", "fold", "labels"])
def test_what_is_no_list_of_labels_is_refused(name: str, value: Any) -> None:
    if name in ("y", "groups", "stratify"):
        named = {"y": Y, "method": "cv(k=2)", "rng": 1} | {name: value}
        assert_refused("shape|expected one", estimate, "naive-bayes", X, **named)
    else:
        assert_refused("shape|expected", Predictions.from_arrays, TRUE, TRUE, **{name: value})


@pytest.mark.parametrize("shape", [lambda v: v[:, None], lambda v: pd.DataFrame({"v": v}), lambda v: [[x] for x in v]])
@pytest.mark.parametrize("name", ["y", "groups", "stratify"])
def test_one_column_is_a_list_of_labels(name: str, shape: Any) -> None:
    columns = {"y": Y, "groups": GROUPS, "stratify": GROUPS % 2}
    named = {"y": Y, name: columns[name], "method": "cv(k=2)", "rng": 1}
    of_column = estimate("naive-bayes", X, **{**named, name: shape(columns[name])})
    assert repr(of_column) == repr(estimate("naive-bayes", X, **named))


@pytest.mark.parametrize("scoring", ["error", "brier"])
def test_a_classifier_that_answers_nothing_is_refused(scoring: str) -> None:
    assert_refused(r"\(", estimate, Silent(), X, Y, method="cv(k=2)", scoring=scoring, rng=1)


@pytest.mark.parametrize("model", [Starred(), Forgetful()], ids=["starred", "forgetful"])
def test_a_classifier_whose_settings_cannot_be_read_is_refused(model: Any) -> None:
    assert_refused(f"the settings of {type(model).__name__} cannot be read", estimate, model, X, Y, rng=1)


@pytest.mark.parametrize("fit_params", ["a", 3, [1], {1: 2}])
def test_fit_params_are_named(fit_params: Any) -> None:
    assert_refused("fit_params = .*; expected a mapping", estimate, GaussianNB(), X, Y, fit_params=fit_params, rng=1)


def test_weights_of_cases_in_another_order_are_refused() -> None:
    frame, weights = pd.DataFrame(X), pd.Series(np.arange(1.0, 41.0), index=range(39, -1, -1))
    named = {"method": "cv(k=2)", "rng": 1}
    wrong = {"sample_weight": weights}
    assert_refused("in another order", estimate, GaussianNB(), frame, Y, fit_params=wrong, **named)
    right, array = {"sample_weight": weights.loc[frame.index]}, {"sample_weight": np.arange(40.0, 0.0, -1.0)}
    assert (
        estimate(GaussianNB(), frame, Y, fit_params=right, **named).value
        == estimate(GaussianNB(), X, Y, fit_params=array, **named).value
    )


@pytest.mark.parametrize("level", [0, 1, 95, -1, float("nan"), None, "0.9", True])
def test_tables_of_predictions_check_the_confidence_level(level: Any) -> None:
    p = resample("naive-bayes", X, Y, method="cv(k=2)", rng=1)
    metric = p.estimate().metric
    for table in (p.by_class, p.confusion, p.reliability, lambda confidence_level: p.against_baseline(metric, level)):
        assert_refused("confidence_level = .*; expected a proportion", table, confidence_level=level)


def test_an_expected_error_is_no_truth_value() -> None:
    assert_refused("error = True; expected a proportion", size_for, 0.1, True)


def test_a_series_names_metrics_or_costs() -> None:
    p = resample("naive-bayes", X, Y, method="cv(k=4)", rng=1)
    assert p.estimate(pd.Series(["error", "mcc"])).to_frame().equals(p.estimate(["error", "mcc"]).to_frame())
    assert p.estimate(pd.Series({"fn": 5, "fp": 1})).value == p.estimate({"fn": 5, "fp": 1}).value


@pytest.mark.parametrize("scorer", [make_scorer(fbeta_score, beta=2), make_scorer(jaccard_score), "f1_weighted"])
def test_limits_of_scikit_learns_shares_are_shares(scorer: Any) -> None:
    e = resample("naive-bayes", X[:16], Y[:16], method="cv(k=4, repeats=2)", rng=1).estimate(scorer)
    assert e.interval.high - e.interval.low > 0.5
    assert 0 <= e.interval.low < e.value < e.interval.high <= 1


@pytest.mark.parametrize("labels", [["a", "b", "b"], ["a", "b", None], [["a", "b"]]])
def test_classes_are_named_once(labels: Any) -> None:
    assert_refused("expected each class once|labels lack a class", Predictions.from_arrays, TRUE, TRUE, labels=labels)


@pytest.mark.parametrize(
    ("y_prob", "message"),
    [
        ([0.1, 0.2, 0.3], "y_true has 4 rows and y_prob 3"),
        ([0.1, float("nan"), 0.3, 0.4], "some probabilities are missing"),
        ([None] * 4, "some probabilities are missing"),
        (np.ones((4, 3)) / 3, r"the probabilities have shape \(4, 3\)"),
        (["x"] * 4, "the probabilities are no numbers"),
    ],
)
def test_wrong_probabilities_are_named(y_prob: Any, message: str) -> None:
    assert_refused(message, from_predictions, TRUE, y_prob=y_prob)


def test_one_group_has_no_estimate_of_predictions_either() -> None:
    assert_refused("there is 1 group; expected at least two", from_predictions, TRUE, TRUE, groups=[1] * 4)


def test_a_comparison_does_not_need_the_sign_test() -> None:
    named = {"method": "cv(k=10)", "rng": 1}
    d = compare(FailsOnFewCases(), "majority", X, Y, error_score=np.nan, **named)
    plain = compare(Threshold(), "majority", X, Y, **named)
    assert d.sign_test is None
    assert plain.sign_test is not None
    assert (d.value, d.interval.low, d.interval.high) == (plain.value, plain.interval.low, plain.interval.high)
    assert_refused("too few cases", compare, FailsOnFewCases(), "majority", X, Y, **named)


def test_a_metric_without_settings_says_so() -> None:
    p = Predictions.from_arrays(TRUE, y_prob=[0.1, 0.2, 0.7, 0.6])
    assert_refused("has no setting 'threshold'; expected none$", p.estimate, "auc(threshold=0.3)")


@pytest.mark.parametrize("scoring", ["error", "accuracy"])
def test_nothing_is_claimed_of_differences_that_are_all_equal(scoring: str) -> None:
    fold, y = np.repeat(np.arange(4), 10), np.arange(40) % 2
    wrong = np.where(np.arange(40) % 10 == 0, 1 - y, y)  # one error in every fold
    p, q = (Predictions.from_arrays(y, labels, fold=fold) for labels in (wrong, y))
    d = compare(p, q, scoring=scoring)
    assert d.interval.degenerate
    assert abs(d.value) == pytest.approx(0.1)
    assert (
        report.verdict(d)
        == "undecided between a (the classifier) and b (the classifier), since the interval has no width"
    )
    assert choose({"p": p, "q": q}, scoring=scoring, rng=1).not_worse == ("q", "p")


class FailsOnce(Threshold):
    """Fails where the first case is not trained on."""

    def fit(self, X: Any, y: Any) -> Any:
        if X[0, 0] != globals()["X"][0, 0]:
            raise ValueError("no first case")
        return super().fit(X, y)


@pytest.mark.parametrize(
    ("interval", "groups"), [("auto", None), ("kohavi", None), ("cv-wald", None), ("auto", GROUPS), ("cv-wald", GROUPS)]
)
def test_limits_count_the_cases_that_were_tested(interval: str, groups: Any) -> None:
    # of the folds of a failed fit no case is tested: the others are a cross-validation of fewer cases
    named = {"method": "cv(k=5)", "interval": interval, "rng": 1, "groups": groups}
    e = estimate(FailsOnce(), X, Y, error_score=np.nan, **named)
    rows = e.predictions.to_frame()
    assert len(rows) == 32
    own = {} if groups is None else {"groups": rows["group"]}
    interval = e.interval.method.partition("(")[0]
    given = from_predictions(rows["y_true"], rows["y_pred"], fold=rows["fold"], interval=interval, **own)
    assert e.value == pytest.approx(given.value, abs=1e-12)
    assert [e.interval.low, e.interval.high] == pytest.approx([given.interval.low, given.interval.high], abs=1e-12)
