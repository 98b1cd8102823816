"""Calls with scikit-learn's classifiers give the same results in compiled batches and one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import errorest.learners.equals
from batteries import assert_refused
from errorest import choose, compare, estimate, learning_curve, permutation_test, resample
from errorest.assessment import equals
from errorest.assessment.predictions import Predictions
from errorest.learners.equals import table

N = 40
CODES = np.arange(N) % 3
X = np.random.default_rng(0).normal(size=(N, 3)) + CODES[:, None] * [0.9, 0.5, 0.0]
Y = np.array(["late", "early", "middle"])[CODES]
PIPELINE = make_pipeline(StandardScaler(), KNeighborsClassifier(3))


def runs_of(p: Predictions) -> list[tuple[Any, Any]]:
    return [(run.labels, run.scores) for run in p.runs.values()]


@pytest.mark.parametrize(
    "model", [GaussianNB(), LinearDiscriminantAnalysis(), PIPELINE], ids=lambda m: type(m).__name__
)
@pytest.mark.parametrize("data", [X, pd.DataFrame(X, columns=list("abc"))], ids=["array", "frame"])
def test_predictions_are_those_of_fits_one_by_one(model: Any, data: Any) -> None:
    compiled, plain = (resample(model, data, Y, rng=3, compiled=c) for c in (True, False))
    for (labels, scores), (labels_then, scores_then) in zip(runs_of(compiled), runs_of(plain), strict=True):
        assert labels.dtype == labels_then.dtype
        assert (labels == labels_then).all()
        np.testing.assert_allclose(scores, scores_then, atol=1e-9, rtol=0)
    assert compiled.model == plain.model
    assert compiled.notes == ()


def test_every_function_gives_the_same_result() -> None:
    model, other = GaussianNB(), LinearDiscriminantAnalysis()
    calls: list[Callable[[bool], Any]] = [
        lambda c: estimate(model, X, Y, rng=1, compiled=c).to_dict(),
        lambda c: estimate(model, X, Y, scoring="brier", method="cv(k=5, repeats=10)", rng=1, compiled=c).to_dict()[
            "value"
        ],
        lambda c: compare(model, other, X, Y, rng=1, compiled=c).to_dict(),
        lambda c: choose([model, other], X, Y, rng=1, nested=3, compiled=c).to_dict(),
        lambda c: permutation_test(model, X, Y, n_permutations=60, rng=1, compiled=c).to_dict(),
        lambda c: permutation_test(model, X, Y, n_permutations=20, scoring="macro-f1", rng=1, compiled=c).to_dict(),
        lambda c: learning_curve(other, X, Y, train_sizes=[15, 20, 30], repeats=4, rng=1, compiled=c).to_dict(),
    ]
    for call in calls:
        compiled, plain = (call(c) for c in (True, False))
        for result in (compiled, plain):
            if isinstance(result, dict):
                result.pop("seconds")
        assert compiled == pytest.approx(plain, abs=1e-9) if isinstance(plain, float) else compiled == plain


def test_a_batch_takes_the_place_of_nearly_all_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    fits: list[int] = []
    fit = GaussianNB.fit

    def counted(self: Any, *given: Any) -> Any:
        fits.append(1)
        return fit(self, *given)

    monkeypatch.setattr(GaussianNB, "fit", counted)
    permutation_test(GaussianNB(), X, Y, n_permutations=50, rng=1)
    assert len(fits) <= 10
    fits.clear()
    estimate(GaussianNB(), X, Y, rng=1)
    assert len(fits) <= 10


def test_compiled_false_asks_for_no_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(errorest.learners.equals, "batch_of", refuse)
    estimate(GaussianNB(), X, Y, rng=1, compiled=False)
    assert_refused("compiled = 1; expected True or False", estimate, GaussianNB(), X, Y, compiled=1)


def faulty(change: Callable[..., None]) -> Callable[..., None]:
    """Return the kernel of GaussianNB with a fault: a change of its rows, labels, probabilities and doubts."""
    kernel: Any = vars(table)["gaussian"]

    def changed(*given: Any) -> None:
        kernel(*given)
        change(given[5], *given[-4:-1])

    return changed


def swap(start: np.ndarray, labels: np.ndarray, probabilities: np.ndarray, doubtful: np.ndarray) -> None:
    labels[:] = (labels + 1) % 3


def shift(start: np.ndarray, labels: np.ndarray, probabilities: np.ndarray, doubtful: np.ndarray) -> None:
    probabilities += 1e-6


@pytest.mark.parametrize(("fault", "scoring", "words"), [(swap, "error", "labels"), (shift, "brier", "probabilities")])
def test_a_fault_of_a_kernel_is_noticed_and_all_is_fitted_one_by_one(
    fault: Callable[..., None], scoring: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    how: dict[str, Any] = {"scoring": scoring, "method": "cv(k=5, repeats=10)", "rng": 1}
    plain = estimate(GaussianNB(), X, Y, compiled=False, **how)
    monkeypatch.setattr(table, "gaussian", faulty(fault))
    result = estimate(GaussianNB(), X, Y, **how)
    assert result.to_dict()["value"] == plain.to_dict()["value"]
    assert f"GaussianNB() was fitted one by one: compiled, its {words} differ" in result.details()
    assert "one by one" not in plain.details()


def test_a_difference_in_a_later_permutation_concerns_all(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def late(start: np.ndarray, labels: np.ndarray, probabilities: np.ndarray, doubtful: np.ndarray) -> None:
        calls.append(1)
        # of each row the first test is doubtful, and the second one false, but surely so
        doubtful[start[:-1]] = len(calls) > 10
        labels[start[:-1] + 1] = (labels[start[:-1] + 1] + (len(calls) > 5)) % 3

    plain = permutation_test(GaussianNB(), X, Y, n_permutations=30, rng=1, compiled=False)
    monkeypatch.setattr(table, "gaussian", faulty(late))
    result = permutation_test(GaussianNB(), X, Y, n_permutations=30, rng=1)
    assert len(calls) == 11
    assert (result.chance == plain.chance).all()
    assert "one by one" in result.details()


def test_failures_and_warnings_are_those_of_scikit_learn() -> None:
    small = KNeighborsClassifier(22)
    how: dict[str, Any] = {"method": "holdout(test=1/2, repeats=50)", "rng": 1}
    for compiled in (True, False):
        assert_refused("failed on every resample", estimate, small, X, Y, compiled=compiled, **how)
    constant = np.column_stack([X, np.ones(N)])
    results = [estimate(NearestCentroid(), constant, Y, compiled=c, **how) for c in (True, False)]
    assert results[0].warnings == results[1].warnings
    assert any("50 times" in str(w) for w in results[0].warnings)


def test_equal_votes_and_distances_go_as_in_scikit_learn() -> None:
    rng = np.random.default_rng(5)
    grid, y = rng.integers(0, 3, (N, 2)).astype(float), np.array(["b", "a"])[rng.integers(0, 2, N)]
    how: dict[str, Any] = {"method": "cv(k=5, repeats=10)", "rng": 3}
    for k in (1, 4):
        compiled, plain = (resample(KNeighborsClassifier(k), grid, y, compiled=c, **how) for c in (True, False))
        for (labels, scores), (labels_then, scores_then) in zip(runs_of(compiled), runs_of(plain), strict=True):
            assert np.array_equal(labels, labels_then)
            np.testing.assert_allclose(scores, scores_then, atol=1e-9, rtol=0)


@pytest.mark.parametrize("model", [GaussianNB(), BernoulliNB(), NearestCentroid()], ids=lambda m: type(m).__name__)
def test_ranks_of_probabilities_that_rounding_decides_are_scikit_learns(model: Any) -> None:
    rng = np.random.default_rng(2)
    corners, y = rng.integers(0, 2, (N, 4)) * 2.0 - 1.0, rng.permutation(N) % 2
    if not hasattr(model, "predict_proba"):  # as of the centroids of older releases
        pytest.skip("predicts no probabilities")
    how: dict[str, Any] = {"scoring": ["auc", "average-precision"], "rng": 3}
    compiled, plain = (estimate(model, corners, y, compiled=c, **how) for c in (True, False))
    for name in how["scoring"]:
        assert compiled[name].value == plain[name].value


def test_probabilities_far_from_all_cases_are_scikit_learns() -> None:
    rng = np.random.default_rng(0)
    spike = np.column_stack([rng.normal(size=(N, 3)), np.arange(N) == 0])
    how: dict[str, Any] = {"method": "632+(replicates=50)", "scoring": "brier", "rng": 5}
    model = make_pipeline(StandardScaler(), GaussianNB())
    for seed in range(3):
        y = np.random.default_rng(seed).permutation(N) % 2
        compiled, plain = (resample(model, spike, y, compiled=c, **how) for c in (True, False))
        assert compiled.notes == ()
        for (_, scores), (_, scores_then) in zip(runs_of(compiled), runs_of(plain), strict=True):
            np.testing.assert_allclose(scores, scores_then, atol=1e-9, rtol=0)


def test_a_batch_that_is_sure_of_few_training_sets_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []

    def unsure(start: np.ndarray, labels: np.ndarray, probabilities: np.ndarray, doubtful: np.ndarray) -> None:
        rows.append(start.size - 1)
        doubtful[:] = True

    monkeypatch.setattr(table, "gaussian", faulty(unsure))
    monkeypatch.setattr(equals, "_MANY_VALUES", 0)  # a small batch takes less than the trial
    result = estimate(GaussianNB(), X, Y, rng=1)
    assert rows == [1, 3]  # the sample itself, and three of the bootstrap samples
    assert "one by one" not in result.details()
    assert result.value == estimate(GaussianNB(), X, Y, rng=1, compiled=False).value


def test_neighbours_of_many_cases_are_found_by_scikit_learns_trees() -> None:
    many = np.arange(4001.0)[:, None]
    assert table.batch_of(KNeighborsClassifier(), many, 2) is None
    assert table.batch_of(KNeighborsClassifier(), many[1:], 2) is not None
