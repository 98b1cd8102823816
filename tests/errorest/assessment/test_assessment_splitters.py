"""Our schemes inside scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_validate
from sklearn.neighbors import KNeighborsClassifier

from errorest.assessment import estimate
from errorest.assessment.splitters import from_splitter
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators import estimate as estimate_of_sample
from errorest.inducers import KNN
from errorest.resampling.schemes import Bootstrap, BootstrapFolds, Holdout, KFold, LeaveOneOut, LeaveOneOutBootstrap

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 2))
Y = (X[:, 0] + RNG.normal(size=20) > 0).astype(int)
SPLITTERS = [
    Holdout(0.25, 4, random_state=1),
    KFold(4, 2, random_state=1),
    KFold(4, stratified=True, random_state=1),
    Bootstrap(6, random_state=1),
    LeaveOneOutBootstrap(2, random_state=1),
    BootstrapFolds(3, 2, random_state=1),
]


@pytest.mark.parametrize("splitter", SPLITTERS, ids=lambda s: type(s).__name__)
def test_splitters_serve_scikit_learn_and_repeat_themselves(splitter: object) -> None:
    scores = cross_validate(KNeighborsClassifier(1), X, Y, cv=splitter)["test_score"]
    assert scores.shape[0] == splitter.get_n_splits(X, Y)  # type: ignore[attr-defined]
    again = cross_validate(KNeighborsClassifier(1), X, Y, cv=splitter)["test_score"]
    assert scores.tolist() == again.tolist()
    grid = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, cv=splitter).fit(X, Y)
    assert grid.best_params_["n_neighbors"] in (1, 3)
    assert "random_state=1" in repr(splitter)


@pytest.mark.parametrize("splitter", SPLITTERS, ids=lambda s: type(s).__name__)
def test_a_splitter_of_ours_as_estimator_is_the_mean_of_its_splits(splitter: object) -> None:
    found = estimate("knn", X, Y, method=splitter, interval=None, rng=0)
    scores = cross_validate(KNeighborsClassifier(1), X, Y, cv=splitter)["test_score"]
    assert found.estimate == pytest.approx(1 - scores.mean(), rel=1e-12)


def test_folds_that_partition_serve_cross_val_predict_and_the_others_do_not() -> None:
    folds = KFold(4, stratified=True, random_state=1)
    predicted = cross_val_predict(KNeighborsClassifier(1), X, Y, cv=folds)
    assert (predicted != Y).mean() == pytest.approx(estimate("knn", X, Y, method=folds, rng=0).estimate)
    with pytest.raises(ValueError, match="partitions"):
        cross_val_predict(KNeighborsClassifier(1), X, Y, cv=Bootstrap(5, random_state=0))


def test_dealt_folds_keep_classes_in_proportion_and_refuse_no_rare_class() -> None:
    y = np.repeat([0, 1, 2], [10, 9, 1])
    tested = np.concatenate([test for _, test in KFold(5, stratified=True, random_state=0).split(X, y)])
    assert sorted(tested) == list(range(20))
    for _, test in KFold(5, stratified=True, random_state=0).split(X, y):
        assert abs(int((y[test] == 0).sum()) - 2) <= 1
    with pytest.raises(UsageError, match="without y"):
        next(KFold(5, stratified=True).split(X))


def test_every_bootstrap_split_leaves_cases_to_test() -> None:
    for train, test in Bootstrap(300, random_state=0).split(np.zeros((2, 1))):
        assert test.size
        assert train.size == 2
        assert not np.intersect1d(train, test).size


def test_a_bootstrap_splitter_draws_what_the_scheme_draws() -> None:
    sample = Sample.from_arrays(X, Y)
    splitter = Bootstrap(400, random_state=0)
    ours = estimate_of_sample(sample, KNN(), ["e0(replicates=400)"], np.random.default_rng(1))["e0(replicates=400)"]
    theirs = estimate("knn", X, Y, method=splitter, interval=None, rng=0)
    # two means of 400 replicates with a standard deviation under .25: false alarm below 1 in 10,000
    assert abs(ours - theirs.estimate) < 4 * 0.25 * np.sqrt(2 / 400)


def test_a_random_state_of_any_kind_is_taken_and_parameters_survive_cloning() -> None:
    splitter = Holdout(0.5, 2, random_state=np.random.RandomState(0))
    assert len(list(splitter.split(X))) == 2
    assert Holdout(3, 2).test == 3
    assert clone(splitter) is splitter
    assert KFold(5, 20).get_n_splits() == 100
    assert LeaveOneOut().get_n_splits(X) == 20
    with pytest.raises(UsageError, match="without X"):
        LeaveOneOutBootstrap(3).get_n_splits()


def test_an_empty_split_is_refused() -> None:
    class Empty:
        def split(self, X: object, y: object = None, groups: object = None) -> object:
            yield np.arange(20), np.arange(0)

        def get_n_splits(self, X: object = None, y: object = None, groups: object = None) -> int:
            return 1

    with pytest.raises(UsageError, match="without training or test cases"):
        from_splitter(Empty(), X, Y)


def test_an_estimator_made_of_a_splitter_is_good_for_its_cases_alone() -> None:
    made = from_splitter(KFold(4, random_state=1), X, Y)
    found = estimate("knn", X, Y, method=made, rng=0)
    assert found.interval is not None
    assert found.interval.method == "cv-wald(k=4)"
    with pytest.raises(UsageError, match="splits were made of 20 cases and there are 19"):
        estimate("knn", X[1:], Y[1:], method=made)
