"""The density that clones are drawn from, evaluated where one likes.

The kernels on the cases of a class are summed up; inside bounds, each is divided by the
share of it that is inside (section 7.1 of Shakhnarovich, El-Yaniv & Baram, 2001).
"""

from __future__ import annotations

import numpy as np

from errorest.errors import UsageError
from errorest.resampling.clones.draw import Plan
from errorest.resampling.clones.kernels import kernel_distribution, kernel_quantile, kernel_values
from errorest.resampling.clones.smoothing import ContinuousSmoothing

__all__ = ["density_of"]

_POINTS = 2**14
_MOST_CELLS = 2**21


def density_of(plan: Plan, smooth: ContinuousSmoothing, k: int, label: str, X: np.ndarray) -> np.ndarray:
    """Evaluate the density of one class (see :meth:`~errorest.resampling.clones.Cloner.density`).

    Parameters
    ----------
    plan : Plan
    smooth : ContinuousSmoothing
        The fit of the class, or of all classes.
    k : int
        Class number; it has a case.
    label : str
        Its name, for messages.
    X : float array, shape (m, d)

    Returns
    -------
    float array, shape (m,)

    Raises
    ------
    UsageError
        If the class has no density because it does not vary in some direction, or the bounds leave
        no room around a case.
    """
    own = np.flatnonzero(plan.y == k)
    out = np.zeros(X.shape[0])
    for known in smooth.known:
        cases = own[(~np.isnan(plan.X[np.ix_(own, plan.continuous)]) == known).all(axis=1)]
        points = np.flatnonzero((~np.isnan(X[:, plan.continuous]) == known).all(axis=1))
        if cases.size == 0:
            continue
        if plan.rank[plan.group[cases[0]]] < known.sum():
            raise UsageError(
                f"class '{label}' has no density: its continuous attributes are constant or linearly related; "
                "expected ones that vary in every direction; leave some out, or pool the classes"
            )
        mass = _mass_inside(plan, cases, known)
        block = max(1, _MOST_CELLS // (cases.size * max(1, int(known.sum()))))
        for start in range(0, points.size, block):
            some = points[start : start + block]
            out[some] = _sum_of_kernels(plan, cases, known, mass, X[some]) / own.size
    return out


def _sum_of_kernels(plan: Plan, cases: np.ndarray, known: np.ndarray, mass: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Sum the kernels on some cases of one pattern at points of the same pattern."""
    columns = plan.continuous[known]
    group = plan.group[cases[0]]
    noise = plan.noise[group][: columns.size, known]
    widths = np.sqrt((noise**2).sum(axis=1))
    turn = noise / widths[:, None] ** 2
    apart = np.einsum("mip,kp->mik", X[:, None, columns] - plan.X[cases][None, :, columns], turn)
    kernel = kernel_values(apart, "gaussian" if plan.gaussian else "epanechnikov").prod(axis=2) / widths.prod()
    low, high = plan.low[known], plan.high[known]
    inside = ((X[:, columns] >= low) & (X[:, columns] <= high)).all(axis=1)
    plain = kernel * _integer_weights(plan, cases, X)
    corrected = (plain / mass).sum(axis=1) * inside
    if plan.nominal.size == 0:
        return np.asarray(corrected)
    # nominal values are drawn given the numbers, by the kernels without correction (equations 21 to 24)
    mine, theirs = X[:, None, plan.nominal], plan.X[cases][None, :, plan.nominal]
    same = ((mine == theirs) | (np.isnan(mine) & np.isnan(theirs))).all(axis=2)
    total = plain.sum(axis=1)
    share = np.divide((plain * same).sum(axis=1), total, out=np.zeros_like(total), where=total > 0)
    return np.asarray(corrected * share)


def _integer_weights(plan: Plan, cases: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Multiply the discrete kernels on some cases at some points; shape (points, cases)."""
    weights = np.ones((X.shape[0], cases.size))
    row = plan.smoothing[cases[0]]
    for j, column in enumerate(plan.integer):
        first, size = plan.start[row, j], plan.size[row, j]
        support, total = plan.support[first : first + size], plan.total[first : first + size]
        level, value = plan.level[cases, j], X[:, column]
        missing = level < 0
        apart = value[:, None] - support[np.where(missing, 0, level)] if size else np.zeros_like(weights)
        share = np.exp(plan.log_h[row, j] * apart**2) / (total[np.where(missing, 0, level)] if size else 1.0)
        share[~np.isin(value, support)] = 0.0
        share[:, missing] = np.isnan(value)[:, None]
        weights *= share
    return weights


def _mass_inside(plan: Plan, cases: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return the share of the kernel on each case that is inside the bounds; shape (cases,)."""
    columns = plan.continuous[known]
    low, high = plan.low[known], plan.high[known]
    mass = np.ones(cases.size)
    if not (np.isfinite(low).any() or np.isfinite(high).any()):
        return mass
    kernel = "gaussian" if plan.gaussian else "epanechnikov"
    noise = plan.noise[plan.group[cases[0]]][: columns.size, known]
    X = plan.X[np.ix_(cases, columns)]
    if columns.size == 1:
        upper, lower = (high - X) / noise[0], (low - X) / noise[0]
        return np.asarray((kernel_distribution(upper, kernel) - kernel_distribution(lower, kernel))[:, 0])
    reach = np.abs(noise).sum(axis=0) if kernel == "epanechnikov" else np.full(columns.size, np.inf)
    from scipy.stats import qmc  # here, since few need it and it takes longer to import than most estimates take

    even = qmc.Sobol(columns.size, scramble=False).random(_POINTS) + 0.5 / _POINTS
    noisy = kernel_quantile(even, kernel) @ noise
    for i, x in enumerate(X):
        if not ((x - reach >= low) & (x + reach <= high)).all():
            mass[i] = ((noisy + x >= low) & (noisy + x <= high)).all(axis=1).mean()
    if (mass == 0).any():
        raise UsageError(
            f"the bounds leave no room around case {cases[np.argmin(mass)] + 1}; expected room for every case in all "
            "attributes at once; widen them, or clone fewer attributes"
        )
    return mass
