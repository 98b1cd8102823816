"""Copies of classifiers are what sklearn.base.clone returns; only settings that are read take a seed."""

from typing import Any

import numpy as np
import pytest
import sklearn.base
from sklearn.calibration import CalibratedClassifierCV
from sklearn.decomposition import PCA
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from errorest import estimate
from errorest.sklearn_models import copier, seeds_of

X = np.random.default_rng(0).normal(size=(40, 3))
Y = (X[:, 0] > 0).astype(int)


class Counting(GaussianNB):  # type: ignore[misc]
    """A class of the user's with a clone of its own."""

    def __sklearn_clone__(self) -> Any:
        result = Counting()
        result.copies = getattr(self, "copies", 0) + 1
        return result


def with_output(model: Any) -> Any:
    model.steps[0][1].set_output(transform="pandas")
    return model


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(C=0.3),
        LogisticRegression(C=0.3).fit(X, Y),
        LogisticRegression(class_weight={0: 1.0, 1: 2.0}),
        GaussianNB(priors=np.array([0.5, 0.5])),
        make_pipeline(StandardScaler(with_mean=False), "passthrough", LogisticRegression(C=2.0)),
        with_output(make_pipeline(StandardScaler(), GaussianNB())),
        make_pipeline(StandardScaler(), BaggingClassifier(GaussianNB(), n_estimators=3, random_state=1)),
        CalibratedClassifierCV(GaussianNB(), cv=3),
        Counting(),
    ],
    ids=lambda model: " ".join(repr(model).split())[:50],
)
def test_a_copy_is_a_clone(model: Any) -> None:
    copy, cloned = copier(model)(), sklearn.base.clone(model)
    assert repr(copy) == repr(cloned)
    assert vars(copy).keys() == vars(cloned).keys()
    parts = [p for m in (copy, copier(model)(), model) for p in [m, *m.get_params().values()] if hasattr(p, "fit")]
    assert len(set(map(id, parts))) == len(parts)  # no part is shared
    np.testing.assert_array_equal(copy.fit(X, Y).predict(X), cloned.fit(X, Y).predict(X))


def test_seeds_are_set_in_copies_alone() -> None:
    tree, pipeline = DecisionTreeClassifier(), make_pipeline(StandardScaler(), DecisionTreeClassifier())
    assert copier(tree)(random_state=7).random_state == 7
    assert copier(pipeline)(decisiontreeclassifier__random_state=7).steps[1][1].random_state == 7
    assert tree.random_state is None
    assert pipeline.steps[1][1].random_state is None


@pytest.mark.parametrize(
    ("model", "names"),
    [
        (LogisticRegression(), ()),
        (LogisticRegression(solver="saga"), ("random_state",)),
        (DecisionTreeClassifier(), ("random_state",)),
        (DecisionTreeClassifier(random_state=1), ()),
        (SVC(), ()),
        (make_pipeline(PCA(2), LogisticRegression()), ("pca__random_state",)),
        (make_pipeline(PCA(2, svd_solver="full"), DecisionTreeClassifier()), ("decisiontreeclassifier__random_state",)),
    ],
    ids=lambda given: " ".join(repr(given).split())[:40],
)
def test_only_settings_that_are_read_take_a_seed(model: Any, names: tuple[str, ...]) -> None:
    assert seeds_of(model) == names


def test_the_signature_of_a_class_is_read_as_often_whatever_the_number_of_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    clone = sklearn.base.clone

    def counted(model: Any, **how: Any) -> Any:
        calls.append(model)
        return clone(model, **how)

    monkeypatch.setattr(sklearn.base, "clone", counted)
    counts = []
    for replicates in (20, 60):
        calls.clear()
        estimate(LogisticRegression(), X, Y, method=f"632(replicates={replicates})", compiled=False, rng=1)
        counts.append(len(calls))
    assert counts[0] == counts[1]
