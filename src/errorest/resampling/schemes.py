"""The resampling schemes, dataclasses whose fields are their settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from errorest.counting import repeat_each
from errorest.data.sample import Labelled
from errorest.errors import UsageError
from errorest.resampling import draw
from errorest.resampling.multisets import Resamples, from_training_counts
from errorest.resampling.scheme import Classes, Folds, Rng, Scheme, folds_of
from errorest.spec import at_least
from errorest.streams import Streams

# Largest matrix of training counts: rows times cases
_MOST_CELLS = 400_000_000


@dataclass(frozen=True, eq=False)
class NestedSubsetFolds(Scheme):
    """Random folds, each tested by classifiers of nested training sets; rows go by repetition, fold and size."""

    name = "growing"
    sizes = ("k", "repeats", "trained")
    requirements = at_least(k=2, repeats=1)
    needs_all_rows = True

    trained: tuple[int, ...] = (5, 10, 20)
    k: int = 10
    repeats: int = 20

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.trained or not all(a < b for a, b in pairwise((0, *self.trained))):
            raise UsageError(
                f"training sizes {list(self.trained)} were given; expected ascending whole numbers from 1, each once"
            )

    @property
    def least(self) -> int:
        return self.k

    def written(self, key: str) -> str:
        """Write sizes with a plus between."""
        return "+".join(map(str, self.trained)) if key == "trained" else super().written(key)

    @classmethod
    def value_of(cls, key: str, text: str) -> Any:
        """Read sizes with a plus between."""
        return tuple(int(part) for part in text.split("+")) if key == "trained" else super().value_of(key, text)

    def fits(self, n: int) -> int:
        return len(self.trained) * self.k * self.repeats

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        left = n - -(-n // self.k)
        if self.k > n or self.trained[-1] > left:
            raise UsageError(
                f"training sets of up to {self.trained[-1]} cases were asked for, and {self.k} folds of {n} cases "
                f"leave {max(0, left)}; expected sizes of at most that; ask for smaller ones, or for more folds"
            )
        if self.fits(n) * n > _MOST_CELLS:
            raise UsageError(
                f"{self.fits(n):,} training sets of {n:,} cases were asked for, which do not fit into memory; expected "
                f"at most {_MOST_CELLS // n:,}; ask for fewer repeats or sizes"
            )
        # folds f < n mod k have one case more
        ends = np.cumsum([0, *(n // self.k + (f < n % self.k) for f in range(self.k))])
        # nested: a larger training set of a fold holds the smaller ones, so that their errors are positively correlated
        # and differences vary less
        place = np.argsort([rng.permutation(n) for _ in range(self.repeats)], axis=1)
        # the others from behind the fold on, so that no two folds learn from the same few
        behind = (place[:, None] - ends[1:, None]) % n
        counts = (behind[:, :, None] < np.array(self.trained)[:, None]).astype(np.int32)
        by_fold = np.argsort(np.searchsorted(ends[1:], place, side="right"), axis=1, kind="stable").astype(np.int32)
        cases = by_fold[:, np.concatenate([np.tile(np.arange(*fold), len(self.trained)) for fold in pairwise(ends)])]
        sizes = np.tile(repeat_each(np.diff(ends), len(self.trained)), self.repeats)
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        replicate = repeat_each(np.arange(self.repeats, dtype=np.int32), self.k * len(self.trained))
        return from_training_counts(counts.reshape(-1, n), start, cases.ravel(), replicate, self.repeats)

    @staticmethod
    def usual(n: int, classes: int, k: int) -> Sequence[int]:
        """Return up to six sizes, in equal ratios, up to what the folds leave."""
        most = n - -(-n // k)
        # from an eighth of the largest on, but at least two cases a class and four in all: below two cases a class most
        # training sets lack one, and the curve shows that alone
        least = min(most, max(2 * classes, 4, -(-most // 8)))
        # a power law is a line on logarithmic axes: equal ratios are equal steps along it
        return sorted({round(float(v)) for v in np.geomspace(least, most, 6)})


@dataclass(frozen=True, eq=False)
class _Fixed(Scheme):
    """A scheme of which nothing is drawn, so that no random stream is opened."""

    needs_all_rows = True

    def draw(self, sample: Labelled, streams: Streams) -> Resamples:
        return self._rows(sample.n, None, None)  # type: ignore[arg-type]

    def within(self, strata: np.ndarray, rng: Rng, names: Sequence[str] = ()) -> Resamples:
        return self._rows(strata.shape[0], None, rng)


@dataclass(frozen=True, eq=False)
class Resubstitution(_Fixed):
    """Train on every case and test on the same cases.

    Examples
    --------
    >>> Resubstitution().id
    'resubstitution()'
    """

    name = "resubstitution"
    unseen = False

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        return draw.resubstitution(n)

    def fits(self, n: int) -> int:
        return 1


APPARENT = Resubstitution()
"""The sample itself, made once: it is looked up wherever apparent errors matter."""


@dataclass(frozen=True, eq=False)
class Holdout(Scheme):
    """Random splits into training and test cases; repeated, random subsampling.

    Parameters
    ----------
    test : share or number of cases tested (a share is rounded up)
    repeats : int
        Independent splits.

    Examples
    --------
    >>> Holdout(0.25, repeats=7).id
    'holdout(repeats=7, test=1/4)'
    """

    name = "holdout"

    test: Fraction | float | int = Fraction(1, 3)
    repeats: int = 1

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        return draw.holdout(n, rng, test=self.test, repeats=self.repeats)

    def within(self, strata: np.ndarray, rng: Rng, names: Sequence[str] = ()) -> Resamples:
        n = strata.shape[0]
        plain = self.resamples(n, rng)
        size = int(plain.start[1])
        labels = np.full((self.repeats, n), -1, dtype=np.int32)
        for m in range(self.repeats):
            shuffled = rng.permutation(n)
            by_stratum = shuffled[np.argsort(strata[shuffled], kind="stable")]
            # every n/size-th unit from a random place on: each stratum gives its share, to within one
            at = ((np.arange(size) + rng.random()) * n / size).astype(np.int64)
            labels[m, by_stratum[at]] = 0
        # row by row, in the order of the cases
        cases = np.nonzero(labels == 0)[1].astype(np.int32)
        return replace(plain, compact=plain.compact._replace(labels=labels), cases=cases)

    def fits(self, n: int) -> int:
        return self.repeats


@dataclass(frozen=True, eq=False)
class KFold(Scheme):
    """Random folds whose sizes differ by one at most, each tested once; perhaps repeated.

    Stratified folds are dealt as Kohavi (1995), section 2.2, does: cases shuffled, sorted by class and
    dealt round the folds, so that a class with fewer cases than folds is never refused.

    Parameters
    ----------
    k : int or "n"
        Folds.
    repeats : int
        Independent splits.
    stratified : bool
        Keep the classes in proportion in every fold.

    Examples
    --------
    >>> y = np.array([0, 0, 0, 0, 1, 1])
    >>> [sorted(y[test].tolist()) for _, test in KFold(2, stratified=True, random_state=1).split(y[:, None], y)]
    [[0, 0, 1], [0, 0, 1]]
    """

    name = "k_fold"

    k: Folds = 10
    repeats: int = 1
    stratified: bool = False

    @property
    def least(self) -> int:
        return folds_of(self.k, 2)

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        if self.stratified and y is None:
            raise UsageError(
                f"{self.id} was asked to split without y; expected the classes to keep in proportion; pass y"
            )
        return draw.k_fold(n, folds_of(self.k, n), rng, repeats=self.repeats, strata=y if self.stratified else None)

    def within(self, strata: np.ndarray, rng: Rng, names: Sequence[str] = ()) -> Resamples:
        n = strata.shape[0]
        return draw.k_fold(n, folds_of(self.k, n), rng, repeats=self.repeats, strata=strata)

    def fits(self, n: int) -> int:
        return folds_of(self.k, n) * self.repeats


@dataclass(frozen=True, eq=False)
class LeaveOneOut(_Fixed):
    """Test each case on all the others.

    Examples
    --------
    >>> LeaveOneOut().fits(30)
    30
    """

    name = "leave_one_out"

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        return draw.leave_one_out(n)

    def fits(self, n: int) -> int:
        return n


@dataclass(frozen=True, eq=False)
class Bootstrap(Scheme):
    """Bootstrap samples: n draws with replacement each.

    As a splitter it redraws a sample that leaves no case out, since scikit-learn tests at least one.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B.
    test : {"out-of-bag", "all", "training"}
        Test the cases that were not drawn, every case once, or the drawn ones as often as drawn.

    Examples
    --------
    >>> Bootstrap(50).id, Bootstrap(50, "all").unseen
    ('bootstrap(replicates=50)', False)
    """

    name = "bootstrap"
    sizes = ("replicates",)

    replicates: int = 200
    test: Literal["out-of-bag", "all", "training"] = "out-of-bag"

    @property
    def unseen(self) -> bool:  # type: ignore[override]
        return self.test == "out-of-bag"

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        return draw.bootstrap(n, self.replicates, rng, test=self.test)

    def within(self, strata: np.ndarray, rng: Rng, names: Sequence[str] = ()) -> Resamples:
        if not self.unseen:
            return super().within(strata, rng, names)
        # every stratum is drawn from by itself, as many draws as it has cases, which keeps the size of each stratum;
        # with one case there is nothing to leave out
        counts = np.zeros((self.replicates, strata.shape[0]), dtype=np.int32)
        for stratum in range(int(strata.max()) + 1):
            members = np.nonzero(strata == stratum)[0]
            if members.size == 1:
                name = names[stratum] if names else stratum
                raise UsageError(
                    f"stratum '{name}' has one case, which a bootstrap within strata draws every time and never tests; "
                    "expected at least two; join it to another stratum, or choose cv(k=10) or loo"
                )
            if members.size:
                counts[:, members] = draw.bootstrap(members.size, self.replicates, rng).training_counts()
        return draw.testing_absent(counts)

    def fits(self, n: int) -> int:
        return self.replicates

    def _splits(self, n: int, y: Classes, rng: Rng) -> Resamples:
        sampled = self.resamples(n, rng)
        while (empty := np.diff(sampled.start) == 0).any():
            counts = sampled.training_counts()
            # redrawn given that a case is left out; all n are drawn with chance n! / n^n, .09 at n = 4
            counts[empty] = draw.bootstrap(n, int(empty.sum()), rng).training_counts()
            sampled = draw.testing_absent(counts)
        return sampled


@dataclass(frozen=True, eq=False)
class LeaveOneOutBootstrap(Scheme):
    """For each case, bootstrap samples of the others, tested on that case: n times B rows.

    Parameters
    ----------
    replicates : int
        Bootstrap samples a case, B.

    Examples
    --------
    >>> LeaveOneOutBootstrap(3).get_n_splits(np.zeros((6, 1)))
    18
    """

    name = "leave_one_out_bootstrap"

    replicates: int = 50

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        return draw.leave_one_out_bootstrap(n, self.replicates, rng)

    def fits(self, n: int) -> int:
        return n * self.replicates
