"""The permutation test: arrangements by enumeration, exact and drawn p-values, size on noise, groups and strata."""

from __future__ import annotations

import itertools
import json
from math import comb
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from errorest import estimate, permutation_test, predict_runtime
from errorest.assessment.chance.better import monte_carlo_p
from errorest.assessment.chance.permuting import permuting_of
from errorest.cli.main import main
from errorest.errors import UsageError
from errorest.inducers import KNN

RNG = np.random.default_rng(5)
Y = np.repeat([0, 1], 18)
X = RNG.normal(size=(36, 3)) + 1.5 * Y[:, None]
NOISE = RNG.normal(size=(36, 3))


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
        with pytest.raises(UsageError, match="no label can change places"):
            permuting_of(y, None, strata)
        return
    places = permuting_of(y, None, strata)
    results = [tuple(a) for a in places.all()]
    assert len(results) == len(set(results)) == places.number
    assert set(results) == expected
    assert {tuple(a) for a in places.draw(np.random.default_rng(0), 30)} <= expected


def test_whole_groups_change_places_where_each_has_one_class() -> None:
    groups = np.array([3, 3, 1, 1, 2, 0])
    y = np.array([1, 1, 0, 0, 1, 0])
    places = permuting_of(y, np.unique(groups, return_inverse=True)[1])
    assert places.number == comb(4, 2)
    assert places.words == "labels of whole groups"
    for labels in places.all():
        assert all(np.unique(labels[groups == g]).size == 1 for g in range(4))
    mixed = permuting_of(np.array([1, 0, 0, 0, 1, 0]), np.unique(groups, return_inverse=True)[1])
    assert mixed.number == 2
    assert {tuple(a[2:]) for a in mixed.all()} == {(0, 0, 1, 0)}


class Remembering(KNeighborsClassifier):
    """Scikit-learn's rule, which learns and answers once what is asked again: both ways ask for the same."""

    known: ClassVar[dict[Any, Any]] = {}

    def fit(self, X: Any, y: Any) -> Remembering:
        self.cases_ = (X.tobytes(), y.tobytes())
        if self.cases_ not in self.known:
            self.known[self.cases_] = vars(super().fit(X, y)).copy()
        vars(self).update(self.known[self.cases_])
        return self

    def predict(self, X: Any) -> Any:
        requested = (*self.cases_, X.tobytes())
        if requested not in self.known:
            self.known[requested] = super().predict(X)
        return self.known[requested].copy()


@pytest.mark.parametrize("estimator", ["loo", "cv(k=4)", "632+(replicates=30)", "cv(k=3, stratified=True)"])
@pytest.mark.parametrize("classifier", ["knn", "linear-discriminant", Remembering(3)])
def test_the_exact_p_value_is_that_of_estimates_one_by_one(classifier: Any, estimator: str) -> None:
    values, labels = X[12:20], np.array([0, 0, 0, 1, 0, 1, 1, 1])
    result = permutation_test(classifier, values, labels, method=estimator, rng=3)
    own = estimate(classifier, values, labels, method=estimator, interval=None, rng=3).estimate
    each = [
        estimate(classifier, values, list(one), method=estimator, interval=None, rng=3).estimate
        for one in sorted(set(itertools.permutations(labels.tolist())))
    ]
    assert result.exact
    assert result.estimate == own
    assert result.chance.tolist() == pytest.approx(each, abs=1e-12)
    assert result.p_value == result.low == result.high == np.mean(np.array(each) <= own + 1e-9)
    assert result.permutations == comb(8, 4)


def test_the_nearest_neighbour_is_detected_once_and_answers_alike() -> None:
    class Slow(KNN):
        """The same rule, which the short way does not know."""

    for estimator in ("632+(replicates=25)", "cv(k=6, repeats=2)"):
        options: dict[str, Any] = {"method": estimator, "n_permutations": 20, "rng": 1}
        fast, slow = (permutation_test(rule, X, Y, **options) for rule in (KNN(1), Slow(1)))
        assert fast.chance.tolist() == slow.chance.tolist()


