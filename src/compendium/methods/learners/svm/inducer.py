"""The support vector machine as an inducer, and the classifier that it makes."""

from __future__ import annotations

from dataclasses import Field, dataclass
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np

from compendium.methods.learners.svm.batch import answer_tests, cross_validate, label_rows, label_samples, train_sample
from compendium.methods.learners.svm.kernel import Fits, Machines, Rule
from errorest.data.sample import Attribute, Sample, SampleStack
from errorest.errors import UsageError
from errorest.learners.base import StackLearner, cases_to_label, check_numeric, check_values, empty_training_set
from errorest.resampling.multisets import Resamples

Kernel = Literal["rbf", "linear"]
Vote = Literal["weighted", "count"]
Standardize = Literal["none", "training"]

GUARD = 100.0
"""In tolerances: a decision on a case left out alone that is closer is made again from the start of a fit.

Solutions within the tolerance that were reached from different starts differ in their decision
values by a few tolerances, so that this keeps the labels those of one fit a case.
"""


@dataclass(frozen=True, eq=False)
class SVMClassifier:
    """Support vector machines of all pairs of classes (the lower first); made by :meth:`SVM.fit`."""

    rule: SVM
    pairs: tuple[tuple[int, int], ...]
    support: np.ndarray
    coefficients: np.ndarray
    bias: np.ndarray
    violation: np.ndarray
    _trained: tuple[Fits, int, Machines, Rule]

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases."""
        cases = _finite(cases_to_label(X, self.support.shape[1], self.rule.id), self.rule.id)
        labels = np.empty(cases.shape[0], dtype=np.int64)
        answer_tests(cases, *self._trained, labels, np.empty((0, 0)))
        return labels

    def decision_values(self, X: np.ndarray) -> np.ndarray:
        """Return the discriminant functions at cases; 0 or more is for the first class of a pair."""
        cases = _finite(cases_to_label(X, self.support.shape[1], self.rule.id), self.rule.id)
        size = self._trained[2].size[0]
        decisions = np.empty((cases.shape[0], size.shape[0]))
        answer_tests(cases, *self._trained, np.empty(0, dtype=np.int64), decisions)
        return decisions[:, size >= 0]


@dataclass(frozen=True, eq=False)
class SVM(StackLearner):
    """Soft-margin support vector machine; several classes one against one.

    The defaults are those of the paper; ``SVM(gamma="scale", standardize="training", vote="count")`` is scikit-learn's
    ``SVC`` behind a ``StandardScaler``.

    A case that stands c times in a training set counts c times.  The result depends neither on
    the order of a training set nor on what else is computed along with it.  A training set of one
    class predicts that class.

    Parameters
    ----------
    kernel : {"rbf", "linear"}
        exp(-gamma ||x - z||^2), or the scalar product.
    gamma : float or "scale"
        Of the RBF kernel, over 0.  The default is the paper's for its synthetic settings.  ``scale``: of every
        training set, one by the number of attributes times the variance of all its values (standardised ones, if
        they are), as in scikit-learn.
    C : float
        Cost of a violated margin, over 0.
    standardize : {"none", "training"}
        ``training``: subtract the mean of every training set and divide by its standard
        deviation (divisor: all its cases; 1 for a constant attribute), so that a Gram matrix is
        computed for each of them.
    vote : {"weighted", "count"}
        With three classes or more: the class that wins a pair gets the absolute value of the
        pair's discriminant function, which is the paper's max-win rule, or 1, as in scikit-learn.
        A tie goes to the lowest class number, and so does a discriminant function of exactly 0.
    tolerance : float
        Largest violation of the conditions of optimality (the discriminant function is 1 at a
        margin) that is left, as ``tol`` in scikit-learn; less in proportion to C K(x, x) where that
        is under 1.  At 100,000 steps (or 100 a case) a
        machine is taken as it is; see :attr:`SVMClassifier.violation`.

    Raises
    ------
    UsageError
        If a setting is unknown or out of bounds; in fitting, if a value is missing, an
        attribute is nominal, or a training set is empty.

    Notes
    -----
    Memory is some 24 n^2 bytes for n distinct cases.

    References
    ----------
    Shakhnarovich, El-Yaniv & Baram (2001), sections 7 and 8.

    Examples
    --------
    >>> from errorest.resampling.draw import leave_one_out
    >>> s = Sample.from_arrays([0.0, 1.0, 4.0, 5.0], ["a", "a", "b", "b"])
    >>> SVM(C=10).id, SVM(C=10).predict_resamples(s, leave_one_out(4)).tolist()
    ('svm(kernel=rbf, gamma=0.2, C=10)', [0, 0, 1, 1])
    """

    name = "svm"
    sizes = ("kernel", "gamma", "C")
    requirements: ClassVar = {
        "gamma": (lambda v: v == "scale" or 0 < v < inf, "a finite number over 0, or scale"),
        **dict.fromkeys(("C", "tolerance"), (lambda v: 0 < v < inf, "a finite number over 0")),
    }

    kernel: Kernel = "rbf"
    gamma: float | Literal["scale"] = 0.2
    C: float = 1.0
    standardize: Standardize = "none"
    vote: Vote = "weighted"
    tolerance: float = 1e-4

    def shows(self, setting: Field[Any]) -> bool:
        """Hide gamma of a kernel that has none."""
        return super().shows(setting) and (setting.name != "gamma" or self.kernel == "rbf")

    def written(self, key: str) -> str:
        """Return the value of a setting as it stands in the id; numbers in short."""
        value = getattr(self, key)
        return str(value) if isinstance(value, str) else f"{value:g}"

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> SVMClassifier:
        """Train on the whole sample; draws nothing."""
        X = self._checked(sample.X, sample.attributes)
        if sample.n == 0:
            raise empty_training_set(self.id, "the sample")
        y = sample.y.astype(np.int64, copy=False)
        n_classes = sample.n_classes
        fits, machines = train_sample(X, y, n_classes, self._rule)
        u = fits.cases[0]
        present = machines.size[0] >= 0
        pairs = [(a, b) for a in range(n_classes) for b in range(a + 1, n_classes)]
        return SVMClassifier(
            self,
            tuple(pair for pair, there in zip(pairs, present, strict=True) if there),
            np.ascontiguousarray(fits.scaled[0, :, :u].T),
            machines.beta[0, present, :u],
            machines.bias[0, present],
            machines.gap[0, present],
            (fits, 0, machines, self._rule),
        )

    def _answer(self, sample: Sample, resamples: Resamples, labels: np.ndarray, probabilities: np.ndarray) -> int:
        X, y = self._checked(sample.X, sample.attributes), sample.y.astype(np.int64, copy=False)
        rows = (resamples.compact, resamples.start, resamples.cases)
        return int(label_rows(X, y, sample.n_classes, self._rule, *rows, labels))

    def _label_samples(self, stack: SampleStack, tested: np.ndarray, folds: np.ndarray, labels: np.ndarray) -> int:
        X, y = self._checked(stack.X, stack.attributes), np.ascontiguousarray(stack.y, dtype=np.int64)
        if folds.shape[0] > 0:
            # a decision on a case left out alone that is within GUARD tolerances is made again by a fit
            return int(cross_validate(X, y, folds, stack.n_classes, self._rule, labels))
        label_samples(X, y, tested, stack.n_classes, self._rule, labels)
        return -1

    def predict_stack(self, stack: SampleStack, X: np.ndarray) -> np.ndarray:
        """Label cases, shape (m, d) or (S, m, d), by the classifier of each sample; int64 array, shape (S, m)."""
        return super().predict_stack(stack, _finite(X, self.id))

    def _checked(self, X: np.ndarray, attributes: tuple[Attribute, ...]) -> np.ndarray:
        check_numeric(attributes, self.id, "kernel value")
        check_values(X, attributes, self.id)
        return np.ascontiguousarray(X, dtype=np.float64)

    @property
    def _rule(self) -> Rule:
        return Rule(
            self.kernel == "linear",
            0.0 if self.gamma == "scale" else float(self.gamma),
            float(self.C),
            self.standardize == "training",
            self.standardize == "training" or (self.gamma == "scale" and self.kernel == "rbf"),
            self.vote == "weighted",
            float(self.tolerance),
            GUARD * float(self.tolerance),
        )


def _finite(X: np.ndarray, who: str) -> np.ndarray:
    """Refuse infinite values, which have no kernel value."""
    if np.isinf(X).any():
        raise UsageError(f"{who} was given infinite values of cases to label", "clip them, or choose another inducer")
    return X
