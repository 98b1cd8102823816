"""C4.5 with scikit-learn's interface."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from errorest.data.sets import load
from errorest.errors import UsageError
from errorest.inducers.c45 import C45
from errorest.inducers.c45_sklearn import C45Classifier


# No check is expected to fail, so no expected_failed_checks are listed.
@parametrize_with_checks([C45Classifier(), C45Classifier(release=7)])
def test_scikit_learns_own_checks_pass(estimator: Any, check: Any) -> None:
    check(estimator)


def test_it_makes_the_tree_of_the_inducer() -> None:
    sample = load("soybean-large").take(np.arange(0, 683, 4))
    nominal = C45Classifier(nominal_features=list(range(sample.d))).fit(sample.X, sample.y)
    assert (nominal.predict(sample.X) == C45().fit(sample).predict(sample.X)).mean() > 0.99
    vehicle = load("vehicle")
    tree = C45Classifier(release=7).fit(vehicle.X, vehicle.y)
    assert tree.tree_.nodes.tobytes() == C45(release=7).fit(vehicle).nodes.tobytes()


def test_integer_weights_are_numbers_of_copies() -> None:
    sample = load("hypothyroid").take(np.arange(0, 3163, 10))
    weights = np.random.default_rng(0).integers(0, 4, sample.n)
    rows = np.repeat(np.arange(sample.n), weights)
    nominal = [j for j, a in enumerate(sample.attributes) if a.kind == "nominal"]
    weighted = C45Classifier(nominal_features=nominal).fit(sample.X, sample.y, sample_weight=weights)
    repeated = C45Classifier(nominal_features=nominal).fit(sample.X[rows], sample.y[rows])
    assert (weighted.predict_proba(sample.X) == repeated.predict_proba(sample.X)).all()


def test_fractions_of_cases_are_refused() -> None:
    with pytest.raises(UsageError, match="weights"):
        C45Classifier().fit([[1.0], [2.0]], [0, 1], sample_weight=[0.5, 1.0])


def test_a_frame_with_text_names_and_gaps_can_be_used() -> None:
    frame = pd.DataFrame({"colour": ["red", "blue", "red", "blue", None, "red"], "size": [1, 2, 1, 2, 2, np.nan]})
    model = C45Classifier(nominal_features=["colour"], prune=False).fit(frame, list("ababaa"))
    assert model.tree_.attributes[0].categories == ("blue", "red")
    assert model.predict(frame).tolist() == list("ababaa")
    never = pd.DataFrame({"colour": ["green"], "size": [np.nan]})
    gap = pd.DataFrame({"colour": [None], "size": [np.nan]})
    assert (model.predict_proba(never) == model.predict_proba(gap)).all()


@pytest.mark.parametrize(
    ("features", "message"), [(["color"], "did you mean 'colour'"), ([2], "no column"), ([-1], "no")]
)
def test_unknown_nominal_features_are_refused(features: list[Any], message: str) -> None:
    frame = pd.DataFrame({"colour": ["red", "blue"], "size": [1, 2]})
    with pytest.raises(UsageError, match=message):
        C45Classifier(nominal_features=features).fit(frame, [0, 1])


def test_it_clones_and_cross_validates() -> None:
    iris = load("iris")
    model = clone(C45Classifier(min_cases=4))
    assert model.get_params()["min_cases"] == 4
    assert cross_val_score(model, iris.X, iris.y, cv=5).mean() > 0.9