def test_the_sampled_p_value_has_clopper_and_pearsons_limits() -> None:
    for b, m in ((0, 99), (7, 200), (50, 50)):
        p, low, high = monte_carlo_p(b, m, 0.9)
        assert p == (1 + b) / (1 + m)
        limits = binomtest(b, m).proportion_ci(0.9, "exact")
        assert (low, high) == pytest.approx((limits.low, limits.high))
    result = permutation_test("knn", X, Y, method="loo", n_permutations=99, rng=0)
    assert not result.exact
    assert result.as_good == (result.chance <= result.estimate + 1e-9).sum()
    assert result.p_value == (1 + result.as_good) / 100
    # a drawn p-value is near the exact one: ten cases, 252 arrangements; beyond 4 standard errors in 1 of 15,000 seeds
    few, labels = X[13:23], Y[13:23]
    exact = permutation_test("knn", few, labels, method="loo", rng=0)
    sampled = permutation_test("knn", few, labels, method="loo", n_permutations=251, rng=0)
    assert exact.exact
    assert not sampled.exact
    assert abs(sampled.p_value - exact.p_value) < 4 * np.sqrt(0.25 / 251)


def test_on_noise_the_level_is_preserved() -> None:
    # the p-value is at most .1 in at most a tenth of samples; more than 46 of 300 by chance in 1 of 500 seeds
    rejected = 0
    for i in range(300):
        rng = np.random.default_rng([8, i])
        values, labels = rng.normal(size=(12, 2)), rng.permutation(np.repeat([0, 1], 6))
        rejected += permutation_test("knn", values, labels, method="loo", rng=0).p_value <= 0.1
    assert rejected <= 46


def test_what_is_there_is_detected() -> None:
    result = permutation_test("linear-discriminant", X, Y, method="cv(k=9)", n_permutations=199, rng=2)
    assert result.p_value == 1 / 200
    assert result.verdict == "better than chance at the level 0.05: p = 0.005 (95 % limits 0 to 0.018)"
    blind = permutation_test("knn", NOISE, Y, method="cv(k=9)", n_permutations=199, rng=2)
    assert blind.verdict.startswith("not proved better than chance at the level 0.05")
    assert dict(blind.lines())["permuted"] == "labels over all cases"
    assert "in all" not in dict(blind.lines())["as good"]


def test_the_same_seed_gives_the_same_p_value_whatever_the_number() -> None:
    few, more = (permutation_test("knn", NOISE, Y, method="cv(k=4)", n_permutations=m, rng=6) for m in (30, 60))
    assert few.estimate == more.estimate
    again = permutation_test("knn", NOISE, Y, method="cv(k=4)", n_permutations=30, rng=6)
    assert again.chance.tolist() == few.chance.tolist()


def test_groups_strata_splitters_and_costs() -> None:
    groups = np.arange(36) // 3
    whole = permutation_test("knn", X, Y, groups=groups, method="cv(k=4)", n_permutations=50, rng=1)
    assert whole.permuted == "labels of whole groups"
    mixed = np.where(np.arange(36) % 3 == 0, 1 - Y, Y)
    inside = permutation_test("knn", X, mixed, groups=groups, method="cv(k=4)", n_permutations=50, rng=1)
    assert inside.permuted == "labels within groups"
    layers = np.arange(36) % 2
    strata = permutation_test("naive-bayes", X, Y, stratify=layers, method="cv(k=4)", n_permutations=50, rng=1)
    assert strata.permuted == "labels within strata"
    split = StratifiedKFold(4, shuffle=True, random_state=0)
    assert permutation_test("knn", X, Y, method=split, n_permutations=20, rng=1).p_value <= 0.1
    costly = permutation_test("knn", X, Y, scoring={"fn": 5, "fp": 1}, method="cv(k=4)", n_permutations=20, rng=1)
    own = estimate("knn", X, Y, scoring={"fn": 5, "fp": 1}, method="cv(k=4)", rng=1)
    assert costly.estimate == own.estimate
    partly = permutation_test(
        "knn", X, np.where(np.arange(36) < 2, 1 - Y, Y), groups=groups, method="cv(k=4)", n_permutations=50, rng=1
    )
    assert partly.permuted == "labels within groups (11 groups have one class and stay)"


class Fussy(ClassifierMixin, BaseEstimator):
    def fit(self, X: Any, y: Any) -> Fussy:
        raise ValueError("never")

    def predict(self, X: Any) -> Any:
        return X


