"""Naive Bayes: observed ratios for nominal attributes, a normal density for numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from errorest.compiled import inner, kernel, maker
from errorest.data.sample import Attribute, Sample
from errorest.learners.base import Fitted, ProbabilityLearner, empty_training_set, normalize
from errorest.resampling.multisets import Resamples, training_row

ZeroCounts = Literal["half-case", "laplace", "zero"]
Denominator = Literal["class", "known"]

# some thousand times the rounding of a double, 1.1e-16
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
    first: np.ndarray  # first row of a nominal attribute in the table of categories, -1 for a number
    size: np.ndarray  # number of categories
    number: np.ndarray  # the place of a number among numbers, else -1
    codes: np.ndarray  # category of each case, -1: missing
    order: np.ndarray  # order[q]: the cases that know number q by class, then value
    terms: np.ndarray  # how many distinct values of one class number q has
    begin: np.ndarray  # begin[q, t]: where the cases of term t of number q begin in ``order``
    value: np.ndarray
    of: np.ndarray  # the class of a term


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
    order, of = np.zeros((2, numbers.size, sample.n), dtype=np.int64)
    terms, value = np.zeros(numbers.size, dtype=np.int64), np.zeros((numbers.size, sample.n))
    begin = np.zeros((numbers.size, sample.n + 1), dtype=np.int64)
    for q, j in enumerate(numbers):
        known = np.nonzero(~np.isnan(X[:, j]))[0]
        # by class, then value: equal values of one class are one term of the sums
        known = known[np.lexsort((X[known, j], sample.y[known]))]
        x, y = X[known, j], sample.y[known]
        starts = np.nonzero(np.append(True, (x[1:] != x[:-1]) | (y[1:] != y[:-1]))[: known.size])[0]
        terms[q], order[q, : known.size] = starts.size, known
        begin[q, : starts.size + 1] = np.append(starts, known.size)
        value[q, : starts.size], of[q, : starts.size] = x[starts], y[starts]
    return _Layout(X, sample.y, first, size, number, codes, order, terms, begin, value, of)


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
def _collect(layout, weights, rule, usual, start, statistics, copies):  # type: ignore[no-untyped-def]
    """Fill the statistics of a weighted training set; return its number of cases.

    Counts start from those of a training set that has every case ``usual`` times.
    """
    of_class, counts, known, mean, sd, log_sd, of_number = statistics
    for c in range(of_class.shape[0]):
        of_class[c] = start.of_class[c]
        for a in range(counts.shape[0]):
            counts[a, c] = start.counts[a, c]
        for j in range(known.shape[0]):
            known[j, c] = start.known[j, c]
    for i in range(layout.y.shape[0]):
        w = weights[i] - usual
        if w == 0:
            continue
        c = layout.y[i]
        of_class[c] += w
        for j in range(layout.first.shape[0]):
            code = layout.codes[i, j]
            if code >= 0:
                counts[layout.first[j] + code, c] += w
                known[j, c] += w
    for q in range(layout.order.shape[0]):
        _moments(layout, weights, q, rule, mean[q], sd[q], of_number[q], copies)
        for c in range(of_class.shape[0]):
            log_sd[q, c] = math.log(sd[q, c])
    return of_class.sum()


@inner
def _moments(layout, weights, q, rule, mean, sd, cases, copies):  # type: ignore[no-untyped-def]
    """Write mean and deviation of each class; equal values are one term, so that weights and copies give equal bits."""
    order, terms, begin, values, of = layout.order[q], layout.terms[q], layout.begin[q], layout.value[q], layout.of[q]
    cases[:] = 0
    mean[:] = 0.0
    sd[:] = 0.0
    least, greatest = math.inf, -math.inf
    for t in range(terms):
        w = 0
        for p in range(begin[t], begin[t + 1]):
            w += weights[order[p]]
        copies[t] = w
        if w > 0:
            cases[of[t]] += w
            mean[of[t]] += w * values[t]
            least, greatest = min(least, values[t]), max(greatest, values[t])
    for c in range(cases.shape[0]):
        if cases[c] > 0:
            mean[c] /= cases[c]
    for t in range(terms):
        if copies[t] > 0:
            # two passes, mean first: sum x^2 - n mean^2 would cancel where the mean is large
            apart = values[t] - mean[of[t]]
            sd[of[t]] += copies[t] * (apart * apart)
    if rule.smoothing <= 0.0:
        # the sample standard deviation, with n_c - 1; one case has none, and the floor takes its place
        for c in range(cases.shape[0]):
            sd[c] = max(math.sqrt(sd[c] / (cases[c] - 1)) if cases[c] > 1 else 0.0, rule.sd_floor)
        return
    # each variance is raised by a share of the variance over all classes
    total, grand, squares = 0, 0.0, 0.0
    for c in range(cases.shape[0]):
        total += cases[c]
        grand += cases[c] * mean[c]
        squares += sd[c]
    for c in range(cases.shape[0]):
        if cases[c] > 0:
            # total sum of squares = within classes + between them
            squares += cases[c] * (mean[c] - grand / total) ** 2
    for c in range(cases.shape[0]):
        # a constant adds the same to every class whatever its deviation, and 1 divides safely
        sd[c] = (
            math.sqrt(sd[c] / cases[c] + rule.smoothing * squares / total) if least < greatest and cases[c] > 0 else 1.0
        )


@inner
def _score(x, layout_first, layout_size, layout_number, statistics, total, rule, logs, scores):  # type: ignore[no-untyped-def]
    """Write the log of prior times likelihood of each class for one case; missing values add nothing."""
    of_class, counts, known, mean, sd, log_sd, of_number = statistics
    half = -math.log(2.0) - logs[total]  # log(0.5 / m), of half a case among the m trained on
    for c in range(of_class.shape[0]):
        # log prior n_c / m; then the log likelihood of each attribute, independent of the others within a class
        scores[c] = logs[of_class[c]] - logs[total]
    for j in range(layout_first.shape[0]):
        value = x[j]
        if math.isnan(value):
            continue
        q = layout_number[j]
        for c in range(of_class.shape[0]):
            # a class without cases has the score log 0 from its prior
            if of_class[c] == 0:
                continue
            if q >= 0:
                # no mean and no deviation: half a case among the m takes the place of the density, as for a category
                # that was never seen
                if of_number[q, c] == 0:
                    scores[c] += half
                else:
                    # the normal log density, -z^2 / 2 - log sd - log(2 pi) / 2
                    z = (value - mean[q, c]) / sd[q, c]
                    scores[c] -= 0.5 * (z * z) + log_sd[q, c] + _HALF_LOG_TWO_PI
                continue
            code = int(value)
            # a category that the training set's description does not know counts as never seen
            count = counts[layout_first[j] + code, c] if code < layout_size[j] else 0
            # the ratio count / cases of the class, in logarithms; the denominator may leave out cases with a missing
            # value
            below = known[j, c] if rule.of_known else of_class[c]
            if rule.laplace:
                # (count + 1) / (cases + categories), Laplace's rule of succession
                scores[c] += logs[count + 1] - logs[below + layout_size[j]]
            elif count > 0:
                scores[c] += logs[count] - logs[below]
            else:
                scores[c] += half if rule.half_case else -math.inf


@kernel
def _answer(X, which, shape, statistics, total, rule, logs, labels, probabilities):  # type: ignore[no-untyped-def]
    """Write labels or probabilities of cases; the training set's class shares decide where no class is possible."""
    first, size, number = shape
    of_class = statistics[0]
    scores = np.empty(of_class.shape[0])
    largest = 0
    for c in range(1, of_class.shape[0]):
        if of_class[c] > of_class[largest]:
            largest = c
    for t in range(which.shape[0]):
        _score(X[which[t]], first, size, number, statistics, total, rule, logs, scores)
        if probabilities.shape[0] == 0:
            best = 0
            for c in range(1, scores.shape[0]):
                if scores[best] == -math.inf:
                    if scores[c] > -math.inf:
                        best = c
                # a tie goes to the lower class number, which is the best so far
                elif scores[c] - scores[best] > TIE_TOLERANCE * max(1.0, abs(scores[best])):
                    best = c
            labels[t] = largest if scores[best] == -math.inf else best
            continue
        most = scores.max()
        # every class is ruled out by some attribute: nothing but the prior is left
        if most == -math.inf:
            for c in range(scores.shape[0]):
                probabilities[t, c] = of_class[c] / total
        else:
            normalize(scores, most)
            probabilities[t] = scores


