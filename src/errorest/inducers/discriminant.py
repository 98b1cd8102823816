"""Fisher's linear discriminant for any number of attributes and classes.

A case goes to the class with the largest linear score: its mean against the pooled
within-class covariance, with equal priors the midpoint rule (Shakhnarovich, El-Yaniv &
Baram 2001, section 7).  The arithmetic stands in :mod:`~errorest.inducers.linear_scores`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, dataclass
from typing import Any, Literal

import numpy as np

from errorest.data.sample import Attribute, Sample
from errorest.data.stacks import SampleStack
from errorest.errors import UsageError
from errorest.inducers.inputs import cases_to_label, check_numeric, check_values
from errorest.inducers.linear_scores import (
    NO_CASES,
    RANK_TOLERANCE,
    TIE_TOLERANCE,
    Model,
    Rule,
    cross_validate_samples,
    predict_cases,
    predict_rows,
    predict_samples,
    share_cases,
    share_rows,
    train_all,
)
from errorest.resampling.draw import Resamples
from errorest.spec import Spec

__all__ = [
    "RANK_TOLERANCE",
    "TIE_TOLERANCE",
    "LinearClassifier",
    "LinearDiscriminant",
]

Priors = Literal["equal", "sample"]
DegenerateMatrix = Literal["total", "within"]

_WHO = "the linear discriminant"


@dataclass(frozen=True, eq=False)
class LinearClassifier:
    """Linear scores; made by :meth:`LinearDiscriminant.fit`.

    Parameters
    ----------
    outcome : int
        The class that is always predicted, or one of the negative numbers of
        :mod:`~errorest.inducers.linear_scores`: there are scores.
    model : Model
        Class counts of the training set, and by class the score against the first present.
    """

    outcome: int
    model: Model

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases."""
        values = cases_to_label(X, self.model.weights.shape[1], _WHO)
        return predict_cases(values, self.outcome, self.model)

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Return the probability of every class, as if classes were normal with one covariance; shape (m, K)."""
        values = cases_to_label(X, self.model.weights.shape[1], _WHO)
        return share_cases(values, self.outcome, self.model)


@dataclass(frozen=True, eq=False)
class LinearDiscriminant(Spec):
    """Fisher's linear discriminant with the pooled within-class covariance.

    With means m_c, the pooled covariance S of the k classes that are present (divisor
    n - k) and class b the first of them, a case x goes to the class with the largest
    (m_c - m_b)' S^-1 (x - (m_c + m_b)/2) + ln(p_c / p_b); among equal scores
    (:data:`TIE_TOLERANCE`) to the lowest.  Repeated cases count as often as they stand.

    A training set of one class gives that class; a class without cases is never predicted.
    Where S is singular (few cases, duplicates, an attribute with one value), directions
    without within-class variance (:data:`RANK_TOLERANCE`, of attributes scaled by their
    total deviation) decide first, by the nearest mean along them; where they leave a tie,
    the discriminant within the other directions decides.  This is the limit of a ridge
    that goes to 0, and for two classes the pseudo-inverse of the total covariance.

    A training set with fewer cases than attributes, of 101 attributes or more, is done in
    matrices of cases by cases: the same scores but for rounding, for far less time and memory.

    Parameters
    ----------
    priors : {"equal", "sample"}
        ``equal`` puts the boundary of two classes through the midpoint of their means;
        ``sample`` takes p_c from the training set.
    degenerate_condition : float or None
        If given: predict the lowest class that is present whenever the least eigenvalue of
        the covariance is less than this share of the largest.
    degenerate_matrix : {"total", "within"}
        Whose eigenvalues these are: of the covariance of all training cases, or within classes.

    Raises
    ------
    UsageError
        If a setting is unknown; from the faces, if an attribute is nominal, a value is
        missing, or a training set is empty.

    References
    ----------
    Shakhnarovich, El-Yaniv & Baram (2001), section 7; for singular covariances Raudys &
    Duin (1998), "Expected classification error of the Fisher linear classifier with
    pseudo-inverse covariance matrix".

    Examples
    --------
    >>> from errorest.resampling.draw import leave_one_out
    >>> s = Sample.from_arrays([0.0, 1.0, 4.0, 5.0], ["a", "a", "b", "b"])
    >>> LinearDiscriminant().id, LinearDiscriminant().predict_resamples(s, leave_one_out(4)).tolist()
    ('linear-discriminant', [0, 0, 1, 1])
    """

    name = "linear-discriminant"

    priors: Priors = "equal"
    degenerate_condition: float | None = None
    degenerate_matrix: DegenerateMatrix = "total"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.degenerate_condition is not None and not 0.0 <= self.degenerate_condition <= 1.0:
            raise UsageError(
                f"the linear discriminant was given the degenerate condition {self.degenerate_condition}; "
                "expected a ratio of eigenvalues, least to largest, from 0 to 1; choose another, or None"
            )

    def shows(self, setting: Field[Any]) -> bool:
        """Show of which matrix the condition is, where there is one."""
        if setting.name == "degenerate_matrix":
            return self.degenerate_condition is not None
        return super().shows(setting)

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> LinearClassifier:
        """Make the classifier of a whole sample."""
        X = _checked(sample.X, sample.attributes)
        outcome, model = train_all(X, sample.y, sample.n_classes, self._rule)
        if outcome == NO_CASES:
            raise _no_cases("the sample")
        return LinearClassifier(int(outcome), Model(*model))

    def predict_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Label the tested cases of every row in one compiled pass."""
        return self._over_rows(predict_rows, sample, resamples)

    def predict_proba_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Tell the class probabilities of the tested cases of every row; float array, shape (T, K)."""
        return self._over_rows(share_rows, sample, resamples)

    def _over_rows(self, compiled: Callable[..., Any], sample: Sample, resamples: Resamples) -> np.ndarray:
        X = _checked(sample.X, sample.attributes)
        said, row = compiled(
            X, sample.y, sample.n_classes, self._rule, resamples.compact, resamples.start, resamples.cases
        )
        if row >= 0:
            raise _no_cases(f"row {row} of the resamples")
        return np.asarray(said)

    def predict_stack(self, stack: SampleStack, X: np.ndarray) -> np.ndarray:
        """Label cases by the classifier of each sample of a stack.

        Parameters
        ----------
        stack : SampleStack
        X : float array, shape (m, d) or (S, m, d)
            The same cases for every sample, or each sample's own.

        Returns
        -------
        int64 array, shape (S, m)
        """
        training = _checked(stack.X, stack.attributes)
        tested = cases_to_label(X, training.shape[2], _WHO, stacked=True)
        tested = tested[None] if tested.ndim == 2 else tested
        if stack.n == 0:
            raise _no_cases("each sample of the stack")
        return predict_samples(training, np.ascontiguousarray(stack.y), stack.n_classes, self._rule, tested)

    def cross_validate_stack(self, stack: SampleStack, folds: np.ndarray) -> np.ndarray:
        """Label each case of each sample by the classifier of that sample's other folds.

        Parameters
        ----------
        stack : SampleStack
        folds : int array, shape (S, n)
            Fold of each case, from 0 on.

        Returns
        -------
        int64 array, shape (S, n)
        """
        training = _checked(stack.X, stack.attributes)
        labels, s = cross_validate_samples(
            training, np.ascontiguousarray(stack.y), stack.n_classes, self._rule, np.ascontiguousarray(folds)
        )
        if s >= 0:
            raise _no_cases(f"sample {s} of the stack, without a fold,")
        return labels

    @property
    def _rule(self) -> Rule:
        threshold = -1.0 if self.degenerate_condition is None else float(self.degenerate_condition)
        return Rule(self.priors == "sample", threshold, self.degenerate_matrix == "total")


def _checked(X: np.ndarray, attributes: tuple[Attribute, ...]) -> np.ndarray:
    """Return training values as a contiguous array, or refuse them."""
    check_numeric(attributes, _WHO, "mean")
    check_values(X, attributes, _WHO)
    return np.ascontiguousarray(X)


def _no_cases(where: str) -> UsageError:
    return UsageError(
        f"the linear discriminant was given a training set without cases: {where} has none; "
        "expected at least one case; choose a larger sample or more folds"
    )
