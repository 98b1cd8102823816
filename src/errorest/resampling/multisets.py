"""Resamples: training multisets of one sample and the cases tested on each.

Rows are fold labels (train on all positions with another label) or counts (how often each case is trained on).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from errorest.compiled import both, kernel
from errorest.counting import count_each, repeat_each
from errorest.errors import UsageError

NO_ROWS = np.empty((0, 0), dtype=np.int32)
"""Stands for the labels, sources or counts that a compact form does not use."""

# Training counts (rows times cases) from which resamples are predicted in parts, between which progress is reported
_LARGE, _PARTS = 20_000_000, 20


class Compact(NamedTuple):
    """The arrays that compiled code reads; expand a row with :func:`training_row`."""

    n: int
    form: np.ndarray  # 0 for a row of fold labels, 1 for a row of counts
    line: np.ndarray  # index of a row in ``labels`` or ``counts``
    fold: np.ndarray  # the label that is left out
    labels: np.ndarray
    source: np.ndarray  # the case at a position of ``labels``; no columns: position p is case p
    counts: np.ndarray


class Layout(NamedTuple):
    """How the rows of a plain scheme are ordered: line m of labels or counts makes ``folds`` rows, repetition m."""

    form: int
    lines: int
    folds: int


@lru_cache(maxsize=256)
def rows_of(layout: Layout) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return form, line and fold of each row; many resamples share one answer, hence it is read-only."""
    line, fold = np.divmod(np.arange(layout.lines * layout.folds, dtype=np.int32), np.int32(layout.folds))
    parts = (np.full(line.shape[0], layout.form, dtype=np.int8), line, fold)
    for part in parts:
        part.flags.writeable = False
    return parts


