"""Predictions made elsewhere give the same numbers as scikit-learn, scipy and the library's own runs."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import (
    GroupKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB

from batteries import assert_refused
from errorest import estimate, from_predictions, report
from errorest.estimation.metrics import parse_metric
from errorest.estimation.metrics.ranking import score_limits

X, Y = load_iris(return_X_y=True)
X, Y = X[50:, :2], np.where(Y[50:] == 1, "no", "yes")


def _ids(result: Any) -> list[str]:
    return [one.id for one in result.warnings]


def _folds(splits: Any, n: int = Y.size) -> np.ndarray:
    fold = np.empty(n, dtype=int)
    for number, (_, test) in enumerate(splits):
        fold[test] = number
    return fold


def test_one_test_set_has_the_intervals_of_a_proportion() -> None:
    wrong, n = 7, 40
    truth = ["a", "b"] * (n // 2)
    predicted = [{"a": "b", "b": "a"}[t] if i < wrong else t for i, t in enumerate(truth)]
    for method, interval in (("wilson", "auto"), ("exact", "holdout-clopper-pearson")):
        result = from_predictions(truth, predicted, interval=interval, confidence_level=0.9)
        wanted = stats.binomtest(wrong, n).proportion_ci(0.9, method)
        assert result.value == wrong / n
        assert [result.interval.low, result.interval.high] == pytest.approx([wanted.low, wanted.high])
    assert (result.baseline.value, result.predictions.by_class()["error"].mean()) == (0.5, pytest.approx(wrong / n))


def test_cross_val_predict_gives_what_the_library_computes_on_the_same_folds() -> None:
    splitter = StratifiedKFold(5, shuffle=True, random_state=1)
    predicted = cross_val_predict(GaussianNB(), X, Y, cv=splitter)
    for interval, theirs in (("auto", "auto"), ("cv-wald", "cv-wald(k=5)")):
        result = from_predictions(Y, predicted, fold=_folds(splitter.split(X, Y)), interval=interval)
        own = estimate(GaussianNB(), X, Y, method=splitter, interval=theirs, rng=1)
        assert result.value == pytest.approx(own.value)
        assert result.interval.low == pytest.approx(own.interval.low)
        assert result.interval.high == pytest.approx(own.interval.high)
    assert result.predictions.confusion()["share"].tolist() == pytest.approx(
        own.predictions.confusion()["share"].tolist()
    )
    assert result.coverage is not None


def test_cross_validate_with_repeats_gives_the_corrected_t_interval() -> None:
    splitter = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=2)
    ran = cross_validate(GaussianNB(), X, Y, cv=splitter, scoring="roc_auc", return_estimator=True, return_indices=True)
    parts = []
    for number, (one, test) in enumerate(zip(ran["estimator"], ran["indices"]["test"], strict=True)):
        p = one.predict_proba(X[test])[:, 1]
        parts.append(pd.DataFrame({"case": test, "p": p, "fold": number % 5, "repeat": number // 5}))
    table = pd.concat(parts)
    columns = {name: table[name] for name in ("fold", "repeat", "case")}
    result = from_predictions(Y[table["case"]], table["p"], **columns, scoring="auc", interval="cv-corrected-t")
    scores = ran["test_score"]
    se = np.sqrt(scores.var(ddof=1) * (1 / 15 + 1 / 4))
    half = stats.t.ppf(0.975, 4) * se  # of five disjoint folds
    assert result.value == pytest.approx(scores.mean())
    assert result.interval.low == pytest.approx(scores.mean() - half)
    assert result.interval.high == pytest.approx(min(1, scores.mean() + half))
    labels = np.where(table["p"] > 0.5, "yes", "no")
    columns_of_two = {"fold": np.tile(np.arange(100) % 5, 2), "repeat": np.repeat([0, 1], 100)}
    errors = from_predictions(Y[table["case"]], labels, **columns)
    assert (errors.interval.method, errors.n) == ("cv-wilson(k=5, repeats=3)", 100)
    wanted = stats.binomtest(50, 100).proportion_ci(0.95, "wilson")
    columns_of_two["interval"] = "kohavi"
    coin = from_predictions(np.tile(Y, 2), np.concatenate([Y, np.where(Y == "no", "yes", "no")]), **columns_of_two)
    assert [coin.interval.low, coin.interval.high] == pytest.approx([wanted.low, wanted.high])
    assert errors.value == pytest.approx((labels != Y[table["case"]]).mean())


@pytest.mark.parametrize(
    ("scoring", "folds", "factor"), [("auc", True, 1.4), ("average-precision", True, 1.4), ("auc", False, 1.0)]
)
def test_rankings_have_score_limits_wider_by_folds(scoring: str, folds: bool, factor: float) -> None:
    splitter = StratifiedKFold(5, shuffle=True, random_state=1)
    p = cross_val_predict(GaussianNB(), X, Y, cv=splitter, method="predict_proba")
    result = from_predictions(Y, p, fold=_folds(splitter.split(X, Y)) if folds else None, scoring=scoring)
    variance, sizes = parse_metric(scoring).variance, np.array([(Y == "no").sum(), (Y == "yes").sum()])
    z = stats.t.ppf(0.975, 2 * sizes.min() - 2)
    low, high = score_limits(result.value, lambda a: factor * variance(a, sizes), z)
    assert result.interval.method.partition("(")[0].endswith(("hanley-mcneil", "boyd"))
    assert (result.interval.low, result.interval.high) == pytest.approx((low, high))
    if (scoring, folds) != ("auc", True):  # the mean over folds
        theirs = roc_auc_score if scoring == "auc" else average_precision_score
        assert result.value == pytest.approx(theirs(Y == "yes", p[:, 1]))


def test_probabilities_of_one_test_set_are_scored() -> None:
    p = GaussianNB().fit(X[::2], Y[::2]).predict_proba(X[1::2])
    assert from_predictions(Y[1::2], p, scoring="auc", interval=None).interval is None
    brier = from_predictions(Y[1::2], pd.DataFrame(p, columns=["no", "yes"])[["yes", "no"]], scoring="brier")
    assert brier.value == pytest.approx(np.mean((p[:, 1] - (Y[1::2] == "yes")) ** 2))
    assert brier.interval.low < brier.value < brier.interval.high


def test_groups_widen_the_interval() -> None:
    groups = np.arange(100) // 10
    splitter = GroupKFold(5)
    predicted = cross_val_predict(GaussianNB(), X, Y, cv=splitter, groups=groups)
    fold = _folds(splitter.split(X, Y, groups))
    alone, grouped = from_predictions(Y, predicted, fold=fold), from_predictions(Y, predicted, fold=fold, groups=groups)
    wrong = np.bincount(groups, predicted != Y)
    assert grouped.standard_error == pytest.approx(np.sqrt(10 * wrong.var(ddof=1)) / 100)
    half = stats.t.ppf(0.975, 9) * grouped.standard_error
    limits = (grouped.value - half, grouped.value + half)
    assert (grouped.interval.low, grouped.interval.high) == pytest.approx(limits)
    assert alone.value == grouped.value
    single = from_predictions(Y, predicted, groups=groups)
    assert (single.interval.low, single.interval.high) == pytest.approx(limits)
    assert "E204" not in str(grouped)
    assert _ids(from_predictions(Y, predicted, groups=np.arange(100) // 20)) == ["E204"]
    assert_refused("whole groups", from_predictions, Y, predicted, fold=np.arange(100) % 5, groups=groups)


def test_folds_are_counted_in_each_repetition() -> None:
    repeat, fold = np.repeat([0, 1, 2], 100), np.arange(300) // 20
    found = from_predictions(np.tile(Y, 3), np.tile(Y[::-1], 3), fold=fold, repeat=repeat)
    assert found.method == "cv(k=5, repeats=3), computed elsewhere"
    assert "as cv-wilson(k=5), the interval contained" in found.coverage.sentence


def test_the_same_cases_tested_several_times_in_one_set_are_counted_once() -> None:
    repeat, predicted = np.repeat([0, 1], 100), np.tile(np.roll(Y, 20), 2)
    options: dict[str, Any] = {"fold": np.zeros(200), "repeat": repeat}
    found = from_predictions(np.tile(Y, 2), predicted, **options)
    wanted = stats.binomtest(int((predicted[:100] != Y).sum()), 100).proportion_ci(0.95, "wilson")
    assert (found.interval.low, found.interval.high) == pytest.approx((wanted.low, wanted.high))
    brier = from_predictions(np.tile(Y, 2), np.full(200, 0.4), scoring="brier", **options)
    assert brier.interval is None
    assert "E407" in _ids(brier)


def test_costs_are_averaged() -> None:
    result = from_predictions(["n", "p", "p", "n"], ["n", "n", "p", "p"], scoring={"fn": 5, "fp": 1})
    assert (result.value, result.interval.method) == (1.5, "holdout-wald(test=4)")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y_pred": ["a", "b", "c", "a"]}, "'c', which y_true has not"),
        ({"y_pred": ["a", "b", "a"]}, "4 rows and y_pred 3"),
        ({"scoring": "acu"}, "auc"),
        ({"scoring": "auc"}, "no numbers"),
        ({"interval": "nested-cv"}, "holdout-wilson, holdout-clopper-pearson, holdout-wald"),
        ({"fold": [1, 1, 2]}, "fold has 3 rows"),
        ({"repeat": [1, 1, 2, 2]}, "repeat was given without fold"),
        ({"repeat": [1, 1, 2, 2], "fold": [1, 2, 1, 2], "case": [1, 2, 1, 1]}, "tests it twice"),
        ({"repeat": [1, 1, 1, 2], "fold": [1, 2, 1, 2]}, "different numbers of rows"),
        ({"pos_label": "x"}, "pos_label = 'x'"),
        ({"scoring": "brier", "pos_label": "x"}, "none of the classes a, b"),
        ({"y_true": ["a", "a", "a", "a"]}, "at least two"),
        ({"y_pred": ["a", "b", "A", "a"]}, "'A', which y_true has not.*did you mean 'a'"),
        ({"y_pred": [0.1, 0.2, 0.3, 0.4]}, "name a score that needs them"),
        *(
            ({name: ["a", "b", "a", gap]}, f"{name} lacks a value for 1 case.*position 3")
            for name in ("y_true", "y_pred", "fold", "case", "groups")
            for gap in (None, float("nan"), pd.NA, pd.NaT)
        ),
        ({"fold": [1, 2, 1, 2], "repeat": [1, 1, 2, float("nan")]}, "repeat lacks a value"),
        ({"y_true": "truth"}, "y_true=df"),
        ({"groups": "patient"}, "groups=df"),
        (
            {"y_true": pd.Series(["a", "b", "a", "b"]), "y_pred": pd.Series(["a", "b", "b", "b"], index=[3, 2, 1, 0])},
            "same index in another order",
        ),
        (
            {"y_true": pd.Series(["a", "b", "a", "b"]), "groups": pd.Series([1, 2, 3, 4], index=[3, 2, 1, 0])},
            "same index in another order",
        ),
        (
            {"y_pred": pd.DataFrame({"b": [0.1] * 4, "other": [0.9] * 4}), "scoring": "brier"},
            "columns of probabilities are b, other and the classes a, b",
        ),
        (
            {"y_pred": pd.DataFrame(np.full((4, 2), 0.5), columns=["b", "b"]), "scoring": "brier"},
            "columns of probabilities are b, b",
        ),
        ({"y_pred": np.full((4, 2), 0.5 + 1j), "scoring": "brier"}, "expected numbers from 0 to 1"),
        ({"y_pred": [[0.5, 0.5], [0.5]] * 2}, "lists are no labels"),
    ],
)
def test_what_is_wrong_is_refused(arguments: dict[str, Any], message: str) -> None:
    given = {"y_true": ["a", "b", "a", "b"], "y_pred": ["a", "b", "b", "b"], **arguments}
    assert_refused(message, from_predictions, given.pop("y_true"), given.pop("y_pred"), **given)


@pytest.mark.parametrize("one", [[0, 1, 1, 0], [0.0, 1.0, 1.0, 0.0], [False, True, True, False], ["0", "1", "1", "0"]])
@pytest.mark.parametrize("other", [[0, 1, 0, 0], [0.0, 1.0, 0.0, 0.0], [False, True, False, False]])
def test_labels_are_compared_by_value(one: list[Any], other: list[Any]) -> None:
    for predicted in (other, np.array(other), np.array(other, dtype=object), pd.Series(other).convert_dtypes()):
        assert from_predictions(one, predicted).value == 0.25
        assert from_predictions(pd.Series(one, dtype=object), predicted).value == 0.25


def test_folds_may_be_named_anew_in_each_repetition() -> None:
    y, fold, repeat = np.tile(["a", "b"], 40), np.tile(np.arange(40) % 4, 2), np.repeat([0, 1], 40)
    predicted = np.where(np.arange(80) % 7 < 2, "a", y)
    plain = from_predictions(y, predicted, fold=fold, repeat=repeat)
    caret = [f"Fold{k + 1:02}.Rep{r + 1}" for k, r in zip(fold, repeat, strict=True)]
    named = from_predictions(y, predicted, fold=caret, repeat=repeat)
    assert named.method == plain.method == "cv(k=4, repeats=2), computed elsewhere"
    assert (named.interval, named.coverage.sentence) == (plain.interval, plain.coverage.sentence)


def test_labels_of_objects_are_sorted_as_numbers() -> None:
    shares = [0.1, 0.2, 0.8, 0.9]
    for y in (np.array([2, 2, 10, 10], dtype=object), [2, 2, 10, 10], pd.array([2, 2, 10, 10], dtype="Int64")):
        assert from_predictions(y, shares, scoring="auc").value == 1
        for pos_label in (2, 2.0, "2"):
            assert from_predictions(y, shares, scoring="auc", pos_label=pos_label).value == 0
    assert from_predictions(["01", "02", "1"], ["01", "02", "1"], interval=None).value == 0


def test_the_name_of_a_column_says_of_which_class_its_probabilities_are() -> None:
    y, p = ["no", "yes"] * 4, np.array([0.1, 0.9] * 4)
    for given in (
        p,
        pd.Series(p),
        pd.Series(p, name=0),
        pd.Series(p, name="yes"),
        pd.Series(1 - p, name="no"),
        pd.DataFrame({"no": 1 - p}),
        pd.DataFrame(p),
        pd.DataFrame({"yes": p, "no": 1 - p}),
        pd.DataFrame({"first": 1 - p, "second": p}),
    ):
        assert from_predictions(y, given, scoring="auc").value == 1
        assert from_predictions(y, given, scoring="brier").value == pytest.approx(0.01)


@pytest.mark.parametrize("scoring", ["mcc", "brier"])
def test_limits_without_width_are_no_evidence_against_the_baseline(scoring: str) -> None:
    few = from_predictions([0, 0, 1, 1], np.eye(2)[[0, 0, 1, 1]], scoring=scoring)
    assert few.interval.low == few.interval.high == few.value
    assert "better" not in report.verdict(few)
    assert "E401" in _ids(few)


def test_labels_are_not_taken_for_probabilities_of_another_class() -> None:
    y = np.array([0, 0, 1, 1, 0, 1])
    for scoring in ("auc", ["error", "auc"]):
        assert_refused("y_prob", from_predictions, y, y, scoring=scoring, pos_label=0)
    assert from_predictions(y, y, y_prob=1.0 - y, scoring="auc", pos_label=0).value == 1
    assert from_predictions(y, y, scoring="auc").value == 1
