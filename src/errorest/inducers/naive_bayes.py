"""Naive Bayes: observed ratios for nominal attributes, a normal density for numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Literal, NamedTuple

import numba as nb
import numpy as np

from errorest.compiled import inner, maker
from errorest.data.sample import Attribute, Sample
from errorest.inducers.base import CountLearner, Fitted, normalize
from errorest.resampling.draw import Resamples, training_row

ZeroCounts = Literal["half-case", "laplace", "zero"]
Denominator = Literal["class", "known"]

TIE_TOLERANCE = 1e-12
"""Log scores that differ by less than this share of their size (at least of 1) are equal."""

_HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)


class _Rule(NamedTuple):
    """Settings, as compiled code reads them."""

    half_case: bool
    laplace: bool
    of_known: bool
    sd_floor: float
    smoothing: float


class _Layout(NamedTuple):
    """Cases, arranged so that sums run in an order that depends on the values alone."""

    X: np.ndarray
    y: np.ndarray
    first: np.ndarray  # where the categories of a nominal attribute stand among all, -1 for a number
    size: np.ndarray  # number of categories
    number: np.ndarray  # the place of a number among numbers, else -1
    codes: np.ndarray  # category of each case, -1: missing
    order: np.ndarray  # order[q, :upto[q]]: the cases that know number q by class, then value
    upto: np.ndarray


class _Statistics(NamedTuple):
    """Sufficient statistics of a training set; ``mean`` and so on have a row a number."""

    of_class: np.ndarray
    counts: np.ndarray
    known: np.ndarray
    mean: np.ndarray
    sd: np.ndarray
    log_sd: np.ndarray
    of_number: np.ndarray


def _lay_out(sample: Sample) -> _Layout:
    nominal = np.array([a.kind == "nominal" for a in sample.attributes], dtype=bool)
    size = np.array([len(a.categories) for a in sample.attributes], dtype=np.int64)
    first = np.where(nominal, np.cumsum(size) - size, -1)
    number = np.where(nominal, -1, np.cumsum(~nominal) - 1)
    X = np.ascontiguousarray(sample.X, dtype=np.float64)
    codes = np.where(nominal & ~np.isnan(X), X, -1).astype(np.int32)
    numbers = np.nonzero(~nominal)[0]
    order = np.zeros((numbers.size, sample.n), dtype=np.int64)
    upto = np.zeros(numbers.size, dtype=np.int64)
    for q, j in enumerate(numbers):
        known = np.nonzero(~np.isnan(X[:, j]))[0]
        upto[q] = known.size
        order[q, : known.size] = known[np.lexsort((X[known, j], sample.y[known]))]
    return _Layout(X, sample.y, first, size, number, codes, order, upto)


@lru_cache(maxsize=64)
def _logarithms(upto: int) -> np.ndarray:
    """Logarithms of 0 (minus infinity) to ``upto``; the same bits whatever the length."""
    return np.array([-math.inf, *(math.log(k) for k in range(1, upto + 1))])


def _log_table(cases: int, size: np.ndarray) -> np.ndarray:
    """Logarithms of every number that a ratio can have above or below its line."""
    return _logarithms(cases + 1 + int(size.max(initial=1)))


@maker
def _new_statistics(layout, n_classes):  # type: ignore[no-untyped-def]
    numbers = layout.order.shape[0]
    d = layout.first.shape[0]
    return _Statistics(
        np.zeros(n_classes, np.int64),
        np.zeros((layout.size.sum(), n_classes), np.int64),
        np.zeros((d, n_classes), np.int64),
        np.zeros((numbers, n_classes), np.float64),
        np.zeros((numbers, n_classes), np.float64),
        np.zeros((numbers, n_classes), np.float64),
        np.zeros((numbers, n_classes), np.int64),
    )


@inner
def _collect(layout, weights, rule, statistics):  # type: ignore[no-untyped-def]
    """Fill the statistics of a weighted training set; return its number of cases."""
    of_class, counts, known, mean, sd, log_sd, of_number = statistics
    of_class[:] = 0
    counts[:] = 0
    known[:] = 0
    total = 0
    for i in range(layout.y.shape[0]):
        w = weights[i]
        if w == 0:
            continue
        c = layout.y[i]
        of_class[c] += w
        total += w
        for j in range(layout.first.shape[0]):
            code = layout.codes[i, j]
            if code >= 0:
                counts[layout.first[j] + code, c] += w
                known[j, c] += w
    for j in range(layout.first.shape[0]):
        q = layout.number[j]
        if q >= 0:
            _moments(layout, weights, j, q, rule, mean[q], sd[q], of_number[q])
            for c in range(of_class.shape[0]):
                log_sd[q, c] = math.log(sd[q, c])
    return total


@maker
def _moments(layout, weights, j, q, rule, mean, sd, cases):  # type: ignore[no-untyped-def]
    """Write mean and deviation of each class; equal values are one term, so that weights and copies give equal bits."""
    order, y, X = layout.order[q], layout.y, layout.X
    n = layout.upto[q]
    values, copies, of = np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64)
    cases[:] = 0
    mean[:] = 0.0
    sd[:] = 0.0
    terms = 0
    p = 0
    while p < n:
        c = y[order[p]]
        value = X[order[p], j]
        w = 0
        while p < n and y[order[p]] == c and X[order[p], j] == value:
            w += weights[order[p]]
            p += 1
        if w > 0:
            cases[c] += w
            mean[c] += w * value
            values[terms], copies[terms], of[terms] = value, w, c
            terms += 1
    for c in range(cases.shape[0]):
        if cases[c] > 0:
            mean[c] /= cases[c]
    for t in range(terms):
        apart = values[t] - mean[of[t]]
        sd[of[t]] += copies[t] * (apart * apart)
    if rule.smoothing <= 0.0:
        for c in range(cases.shape[0]):
            sd[c] = max(math.sqrt(sd[c] / (cases[c] - 1)) if cases[c] > 1 else 0.0, rule.sd_floor)
        return
    # each variance is raised by a share of the variance over all classes
    varies = terms > 0 and values[:terms].min() < values[:terms].max()
    total, grand, squares = 0, 0.0, 0.0
    for c in range(cases.shape[0]):
        total += cases[c]
        grand += cases[c] * mean[c]
        squares += sd[c]
    for c in range(cases.shape[0]):
        if cases[c] > 0:
            squares += cases[c] * (mean[c] - grand / total) ** 2
    for c in range(cases.shape[0]):
        # a constant tells classes apart by nothing, whatever its deviation
        sd[c] = math.sqrt(sd[c] / cases[c] + rule.smoothing * squares / total) if varies and cases[c] > 0 else 1.0


@inner
def _score(x, layout_first, layout_size, layout_number, statistics, total, rule, logs, scores):  # type: ignore[no-untyped-def]
    """Write the log of prior times likelihood of each class for one case; missing values add nothing."""
    of_class, counts, known, mean, sd, log_sd, of_number = statistics
    half = -math.log(2.0) - logs[total]
    for c in range(of_class.shape[0]):
        scores[c] = logs[of_class[c]] - logs[total]
    for j in range(layout_first.shape[0]):
        value = x[j]
        if math.isnan(value):
            continue
        q = layout_number[j]
        for c in range(of_class.shape[0]):
            if of_class[c] == 0:
                continue
            if q >= 0:
                if of_number[q, c] == 0:
                    scores[c] += half
                else:
                    z = (value - mean[q, c]) / sd[q, c]
                    scores[c] -= 0.5 * (z * z) + log_sd[q, c] + _HALF_LOG_TWO_PI
                continue
            code = int(value)
            # a category that the training set's description does not know counts as never seen
            count = counts[layout_first[j] + code, c] if code < layout_size[j] else 0
            below = known[j, c] if rule.of_known else of_class[c]
            if rule.laplace:
                scores[c] += logs[count + 1] - logs[below + layout_size[j]]
            elif count > 0:
                scores[c] += logs[count] - logs[below]
            else:
                scores[c] += half if rule.half_case else -math.inf


@inner
def _winner(scores):  # type: ignore[no-untyped-def]
    best = 0
    for c in range(1, scores.shape[0]):
        if scores[best] == -math.inf:
            if scores[c] > -math.inf:
                best = c
        elif scores[c] - scores[best] > TIE_TOLERANCE * max(1.0, abs(scores[best])):
            best = c
    return best


@nb.njit(cache=True)
def _answer(X, which, shape, statistics, total, rule, logs, labels, probabilities):  # type: ignore[no-untyped-def]
    """Write labels or probabilities of cases; the training set's class shares decide where no class is possible."""
    first, size, number = shape
    of_class = statistics[0]
    scores = np.empty(of_class.shape[0])
    largest = np.argmax(of_class)
    for t in range(which.shape[0]):
        _score(X[which[t]], first, size, number, statistics, total, rule, logs, scores)
        if probabilities.shape[0] == 0:
            best = _winner(scores)
            labels[t] = largest if scores[best] == -math.inf else best
            continue
        most = scores.max()
        if most == -math.inf:
            for c in range(scores.shape[0]):
                probabilities[t, c] = of_class[c] / total
        else:
            normalize(scores, most)
            probabilities[t] = scores