@dataclass(frozen=True, eq=False)
class Resamples:
    """R training multisets of one sample and the cases tested on each.

    Made by the schemes of this module, not by hand.

    Parameters
    ----------
    compact : Compact
        The training side.
    start : int array, shape (R + 1,)
        Row r is tested on ``cases[start[r]:start[r + 1]]``.
    cases : int array, shape (T,)
        Tested cases, row by row; a case that is tested twice is listed twice.
    replicate : int array, shape (R,)
        Which repetition of the scheme a row belongs to.
    repeats : int
        How many repetitions there are.
    layout : Layout, optional
        Set by schemes whose rows follow it, so that :func:`concatenate` can look the joined rows up.

    Examples
    --------
    >>> from errorest.resampling.draw import k_fold
    >>> r = k_fold(4, 2, np.random.default_rng(0))
    >>> r.n_rows, r.training_counts().sum(axis=1).tolist(), sorted(r.cases.tolist())
    (2, [2, 2], [0, 1, 2, 3])
    """

    compact: Compact
    start: np.ndarray
    cases: np.ndarray
    replicate: np.ndarray
    repeats: int
    layout: Layout | None = None

    @property
    def n(self) -> int:
        """Number of cases of the sample."""
        return self.compact.n

    @property
    def n_rows(self) -> int:
        """Number of training multisets, R."""
        return self.start.shape[0] - 1

    @property
    def fold(self) -> np.ndarray:
        """Fold of each row within its repetition; int array, shape (R,)."""
        return self.compact.fold

    def row_of_test(self) -> np.ndarray:
        """Return the row of every tested case; int array, shape (T,)."""
        return repeat_each(np.arange(self.n_rows, dtype=np.int64), np.diff(self.start))

    def training_counts(self, first: int = 0, last: int | None = None) -> np.ndarray:
        """Return how often each case is trained on; int32 array, shape (rows, n)."""
        stop = self.n_rows if last is None else last
        return _dense(self.compact, first, stop)

    def test_counts(self, first: int = 0, last: int | None = None) -> np.ndarray:
        """Return how often each case is tested; int32 array, shape (rows, n)."""
        stop = self.n_rows if last is None else last
        row = repeat_each(np.arange(stop - first), np.diff(self.start[first : stop + 1]))
        at = row * self.n + self.cases[self.start[first] : self.start[stop]]
        return count_each(at, minlength=(stop - first) * self.n).reshape(stop - first, self.n).astype(np.int32)

    def blocks(self, max_bytes: int = 1 << 26) -> Iterator[tuple[int, int]]:
        """Yield row ranges whose dense counts stay under ``max_bytes`` each."""
        step = max(1, max_bytes // (4 * max(self.n, 1)))
        for first in range(0, self.n_rows, step):
            yield first, min(first + step, self.n_rows)

    def parts(self) -> Iterator[Resamples]:
        """Yield the rows in parts, between which progress is reported; all at once where they are few."""
        if self.n_rows * self.n < _LARGE:
            yield self
            return
        part = np.arange(self.n_rows) * _PARTS // self.n_rows
        for number in np.unique(part):
            yield keep_rows(self, part == number)


@both
def training_row(compact, r, out):  # type: ignore[no-untyped-def]
    """Write the training counts of row r into ``out`` (shape (n,)); for compiled callers."""
    line = compact.line[r]
    if compact.form[r] == 1:
        for i in range(compact.n):
            out[i] = compact.counts[line, i]
        return
    left_out = compact.fold[r]
    if compact.source.shape[1] == 0:
        for i in range(compact.n):
            out[i] = 1 if compact.labels[line, i] != left_out else 0
        return
    for i in range(compact.n):
        out[i] = 0
    for p in range(compact.labels.shape[1]):
        if compact.labels[line, p] != left_out:
            out[compact.source[line, p]] += 1


@kernel
def _dense(compact, first, last):  # type: ignore[no-untyped-def]
    out = np.empty((last - first, compact.n), dtype=np.int32)
    for r in range(first, last):
        training_row(compact, r, out[r - first])
    return out


def from_training_counts(
    counts: np.ndarray,
    start: np.ndarray,
    cases: np.ndarray,
    replicate: np.ndarray | None = None,
    repeats: int | None = None,
) -> Resamples:
    """Make resamples of training counts and tested cases that a scheme has worked out."""
    rows, n = counts.shape
    if (
        start.shape != (rows + 1,)
        or start[-1] != cases.shape[0]
        or (replicate is None) != (repeats is None)
        or (replicate is not None and replicate.shape != (rows,))
    ):
        raise UsageError(
            f"{rows} training rows were given with {start.shape[0]} starts and {cases.shape[0]} tested cases; expected "
            "one start more than rows, the last of them the number of tested cases, and repetitions of all rows or none"
        )
    layout = Layout(1, rows, 1)
    form, line, fold = rows_of(layout)
    compact = Compact(n, form, line, fold, NO_ROWS, NO_ROWS, counts)
    if replicate is None or repeats is None:
        return Resamples(compact, start, cases, line, rows, layout)
    # rows of one repetition are its folds, in their order
    order = np.argsort(replicate, kind="stable")
    first = np.searchsorted(replicate[order], replicate)
    fold = np.empty(rows, dtype=np.int32)
    fold[order] = np.arange(rows)
    return Resamples(compact._replace(fold=fold - first.astype(np.int32)), start, cases, replicate, repeats)


def keep_rows(resamples: Resamples, kept: np.ndarray) -> Resamples:
    """Leave rows out; repetitions without a row are no longer counted."""
    sizes = np.diff(resamples.start)
    of_case = repeat_each(kept, sizes)
    start = np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64)
    compact = resamples.compact._replace(
        form=resamples.compact.form[kept], line=resamples.compact.line[kept], fold=resamples.compact.fold[kept]
    )
    if (compact.form == 1).all():
        # reductions read counts row by row
        compact = compact._replace(
            counts=compact.counts[compact.line], line=np.arange(sizes[kept].size, dtype=np.int32)
        )
    # repetitions are numbered again without gaps
    present, replicate = np.unique(resamples.replicate[kept], return_inverse=True)
    return replace(
        resamples,
        compact=compact,
        start=start,
        cases=resamples.cases[of_case],
        replicate=replicate.astype(np.int32),
        repeats=present.shape[0],
        layout=None,
    )


