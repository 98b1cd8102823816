"""Our schemes inside scikit-learn, and its splits inside ours."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_predict,
    cross_validate,
)
from sklearn.model_selection import KFold as ForeignFolds
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from batteries import RAW_1NN, assert_refused, losses_of
from errorest import choose, compare, estimate, permutation_test
from errorest.assessment.bias_corrected import wilson_of_nested
from errorest.assessment.splitters import from_splitter
from errorest.resampling.schemes import Bootstrap, Holdout, KFold, LeaveOneOut, LeaveOneOutBootstrap

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 2))
Y = (X[:, 0] + RNG.normal(size=20) > 0).astype(int)
SPLITTERS = [
    Holdout(0.25, 4, random_state=1),
    KFold(4, 2, random_state=1),
    KFold(4, stratified=True, random_state=1),
    Bootstrap(6, random_state=1),
    LeaveOneOutBootstrap(2, random_state=1),
]


@pytest.mark.parametrize("splitter", SPLITTERS, ids=lambda s: type(s).__name__)
def test_splitters_serve_scikit_learn_and_repeat_themselves(splitter: object) -> None:
    scores = cross_validate(KNeighborsClassifier(1), X, Y, cv=splitter)["test_score"]
    assert scores.shape[0] == splitter.get_n_splits(X, Y)  # type: ignore[attr-defined]
    again = cross_validate(KNeighborsClassifier(1), X, Y, cv=splitter)["test_score"]
    assert scores.tolist() == again.tolist()
    assert "random_state=1" in repr(splitter)
    result = estimate(RAW_1NN, X, Y, method=splitter, interval=None, rng=0)
    assert result.value == pytest.approx(1 - scores.mean(), rel=1e-12)


def test_folds_that_partition_serve_cross_val_predict_and_the_others_do_not() -> None:
    folds = KFold(4, stratified=True, random_state=1)
    predicted = cross_val_predict(KNeighborsClassifier(1), X, Y, cv=folds)
    assert (predicted != Y).mean() == pytest.approx(estimate(RAW_1NN, X, Y, method=folds, rng=0).value)
    with pytest.raises(ValueError, match="partitions"):
        cross_val_predict(KNeighborsClassifier(1), X, Y, cv=Bootstrap(5, random_state=0))


def test_stratified_folds_need_classes_and_refuse_no_rare_one() -> None:
    y = np.repeat([0, 1, 2], [10, 9, 1])
    tested = np.concatenate([test for _, test in KFold(5, stratified=True, random_state=0).split(X, y)])
    assert sorted(tested) == list(range(20))
    assert_refused("without y", next, KFold(5, stratified=True).split(X))


def test_every_bootstrap_split_leaves_cases_to_test() -> None:
    for train, test in Bootstrap(300, random_state=0).split(np.zeros((2, 1))):
        assert test.size
        assert train.size == 2
        assert not np.intersect1d(train, test).size


def test_a_random_state_of_any_kind_is_taken_and_parameters_survive_cloning() -> None:
    splitter = Holdout(0.5, 2, random_state=np.random.RandomState(0))
    assert (len(list(splitter.split(X))), Holdout(3, 2).test, clone(splitter)) == (2, 3, splitter)
    assert (KFold(5, 20).get_n_splits(), LeaveOneOut().get_n_splits(X)) == (100, 20)
    assert_refused("without X", LeaveOneOutBootstrap(3).get_n_splits)


def test_a_scheme_without_a_state_is_seeded_by_our_generator() -> None:
    first, again, other = (estimate("knn", X, Y, method=Bootstrap(5), interval=None, rng=seed) for seed in (1, 1, 2))
    assert first.predictions.cases(first.metric).equals(again.predictions.cases(again.metric))
    assert not first.predictions.cases(first.metric).equals(other.predictions.cases(other.metric))


def test_an_estimator_made_of_a_splitter_is_good_for_its_cases_alone() -> None:
    made = from_splitter(KFold(4, random_state=1), X, Y)
    result = estimate(RAW_1NN, X, Y, method=made, rng=0)
    assert result.interval.method == "cv-wilson(k=4)"
    assert_refused("splits were made of 20 cases and there are 19", estimate, RAW_1NN, X[1:], Y[1:], method=made)


CASES, GROUPS = np.arange(20), np.repeat(np.arange(5), 4)
PAIRS = list(ForeignFolds(4).split(X))
CANDIDATES = ["naive-bayes", "knn(k=3)"]


@pytest.mark.parametrize("k", [4, np.int64(4), "4"])
def test_a_number_of_folds_is_stratified_cross_validation(k: int | str) -> None:
    named = "cv(k=4, stratified=True)"
    assert losses_of(estimate("knn", X, Y, method=k, rng=1)).equals(
        losses_of(estimate("knn", X, Y, method=named, rng=1))
    )
    assert compare("knn", "naive-bayes", X, Y, method=k, rng=1).method == named
    assert permutation_test("knn", X, Y, method=k, n_permutations=9, rng=1).method == named
    result = choose(CANDIDATES, X, Y, method=k, nested=2, n_resamples=20, rng=1)
    assert result.method == named
    assert result.nested_interval.method == "wilson on nested k_fold(k=2, stratified=True)"


COMPARE, CHOOSE = partial(compare, "majority", "knn"), partial(choose, CANDIDATES)
TEST = partial(permutation_test, "knn", n_permutations=9)
FUNCTIONS = (partial(estimate, "knn"), COMPARE, CHOOSE, TEST)
NEITHER = "a number of folds, an Estimator, a scikit-learn splitter or a list of"
NO_SPLITS = [
    *((method, NEITHER) for method in (1, 0, True, 2.5, {}, ForeignFolds)),
    *(([1, 2], "a pair of positions"), ([([0], [20])], "out of bounds"), ([([], [0])], "a pair of positions")),
    *(([], "without"), *(([(k > CASES, k <= CASES)], "without training or test cases") for k in (0, 20))),
]
WITHOUT_INTERVAL = (Bootstrap(5), ShuffleSplit(5, test_size=0.25, train_size=0.5), PAIRS[:1])
IN_PARTS = [{"method": made, "groups": GROUPS} for made in (ForeignFolds(3), from_splitter(ForeignFolds(3), X))]


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        *((function, {"method": method}, message) for method, message in NO_SPLITS for function in FUNCTIONS),
        *((COMPARE, {"method": splitter}, "each case in one of both") for splitter in WITHOUT_INTERVAL),
        *((function, {"method": TimeSeriesSplit(4)}, "cases whose order matters") for function in (COMPARE, CHOOSE)),
        (CHOOSE, {"method": ShuffleSplit(5, random_state=1)}, "test every case equally often"),
        (CHOOSE, {"nested": ForeignFolds(4)}, "folds that every training set is divided into"),
        *((one, options, "parts a group in split 1") for options in IN_PARTS for one in FUNCTIONS[:3]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_splits_that_a_function_cannot_use_are_refused(function: Any, options: Any, message: str) -> None:
    assert_refused(message, function, X, Y, **options)


@pytest.mark.parametrize("scoring", ["error", "brier", "auc"])
@pytest.mark.parametrize("method", [TimeSeriesSplit(2), list(TimeSeriesSplit(2).split(X))], ids=["splitter", "pairs"])
def test_splits_in_the_order_of_time_are_not_answered_with_shuffling(method: Any, scoring: str) -> None:
    result = estimate("naive-bayes", X, Y, method=method, scoring=scoring, rng=1)
    assert result.interval is None
    kinds = [one.id for one in result.warnings]
    assert "E309" in kinds
    assert "E407" not in kinds
    assert "the first 8 of 20 cases are never tested" in str(result.warnings[kinds.index("E309")])
    chance = permutation_test("naive-bayes", X, Y, method=method, scoring=scoring, n_permutations=3, rng=1)
    assert "E309" in [one.id for one in chance.warnings]


@pytest.mark.parametrize("method", [ForeignFolds(4), [PAIRS[-1]], ShuffleSplit(3, random_state=1)], ids=["1", "2", "3"])
def test_other_splits_are_not_taken_for_ones_in_the_order_of_time(method: Any) -> None:
    assert "E309" not in [one.id for one in estimate("naive-bayes", X, Y, method=method, rng=1).warnings]


def test_splits_in_a_list_are_those_of_their_splitter() -> None:
    wanted = estimate("knn", X, Y, method=ForeignFolds(4), rng=1)
    masks = [(np.isin(np.arange(20), train), np.isin(np.arange(20), test)) for train, test in PAIRS]
    for method in (PAIRS, tuple(PAIRS), masks):
        result = estimate("knn", X, Y, method=method, rng=1)
        assert losses_of(result)["loss"].tolist() == losses_of(wanted)["loss"].tolist()
        assert (result.method, result.interval.method) == ("splitter(list of 4)", "cv-wilson(k=4)")
    shuffled = compare("knn", "majority", X, Y, method=ShuffleSplit(5, random_state=1))
    assert shuffled.interval.method.startswith("corrected-t on splitter(Shuffle")
    sampled = permutation_test("knn", X, Y, method=PAIRS, n_permutations=20, rng=1)
    again = permutation_test("knn", X, Y, method=ForeignFolds(4), n_permutations=20, rng=1)
    assert sampled.chance.tolist() == again.chance.tolist()


def test_repeated_folds_of_a_splitter_have_the_limits_of_ours() -> None:
    ours = KFold(4, 3, random_state=1)
    pairs = list(ours.split(X))
    result = choose(CANDIDATES, X, Y, method=pairs, nested=2, rng=1)
    made = from_splitter(pairs, X).splits.made
    assert (made.repeats, made.replicate.tolist()) == (3, np.repeat([0, 1, 2], 4).tolist())
    low, high = wilson_of_nested(result.nested_value or 0.0, 20, 4, 3, 0.95)
    assert (result.nested_interval.low, result.nested_interval.high) == pytest.approx((low, high))


def test_folds_of_a_group_splitter_have_the_interval_of_group_sums() -> None:
    groups = np.repeat(np.arange(5), [2, 3, 4, 5, 6])[np.random.default_rng(3).permutation(20)]
    found = estimate(GaussianNB(), X, Y, method=GroupKFold(4), groups=groups, rng=0)
    assert found.interval.method == "cv-wald(k=4)"
    loss = losses_of(found).sort_values("case")["loss"].to_numpy()
    sums = np.bincount(groups, loss - loss.mean())
    half = stats.t.ppf(0.975, 4) * np.sqrt(5 / 4 * (sums**2).sum()) / 20
    limits = np.clip([found.value - half, found.value + half], 0, 1)
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(limits))
    alone, plain = (
        estimate(GaussianNB(), X, Y, method=PAIRS, interval="cv-wald", groups=g, rng=0).interval
        for g in (np.arange(20), None)
    )
    wider = stats.t.ppf(0.975, 19) / stats.norm.ppf(0.975) * np.sqrt(20 / 19)
    assert alone.high - alone.low == pytest.approx(wider * (plain.high - plain.low))  # type: ignore[union-attr]
    options = {"method": GroupShuffleSplit(3, test_size=0.4), "groups": groups, "rng": 0}
    assert_refused("interval kohavi is not legal with", estimate, GaussianNB(), X, Y, interval="kohavi", **options)
    assert estimate(GaussianNB(), X, Y, **options).interval.method == "corrected-t(splits=3, ratio=3/5)"
