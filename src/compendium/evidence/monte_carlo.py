"""Statistics of replicates, each with its Monte Carlo error: mean, rms, spread, correlation, ratio of variances.

A study over several cells is a stratified sample of its grid: the error of a mean over all cells comes from the
spread within cells, not between them.  Units are those of the input.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import nan, sqrt

import numpy as np

from compendium.evidence.estimate import Estimate


def share(count: float, of: int) -> Estimate:
    """Share of independent trials, a proportion, with its binomial error.

    Where none or all succeed, the error is that of Laplace's share, (count + 1) / (of + 2), so that it is not 0: no
    success in five trials does not show that there is none in a hundred.
    """
    p = count / of
    likely = p if 0 < p < 1 else (count + 1) / (of + 2)
    return Estimate(float(p), float(np.sqrt(likely * (1 - likely) / of)), int(of))


def average(each: Iterable[Estimate]) -> Estimate:
    """Mean of values measured independently, such as those of the cells of a design; NaN of none."""
    results = list(each)
    if not results:
        return Estimate(nan, nan, 0)
    error = float(np.sqrt(sum(e.se**2 for e in results))) / len(results)
    return Estimate(float(np.mean([e.value for e in results])), error, sum(e.n for e in results))


def mean(values: np.ndarray, strata: np.ndarray | None = None) -> Estimate:
    """Mean of all values, shape (n,); with strata (the cell of each value), its error is that of a stratified mean."""
    x = np.asarray(values, dtype=float)
    n = x.shape[0]
    if strata is None:
        return Estimate(float(x.mean()), float(x.std(ddof=1) / np.sqrt(n)) if n > 1 else nan, n)
    _, sizes = np.unique(strata, return_counts=True)
    sorted_by_cell = x[np.argsort(strata, kind="stable")]
    if sizes[0] > 1 and (sizes == sizes[0]).all():
        # one size, as in most designs: the cells are the rows of an array
        spreads = sorted_by_cell.reshape(sizes.size, -1).var(axis=1, ddof=1).tolist()
    else:
        cells = np.split(sorted_by_cell, np.cumsum(sizes)[:-1])
        spreads = [float(cell.var(ddof=1)) if cell.size > 1 else 0.0 for cell in cells]
    variance = 0.0
    for size, spread_of_cell in zip(sizes.tolist(), spreads, strict=True):
        variance += size * spread_of_cell
    return Estimate(float(x.mean()), float(np.sqrt(variance)) / n, n)


def rms(differences: np.ndarray, strata: np.ndarray | None = None) -> Estimate:
    """Root mean square; its error by the delta method, se(root) = se(square) / (2 root)."""
    return _root(mean(np.asarray(differences, dtype=float) ** 2, strata))


def _root(square: Estimate) -> Estimate:
    root = float(np.sqrt(square.value))
    return Estimate(root, square.se / (2 * root) if root > 0 else 0.0, square.n)


def standard_deviation(values: np.ndarray) -> Estimate:
    """Sample standard deviation; its error from the fourth moment."""
    x = np.asarray(values, dtype=float)
    n = x.shape[0]
    spread = float(x.std(ddof=1))
    if spread == 0:
        return Estimate(0.0, 0.0, n)
    fourth = float(((x - x.mean()) ** 4).mean())
    # var(s^2) = (m4 - s^4 (n - 3) / (n - 1)) / n; the normal value where few cases make m4 smaller than possible
    variance = max(fourth - spread**4 * (n - 3) / (n - 1), 2 * spread**4 / n if n < 10 else 0.0) / n
    return Estimate(spread, float(np.sqrt(variance)) / (2 * spread), n)


def spread(values: np.ndarray, strata: np.ndarray) -> Estimate:
    """Root of the mean variance within cells; its error by the delta method."""
    return _root(mean(squares_within(values, strata), strata))


def squares_within(values: np.ndarray, strata: np.ndarray) -> np.ndarray:
    """Squared deviations from the mean of the cell, times m / (m - 1): their mean in a cell is its variance."""
    inside = np.empty_like(values)
    for cell in np.unique(strata):
        member = strata == cell
        m = int(member.sum())
        inside[member] = np.square(values[member] - values[member].mean()) * (m / (m - 1))
    return inside


def variance_ratio(first: np.ndarray, second: np.ndarray, strata: np.ndarray) -> Estimate:
    """Ratio of two paired estimates' variances within cells, pooled over cells; its error by the delta method."""
    a, b = np.atleast_2d(np.asarray(first).T).T, np.atleast_2d(np.asarray(second).T).T
    parts = np.zeros((2, len(strata)))
    members = [np.nonzero(strata == cell)[0] for cell in np.unique(strata)]
    for inside in members:
        for j, values in enumerate((a, b)):
            deviations = values[inside] - values[inside].mean(axis=0)
            # weights as if each cell's variance counted once
            parts[j, inside] = np.square(deviations).sum(axis=1) / (inside.size - 1)
    total = parts.sum(axis=1)
    if total[1] <= 0:
        return Estimate(nan, nan, len(strata))
    ratio = total[0] / total[1]
    influence = (parts[0] - ratio * parts[1]) / total[1]
    variance = sum(inside.size * float(influence[inside].var(ddof=1)) for inside in members)
    return Estimate(float(ratio), sqrt(variance), len(strata))