def from_positions(n: int, source: np.ndarray, labels: np.ndarray) -> Resamples:
    """Make resamples of lists of cases, each row without the positions of one label and tested on them."""
    if source.shape != labels.shape or source.ndim != 2 or source.size == 0:
        raise UsageError(
            f"positions have cases of shape {source.shape} and labels of shape {labels.shape}; "
            "expected lists of at least one position with one label each"
        )
    # a list sorted by label: where the label changes a row begins, which is tested on the positions of that label
    order = np.argsort(labels, axis=1, kind="stable")
    ordered = np.take_along_axis(labels, order, axis=1)
    first = np.ones(labels.shape, dtype=bool)
    first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    begin = np.flatnonzero(first)
    line, label = (begin // labels.shape[1]).astype(np.int32), ordered.ravel()[begin]
    cases = np.take_along_axis(source, order, axis=1).ravel()
    compact = Compact(n, np.zeros(begin.shape[0], dtype=np.int8), line, label, labels, source, NO_ROWS)
    return Resamples(compact, np.append(begin, labels.size), cases, line, source.shape[0])


def concatenate(parts: Sequence[Resamples]) -> Resamples:
    """Put the rows of several resamples of one sample behind one another, for one pass of an inducer."""
    if not parts or len({p.n for p in parts}) != 1 or any(p.compact.source.shape[1] for p in parts):
        raise UsageError(
            "these resamples cannot be concatenated; expected at least one, all of one sample, "
            "none of lists of positions; predict them one after another"
        )
    if len(parts) == 1:
        return parts[0]
    compacts = [p.compact for p in parts]
    layouts = tuple(p.layout for p in parts if p.layout is not None)
    if len(layouts) == len(parts):
        form, line, fold, replicate, repeats = _rows_of_layouts(layouts)
    else:
        form, line, fold, replicate, repeats = _joined(
            [
                (c.form, c.line, c.fold, p.replicate, (c.labels.shape[0], c.counts.shape[0], p.repeats))
                for c, p in zip(compacts, parts, strict=True)
            ]
        )
    labels, counts = (
        np.concatenate(filled) if (filled := [a for a in arrays if a.shape[0]]) else NO_ROWS
        for arrays in ([c.labels for c in compacts], [c.counts for c in compacts])
    )
    compact = Compact(parts[0].n, form, line, fold, labels, NO_ROWS, counts)
    start = np.zeros(form.shape[0] + 1, dtype=np.int64)
    row = case = 0
    for p in parts:
        np.add(p.start[1:], case, out=start[row + 1 : row + 1 + p.n_rows])
        row += p.n_rows
        case += p.cases.shape[0]
    return Resamples(compact, start, np.concatenate([p.cases for p in parts]), replicate, repeats)


def _joined(parts):  # type: ignore[no-untyped-def]
    """Put form, line, fold and replicate of parts behind one another, and count the repetitions."""
    # each part ends with what it adds to the numbering of the next: lines of labels, lines of counts, repetitions
    form, line, fold, replicate = (np.concatenate(arrays) for arrays in list(zip(*parts, strict=True))[:4])
    before = np.array([(0, 0, 0), *(p[4] for p in parts)], dtype=np.int32).cumsum(axis=0, dtype=np.int32)
    offset = repeat_each(before[:-1], [p[0].shape[0] for p in parts], axis=0)
    line = line + np.where(form == 0, offset[:, 0], offset[:, 1])
    return form, line, fold, replicate + offset[:, 2], int(before[-1, 2])


@lru_cache(maxsize=64)
def _rows_of_layouts(layouts: tuple[Layout, ...]):  # type: ignore[no-untyped-def]
    """Join the rows of plain schemes; many samples share one answer, hence it is read-only."""
    parts = []
    for layout in layouts:
        form, line, fold = rows_of(layout)
        added = (0, layout.lines, layout.lines) if layout.form else (layout.lines, 0, layout.lines)
        parts.append((form, line, fold, line, added))
    joined = _joined(parts)
    for array in joined[:4]:
        array.flags.writeable = False
    return joined
