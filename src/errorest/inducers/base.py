"""The protocols of inducers and classifiers, the loops that every batch method equals, and plain classifiers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from errorest.data.sample import Sample
from errorest.data.stacks import SampleStack
from errorest.resampling.draw import Resamples


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


@dataclass(frozen=True)
class IntervalClassifier:
    """A classifier on one real attribute: cut-points and the class between them.

    Class ``labels[i]`` is predicted for ``cuts[i - 1] < x <= cuts[i]``.

    Parameters
    ----------
    cuts : tuple of float
        Ascending; -inf and +inf may stand.
    labels : tuple of int
        One more than the cuts.

    Examples
    --------
    >>> IntervalClassifier((0.0,), (0, 1)).predict(np.array([[0.0], [0.1]])).tolist()
    [0, 1]
    """

    cuts: tuple[float, ...]
    labels: tuple[int, ...]

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases; X has shape (m, 1) or (m,)."""
        x = np.asarray(X, dtype=float)
        x = x[:, 0] if x.ndim == 2 else x
        return np.asarray(self.labels)[np.searchsorted(np.asarray(self.cuts), x, side="left")]


@runtime_checkable
class Inducer(Protocol):
    """A learning algorithm with its settings."""

    @property
    def id(self) -> str:
        """Unambiguous name with settings, such as ``knn(k=3)``."""
        ...

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Classifier:
        """Make a classifier from all cases of a sample (repeats stand as repeated cases).

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
    >>> from errorest.inducers import Majority
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
    streams = _streams(resamples.n_rows, rng)
    for r in range(resamples.n_rows):
        tested = slice(resamples.start[r], resamples.start[r + 1])
        if tested.start < tested.stop:
            training = np.repeat(np.arange(sample.n), resamples.training_counts(r, r + 1)[0])
            yield tested, inducer.fit(sample.take(training), streams[r])


@runtime_checkable
class StackInducer(Inducer, Protocol):
    """An inducer with compiled forms for stacks of samples; :func:`predict_stack` loops for all others."""

    def predict_stack(self, stack: SampleStack, X: np.ndarray) -> np.ndarray:
        """Label cases by the classifier of each sample; as :func:`predict_stack`, without a generator."""
        ...

    def cross_validate_stack(self, stack: SampleStack, folds: np.ndarray) -> np.ndarray:
        """Label each sample's own cases out of their folds; as :func:`cross_validate_stack`, without a generator."""
        ...


def predict_stack(
    inducer: Inducer, stack: SampleStack, X: np.ndarray, rng: np.random.Generator | None = None
) -> np.ndarray:
    """Label cases by the classifier of each sample of a stack."""
    if isinstance(inducer, StackInducer):
        return inducer.predict_stack(stack, X)
    streams = _streams(stack.n_samples, rng)
    labels = np.empty((stack.n_samples, X.shape[-2]), dtype=np.int64)
    for s in range(stack.n_samples):
        labels[s] = inducer.fit(stack.sample(s), streams[s]).predict(X if X.ndim == 2 else X[s])
    return labels


def cross_validate_stack(
    inducer: Inducer, stack: SampleStack, folds: np.ndarray, rng: np.random.Generator | None = None
) -> np.ndarray:
    """Label each case of each sample by the classifier of that sample's other folds."""
    if isinstance(inducer, StackInducer):
        return inducer.cross_validate_stack(stack, folds)
    streams = _streams(stack.n_samples, rng)
    labels = np.empty((stack.n_samples, stack.n), dtype=np.int64)
    for s in range(stack.n_samples):
        sample, present = stack.sample(s), np.unique(folds[s])
        for fold, stream in zip(present, _streams(present.size, streams[s]), strict=True):
            tested = np.nonzero(folds[s] == fold)[0]
            classifier = inducer.fit(sample.take(np.nonzero(folds[s] != fold)[0]), stream)
            labels[s, tested] = classifier.predict(sample.X[tested])
    return labels


def _streams(number: int, rng: np.random.Generator | None) -> Sequence[np.random.Generator | None]:
    return [None] * number if rng is None else rng.spawn(number)
