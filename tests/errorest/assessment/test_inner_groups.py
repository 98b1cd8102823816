"""Groups reach what tunes itself inside a classifier: searches, and steps of pipelines, that divide by groups."""

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, GroupKFold, GroupShuffleSplit, LeaveOneGroupOut
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from batteries import assert_refused
from errorest import choose, compare, estimate, learning_curve, permutation_test

RNG = np.random.default_rng(7)
Y = np.repeat([0, 1], 18)
X = RNG.normal(size=(36, 3)) + 1.2 * Y[:, None]


GROUPED = np.arange(36) // 3


@pytest.mark.parametrize("splitter", [GroupKFold(3), LeaveOneGroupOut(), GroupShuffleSplit(4, random_state=1)])
def test_groups_reach_the_search_inside_a_classifier(splitter: Any) -> None:
    grid = {"n_neighbors": [1, 5]}
    search = GridSearchCV(KNeighborsClassifier(), grid, cv=splitter)
    outer = GroupKFold(4)
    errors = []
    for train, test in outer.split(X, Y, GROUPED):
        model = clone(search).fit(X[train], Y[train], groups=GROUPED[train])
        errors.append(np.mean(model.predict(X[test]) != Y[test]))
    options: dict[str, Any] = {"groups": GROUPED, "rng": 1}
    assert estimate(search, X, Y, method=outer, **options).value == pytest.approx(np.mean(errors), abs=1e-12)
    piped = make_pipeline(FunctionTransformer(), search)
    for model in (search, piped):
        assert estimate(model, X, Y, method=outer, **options).value == pytest.approx(np.mean(errors), abs=1e-12)
        assert compare(model, "knn", X, Y, method=outer, **options).value_a == pytest.approx(np.mean(errors), abs=1e-12)
        assert 0 <= choose([model, "knn"], X, Y, method=outer, **options).value <= 1
        assert permutation_test(model, X, Y, method=outer, n_permutations=2, **options).value == np.mean(errors)
        assert learning_curve(model, X, Y, train_sizes=[6, 9], repeats=1, folds=4, **options).unit == "groups"


@pytest.mark.parametrize("function", [estimate, permutation_test, learning_curve])
def test_a_search_by_groups_without_groups_is_told_to_take_them(function: Any) -> None:
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=GroupKFold(2))
    assert_refused("pass groups=", function, search, X, Y, rng=1)
    inside = BaggingClassifier(search, 2)
    assert_refused("none further inside", function, inside, X, Y, groups=GROUPED, rng=1)
