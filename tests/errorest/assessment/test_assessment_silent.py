"""What would give a wrong answer, or a traceback, without a word: each is refused, corrected or warned of."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from batteries import assert_refused
from errorest.assessment import compare, estimate, predict_runtime
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.inducers.named import named

RNG = np.random.default_rng(3)
X = RNG.normal(size=(36, 2))
Y = np.where(X[:, 0] + RNG.normal(size=36) > 0, "yes", "no")


class Answers(KNeighborsClassifier):
    """The nearest neighbor, which answers in a way of its own."""

    def __init__(self, way: str = "whole", n_neighbors: int = 1) -> None:
        super().__init__(n_neighbors)
        self.way = way

    def fit(self, X: Any, y: Any) -> Any:
        super().fit(X, y)
        return None if self.way == "none" else self

    def predict(self, X: Any) -> np.ndarray:
        output = super().predict(X)
        return {"one": output[:1], "short": output[:-1], "nothing": output[:0]}.get(self.way, output)


class Learnt(ClassifierMixin, BaseEstimator):
    """A wrapper of something trained beforehand, which only looks as if it were trained."""

    def __init__(self, model: Any = None) -> None:
        self.model = model

    def __sklearn_clone__(self) -> Learnt:
        return Learnt(self.model)

    def fit(self, X: Any, y: Any) -> Learnt:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> np.ndarray:
        return np.asarray(self.model.predict(X))


class Refuses(ClassifierMixin, BaseEstimator):
    def __init__(self, k: int = 1) -> None:
        raise RuntimeError("no licence found")

    fit = predict = print


def beware(result: Any, words: str) -> list[str]:
    return [w for w in result.warnings if words in w]


def test_a_frozen_classifier_is_refused_and_a_frozen_part_is_reported() -> None:
    made = DecisionTreeClassifier(random_state=0).fit(X, Y)
    for frozen in (FrozenEstimator(made), make_pipeline(StandardScaler(), FrozenEstimator(made))):
        assert_refused(r"is never trained again.*new cases", estimate, frozen, X, Y, method="cv(k=5)", rng=0)
    assert_refused("is never trained again", compare, "knn", FrozenEstimator(made), X, Y, rng=0)
    part = make_pipeline(FrozenEstimator(StandardScaler().fit(X)), LogisticRegression())
    assert beware(estimate(part, X, Y, method="cv(k=5)", rng=0), "is frozen")
    calibrated = CalibratedClassifierCV(FrozenEstimator(made))
    assert beware(estimate(calibrated, X, Y, method="cv(k=5)", rng=0), "is frozen")
    thawed = make_pipeline(StandardScaler(), LogisticRegression())
    assert not beware(estimate(thawed, X, Y, method="cv(k=5)", rng=0), "frozen")


def test_a_classifier_that_never_learns_again_is_reported() -> None:
    made = KNeighborsClassifier(1).fit(X, Y)
    report = estimate(Learnt(made), X, Y, method="cv(k=5)", rng=0)
    assert report.estimate == 0
    assert beware(report, "whatever labels it is trained on")
    assert beware(compare("knn", Learnt(made), X, Y, rng=0), "b answers the same whatever labels")
    balanced = np.repeat(["a", "b"], 18)
    for honest in (
        KNeighborsClassifier(1),
        DummyClassifier(),
        LogisticRegression(),
        DecisionTreeClassifier(max_depth=1, random_state=0),
        Answers(),
    ):
        for y in (Y, balanced):
            assert not beware(estimate(honest, X, y, method="cv(k=5)", rng=0), "whatever labels")


def test_rows_and_labels_in_another_order_are_refused() -> None:
    data = load_iris(as_frame=True)
    shuffled = data.data.sample(frac=1, random_state=0)
    for mixed in (data.target, data.target.rename(lambda i: i + 200)[::-1]):
        with pytest.raises(UsageError, match=r"X and y .*index.*y\.loc\[X\.index\]"):
            estimate(KNeighborsClassifier(), shuffled, mixed, method="cv(k=5)", rng=0)
    with pytest.raises(UsageError, match="X and groups"):
        estimate("knn", shuffled, data.target.loc[shuffled.index], groups=data.target, method="cv(k=2)")
    with pytest.raises(UsageError, match="y and stratify"):
        estimate("knn", shuffled.to_numpy(), data.target[::-1], stratify=data.target, method="cv(k=2)")
    right = estimate("knn", shuffled, data.target.loc[shuffled.index], method="cv(k=5)", rng=0)
    assert right.estimate < 0.1
    # numbered anew: by position, as an array would be
    renamed, y = shuffled.rename(lambda i: f"plant {i}"), data.target.loc[shuffled.index].reset_index(drop=True)
    assert estimate("knn", renamed, y, method="cv(k=5)", rng=0).estimate == right.estimate


@pytest.mark.parametrize("way", ["one", "short", "nothing"])
def test_a_classifier_answers_every_case(way: str) -> None:
    assert_refused(r"answers? .* for \d+ cases", estimate, Answers(way), X, Y, method="cv(k=5)", rng=0)


class Short:
    """An inducer that loses cases."""

    id = "short"

    def __init__(self, kept: int) -> None:
        self.kept = kept

    def fit(self, sample: Sample, rng: Any = None) -> Any:
        return named("knn").fit(sample)

    def predict_resamples(self, sample: Sample, resamples: Any, rng: Any = None) -> np.ndarray:
        return named("knn").predict_resamples(sample, resamples)[: self.kept]


def test_an_inducer_answers_every_case() -> None:
    assert_refused("answered 1 of 36 tested cases", estimate, Short(1), X, Y, method="loo", interval=None, rng=0)


def test_what_is_masked_is_missing() -> None:
    plain = estimate("naive-bayes", X, Y, method="cv(k=5)", rng=0)
    spoilt = X.copy()
    spoilt[5, 0] = 1e9
    mask = np.zeros(X.shape, dtype=bool)
    mask[5, 0] = True
    gap = np.where(mask, np.nan, X)
    masked = estimate("naive-bayes", np.ma.array(spoilt, mask=mask), Y, method="cv(k=5)", rng=0)
    missing = estimate("naive-bayes", gap, Y, method="cv(k=5)", rng=0)
    assert masked.estimate == missing.estimate
    assert (masked.losses["predicted"] == missing.losses["predicted"]).all()
    with pytest.raises(UsageError, match="column 1 lacks 1 value"):
        estimate(LogisticRegression(), np.ma.array(spoilt, mask=mask), Y, method="cv(k=5)", rng=0)
    whole = np.ma.array((10 * X).astype(int), mask=mask)
    assert_refused("column 1 lacks 1 value", estimate, LogisticRegression(), whole, Y, method="cv(k=5)", rng=0)
    untouched = estimate("naive-bayes", np.ma.array(X, mask=False), Y, method="cv(k=5)", rng=0)
    assert untouched.estimate == plain.estimate
    assert_refused("y lacks a label for 2 case", estimate, "knn", X, np.ma.array(Y, mask=np.arange(36) < 2), rng=0)
    with pytest.raises(UsageError, match="groups lack a value for 2 case"):
        estimate("knn", X, Y, groups=np.ma.array(np.arange(36), mask=np.arange(36) < 2), rng=0)


def test_encoding_that_nobody_needs_is_reported() -> None:
    report = estimate("naive-bayes", X, Y, method="cv(k=5)", encode=True, rng=0)
    assert beware(report, "encode changes nothing")
    assert not beware(estimate("naive-bayes", X, Y, method="cv(k=5)", rng=0), "encode")
    assert not beware(estimate(LogisticRegression(), X, Y, method="cv(k=5)", encode=True, rng=0), "encode")
    assert beware(compare("knn", "majority", X, Y, encode=True, rng=0), "encode changes nothing")
    assert not beware(compare("knn", LogisticRegression(), X, Y, encode=True, rng=0), "encode")
    assert_refused("nominal", estimate, "linear-discriminant", pd.DataFrame({"a": list("ab") * 18}), Y, encode=True)


def test_fit_may_return_nothing() -> None:
    same = [estimate(Answers(way), X, Y, method="cv(k=5)", rng=0).estimate for way in ("none", "whole")]
    assert (same[0], predict_runtime(Answers("none"), X, Y, method="cv(k=5)").n_fits) == (same[1], 5)


def test_a_constructor_that_raises_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=re.escape("cannot be made (RuntimeError: no licence found)")):
        named(f"{__name__}.Refuses(k=2)")
    assert_refused("no licence found", named, f"{__name__}:Refuses")
