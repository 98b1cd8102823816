"""Every learner, estimator and interval passes its checks; a broken inducer is refused with the reason."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from batteries import check_estimator, check_interval
from errorest.conformance import check_inducer
from errorest.conformance.inducers import gives_probabilities, hard_samples
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators import ESTIMATORS
from errorest.estimation.intervals import INTERVALS
from errorest.inducers import C45, ID3, KNN, SVM, LinearDiscriminant, Majority, NaiveBayes, SklearnInducer, Threshold
from errorest.inducers.base import ConstantClassifier, predict_by_loop, predict_proba_by_loop
from errorest.inducers.id3 import Criterion

INDUCERS = [
    *(C45(), C45(release=7), C45(release=7, prune=False)),
    *(ID3(criterion) for criterion in get_args(Criterion)),
    *(ID3(criterion, "overall-majority", class_order=(2, 0, 1)) for criterion in ("gain", "gini")),
    *(KNN(k, ties) for k in (1, 2, 3, 5) for ties in ("nearest", "lowest-class")),
    *(KNN(k, metric=metric) for k in (3, 4) for metric in ("hamming", "mixed")),
    *(LinearDiscriminant(priors) for priors in ("equal", "sample")),
    LinearDiscriminant("sample", 0.01),
    *(LinearDiscriminant(degenerate_condition=0.1, degenerate_matrix=matrix) for matrix in ("total", "within")),
    Majority(),
    *(NaiveBayes(zero_counts=rule) for rule in ("half-case", "laplace", "zero")),
    *(NaiveBayes("laplace", "known"), NaiveBayes(denominator="known", sd_floor=0.5), NaiveBayes(var_smoothing=1e-9)),
    *(SVM(), SVM("linear", C=0.5), SVM(gamma=0.5, C=10, standardize="training"), SVM(vote="count")),
    SVM("linear", standardize="training", vote="count"),
    *(Threshold(rule) for rule in ("literal", "class-0-mean")),
    *(SklearnInducer(model) for model in (GaussianNB(), RandomForestClassifier(2))),
]


FEW = ("numbers", "repeated cases", "one class", "three classes", "missing categories")
"""What is enough for the adapter, which fits one row after another."""


@pytest.mark.parametrize("inducer", INDUCERS, ids=lambda inducer: inducer.id)
def test_every_inducer_passes(inducer: Any) -> None:
    samples = hard_samples()
    if isinstance(inducer, SklearnInducer):
        samples = {name: samples[name] for name in FEW}
    # an empty branch of ID3 may be labelled by another rule than that of its parent's cases, whose shares it gives
    follows = isinstance(inducer, C45 | KNN | LinearDiscriminant | NaiveBayes) or inducer == ID3(
        getattr(inducer, "criterion", "gain")
    )
    assert gives_probabilities(inducer) == (not isinstance(inducer, Majority | SVM | Threshold))
    taken = check_inducer(inducer, samples, argmax=follows)
    if isinstance(inducer, C45 | Majority | NaiveBayes | SklearnInducer):
        assert taken == tuple(samples)
    assert ("ties of one attribute" in taken) == (not isinstance(inducer, ID3 | SklearnInducer))


@dataclass
class Nearest:
    """The majority of three nearest neighbours in plain Python, to be broken."""

    id: Any = "nearest"
    wrong: str = ""
    count: itertools.count[int] = field(default_factory=itertools.count)

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Any:
        if self.wrong == "changes its id":
            self.id += "!"
        if self.wrong == "changes the sample":
            sample.X[0] += 1
        return Fitted(sample.X.copy(), sample.y, sample.n_classes, self.wrong, next(self.count))

    def predict_resamples(self, sample: Sample, resamples: Any, rng: np.random.Generator | None = None) -> np.ndarray:
        labels = predict_by_loop(self, sample, resamples, rng)
        match self.wrong:
            case "refuses in the batch":
                raise UsageError("no")
            case "leaves out repeats":
                return np.where(resamples.training_counts()[resamples.row_of_test()].max(axis=1) > 1, 0, labels)
            case "forgets the seed":
                return np.roll(labels, next(self.count))
            case "returns floats":
                return labels.astype(float)
            case "changes the resamples":
                resamples.cases[:] = 0
        return labels


@dataclass
class Fitted:
    X: np.ndarray
    y: np.ndarray
    classes: int
    wrong: str
    number: int

    def shares(self, X: np.ndarray) -> np.ndarray:
        near = np.argsort(((X[:, None] - self.X) ** 2).sum(axis=2), axis=1, kind="stable")[:, :3]
        return np.eye(self.classes)[self.y[near]].mean(axis=1)

    def predict(self, X: np.ndarray) -> np.ndarray:
        labels = self.shares(X).argmax(axis=1)
        match self.wrong:
            case "returns names":
                return np.array(["a", "b"])[labels]
            case "returns classes that are none":
                return labels + 1
            case "counts its fits":
                return (labels + self.number) % 2
            case "looks at the others":
                return np.full(X.shape[0], np.bincount(labels).argmax())
            case "labels against its probabilities":
                return 1 - labels
        return labels


@dataclass
class FittedShares(Fitted):
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
            case "averages over the others":
                output = (output + output.mean(axis=0)) / 2
            case "changes X":
                X += 1
            case "forgets a column":
                return output[:, :1]
            case "returns whole numbers":
                return output.round().astype(int)
        return output


@dataclass
class Shares(Nearest):
    """With probabilities."""

    argmax: bool = True

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Any:
        if np.ptp(sample.y) == 0:
            return ConstantClassifier(int(sample.y[0]))
        made = Fitted if self.wrong == "has labels alone" else FittedShares
        return made(sample.X.copy(), sample.y, sample.n_classes, self.wrong, 0)

    def predict_proba_resamples(
        self, sample: Sample, resamples: Any, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        output = predict_proba_by_loop(self, sample, resamples, rng)
        match self.wrong:
            case "refuses probabilities in the batch":
                raise UsageError("no")
            case "rounds in the batch":
                return np.where((output > 0) & (output < 1), np.nextafter(output, 0), output)
            case "takes rows for one another":
                return output[::-1]
            case "changes the resamples later":
                resamples.cases[:] = 0
            case "forgets a column in the batch":
                return output[:, :1]
        return output


@dataclass
class Stacked(Nearest):
    """With stacked methods that label differently."""

    def predict_stack(self, stack: Any, X: np.ndarray) -> np.ndarray:
        return np.zeros((stack.n_samples, X.shape[-2]), dtype=np.int64)

    def cross_validate_stack(self, stack: Any, folds: np.ndarray) -> np.ndarray:
        return np.zeros(folds.shape, dtype=np.int64)


@dataclass
class Drawing(Nearest):
    """Draws one generator for all rows, where each row has its own."""

    random: bool = True

    def predict_resamples(self, sample: Sample, resamples: Any, rng: np.random.Generator | None = None) -> np.ndarray:
        assert rng is not None
        return rng.integers(0, 2, resamples.cases.shape[0])


NUMBERS = ("numbers", "ties", "repeated cases")


def numbers() -> dict[str, Sample]:
    return {name: hard_samples()[name] for name in NUMBERS}


def test_plain_inducers_of_a_third_party_pass() -> None:
    assert check_inducer(Nearest(), numbers()) == check_inducer(Shares(), numbers()) == NUMBERS


@pytest.mark.parametrize(
    ("inducer", "message"),
    [
        (Nearest(id=3), "the id must be one line of text; got 3"),
        (Nearest(id="two\nlines"), "must be one line of text"),
        (Stacked(), "predict_stack differs from fit"),
        (Drawing(), "predict_resamples differs from one fit a row"),
        (GaussianNB(), "id"),
        *(
            (Nearest(wrong=wrong), message)
            for wrong, message in {
                "changes its id": "the id is 'nearest!+' after fitting",
                "changes the sample": "the inducer changes the sample",
                "refuses in the batch": "the batch method refuses a training set that fit takes",
                "leaves out repeats": "the bootstrap: predict_resamples differs from one fit a row",
                "forgets the seed": "predict_resamples differs from one fit a row",
                "returns floats": "must return int64 class numbers .* got float64",
                "changes the resamples": "the batch method changes its resamples",
                "returns names": r"predict must return int64 class numbers .* got <U1 \['",
                "returns classes that are none": "class numbers 0 to 1 of shape",
                "counts its fits": "two fits on the same sample give different labels",
                "looks at the others": "the labels of a case depend on the other cases|labels depend on the order",
            }.items()
        ),
        *(
            (Shares(wrong=wrong), message)
            for wrong, message in {
                "has labels alone": "has predict_proba_resamples, but its classifier has no predict_proba",
                "sums to more": "values below 0 or above 1|that do not sum to 1",
                "goes below 0": "values below 0 or above 1 for ",
                "has no number": "gives NaN for 1 of 24 cases",
                "draws for itself": "two fits on the same sample give different probabilities",
                "goes by the order": "probabilities depend on the order of the cases",
                "averages over the others": "the probabilities of a case depend on the other cases",
                "changes X": "predict_proba changes X",
                "forgets a column": r"got float64 of shape \(24, 1\)",
                "returns whole numbers": r"got int64 of shape \(24, 2\)",
                "labels against its probabilities": "labels are no class of the largest probability",
                "refuses probabilities in the batch": "the batch method refuses a training set that fit takes",
                "rounds in the batch": "predict_proba_resamples differs from one fit a row",
                "takes rows for one another": "predict_proba_resamples differs from one fit a row",
                "changes the resamples later": "the batch method changes its resamples",
                "forgets a column in the batch": r"predict_proba_resamples must return .* of shape \(\d+, 1\)",
            }.items()
        ),
    ],
    ids=lambda value: getattr(value, "wrong", "") or type(value).__name__,
)
def test_a_broken_inducer_is_refused_with_the_requirement_it_does_not_meet(inducer: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message) as error:
        check_inducer(inducer, numbers())
    assert "; " in str(error.value)


def test_labels_must_follow_probabilities_only_where_argmax_is_set() -> None:
    against = "labels against its probabilities"
    assert check_inducer(Shares(wrong=against, argmax=False), numbers()) == NUMBERS
    assert check_inducer(Shares(wrong=against), numbers(), argmax=False) == NUMBERS
    with pytest.raises(UsageError, match="largest probability"):
        check_inducer(Shares(wrong=against, argmax=False), numbers(), argmax=True)


def test_adapters_of_classifiers_without_probabilities_are_checked_for_labels_alone() -> None:
    few = {"numbers": hard_samples()["numbers"]}
    assert not gives_probabilities(SklearnInducer(SVC()))
    assert check_inducer(SklearnInducer(SVC()), few, argmax=True) == ("numbers",)


def test_an_inducer_that_takes_no_sample_is_refused() -> None:
    with pytest.raises(UsageError, match="refuses every sample"):
        check_inducer(Threshold(), numbers())


# estimators

ESTIMATES = [
    *(name for name in ESTIMATORS if ESTIMATORS[name]().cloning is None),
    *("cv(k=3, repeats=2, stratified=True)", "cv(k=n)", "cv(k=3, weights=folds)", "holdout(test=1/4, repeats=5)"),
    *("e0(replicates=20, per=replicate)", "632+(replicates=20, variant=truncated-632)", "bscv(k=3, replicates=20)"),
    *("bs(replicates=10, cloned=True)", "632+(replicates=10, per=nested, cloned=True)"),
]


@pytest.mark.parametrize("text", ESTIMATES)
def test_every_estimator_passes(text: str) -> None:
    check_estimator(ESTIMATORS.parse(text))


# intervals


@pytest.mark.parametrize(
    "text", [*INTERVALS, "632+(replicates=30)", "cv-wald(k=5, variance=within-fold)", "nested-cv(k=3, factor=package)"]
)
def test_every_interval_passes(text: str) -> None:
    check_interval(INTERVALS.parse(text))
