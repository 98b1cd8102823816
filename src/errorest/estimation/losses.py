"""Losses: one number for each tested case in each resample, and what is made of them everywhere.

An :class:`Outcome` holds what a classifier said of every tested case and the losses of that: 0/1, a loss
of one's own (:class:`OwnLoss`), or numbers given as they are (:class:`GivenLosses`), such as those of
groups.  Another kind of loss, of probabilities say, is another :class:`Loss`.  Of clones there are
counts of errors alone, :class:`RowErrors`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numba as nb
import numpy as np

from errorest.errors import UsageError
from errorest.resampling.multisets import Resamples

__all__ = [
    "ZERO_ONE",
    "GivenLosses",
    "Loss",
    "LossFunction",
    "Outcome",
    "OwnLoss",
    "RowErrors",
    "case_means",
    "loss_of",
    "mean_of_known",
    "segment_sums",
]

LossFunction = Callable[[np.ndarray, np.ndarray], Any]
"""``loss(y_true, y_pred)`` of class numbers, arrays of one shape, returning a number a case."""


class Loss:
    """The 0/1 loss, and base of the others: what a tested case of a class costs, given what was said of it."""

    zero_one = True

    def __repr__(self) -> str:
        # it stands in signatures, where an address would change with every build
        return f"{type(self).__name__}()"

    def of(self, y: np.ndarray, said: np.ndarray) -> np.ndarray:
        """Loss of every tested case; array, shape (T,)."""
        return np.asarray(said != y)

    def no_information(self, y: np.ndarray, said: np.ndarray, n_classes: int) -> float:
        """Mean loss if classes and what was said were independent (gamma).

        References
        ----------
        Efron & Tibshirani (1997), equation (28).
        """
        p = np.bincount(y, minlength=n_classes) / y.shape[0]
        q = np.bincount(said, minlength=n_classes) / said.shape[0]
        return float(np.sum(p * (1.0 - q)))


ZERO_ONE = Loss()
"""1 for a wrong label, 0 for a right one."""


class OwnLoss(Loss):
    """A loss of one's own, asked once for every pair of classes.

    Parameters
    ----------
    function : callable
        ``function(y_true, y_pred)`` of class numbers, arrays, one number a case.
    n_classes : int
    """

    zero_one = False

    def __init__(self, function: LossFunction, n_classes: int) -> None:
        true, said = (a.ravel() for a in np.indices((n_classes, n_classes)))
        try:
            values = np.asarray(function(true, said), dtype=np.float64)
        except UsageError:
            raise
        except Exception as exc:  # a function of anybody's may raise anything
            raise UsageError(
                f"the loss failed ({type(exc).__name__}: {exc}); expected loss(y_true, y_pred) for arrays of labels, "
                "one finite number a case; mend the loss"
            ) from None
        if values.shape != true.shape or not np.isfinite(values).all():
            raise UsageError(
                f"the loss returned values of shape {values.shape} for {true.size} cases, or some that are not finite; "
                "expected one finite number a case; write loss(y_true, y_pred) for arrays"
            )
        self._of_pairs = values.reshape(n_classes, n_classes)
        self.zero_one = bool((self._of_pairs == 1.0 - np.eye(n_classes)).all())

    def of(self, y: np.ndarray, said: np.ndarray) -> np.ndarray:
        """Loss of every tested case; float array, shape (T,)."""
        return np.asarray(self._of_pairs[y, said])

    def no_information(self, y: np.ndarray, said: np.ndarray, n_classes: int) -> float:
        """Mean loss if classes and what was said were independent."""
        p = np.bincount(y, minlength=n_classes) / y.size
        q = np.bincount(said, minlength=n_classes) / said.size
        return float((p[:, None] * q[None, :] * self._of_pairs).sum())


class GivenLosses(Loss):
    """Losses that somebody has worked out, one a tested case.

    Parameters
    ----------
    values : float array, shape (T,)
    """

    zero_one = False

    def __init__(self, values: np.ndarray) -> None:
        self._values = values

    def of(self, y: np.ndarray, said: np.ndarray) -> np.ndarray:
        """Return the losses."""
        return self._values


def loss_of(function: LossFunction | None, n_classes: int) -> Loss:
    """Return the loss of a function; None, and a function that says the same, is 0/1."""
    if function is None:
        return ZERO_ONE
    own = OwnLoss(function, n_classes)
    return ZERO_ONE if own.zero_one else own


@dataclass(frozen=True, eq=False)
class RowErrors:
    """Errors of each row: all that there is of clones, which list no cases.

    Parameters
    ----------
    errors, tested : arrays, shape (R,)
        Sums of losses (with 0/1: wrong labels) and tested cases of each row.
    replicate : int array, shape (R,)
        Which repetition a row belongs to.
    repeats : int
        How many repetitions there are.
    """

    errors: np.ndarray
    tested: np.ndarray
    replicate: np.ndarray
    repeats: int

    @property
    def n_rows(self) -> int:
        """Number of rows: classifiers, or folds, or cases with all their clones."""
        return int(self.tested.shape[0])

    @cached_property
    def rate(self) -> float:
        """Mean loss, with 0/1 the error rate (a proportion): the rows of each repeat pooled, the repeats averaged."""
        if self.repeats == 1 and self.errors.dtype.kind == "f":
            # numpy adds fractions in an order of its own, on which a last digit hangs
            return self.pooled_rate
        rates = _rates_of_repeats(self.errors, self.tested, self.replicate, self.repeats)
        return float(rates.mean() if self.repeats > 1 else rates[0])

    @cached_property
    def pooled_rate(self) -> float:
        """Mean loss of all tested cases; NaN where there is none."""
        return float(self.errors.sum() / self.tested.sum()) if self.tested.any() else float("nan")

    @cached_property
    def row_rates(self) -> np.ndarray:
        """Mean loss of each row; float array, shape (R,), NaN where nothing is tested."""
        return np.divide(self.errors, self.tested, out=np.full(self.n_rows, np.nan), where=self.tested > 0)

    @cached_property
    def mean_row_rate(self) -> float:
        """Mean of the rows' own mean losses; NaN where no row tests anything."""
        some = self.tested > 0
        return float((self.errors[some] / self.tested[some]).mean()) if some.any() else float("nan")


