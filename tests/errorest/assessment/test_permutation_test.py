"""The permutation test: arrangements by enumeration, exact and drawn p-values, size on noise, groups and strata."""

import itertools
from math import comb
from typing import Any

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from batteries import assert_refused
from errorest import estimate, permutation_test
from errorest.assessment import workers
from errorest.assessment.permutation import Arrangements, monte_carlo_p
from errorest.errors import UsageError
from errorest.learners import KNN, LinearDiscriminant

RNG = np.random.default_rng(5)
Y = np.repeat([0, 1], 18)
X = RNG.normal(size=(36, 3)) + 1.5 * Y[:, None]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 2), min_size=3, max_size=6),
    st.lists(st.integers(0, 1), min_size=6, max_size=6),
    st.booleans(),
)
def test_all_arrangements_are_those_of_brute_force(labels: list[int], blocks: list[int], stratified: bool) -> None:
    y, strata = np.array(labels), np.array(blocks[: len(labels)]) if stratified else None
    within = np.zeros_like(y) if strata is None else strata
    expected = {
        tuple(y[list(order)])
        for order in itertools.permutations(range(y.size))
        if (within[list(order)] == within).all()
    }
    if len(expected) == 1:
        assert_refused("no label can change places", Arrangements.of, y, None, strata)
        return
    places = Arrangements.of(y, None, strata)
    results = [tuple(a) for a in places.all()]
    assert len(results) == len(set(results)) == places.number
    assert set(results) == expected
    assert {tuple(a) for a in places.draw(np.random.default_rng(0), 30)} <= expected


