"""Errors on clones: samples of the smoothed bootstrap, drawn in blocks and shared.

A clone is no multiset of cases, so it cannot stand in
:class:`~errorest.resampling.multisets.Resamples`; what is kept of it are counts of errors.
One pass draws every clone once, for all inducers and all ways of testing.

Estimators on clones are those of Shakhnarovich, El-Yaniv & Baram (2001), section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from compendium.methods.clones.cloner import Cloner, leave_one_out_stacks
from compendium.methods.clones.cloning import CloneFolds, CloneScheme
from compendium.methods.stacks import cross_validate_stack, fold_labels, predict_stack
from errorest.counting import count_each, repeat_each
from errorest.data.sample import Sample, SampleStack
from errorest.errors import UsageError
from errorest.estimation.outcomes import RowErrors
from errorest.learners.base import Inducer
from errorest.resampling.scheme import folds_of
from errorest.streams import Streams

_BLOCK_BYTES = 1 << 26


def _draw(scheme: CloneScheme) -> tuple[bool, int]:
    """Tell which clones a scheme needs; schemes of one answer share them."""
    return scheme.tested == "left-out", scheme.samples.key


class _Work:
    """One scheme under way: its own random streams, and the errors of every inducer so far."""

    def __init__(self, scheme: CloneScheme, sample: Sample, inducers: Sequence[Inducer], streams: Streams) -> None:
        self.scheme, self.sample, self.inducers = scheme, sample, inducers
        self._rng = streams.generator(scheme.key)
        self._streams = [
            streams.generator(scheme.key, "inducer") if getattr(inducer, "random", False) else None
            for inducer in inducers
        ]
        self._errors: list[list[np.ndarray]] = [[] for _ in inducers]
        self._tested: list[np.ndarray] = []

    def test(self, stack: SampleStack, case: int | None = None) -> None:
        """Test the classifiers of a block of clones on the cases, or of clones of all others on one case."""
        if isinstance(self.scheme, CloneFolds):
            k = folds_of(self.scheme.k, stack.n)
            folds = fold_labels(stack.n_samples, stack.n, k, self._rng)
            row = (np.arange(stack.n_samples)[:, None] * k + folds).ravel()
            rows = stack.n_samples * k
            self._tested.append(count_each(row, minlength=rows))
            for inducer, rng, errors in zip(self.inducers, self._streams, self._errors, strict=True):
                wrong = cross_validate_stack(inducer, stack, folds, rng) != stack.y
                errors.append(count_each(row[wrong.ravel()], minlength=rows))
            return
        cases = slice(None) if case is None else slice(case, case + 1)
        rows, tested = (stack.n_samples, self.sample.n) if case is None else (1, stack.n_samples)
        self._tested.append(np.full(rows, tested))
        for inducer, rng, errors in zip(self.inducers, self._streams, self._errors, strict=True):
            wrong = predict_stack(inducer, stack, self.sample.X[cases], rng) != self.sample.y[cases]
            errors.append(wrong.reshape(rows, -1).sum(axis=1))

    def counts(self) -> list[RowErrors]:
        """Return what has been counted, in the order of the inducers."""
        tested = np.concatenate(self._tested)
        # where each case holds all replicates, they are one repetition
        repeats = 1 if self.scheme.tested == "left-out" else self.scheme.replicates
        replicate = repeat_each(np.arange(repeats, dtype=np.int32), tested.shape[0] // repeats)
        return [RowErrors(np.concatenate(errors), tested, replicate, repeats) for errors in self._errors]


def count_errors(
    sample: Sample, inducers: Sequence[Inducer], schemes: Sequence[CloneScheme], streams: Streams
) -> list[dict[CloneScheme, RowErrors]]:
    """Draw clones of a sample in blocks of bounded memory and count the errors of every inducer on them."""
    counts: list[dict[CloneScheme, RowErrors]] = [{} for _ in inducers]
    distinct = sorted(dict.fromkeys(schemes), key=_draw)
    for (left_out, _), group in groupby(distinct, key=_draw):
        work = [_Work(scheme, sample, inducers, streams) for scheme in group]
        first = work[0].scheme
        if first.replicates < 1:
            raise UsageError(
                f"{first.replicates} clones were asked for; expected at least 1; ask for one or more replicates"
            )
        rng = streams.generator(first.samples.key)
        c = first.cloning
        cloner = Cloner(sample, per_class=c.per_class, kernel=c.kernel, stages=c.stages, bounds=c.bounds)
        if left_out:
            for i, stack in leave_one_out_stacks(cloner, first.replicates, sample.n, rng):
                for w in work:
                    w.test(stack, i)
        else:
            # how many clones are drawn at a time depends on the shape of the sample alone, as the draws do
            block = max(1, _BLOCK_BYTES // (8 * sample.n * (sample.d + 1)))
            for done in range(0, first.replicates, block):
                stack = cloner.stack(min(block, first.replicates - done), sample.n, rng)
                for w in work:
                    w.test(stack)
        for w in work:
            for one, made in zip(counts, w.counts(), strict=True):
                one[w.scheme] = made
    return counts
