"""Every inducer passes its checks; a broken one is refused with the reason."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import ExtraTreeClassifier

from batteries import assert_refused
from compendium.methods.conformance import check_inducer, gives_probabilities, hard_samples
from compendium.methods.learners.id3 import ID3, Criterion
from compendium.methods.learners.sklearn_adapter import SklearnInducer
from compendium.methods.learners.svm import SVM
from compendium.methods.learners.threshold import Threshold
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.learners import C45, KNN, LinearDiscriminant, Majority, NaiveBayes
from errorest.learners.base import ConstantClassifier, predict_by_loop, predict_proba_by_loop
from errorest.learners.named import named

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
    *(SVM(gamma="scale", standardize=standardize, vote="count") for standardize in ("training", "none")),
    *(named(text) for text in ("knn", "knn(k=2, ties=lowest-class)", "knn(metric=mixed)")),
    *(SklearnInducer(model) for model in (GaussianNB(), ExtraTreeClassifier())),
]


FEW = ("numbers", "one class", "missing categories")
"""What is enough for the adapter, which fits one row after another."""


@pytest.mark.parametrize("inducer", INDUCERS, ids=lambda inducer: inducer.id)
def test_every_inducer_passes(inducer: Any) -> None:
    samples = hard_samples()
    if isinstance(inducer, SklearnInducer):
        samples = {name: samples[name].take(np.arange(12)) for name in FEW}
    # an empty branch of ID3 may be labelled by another rule than that of its parent's cases, whose shares it gives
    follows = isinstance(inducer, C45 | KNN | LinearDiscriminant | NaiveBayes) or inducer == ID3(
        getattr(inducer, "criterion", "gain")
    )
    assert gives_probabilities(inducer) == (not isinstance(inducer, Majority | SVM | Threshold))
    taken = check_inducer(inducer, samples, argmax=follows)
    if isinstance(inducer, C45 | Majority | NaiveBayes | SklearnInducer):
        assert taken == tuple(samples)
    assert ("ties of one attribute" in taken) == (not isinstance(inducer, ID3 | SklearnInducer))


def refuse(*_: Any) -> Any:
    raise UsageError("no")


@dataclass
class Nearest:
    """Three nearest neighbours in plain Python, to be broken: each field spoils what is answered there."""

    id: Any = "nearest"
    fitting: Callable[[Any, Sample], None] = lambda inducer, sample: None
    labels: Callable[..., Any] = lambda classifier, X, labels: labels
    batch: Callable[..., Any] = lambda inducer, resamples, labels: labels
    count: itertools.count[int] = field(default_factory=itertools.count)

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Any:
        self.fitting(self, sample)
        return Fitted(sample.X.copy(), sample.y, sample.n_classes, self, next(self.count))

    def predict_resamples(self, sample: Sample, resamples: Any, rng: np.random.Generator | None = None) -> np.ndarray:
        return self.batch(self, resamples, predict_by_loop(self, sample, resamples, rng))


@dataclass
class Fitted:
    X: np.ndarray
    y: np.ndarray
    classes: int
    rule: Any
    number: int

    def shares(self, X: np.ndarray) -> np.ndarray:
        near = np.argsort(((X[:, None] - self.X) ** 2).sum(axis=2), axis=1, kind="stable")[:, :3]
        return np.eye(self.classes)[self.y[near]].mean(axis=1)

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.rule.labels(self, X, self.shares(X).argmax(axis=1))


class FittedShares(Fitted):
    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return self.rule.shares(X, self.shares(X))


@dataclass
class Shares(Nearest):
    """With probabilities."""

    argmax: bool = True
    made: type = FittedShares
    shares: Callable[..., Any] = lambda X, shares: shares
    share_batch: Callable[..., Any] = lambda resamples, shares: shares

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Any:
        if np.ptp(sample.y) == 0:
            return ConstantClassifier(int(sample.y[0]))
        return self.made(sample.X.copy(), sample.y, sample.n_classes, self, 0)

    def predict_proba_resamples(
        self, sample: Sample, resamples: Any, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        return self.share_batch(resamples, predict_proba_by_loop(self, sample, resamples, rng))


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


def without_cases(resamples: Any, answers: np.ndarray) -> np.ndarray:
    resamples.cases[:] = 0
    return answers


def without_repeats(inducer: Any, resamples: Any, labels: np.ndarray) -> np.ndarray:
    return np.where(resamples.training_counts()[resamples.row_of_test()].max(axis=1) > 1, 0, labels)


def drawn(X: np.ndarray, shares: np.ndarray) -> np.ndarray:
    spread = np.abs(shares - 0.3 * np.random.default_rng().random(shares[:, :1].shape))
    return spread / spread.sum(axis=1, keepdims=True)


def by_order(X: np.ndarray, shares: np.ndarray) -> np.ndarray:
    weight = np.linspace(0, 0.2, X.shape[0])[:, None] if X.shape[0] > 1 else 0
    return (1 - weight) * shares + weight / 2


def spoil_cases(X: np.ndarray, shares: np.ndarray) -> np.ndarray:
    X += 1
    return shares


def against_shares(classifier: Any, X: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return 1 - labels


NUMBERS = ("numbers", "ties", "repeated cases")


def numbers() -> dict[str, Sample]:
    return {name: hard_samples()[name] for name in NUMBERS}


def test_plain_inducers_of_a_third_party_pass() -> None:
    assert check_inducer(Nearest(), numbers()) == check_inducer(Shares(), numbers()) == NUMBERS


BROKEN: list[tuple[Any, str]] = [
    (Nearest(id=3), "the id must be one line of text; got 3"),
    (Nearest(id="two\nlines"), "must be one line of text"),
    (Stacked(), "predict_stack differs from fit"),
    (Drawing(), "predict_resamples differs from one fit a row"),
    (GaussianNB(), "id"),
    (Nearest(fitting=lambda i, s: setattr(i, "id", f"{i.id}!")), "the id is 'nearest!+' after fitting"),
    (Nearest(fitting=lambda i, s: np.add(s.X[0], 1, out=s.X[0])), "the inducer changes the sample"),
    (Nearest(batch=refuse), "the batch method refuses a training set that fit takes"),
    (Nearest(batch=without_repeats), "the bootstrap: predict_resamples differs from one fit a row"),
    (Nearest(batch=lambda i, r, y: np.roll(y, next(i.count))), "predict_resamples differs from one fit a row"),
    (Nearest(batch=lambda i, r, y: y.astype(float)), "must return int64 class numbers .* got float64"),
    (Nearest(batch=lambda i, r, y: without_cases(r, y)), "the batch method changes its resamples"),
    (Nearest(labels=lambda c, X, y: np.array(["a", "b"])[y]), r"predict must return int64 .* got <U1 \['"),
    (Nearest(labels=lambda c, X, y: y + 1), "class numbers 0 to 1 of shape"),
    (Nearest(labels=lambda c, X, y: (y + c.number) % 2), "two fits on the same sample give different labels"),
    (Nearest(labels=lambda c, X, y: np.full_like(y, np.bincount(y).argmax())), "on the other cases|on the order"),
    (Shares(made=Fitted), "has predict_proba_resamples, but its classifier has no predict_proba"),
    (Shares(shares=lambda X, p: p * 1.01), "values below 0 or above 1|that do not sum to 1"),
    (Shares(shares=lambda X, p: p + [[-0.1, 0.1]] * np.sign(p[:, :1] * p[:, 1:] - 0.2)), "below 0 or above 1 for "),
    (Shares(shares=lambda X, p: np.where(np.arange(len(p))[:, None] == 0, np.nan, p)), "gives NaN for 1 of 24 cases"),
    (Shares(shares=drawn), "two fits on the same sample give different probabilities"),
    (Shares(shares=by_order), "probabilities depend on the order of the cases"),
    (Shares(shares=lambda X, p: (p + p.mean(axis=0)) / 2), "the probabilities of a case depend on the other cases"),
    (Shares(shares=spoil_cases), "predict_proba changes X"),
    (Shares(shares=lambda X, p: p[:, :1]), r"got float64 of shape \(24, 1\)"),
    (Shares(shares=lambda X, p: p.round().astype(int)), r"got int64 of shape \(24, 2\)"),
    (Shares(labels=against_shares), "labels are no class of the largest probability"),
    (Shares(share_batch=refuse), "the batch method refuses a training set that fit takes"),
    (Shares(share_batch=lambda r, p: np.where((p > 0) & (p < 1), np.nextafter(p, 0), p)), "differs from one fit a row"),
    (Shares(share_batch=lambda r, p: p[::-1]), "predict_proba_resamples differs from one fit a row"),
    (Shares(share_batch=without_cases), "the batch method changes its resamples"),
    (Shares(share_batch=lambda r, p: p[:, :1]), r"predict_proba_resamples must return .* of shape \(\d+, 1\)"),
]


@pytest.mark.parametrize(("inducer", "message"), BROKEN, ids=lambda value: type(value).__name__)
def test_a_broken_inducer_is_refused_with_the_requirement_it_does_not_meet(inducer: Any, message: str) -> None:
    assert_refused(message, check_inducer, inducer, numbers())


def test_labels_must_follow_probabilities_only_where_argmax_is_set() -> None:
    free = Shares(labels=against_shares, argmax=False)
    assert check_inducer(free, numbers()) == NUMBERS
    assert check_inducer(Shares(labels=against_shares), numbers(), argmax=False) == NUMBERS
    assert_refused("largest probability", check_inducer, free, numbers(), argmax=True)


def test_adapters_of_classifiers_without_probabilities_are_checked_for_labels_alone() -> None:
    few = {"numbers": hard_samples()["numbers"]}
    assert not gives_probabilities(SklearnInducer(SVC()))
    assert check_inducer(SklearnInducer(SVC()), few, argmax=True) == ("numbers",)


def test_an_inducer_that_takes_no_sample_is_refused() -> None:
    assert_refused("refuses every sample", check_inducer, Threshold(), numbers())
