"""The battery on probabilities: each way of breaking them is told by its name; ours pass in the tests of labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from errorest.conformance import check_inducer
from errorest.conformance.inducers import hard_samples
from errorest.conformance.probabilities import tells_probabilities
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.inducers import SVM, Majority, SklearnInducer, Threshold
from errorest.inducers.base import ConstantClassifier, predict_by_loop, predict_proba_by_loop


def test_those_who_tell_labels_alone_are_asked_for_nothing_more() -> None:
    for inducer in (Threshold(), Majority(), SVM(), SklearnInducer(SVC())):
        assert not tells_probabilities(inducer)
    few = {"numbers": hard_samples()["numbers"]}
    assert check_inducer(SklearnInducer(SVC()), few, argmax=True) == ("numbers",)
    for model in (LogisticRegression(), RandomForestClassifier(2)):
        assert tells_probabilities(SklearnInducer(model))
        assert check_inducer(SklearnInducer(model), few) == ("numbers",)


@dataclass
class Shares:
    """Class shares of the three nearest cases in plain Python, to be broken."""

    id: str = "shares"
    wrong: str = ""
    argmax: bool = True

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Any:
        if np.ptp(sample.y) == 0:
            return ConstantClassifier(int(sample.y[0]))
        if self.wrong == "has labels alone":
            return LabelsAlone(Told(sample, ""))
        return Told(sample, self.wrong)

    def predict_resamples(self, sample: Sample, resamples: Any, rng: np.random.Generator | None = None) -> np.ndarray:
        return predict_by_loop(self, sample, resamples, rng)

    def predict_proba_resamples(
        self, sample: Sample, resamples: Any, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        if self.wrong == "refuses with one face":
            raise UsageError("no")
        said = predict_proba_by_loop(self, sample, resamples, rng)
        if self.wrong == "rounds in the batch":
            return np.where((said > 0) & (said < 1), np.nextafter(said, 0), said)
        if self.wrong == "takes rows for one another":
            return said[::-1]
        if self.wrong == "changes the resamples":
            resamples.cases[:] = 0
        if self.wrong == "forgets a column in the batch":
            return said[:, :1]
        return said


@dataclass
class Told:
    sample: Sample
    wrong: str

    def predict(self, X: np.ndarray) -> np.ndarray:
        labels = self.shares(X).argmax(axis=1)
        return 1 - labels if self.wrong == "labels against its word" else labels

    def shares(self, X: np.ndarray) -> np.ndarray:
        near = np.argsort(((X[:, None] - self.sample.X) ** 2).sum(axis=2), axis=1, kind="stable")[:, :3]
        return np.eye(self.sample.n_classes)[self.sample.y[near]].mean(axis=1)

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        said = self.shares(X)
        match self.wrong:
            case "sums to more":
                said = said * 1.01
            case "goes below 0":
                said = said + [[-0.1, 0.1]] * np.sign(said[:, :1] * said[:, 1:] - 0.2)
            case "has no number":
                said[0] = np.nan
            case "draws for itself":
                said = np.abs(said - 0.3 * np.random.default_rng().random(said[:, :1].shape))
                said = said / said.sum(axis=1, keepdims=True)
            case "goes by the order":
                weight = np.linspace(0, 0.2, X.shape[0])[:, None] if X.shape[0] > 1 else 0
                said = (1 - weight) * said + weight / 2
            case "looks at the others":
                said = (said + said.mean(axis=0)) / 2
            case "changes X":
                X += 1
            case "forgets a column":
                return said[:, :1]
            case "returns whole numbers":
                return said.round().astype(int)
        return said


@dataclass
class LabelsAlone:
    told: Told

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.told.predict(X)


NUMBERS = {name: hard_samples()[name] for name in ("numbers", "repeated cases")}


def test_an_inducer_of_a_third_party_passes() -> None:
    assert check_inducer(Shares(), NUMBERS) == tuple(NUMBERS)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("has labels alone", "its classifier has no predict_proba; expected both or neither"),
        ("sums to more", "numbers below 0 or above 1|that do not sum to 1"),
        ("goes below 0", "numbers below 0 or above 1 of "),
        ("has no number", "tells NaN of 1 of 24 cases"),
        ("draws for itself", "two fits on the same sample tell other probabilities"),
        ("goes by the order", "the same cases in another order have other probabilities"),
        ("looks at the others", "a case alone has other probabilities than among others"),
        ("changes X", "predict_proba changed X; expected that inputs stay"),
        ("forgets a column", r"returned float64 values of shape \(24, 1\)"),
        ("returns whole numbers", r"returned int64 values of shape \(24, 2\)"),
        ("labels against its word", "it claims argmax, and "),
        ("refuses with one face", "one face refuses a training set and the other tells its probabilities"),
        ("rounds in the batch", "predict_proba_resamples tells otherwise than one fit a row .* expected equal bits"),
        ("takes rows for one another", "predict_proba_resamples tells otherwise than one fit a row"),
        ("changes the resamples", "the resamples are others now"),
        ("forgets a column in the batch", r"predict_proba_resamples returned float64 values of shape \(\d+, 1\)"),
    ],
)
def test_broken_probabilities_are_told_by_name(wrong: str, told: str) -> None:
    samples = {name: hard_samples()[name] for name in NUMBERS}
    with pytest.raises(UsageError, match=told) as error:
        check_inducer(Shares(wrong=wrong), samples)
    assert len(str(error.value).split("; ")) >= 3


def test_labels_are_held_to_probabilities_only_where_that_is_claimed_or_asked() -> None:
    samples = {name: hard_samples()[name] for name in NUMBERS}
    assert check_inducer(Shares(wrong="labels against its word", argmax=False), samples) == tuple(NUMBERS)
    with pytest.raises(UsageError, match="claims argmax"):
        check_inducer(Shares(wrong="labels against its word", argmax=False), samples, argmax=True)
    assert check_inducer(Shares(wrong="labels against its word"), samples, argmax=False) == tuple(NUMBERS)
