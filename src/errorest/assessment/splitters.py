"""Our schemes as scikit-learn splitters, and scikit-learn's splitters as a scheme of ours.

The classes serve ``cross_validate`` and ``GridSearchCV``; :class:`StratifiedDealKFold` without repeats
serves ``cross_val_predict`` too, which needs every case tested once.  The other way round,
:func:`from_splitter` makes an estimator of anything with ``split`` and ``get_n_splits``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils.validation import _num_samples

from errorest.assessment.arrangement import of_counts
from errorest.assessment.runs import SPLITTER
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.estimation.run import Scheme
from errorest.resampling import draw as resampling
from errorest.resampling.multisets import Resamples

__all__ = [
    "BootstrapFoldsSplit",
    "BootstrapSplit",
    "HoldoutSplit",
    "LeaveOneOutBootstrapSplit",
    "RepeatedDealKFold",
    "SplitterScheme",
    "StratifiedDealKFold",
    "from_splitter",
    "is_splitter",
]


class _SchemeSplit(BaseCrossValidator):  # type: ignore[misc]
    """A splitter whose rows come from a scheme; subclasses draw them."""

    random_state: Any = None

    def _draw(self, n: int, y: Any, rng: np.random.Generator) -> Resamples:
        raise NotImplementedError

    def _generator(self) -> np.random.Generator:
        state = self.random_state
        if isinstance(state, np.random.RandomState):
            return np.random.default_rng(state.randint(2**31, size=4))
        return np.random.default_rng(state)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the positions to train on (repeats kept) and to test, split by split.

        Parameters
        ----------
        X : array-like with n rows
        y : array-like, shape (n,)
            Read by stratified splitters alone.
        groups : ignored

        Yields
        ------
        train, test : int arrays
        """
        n = _num_samples(X)
        resamples = self._draw(n, y, self._generator())
        for r in range(resamples.n_rows):
            counts = resamples.training_counts(r, r + 1)[0]
            yield np.repeat(np.arange(n), counts), resamples.cases[resamples.start[r] : resamples.start[r + 1]]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits."""
        raise NotImplementedError


class HoldoutSplit(_SchemeSplit):
    """Random splits into training and test cases (random subsampling).

    Parameters
    ----------
    test : share or number of cases tested (a share is rounded up)
    n_splits : int
    random_state : int, Generator, RandomState or None

    Examples
    --------
    >>> [test.size for _, test in HoldoutSplit(0.25, 2, random_state=0).split(np.zeros((8, 1)))]
    [2, 2]
    """

    def __init__(self, test: Any = Fraction(1, 3), n_splits: int = 1, random_state: Any = None) -> None:
        self.test = test
        self.n_splits = n_splits
        self.random_state = random_state

    def _draw(self, n: int, y: Any, rng: np.random.Generator) -> Resamples:
        return resampling.holdout(n, rng, test=self.test, repeats=self.n_splits)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits."""
        return self.n_splits


class RepeatedDealKFold(_SchemeSplit):
    """Random folds whose sizes differ by one at most, perhaps repeated.

    Parameters
    ----------
    n_splits : int
        Folds.
    n_repeats : int
    random_state : int, Generator, RandomState or None

    Examples
    --------
    >>> RepeatedDealKFold(5, 20).get_n_splits()
    100
    """

    _stratified = False

    def __init__(self, n_splits: int = 10, n_repeats: int = 1, random_state: Any = None) -> None:
        self.n_splits = n_splits
        self.n_repeats = n_repeats
        self.random_state = random_state

    def _draw(self, n: int, y: Any, rng: np.random.Generator) -> Resamples:
        strata = None
        if self._stratified:
            if y is None:
                raise UsageError(
                    f"{type(self).__name__} was asked to split without y; expected the classes to keep in proportion; "
                    "pass y"
                )
            strata = np.unique(np.asarray(y), return_inverse=True)[1]
        return resampling.k_fold(n, self.n_splits, rng, repeats=self.n_repeats, strata=strata)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return folds times repeats."""
        return self.n_splits * self.n_repeats


class StratifiedDealKFold(RepeatedDealKFold):
    """Kohavi's stratified folds: cases shuffled, sorted by class and dealt round the folds.

    A class with fewer cases than folds is never refused.

    Parameters
    ----------
    n_splits : int
        Folds.
    n_repeats : int
    random_state : int, Generator, RandomState or None

    References
    ----------
    Kohavi (1995), section 2.2.

    Examples
    --------
    >>> y = np.array([0, 0, 0, 0, 1, 1])
    >>> [sorted(y[test].tolist()) for _, test in StratifiedDealKFold(2, random_state=1).split(y[:, None], y)]
    [[0, 0, 1], [0, 0, 1]]
    """

    _stratified = True


class BootstrapSplit(_SchemeSplit):
    """Bootstrap samples, tested on the cases that were not drawn.

    A sample that leaves no case out is drawn anew, since scikit-learn tests at least one.

    Parameters
    ----------
    n_splits : int
        Bootstrap samples, B.
    random_state : int, Generator, RandomState or None

    Examples
    --------
    >>> train, test = next(BootstrapSplit(3, random_state=0).split(np.zeros((6, 1))))
    >>> train.size, bool(np.intersect1d(train, test).size)
    (6, False)
    """

    def __init__(self, n_splits: int = 200, random_state: Any = None) -> None:
        self.n_splits = n_splits
        self.random_state = random_state

    def _draw(self, n: int, y: Any, rng: np.random.Generator) -> Resamples:
        drawn = resampling.bootstrap(n, self.n_splits, rng)
        while (np.diff(drawn.start) == 0).any():
            counts = drawn.training_counts()
            full = np.nonzero(np.diff(drawn.start) == 0)[0]
            counts[full] = resampling.bootstrap(n, full.size, rng).training_counts()
            drawn = of_counts(counts)
        return drawn

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of bootstrap samples."""
        return self.n_splits


