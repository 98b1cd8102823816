"""Choosing among classifiers: the correction by a plain loop, candidates, intervals, nested folds."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.stats import t
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from batteries import assert_refused, rows_of
from errorest import choose, estimate
from errorest.assessment.choosing.bias_corrected import bias_corrected_error, max_t_quantile
from errorest.assessment.choosing.shared import draw_within
from errorest.assessment.inputs import prepare
from errorest.assessment.runs import draw
from errorest.estimation.proportions import wilson_interval
from errorest.inducers import KNN
from errorest.resampling.schemes import KFold
from errorest.streams import Streams

RAW_1NN = "knn(k=1, standardize=none)"
RAW_3NN = "knn(k=3, standardize=none)"

RNG = np.random.default_rng(7)
Y = np.repeat([0, 1], 18)
X = RNG.normal(size=(36, 3)) + 1.2 * Y[:, None]
THREE = ["majority", "knn(k=3)", "linear-discriminant"]


def test_the_corrected_error_is_that_of_a_plain_loop() -> None:
    losses = RNG.integers(0, 3, size=(25, 6)).astype(float)
    tests = RNG.integers(2, 4, size=25).astype(float)
    result = bias_corrected_error(losses, tests, draws=60, confidence=0.8, rng=np.random.default_rng(2))
    sampled = np.random.default_rng(2).integers(25, size=(60, 25), dtype=np.int32)
    outside, wins = [], np.zeros(6)
    for line in sampled:
        left = np.setdiff1d(np.arange(25), line)
        inside = losses[line].sum(axis=0)
        wins[inside == inside.min()] += 1 / (inside == inside.min()).sum()
        outside.append(losses[left, np.argmin(inside)].sum() / tests[left].sum())
    assert result.outside.tolist() == pytest.approx(outside)
    assert (result.low, result.high) == pytest.approx(tuple(np.quantile(outside, [0.1, 0.9])))
    np.testing.assert_allclose(result.wins, wins / 60)
    np.testing.assert_allclose(result.ranks.sum(axis=0), 1)
    np.testing.assert_allclose(result.ranks.sum(axis=1), 1)


def test_every_candidate_errs_as_it_does_alone() -> None:
    result = choose(THREE, X, Y, method="cv(k=6, repeats=3)", rng=4)
    alone = {n: estimate(n, X, Y, method="cv(k=6, repeats=3)", interval=None, rng=4) for n in THREE}
    errors = {r.position: r.error for r in result.candidates}
    assert [errors[i] for i in range(3)] == pytest.approx([alone[n].estimate for n in THREE])
    assert (result.error, result.n_fits) == (min(errors.values()), sum(a.n_fits for a in alone.values()))
    # the paired interval: corrected t, with a quantile between those of one pair and of Bonferroni's three
    worst = result.candidates[-1]
    d = alone[THREE[worst.position]].replicates["loss"] - alone[THREE[result.candidates[0].position]].replicates["loss"]
    rates = d.to_numpy()
    se = np.sqrt(rates.var(ddof=1) * (1 / 18 + 6 / 30))
    half = worst.high - worst.difference
    assert t(17).ppf(1 - 0.05 / 2) * se < half < t(17).ppf(1 - 0.05 / 6) * se
    assert worst.difference == pytest.approx(worst.error - result.error)


def test_the_max_t_quantile_is_that_of_a_plain_loop() -> None:
    inside, errors = RNG.normal(size=(200, 4)), RNG.normal(size=4)
    largest = [
        max(
            abs(line[a] - line[b] - errors[a] + errors[b]) / (inside[:, a] - inside[:, b]).std()
            for a, b in itertools.combinations(range(4), 2)
        )
        for line in inside
    ]
    assert max_t_quantile(inside, errors, 0.9) == pytest.approx(np.quantile(largest, 0.9))
    # candidates that never differ have no say
    same = np.c_[inside[:, 0], inside]
    twice = np.r_[errors[0], errors]
    assert max_t_quantile(same, twice, 0.9) == pytest.approx(np.quantile(largest, 0.9))


@pytest.mark.parametrize(("folds", "divisor"), [("cv(k=4, repeats=2)", 1), ("cv(k=6, repeats=2)", 1.25)])
def test_the_nested_interval_is_wilson_s_of_fewer_cases(folds: str, divisor: float) -> None:
    result = choose(THREE, X, Y, method=folds, nested="cv(k=3)", rng=9)
    once = choose(THREE, X, Y, method=folds.replace("2", "1"), nested="cv(k=3)", rng=9)
    for one, n in ((result, 36 / divisor), (once, 36 / (1.3 * divisor))):
        limits = one.nested_interval
        assert (limits.low, limits.high) == pytest.approx(wilson_interval(one.nested_error * n, n))


def test_of_equal_candidates_the_first_is_chosen() -> None:
    rules: list[Any] = [KNN(1), KNN(2)]
    for listed in (rules, rules[::-1]):
        result = choose(listed, X, Y, method="cv(k=3)", rng=0)
        assert (result.best, [r.wins for r in result.candidates]) == (listed[0].id, [0.5, 0.5])
        assert result.level == tuple(r.name for r in result.candidates)


def test_a_search_and_a_list_of_settings_are_the_same_candidates() -> None:
    tree = DecisionTreeClassifier(random_state=0)
    options: dict[str, Any] = {"method": "cv(k=4)", "rng": 2}
    by_search = choose(GridSearchCV(tree, {"max_depth": [1, 3]}), X, Y, **options)
    by_list = choose([{"max_depth": 1}, {"max_depth": 3}], X, Y, base=tree, **options)
    named = {n: DecisionTreeClassifier(max_depth=d, random_state=0) for n, d in (("a", 1), ("b", 3))}
    one_by_one = choose(named, X, Y, **options)
    for other in (by_list, one_by_one):
        assert [r.error for r in by_search.candidates] == [r.error for r in other.candidates]
    assert {r.name for r in by_list.candidates} == {"max_depth=1", "max_depth=3"}
    assert ({r.name for r in one_by_one.candidates}, tree.get_params()["max_depth"]) == ({"a", "b"}, None)
    sampled = RandomizedSearchCV(tree, {"max_depth": [1, 2, 3, 4]}, n_iter=2)
    assert len(choose(sampled, X, Y, **options).candidates) == 2


def test_nested_folds_keep_groups() -> None:
    groups = np.arange(36) // 3
    problem = prepare("knn", X, Y, groups=groups)
    outer = draw(problem, [KFold(4)], Streams(1))[0][KFold(4)]
    inner = draw_within(problem, outer, KFold(3), Streams(1))
    for row in rows_of(inner):
        assert not {*groups[row.trained]} & {*groups[row.tested]}


def test_a_clear_difference_is_said_and_a_useless_choice_too() -> None:
    far = np.arange(60.0)[:, None] + 100 * (np.arange(60) >= 30)[:, None]
    split = (np.arange(60) >= 30).astype(int)
    clear = choose(["majority", RAW_1NN], far, split, rng=1)
    assert clear.verdict == "knn(k=1) errs least; the data distinguish it from the other"
    assert clear.candidates[1].worse
    noise = choose(["majority", RAW_1NN, RAW_3NN], X, RNG.permutation(Y), rng=1)
    assert noise.verdict.startswith("the data do not distinguish the three candidates; take the simplest, if any: alw")
    some = choose(["majority", RAW_3NN, "linear-discriminant"], far, split, rng=1)
    assert "do not distinguish two of the three (knn(k=3); linear-discriminant" in some.verdict


ONE = KNeighborsClassifier(3)
SCALED = make_pipeline(StandardScaler(), LogisticRegression())


@pytest.mark.parametrize(
    ("candidates", "more", "message"),
    [
        ([ONE, "majority", ONE], {}, "candidates 1 and 3 are the same"),
        (["knn", "knn(k=5)"], {}, "candidates 1 and 2 are the same, knn"),
        ([SCALED, make_pipeline(StandardScaler(), LogisticRegression())], {}, "are the same"),
        (["knn"], {}, "1 candidate"),
        ("knn", {}, "put it into a list"),
        (["knn", "knnn"], {}, "did you mean 'knn'"),
        ([{"k": 1}, {"k": 2}], {}, "expected base="),
        ([{"k": 1}, {"k": 1}], {"base": "knn"}, "stand twice"),
        ([{"k": 1}, {"q": 1}], {"base": "knn"}, "do not fit the base"),
        ([{"C": 1}, {"Q": 1}], {"base": SVC()}, "do not fit the base"),
        (["knn", "majority"], {"method": "632+"}, "expected several splits"),
        (["knn", "majority"], {"method": "holdout(repeats=9)"}, "expected folds, which test every case"),
        (["knn", "majority"], {"nested": "loo"}, "expected several splits"),
        (["knn", "majority"], {"n_resamples": 0}, "n_resamples = 0"),
        (["knn", "majority"], {"method": "cv(k=99)"}, "99 folds"),
    ],
)
def test_what_is_no_choice_is_refused(candidates: Any, more: dict[str, Any], message: str) -> None:
    assert_refused(message, choose, candidates, X, Y, rng=0, **more)


def test_long_pipelines_with_other_settings_are_not_the_same() -> None:
    steps = [make_pipeline(*[StandardScaler() for _ in range(40)], LogisticRegression(C=c)) for c in (1.0, 2.0)]
    result = choose(steps, X, Y, method="cv(k=2)", rng=0)
    assert len({r.name for r in result.candidates}) == 2
