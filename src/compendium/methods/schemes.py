"""Schemes that go on from the samples of a bootstrap: tested on all cases, folds of them, and samples of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from errorest.counting import count_each
from errorest.data.sample import Labelled
from errorest.resampling import draw
from errorest.resampling.multisets import Resamples, from_positions, from_training_counts
from errorest.resampling.scheme import Classes, Folds, Rng, Scheme, folds_of
from errorest.resampling.schemes import Bootstrap
from errorest.spec import at_least
from errorest.streams import Streams

__all__ = ["BootstrapCases", "BootstrapFolds", "BootstrapTwice"]


@dataclass(frozen=True, eq=False)
class OfBootstrap(Scheme):
    """Base of the schemes that go on from the samples of :class:`~errorest.resampling.schemes.Bootstrap`.

    Their samples are those of as many replicates of it, from its random stream; what they draw beside them comes from
    the stream of their own name.
    """

    unseen = False
    requirements: ClassVar = at_least(replicates=1)

    replicates: int = 200

    @cached_property
    def samples(self) -> Scheme:
        """The scheme whose random stream draws the samples."""
        return Bootstrap(self.replicates)

    def fits(self, n: int) -> int:
        return self.replicates

    def draw(self, sample: Labelled, streams: Streams) -> Resamples:
        return self._go_on(sample.n, streams.generator(self.samples.key), streams.generator(self.key))

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        return self._go_on(n, rng, rng)

    def _go_on(self, n: int, rng: Rng, own: Rng) -> Resamples:
        """Draw bootstrap samples from ``rng``, and all else from ``own``."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class BootstrapCases(OfBootstrap):
    """Bootstrap samples, each tested on every case once.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B.

    Examples
    --------
    >>> BootstrapCases(50).id
    'naive_bootstrap(replicates=50)'
    """

    name = "naive_bootstrap"

    def _go_on(self, n: int, rng: Rng, own: Rng) -> Resamples:
        return draw.bootstrap(n, self.replicates, rng, test="all")


@dataclass(frozen=True, eq=False)
class BootstrapFolds(OfBootstrap):
    """Folds of bootstrap samples; copies of a case may be on both sides.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B; each yields k rows.
    k : int or "n"
        Folds.

    Examples
    --------
    >>> BootstrapFolds(4, k=3).get_n_splits()
    12
    """

    name = "cross_validated_bootstrap"

    k: Folds = 10

    @property
    def least(self) -> int:
        return folds_of(self.k, 2)

    def _go_on(self, n: int, rng: Rng, own: Rng) -> Resamples:
        drawn = rng.integers(0, n, size=(self.replicates, n), dtype=np.int32)
        folds = draw.k_fold(n, folds_of(self.k, n), own, repeats=self.replicates)
        return from_positions(n, drawn, folds.compact.labels)

    def fits(self, n: int) -> int:
        return self.replicates * folds_of(self.k, n)


@dataclass(frozen=True, eq=False)
class BootstrapTwice(OfBootstrap):
    """A bootstrap sample of each bootstrap sample, tested on every case once.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B; each is drawn from once.

    Examples
    --------
    >>> BootstrapTwice(50).id
    'double_bootstrap(replicates=50)'
    """

    name = "double_bootstrap"

    def _go_on(self, n: int, rng: Rng, own: Rng) -> Resamples:
        B = self.replicates
        first = rng.integers(0, n, size=(B, n), dtype=np.int32)
        second = np.take_along_axis(first, own.integers(0, n, size=(B, n)), axis=1)
        # sample b counts in the places b n to b n + n - 1
        places = second + n * np.arange(B)[:, None]
        counts = count_each(places.ravel(), minlength=B * n).reshape(B, n).astype(np.int32)
        return from_training_counts(
            counts, np.arange(B + 1, dtype=np.int64) * n, np.tile(np.arange(n, dtype=np.int32), B)
        )
