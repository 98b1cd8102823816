"""check_classifier finds each fault by its id, and nothing in sound classifiers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from batteries import assert_refused
from errorest import check_classifier, estimate
from errorest.assessment.caution import kinds_of
from errorest.cli.main import main

RNG = np.random.default_rng(8)
X = RNG.normal(size=(80, 3))
Y = np.where(X[:, 0] + 0.7 * RNG.normal(size=80) > 0, "yes", "no")
THREE = np.array(["a", "b", "c"])[np.digitize(X[:, 1] + RNG.normal(size=80), [-0.5, 0.5])]
KEPT: list[int] = []


class Rule(ClassifierMixin, BaseEstimator):
    """A nearest mean: sound, and the base of what is not."""

    def __init__(self, setting: float = 0.0) -> None:
        self.setting = setting

    def fit(self, X: Any, y: Any) -> Rule:
        self.classes_ = np.unique(y)
        self.means_ = np.array([np.asarray(X)[np.asarray(y) == c].mean(axis=0) for c in self.classes_])
        return self

    def predict(self, X: Any) -> np.ndarray:
        d = ((np.asarray(X)[:, None, :] - self.means_[None]) ** 2).sum(axis=2)
        return self.classes_[d.argmin(axis=1)]


class Keeps(Rule):
    def fit(self, X: Any, y: Any) -> Keeps:
        super().fit(X, y)
        KEPT.append(hash(np.asarray(X).tobytes()))
        if len(set(KEPT[-2:])) > 1:
            self.means_ = self.means_[::-1]
        return self


class Grows(Rule):
    """Refitted, it goes on from where it was: what warm starts do."""

    def fit(self, X: Any, y: Any) -> Grows:
        before = getattr(self, "means_", None)
        super().fit(X, y)
        if before is not None:
            self.means_ = before[::-1]
        return self


class Tosses(Rule):
    def predict(self, X: Any) -> np.ndarray:
        return self.classes_[np.random.default_rng().integers(0, len(self.classes_), len(X))]


class Writes(Rule):
    def fit(self, X: Any, y: Any) -> Writes:
        super().fit(X, y)
        X -= 1.0
        self.means_ = self.means_ - 1.0
        return self

    def predict(self, X: Any) -> np.ndarray:
        return super().predict(X - 1.0)


class WritesWhenAsked(Rule):
    def predict(self, X: Any) -> np.ndarray:
        result = super().predict(X)
        X *= 2.0
        return result


class Centres(Rule):
    def predict(self, X: Any) -> np.ndarray:
        return super().predict(X - np.mean(X, axis=0))


class Sets(Rule):
    def fit(self, X: Any, y: Any) -> Sets:
        self.setting += 1.0
        super().fit(X, y)
        return self


class Knows(Rule):
    """Asks a table of its own half of the time."""

    def predict(self, X: Any) -> np.ndarray:
        answers = super().predict(X)
        known = {row.tobytes(): y for row, y in zip(globals()["X"], Y, strict=True)}
        for i, row in enumerate(np.asarray(X)):
            if row[2] > 0:
                answers[i] = known[row.tobytes()]
        return answers


class Scores(Rule):
    def predict(self, X: Any) -> np.ndarray:
        return np.full(len(X), 0.3)


class Imagines(Rule):
    def predict(self, X: Any) -> np.ndarray:
        return np.array(["a", "b", "c"] * len(X), dtype=object)[: len(X)]


FAULTY = [
    (Keeps(), Y, "E103"),
    (Grows(), Y, "E103"),
    (Tosses(), Y, "E104"),
    (Writes(), Y, "E105"),
    (WritesWhenAsked(), Y, "E105"),
    (Centres(), Y, "E106"),
    (Sets(), Y, "E107"),
    (Knows(), Y, "E108"),
    (Scores(), Y, "E109"),
    (Imagines(), THREE, "E109"),
    (DummyClassifier(strategy="constant", constant="yes"), Y, "E101"),
]


@pytest.mark.parametrize(("classifier", "y", "kind"), FAULTY, ids=lambda v: type(v).__name__)
def test_each_fault_is_detected_by_its_id(classifier: Any, y: np.ndarray, kind: str) -> None:
    KEPT.clear()
    result = check_classifier(classifier, X, y)
    assert kind in kinds_of(result)
    if type(classifier).__name__ in ("Writes", "WritesWhenAsked", "Centres", "Sets", "Grows", "Scores"):
        assert set(kinds_of(result)) == {kind}
    KEPT.clear()
    assert kind not in kinds_of(check_classifier(classifier, X, y, ignore=kind))


SOUND = [
    Rule(),
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
@pytest.mark.parametrize("y", [Y, THREE], ids=["two classes", "three classes"])
def test_nothing_is_detected_in_sound_classifiers(classifier: Any, y: np.ndarray) -> None:
    for seed in range(3):
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


def test_names_of_ours_pass_the_battery_of_inducers() -> None:
    assert check_classifier("knn") == ()
    assert check_classifier("naive-bayes", X, Y) == ()


def test_a_classifier_that_cannot_be_trained_is_an_error() -> None:
    class Fails(Rule):
        def fit(self, X: Any, y: Any) -> Fails:
            raise ValueError("too few")

    assert_refused(r"cannot be trained on 40 of the cases \(ValueError: too few\)", check_classifier, Fails(), X, Y)
    assert_refused("there is none", check_classifier, Rule(), X, Y, ignore="E900")


def test_a_leak_that_the_battery_finds_makes_the_estimate_too_low() -> None:
    sound, leaking = (estimate(c, X, Y, rng=0) for c in (Rule(), Knows()))
    assert leaking.estimate < sound.estimate


def test_the_command_has_status_1_where_something_is_detected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--model", "sklearn.naive_bayes.GaussianNB"]) == 0
    assert "nothing found" in capsys.readouterr().out
    constant = "sklearn.dummy.DummyClassifier(strategy='constant', constant='yes')"
    assert main(["check", "--model", constant]) == 1
    assert "(E101)" in capsys.readouterr().out
    assert main(["check", "--model", constant, "--ignore", "E101"]) == 0
    file = tmp_path / "data.csv"
    file.write_text("a,b,c,class\n" + "".join(f"{r[0]},{r[1]},{r[2]},{y}\n" for r, y in zip(X, Y, strict=True)))
    capsys.readouterr()
    assert main(["check", str(file), "--model", "sklearn.tree.DecisionTreeClassifier", "--json"]) == 0
    assert '"cautions": []' in capsys.readouterr().out


def test_the_list_of_cautions_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cautions"]) == 0
    whole = capsys.readouterr().out
    assert "E101  " in whole
    assert "E407  " in whole
    assert main(["cautions", "E203"]) == 0
    assert "pass `groups`" in capsys.readouterr().out
    assert main(["cautions", "E2"]) == 2
