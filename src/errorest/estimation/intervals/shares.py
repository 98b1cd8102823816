"""Confidence limits of the recall of a class, which is a proportion, and of the mean recall of several classes."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

import numpy as np

from errorest.estimation.metrics.statistics import BalancedAccuracy, Sensitivity, Specificity
from errorest.estimation.outcomes import StatisticOutcome
from errorest.estimation.proportions import Interval, wilson_interval

SHARES = (Sensitivity.name, Specificity.name, BalancedAccuracy.name)
"""Statistics that are such a share, or the mean of such shares."""


class OfShares(NamedTuple):
    """The mean recall, its limits and standard error, and the cases that were counted."""

    value: float
    low: float
    high: float
    se: float
    cases: int


def limits_of_shares(
    outcome: StatisticOutcome, confidence: float, limits_of: Callable[..., Interval] = wilson_interval
) -> OfShares:
    """Return the limits of the mean recall of the classes, from the limits of each.

    With p_c the recall of class c, l_c and u_c the limits of a proportion of its m_c tested cases, and K classes::

        mean p_c - sqrt(sum (p_c - l_c)^2) / K   to   mean p_c + sqrt(sum (u_c - p_c)^2) / K

    Of one class, as for sensitivity and specificity, these are l_c and u_c.  Of several it is the square-and-add method
    of Newcombe (1998, Statistics in Medicine 17, 873, method 10) in the form of Zou & Donner (2008, Statistics in
    Medicine 27, 1693), known as MOVER: unlike those of a standard error the limits have width where every case is
    right.  A case counts once, however many repetitions test it.  NaN where a class is not tested.
    """
    right, shares, limits, cases = outcome.y_true == outcome.y_score, [], [], []
    for own in (outcome.y_true == c for c in outcome.statistic.recalled(outcome.classes)):
        distinct = np.unique(outcome.resamples.cases[own]).size
        if not distinct:
            nothing = float("nan")
            return OfShares(nothing, nothing, nothing, nothing, 0)
        # p_c m_c, with m_c distinct cases: a case tested again is no further one. Not whole with repetitions, and
        # Wilson's limits do not need it to be
        hits = distinct * int(right[own].sum()) / int(own.sum())
        shares.append(hits / distinct)
        limits.append(limits_of(hits, distinct, confidence))
        cases.append(distinct)
    p, m, (low, high) = np.array(shares), np.array(cases), np.array(limits).T
    # the mean of K independent shares varies as the sum of their squared deviations, divided by K^2
    below, above, se = (sqrt(float(v.sum())) / p.size for v in ((p - low) ** 2, (high - p) ** 2, p * (1 - p) / m))
    value = float(p.mean())
    return OfShares(value, value - below, value + above, se, int(m.sum()))
