"""The protocols and base classes of inducers, the checks of what they are given, the loops that every batch equals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np

from errorest.compiled import inner
from errorest.counting import repeat_each
from errorest.data.sample import Attribute, Sample, SampleStack
from errorest.errors import UsageError
from errorest.resampling.multisets import Resamples
from errorest.spec import Spec

NO_FOLDS = np.empty((0, 0), dtype=np.int32)
"""No folds: other cases are labelled."""


def check_numeric(
    attributes: tuple[Attribute, ...], who: str, lacks: str, remedy: str = "choose another inducer"
) -> None:
    """Refuse nominal attributes, for one that computes with numbers."""
    for attribute in attributes:
        if attribute.kind == "nominal":
            raise UsageError(
                f"{who} was given the nominal attribute '{attribute.name}', which has no {lacks}; "
                f"expected continuous or integer attributes; leave it out, or {remedy}"
            )


def check_values(X: np.ndarray, attributes: tuple[Attribute, ...], who: str) -> None:
    """Refuse missing training values, shape (..., d)."""
    # one sum is much faster than a test of each value, and NaN where a value is missing
    if not np.isnan(X.sum()):
        return
    missing = np.isnan(X).sum(axis=tuple(range(X.ndim - 1)))
    if missing.any():
        j = int(np.nonzero(missing)[0][0])
        raise UsageError(
            f"{who} was given {missing[j]} missing value(s) of attribute '{attributes[j].name}'; expected none; fill "
            "them, remove those cases, or choose another inducer"
        )


def cases_to_label(X: np.ndarray, d: int, who: str, *, stacked: bool = False, missing: bool = False) -> np.ndarray:
    """Return cases to label as a contiguous array, or refuse them; ``missing`` values only where these are allowed."""
    values = np.ascontiguousarray(X, dtype=np.float64)
    gaps = 0 if missing else int(np.isnan(values).sum())
    if values.ndim not in ((2, 3) if stacked else (2,)) or values.shape[-1] != d or gaps:
        raise UsageError(
            f"{who} was given cases of shape {values.shape}{'' if missing else f' with {gaps} missing value(s)'} to "
            f"label; expected (m, {d}){'' if missing else ' and none missing'}; give one column for each attribute of "
            "the training set"
        )
    return values


@inner
def normalize(p, most):  # type: ignore[no-untyped-def]
    """Turn log scores, of which ``most`` is the largest, into probabilities in place."""
    # exp(s_c - max) / sum of exp(s_j - max): the largest term is 1, so that nothing overflows
    total = 0.0
    for c in range(p.shape[0]):
        p[c] = exp(p[c] - most)
        total += p[c]
    for c in range(p.shape[0]):
        p[c] /= total


def empty_training_set(who: str, where: str) -> UsageError:
    """Return the error for a training set without cases."""
    return UsageError(f"{who} was given a training set without cases: {where} has none; expected at least one case")


class Fitted(ABC):
    """A fitted classifier with one compiled function that writes labels or class probabilities."""

    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]

    takes_missing: ClassVar[bool] = True

    @abstractmethod
    def _answer(self, values: np.ndarray, labels: np.ndarray, probabilities: np.ndarray) -> None:
        """Write the labels of cases, or where ``probabilities``, shape (0 or m, K), has rows these."""

    @property
    def _who(self) -> str:
        return "the tree"

    @property
    def _size(self) -> tuple[int, int]:
        return len(self.attributes), len(self.classes)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases; X has shape (m, d), the result is int of shape (m,)."""
        d, classes = self._size
        values = self._checked(X, d)
        labels = np.empty(values.shape[0], dtype=np.int64)
        self._answer(values, labels, np.empty((0, classes)))
        return labels

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Return the probability of every class, shape (m, K)."""
        d, classes = self._size
        values = self._checked(X, d)
        probabilities = np.empty((values.shape[0], classes))
        self._answer(values, np.empty(0, dtype=np.int64), probabilities)
        return probabilities

    def _checked(self, X: np.ndarray, d: int) -> np.ndarray:
        values = cases_to_label(X, d, self._who, missing=self.takes_missing)
        # a read-only array would make all be compiled again
        return values if values.flags.writeable else values.copy()


class RowLearner(Spec):
    """A learner with one compiled loop over the rows of resamples."""

    @abstractmethod
    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Classifier:
        """Make a classifier from all cases of a sample."""

    @abstractmethod
    def _answer(self, sample: Sample, resamples: Resamples, labels: np.ndarray, probabilities: np.ndarray) -> int:
        """Write the labels of the tested cases, or where ``probabilities``, shape (0 or T, K), has rows these.

        Return the first tested row without training cases, or -1.
        """

    @property
    def _who(self) -> str:
        return self.id

    def _answers(self, sample: Sample, resamples: Resamples, labels: np.ndarray, probabilities: np.ndarray) -> None:
        row = self._answer(sample, resamples, labels, probabilities)
        if row >= 0:
            raise empty_training_set(self._who, f"row {row} of the resamples")

    def predict_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Label the tested cases of every row; int64 array aligned with ``resamples.cases``."""
        labels = np.empty(resamples.cases.shape[0], dtype=np.int64)
        self._answers(sample, resamples, labels, np.empty((0, sample.n_classes)))
        return labels


