"""The points of a learning curve with groups in the place of cases, and with losses of one's own.

Groups are what varies and what grows: training sets take whole ones, and a point's variance is that of a mean of
groups.  Laws of errors are laws of proportions, so that a loss is counted in shares of the worst that answers could
cost, and told in its own unit again.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from errorest.assessment.costs import Costs
from errorest.errors import UsageError
from errorest.estimation.learning_curves import CurvePoints, points_of
from errorest.estimation.outcomes import Outcome
from errorest.resampling.growing import Growing

__all__ = ["curve_points", "worst_mean"]

_PARTS = 2.0
"""A group is tested and trains, as a case does: what it changes by the first counts twice."""


def worst_mean(costs: Costs, counts: np.ndarray) -> float:
    """Return the mean loss if every answer were the one that costs most."""
    k = counts.shape[0]
    true, said = (a.ravel() for a in np.indices((k, k)))
    table = np.asarray(costs.loss.losses(true, said), dtype=np.float64).reshape(k, k)
    if table.min() < 0:
        raise UsageError(
            f"the loss gives {table.min():g} for an answer; expected no loss below 0, since an error that falls as a "
            "power of the cases ends at 0 or above; add a constant to the loss"
        )
    worst = float((counts * table.max(axis=1)).sum() / counts.sum())
    if worst == 0:
        raise UsageError("the loss gives 0 for every answer; expected one that tells answers apart; mend loss")
    return worst


def curve_points(
    outcome: Outcome, scheme: Growing, worst: float = 1.0, groups: np.ndarray | None = None
) -> CurvePoints:
    """Reduce the losses of growing training sets to points, in shares of the worst mean loss."""
    made = points_of(outcome, scheme) if groups is None else _points_of_groups(outcome, scheme, groups)
    return replace(made, errors=made.errors / worst, covariance=made.covariance / worst**2)


def _points_of_groups(outcome: Outcome, scheme: Growing, groups: np.ndarray) -> CurvePoints:
    sizes, resamples = len(scheme.trained), outcome.resamples
    cases = np.bincount(groups).astype(np.float64)
    number = cases.shape[0]
    row = np.repeat(np.arange(resamples.n_rows), np.diff(resamples.start))
    sums = np.zeros((number, sizes))
    np.add.at(sums, (groups[resamples.cases], row % sizes), np.asarray(outcome.losses, dtype=np.float64))
    sums /= scheme.repeats
    errors = sums.sum(axis=0) / cases.sum()
    excess = (sums - cases[:, None] * errors) * number / cases.sum()
    covariance = _PARTS * (excess.T @ excess) / (number - 1) / number
    return CurvePoints(number, np.array(scheme.trained), errors, covariance)
