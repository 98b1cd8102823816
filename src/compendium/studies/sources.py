"""Sources: where the samples of an experiment come from, and how the true error of a classifier is known.

A source draws everything from named random streams below the place of a replicate, so that what is
drawn depends on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from errorest.data.sample import Sample
from errorest.streams import Streams

__all__ = [
    "DataAsPopulation",
    "DrawnSample",
    "Fixed",
    "FromPopulation",
    "PartOfData",
    "Population",
    "Source",
    "WithTestSet",
]

# `draw(n, rng)`: a sample of n cases
Draw = Callable[[int, np.random.Generator], Sample]


@dataclass(frozen=True, eq=False)
class DrawnSample:
    """What a source drew.

    Parameters
    ----------
    sample : Sample
    truth : callable, optional
        ``truth(classifier)``: its true error, a proportion.
    test : Sample, optional
        Cases that take no part in training; without ``truth`` the share of errors on them is the true error.

    Examples
    --------
    >>> DrawnSample(Sample.from_arrays([1.0, 2.0], ["a", "b"])).knows_truth
    False
    """

    sample: Sample
    truth: Callable[[Any], float] | None = None
    test: Sample | None = None

    @property
    def knows_truth(self) -> bool:
        """Whether the true error of a classifier can be told."""
        return self.truth is not None or self.test is not None


class Source(Protocol):
    """Draws samples; a frozen dataclass as a rule."""

    def draw(self, place: Streams) -> DrawnSample:
        """Draw one sample, from the streams below the place of a replicate."""
        ...


class Population(Protocol):
    """What :class:`FromPopulation` asks of a population."""

    def sample(self, n: int, rng: np.random.Generator) -> Sample:
        """Draw n cases."""
        ...

    def true_error(self, classifier: Any) -> float:
        """True error of a classifier, a proportion."""
        ...


@dataclass(frozen=True)
class FromPopulation:
    """Samples of a population that knows every classifier's true error.

    Parameters
    ----------
    population : Population
        Such as :class:`~compendium.studies.populations.TwoNormals`.
    n : int
        Cases of a sample.
    stream : str
        Name of the random stream.

    Examples
    --------
    >>> from compendium.studies.populations import TwoNormals
    >>> FromPopulation(TwoNormals(1.0), 10).draw(Streams(0)).sample.n
    10
    """

    population: Population
    n: int
    stream: str = "sample"

    def draw(self, place: Streams) -> DrawnSample:
        """Draw n cases."""
        return DrawnSample(self.population.sample(self.n, place.generator(self.stream)), self.population.true_error)


@dataclass(frozen=True)
class WithTestSet:
    """Samples beside which a test set of their own is drawn, from the stream ``validation``.

    Parameters
    ----------
    sampler : callable
        ``sampler(n, rng)``, such as a population's ``balanced_sample``.
    n, tested : int
        Cases of the sample and of the test set.

    Examples
    --------
    >>> from compendium.studies.populations import TwoNormals
    >>> drawn = WithTestSet(TwoNormals(1.0).sample, 10, 50).draw(Streams(0))
    >>> drawn.sample.n, drawn.test.n
    (10, 50)
    """

    sampler: Draw
    n: int
    tested: int

    def draw(self, place: Streams) -> DrawnSample:
        """Draw a sample and a test set."""
        sample = self.sampler(self.n, place.generator("sample"))
        return DrawnSample(sample, test=self.sampler(self.tested, place.generator("validation")))


def at_random(whole: Sample, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Take n cases of a data set at random, in random order; the others are the rest."""
    order = rng.permutation(whole.n)
    return order[:n], order[n:]


@dataclass(frozen=True)
class PartOfData:
    """Parts of a data set; what is left is the test set.

    Parameters
    ----------
    whole : Sample
    n : int
        Cases of a part.
    divide : callable
        ``divide(whole, n, rng)``: the numbers of the cases taken, and of the rest.
    stream : str
        Name of the random stream.
    most_tested : int, optional
        Of the rest, no more than its first so many cases are tested.

    Examples
    --------
    >>> whole = Sample.from_arrays(np.arange(6.0), list("ababab"))
    >>> drawn = PartOfData(whole, 4).draw(Streams(0))
    >>> drawn.sample.n, drawn.test.n
    (4, 2)
    """

    whole: Sample
    n: int
    divide: Callable[[Sample, int, np.random.Generator], tuple[np.ndarray, np.ndarray]] = at_random
    stream: str = "sample"
    most_tested: int | None = None

    def draw(self, place: Streams) -> DrawnSample:
        """Divide the data set."""
        taken, rest = self.divide(self.whole, self.n, place.generator(self.stream))
        return DrawnSample(self.whole.take(taken), test=self.whole.take(rest[: self.most_tested]))


@dataclass(frozen=True)
class DataAsPopulation:
    """A data set taken for the population: samples are drawn with replacement, and all its cases are the truth.

    Examples
    --------
    >>> whole = Sample.from_arrays(np.arange(6.0), list("ababab"))
    >>> DataAsPopulation(whole, 4).draw(Streams(0)).test.n
    6
    """

    whole: Sample
    n: int
    stream: str = "sample"

    def draw(self, place: Streams) -> DrawnSample:
        """Draw n cases with replacement."""
        cases = place.generator(self.stream).integers(0, self.whole.n, size=self.n)
        return DrawnSample(self.whole.take(cases), test=self.whole)


@dataclass(frozen=True)
class Fixed:
    """The same sample in every replicate, with resamples of its own; nobody knows a true error.

    Examples
    --------
    >>> Fixed(Sample.from_arrays(np.arange(6.0), list("ababab"))).draw(Streams(0)).sample.n
    6
    """

    whole: Sample

    def draw(self, place: Streams) -> DrawnSample:
        """Return the sample."""
        return DrawnSample(self.whole)
