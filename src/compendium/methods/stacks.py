"""Labels of stacks of samples: by a learner's compiled forms where it has them, else by one fit a sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

import numpy as np

from errorest.data.sample import SampleStack
from errorest.errors import UsageError
from errorest.learners.base import Inducer, StackLearner
from errorest.resampling.multisets import from_positions


def fold_labels(samples: int, n: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """Draw random folds for every sample of a stack; sizes differ by one at most."""
    if not 2 <= k <= n:
        raise UsageError(f"{k} folds were asked for in samples of {n} cases; expected 2 to {n}; choose another number")
    labels = np.tile(np.arange(n, dtype=np.int32) % np.int32(k), (samples, 1))
    return labels if k == n else rng.permuted(labels, axis=1)


def knows_stacks(inducer: Inducer) -> TypeGuard[StackLearner]:
    """Tell whether an inducer has compiled forms for stacks; ``isinstance`` of a protocol takes longer than a fit."""
    return hasattr(inducer, "predict_stack") and hasattr(inducer, "cross_validate_stack")


def predict_stack(
    inducer: Inducer, stack: SampleStack, X: np.ndarray, rng: np.random.Generator | None = None
) -> np.ndarray:
    """Label cases by the classifier of each sample of a stack."""
    if knows_stacks(inducer):
        return inducer.predict_stack(stack, X)
    streams = _streams(stack, rng)
    labels = np.empty((stack.n_samples, X.shape[-2]), dtype=np.int64)
    for s in range(stack.n_samples):
        labels[s] = inducer.fit(stack.sample(s), streams[s]).predict(X if X.ndim == 2 else X[s])
    return labels


def cross_validate_stack(
    inducer: Inducer, stack: SampleStack, folds: np.ndarray, rng: np.random.Generator | None = None
) -> np.ndarray:
    """Label each case of each sample by the classifier of that sample's other folds."""
    if knows_stacks(inducer):
        return inducer.cross_validate_stack(stack, folds)
    streams = _streams(stack, rng)
    labels = np.empty((stack.n_samples, stack.n), dtype=np.int64)
    for s in range(stack.n_samples):
        rows = from_positions(stack.n, np.arange(stack.n)[None], folds[s][None])
        # an inducer that draws nothing need not take a generator
        sampled = () if rng is None else (streams[s],)
        labels[s, rows.cases] = inducer.predict_resamples(stack.sample(s), rows, *sampled)
    return labels


def _streams(stack: SampleStack, rng: np.random.Generator | None) -> Sequence[np.random.Generator | None]:
    return [None] * stack.n_samples if rng is None else rng.spawn(stack.n_samples)
