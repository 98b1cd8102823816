"""Every learner, estimator and interval passes its checks; a broken inducer is refused with the reason."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

from batteries import check_estimator, check_interval
from errorest.conformance import check_inducer
from errorest.conformance.inducers import hard_samples
from errorest.conformance.probabilities import gives_probabilities
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators import ESTIMATORS
from errorest.estimation.intervals import INTERVALS
from errorest.inducers import C45, ID3, KNN, SVM, LinearDiscriminant, Majority, NaiveBayes, SklearnInducer, Threshold
from errorest.inducers.base import predict_by_loop
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
    """One nearest neighbour in plain Python, to be broken."""

    id: Any = "nearest"
    wrong: str = ""
    count: itertools.count[int] = field(default_factory=itertools.count)

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Any:
        if self.wrong == "changes its id":
            self.id += "!"
        if self.wrong == "changes the sample":
            sample.X[0] += 1
        return Fitted(sample.X.copy(), sample.y, self.wrong, next(self.count))

    def predict_resamples(self, sample: Sample, resamples: Any, rng: np.random.Generator | None = None) -> np.ndarray:
        if self.wrong == "refuses in the batch":
            raise UsageError("no")
        if self.wrong == "leaves out repeats":
            labels = predict_by_loop(self, sample, resamples, rng)
            return np.where(resamples.training_counts()[resamples.row_of_test()].max(axis=1) > 1, 0, labels)
        labels = predict_by_loop(self, sample, resamples, rng)
        if self.wrong == "forgets the seed":
            labels = np.roll(labels, next(self.count))
        if self.wrong == "returns floats":
            return labels.astype(float)
        if self.wrong == "changes the resamples":
            resamples.cases[:] = 0
        return labels


@dataclass
class Fitted:
    X: np.ndarray
    y: np.ndarray
    wrong: str
    number: int

    def predict(self, X: np.ndarray) -> np.ndarray:
        labels = self.y[((X[:, None] - self.X) ** 2).sum(axis=2).argmin(axis=1)]
        if self.wrong == "returns names":
            return np.array(["a", "b"])[labels]
        if self.wrong == "returns classes that are none":
            return labels + 1
        if self.wrong == "counts its fits":
            return (labels + self.number) % 2
        if self.wrong == "looks at the others":
            return np.full(X.shape[0], np.bincount(labels).argmax())
        return labels


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


NUMBERS = {name: hard_samples()[name] for name in ("numbers", "ties", "repeated cases")}


def test_a_plain_inducer_of_a_third_party_passes() -> None:
    assert check_inducer(Nearest(), NUMBERS) == tuple(NUMBERS)


@pytest.mark.parametrize(
    ("inducer", "message"),
    [
        (Nearest(id=3), "the id must be one line of text; got 3"),
        (Nearest(id="two\nlines"), "must be one line of text"),
        (Nearest(wrong="changes its id"), "the id is 'nearest!+' after fitting"),
        (Nearest(wrong="changes the sample"), "the inducer changes the sample"),
        (Nearest(wrong="refuses in the batch"), "the batch method refuses a training set that fit takes"),
        (Nearest(wrong="leaves out repeats"), "the bootstrap: predict_resamples differs from one fit a row"),
        (Nearest(wrong="forgets the seed"), "predict_resamples differs from one fit a row"),
        (Nearest(wrong="returns floats"), "must return int64 class numbers .* got float64"),
        (Nearest(wrong="changes the resamples"), "the batch method changes its resamples"),
        (Nearest(wrong="returns names"), r"predict must return class numbers .* got \['"),
        (Nearest(wrong="returns classes that are none"), "class numbers 0 to 1 of shape"),
        (Nearest(wrong="counts its fits"), "two fits on the same sample differ"),
        (Nearest(wrong="looks at the others"), "the label of a case depends on the other cases"),
        (Stacked(), "predict_stack differs from fit"),
        (Drawing(), "predict_resamples differs from one fit a row"),
        (GaussianNB(), "id"),
    ],
    ids=lambda value: getattr(value, "wrong", "") or type(value).__name__,
)
def test_a_broken_inducer_is_refused_with_the_requirement_it_does_not_meet(inducer: Any, message: str) -> None:
    samples = {name: hard_samples()[name] for name in NUMBERS}
    with pytest.raises(UsageError, match=message) as error:
        check_inducer(inducer, samples)
    assert "; " in str(error.value)


def test_an_inducer_that_takes_no_sample_is_refused() -> None:
    with pytest.raises(UsageError, match="refuses every sample"):
        check_inducer(Threshold(), NUMBERS)


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
