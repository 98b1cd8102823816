"""Calibration: do probabilities of a class mean what they say?

Slope and intercept are those of a logistic regression of being positive on the logits of the probabilities
(Cox 1958): 1 and 0 where all is well; a slope below 1 says that probabilities are too extreme.
:func:`reliability` sorts tests into groups of like probability, for a picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np
from scipy import special

from errorest.counting import count_each
from errorest.estimation.metrics.metric import Statistic
from errorest.estimation.proportions import wilson_limits
from errorest.estimation.quantiles import t_quantile

_STEPS = 50
# A slope or intercept beyond this is one of classes that probabilities part without a fault: there is none
_STEEPEST = 1e3


@dataclass(frozen=True, eq=False)
class _Calibration(Statistic):
    """A coefficient of the logistic regression of being positive on the logits of the probabilities.

    Cox (1958); Steyerberg, Clinical Prediction Models, 2009, chapter 15.
    """

    of_one_class = True
    limits = (float("-inf"), float("inf"))
    # no error rate: what .632+ takes from overfitting has no meaning for it
    estimators = ("resubstitution", "holdout", "cv", "loo")
    at: ClassVar[int]
    requirements: ClassVar = {"clip": (lambda p: 0 < p < 0.5, "a probability in (0, 0.5); the usual one is 1e-06")}

    clip: float = 1e-6  # probabilities are held in [clip, 1 - clip] before logits are taken

    def encode(
        self, y: np.ndarray, predictions: np.ndarray, positive: int, n_classes: int
    ) -> tuple[np.ndarray, np.ndarray, int]:
        covered = np.clip(predictions[:, positive], self.clip, 1.0 - self.clip)
        return (y == positive).astype(np.int64), covered, 2

    def _regressed(self, answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what is regressed on, and the offset."""
        raise NotImplementedError

    def _fitted(self, truth: np.ndarray, answers: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the coefficients, what is regressed on, and the offset; NaN where there are none."""
        x, offset = self._regressed(answers)
        # no estimate: as few cases as coefficients, one class alone, or a slope on equal logits
        if truth.size <= x.shape[1] or truth.min() == truth.max() or (x.shape[1] > 1 and np.ptp(answers) == 0):
            return np.full(x.shape[1], np.nan), x, offset
        beta = np.zeros(x.shape[1])
        # Newton's method, here because scikit-learn's logistic regression takes no offset, and none of the dependencies
        # is imported in less time than a thousand of these fits take
        for _ in range(_STEPS):
            p = special.expit(x @ beta + offset)
            information = (x * (p * (1 - p))[:, None]).T @ x  # X' W X, the score is X' (y - p)
            try:
                step = np.linalg.solve(information, x.T @ (truth - p))
            except np.linalg.LinAlgError:
                break
            beta = beta + step
            if not np.isfinite(beta).all() or np.abs(beta).max() > _STEEPEST:
                break
            if np.abs(step).max() <= 1e-10 * max(1.0, np.abs(beta).max()):
                return beta, x, offset
        # the likelihood has no maximum
        return np.full(x.shape[1], np.nan), x, offset

    def score_splits(self, truth: np.ndarray, answers: np.ndarray, start: np.ndarray, classes: int) -> np.ndarray:
        """Return the coefficient of each row; NaN where one class is tested, or is parted from the other."""
        parts = (slice(a, b) for a, b in pairwise(start))
        return np.array([self._fitted(truth[p], answers[p])[0][self.at] for p in parts])

    def influence(
        self, truth: np.ndarray, answers: np.ndarray, classes: int, shares: np.ndarray | None = None
    ) -> np.ndarray:
        """Return each test's score, times the inverse of the mean information."""
        beta, x, offset = self._fitted(truth, answers)
        if np.isnan(beta).any():
            return np.full(truth.shape[0], np.nan)
        p = special.expit(x @ beta + offset)
        # of an M-estimator: I^-1 times the score of the test, I the mean information (Hampel 1974)
        information = (x * (p * (1 - p))[:, None]).T @ x / truth.size
        return np.asarray(np.linalg.solve(information, (x * (truth - p)[:, None]).T)[self.at])


@dataclass(frozen=True, eq=False)
class CalibrationSlope(_Calibration):
    """The slope of being positive on the logit of the probability; the ideal is 1, and less is too extreme."""

    name = "calibration-slope"
    title = "calibration slope"
    best = 1.0
    chance = (1.0, "ideal value")
    at = 1

    def _regressed(self, answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # logit P(y = 1) = alpha + beta logit(p); beta is the slope, alpha fitted with it
        return np.column_stack([np.ones(answers.size), special.logit(answers)]), np.zeros(answers.size)


@dataclass(frozen=True, eq=False)
class CalibrationIntercept(_Calibration):
    """How far the logits of all probabilities lie too low, with slope 1 (calibration in the large); 0 is right."""

    name = "calibration-intercept"
    title = "calibration intercept"
    chance = (0.0, "ideal value")
    at = 0

    def _regressed(self, answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # logit P(y = 1) = alpha + logit(p): the logits are an offset, that is, the slope is fixed at 1
        return np.ones((answers.size, 1)), special.logit(answers)


class Reliability(NamedTuple):
    """Groups of cases of similar probability: predicted and observed shares, with the limits of both."""

    cases: np.ndarray
    prob_pred: np.ndarray
    prob_true: np.ndarray
    low: np.ndarray
    high: np.ndarray
    noise_low: np.ndarray
    noise_high: np.ndarray


def reliability(
    truth: np.ndarray,
    prob_pred: np.ndarray,
    groups: int | None = None,
    confidence: float = 0.95,
    units: np.ndarray | None = None,
) -> Reliability:
    """Sort cases into groups of like probability, as equal in size as ties allow.

    The noise: Bröcker & Smith (2007), here exact, of the distribution of a sum of unequal coins.  Where cases belong to
    ``units`` that depend on one another, each unit counts once, as one coin, and Student's quantile takes the place of
    the normal one in Wilson's limits.
    """
    # ten groups as in most pictures; fewer where they would hold fewer than ten cases, and three at least
    wanted = min(10, max(3, truth.size // 10)) if groups is None else groups
    order = np.argsort(prob_pred, kind="stable")
    cuts = np.linspace(0, truth.size, wanted + 1).round().astype(int)[1:-1]
    # equal probabilities stay together
    cuts = np.unique(np.searchsorted(prob_pred[order], prob_pred[order][cuts], side="left"))
    parts = [p for p in np.split(order, cuts) if p.size]
    cases = np.array([p.size for p in parts])
    prob_true = np.array([truth[p].mean() for p in parts])
    tail = (1 - confidence) / 2
    limits, noise = np.empty((len(parts), 2)), np.empty((len(parts), 2))
    for k, part in enumerate(parts):
        coins, quantile = prob_pred[part], float(special.ndtri(1 - tail))
        if units is not None:
            of_unit = np.unique(units[part], return_inverse=True)[1]
            coins = count_each(of_unit, coins) / count_each(of_unit)
            quantile = t_quantile(max(1, coins.size - 1), 1 - tail)
        # limits of the observed share; the noise below is of shares that these probabilities would give if true
        limits[k] = wilson_limits(prob_true[k], coins.size, quantile)
        # the Poisson binomial distribution: convolve the coins one by one
        chance = np.ones(1)  # of each number of heads among coins of these probabilities
        for own in coins:
            chance = np.concatenate([chance * (1 - own), [0.0]]) + np.concatenate([[0.0], chance * own])
        # 1e-12: a cumulated probability that equals the tail but for rounding
        ends = np.searchsorted(np.cumsum(chance), [tail + 1e-12, 1 - tail - 1e-12])
        noise[k] = np.minimum(ends, coins.size) / coins.size
    means = np.array([prob_pred[p].mean() for p in parts])
    return Reliability(cases, means, prob_true, *limits.T, *noise.T)
