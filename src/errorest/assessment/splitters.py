"""scikit-learn's splitters, lists and generators of splits, and given test sets as schemes of the library."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from errorest.counting import count_each, repeat_each
from errorest.data.sample import Labelled
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator, Outcomes, outcome_of
from errorest.estimation.metrics.metric import Metric, Weights
from errorest.resampling.multisets import Resamples, from_training_counts
from errorest.resampling.scheme import Classes, Rng, Scheme


def is_splitter(candidate: Any) -> bool:
    """Whether an object splits as scikit-learn's splitters do, or is a list or generator of splits."""
    if isinstance(candidate, list | tuple | Iterator):
        return True
    return not isinstance(candidate, str | type) and all(
        callable(getattr(candidate, name, None)) for name in ("split", "get_n_splits")
    )


@dataclass(frozen=True, eq=False)
class SplitterScheme(Scheme):
    """The splits of a scikit-learn splitter, made once, as a scheme."""

    name = "splitter"
    keeps_groups = True

    splitter: str
    made: Resamples = field(kw_only=True, repr=False, compare=False)

    def _rows(self, n: int, y: Classes, rng: Rng) -> Resamples:
        return self.made

    def fits(self, n: int) -> int:
        """Count the classifiers: one a split."""
        return self.made.n_rows

    @cached_property
    def parts_all(self) -> bool:
        """Whether each split trains once on every case that it does not test."""
        return parts_all(self.made)

    @property
    def complementary(self) -> bool:
        """Whether there are several splits, each of which trains once on every case that it does not test."""
        return self.made.n_rows > 1 and self.parts_all

    @property
    def folds(self) -> bool:
        """Whether these are the folds of plain or repeated cross-validation."""
        return self.made.repeats < self.made.n_rows and self.complementary

    @cached_property
    def time_ordered(self) -> bool:
        """Whether there are several splits, each of which trains on cases before all that it tests."""
        made = self.made
        last = made.n - 1 - (made.training_counts() > 0)[:, ::-1].argmax(axis=1)
        return bool(made.n_rows > 1 and (last < np.minimum.reduceat(made.cases, made.start[:-1].astype(np.intp))).all())


Shape = Literal["holdout", "retests", "holdouts", "loo", "folds", "repeated-folds"]
"""How splits test: one test set, the same several times, several of one size, folds of one case each, of several, and
those repeated."""


def parts_all(made: Resamples) -> bool:
    """Whether each split trains once on every case that it does not test."""
    return all((made.training_counts(*block) + made.test_counts(*block) == 1).all() for block in made.blocks())


def shape_of(made: Resamples) -> Shape | None:
    """Tell how splits test their cases; None where intervals know nothing of it."""
    sizes = np.diff(made.start)
    if made.n_rows == 1:
        return None if (made.training_counts() * made.test_counts()).any() else "holdout"
    if not parts_all(made):
        return None
    if (sizes == made.n).all():
        return "retests"
    if made.repeats < made.n_rows:
        return "loo" if (sizes == 1).all() else "folds" if made.repeats == 1 else "repeated-folds"
    return "holdouts" if (sizes == sizes[0]).all() else None


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

    @cached_property
    def of_single_cases(self) -> bool:
        """Whether every split tests one case, which has a loss and no other statistic."""
        return bool((np.diff(self.splits.made.start) == 1).all())

    def weights_of(self, metric: Metric) -> Weights:
        """Say whether splits, or tests, have equal weight; the statistic of single cases is that of all of them."""
        return "test-size" if self.of_single_cases and not metric.decomposable else "folds"

    def reduce(self, sample: Labelled, outcomes: Outcomes) -> float:
        """Average the splits with equal weight, or take them together."""
        outcome = outcome_of(outcomes, self.splits)
        return outcome.rate if self.weights_of(outcome.metric) == "test-size" else outcome.mean_row_rate


