"""The linear discriminant on one real attribute, with its class-reversal rules."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import Literal

import numpy as np

from errorest.compiled import kernel
from errorest.counting import count_each
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.learners.base import RowLearner
from errorest.resampling.multisets import Resamples, training_row

ReversalRule = Literal["literal", "class-0-mean"]

EQUAL_MEANS_TOLERANCE = 1e-12
"""Class means that differ by less than this share of the larger one count as equal."""


@kernel
def group_cases(x, y):  # type: ignore[no-untyped-def]
    """Return the distinct values by class, then value, how many are of class 0, and each case's group."""
    n = x.shape[0]
    by_value = np.argsort(x, kind="mergesort")
    values = np.empty(n)
    group = np.empty(n, dtype=np.int64)
    g = -1
    of_class_0 = 0
    for c in range(2):
        fresh = True
        for k in range(n):
            i = by_value[k]
            if y[i] != c:
                continue
            if fresh or x[i] != values[g]:
                g += 1
                values[g] = x[i]
                fresh = False
            group[i] = g
        if c == 0:
            of_class_0 = g + 1
    return values[: g + 1].copy(), of_class_0, group


@kernel
def infer(values, of_class_0, weights, class_0_mean_rule):  # type: ignore[no-untyped-def]
    """Return (t, a, b): class a is predicted where x <= t, else class b."""
    n0 = 0.0
    n1 = 0.0
    sum0 = 0.0
    sum1 = 0.0
    # the classes go side by side, each in its own order: two short chains of sums instead of a long one
    of_class_1 = values.shape[0] - of_class_0
    for g in range(max(of_class_0, of_class_1)):
        if g < of_class_0:
            n0 += weights[g]
            sum0 += weights[g] * values[g]
        if g < of_class_1:
            n1 += weights[of_class_0 + g]
            sum1 += weights[of_class_0 + g] * values[of_class_0 + g]
    if n0 == 0:
        return -inf, 0, 1
    if n1 == 0:
        return inf, 0, 1
    mean0 = sum0 / n0
    mean1 = sum1 / n1
    difference = mean1 - mean0
    middle = (mean0 + mean1) / 2.0
    if abs(difference) <= EQUAL_MEANS_TOLERANCE * max(abs(mean0), abs(mean1)):
        if n0 == n1:
            return middle, 0, 1
        return (-inf, 0, 1) if n0 < n1 else (inf, 0, 1)
    squares0 = 0.0
    squares1 = 0.0
    for g in range(max(of_class_0, of_class_1)):
        if g < of_class_0:
            squares0 += weights[g] * (values[g] - mean0) ** 2
        if g < of_class_1:
            squares1 += weights[of_class_0 + g] * (values[of_class_0 + g] - mean1) ** 2
    # with one case of each class there is no deviation, and no degree of freedom to divide by
    cases = n0 + n1
    variance = (squares0 + squares1) / (cases - 2) if cases > 2 else 0.0
    t = middle + variance * log(n0 / n1) / difference
    reverse = t < mean0 if class_0_mean_rule else difference < 0
    return (t, 1, 0) if reverse else (t, 0, 1)


@kernel
def _predict_rows(x, y, compact, start, cases, class_0_mean_rule, labels):  # type: ignore[no-untyped-def]
    counts = np.empty(compact.n, dtype=np.int32)
    values, of_class_0, group = group_cases(x, y)
    weights = np.empty(values.shape[0])
    for r in range(start.shape[0] - 1):
        if start[r] == start[r + 1]:
            continue
        training_row(compact, r, counts)
        weights[:] = 0.0
        for i in range(compact.n):
            weights[group[i]] += counts[i]
        t, a, b = infer(values, of_class_0, weights, class_0_mean_rule)
        for j in range(start[r], start[r + 1]):
            labels[j] = a if x[cases[j]] <= t else b


@dataclass(frozen=True)
class IntervalClassifier:
    """A classifier on one real attribute: cut-points and the class between them.

    Class ``labels[i]`` is predicted for ``cuts[i - 1] < x <= cuts[i]``.

    Parameters
    ----------
    cuts : tuple of float
        Ascending; -inf and +inf may stand.
    labels : tuple of int
        One more than the cuts.

    Examples
    --------
    >>> IntervalClassifier((0.0,), (0, 1)).predict(np.array([[0.0], [0.1]])).tolist()
    [0, 1]
    """

    cuts: tuple[float, ...]
    labels: tuple[int, ...]

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Label cases; X has shape (m, 1) or (m,)."""
        x = np.asarray(X, dtype=float)
        x = x[:, 0] if x.ndim == 2 else x
        return np.asarray(self.labels)[np.searchsorted(np.asarray(self.cuts), x, side="left")]


@dataclass(frozen=True, eq=False)
class Threshold(RowLearner):
    """Two-class linear discriminant on one attribute.

    The threshold is t = (m0 + m1)/2 + s^2 ln(n0/n1) / (m1 - m0), with the class means
    m0, m1, class counts n0, n1 and the pooled variance s^2 of the training set.  One
    class only: that class.  Equal means: the larger class, or ``x <= t`` is class 0
    where the counts are equal too.

    Parameters
    ----------
    reversal_rule : {"literal", "class-0-mean"}
        When class 1 is put on the left of t.  ``literal``: if m0 > m1, which is what the
        printed test amounts to in exact arithmetic.  ``class-0-mean``: if t < m0; found
        afterwards, it reproduces the paper's section 3.

    Raises
    ------
    UsageError
        If the rule is unknown; in fitting, if the sample has more than one attribute,
        more than two classes, or missing values.

    References
    ----------
    Martin & Hirschberg (1996), section 3, appendix and equation (1).

    Examples
    --------
    >>> s = Sample.from_arrays([0.0, 1.0, 4.0, 5.0], ["a", "a", "b", "b"])
    >>> Threshold().fit(s)
    IntervalClassifier(cuts=(2.5,), labels=(0, 1))
    """

    name = "threshold"
    sizes = ("reversal_rule",)

    reversal_rule: ReversalRule = "literal"

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> IntervalClassifier:
        """Make the classifier of a whole sample."""
        values, of_class_0, group = group_cases(_column(sample), sample.y)
        t, a, b = infer(values, of_class_0, count_each(group).astype(np.float64), self._class_0_mean)
        return IntervalClassifier((t,), (a, b))

    def _answer(self, sample: Sample, resamples: Resamples, labels: np.ndarray, probabilities: np.ndarray) -> int:
        rows = (resamples.compact, resamples.start, resamples.cases)
        _predict_rows(_column(sample), sample.y, *rows, self._class_0_mean, labels)
        return -1

    @property
    def _class_0_mean(self) -> bool:
        return self.reversal_rule == "class-0-mean"


def _column(sample: Sample) -> np.ndarray:
    if sample.d != 1 or sample.n_classes > 2:
        raise UsageError(
            f"the threshold discriminant was given {sample.d} attributes and {sample.n_classes} classes; "
            "expected one attribute and two classes; choose another inducer, or one attribute"
        )
    x = sample.X[:, 0]
    if np.isnan(x).any():
        raise UsageError(
            f"the threshold discriminant was given {int(np.isnan(x).sum())} missing value(s); "
            "expected none; remove those cases or choose an inducer that takes missing values"
        )
    return x
