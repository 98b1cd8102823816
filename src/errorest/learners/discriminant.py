"""Fisher's linear discriminant for any number of attributes and classes."""

from __future__ import annotations

from dataclasses import Field, dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from errorest.data.sample import Attribute, Sample, SampleStack
from errorest.learners.base import (
    Fitted,
    ProbabilityLearner,
    StackLearner,
    check_numeric,
    check_values,
    empty_training_set,
)
from errorest.learners.linear_scores import NO_CASES, Model, Rule, answer_cases, answer_rows, label_samples, train_all
from errorest.resampling.multisets import Resamples

Priors = Literal["equal", "sample"]
DegenerateMatrix = Literal["total", "within"]

_WHO = "the linear discriminant"


@dataclass(frozen=True, eq=False)
class LinearClassifier(Fitted):
    """Linear scores, or the one class (``outcome`` >= 0) that is always predicted."""

    outcome: int
    model: Model

    _who = _WHO
    takes_missing = False

    @property
    def _size(self) -> tuple[int, int]:
        return self.model.weights.shape[1], self.model.counts.shape[0]

    def _answer(self, values: np.ndarray, labels: np.ndarray, probabilities: np.ndarray) -> None:
        answer_cases(values, self.outcome, self.model, labels, probabilities)


@dataclass(frozen=True, eq=False)
class LinearDiscriminant(ProbabilityLearner, StackLearner):
    """Fisher's linear discriminant with the pooled within-class covariance.

    The name ``"linear-discriminant"``, where :func:`~errorest.estimate` and its like take a model, means
    ``LinearDiscriminant(priors="sample")``, as scikit-learn's ``LinearDiscriminantAnalysis``; the defaults here
    are those of the papers.

    With means m_c, the pooled covariance S of the k classes that are present (divisor
    n - k) and class b the first of them, a case x goes to the class with the largest
    (m_c - m_b)' S^-1 (x - (m_c + m_b)/2) + ln(p_c / p_b); among equal scores
    (:data:`TIE_TOLERANCE`) to the lowest.  Repeated cases count as often as they are listed.

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
        If a setting is unknown; in fitting, if an attribute is nominal, a value is
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
    _who = _WHO
    requirements: ClassVar = {
        "degenerate_condition": (
            lambda v: v is None or 0.0 <= v <= 1.0,
            "a ratio of eigenvalues, least to largest, from 0 to 1, or None",
        )
    }

    priors: Priors = "equal"
    degenerate_condition: float | None = None
    degenerate_matrix: DegenerateMatrix = "total"

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
            raise empty_training_set(_WHO, "the sample")
        return LinearClassifier(int(outcome), Model(*model))

    def _answer(self, sample: Sample, resamples: Resamples, labels: np.ndarray, probabilities: np.ndarray) -> int:
        X = _checked(sample.X, sample.attributes)
        rows = (resamples.compact, resamples.start, resamples.cases)
        return int(answer_rows(X, sample.y, self._rule, *rows, labels, probabilities))

    def _label_samples(self, stack: SampleStack, tested: np.ndarray, folds: np.ndarray, labels: np.ndarray) -> int:
        X, y = _checked(stack.X, stack.attributes), np.ascontiguousarray(stack.y)
        return int(label_samples(X, y, stack.n_classes, self._rule, tested, folds, labels))

    @property
    def _rule(self) -> Rule:
        threshold = -1.0 if self.degenerate_condition is None else float(self.degenerate_condition)
        return Rule(self.priors == "sample", threshold, self.degenerate_matrix == "total")


def _checked(X: np.ndarray, attributes: tuple[Attribute, ...]) -> np.ndarray:
    """Return training values as a contiguous array, or refuse them."""
    check_numeric(attributes, _WHO, "mean")
    check_values(X, attributes, _WHO)
    return np.ascontiguousarray(X)