@nb.njit(cache=True)
def _answer_rows(layout, compact, start, cases, rule, logs, labels, probabilities):  # type: ignore[no-untyped-def]
    """Answer the tested cases of every row; return the first tested row without training cases, or -1."""
    weights = np.empty(compact.n, dtype=np.int32)
    statistics = _new_statistics(layout, probabilities.shape[1])
    shape = (layout.first, layout.size, layout.number)
    for r in range(start.shape[0] - 1):
        if start[r] == start[r + 1]:
            continue
        training_row(compact, r, weights)
        total = _collect(layout, weights, rule, statistics)
        if total == 0:
            return r
        tested = slice(start[r], start[r + 1])
        labelled, shared = labels[tested], probabilities[tested]
        _answer(layout.X, cases[tested], shape, statistics, total, rule, logs, labelled, shared)
    return -1


@nb.njit(cache=True)
def _fit(layout, n_classes, weights, rule):  # type: ignore[no-untyped-def]
    statistics = _new_statistics(layout, n_classes)
    total = _collect(layout, weights, rule, statistics)
    return statistics, total


@dataclass(frozen=True, eq=False)
class NaiveBayesModel(Fitted):
    """A trained Naive Bayes classifier."""

    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]
    of_class: np.ndarray
    n: int
    _shape: tuple[np.ndarray, np.ndarray, np.ndarray] = field(repr=False)
    _statistics: _Statistics = field(repr=False)
    _rule: _Rule = field(repr=False)

    _who = "Naive Bayes"

    def _answer(self, values: np.ndarray, labels: np.ndarray, probabilities: np.ndarray) -> None:
        which = np.arange(values.shape[0], dtype=np.int32)
        trained = (self._shape, self._statistics, self.n, self._rule, _log_table(self.n, self._shape[1]))
        _answer(values, which, *trained, labels, probabilities)