@pytest.mark.parametrize(
    ("classifier", "more", "message"),
    [
        ("knn", {"stratify": "class"}, "no label can change places"),
        ("knn", {"n_permutations": 0}, "permutations = 0"),
        ("knn", {"n_permutations": 2.5}, "permutations = 2.5"),
        ("knn", {"groups": np.arange(36) // 18}, "expected at least one group a fold|folds were asked"),
        ("knn", {"method": "nothing"}, "unknown"),
        ("knn", {"confidence_level": 2}, "confidence"),
        ("knn", {"ignore": "E999"}, "E999"),
        ("knn(k=30)", {"method": "cv(k=2)"}, "knn"),
        (Fussy(), {"method": "cv(k=2)"}, "failed on every resample"),
        ("knn", {"scoring": {"fn": 5, "fp": 1}, "method": "bs(replicates=3, cloned=True)"}, "clones"),
    ],
)
def test_what_cannot_be_tested_is_refused(classifier: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        permutation_test(classifier, X, Y, **{"method": "cv(k=4)", "n_permutations": 5, "rng": 0, **more})


def test_the_command_tells_draws_and_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page = tmp_path / "data.csv", tmp_path / "page.html"
    file.write_text(
        "x,y,z,class\n" + "".join(f"{a:.3f},{b:.3f},{c:.3f},c{k}\n" for (a, b, c), k in zip(X, Y, strict=True))
    )
    command = ["chance", str(file), "--model", "knn", "--method", "cv(k=4)", "--n-permutations", "60"]
    assert main([*command, "--json", "--html", str(page)]) == 0
    out = capsys.readouterr()
    report = json.loads(out.out)
    assert report["p_value"] == 1 / 61
    assert report["fits"] == 61 * 4
    assert "cost: 244 fits" in out.err
    assert "<h1>Is knn(k=5, standardize=training) better than chance?</h1>" in page.read_text()
    assert main([*command, "--stratify", "class"]) == 2
    assert "no label can change places" in capsys.readouterr().err


def test_by_default_five_folds_are_repeated_and_the_cost_is_reported_beforehand(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = permutation_test("naive-bayes", X, Y, n_permutations=19, rng=1)
    assert result.estimator == "cv(k=5)"
    cost = predict_runtime("naive-bayes", X, Y, of="permutation_test", n_permutations=19)
    assert (cost.n_fits, cost.estimator, cost.interval) == (result.n_fits, "cv(k=5)", "") == (100, "cv(k=5)", "")
    with pytest.raises(UsageError, match="n_permutations = 0"):
        predict_runtime("naive-bayes", X, Y, of="permutation_test", n_permutations=0)
    # fewer groups than folds
    of_groups = permutation_test("naive-bayes", X, Y, groups=np.arange(36) // 9, n_permutations=5, rng=1)
    assert of_groups.estimator == "cv(k=4)"
    ranking = permutation_test("naive-bayes", X, Y, scoring="auc", n_permutations=5, rng=1)
    assert ranking.estimator == "cv(k=5, stratified=True, weights=folds)"
    assert permutation_test("naive-bayes", X, Y, scoring="mcc", n_permutations=5, rng=1).estimator == (
        "cv(k=5, stratified=True)"
    )


def test_workers_start_only_where_they_save_time_and_change_no_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    import joblib
    from sklearn.tree import DecisionTreeClassifier

    from errorest.assessment import estimate, parallel

    started = []
    plain = joblib.Parallel
    monkeypatch.setattr(joblib, "Parallel", lambda **how: started.append(how["n_jobs"]) or plain(**how))
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), np.array([0, 1] * 15)
    options = {"n_permutations": 12, "rng": 1}
    # as if the work were short, on a busy machine too
    monkeypatch.setattr(parallel, "_WORTH_WORKERS", np.inf)
    one = permutation_test(DecisionTreeClassifier(random_state=0), X, y, **options)
    two = permutation_test(DecisionTreeClassifier(random_state=0), X, y, **options, n_jobs=2)
    assert started == []
    # as if the work were long
    monkeypatch.setattr(parallel, "_WORTH_WORKERS", 0.0)
    many = permutation_test(DecisionTreeClassifier(random_state=0), X, y, **options, n_jobs=2)
    assert started == [2]
    assert one.chance.tolist() == two.chance.tolist() == many.chance.tolist()
    results = [estimate(DecisionTreeClassifier(random_state=0), X, y, rng=1, n_jobs=jobs) for jobs in (1, 2)]
    assert results[0].losses.equals(results[1].losses)
    assert started == [2, 2]


def test_the_limit_of_fits_counts_permutations() -> None:
    X, y = np.arange(60.0)[:, None], [0, 1] * 30
    with pytest.raises(UsageError, match="classifiers were asked for"):
        permutation_test("knn", X, y, method="632+(replicates=2000)", n_permutations=100_000, rng=0)
