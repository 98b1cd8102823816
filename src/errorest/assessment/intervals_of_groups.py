"""Intervals with whole groups in place of cases.

Cases of one group err together, so that the groups are what varies.  A reduction is handed, for every
tested group, the rate plus the group's excess of losses over it (the linear form of a ratio of sums),
scaled so that their mean is a mean over cases; everything else is the plain interval of G units.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from errorest.assessment.arrangement import unit_sample
from errorest.data.sample import Sample
from errorest.estimation.estimators.estimator import outcome_of
from errorest.estimation.intervals import IntervalMethod, Limits, Measured
from errorest.estimation.intervals.out_of_bag import OutOfBag, OutOfBag632Plus, SpanOf632Plus
from errorest.estimation.losses import GivenLosses, Outcome, RowErrors
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Scheme

__all__ = ["limits_of_groups"]


def limits_of_groups(
    method: IntervalMethod,
    sample: Sample,
    groups: np.ndarray,
    outcomes: Mapping[Scheme, RowErrors],
    units: Mapping[Scheme, Resamples],
    confidence: float,
    estimate: float,
) -> Limits:
    """Reduce outcomes to limits, counting groups."""
    if isinstance(method, OutOfBag632Plus):
        # the standard error of Err1, scaled, as without groups
        plain = _limits(OutOfBag(method.replicates, method.noise), sample, groups, outcomes, units, confidence)
        se = plain.se * estimate / plain.estimate if plain.estimate > 0 else plain.se
        around = _around(plain, estimate, se, confidence)
        return around.spanning(plain) if isinstance(method, SpanOf632Plus) else around
    plain = _limits(method, sample, groups, outcomes, units, confidence)
    return _around(plain, plain.estimate if method.has_own_estimate else estimate, plain.se, confidence)


def _around(plain: Limits, estimate: float, se: float, confidence: float) -> Limits:
    scale = se / plain.se if plain.se > 0 else 1.0
    half = (plain.high - plain.low) / 2 * scale
    error = None if plain.monte_carlo is None else plain.monte_carlo.scaled(scale)
    return Limits(estimate, estimate - half, estimate + half, se, plain.cases, error)


def _limits(
    method: IntervalMethod,
    sample: Sample,
    groups: np.ndarray,
    outcomes: Mapping[Scheme, RowErrors],
    units: Mapping[Scheme, Resamples],
    confidence: float,
) -> Limits:
    over: dict[Scheme, Outcome] = {}
    sizes = np.bincount(groups)
    of_units = unit_sample(sample, groups)
    for scheme in method.schemes:
        losses, resamples = outcome_of(outcomes, scheme).losses.astype(np.float64), units[scheme]
        rate = float(losses.mean())
        tested = sizes[resamples.cases]
        ends = np.cumsum(tested)
        sums = np.add.reduceat(losses, ends - tested) if tested.size else losses
        values = rate + (sums - tested * rate) * sizes.size / sample.n
        nothing_said = np.empty(0, dtype=np.int64)
        over[scheme] = Outcome.of(resamples, nothing_said, of_units.y, GivenLosses(values))
    return method.reduce(Measured(of_units, over, confidence))
