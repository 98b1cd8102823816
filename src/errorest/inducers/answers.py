"""Labels or class probabilities of the rows of resamples: one compiled loop writes either."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import exp
from typing import ClassVar

import numpy as np

from errorest.compiled import inner
from errorest.data.sample import Attribute, Sample
from errorest.data.stacks import SampleStack
from errorest.errors import UsageError
from errorest.inducers.inputs import cases_to_label
from errorest.resampling.draw import Resamples
from errorest.spec import Spec


@inner
def normalize(p, most):  # type: ignore[no-untyped-def]
    """Turn log scores, of which ``most`` is the largest, into probabilities in place."""
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

    who: ClassVar[str] = "the tree"
    takes_missing: ClassVar[bool] = True

    @abstractmethod
    def _answer(self, values: np.ndarray, labels: np.ndarray, probabilities: np.ndarray) -> None:
        """Write the labels of cases, or where ``probabilities``, shape (0 or m, K), has rows these."""

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
        values = cases_to_label(X, d, self.who, missing=self.takes_missing)
        # for a read-only array all would be compiled anew
        return values if values.flags.writeable else values.copy()


class RowLearner(Spec):
    """A learner with one compiled loop over the rows of resamples."""

    @abstractmethod
    def _answer(self, sample: Sample, resamples: Resamples, labels: np.ndarray, probabilities: np.ndarray) -> None:
        """Write the labels of the tested cases, or where ``probabilities``, shape (0 or T, K), has rows these."""

    def predict_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Label the tested cases of every row; int64 array aligned with ``resamples.cases``."""
        labels = np.empty(resamples.cases.shape[0], dtype=np.int64)
        self._answer(sample, resamples, labels, np.empty((0, sample.n_classes)))
        return labels

    def predict_proba_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Return the class probabilities of the tested cases of every row; float array, shape (T, K)."""
        probabilities = np.empty((resamples.cases.shape[0], sample.n_classes))
        self._answer(sample, resamples, np.empty(0, dtype=np.int64), probabilities)
        return probabilities


class StackLearner(Spec):
    """A learner with a compiled loop over the samples of a stack."""

    @abstractmethod
    def _label_samples(self, stack: SampleStack, tested: np.ndarray, folds: np.ndarray) -> np.ndarray:
        """Label ``tested``, shape (S or 1, m, d), or where ``folds`` has rows the samples' cases out of their folds."""

    def predict_stack(self, stack: SampleStack, X: np.ndarray) -> np.ndarray:
        """Label cases, shape (m, d) or (S, m, d), by the classifier of each sample; int64 array, shape (S, m)."""
        tested = np.asarray(X, dtype=np.float64)
        tested = tested[None] if tested.ndim == 2 else tested
        if tested.shape[0] not in (1, stack.n_samples):
            raise UsageError(
                f"{self.id} was given cases for {tested.shape[0]} samples and {stack.n_samples} samples; "
                "expected cases of shape (m, d), or (S, m, d) with one block a sample"
            )
        return self._label_samples(stack, tested, np.empty((0, 0), dtype=np.int32))

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
        return self._label_samples(stack, tested, np.ascontiguousarray(numbers, dtype=np.int32))
