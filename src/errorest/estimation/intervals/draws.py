"""Resamples that only intervals need, each a scheme with a stream of its own name.

Every training multiset is a row over the cases of the whole sample, so that all classifiers are made in one pass.
What follows a bootstrap sample or half samples in lists of positions shares one line a list, which bounds memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

import numpy as np

from errorest.compiled import kernel
from errorest.counting import repeat_each
from errorest.resampling import draw as resampling
from errorest.resampling.multisets import Resamples, from_positions, from_training_counts
from errorest.resampling.scheme import Classes, Rng, Scheme
from errorest.spec import at_least


@dataclass(frozen=True, eq=False)
class MarkedResamples(Resamples):
    """Resamples whose tested cases carry a mark that a reduction needs: a group, a weight or a position."""

    mark: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class NestedFolds(Scheme):
    """k outer folds, and inside the others of each a cross-validation over these same folds; k is at least 3.

    The inner classifier that leaves out folds a and b serves outer fold a (tested on b) and
    outer fold b (tested on a), so that a repeat makes k + k (k - 1) / 2 classifiers.  The
    mark of a tested case is ``2 (repeat k + outer fold) + inner``.
    """

    name = "nested_folds"
    sizes = ("k", "repeats")
    requirements = at_least(k=3, repeats=1)

    k: int = 5
    repeats: int = 10

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        k, repeats = self.k, self.repeats
        labels = resampling.k_fold(n, k, rng, repeats=repeats).compact.labels
        # the pair (a, a) is the outer fold a itself
        a, b = (np.concatenate([np.arange(k), part]).astype(np.int32) for part in np.triu_indices(k, 1))
        # one classifier for each pair of folds left out, and one for each single fold
        left_out = (labels[:, None, :] == a[:, None]) | (labels[:, None, :] == b[:, None])
        made = resampling.testing_absent((~left_out).astype(np.int32).reshape(-1, n))
        repeat, pair = np.divmod(made.row_of_test(), a.shape[0])
        # a classifier without folds a and b, tested on b, belongs to outer fold a = (a + b) - b
        outer = np.where(pair < k, a[pair], a[pair] + b[pair] - labels[repeat, made.cases])
        mark = 2 * (repeat * k + outer) + (pair >= k)
        replicate = repeat_each(np.arange(repeats, dtype=np.int32), a.shape[0])
        return MarkedResamples(made.compact, made.start, made.cases, replicate, repeats, mark=mark)

    def fits(self, n: int) -> int:
        # k outer folds, and k (k - 1) / 2 pairs
        return self.repeats * (self.k + self.k * (self.k - 1) // 2)


@dataclass(frozen=True, eq=False)
class PairedHalves(Scheme):
    """Split the sample in two halves, and each half at random into training and tested cases.

    A repetition is one half.  Of an odd sample each halving leaves a case out.  The share tested in a split is one of
    the *whole* sample, rounded up.
    """

    name = "paired_halves"
    requirements = at_least(halvings=1, splits=1)

    halvings: int
    share: Fraction
    splits: int

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        halvings, splits, share = self.halvings, self.splits, self.share
        # n2 is that of the whole sample, so that only training sets shrink, to n / 2 - n2 (Nadeau & Bengio 2003,
        # section 4)
        half, lines, test = n // 2, 2 * halvings, ceil(share * n)
        order = rng.permuted(np.tile(np.arange(n, dtype=np.int32), (halvings, 1)), axis=1)[:, : 2 * half]
        members = repeat_each(order.reshape(lines, half), splits, axis=0)
        tested = resampling.holdout(half, rng, test=test, repeats=lines * splits).compact.labels == 0
        counts = np.zeros((lines * splits, n), dtype=np.int32)
        np.put_along_axis(counts, members, (~tested).astype(np.int32), axis=1)
        start = np.arange(lines * splits + 1, dtype=np.int64) * test
        replicate = repeat_each(np.arange(lines, dtype=np.int32), splits)
        return from_training_counts(counts, start, members[tested], replicate, lines)

    def fits(self, n: int) -> int:
        return 2 * self.halvings * self.splits


@dataclass(frozen=True, eq=False)
class ReplaceOne(Scheme):
    """Cross-validate half the sample, and again with each of its cases replaced by one of the other half.

    The folds are folds of positions and stay the same; repetition 0 replaces nothing.
    """

    name = "replace_one"
    requirements = at_least(k=2)

    k: int = 5

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        half = n // 2
        order = rng.permutation(n).astype(np.int32)
        source = np.tile(order[:half], (half + 1, 1))
        # line j has the j-th case of the second half in the j-th position; line 0 is the first half as it is
        source[np.arange(1, half + 1), np.arange(half)] = order[half : 2 * half]
        folds = resampling.k_fold(half, self.k, rng).compact.labels
        return from_positions(n, source, np.tile(folds, (half + 1, 1)))

    def fits(self, n: int) -> int:
        return self.k * (1 + n // 2)


@dataclass(frozen=True, eq=False)
class LeaveCaseOutOfBootstrap(Scheme):
    """Draw bootstrap samples and leave out of each all copies of one distinct case at a time.

    A row is tested on the case it leaves out, as often as the bootstrap sample holds it.
    A bootstrap sample of a single distinct case would leave nothing to train on, and is drawn again.
    """

    name = "leave_case_out_of_bootstrap"
    requirements = at_least(replicates=1)

    replicates: int = 100

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        source = rng.integers(0, n, size=(self.replicates, n), dtype=np.int32)
        while (alike := (source == source[:, :1]).all(axis=1)).any():
            source[alike] = rng.integers(0, n, size=(int(alike.sum()), n), dtype=np.int32)
        # the label of a position is the case that stands there
        return from_positions(n, source, source)

    def fits(self, n: int) -> int:
        # a bootstrap sample holds n (1 - (1 - 1/n)^n) distinct cases in the mean
        return round(self.replicates * n * (1 - (1 - 1 / n) ** n))


@dataclass(frozen=True, eq=False)
class TwoStageBootstrap(Scheme):
    """Draw bootstrap samples, and of the positions of each further bootstrap samples.

    Row b of the first ``outer`` rows trains on outer sample b and is tested on its positions;
    the rows that follow train on inner samples and are tested on the positions they lack: with ``apart`` copies of a
    case are cases of their own, else a position is lacked only where every copy is.  The mark is the position.
    """

    name = "two_stage_bootstrap"
    unseen = False
    sizes = ("apart", "inner", "outer")
    requirements = at_least(outer=2, inner=1)

    apart: bool = True
    inner: int = 10
    outer: int = 200

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        outer, inner = self.outer, self.inner
        source = rng.integers(0, n, size=(outer, n), dtype=np.int32)
        # inner draws are of positions of an outer sample, not of cases
        sampled = rng.integers(0, n, size=(outer * inner, n), dtype=np.int32)
        counts, start, cases, mark = _two_stage(source, sampled, inner, self.apart)
        replicate = np.concatenate([np.arange(outer), repeat_each(np.arange(outer), inner)]).astype(np.int32)
        return MarkedResamples(**vars(from_training_counts(counts, start, cases, replicate, outer)), mark=mark)

    def fits(self, n: int) -> int:
        return self.outer * (1 + self.inner)


@kernel
def _two_stage(source, drawn, inner, apart):  # type: ignore[no-untyped-def]
    outer, n = source.shape
    rows = drawn.shape[0]
    counts = np.zeros((outer + rows, n), dtype=np.int32)
    start = np.zeros(outer + rows + 1, dtype=np.int64)
    size = outer * n + rows * n
    cases = np.empty(size, dtype=np.int32)
    mark = np.empty(size, dtype=np.int32)
    at = 0
    for b in range(outer):
        for p in range(n):
            counts[b, source[b, p]] += 1
            cases[at] = source[b, p]
            mark[at] = p
            at += 1
        start[b + 1] = at
    covered = np.empty(n, dtype=np.bool_)
    for r in range(rows):
        b = r // inner
        covered[:] = False
        for p in range(n):
            covered[drawn[r, p]] = True
            counts[outer + r, source[b, drawn[r, p]]] += 1
        for p in range(n):
            if not covered[p] and (apart or counts[outer + r, source[b, p]] == 0):
                cases[at] = source[b, p]
                mark[at] = p
                at += 1
        start[outer + r + 1] = at
    return counts, start, cases[:at].copy(), mark[:at].copy()
