"""What must not change an answer changes none: names of classes and groups, order, workers, other metrics."""

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from errorest import Estimate, choose, compare, estimate, from_predictions, resample

RNG = np.random.default_rng(5)
N = 36
X = RNG.normal(size=(N, 3))
Y = np.where(X[:, 0] + RNG.normal(size=N) > 0, "yes", "no")
GROUPS = np.arange(N) // 4
FOLDS = "cv(k=4, repeats=3)"
METRICS: list[Any] = ["error", "accuracy", "balanced", "mcc", "f1", "sensitivity", "brier", "auc", {"fn": 5, "fp": 1}]


def numbers(e: Estimate) -> list[float]:
    test = e.against_baseline or (np.nan,) * 3
    limits = (np.nan, np.nan) if e.interval is None else (e.interval.low, e.interval.high)
    return [e.value, *limits, e.baseline.value, e.standard_error, *test]  # type: ignore[list-item]


def assert_same(first: Estimate, second: Estimate) -> None:
    np.testing.assert_allclose(
        np.array(numbers(first), dtype=float), np.array(numbers(second), dtype=float), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize("groups", [None, GROUPS], ids=["cases", "groups"])
@pytest.mark.parametrize("method", ["auto", FOLDS, "holdout(test=1/3, repeats=4)", "e0(replicates=30)", 4])
def test_a_metric_is_estimated_alike_alone_in_a_list_and_from_predictions(method: Any, groups: Any) -> None:
    named = {"rng": 1, "method": method, "groups": groups}
    several = estimate("naive-bayes", X, Y, scoring=METRICS[::-1], **named)
    predictions = resample("naive-bayes", X, Y, scoring=METRICS, **named)
    for metric, of_list in zip(METRICS[::-1], several, strict=True):
        alone, of_predictions = estimate("naive-bayes", X, Y, scoring=metric, **named), predictions.estimate(metric)
        assert repr(alone) == repr(of_list) == repr(of_predictions)
        assert_same(alone, of_list)
        assert_same(alone, of_predictions)


@pytest.mark.parametrize("model", ["naive-bayes", "knn", "c4.5", "linear-discriminant", GaussianNB()], ids=str)
@pytest.mark.parametrize("method", [FOLDS, "632+(replicates=30)"])
def test_names_of_classes_and_groups_do_not_matter(model: Any, method: str) -> None:
    plain = estimate(model, X, Y, groups=GROUPS, rng=1, method=method)
    letters = np.array(list("abcdefghi"))[GROUPS]
    for classes in (Y == "yes", np.where(Y == "yes", 7, 3), np.where(Y == "yes", "b", "a")):
        assert_same(plain, estimate(model, X, classes, groups=letters, rng=1, method=method))


@pytest.mark.parametrize("model", ["naive-bayes", "knn", "c4.5", "linear-discriminant"])
@pytest.mark.parametrize("groups", [None, GROUPS], ids=["cases", "groups"])
def test_leave_one_out_does_not_depend_on_the_order_of_cases(model: str, groups: Any) -> None:
    order = np.random.default_rng(1).permutation(N)
    of_order = None if groups is None else groups[order]
    assert_same(
        estimate(model, X, Y, method="loo", groups=groups, rng=1),
        estimate(model, X[order], Y[order], method="loo", groups=of_order, rng=1),
    )


def test_a_metric_of_one_class_is_that_of_the_other_with_names_exchanged() -> None:
    p = resample("naive-bayes", X, Y, scoring=["error", "brier"], method=FOLDS, rng=1)
    for first, second in (("sensitivity", "specificity"), ("precision", "npv")):
        a, b = p.estimate(first, pos_label="yes"), p.estimate(second, pos_label="no")
        assert_same(a, b)
    assert_same(p.estimate({"fn": 2, "fp": 1}), p.estimate({"fp": 2, "fn": 1}, pos_label="no"))
    assert_same(p.estimate({"fn": 1, "fp": 1}), p.estimate("error"))


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_a_comparison_changes_its_sign_with_the_order_and_a_choice_has_the_estimate_of_the_best(metric: Any) -> None:
    named = {"scoring": ["error", "brier"], "method": FOLDS, "rng": 1}
    p, q = (resample(model, X, Y, **named) for model in ("naive-bayes", "knn"))
    one, other = compare(p, q, scoring=metric), compare(q, p, scoring=metric)
    assert [one.value, one.interval.low, one.interval.high] == pytest.approx(
        [-other.value, -other.interval.high, -other.interval.low], abs=1e-12
    )
    choice = choose({"p": p, "q": q}, scoring=metric, rng=1)
    assert choice.value == pytest.approx({"p": p, "q": q}[choice.best].estimate(metric).value, abs=1e-12)


@pytest.mark.parametrize("metric", ["error", "mcc", "auc", "brier"])
def test_rows_of_predictions_may_come_in_any_order(metric: str) -> None:
    p = resample("naive-bayes", X, Y, scoring=["error", "brier"], method=FOLDS, rng=1)
    frame = p.to_frame()
    for rows in (frame, frame.sample(frac=1, random_state=1)):
        named = {"fold": rows["fold"], "repeat": rows["repeat"], "case": rows["case"]}
        probabilities = rows[["p(no)", "p(yes)"]].to_numpy()
        given = from_predictions(rows["y_true"], rows["y_pred"], y_prob=probabilities, scoring=metric, **named)
        assert_same(given, p.estimate(metric))


@pytest.mark.parametrize("more", [{"n_jobs": 2}, {"compiled": False}, {"threads": 2}], ids=str)
def test_neither_workers_nor_batches_change_a_number(more: dict[str, Any]) -> None:
    for model in (LogisticRegression(), GaussianNB()):
        named = {"method": FOLDS, "rng": 1}
        assert_same(estimate(model, X, Y, **named), estimate(model, X, Y, **named, **more))
