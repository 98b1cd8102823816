"""Stacks: many small samples of one shape, each a training set with values of its own, such as clones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from errorest.data.sample import Attribute, Sample
from errorest.errors import UsageError


@dataclass(frozen=True, eq=False)
class SampleStack:
    """S samples of n cases each, of the same attributes and classes.

    Parameters
    ----------
    X : float array, shape (S, n, d)
        Attribute values as in :class:`~errorest.data.sample.Sample`.
    y : int array, shape (S, n)
        Class numbers.  A sample may lack a class.
    attributes : tuple of Attribute, length d
    classes : tuple of str

    Examples
    --------
    >>> s = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> stack = SampleStack.of_cases(s, np.array([[0, 0, 1], [2, 1, 1]]))
    >>> stack.n_samples, stack.n, stack.sample(1).X[:, 0].tolist()
    (2, 3, [4.0, 2.0, 2.0])
    """

    X: np.ndarray
    y: np.ndarray
    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]

    @property
    def n_samples(self) -> int:
        """Number of samples, S."""
        return self.X.shape[0]

    @property
    def n(self) -> int:
        """Cases of each sample."""
        return self.X.shape[1]

    @property
    def n_classes(self) -> int:
        """Number of classes that are declared."""
        return len(self.classes)

    def sample(self, s: int) -> Sample:
        """Return the s-th sample by itself."""
        return Sample(self.X[s], self.y[s], self.attributes, self.classes)

    @classmethod
    def of_cases(cls, sample: Sample, cases: np.ndarray) -> SampleStack:
        """Make a stack of the listed cases of a sample, such as its bootstrap samples.

        Parameters
        ----------
        sample : Sample
        cases : int array, shape (S, m)
            Cases of each sample of the stack, repeats kept, in the order given.
        """
        return cls(sample.X[cases], sample.y[cases], sample.attributes, sample.classes)


def fold_labels(samples: int, n: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """Draw random folds for every sample of a stack; sizes differ by one at most."""
    if not 2 <= k <= n:
        raise UsageError(f"{k} folds were asked for in samples of {n} cases; expected 2 to {n}; choose another number")
    labels = np.tile(np.arange(n, dtype=np.int32) % np.int32(k), (samples, 1))
    return labels if k == n else rng.permuted(labels, axis=1)