class LeaveOneOutBootstrapSplit(_SchemeSplit):
    """For each case, bootstrap samples of the others, tested on that case: n times B splits.

    Parameters
    ----------
    n_replicates : int
        Bootstrap samples a case, B.
    random_state : int, Generator, RandomState or None

    Examples
    --------
    >>> LeaveOneOutBootstrapSplit(3).get_n_splits(np.zeros((6, 1)))
    18
    """

    def __init__(self, n_replicates: int = 50, random_state: Any = None) -> None:
        self.n_replicates = n_replicates
        self.random_state = random_state

    def _draw(self, n: int, y: Any, rng: np.random.Generator) -> Resamples:
        return resampling.leave_one_out_bootstrap(n, self.n_replicates, rng)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return cases times replicates; X must be given."""
        if X is None:
            raise UsageError(
                "LeaveOneOutBootstrapSplit was asked for its number of splits without X; expected X, since there are "
                "n times B; pass X"
            )
        return _num_samples(X) * self.n_replicates


class BootstrapFoldsSplit(_SchemeSplit):
    """Folds of bootstrap samples; copies of a case may stand on both sides, as in the paper that proposed it.

    Parameters
    ----------
    n_replicates : int
        Bootstrap samples, B; each yields ``n_folds`` splits.
    n_folds : int
    random_state : int, Generator, RandomState or None

    Examples
    --------
    >>> BootstrapFoldsSplit(4, 3).get_n_splits()
    12
    """

    def __init__(self, n_replicates: int = 50, n_folds: int = 2, random_state: Any = None) -> None:
        self.n_replicates = n_replicates
        self.n_folds = n_folds
        self.random_state = random_state

    def _draw(self, n: int, y: Any, rng: np.random.Generator) -> Resamples:
        return resampling.bootstrap_folds(n, self.n_replicates, self.n_folds, rng)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return bootstrap samples times folds."""
        return self.n_replicates * self.n_folds


def is_splitter(candidate: Any) -> bool:
    """Whether an object splits as scikit-learn's splitters do.

    Examples
    --------
    >>> is_splitter(HoldoutSplit()), is_splitter("cv")
    (True, False)
    """
    return not isinstance(candidate, str | type) and all(
        callable(getattr(candidate, face, None)) for face in ("split", "get_n_splits")
    )


@dataclass(frozen=True, eq=False)
class SplitterScheme(Scheme):
    """The splits of a scikit-learn splitter, made once, as a scheme.

    Parameters
    ----------
    name, settings
        As :class:`~errorest.estimation.run.Scheme`.
    made : Resamples
    """

    made: Resamples = field(kw_only=True, repr=False)

    def resamples(self, sample: Sample, rng: np.random.Generator) -> Resamples:
        """Return the splits."""
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


def from_splitter(
    splitter: Any, X: Any, y: Any = None, groups: Any = None, rng: np.random.Generator | None = None
) -> Estimator:
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
    scheme = SplitterScheme(SPLITTER, (("splitter", text),), made=of_counts(counts, start, cases))
    return Estimator(f"splitter({text})", (scheme,), lambda _, o: o[scheme].mean_row_rate)