@dataclass(frozen=True, eq=False)
class OfPredictions(OfSplitter):
    """The mean of given predictions: of a loss over all, of a statistic as the metric weighs folds."""

    name = "predictions"

    @cached_property
    def id(self) -> str:
        """What was done elsewhere."""
        made = self.splits.made
        if made.n_rows == 1:
            return "one test set"
        more = f", repeats={made.repeats}" if made.repeats > 1 else ""
        return f"cv(k={made.n_rows // made.repeats}{more}), computed elsewhere"

    def weights_of(self, metric: Metric) -> Weights:
        """Weigh as the metric says: an AUC is averaged over the folds, all else is of each repetition."""
        return "test-size" if self.of_single_cases else metric.weights


def from_splitter(
    splitter: Any, X: Any, y: Any = None, groups: Any = None, rng: np.random.Generator | None = None
) -> OfSplitter:
    """Make an estimator of a scikit-learn splitter, or of splits: the mean of the splits' error rates.

    With 0/1 loss it equals ``1 - cross_val_score(...).mean()`` on the same splits.

    Parameters
    ----------
    splitter : object with ``split`` and ``get_n_splits``, or list or generator of (train, test) pairs
        Pairs of arrays of positions, or of masks, as a splitter yields them.
    X, y, groups
        What it is asked to split; the estimator is good for these cases alone.
    rng : numpy.random.Generator, optional
        Seeds a splitter that shuffles and has no random state.

    Raises
    ------
    UsageError
        If the splitter refuses the data, a split is empty, or a pair is none of positions among the cases.

    Examples
    --------
    >>> from sklearn.model_selection import KFold
    >>> from_splitter(KFold(2), np.zeros((4, 1))).id
    'splitter(KFold(n_splits=2, random_state=None, shuffle=False))'
    """
    from sklearn.utils.validation import _num_samples

    n = _num_samples(X)
    if isinstance(splitter, Iterator):
        splitter = list(splitter)
    listed = isinstance(splitter, list | tuple)
    text = f"list of {len(splitter)}" if listed else " ".join(repr(splitter).split())
    if not listed:
        splitter = copy.copy(splitter)
        if rng is not None and getattr(splitter, "random_state", 0) is None and getattr(splitter, "shuffle", True):
            seed = int(rng.integers(2**31))
            if isinstance(splitter, Scheme):
                splitter = replace(splitter, random_state=seed)
            else:
                splitter.random_state = seed
    everyone = np.arange(n)
    try:
        pairs = splitter if listed else splitter.split(X, y, groups)
        # positions, or masks
        splits = [(everyone[np.asarray(train)], everyone[np.asarray(test)]) for train, test in pairs]
    except UsageError:
        raise
    except (Exception, SystemExit) as exc:  # a splitter of anybody's may raise anything
        why = " ".join(str(exc).split())
        if listed:
            raise UsageError(
                f"method is a {type(splitter).__name__} of {len(splitter)} and not every entry is a pair of positions "
                f"among {n} cases ({why}); take list(splitter.split(X, y))"
            ) from None
        raise UsageError(f"{text} refuses these data ({why}); use fewer folds, or give groups") from None
    if not splits or any(not train.size or not test.size for train, test in splits):
        raise UsageError(f"{text} makes a split without training or test cases; expected both")
    # training multisets: a splitter may list a case several times, as a bootstrap does
    row = repeat_each(np.arange(len(splits)), [train.size for train, _ in splits])
    at = row * n + np.concatenate([train for train, _ in splits])
    counts = count_each(at, minlength=len(splits) * n).reshape(len(splits), n).astype(np.int32)
    cases = np.concatenate([test for _, test in splits]).astype(np.int32)
    start = np.concatenate([[0], np.cumsum([test.size for _, test in splits])]).astype(np.int64)
    # splits that test every case once, time and again, are repetitions
    replicate, repeats = None, None
    ends = np.arange(0, cases.size + 1, n)
    whole = ends[-1] == cases.size and np.isin(ends, start).all()
    if whole and (np.sort(cases.reshape(-1, n), axis=1) == np.arange(n)).all():
        replicate, repeats = (start[:-1] // n).astype(np.int32), ends.size - 1
    return OfSplitter(SplitterScheme(text, made=from_training_counts(counts, start, cases, replicate, repeats)))