def test_a_group_is_of_the_stratum_of_most_of_its_cases() -> None:
    groups = np.repeat([0, 1, 2, 3], 3)
    y, strata = np.repeat([0, 1, 0, 1], 3), np.array([1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    places = Arrangements.of(y, groups, strata)
    assert places.blocks.tolist() == [0, 0, 1, 1]
    assert {tuple(labels[::3]) for labels in places.all()} == {(0, 1, 0, 1), (1, 0, 0, 1), (0, 1, 1, 0), (1, 0, 1, 0)}


def test_whole_groups_change_places_where_each_has_one_class() -> None:
    groups = np.array([3, 3, 1, 1, 2, 0])
    y = np.array([1, 1, 0, 0, 1, 0])
    places = Arrangements.of(y, np.unique(groups, return_inverse=True)[1])
    assert (places.number, places.words) == (comb(4, 2), "labels of whole groups")
    for labels in places.all():
        assert all(np.unique(labels[groups == g]).size == 1 for g in range(4))
    mixed = Arrangements.of(np.array([1, 0, 0, 0, 1, 0]), np.unique(groups, return_inverse=True)[1])
    assert (mixed.number, {tuple(a[2:]) for a in mixed.all()}) == (2, {(0, 0, 1, 0)})


OWN = ("knn", "linear-discriminant", "naive-bayes")
ESTIMATES = [
    ("error", "loo"),
    ("error", "632+(replicates=12)"),
    ("error", "cv(k=3, stratified=True)"),
    ("brier", "632+(replicates=12)"),
    ("log-loss", "cv(k=3)"),
    ("f1", "cv(k=4, stratified=True)"),
]
OF_BOTH = [("error", "cv(k=4)"), ("auc", "cv(k=3, stratified=True, weights=folds)")]


@pytest.mark.parametrize(
    ("classifier", "score", "estimator"),
    [(name, *one) for name in OWN for one in ESTIMATES + OF_BOTH]
    + [(KNeighborsClassifier(3), *one) for one in OF_BOTH],
)
def test_the_exact_p_value_is_that_of_estimates_one_by_one(classifier: Any, score: str, estimator: str) -> None:
    values, labels = X[12:20], np.array([0, 0, 0, 1, 0, 1, 1, 1])
    options: dict[str, Any] = {"scoring": score, "method": estimator, "rng": 3}
    result = permutation_test(classifier, values, labels, **options)
    every = sorted(set(itertools.permutations(labels.tolist())))[::9]
    each = [estimate(classifier, values, list(one), interval=None, **options).value for one in every]
    assert result.exact
    assert result.value == estimate(classifier, values, labels, interval=None, **options).value
    assert result.n_permutations + result.undefined == comb(8, 4)
    if not result.undefined:
        assert result.chance[::9].tolist() == pytest.approx(each, abs=1e-12)
    sign = -1 if result.metric.greater_is_better else 1
    as_good = np.mean(sign * result.chance <= sign * result.value + 1e-9)
    assert result.p_value == result.low == result.high == as_good


@pytest.mark.parametrize("score", ["error", "brier", "auc", "specificity(threshold=0.5)", "balanced"])
@pytest.mark.parametrize(
    "estimator",
    [
        "632+(replicates=20, per=replicate)",
        "cv(k=6, repeats=2)",
        "cv(k=6)",
        "loo",
        "holdout",
    ],
)
@pytest.mark.parametrize("rule", [KNN(1), LinearDiscriminant("sample")])
def test_inducers_that_are_not_asked_under_each_arrangement_answer_alike_ties_and_all(
    rule: Any, score: str, estimator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # two arrangements in a block of cases
    monkeypatch.setattr("errorest.assessment.permutation._BLOCK_BYTES", 2 * X.nbytes)
    asked = []

    class Slow(type(rule)):  # type: ignore[misc]
        """The same rule, but a class of somebody's, which may answer otherwise."""

        def _answer(self, *rows: Any) -> int:
            asked.append(rows)
            return int(super()._answer(*rows))

    options: dict[str, Any] = {"scoring": score, "method": estimator, "n_permutations": 21, "rng": 1}
    fast, slow = (permutation_test(one, np.round(X), Y, **options) for one in (rule, Slow(*rule._values)))
    assert len(asked) >= 22
    assert fast.chance.tolist() == slow.chance.tolist()
    assert np.unique(fast.chance).size > 5


def test_the_sampled_p_value_has_clopper_and_pearsons_limits() -> None:
    for b, m in ((0, 99), (7, 200), (50, 50)):
        p, low, high = monte_carlo_p(b, m, 0.9)
        assert p == (1 + b) / (1 + m)
        limits = binomtest(b, m).proportion_ci(0.9, "exact")
        assert (low, high) == pytest.approx((limits.low, limits.high))
    result = permutation_test("knn", X, Y, method="loo", n_permutations=99, rng=0)
    assert not result.exact
    assert result.as_good == (result.chance <= result.value + 1e-9).sum()
    assert result.p_value == (1 + result.as_good) / 100
    # a drawn p-value is near the exact one: ten cases, 252 arrangements; beyond 4 standard errors in 1 of 15,000 seeds
    few, labels = X[13:23], Y[13:23]
    exact = permutation_test("knn", few, labels, method="loo", rng=0)
    sampled = permutation_test("knn", few, labels, method="loo", n_permutations=251, rng=0)
    assert exact.exact
    assert not sampled.exact
    assert abs(sampled.p_value - exact.p_value) < 4 * np.sqrt(0.25 / 251)


def test_on_noise_the_level_is_preserved() -> None:
    # the p-value is at most .1 in at most a tenth of samples; more than 19 of 100 by chance in 1 of 500 seeds
    rejected = 0
    for i in range(100):
        rng = np.random.default_rng([8, i])
        values, labels = rng.normal(size=(8, 2)), rng.permutation(np.repeat([0, 1], 4))
        rejected += permutation_test("knn(k=3)", values, labels, method="loo", rng=0).p_value <= 0.1
    assert 1 <= rejected <= 19


GROUPS = np.arange(36) // 3
MIXED = np.where(np.arange(36) % 3 == 0, 1 - Y, Y)
PARTLY = np.where(np.arange(36) < 2, 1 - Y, Y)


@pytest.mark.parametrize(
    ("y", "more", "permuted"),
    [
        (Y, {"groups": GROUPS}, "labels of whole groups"),
        (MIXED, {"groups": GROUPS}, "labels within groups"),
        (PARTLY, {"groups": GROUPS}, "labels within groups (11 groups have one class and stay)"),
        (Y, {"stratify": np.arange(36) % 2}, "labels within strata"),
        (Y, {"method": StratifiedKFold(4, shuffle=True, random_state=0)}, "labels over all cases"),
        (Y, {"scoring": {"fn": 5, "fp": 1}}, "labels over all cases"),
        (Y, {"scoring": "auc", "method": StratifiedKFold(4, shuffle=True, random_state=0)}, "labels over all cases"),
    ],
)
def test_the_estimate_is_repeated_with_groups_strata_splitters_and_costs(
    y: np.ndarray, more: dict[str, Any], permuted: str
) -> None:
    options = {"method": "cv(k=4)", "rng": 1, **more}
    result = permutation_test("naive-bayes", X, y, n_permutations=20, **options)
    assert result.permuted == permuted
    assert result.value == estimate("naive-bayes", X, y, interval=None, **options).value
    assert result.p_value <= 0.1 or y is not Y


def test_cv_is_another_name_and_a_generator_is_read_once() -> None:
    fixed = permutation_test("naive-bayes", X, Y, method=list(StratifiedKFold(3).split(X, Y)), n_permutations=9, rng=1)
    other = permutation_test("naive-bayes", X, Y, cv=StratifiedKFold(3).split(X, Y), n_permutations=9, rng=1)
    assert (other.value, other.as_good, other.chance.tolist()) == (fixed.value, fixed.as_good, fixed.chance.tolist())
    assert_refused("one parameter", permutation_test, "naive-bayes", X, Y, cv=3, method=3)


RAW_1NN = "knn(k=1, standardize=none)"


def test_arrangements_without_a_score_are_left_out_and_counted() -> None:
    # two of six cases are tested: 8 of 20 arrangements give both one class, and have no AUC
    values, y = np.arange(6.0)[:, None], np.array([0, 0, 1, 1, 1, 0])
    options: dict[str, Any] = {"scoring": "auc", "method": "holdout(test=1/3)"}
    seeds: dict[bool, int] = {}
    for seed in range(20):
        report = estimate(RAW_1NN, values, y, rng=seed, interval=None, **options).value
        seeds.setdefault(bool(np.isnan(report)), seed)
    result = permutation_test(RAW_1NN, values, y, rng=seeds[False], **options)
    assert (result.n_permutations, result.undefined, result.exact) == (12, 8, True)
    assert result.p_value == np.mean(result.chance >= result.value)
    assert not np.isnan(result.chance).any()
    assert (result.to_dict()["undefined"], result.n_fits) == (8, 21)
    sampled = permutation_test(RAW_1NN, values, y, rng=seeds[False], n_permutations=19, **options)
    assert sampled.undefined > 0
    assert sampled.p_value == (1 + sampled.as_good) / (1 + sampled.n_permutations)
    with pytest.raises(UsageError, match="undefined on the labels as they are"):
        permutation_test(RAW_1NN, values, y, rng=seeds[True], **options)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"stratify": "class"}, "no label can change places"),
        ({"n_permutations": 0}, "permutations = 0"),
        ({"groups": np.arange(36) // 18}, "expected at least one group a fold|folds were asked"),
        ({"method": "632+(replicates=2000)", "n_permutations": 100_000}, "classifiers were asked for"),
    ],
)
def test_what_cannot_be_tested_is_refused(more: dict[str, Any], message: str) -> None:
    options = {"method": "cv(k=4)", "n_permutations": 5, "rng": 0, **more}
    assert_refused(message, permutation_test, "knn", X, Y, **options)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "cv(k=5)"),
        ({"groups": np.arange(36) // 9}, "cv(k=4)"),  # fewer groups than folds
        ({"scoring": "auc"}, "cv(k=5, stratified=True, weights=folds)"),
        ({"scoring": "mcc"}, "cv(k=5, stratified=True)"),
    ],
)
def test_by_default_five_folds_are_repeated(options: dict[str, Any], expected: str) -> None:
    result = permutation_test("naive-bayes", X, Y, n_permutations=5, rng=1, **options)
    assert result.method == expected


def test_workers_start_only_where_they_save_time_and_change_no_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    plain = joblib.Parallel
    monkeypatch.setattr(joblib, "Parallel", lambda **how: started.append(how["n_jobs"]) or plain(**how))
    options: dict[str, Any] = {"method": "cv(k=2)", "n_permutations": 5, "rng": 1}
    tree, chances = DecisionTreeClassifier(random_state=0), []
    # as if the work were short, on a busy machine too, and as if it were long
    for worth, jobs, expected in ((np.inf, 1, []), (np.inf, 2, []), (0.0, 2, [2])):
        monkeypatch.setattr(workers, "_WORTH_WORKERS", worth)
        chances.append(permutation_test(tree, X, Y, **options, n_jobs=jobs).chance.tolist())
        assert started == expected
    assert chances[0] == chances[1] == chances[2]