def without_each(values: np.ndarray) -> np.ndarray:
    """Standard deviation of all values but one, for each one left out; float array, shape (n,)."""
    n = values.size
    centred = values - values.mean()
    squares = (centred**2).sum() - centred**2 - centred**2 / (n - 1)
    # what is left of a constant column is rounding noise
    return np.asarray(np.sqrt(np.where(squares > 1e-9, squares, 0.0) / (n - 2)))


def jackknife(whole: float, left_out: np.ndarray) -> Estimate:
    """Estimate with the jackknife's standard error, from its values with each sample left out."""
    n = left_out.size
    return Estimate(float(whole), float(np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())), n)


def sd_gap(a: np.ndarray, b: np.ndarray) -> Estimate:
    """Standard deviation of paired values minus that of their partners, jackknifed; NaN of fewer than three pairs."""
    if len(a) < 3:
        return Estimate(nan, nan, len(a))
    return jackknife(a.std(ddof=1) - b.std(ddof=1), without_each(a) - without_each(b))


def sd_ratio(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Ratio of two standard deviations of paired values, as the mean of what each pair adds to it (delta method)."""
    first, second = ((v - v.mean()) ** 2 for v in (a, b))
    ratio = sqrt(float(first.mean() / second.mean()))
    if ratio == 0:
        return np.zeros(len(a))
    return np.asarray(ratio * (1 + (first / first.mean() - second / second.mean()) / 2))


def root_of(e: Estimate) -> Estimate:
    """Turn a ratio of variances into one of standard deviations."""
    return Estimate(sqrt(e.value), e.se / (2 * sqrt(e.value)), e.n) if e.value > 0 else e


def correlation(x: np.ndarray, y: np.ndarray) -> Estimate:
    """Pearson's correlation; its error by the jackknife.  NaN where one side does not vary."""
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    whole = coefficient(a, b)
    if np.isnan(whole):
        return Estimate(whole, whole, a.shape[0])
    return _jackknifed(whole, _coefficients_without_each(a, b))


def strength_gap(one: np.ndarray, other: np.ndarray, y: np.ndarray) -> Estimate:
    """Size of one correlation with ``y`` minus that of another in the same samples, jackknifed; NaN where undefined."""
    whole = [coefficient(x, y) for x in (one, other)]
    if np.isnan(whole).any():
        return Estimate(nan, nan, y.shape[0])
    sizes = [np.sign(r) * _coefficients_without_each(x, y) for r, x in zip(whole, (one, other), strict=True)]
    return _jackknifed(abs(whole[0]) - abs(whole[1]), sizes[0] - sizes[1])


def _coefficients_without_each(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson's correlation of all pairs but one, for each one left out; NaN where a side no longer varies."""
    a, b, n = x - x.mean(), y - y.mean(), x.shape[0]
    left = _r(-a, -b, (a * a).sum() - a * a, (b * b).sum() - b * b, (a * b).sum() - a * b, n - 1)
    return np.asarray(left)


def _jackknifed(whole: float, left_out: np.ndarray) -> Estimate:
    n, usable = left_out.shape[0], left_out[np.isfinite(left_out)]
    se = np.sqrt((n - 1) / n * ((usable - usable.mean()) ** 2).sum()) if usable.shape[0] > 1 else np.nan
    return Estimate(whole, float(se), n)


def coefficient(x: np.ndarray, y: np.ndarray) -> float:
    """Pearson's correlation alone; NaN where one side does not vary."""
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    # a constant column has rounding noise for a spread
    if any(np.ptp(v) <= 1e-12 * max(1.0, float(np.abs(v).max())) for v in (a, b)):
        return nan
    a, b = a - a.mean(), b - b.mean()
    return round(float(_r(a.sum(), b.sum(), (a * a).sum(), (b * b).sum(), (a * b).sum(), a.shape[0])), 15)


def _r(sa, sb, saa, sbb, sab, n):  # type: ignore[no-untyped-def]
    with np.errstate(invalid="ignore", divide="ignore"):
        return (sab - sa * sb / n) / np.sqrt((saa - sa * sa / n) * (sbb - sb * sb / n))
