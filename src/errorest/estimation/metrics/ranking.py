"""Metrics of how well probabilities rank cases: the area under the ROC curve, its mean over classes, average precision.

A set of tests that lacks a class on which the metric rests has none: NaN, which averages leave out and results count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any, ClassVar

import numpy as np

from errorest.compiled import kernel
from errorest.counting import count_each
from errorest.estimation.metrics.metric import Statistic, Weights

_HALVINGS = 50  # 2^-50, about the rounding of a number near 1


@dataclass(frozen=True, eq=False)
class Ranking(Statistic):
    """A metric that compares cases with one another."""

    greater_is_better = True
    best = 1.0
    ranks = True
    weights: ClassVar[Weights] = (
        "folds"  # pooled scores of different classifiers bias an AUC (Parker, Guenter & Bedo 2007)
    )
    chance = (0.5, "a random ranking")

    def variance(self, value: float, cases: Sequence[int]) -> float:
        """Return the variance on independent tests of one classifier whose true value is given, at most.

        ``cases`` counts those of each class, as :meth:`encode` numbers classes.
        """
        raise NotImplementedError


class _OfPositives(Ranking):
    of_one_class = True

    def encode(
        self, y: np.ndarray, predictions: np.ndarray, positive: int, n_classes: int
    ) -> tuple[np.ndarray, np.ndarray, int]:
        return (y == positive).astype(np.int64), np.ascontiguousarray(predictions[:, positive]), 2


@kernel
def _auc_rows(truth, answers, start):  # type: ignore[no-untyped-def]
    out = np.empty(start.shape[0] - 1)
    for r in range(out.shape[0]):
        first, last = start[r], start[r + 1]
        # one pass over ascending scores, tied tests together
        order = np.argsort(answers[first:last], kind="mergesort")
        pairs = 0.0
        positives, negatives = 0, 0
        t = 0
        while t < last - first:
            value = answers[first + order[t]]
            here, others = 0, 0
            while t < last - first and answers[first + order[t]] == value:
                if truth[first + order[t]] == 1:
                    here += 1
                else:
                    others += 1
                t += 1
            # Mann & Whitney's count: pairs in the right order, ties half
            pairs += here * (negatives + 0.5 * others)
            positives += here
            negatives += others
        out[r] = pairs / (positives * negatives) if positives > 0 and negatives > 0 else np.nan
    return out


@dataclass(frozen=True, eq=False)
class Auc(_OfPositives):
    """The chance that a positive case gets a higher probability than another one, ties counting half.

    Hanley & McNeil (1982); for cross-validation LeDell, Petersen & van der Laan (2015).
    """

    name = "auc"
    title = "area under the ROC curve"

    def score_splits(self, truth: np.ndarray, answers: np.ndarray, start: np.ndarray, classes: int) -> np.ndarray:
        return np.asarray(_auc_rows(truth, answers, start))

    def _weighted(self, truth: np.ndarray, answers: np.ndarray, counts: np.ndarray, classes: int) -> np.ndarray:
        # pairs of a positive and another test that are in order, ties half
        up, down = _tied(truth, answers, counts)
        pairs = (up * (np.cumsum(down, axis=1) - down / 2)).sum(axis=1)
        both = up.sum(axis=1) * down.sum(axis=1)
        return np.divide(pairs, both, out=np.full(counts.shape[0], np.nan), where=both > 0)

    def no_information(self, truth: np.ndarray, answers: np.ndarray, classes: int) -> float:
        """Return one half, the mean over all permutations."""
        return 0.5

    def influence(
        self, truth: np.ndarray, answers: np.ndarray, classes: int, shares: np.ndarray | None = None
    ) -> np.ndarray:
        """Return LeDell's influence curve: a test's placement less the area, divided by the share of its kind."""
        placed = placements(truth, answers)
        positive = truth == 1
        area = float(placed[positive].mean()) if positive.any() and not positive.all() else float("nan")
        # LeDell, Petersen & van der Laan (2015), section 3; the shares are those of all tests where this is one fold
        share = count_each(truth, minlength=2) / truth.size if shares is None else shares
        return np.asarray((placed - area) / share[truth])

    def variance(self, value: float, cases: Sequence[int]) -> float:
        return float(auc_variance(value, cases[1], cases[0]))


@dataclass(frozen=True, eq=False)
class MacroAuc(Ranking):
    """The mean over the classes of the AUC of each against all others; undefined where a class is not tested.

    For two classes it is the AUC.  scikit-learn's name for it is ``roc_auc_ovr``.

    Fawcett (2006), section 9; Hanley & McNeil (1982) for the variance of each.
    """

    name = "macro-auc"
    title = "macro AUC"

    def encode(
        self, y: np.ndarray, predictions: np.ndarray, positive: int, n_classes: int
    ) -> tuple[np.ndarray, np.ndarray, int]:
        return y, predictions, n_classes

    def score_splits(self, truth: np.ndarray, answers: np.ndarray, start: np.ndarray, classes: int) -> np.ndarray:
        kinds = np.eye(classes, dtype=np.int64)[:, truth]
        return self._mean(lambda c: _auc_rows(kinds[c], np.ascontiguousarray(answers[:, c]), start), classes)

    def _weighted(self, truth: np.ndarray, answers: np.ndarray, counts: np.ndarray, classes: int) -> np.ndarray:
        return self._mean(lambda c: Auc()._weighted(truth == c, answers[:, c], counts, 2), classes)

    @staticmethod
    def _mean(of_class: Callable[[int], np.ndarray], classes: int) -> np.ndarray:
        return np.asarray(np.mean([of_class(c) for c in range(classes)], axis=0))

    def no_information(self, truth: np.ndarray, answers: np.ndarray, classes: int) -> float:
        """Return one half, the mean over all permutations."""
        return 0.5

    def influence(
        self, truth: np.ndarray, answers: np.ndarray, classes: int, shares: np.ndarray | None = None
    ) -> np.ndarray:
        """Average the influence curves of the classes' areas."""
        share = count_each(truth, minlength=classes) / truth.size if shares is None else shares

        def one(c: int) -> np.ndarray:
            # class c against all others is a problem of two classes, with these shares
            both = np.array([1 - share[c], share[c]])
            return Auc().influence((truth == c).astype(np.int64), answers[:, c], 2, both)

        return self._mean(one, classes)

    def variance(self, value: float, cases: Sequence[int]) -> float:
        """Return the variance of the mean of the classes' areas, which have a correlation of 1 / (K - 1).

        The areas of two classes share one of the K - 1 pairs of classes that each is made of.
        """
        classes, n = len(cases), sum(cases)
        of_class = [auc_variance(value, one, n - one) for one in cases]
        # var of a mean of K areas with standard deviations s_c: (sum s_c)^2 / K^2 perfectly correlated, sum s_c^2 / K^2
        # independent, and with one correlation rho between all pairs rho of the first and 1 - rho of the second
        correlated, independent = (sum(map(sqrt, of_class)) / classes) ** 2, sum(of_class) / classes / classes
        return independent + (correlated - independent) / (classes - 1)


