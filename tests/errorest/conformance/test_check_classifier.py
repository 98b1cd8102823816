"""check_classifier finds each fault by its id, and nothing in sound classifiers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from batteries import assert_refused
from errorest import check_classifier, estimate
from errorest.learners import predict_by_loop
from errorest.spec import Spec

RNG = np.random.default_rng(8)


def ids_of(found: Any) -> list[str]:
    return [one.id for one in found]


X = RNG.normal(size=(80, 3))
Y = np.where(X[:, 0] + 0.7 * RNG.normal(size=80) > 0, "yes", "no")
THREE = np.array(["a", "b", "c"])[np.digitize(X[:, 1] + RNG.normal(size=80), [-0.5, 0.5])]
KEPT: list[int] = []


class Faulty(NearestCentroid):
    """A nearest mean with something else after it is fitted, and another answer."""

    def __init__(self, fitted: Any = None, answer: Any = NearestCentroid.predict, setting: float = 0.0) -> None:
        super().__init__()
        self.fitted = fitted
        self.answer = answer
        self.setting = setting

    def fit(self, X: Any, y: Any) -> Faulty:
        before = getattr(self, "centroids_", None)
        super().fit(X, y)
        if self.fitted is not None:
            self.fitted(self, X, before)
        return self

    def predict(self, X: Any) -> np.ndarray:
        return np.asarray(self.answer(self, X))


def keep(rule: Any, X: Any, before: Any) -> None:
    KEPT.append(hash(np.asarray(X).tobytes()))
    rule.centroids_ = rule.centroids_[::-1] if len(set(KEPT[-2:])) > 1 else rule.centroids_


def go_on(rule: Any, X: Any, before: Any) -> None:
    """Refitted, it goes on from where it was: what warm starts do."""
    rule.centroids_ = rule.centroids_ if before is None else before[::-1]


def write(rule: Any, X: Any, before: Any) -> None:
    X -= 1.0
    rule.centroids_ = rule.centroids_ - 1.0


def count_fits(rule: Any, X: Any, before: Any) -> None:
    rule.setting += 1.0


def write_when_asked(rule: Any, X: Any) -> np.ndarray:
    result = NearestCentroid.predict(rule, X)
    X *= 2.0
    return result


def know_half(rule: Any, cases: Any) -> np.ndarray:
    """Ask a table of its own half of the time."""
    known = {row.tobytes(): y for row, y in zip(X, Y, strict=True)}
    answers = zip(np.asarray(cases), NearestCentroid.predict(rule, cases), strict=True)
    return np.array([known[row.tobytes()] if row[2] > 0 else answer for row, answer in answers])


FAULTY = [
    (Faulty(keep), Y, "E103", False),
    (Faulty(go_on), Y, "E103", True),
    (Faulty(answer=lambda rule, X: np.random.default_rng().choice(rule.classes_, len(X))), Y, "E104", False),
    (Faulty(write, lambda rule, X: NearestCentroid.predict(rule, X - 1.0)), Y, "E105", True),
    (Faulty(answer=write_when_asked), Y, "E105", True),
    (Faulty(answer=lambda rule, X: NearestCentroid.predict(rule, X - np.mean(X, axis=0))), Y, "E106", True),
    (Faulty(count_fits), Y, "E107", True),
    (Faulty(answer=know_half), Y, "E108", False),
    (Faulty(answer=lambda rule, X: np.full(len(X), 0.3)), Y, "E109", True),
    (Faulty(answer=lambda rule, X: np.resize(["a", "b", "c"], len(X))), THREE, "E109", False),
    (DummyClassifier(strategy="constant", constant="yes"), Y, "E101", False),
]


@pytest.mark.parametrize(("classifier", "y", "kind", "alone"), FAULTY)
def test_each_fault_is_detected_by_its_id(classifier: Any, y: np.ndarray, kind: str, alone: bool) -> None:
    KEPT.clear()
    result = check_classifier(classifier, X, y)
    assert kind in ids_of(result)
    if alone:
        assert set(ids_of(result)) == {kind}
    KEPT.clear()
    assert kind not in ids_of(check_classifier(classifier, X, y, ignore=kind))


SOUND = [
    NearestCentroid(),
    GaussianNB(),
    KNeighborsClassifier(1),
    DecisionTreeClassifier(),
    RandomForestClassifier(5),
    make_pipeline(StandardScaler(), SVC()),
    make_pipeline(StandardScaler(), LogisticRegression()),
    SGDClassifier(max_iter=50),
    DecisionTreeClassifier(max_depth=1, class_weight="balanced"),
]


@pytest.mark.parametrize("classifier", SOUND, ids=lambda c: type(c).__name__)
def test_nothing_is_detected_in_sound_classifiers(classifier: Any) -> None:
    for seed in range(2):
        for y in (Y, THREE):
            assert check_classifier(classifier, X, y, rng=seed) == ()
    assert check_classifier(classifier) == ()


def test_random_labels_and_rare_classes_are_no_fault() -> None:
    lots = RNG.permutation(Y)
    rare = np.array(["yes"] * 6 + ["no"] * 74)
    for classifier in (KNeighborsClassifier(1), DecisionTreeClassifier(), GaussianNB()):
        assert check_classifier(classifier, X, lots) == ()
        assert check_classifier(classifier, X, rare) == ()


def test_frames_with_text_are_taken_and_left_as_they_are() -> None:
    frame = pd.DataFrame({"size": X[:, 0], "colour": np.where(X[:, 1] > 0, "red", "blue")})
    before = frame.copy()
    encoder = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["colour"]), remainder="passthrough")
    assert check_classifier(make_pipeline(encoder, GaussianNB()), frame, Y) == ()
    assert check_classifier(GaussianNB(), frame, Y, encode=True) == ()
    assert frame.equals(before)


def test_a_classifier_that_cannot_be_trained_is_an_error() -> None:
    class Fails(NearestCentroid):
        def fit(self, X: Any, y: Any) -> Fails:
            raise ValueError("too few")

    assert_refused(r"cannot be trained on 40 of the cases \(ValueError: too few\)", check_classifier, Fails(), X, Y)
    assert_refused("no warning has this id", check_classifier, NearestCentroid(), X, Y, ignore="E900")


def test_learners_of_the_library_are_sound_and_inducers_of_one_s_own_are_refused() -> None:
    class Own(Spec):
        name = "own"
        fit = predict_resamples = predict_by_loop

    assert check_classifier("knn", X, Y) == check_classifier("naive-bayes") == ()
    assert_refused("nominal attribute 'colour'", check_classifier, "knn", pd.DataFrame({"colour": list("ab") * 40}), Y)
    assert_refused("'own' is an inducer; expected a scikit-learn classifier", check_classifier, Own(), X, Y)


def test_a_leak_that_the_battery_finds_makes_the_estimate_too_low() -> None:
    sound, leaking = (estimate(c, X, Y, rng=0) for c in (NearestCentroid(), Faulty(answer=know_half)))
    assert leaking.value < sound.value


def test_the_command_has_status_1_where_something_is_detected(tmp_path: Path, answer: Any) -> None:
    assert "nothing found" in answer(["check", "--model", "sklearn.naive_bayes.GaussianNB"]).out
    constant = ["check", "--model", "sklearn.dummy.DummyClassifier(strategy='constant', constant='yes')"]
    assert "(E101)" in answer(constant, 1).out
    answer([*constant, "--ignore", "E101"])
    pd.DataFrame(X, columns=list("abc")).assign(**{"class": Y}).to_csv(tmp_path / "data.csv", index=False)
    command = ["check", str(tmp_path / "data.csv"), "--model", "sklearn.tree.DecisionTreeClassifier", "--json"]
    assert answer(command).json["warnings"] == []


def test_the_list_of_warnings_is_printed(answer: Any) -> None:
    whole = answer(["warnings"]).out
    assert "E101  " in whole
    assert "E407  " in whole
    assert "pass `groups`" in answer(["warnings", "E203"]).out
    answer(["warnings", "E2"], 2)
