"""scikit-learn's splitters as a scheme of ours; the other way round, every scheme of ours is a splitter.

:func:`from_splitter` makes an estimator of anything with ``split`` and ``get_n_splits``.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators.estimator import Estimator, Outcomes
from errorest.resampling.multisets import Resamples, from_training_counts
from errorest.resampling.scheme import Classes, Rng, Scheme

__all__ = ["OfSplitter", "SplitterScheme", "from_splitter", "is_splitter"]


def is_splitter(candidate: Any) -> bool:
    """Whether an object splits as scikit-learn's splitters do."""
    return not isinstance(candidate, str | type) and all(
        callable(getattr(candidate, face, None)) for face in ("split", "get_n_splits")
    )


@dataclass(frozen=True, eq=False)
class SplitterScheme(Scheme):
    """The splits of a scikit-learn splitter, made once, as a scheme."""

    name = "splitter"
    keeps_groups = True

    splitter: str
    made: Resamples = field(kw_only=True, repr=False, compare=False)

    def _rows(self, n: int, y: Classes, rng: Rng, own: Rng | None) -> Resamples:
        return self.made

    def fits(self, n: int) -> int:
        """Count the classifiers: one a split."""
        return self.made.n_rows

    @property
    def shape(self) -> tuple[int, int]:
        """Number of splits, and the cases that the first one tests."""
        return self.made.n_rows, int(self.made.start[1])

    @property
    def partitions(self) -> bool:
        """Whether every case is tested once, by a classifier made of all cases of the other test sets."""
        made, n = self.made, self.made.n
        if made.cases.shape[0] != n or np.unique(made.cases).shape[0] != n:
            return False
        trained = made.training_counts().sum(axis=1)
        return bool((trained == n - np.diff(made.start)).all())

    @property
    def splits_alike(self) -> bool:
        """Whether all splits part all cases in two, with equally many tested."""
        made = self.made
        sizes = np.diff(made.start)
        whole = (made.training_counts() + made.test_counts() == 1).all()
        return bool(whole and made.n_rows > 1 and (sizes == sizes[0]).all())


@dataclass(frozen=True, eq=False)
class OfSplitter(Estimator):
    """The mean of the error rates of a splitter's splits."""

    splits: SplitterScheme

    @cached_property
    def id(self) -> str:
        """The splitter's own text."""
        return f"splitter({self.splits.splitter})"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """The splits."""
        return (self.splits,)

    def reduce(self, sample: Sample, outcomes: Outcomes) -> float:
        """Average the splits with equal weight."""
        return outcomes[self.splits].mean_row_rate


def from_splitter(
    splitter: Any, X: Any, y: Any = None, groups: Any = None, rng: np.random.Generator | None = None
) -> OfSplitter:
    """Make an estimator of a scikit-learn splitter: the mean of the splits' error rates.

    With 0/1 loss it equals ``1 - cross_val_score(...).mean()`` on the same splits.

    Parameters
    ----------
    splitter : object with ``split`` and ``get_n_splits``
    X, y, groups
        What it is asked to split; the estimator is good for these cases alone.
    rng : numpy.random.Generator, optional
        Seeds a splitter that shuffles and has no random state.

    Raises
    ------
    UsageError
        If the splitter refuses the data, or a split is empty.

    Examples
    --------
    >>> from sklearn.model_selection import KFold
    >>> from_splitter(KFold(2), np.zeros((4, 1))).id
    'splitter(KFold(n_splits=2, random_state=None, shuffle=False))'
    """
    from sklearn.utils.validation import _num_samples

    text = " ".join(repr(splitter).split())
    own = copy.copy(splitter)
    if rng is not None and getattr(own, "random_state", 0) is None and getattr(own, "shuffle", True):
        own.random_state = int(rng.integers(2**31))
    n = _num_samples(X)
    try:
        splits = [(np.asarray(a), np.asarray(b)) for a, b in own.split(X, y, groups)]
    except UsageError:
        raise
    except Exception as exc:  # a splitter of anybody's may raise anything
        raise UsageError(
            f"{text} refuses these data ({' '.join(str(exc).split())}); expected a splitter that fits {n} cases; use "
            "fewer folds, give groups, or choose a scheme of ours such as cv(k=10)"
        ) from None
    if not splits or any(not a.size or not b.size for a, b in splits):
        raise UsageError(f"{text} makes a split without training or test cases; expected both; mend its settings")
    counts = np.zeros((len(splits), n), dtype=np.int32)
    for row, (train, _) in enumerate(splits):
        np.add.at(counts[row], np.arange(n)[train], 1)
    cases = np.concatenate([np.arange(n)[test] for _, test in splits]).astype(np.int32)
    start = np.concatenate([[0], np.cumsum([np.arange(n)[test].size for _, test in splits])]).astype(np.int64)
    return OfSplitter(SplitterScheme(text, made=from_training_counts(counts, start, cases)))
