"""How good estimates are: bias, rms, spread and correlation, each with its Monte Carlo error.

A study over several cells is a stratified sample of its grid: the error of a
mean over all cells comes from the spread within cells, not between them.
Units are those of the input.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from typing import NamedTuple

import numpy as np

__all__ = ["Measured", "average", "coefficient", "correlation", "exact", "mean", "rms", "share", "standard_deviation"]


class Measured(NamedTuple):
    """A Monte Carlo value, its standard error, and the number of replicates behind it.

    Examples
    --------
    >>> half = Measured(0.25, 0.01, 400)
    >>> half.value, half.n
    (0.25, 400)
    """

    value: float
    se: float
    n: int

    def times(self, factor: float) -> Measured:
        """Return the same in another unit.

        Examples
        --------
        >>> Measured(0.25, 0.01, 400).times(100)
        Measured(value=25.0, se=1.0, n=400)
        """
        return Measured(self.value * factor, self.se * factor, self.n)

    def minus(self, other: Measured) -> Measured:
        """Return the difference from a value that was measured independently.

        Examples
        --------
        >>> Measured(5.0, 0.3, 100).minus(Measured(2.0, 0.4, 50))
        Measured(value=3.0, se=0.5, n=100)
        """
        return Measured(self.value - other.value, hypot(self.se, other.se), self.n)


def exact(value: float) -> Measured:
    """Return a number without Monte Carlo error.

    Examples
    --------
    >>> exact(24)
    Measured(value=24.0, se=0.0, n=1)
    """
    return Measured(float(value), 0.0, 1)


def share(count: float, of: int) -> Measured:
    """Share of independent trials, a proportion, with its binomial error.

    Examples
    --------
    >>> share(50, 100)
    Measured(value=0.5, se=0.05, n=100)
    """
    p = count / of
    return Measured(float(p), float(np.sqrt(p * (1 - p) / of)), int(of))


def average(each: Iterable[Measured]) -> Measured:
    """Mean of values measured independently, such as those of the cells of a design; NaN of none.

    Examples
    --------
    >>> average([Measured(1.0, 0.3, 10), Measured(3.0, 0.4, 10)])
    Measured(value=2.0, se=0.25, n=20)
    """
    found = list(each)
    if not found:
        return Measured(float("nan"), float("nan"), 0)
    error = float(np.sqrt(sum(m.se**2 for m in found))) / len(found)
    return Measured(float(np.mean([m.value for m in found])), error, sum(m.n for m in found))


def mean(values: np.ndarray, strata: np.ndarray | None = None) -> Measured:
    """Mean of all values; with strata, its error is that of a stratified mean.

    Parameters
    ----------
    values : float array, shape (n,)
    strata : int or str array, shape (n,), optional
        The cell of each value.

    Examples
    --------
    >>> mean(np.array([1.0, 1.0, 3.0, 3.0]), np.array([0, 0, 1, 1]))
    Measured(value=2.0, se=0.0, n=4)
    """
    x = np.asarray(values, dtype=float)
    n = x.shape[0]
    if strata is None:
        return Measured(float(x.mean()), float(x.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan"), n)
    variance = 0.0
    for cell in np.unique(strata):
        inside = x[strata == cell]
        variance += inside.shape[0] * float(inside.var(ddof=1)) if inside.shape[0] > 1 else 0.0
    return Measured(float(x.mean()), float(np.sqrt(variance)) / n, n)


def rms(differences: np.ndarray, strata: np.ndarray | None = None) -> Measured:
    """Root mean square, its error by the delta method.

    Parameters
    ----------
    differences : float array, shape (n,)
    strata : int or str array, shape (n,), optional

    Examples
    --------
    >>> rms(np.array([3.0, -3.0])).value
    3.0
    """
    square = mean(np.asarray(differences, dtype=float) ** 2, strata)
    root = float(np.sqrt(square.value))
    return Measured(root, square.se / (2 * root) if root > 0 else 0.0, square.n)


def standard_deviation(values: np.ndarray) -> Measured:
    """Sample standard deviation; its error from the fourth moment.

    Examples
    --------
    >>> standard_deviation(np.array([1.0, 2.0, 3.0])).value
    1.0
    """
    x = np.asarray(values, dtype=float)
    n = x.shape[0]
    spread = float(x.std(ddof=1))
    if spread == 0:
        return Measured(0.0, 0.0, n)
    fourth = float(((x - x.mean()) ** 4).mean())
    # the normal value stands in where so few cases make the fourth moment smaller than possible
    variance = max(fourth - spread**4 * (n - 3) / (n - 1), 2 * spread**4 / n if n < 10 else 0.0) / n
    return Measured(spread, float(np.sqrt(variance)) / (2 * spread), n)


def correlation(x: np.ndarray, y: np.ndarray) -> Measured:
    """Pearson's correlation; its error by the jackknife.

    NaN where one side does not vary.

    Examples
    --------
    >>> correlation(np.array([1.0, 2.0, 3.0, 5.0]), np.array([2.0, 4.0, 6.0, 10.0])).value
    1.0
    """
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    n, whole = a.shape[0], coefficient(a, b)
    if np.isnan(whole):
        return Measured(whole, whole, n)
    a, b = a - a.mean(), b - b.mean()
    left = _r(-a, -b, (a * a).sum() - a * a, (b * b).sum() - b * b, (a * b).sum() - a * b, n - 1)
    usable = left[np.isfinite(left)]
    se = np.sqrt((n - 1) / n * ((usable - usable.mean()) ** 2).sum()) if usable.shape[0] > 1 else np.nan
    return Measured(whole, float(se), n)


def coefficient(x: np.ndarray, y: np.ndarray) -> float:
    """Pearson's correlation alone; NaN where one side does not vary.

    Examples
    --------
    >>> coefficient(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    1.0
    """
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    # a constant column has rounding noise for a spread
    if any(np.ptp(v) <= 1e-12 * max(1.0, float(np.abs(v).max())) for v in (a, b)):
        return float("nan")
    a, b = a - a.mean(), b - b.mean()
    return round(float(_r(a.sum(), b.sum(), (a * a).sum(), (b * b).sum(), (a * b).sum(), a.shape[0])), 15)


def _r(sa, sb, saa, sbb, sab, n):  # type: ignore[no-untyped-def]
    with np.errstate(invalid="ignore", divide="ignore"):
        return (sab - sa * sb / n) / np.sqrt((saa - sa * sa / n) * (sbb - sb * sb / n))
