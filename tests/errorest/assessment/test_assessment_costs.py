"""What a wrong answer costs, threads inside fits, and one estimate with the interval that surrounds it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import balanced_accuracy_score
from threadpoolctl import threadpool_info, threadpool_limits

from batteries import assert_refused
from errorest.assessment import compare, estimate, predict_runtime
from errorest.assessment.costs import read_costs
from errorest.errors import UsageError
from errorest.estimation.estimators import ESTIMATORS
from errorest.estimation.intervals import INTERVALS

RNG = np.random.default_rng(3)
X = RNG.normal(size=(40, 2))
Y = np.where(X[:, 0] + RNG.normal(size=40) > 0.7, "yes", "no")
LABELS, COUNTS = np.unique(Y, return_counts=True)


def found(**changes: Any) -> Any:
    return estimate("knn", X, Y, **{"method": "cv(k=5)", "rng": 0, **changes})


def test_the_balanced_error_is_the_mean_of_the_classes_errors() -> None:
    for y, majority_error in ((Y, 1 / 2), (np.where(X[:, 1] > 0.8, "c", Y), 2 / 3)):
        report = estimate("knn", X, y, method="cv(k=5)", scoring="balanced", rng=0)
        table = report.losses
        assert report.estimate == pytest.approx(1 - balanced_accuracy_score(table["class"], table["predicted"]))
        assert report.majority_error == pytest.approx(majority_error)


@pytest.mark.parametrize(
    "loss",
    [
        {"fn": 5, "fp": 1},
        {"fn": 1, "fp": 5, "pos_label": "no"},
        "fn=5, fp=1",
        " fp = 1 ,fn=5,pos_label=yes",
        {"no": 1, "yes": 5},
        "yes=5,no=1",
        [[0, 1], [5, 0]],
        np.array([[0.0, 1.0], [5.0, 0.0]]),
        pd.DataFrame([[0, 5], [1, 0]], index=["yes", "no"], columns=["yes", "no"]),
        lambda true, said: np.where(true == "yes", 5.0, 1.0) * (true != said),
    ],
)
def test_costs_are_the_same_however_they_are_written(loss: Any) -> None:
    report = found(scoring=loss)
    table = report.losses
    each = np.where(table["class"] == "yes", 5.0, 1.0) * (table["class"] != table["predicted"])
    assert report.estimate == pytest.approx(each.mean())
    assert not report.zero_one
    # always 'no' costs five for each 'yes', always 'yes' one for each 'no'
    assert report.majority_error == pytest.approx(min(5 * COUNTS[1], COUNTS[0]) / 40)


def test_limits_of_a_cost_lie_between_the_least_and_the_largest_cost() -> None:
    y = np.where(np.arange(24) % 12 == 0, "yes", "no")
    sure = (y == "yes").astype(float)[:, None] + 0.01 * np.arange(24)[:, None]
    report = estimate("knn", sure, y, scoring={"fn": 9, "fp": 1}, interval="corrected-t", rng=1)
    wide = estimate("majority", sure, y, scoring={"fn": 9, "fp": 1}, interval="corrected-t", rng=1)
    for one in (report, wide):
        assert 0 <= one.interval.low <= one.interval.high <= 9
    assert wide.interval.low == 0, "the plain limit is negative"
    gains = estimate("majority", sure, y, scoring=lambda true, said: np.where(true == said, -1.0, 1.0), rng=1)
    assert gains.interval.low < 0


def test_costs_of_one_are_the_error_rate() -> None:
    for loss in ({"fn": 1, "fp": 1}, [[0, 1], [1, 0]], "no=1,yes=1"):
        assert found(scoring=loss).zero_one
        assert found(scoring=loss).estimate == found().estimate
    assert compare("knn", "majority", X, Y, scoring={"fn": 5, "fp": 1}, rng=0).difference != pytest.approx(
        compare("knn", "majority", X, Y, rng=0).difference
    )


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        ("balancd", "did you mean 'balanced'"),
        ({"fn": 5}, "the costs name fn and the classes are no, yes"),
        ({"fn": 5, "fp": "much"}, "a cost of 'much'"),
        ({"fn": 5, "fp": -1}, "a cost of -1"),
        ({"fn": 5, "fp": 1, "pos_label": "yess"}, "did you mean 'yes'"),
        ({"no": 1, "maybe": 2}, "the costs name no, maybe"),
        ([[0, 1]], r"shape \(1, 2\)"),
        ([[0, 0], [0, 0]], "no wrong answer costs anything"),
        ([[0, float("inf")], [1, 0]], "no finite numbers"),
        (pd.DataFrame([[0, 1], [1, 0]]), "rows 0, 1 and columns 0, 1"),
        ("fn=5;fp=1", "fn=5;fp"),
    ],
)
def test_costs_that_make_no_sense_are_refused(loss: Any, words: str) -> None:
    assert_refused(words, found, scoring=loss)


@pytest.mark.parametrize(
    "text",
    [
        "true,c,a,b\nb,1,2,0\na,5,0,1\nc,0,3,4\n",
        ";a;b;c\na;0;1;5\n\nb;2;0;1\nc;3;4;0\n",
        "\ufefftrue,a,b,c\n a ,0,1,5.0\nb,2,0,1\nc,3,4e0,0\n",
    ],
)
def test_costs_of_three_classes_come_from_a_file(text: str, tmp_path: Path) -> None:
    place = tmp_path / "costs.csv"
    place.write_text(text, encoding="utf-8")
    labels = np.array(["a", "b", "c"])
    report = read_costs(str(place), labels, np.array([5, 5, 5]))
    expected = read_costs([[0, 1, 5], [2, 0, 1], [3, 4, 0]], labels, np.array([5, 5, 5]))
    true, output = np.divmod(np.arange(9), 3)
    assert (
        report.loss.losses(true, output).tolist()
        == expected.loss.losses(true, output).tolist()
        == [0, 1, 5, 2, 0, 1, 3, 4, 0]
    )
    assert report.words == expected.words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("true,a,b\na,0,1\nb,1,0\n", "expected the classes a, b, c in both"),
        ("true,a,b,c\na,0,1,1\na,1,0,1\nc,1,1,0\n", "rows a, a, c"),
        ("true,a,b,c\na,0,1,\nb,1,0,1\nc,1,1,0\n", "line 2 has '' as the cost of 'a' taken for 'c'"),
        ("true,a,b,c\na,0,1,much\nb,1,0,1\nc,1,1,0\n", "'much'"),
        ("true,a,b,c\na,0,1,inf\nb,1,0,1\nc,1,1,0\n", "'inf'"),
        ("true,a,b,c\na,0,0,0\nb,0,0,0\nc,0,0,0\n", "no wrong answer costs anything"),
        ("0,1,1\n1,0,1\n1,1,0\n", "only numbers"),
        ("", "the file is empty"),
        (None, "there is no such file"),
    ],
)
def test_a_file_of_costs_that_makes_no_sense_is_refused(text: str | None, words: str, tmp_path: Path) -> None:
    place = tmp_path / "costs.csv"
    if text is not None:
        place.write_text(text)
    assert_refused(words, read_costs, str(place), np.array(["a", "b", "c"]), np.array([5, 5, 5]))


def test_false_negatives_need_two_classes() -> None:
    assert_refused("for 3 classes", read_costs, {"fn": 5, "fp": 1}, np.array(["a", "b", "c"]), np.array([1, 2, 3]))
    assert read_costs({"fn": 2, "fp": 3}, np.array(["fn", "fp"]), np.array([1, 2])).words.startswith("3 for 'fp'")


class Counts(ClassifierMixin, BaseEstimator):
    """Answers one class if the libraries below may take one thread, else the other."""

    def fit(self, X: Any, y: Any) -> Counts:
        self.classes_ = np.unique(y)
        self.threads_ = max(pool["num_threads"] for pool in threadpool_info())
        return self

    def predict(self, X: Any) -> np.ndarray:
        return np.full(len(X), self.classes_[int(self.threads_ != 1)])


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fit_takes_one_thread_unless_more_are_allowed(jobs: int) -> None:
    def said(threads: int | None) -> set[str]:
        report = estimate(Counts(), X, Y, method="cv(k=4)", threads=threads, n_jobs=jobs, rng=0)
        return set(report.losses["predicted"])

    with threadpool_limits(limits=2):
        if max(pool["num_threads"] for pool in threadpool_info()) < 2:
            pytest.skip("these libraries know one thread alone")
        assert (said(1), said(2)) == ({"no"}, {"yes"})
        if jobs == 1:
            assert said(None) == {"yes"}
            assert compare(Counts(), "knn", X, Y, rng=0).error_a == pytest.approx(0.3, abs=0.3)
        assert max(pool["num_threads"] for pool in threadpool_info()) == 2
    assert_refused("threads = 0", predict_runtime, Counts(), X, Y, threads=0)


def test_an_estimate_has_the_interval_that_surrounds_it_or_none() -> None:
    """Every pair of an estimator and an interval that is not refused is of one number."""
    pairs, refused = 0, []
    names = [*ESTIMATORS, "cv(k=10, repeats=5)", "holdout(test=1/4)", "holdout(test=1/10, repeats=25)", "e0(per=case)"]
    for estimator in names:
        for interval in INTERVALS:
            try:
                messages = estimate("knn(k=3)", X, Y, method=estimator, interval=interval, rng=0)
            except UsageError as exc:
                refused.append((estimator, interval, str(exc)))
                continue
            assert "surrounds" not in messages.interval.note
            pairs += 1
            if INTERVALS[interval].even:
                low, high = messages.interval.low, messages.interval.high
                cut = low == 0 or high == 1
                assert cut or (low + high) / 2 == pytest.approx(messages.estimate, abs=1e-12), (estimator, interval)
    assert pairs >= 16
    messages = {(e, i): text for e, i, text in refused}
    for pair in (("cv", "5x2cv"), ("cv", "nested-cv"), ("holdout", "corrected-t"), ("cv(k=10, repeats=5)", "cv-wald")):
        assert "surrounds" in messages[pair]
    assert "the estimate of cv(k=2, repeats=5)" in messages["cv", "5x2cv"]