@kernel
def _answer_rows(layout, compact, start, cases, rule, logs, labels, probabilities):  # type: ignore[no-untyped-def]
    """Answer the tested cases of every row; return the first tested row without training cases, or -1."""
    weights, copies = np.ones(compact.n, np.int32), np.empty(compact.n, np.int64)
    n_classes = probabilities.shape[1]
    none, whole = _new_statistics(layout, n_classes), _new_statistics(layout, n_classes)
    statistics = _new_statistics(layout, n_classes)
    _collect(layout, weights, rule, 0, none, whole, copies)
    shape = (layout.first, layout.size, layout.number)
    for r in range(start.shape[0] - 1):
        if start[r] == start[r + 1]:
            continue
        training_row(compact, r, weights)
        # where most cases are in the training set once, counting the others is faster; sums of whole numbers are exact
        # in either order
        usual = 1 if (weights == 1).sum() > (weights == 0).sum() else 0
        total = _collect(layout, weights, rule, usual, whole if usual == 1 else none, statistics, copies)
        if total == 0:
            return r
        tested = slice(start[r], start[r + 1])
        labelled, shared = labels[tested], probabilities[tested]
        _answer(layout.X, cases[tested], shape, statistics, total, rule, logs, labelled, shared)
    return -1


@kernel
def _fit(layout, n_classes, weights, rule):  # type: ignore[no-untyped-def]
    statistics = _new_statistics(layout, n_classes)
    copies = np.empty(weights.shape[0], np.int64)
    return statistics, _collect(layout, weights, rule, 0, statistics, statistics, copies)


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
class NaiveBayes(ProbabilityLearner):
    """Bayes' rule with attributes that are independent within a class.

    The name ``"naive-bayes"``, where :func:`~errorest.estimate` and its like take a model, means
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

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> NaiveBayesModel:
        """Make the classifier of a whole sample."""
        if sample.n == 0:
            raise empty_training_set(self._who, "the sample")
        layout = _lay_out(sample)
        counts = np.ones(sample.n, dtype=np.int32)
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
