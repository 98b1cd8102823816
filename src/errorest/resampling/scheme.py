"""The base of resampling schemes: settings, a random stream named by the id, and splits for scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from errorest.counting import repeat_each
from errorest.data.sample import Labelled
from errorest.errors import UsageError
from errorest.resampling.multisets import Resamples
from errorest.spec import Spec
from errorest.streams import Streams, generator_of

Classes = np.ndarray | None
"""Class numbers of the cases, or None."""

Rng = np.random.Generator
"""What random numbers come from."""

Folds = int | Literal["n"]
"""A number of folds; ``"n"``: as many as there are cases."""


def folds_of(k: Folds, n: int) -> int:
    """Return the number of folds of a sample of n cases."""
    return n if k == "n" else int(k)


@dataclass(frozen=True, eq=False)
class Scheme(Spec):
    """A resampling scheme with its settings, not yet applied to a sample.

    Parameters
    ----------
    random_state : int, Generator, RandomState or None
        Seeds :meth:`split`, which scikit-learn calls; it is no setting, and :meth:`draw` ignores it.

    Attributes
    ----------
    unseen : bool
        Whether a case is tested by classifiers alone that were not trained on it.
    needs_all_rows : bool
        Whether its errors say nothing once a row is left out.
    keeps_groups : bool
        Whether it handles groups and strata itself; else groups are resampled in place of cases.

    Examples
    --------
    >>> from errorest.resampling.schemes import KFold
    >>> KFold(10, repeats=100).id, KFold(10, repeats=100).fits(36)
    ('k_fold(k=10, repeats=100)', 1000)
    >>> [test.tolist() for _, test in KFold(2, random_state=0).split(np.zeros((4, 1)))]
    [[0, 1], [2, 3]]
    """

    bare = False
    unseen: ClassVar[bool] = True
    needs_all_rows: ClassVar[bool] = False
    keeps_groups: ClassVar[bool] = False

    random_state: Any = field(default=None, kw_only=True, compare=False)

    @property
    def least(self) -> int:
        """Fewest cases of a sample."""
        return 2

    def shown(self) -> Iterator[tuple[str, str]]:
        """Yield the settings shown in the id, sorted by name."""
        yield from sorted(super().shown())

    def resamples(self, n: int, rng: Rng, y: Classes = None) -> Resamples:
        """Draw resamples of n cases.

        Parameters
        ----------
        n : int
        rng : numpy.random.Generator
            Draws the samples.
        y : int array, shape (n,), optional
            Classes, for schemes that keep them in proportion.

        Returns
        -------
        Resamples

        Raises
        ------
        UsageError
            If the scheme does not fit the number of cases.
        """
        return self._rows(n, y, rng)

    def draw(self, sample: Labelled, streams: Streams) -> Resamples:
        """Apply the scheme to a sample, with the random streams of its name.

        Raises
        ------
        UsageError
            If the scheme does not fit the sample.
        """
        return self.resamples(sample.n, streams.generator(self.key), sample.y)

    def within(self, strata: np.ndarray, rng: Rng, names: Sequence[str] = ()) -> Resamples:
        """Draw resamples that keep strata in proportion.

        Parameters
        ----------
        strata : int array, shape (n,)
        rng : numpy.random.Generator
        names : sequence of str
            What the strata are called, for messages.

        Raises
        ------
        UsageError
            If the scheme cannot keep strata.
        """
        raise UsageError(
            f"{self.id} cannot keep strata in proportion; expected one of k_fold, holdout, bootstrap, leave_one_out; "
            "leave out strata, or choose another estimator or interval"
        )

    def fits(self, n: int) -> int:
        """Count the classifiers made of a sample of n cases, those of empty test sides among them."""
        raise NotImplementedError

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        """Draw resamples; every scheme implements it."""
        raise NotImplementedError

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the positions to train on (repeats included) and to test, split by split.

        Parameters
        ----------
        X : array-like with n rows
        y : array-like, shape (n,)
            Read by stratified schemes alone.
        groups : ignored

        Yields
        ------
        train, test : int arrays
        """
        n = _number_of_rows(X)
        classes = None if y is None else np.unique(np.asarray(y), return_inverse=True)[1]
        sampled = self._splits(n, classes, generator_of(self.random_state))
        for r in range(sampled.n_rows):
            counts = sampled.training_counts(r, r + 1)[0]
            yield repeat_each(np.arange(n), counts), sampled.cases[sampled.start[r] : sampled.start[r + 1]]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits; X must be given where it depends on the number of cases."""
        if X is None and self.fits(2) != self.fits(3):
            raise UsageError(
                f"{self.id} was asked for its number of splits without X; expected X, since it depends on the cases; "
                "pass X"
            )
        return self.fits(2 if X is None else _number_of_rows(X))

    def _splits(self, n: int, y: Classes, rng: Rng) -> Resamples:
        return self._rows(n, y, rng)

    def __sklearn_clone__(self) -> Scheme:
        return self


def _number_of_rows(X: Any) -> int:
    return int(X.shape[0] if hasattr(X, "shape") else len(X))


@dataclass(frozen=True, eq=False)
class Reduction(Spec):
    """What is made of the outcomes of schemes: an estimator or an interval."""

    @property
    def schemes(self) -> tuple[Scheme, ...]:
        """What must be run."""
        raise NotImplementedError

    def fits(self, n: int) -> int:
        """Count the classifiers made of a sample of n cases (expected, where it is left to chance)."""
        return sum(s.fits(n) for s in dict.fromkeys(self.schemes))
