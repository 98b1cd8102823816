"""Intervals with whole groups in place of cases.

Cases of one group err together, so that the groups are what varies.  A reduction is handed, for every
tested group, the rate plus the group's excess of losses over it (the linear form of a ratio of sums),
scaled so that their mean is a mean over cases; everything else is the plain interval of G units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from errorest.assessment.arrangement import unit_sample
from errorest.data.sample import Sample
from errorest.estimation.intervals import IntervalMethod, Limits, Measured, parse_interval
from errorest.estimation.run import Outcome, Scheme
from errorest.resampling.multisets import Resamples

__all__ = ["limits_of_groups"]


@dataclass(frozen=True, eq=False)
class _OfGroups(Measured):
    """What a reduction reads, group for case."""

    values: Mapping[Scheme, np.ndarray] = field(kw_only=True)

    def losses(self, scheme: Scheme) -> np.ndarray:
        return self.values[scheme]


def limits_of_groups(
    method: IntervalMethod,
    sample: Sample,
    groups: np.ndarray,
    outcomes: Mapping[Scheme, Outcome],
    units: Mapping[Scheme, Resamples],
    table: np.ndarray,
    confidence: float,
    estimate: float,
) -> Limits:
    """Reduce outcomes to limits, counting groups.

    Parameters
    ----------
    method : IntervalMethod
    sample : Sample
        Of the cases.
    groups : int array, shape (n,)
    outcomes, units : mappings of Scheme
        Outcomes over the cases, and the resamples over the groups that they were drawn as.
    table : float array, shape (K, K)
    confidence, estimate : float
        The estimate over cases that the limits are put around.

    Returns
    -------
    Limits

    Examples
    --------
    >>> from errorest.assessment.arrangement import in_groups
    >>> from errorest.resampling.draw import leave_one_out
    >>> method, y = parse_interval("loo-wald"), np.array([0, 0, 1, 1])
    >>> s, groups = Sample.from_arrays(np.zeros((4, 1)), y), np.array([0, 0, 1, 1])
    >>> units = leave_one_out(2)
    >>> whole = Outcome(in_groups(units, groups), np.array([0, 0, 0, 0]), np.array([0, 2]), np.array([2, 2]))
    >>> scheme = method.schemes[0]
    >>> limits_of_groups(method, s, groups, {scheme: whole}, {scheme: units}, 1 - np.eye(2), 0.95, 0.5).se > 0.35
    True
    """
    if method.id.startswith("632+"):
        # the standard error of Err1, scaled, as without groups
        (bootstrap,) = (s for s in method.schemes if s.name == "bootstrap")
        own = parse_interval(f"oob(replicates={dict(bootstrap.settings)['replicates']})")
        plain = _limits(own, sample, groups, outcomes, units, table, confidence)
        se = plain.se * estimate / plain.estimate if plain.estimate > 0 else plain.se
        return _around(plain, estimate, se, confidence)
    plain = _limits(method, sample, groups, outcomes, units, table, confidence)
    return _around(plain, plain.estimate if method.id.startswith("nested-cv") else estimate, plain.se, confidence)


def _around(plain: Limits, estimate: float, se: float, confidence: float) -> Limits:
    scale = se / plain.se if plain.se > 0 else 1.0
    half = (plain.high - plain.low) / 2 * scale
    return Limits(estimate, estimate - half, estimate + half, se, plain.cases)


def _limits(
    method: IntervalMethod,
    sample: Sample,
    groups: np.ndarray,
    outcomes: Mapping[Scheme, Outcome],
    units: Mapping[Scheme, Resamples],
    table: np.ndarray,
    confidence: float,
) -> Limits:
    values: dict[Scheme, np.ndarray] = {}
    over: dict[Scheme, Any] = {}
    sizes = np.bincount(groups)
    for scheme in method.schemes:
        outcome, resamples = outcomes[scheme], units[scheme]
        losses = table[sample.y[outcome.resamples.cases], outcome.labels]
        rate = float(losses.mean())
        tested = sizes[resamples.cases]
        ends = np.cumsum(tested)
        sums = np.add.reduceat(losses, ends - tested) if tested.size else losses
        values[scheme] = rate + (sums - tested * rate) * sizes.size / sample.n
        empty = np.zeros(resamples.n_rows, dtype=np.int64)
        over[scheme] = Outcome(resamples, np.empty(0, dtype=np.int64), empty, np.diff(resamples.start))
    measured = _OfGroups(unit_sample(sample, groups), over, table, confidence, values=values)
    return method.reduce(measured)