@dataclass(frozen=True, eq=False)
class AveragePrecision(_OfPositives):
    """The mean over the positive cases of the precision among all cases with at least their probability.

    It is the area under the precision-recall curve as a step function, as scikit-learn computes it.

    References
    ----------
    Boyd, Eng & Page (2013), also for the binomial variance.
    """

    name = "average-precision"
    title = "average precision"
    # few positive cases of a fold have a higher average precision than many
    weights: ClassVar[Weights] = "test-size"

    def baseline(self, shares: np.ndarray, positive: int) -> tuple[float | None, str]:
        """Return the share of positive cases, the mean precision of a random ranking of many cases."""
        return float(shares[positive]), "a random ranking"

    def score_splits(self, truth: np.ndarray, answers: np.ndarray, start: np.ndarray, classes: int) -> np.ndarray:
        rows = ((truth[a:b], answers[a:b], np.ones((1, b - a))) for a, b in pairwise(start))
        return np.array([self._weighted(*row, classes)[0] if row[0].size else np.nan for row in rows])

    def _weighted(self, truth: np.ndarray, answers: np.ndarray, counts: np.ndarray, classes: int) -> np.ndarray:
        up, down = _tied(truth, answers, counts)
        # sum over distinct scores of (positives there / all positives) x (precision down to that score)
        precision, _ = _precision(up, down)
        positives = up.sum(axis=1)
        total = (up * precision).sum(axis=1)
        return np.divide(total, positives, out=np.full(counts.shape[0], np.nan), where=positives > 0)

    def no_information(self, truth: np.ndarray, answers: np.ndarray, classes: int) -> float:
        """Return the mean over all permutations.

        The last of b cases in the order of their probabilities is positive in a share p of permutations, and then
        (b - 1) (P - 1) / (N - 1) others before it are expected to be, of P positives among N.
        """
        n, positives = truth.size, int(truth.sum())
        if not positives:
            return float("nan")
        alike = np.unique(-answers, return_counts=True)[1]
        # cases with equal scores enter together, so that each has the precision at the end of its ties
        last = np.cumsum(alike)
        return float((alike * (1 + (last - 1) * (positives - 1) / max(1, n - 1)) / last).sum() / n)

    def influence(
        self, truth: np.ndarray, answers: np.ndarray, classes: int, shares: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the derivative of the average precision towards the weight of each test."""
        up, down = _tied(truth, answers, np.ones((1, truth.size)))
        place = np.unique(answers, return_inverse=True)[1]
        precision, above = _precision(up, down)
        value = float((up * precision).sum() / up.sum()) if up.any() else float("nan")
        # the mean over positives of found / above, to both of which a test adds its weight where it ranks no lower than
        # the positive case
        gained, lost = np.cumsum(up / above), np.cumsum(up * precision / above)
        own = truth * (precision[0] - value + gained)[place] - lost[place]
        return np.asarray(own * truth.size / truth.sum())

    def variance(self, value: float, cases: Sequence[int]) -> float:
        # Boyd, Eng & Page (2013), section 3: a binomial proportion of the positive cases
        return value * (1 - value) / cases[1]


def _tied(truth: np.ndarray, answers: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Count positive and other tests of each distinct answer, ascending."""
    order = np.argsort(answers)
    ranked = answers[order]
    new = np.concatenate([[True], ranked[1:] != ranked[:-1]])
    if not new.all():
        order = np.argsort(answers, kind="stable")  # slower; sums of weights depend on the order
    counts, positive = np.asarray(counts, dtype=np.float64)[:, order], truth[order] == 1
    up, down = (np.add.reduceat(counts * kind, np.flatnonzero(new), axis=1) for kind in (positive, ~positive))
    return up, down


def _precision(up: np.ndarray, down: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the precision among the tests with at least each answer, and their number."""
    above = np.cumsum((up + down)[:, ::-1], axis=1)[:, ::-1]
    found = np.cumsum(up[:, ::-1], axis=1)[:, ::-1]
    return np.divide(found, above, out=np.zeros_like(above), where=above > 0), above


def placements(truth: np.ndarray, answers: np.ndarray) -> np.ndarray:
    """Tell of each test the share of tests of the other kind that it is on the right side of, ties counting half."""
    positive = truth == 1
    # V10 and V01 of DeLong et al. (1988); the mean over either kind is the AUC
    up, down = np.sort(answers[positive]), np.sort(answers[~positive])
    out = np.empty(answers.shape[0])
    for own, other, above in ((positive, down, True), (~positive, up, False)):
        if not other.size:
            out[own] = np.nan
            continue
        lower = np.searchsorted(other, answers[own], side="left")
        not_higher = np.searchsorted(other, answers[own], side="right")
        # mid-ranks: halfway between the tests that are lower and those that are not higher
        below = (lower + not_higher) / 2.0 / other.size
        out[own] = below if above else 1.0 - below
    return out


def delong_variance(truth: np.ndarray, answers: np.ndarray) -> float:
    """Return the variance of an AUC on independent tests of one classifier; NaN with fewer than two of a kind.

    DeLong, DeLong & Clarke-Pearson (1988), for one classifier.
    """
    placed, positive = placements(truth, answers), truth == 1
    if min(int(positive.sum()), int((~positive).sum())) < 2:
        return float("nan")
    # the variances of the placements of both kinds, each over the number of its kind
    return float(sum(placed[own].var(ddof=1) / own.sum() for own in (positive, ~positive)))


def auc_variance(auc: Any, n_pos: Any, n_neg: Any) -> Any:
    """Return the variance of an AUC on independent tests of one classifier, if the AUC is true.

    Hanley & McNeil (1982), equation (1) with Q1 = a / (2 - a) and Q2 = 2 a^2 / (1 + a), and a (1 - a) factored out.
    """
    # Q1 - a^2 = a (1 - a) (1 - a) / (2 - a), and Q2 - a^2 = a (1 - a) a / (1 + a); Q1 is the chance that two positive
    # cases both rank above one other, Q2 that one ranks above two others, both for exponential scores
    excess = (n_pos - 1) * (1 - auc) / (2 - auc) + (n_neg - 1) * auc / (1 + auc)
    return auc * (1 - auc) * (1 + excess) / (n_pos * n_neg)


def score_limits(value: float, variance: Callable[[float], Any], quantile: float) -> tuple[float, float]:
    """Return the roots a of (value - a)^2 = quantile^2 variance(a) in [0, 1].

    As for Wilson's interval, the variance is taken at the limit and not at the estimate, so that an AUC of 1 still has
    a lower limit below 1.
    """
    # by halving: no closed form where the variance is no polynomial of degree two
    limits = []
    # the estimate satisfies (value - a)^2 <= t^2 V(a); an end of the scale that does too is the limit
    for outside in (0.0, 1.0):
        inside = float(value)
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            gap = value - middle
            inside, outside = (middle, outside) if gap * gap <= quantile**2 * variance(middle) else (inside, middle)
        limits.append(inside)
    return limits[0], limits[1]