@dataclass(frozen=True, eq=False)
class NaiveBayes(CountLearner):
    """Bayes' rule with attributes that are independent within a class.

    The name ``"naive-bayes"``, where :func:`~errorest.estimate` and its like take a model, stands for
    ``NaiveBayes(var_smoothing=1e-9)``, whose labels of numbers are those of scikit-learn's ``GaussianNB``;
    the defaults here are those of the papers.

    The score of a class is its share of the training set times, for each known value of the
    case, the class's ratio of that category, or its normal density (sample standard
    deviation).  A class without training cases is never predicted; one that knows no value of
    a number gets half a case in place of the density; missing values of a case are left out.  The lowest class
    number wins a tie.

    Parameters
    ----------
    zero_counts : {"half-case", "laplace", "zero"}
        What a category never seen with a class gets: 0.5/m (m training cases); the ratio
        (count + 1)/(cases + categories) as all others then do; or nothing, which rules the class out.
    denominator : {"class", "known"}
        A ratio is of all cases of the class, or of those that know the attribute.
    sd_floor : float
        Least standard deviation of a number within a class, in its unit.
    var_smoothing : float, optional
        Take variances within classes with the number of cases as divisor, and add to each this share of the
        attribute's variance in the training set, in place of ``sd_floor``: units do not matter.  scikit-learn
        adds the share of the largest variance of all attributes.

    Raises
    ------
    UsageError
        If a setting is unknown or out of bounds.

    Notes
    -----
    The defaults are how the library that Kohavi used is taken to have worked; his paper says
    only "observed ratios" and "Gaussian".  They were chosen among about 25 variants because
    they reproduce its Table 1.

    References
    ----------
    Kohavi (1995), section 4.

    Examples
    --------
    >>> s = Sample.from_arrays([0.0, 1.0, 4.0, 6.0], ["a", "a", "b", "b"])
    >>> NaiveBayes().fit(s).predict(np.array([[0.5], [5.0]])).tolist()
    [0, 1]
    """

    name = "naive-bayes"
    _who = "Naive Bayes"
    requirements: ClassVar = {
        "sd_floor": (lambda v: 0 < v < math.inf, "a number above 0; the usual one is 0.001"),
        "var_smoothing": (lambda v: v is None or 0 < v < math.inf, "a number above 0; the usual one is 1e-09"),
    }

    zero_counts: ZeroCounts = "half-case"
    denominator: Denominator = "class"
    sd_floor: float = 1e-3
    var_smoothing: float | None = None

    def _fit_counts(self, sample: Sample, counts: np.ndarray) -> NaiveBayesModel:
        layout = _lay_out(sample)
        rule = self._rule()
        statistics, total = _fit(layout, sample.n_classes, counts, rule)
        shape = (layout.first, layout.size, layout.number)
        return NaiveBayesModel(
            sample.attributes, sample.classes, statistics.of_class, int(total), shape, statistics, rule
        )

    def _answer(self, sample: Sample, resamples: Resamples, labels: np.ndarray, probabilities: np.ndarray) -> int:
        layout = _lay_out(sample)
        compact = resamples.compact
        # positions of a bootstrap sample's folds, or its counts, add up to the sample's size at most
        most = max(sample.n, compact.labels.shape[1], int(compact.counts.sum(axis=1).max(initial=0)))
        logs = _log_table(most, layout.size)
        rows = (resamples.start, resamples.cases)
        return int(_answer_rows(layout, compact, *rows, self._rule(), logs, labels, probabilities))

    def _rule(self) -> _Rule:
        return _Rule(
            self.zero_counts == "half-case",
            self.zero_counts == "laplace",
            self.denominator == "known",
            float(self.sd_floor),
            float(self.var_smoothing or 0.0),
        )
