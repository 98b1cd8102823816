"""Functions that draw the resamples of a scheme from a ``numpy.random.Generator``."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Literal

import numpy as np

from errorest.compiled import kernel
from errorest.counting import repeat_each
from errorest.errors import UsageError
from errorest.resampling.multisets import (
    NO_ROWS,
    Compact,
    Layout,
    Resamples,
    from_training_counts,
    rows_of,
)

__all__ = [
    "bootstrap",
    "holdout",
    "k_fold",
    "leave_one_out",
    "leave_one_out_bootstrap",
    "resubstitution",
    "testing_absent",
]


@kernel
def _tests_of_folds(labels, k):  # type: ignore[no-untyped-def]
    lines, positions = labels.shape
    # a counting sort: sizes of all folds, their starts, then the cases in order; a label below 0 is tested nowhere
    start = np.zeros(lines * k + 1, dtype=np.int64)
    for m in range(lines):
        for p in range(positions):
            if labels[m, p] >= 0:
                start[m * k + labels[m, p] + 1] += 1
    for r in range(lines * k):
        start[r + 1] += start[r]
    cases = np.empty(start[-1], dtype=np.int32)
    fill = start[:-1].copy()
    for m in range(lines):
        for p in range(positions):
            if labels[m, p] >= 0:
                r = m * k + labels[m, p]
                cases[fill[r]] = p
                fill[r] += 1
    return start, cases


@kernel
def _tests_of_absent(counts):  # type: ignore[no-untyped-def]
    rows, n = counts.shape
    start = np.zeros(rows + 1, dtype=np.int64)
    for r in range(rows):
        absent = 0
        for i in range(n):
            absent += counts[r, i] == 0
        start[r + 1] = start[r] + absent
    # one place more, so that every case can be written without asking whether it stays
    cases = np.empty(start[-1] + 1, dtype=np.int32)
    at = 0
    for r in range(rows):
        for i in range(n):
            cases[at] = i
            at += counts[r, i] == 0
    return start, cases[: start[-1]].copy()


@kernel
def _count_draws(draws, n):  # type: ignore[no-untyped-def]
    rows, size = draws.shape
    out = np.zeros((rows, n), dtype=np.int32)
    for r in range(rows):
        for p in range(size):
            out[r, draws[r, p]] += 1
    return out


def testing_absent(counts: np.ndarray) -> Resamples:
    """Make resamples of training counts, each tested on the cases that it does not train on."""
    return from_training_counts(counts, *_tests_of_absent(counts))


def _from_folds(n: int, labels: np.ndarray, k: int) -> Resamples:
    lines = labels.shape[0]
    start, cases = _tests_of_folds(labels, k)
    layout = Layout(0, lines, k)
    form, line, fold = rows_of(layout)
    return Resamples(Compact(n, form, line, fold, labels, NO_ROWS, NO_ROWS), start, cases, line, lines, layout)


def _check(scheme: str, n: int, least: int, repeats: int = 1, name: str = "repeats") -> None:
    if n < least:
        raise UsageError(f"{scheme} was asked for n = {n} cases; expected at least {least}; give a larger sample")
    if repeats < 1:
        raise UsageError(f"{scheme} was asked for {name} = {repeats}; expected at least 1; ask for one or more")


def resubstitution(n: int) -> Resamples:
    """Train on every case and test on the same cases (the apparent error)."""
    _check("resubstitution", n, 1)
    return from_training_counts(
        np.ones((1, n), dtype=np.int32), np.array([0, n], dtype=np.int64), np.arange(n, dtype=np.int32)
    )


def holdout(
    n: int, rng: np.random.Generator, *, test: float | Fraction | int = Fraction(1, 3), repeats: int = 1
) -> Resamples:
    """Split at random into training and test cases; repeated, this is random subsampling."""
    _check("holdout", n, 2, repeats)
    size = _test_size(n, test)
    # label 0 is tested, -1 trained on in the one fold 0; a random order makes every split equally likely
    base = np.full(n, -1, dtype=np.int32)
    base[:size] = 0
    return _from_folds(n, _permuted(base, repeats, rng), 1)


@lru_cache(maxsize=256, typed=True)  # 1 is a number of cases, 1.0 a share
def _test_size(n: int, test: float | Fraction | int) -> int:
    whole = isinstance(test, int | np.integer)
    # a float is read as a short fraction, so that .3 of 10 is 3 and not 4
    share = Fraction(int(test)) if whole else Fraction(test).limit_denominator(1_000_000)
    size = int(share) if whole else ceil(share * n)
    if not 1 <= size < n or (not whole and not 0 < share < 1):
        raise UsageError(
            f"holdout was asked to test {test} of {n} cases; expected a share in (0, 1) or a number from 1 to "
            f"{n - 1}; leave cases on both sides"
        )
    return size


@lru_cache(maxsize=256)
def _dealt(n: int, k: int) -> np.ndarray:
    """Deal n positions round k folds; many samples share one answer, hence it is read-only."""
    # sizes of folds differ by one at most: the first n mod k have one case more
    folds = np.arange(n, dtype=np.int32) % np.int32(k)
    folds.flags.writeable = False
    return folds


def _permuted(base: np.ndarray, repeats: int, rng: np.random.Generator) -> np.ndarray:
    if repeats == 1:
        return rng.permutation(base)[None, :]
    n = base.shape[0]
    lines = np.empty((repeats, n), dtype=base.dtype)
    lines[:] = base
    line, place = 0, n - 1
    # nearly always enough: a place takes 1.4 words, and never over 2, on average; 64 more for short lines
    words = repeats * (n - 1) * 3 // 2 + 64
    while line < repeats:
        line, place = _shuffle(rng.integers(0, 2**32, size=words, dtype=np.uint32), lines, line, place)
    return lines


@kernel
def _shuffle(words, lines, line, place):  # type: ignore[no-untyped-def]
    """Shuffle each line from its end, going on at a place of a line; return where the words ran out.

    The result is that of ``rng.permuted(lines, axis=1)``, at half the time: a word's low
    bits name the case to swap with, and a word that names none is passed over without a branch.
    """
    last = lines.shape[1] - 1
    # the least 2^b - 1 that is not below the place: b random bits name a case, or nothing
    mask = 1
    while mask < place:
        mask = 2 * mask + 1
    for w in range(words.shape[0]):
        named = np.int64(words[w]) & mask
        usable = named <= place
        other = named if usable else place
        selected = lines[line, place]
        lines[line, place] = lines[line, other]
        lines[line, other] = selected
        place -= usable
        if 2 * place <= mask:
            mask >>= 1
        if place == 0:
            line += 1
            if line == lines.shape[0]:
                break
            place = last
            mask = 1
            while mask < place:
                mask = 2 * mask + 1
    return line, place


def k_fold(
    n: int,
    k: int,
    rng: np.random.Generator,
    *,
    repeats: int = 1,
    strata: np.ndarray | None = None,
) -> Resamples:
    """Split into k folds whose sizes differ by one at most; stratified, dealt by class as in Kohavi (1995)."""
    if not 2 <= k <= n:
        raise UsageError(f"k_fold was asked for k = {k} folds of n = {n} cases; expected 2 to n; choose another k")
    _check("k_fold", n, 2, repeats)
    if strata is None:
        return _from_folds(n, _permuted(_dealt(n, k), repeats, rng), k)
    # Kohavi (1995), section 2.2: shuffle, sort by class in that order, deal the sorted cases round the folds
    labels = np.empty((repeats, n), dtype=np.int32)
    shuffled = np.array([rng.permutation(n) for _ in range(repeats)])
    by_class = np.take_along_axis(shuffled, np.argsort(strata[shuffled], axis=1, kind="stable"), axis=1)
    np.put_along_axis(labels, by_class, _dealt(n, k)[None], axis=1)
    return _from_folds(n, labels, k)


def leave_one_out(n: int) -> Resamples:
    """Test each case on all the others."""
    _check("leave_one_out", n, 2)
    return _from_folds(n, np.arange(n, dtype=np.int32)[None, :], n)


def bootstrap(
    n: int,
    replicates: int,
    rng: np.random.Generator,
    *,
    test: Literal["out-of-bag", "all", "training"] = "out-of-bag",
) -> Resamples:
    """Draw n cases with replacement, ``replicates`` times."""
    _check("bootstrap", n, 2, replicates, "replicates")
    # Efron (1979): n independent draws, each case with chance 1 / n
    counts = _count_draws(rng.integers(0, n, size=(replicates, n), dtype=np.int32), n)
    if test == "out-of-bag":
        start, cases = _tests_of_absent(counts)
    elif test in ("all", "training"):  # n tests a row, once each or as often as drawn
        start = np.arange(replicates + 1, dtype=np.int64) * n
        cases = np.tile(np.arange(n, dtype=np.int32), replicates)
        cases = repeat_each(cases, counts.ravel()) if test == "training" else cases
    else:
        raise UsageError(f"bootstrap was asked to test '{test}'; expected out-of-bag, all or training; choose one")
    return from_training_counts(counts, start, cases)


def leave_one_out_bootstrap(n: int, replicates: int, rng: np.random.Generator) -> Resamples:
    """Test each case on ``replicates`` bootstrap samples of size n drawn from the others: n times B rows."""
    _check("leave_one_out_bootstrap", n, 2, replicates, "replicates")
    left_out = np.tile(np.arange(n, dtype=np.int32), replicates)
    # Shakhnarovich et al. (2001), equation (8): n draws from the n - 1 others, B times for each case
    draws = rng.integers(0, n - 1, size=(n * replicates, n), dtype=np.int32)
    # numbers from the left-out case on move up by one: uniform over the n - 1 others
    draws += draws >= left_out[:, None]
    counts = _count_draws(draws, n)
    replicate = repeat_each(np.arange(replicates, dtype=np.int32), n)
    return from_training_counts(counts, np.arange(n * replicates + 1, dtype=np.int64), left_out, replicate, replicates)