class ProbabilityLearner(RowLearner):
    """A learner whose loop writes class probabilities too."""

    def predict_proba_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Return the class probabilities of the tested cases of every row; float array, shape (T, K)."""
        probabilities = np.empty((resamples.cases.shape[0], sample.n_classes))
        self._answers(sample, resamples, np.empty(0, dtype=np.int64), probabilities)
        return probabilities


class StackLearner(RowLearner):
    """A learner with a compiled loop over the samples of a stack."""

    @abstractmethod
    def _label_samples(self, stack: SampleStack, tested: np.ndarray, folds: np.ndarray, labels: np.ndarray) -> int:
        """Label ``tested``, shape (S or 1, m, d), or where ``folds`` has rows the samples' cases out of their folds.

        Return a sample whose cases are all in one fold, or -1.
        """

    def _labels(self, stack: SampleStack, tested: np.ndarray, folds: np.ndarray, cases: int) -> np.ndarray:
        if stack.n == 0:
            raise empty_training_set(self._who, "each sample of the stack")
        labels = np.empty((stack.n_samples, cases), dtype=np.int64)
        s = self._label_samples(stack, tested, folds, labels)
        if s >= 0:
            raise empty_training_set(self._who, f"sample {s} of the stack, without a fold,")
        return labels

    def predict_stack(self, stack: SampleStack, X: np.ndarray) -> np.ndarray:
        """Label cases, shape (m, d) or (S, m, d), by the classifier of each sample; int64 array, shape (S, m)."""
        tested = cases_to_label(X, stack.X.shape[2], self._who, stacked=True)
        tested = tested[None] if tested.ndim == 2 else tested
        if tested.shape[0] not in (1, stack.n_samples):
            raise UsageError(
                f"{self.id} was given cases for {tested.shape[0]} samples and {stack.n_samples} samples; "
                "expected cases of shape (m, d), or (S, m, d) with one block a sample"
            )
        return self._labels(stack, tested, NO_FOLDS, tested.shape[1])

    def cross_validate_stack(self, stack: SampleStack, folds: np.ndarray) -> np.ndarray:
        """Label each sample's cases by the classifier of its other folds; folds and labels have shape (S, n)."""
        numbers = np.asarray(folds)
        if numbers.shape != stack.y.shape:
            raise UsageError(
                f"{self.id} was given folds of shape {numbers.shape} for {stack.n_samples} samples of {stack.n} "
                f"cases; expected shape {stack.y.shape}"
            )
        if numbers.size and (numbers.min() < 0 or numbers.max() >= stack.n):
            numbers = np.unique(numbers, return_inverse=True)[1].reshape(numbers.shape)
        tested = np.empty((0, 0, stack.X.shape[2]))
        return self._labels(stack, tested, np.ascontiguousarray(numbers, dtype=np.int32), stack.n)


class Classifier(Protocol):
    """What ``fit`` returns."""

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases; X has shape (m, d), the result is int of shape (m,)."""
        ...


@dataclass(frozen=True)
class ConstantClassifier:
    """Predict one class always.

    Parameters
    ----------
    label : int
        Class number.

    Examples
    --------
    >>> ConstantClassifier(1).predict(np.zeros((2, 1))).tolist()
    [1, 1]
    """

    label: int

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases; X has shape (m, d)."""
        return np.full(np.shape(X)[0], self.label, dtype=np.int64)


@runtime_checkable
class Inducer(Protocol):
    """A learning algorithm with its settings."""

    @property
    def id(self) -> str:
        """Unambiguous name with settings, such as ``knn(k=3)``."""
        ...

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Classifier:
        """Make a classifier from all cases of a sample (repeated cases are listed as often).

        ``rng`` serves inducers that draw at random; others ignore it.
        """
        ...

    def predict_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Label the tested cases of every row; int64 array aligned with ``resamples.cases``.

        Row r of an inducer that draws at random uses the r-th of ``rng.spawn(R)``.
        """
        ...


def predict_by_loop(
    inducer: Inducer, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
) -> np.ndarray:
    """Label the tested cases with one ``fit`` a row: the slow form that every batch form equals.

    Parameters
    ----------
    inducer : Inducer
    sample : Sample
    resamples : Resamples
    rng : numpy.random.Generator, optional
        Spawns one generator a row.

    Returns
    -------
    int array, shape (T,)

    Examples
    --------
    >>> from errorest.learners import Majority
    >>> from errorest.resampling.draw import leave_one_out
    >>> s = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> predict_by_loop(Majority(), s, leave_one_out(3)).tolist()
    [1, 0, 0]
    """
    labels = np.empty(resamples.cases.shape[0], dtype=np.int64)
    for tested, classifier in _fitted_rows(inducer, sample, resamples, rng):
        labels[tested] = classifier.predict(sample.X[resamples.cases[tested]])
    return labels


def predict_proba_by_loop(
    inducer: Inducer, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
) -> np.ndarray:
    """Predict class probabilities with one ``fit`` a row; every batch form gives the same."""
    output = np.zeros((resamples.cases.shape[0], sample.n_classes))
    for tested, classifier in _fitted_rows(inducer, sample, resamples, rng):
        if isinstance(classifier, ConstantClassifier):
            output[tested, classifier.label] = 1.0
        else:
            output[tested] = classifier.predict_proba(sample.X[resamples.cases[tested]])  # type: ignore[attr-defined]
    return output


def _fitted_rows(
    inducer: Inducer, sample: Sample, resamples: Resamples, rng: np.random.Generator | None
) -> Iterator[tuple[slice, Classifier]]:
    """Yield the places of a row's tests and its classifier, for rows that test anything."""
    streams = [None] * resamples.n_rows if rng is None else rng.spawn(resamples.n_rows)
    for r in range(resamples.n_rows):
        tested = slice(resamples.start[r], resamples.start[r + 1])
        if tested.start < tested.stop:
            training = repeat_each(np.arange(sample.n), resamples.training_counts(r, r + 1)[0])
            yield tested, inducer.fit(sample.take(training), streams[r])