@dataclass(frozen=True, eq=False)
class Outcome(RowErrors):
    """What one scheme yielded on one sample.

    Parameters
    ----------
    errors, tested, replicate, repeats
        As :class:`RowErrors`.
    resamples : Resamples
    labels : int array, shape (T,)
        Predicted classes, aligned with ``resamples.cases``.
    y : int array, shape (n,)
        Classes of the cases.
    loss : Loss
    """

    resamples: Resamples
    labels: np.ndarray
    y: np.ndarray
    loss: Loss = ZERO_ONE

    @classmethod
    def of(cls, resamples: Resamples, labels: np.ndarray, y: np.ndarray, loss: Loss = ZERO_ONE) -> Outcome:
        """Make the outcome of what was said of each tested case."""
        tested = resamples.start[1:] - resamples.start[:-1]
        if loss is ZERO_ONE:
            errors = _row_errors(labels, y, resamples.start, resamples.cases)
        else:
            errors = segment_sums(loss.of(y[resamples.cases], labels), resamples.start)
        return cls(errors, tested, resamples.replicate, resamples.repeats, resamples, labels, y, loss)

    @cached_property
    def losses(self) -> np.ndarray:
        """Loss of every tested case; array, shape (T,), of bool where the loss is 0/1."""
        return self.loss.of(self.y[self.resamples.cases], self.labels)

    def under(self, loss: Loss) -> Outcome:
        """Return the same answers with another loss."""
        return self if loss is self.loss else Outcome.of(self.resamples, self.labels, self.y, loss)

    def no_information(self, n_classes: int) -> float:
        """Mean loss if classes and labels were independent; of a sample's own classifier."""
        return self.loss.no_information(self.y[self.resamples.cases], self.labels, n_classes)


def case_means(cases: np.ndarray, losses: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Average the losses of each case over the rows that test it."""
    tested = np.bincount(cases, minlength=n)
    total = np.bincount(cases, weights=losses, minlength=n)
    return np.divide(total, tested, out=np.full(n, np.nan), where=tested > 0), tested


def mean_of_known(means: np.ndarray) -> float:
    """Average what is no NaN: of :func:`case_means`, Err1, the leave-one-out bootstrap error.

    References
    ----------
    Efron & Tibshirani (1997), section 2.
    """
    known = means[~np.isnan(means)]
    return float(known.mean()) if known.size else float("nan")


@nb.njit(cache=True)
def _rates_of_repeats(errors, tested, replicate, repeats):  # type: ignore[no-untyped-def]
    wrong = np.zeros(repeats)
    cases = np.zeros(repeats, dtype=np.int64)
    for r in range(errors.shape[0]):
        wrong[replicate[r]] += errors[r]
        cases[replicate[r]] += tested[r]
    rates = np.empty(repeats)
    for m in range(repeats):
        rates[m] = wrong[m] / cases[m] if cases[m] > 0 else np.nan
    return rates


@nb.njit(cache=True)
def _row_errors(labels, y, start, cases):  # type: ignore[no-untyped-def]
    rows = start.shape[0] - 1
    errors = np.zeros(rows, dtype=np.int64)
    for r in range(rows):
        wrong = 0
        for j in range(start[r], start[r + 1]):
            wrong += labels[j] != y[cases[j]]
        errors[r] = wrong
    return errors


@nb.njit(cache=True)
def segment_sums(values, start):  # type: ignore[no-untyped-def]
    """Sum the values of each row, in their order; float array, shape (R,)."""
    out = np.zeros(start.shape[0] - 1)
    for r in range(out.shape[0]):
        for j in range(start[r], start[r + 1]):
            out[r] += values[j]
    return out
