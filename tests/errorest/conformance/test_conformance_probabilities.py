"""Checks of probabilities: each fault is found; the library's own learners are checked with their labels."""

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
from errorest.conformance.probabilities import gives_probabilities
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.inducers import SVM, Majority, SklearnInducer, Threshold
from errorest.inducers.base import ConstantClassifier, predict_by_loop, predict_proba_by_loop


def test_learners_without_probabilities_are_checked_for_labels_alone() -> None:
    for inducer in (Threshold(), Majority(), SVM(), SklearnInducer(SVC())):
        assert not gives_probabilities(inducer)
    few = {"numbers": hard_samples()["numbers"]}
    assert check_inducer(SklearnInducer(SVC()), few, argmax=True) == ("numbers",)
    for model in (LogisticRegression(), RandomForestClassifier(2)):
        assert gives_probabilities(SklearnInducer(model))
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
            return LabelsAlone(Fitted(sample, ""))
        return Fitted(sample, self.wrong)

    def predict_resamples(self, sample: Sample, resamples: Any, rng: np.random.Generator | None = None) -> np.ndarray:
        return predict_by_loop(self, sample, resamples, rng)

    def predict_proba_resamples(
        self, sample: Sample, resamples: Any, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        if self.wrong == "refuses in the batch":
            raise UsageError("no")
        output = predict_proba_by_loop(self, sample, resamples, rng)
        if self.wrong == "rounds in the batch":
            return np.where((output > 0) & (output < 1), np.nextafter(output, 0), output)
        if self.wrong == "takes rows for one another":
            return output[::-1]
        if self.wrong == "changes the resamples":
            resamples.cases[:] = 0
        if self.wrong == "forgets a column in the batch":
            return output[:, :1]
        return output


@dataclass
class Fitted:
    sample: Sample
    wrong: str

    def predict(self, X: np.ndarray) -> np.ndarray:
        labels = self.shares(X).argmax(axis=1)
        return 1 - labels if self.wrong == "labels against its probabilities" else labels

    def shares(self, X: np.ndarray) -> np.ndarray:
        near = np.argsort(((X[:, None] - self.sample.X) ** 2).sum(axis=2), axis=1, kind="stable")[:, :3]
        return np.eye(self.sample.n_classes)[self.sample.y[near]].mean(axis=1)

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        output = self.shares(X)
        match self.wrong:
            case "sums to more":
                output = output * 1.01
            case "goes below 0":
                output = output + [[-0.1, 0.1]] * np.sign(output[:, :1] * output[:, 1:] - 0.2)
            case "has no number":
                output[0] = np.nan
            case "draws for itself":
                output = np.abs(output - 0.3 * np.random.default_rng().random(output[:, :1].shape))
                output = output / output.sum(axis=1, keepdims=True)
            case "goes by the order":
                weight = np.linspace(0, 0.2, X.shape[0])[:, None] if X.shape[0] > 1 else 0
                output = (1 - weight) * output + weight / 2
            case "looks at the others":
                output = (output + output.mean(axis=0)) / 2
            case "changes X":
                X += 1
            case "forgets a column":
                return output[:, :1]
            case "returns whole numbers":
                return output.round().astype(int)
        return output


@dataclass
class LabelsAlone:
    fitted: Fitted

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.fitted.predict(X)


NUMBERS = {name: hard_samples()[name] for name in ("numbers", "repeated cases")}


def test_an_inducer_of_a_third_party_passes() -> None:
    assert check_inducer(Shares(), NUMBERS) == tuple(NUMBERS)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("has labels alone", "has predict_proba_resamples, but its classifier has no predict_proba"),
        ("sums to more", "values below 0 or above 1|that do not sum to 1"),
        ("goes below 0", "values below 0 or above 1 for "),
        ("has no number", "gives NaN for 1 of 24 cases"),
        ("draws for itself", "two fits on the same sample give different probabilities"),
        ("goes by the order", "probabilities depend on the order of the cases"),
        ("looks at the others", "the probabilities of a case depend on the other cases"),
        ("changes X", "predict_proba changes X"),
        ("forgets a column", r"got float64 of shape \(24, 1\)"),
        ("returns whole numbers", r"got int64 of shape \(24, 2\)"),
        ("labels against its probabilities", "labels are no class of the largest probability"),
        ("refuses in the batch", "the batch method refuses a training set that fit takes"),
        ("rounds in the batch", "predict_proba_resamples differs from one fit a row"),
        ("takes rows for one another", "predict_proba_resamples differs from one fit a row"),
        ("changes the resamples", "the batch method changes its resamples"),
        ("forgets a column in the batch", r"predict_proba_resamples must return .* got float64 of shape \(\d+, 1\)"),
    ],
)
def test_faults_of_probabilities_are_detected(wrong: str, message: str) -> None:
    samples = {name: hard_samples()[name] for name in NUMBERS}
    with pytest.raises(UsageError, match=message) as error:
        check_inducer(Shares(wrong=wrong), samples)
    assert "; " in str(error.value)


def test_labels_must_follow_probabilities_only_where_argmax_is_set() -> None:
    samples = {name: hard_samples()[name] for name in NUMBERS}
    assert check_inducer(Shares(wrong="labels against its probabilities", argmax=False), samples) == tuple(NUMBERS)
    with pytest.raises(UsageError, match="largest probability"):
        check_inducer(Shares(wrong="labels against its probabilities", argmax=False), samples, argmax=True)
    assert check_inducer(Shares(wrong="labels against its probabilities"), samples, argmax=False) == tuple(NUMBERS)
