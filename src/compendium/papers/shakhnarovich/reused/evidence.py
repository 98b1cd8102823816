"""What 50 trials look like if a few training samples serve them again and again.

The functions take numbers of a table, whoever printed them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import nan, sqrt
from typing import NamedTuple, TypeVar

import numpy as np
from scipy.optimize import nnls

__all__ = ["Printed", "evidence_by_samples", "group_that_fits", "implied_correlation", "moments", "unbiased_z"]

Key = TypeVar("Key", bound=Hashable)

_SIMULATED = 4000


class Printed(NamedTuple):
    """Mean, standard deviation and RMSE of an estimator over trials, as a table has them."""

    mean: float
    std: float
    rmse: float


def implied_correlation(estimate: Printed, truth: Printed, trials: int) -> float:
    """Solve for the correlation of estimate and true error over the trials.

    ``rmse^2 = (mean difference)^2 + (N - 1)/N (s^2 + t^2 - 2 r s t)`` with the standard deviations
    s of the estimate and t of the true error.
    """
    if estimate.std == 0 or truth.std == 0:
        return nan
    share = (trials - 1) / trials
    spread = share * (estimate.std**2 + truth.std**2)
    return ((estimate.mean - truth.mean) ** 2 + spread - estimate.rmse**2) / (2 * share * estimate.std * truth.std)


def moments(values: np.ndarray, truth: np.ndarray) -> tuple[float, float, float]:
    """Mean, standard deviation and RMSE of an estimator's values."""
    return float(values.mean()), float(values.std(ddof=1)), float(np.sqrt(np.mean((values - truth) ** 2)))


def unbiased_z(estimate: Printed, truth: Printed, trials: int) -> float:
    """Say how many standard errors an almost unbiased estimate's mean lies from the mean true error."""
    return (estimate.mean - truth.mean) / (sqrt(estimate.std**2 + truth.std**2) / sqrt(trials))


def _features(uses: np.ndarray, values: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Mean and deviation of the true error and of the estimate, for each row of counts of uses; shape (S, 4)."""
    number = uses[0].sum()
    columns = []
    for v in (truth, values):
        mean = uses @ v / number
        square = uses @ (v - v.mean()) ** 2 / number - (mean - v.mean()) ** 2
        columns += [mean, np.sqrt(np.maximum(square, 0.0) * number / (number - 1))]
    return np.column_stack(columns)


def evidence_by_samples(
    trials: Mapping[str, tuple[np.ndarray, np.ndarray]],
    printed: Mapping[str, tuple[Printed, Printed]],
    number: int,
    sizes: Sequence[int],
    rng: np.random.Generator,
) -> dict[int, float]:
    """Weigh how well a table agrees with trials that reuse a number of training samples.

    For each size g, g of our trials are drawn and used unequally often (shares uniform on the
    simplex) for the table's number of trials; the table's means and standard deviations of true
    error and leave-one-out are judged by a normal distribution with the mean and covariance of
    the simulated ones (a synthetic likelihood).
    """
    names = list(printed)
    wanted = np.array([v for n in names for v in (printed[n][1].mean, printed[n][1].std, *printed[n][0][:2])])
    rounding = np.array([v for _ in names for v in (5e-4, 5e-5, 5e-4, 5e-5)]) / sqrt(3)
    pool = trials[names[0]][0].shape[0]
    found = {}
    for size in sizes:
        shares = np.full((_SIMULATED, pool), 1.0 / pool)
        if size < min(number, pool):
            shares[:] = 0.0
            groups = rng.permuted(np.tile(np.arange(pool), (_SIMULATED, 1)), axis=1)[:, :size]
            np.put_along_axis(shares, groups, rng.dirichlet(np.ones(size), size=_SIMULATED), axis=1)
        uses = rng.multinomial(number, shares).astype(float)
        drawn = np.hstack([_features(uses, *trials[n]) for n in names])
        centre = drawn.mean(axis=0)
        covariance = np.cov(drawn, rowvar=False) + np.diag(rounding**2)
        difference = wanted - centre
        distance = float(difference @ np.linalg.solve(covariance, difference))
        found[size] = -0.5 * (distance + float(np.linalg.slogdet(2 * np.pi * covariance)[1]))
    return found


def group_that_fits(
    trials: Mapping[Key, tuple[np.ndarray, np.ndarray]], printed: Mapping[Key, Printed], size: int
) -> tuple[np.ndarray, np.ndarray]:
    """Choose a few trials, and how often each is used, so that a table's numbers come out as nearly as they can.

    Means, second moments and mean squared errors are linear in the shares, so that the best shares
    follow from non-negative least squares; trials are added one by one.  It is an illustration
    that was chosen to fit, not a test.
    """
    rows, goal = [], []
    for name, (values, truth) in trials.items():
        if name not in printed:
            continue
        p = printed[name]
        scale = max(p.rmse, 1e-3)
        rows += [values / scale, values**2 / scale**2, (values - truth) ** 2 / scale**2]
        goal += [p.mean / scale, (p.std**2 + p.mean**2) / scale**2, p.rmse**2 / scale**2]
    A, b = np.array(rows), np.array(goal)
    # shares must sum to one
    A, b = np.vstack([A, 100 * np.ones(A.shape[1])]), np.append(b, 100.0)
    chosen: list[int] = []
    for _ in range(min(size, A.shape[1])):
        misfits = [nnls(A[:, [*chosen, j]], b)[1] if j not in chosen else np.inf for j in range(A.shape[1])]
        chosen.append(int(np.argmin(misfits)))
    shares = nnls(A[:, chosen], b)[0]
    order = np.argsort(-shares, kind="stable")
    return np.array(chosen)[order], shares[order] / shares.sum()
