"""Learning curves: the error by the number of training cases, how sure it is, and where it goes.

The curve's points are means over cases.  A case plays two parts, it is tested and it trains: the covariance of the
cases' mean losses tells of the first, as in the Wald interval of cross-validation, and what cases change as training
cases is taken for as much again.  The extrapolation takes the error for an inverse power law, ``a + b m^-c`` of m
cases, and averages over all such laws by how well they go through the points; its limits are quantiles of that.

No learning curve is a power law from the first case on, nor need it stay one.  The law is taken to be right at the
largest size; away from it, towards fewer cases and towards more, the slope of the curve on logarithmic axes wanders
at random.  So the points at the end count most for where the curve goes, and limits widen with the distance.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import ceil
from numbers import Real
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, stdtrit

from errorest.errors import UsageError
from errorest.estimation.outcomes import Outcome
from errorest.estimation.proportions import wilson_interval, wilson_limits
from errorest.resampling.schemes import NestedSubsetFolds

# Which share of the error at the largest size never goes: each as likely beforehand
_SHARES = np.linspace(0, 1, 41)

# Exponents, each as likely beforehand
_EXPONENTS = np.geomspace(0.25, 2, 17)

# Share of a point's variance that is its own, so that no two points are taken for one
_OWN = 0.25

# How far the slope wanders from the law's, a standard deviation, while cases grow by a factor e
_DRIFT = 0.25

# Variance factor: training-set variance assumed equal to test-set variance
_PARTS = 2.0

# Standard errors by which the error rises between two points of a curve that is no power law
_RISEN = 2.0

_TURNS = ndtri((np.arange(5) + 0.5) / 5)
# Equally likely turns that the curve takes away from the largest size, of one standard deviation
_TURNS = _TURNS / _TURNS.std()

# Laws of less weight are left out
_FAINT = 1e-7

_LEAST_GROWTH = 1e-9

# Quantiles are rounded to these, so that machines that differ in the last bits give the same
_DECIMALS = 9

# Cases up to which a wanted error is looked for
_FARTHEST = 10_000_000


@dataclass(frozen=True, eq=False)
class CurvePoints:
    """The measured points of a learning curve: sizes, error rates and their covariance over samples.

    ``n`` counts the cases, or the groups where ``grouped``.
    """

    n: int
    sizes: np.ndarray
    errors: np.ndarray
    covariance: np.ndarray
    grouped: bool = False

    @property
    def se(self) -> np.ndarray:
        """Standard errors, proportions."""
        return np.sqrt(np.diag(self.covariance))

    def limits(self, confidence: float) -> list[tuple[float, float]]:
        """Return Wilson's limits of each point, with as many independent cases as its variance is worth.

        The variance is that of the cases' mean losses with two cases added, one always right and one always wrong, so
        that limits are continuous at errors of 0 and 1, where they are those of (n + 1) / 2 cases.  Of few groups the
        variance is uncertain: their quantile is Student's with n - 1 degrees of freedom.
        """
        n, errors = self.n, self.errors
        smoothed = (n * errors + 1) / (n + 2)
        # sum of squares of n + 2 losses about their mean
        squares = np.diag(self.covariance) * n * (n - 1) / _PARTS
        squares = squares + n * (errors - smoothed) ** 2 + smoothed**2 + (1 - smoothed) ** 2
        variance = _PARTS * squares / (n + 1) / (n + 2)
        worth = np.maximum(1.0, smoothed * (1 - smoothed) / variance)
        level = (1 + confidence) / 2
        quantile = float(stdtrit(n - 1, level) if self.grouped else ndtri(level))
        limits = (wilson_limits(e, w, quantile) for e, w in zip(errors.tolist(), worth.tolist(), strict=True))
        return [(float(low), float(high)) for low, high in limits]

    @property
    def rise(self) -> tuple[int, int] | None:
        """Positions of two points of which the second errs significantly more; None where the curve only falls.

        Of several pairs that with the largest difference in standard errors.
        """
        variance = np.diag(self.covariance)
        spread = np.sqrt(np.maximum(0.0, variance[:, None] + variance - 2 * self.covariance))
        rise = np.triu(self.errors[None] - self.errors[:, None], 1)
        ratio = np.divide(rise, spread, out=np.where(rise > 0, np.inf, 0.0), where=spread > 0)
        first, last = np.unravel_index(int(np.argmax(ratio)), ratio.shape)
        return (int(first), int(last)) if ratio[first, last] > _RISEN else None


def points_of(
    outcome: Outcome, scheme: NestedSubsetFolds, groups: np.ndarray | None = None, worst: float = 1.0
) -> CurvePoints:
    """Reduce the losses of growing training sets to the points of a learning curve, in shares of the worst mean loss.

    Groups vary, and training sets take whole ones: a point's variance is that of a mean of groups, from each group's
    excess of losses over the mean (the linear form of a ratio of sums).  Without groups every case is one.

    References
    ----------
    Bayle, Bayle, Janson & Mackey (2020) for the variance of cross-validation that the cases' losses give.
    """
    sizes, resamples = len(scheme.trained), outcome.resamples
    unit = np.arange(resamples.compact.n) if groups is None else groups
    cases = np.bincount(unit).astype(np.float64)
    number = cases.shape[0]
    row = np.repeat(np.arange(resamples.n_rows), np.diff(resamples.start))
    sums = np.zeros((number, sizes))
    np.add.at(sums, (unit[resamples.cases], row % sizes), np.asarray(outcome.losses, dtype=np.float64))
    sums /= scheme.repeats
    errors = sums.sum(axis=0) / cases.sum()
    excess = (sums - cases[:, None] * errors) * number / cases.sum()
    covariance = _PARTS * (excess.T @ excess) / (number - 1) / number
    grouped = groups is not None
    return CurvePoints(number, np.array(scheme.trained), errors / worst, covariance / worst**2, grouped)


@dataclass(frozen=True, eq=False)
class PowerLaws:
    """All inverse power laws, weighted by their fit; ``drift`` is the standard deviation of the slope per factor e."""

    points: CurvePoints
    drift: float = _DRIFT

    @cached_property
    def _mixture(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return shares, exponents, weights, and mean and deviation of the error at the largest size under each."""
        p = self.points
        # the covariance of the points about a law: what cases change, and how far the slope wanders down to each; no
        # variance is below that of a case added to each kind, and no point a double of another
        known, level = np.diag(p.covariance), (p.n * p.errors + 1) / (p.n + 2)
        variance = np.maximum(known, level * (1 - level) / (p.n + 2) / 2)
        scale = np.sqrt(np.where(known > 0, known, 1.0))
        correlation = (1 - _OWN) * (p.covariance / scale[:, None] / scale[None])
        np.fill_diagonal(correlation, 1.0)
        firm = correlation * np.sqrt(variance[:, None] * variance[None])
        if p.grouped:
            # of few groups a deviation is Student's, whose variance is that of n - 1 degrees of freedom
            firm *= (p.n - 1) / (p.n - 3)
        wandered = _wandered(np.log(p.sizes[-1] / p.sizes))
        inverse = np.linalg.inv(firm + self.drift**2 * level[:, None] * level[None] * wandered)
        shares, exponents = (g.ravel() for g in np.meshgrid(_SHARES, _EXPONENTS, indexing="ij"))
        shape = shares[:, None] + (1 - shares[:, None]) * (p.sizes[None] / p.sizes[-1]) ** -exponents[:, None]
        precision = np.einsum("gs,st,gt->g", shape, inverse, shape)
        mean = shape @ inverse @ p.errors / precision
        sd = precision**-0.5
        fit = -0.5 * (p.errors @ inverse @ p.errors - mean**2 * precision)
        weight = np.exp(fit - fit.max()) * sd * (ndtr((1 - mean) / sd) - ndtr(-mean / sd))
        return shares, exponents, weight / weight.sum(), mean, sd

    def quantiles(self, cases: int, levels: Sequence[float]) -> list[float]:
        """Return quantiles of the mean error of classifiers made of so many cases, proportions."""
        shares, exponents, weight, mean, sd = self._mixture
        selected = weight > _FAINT
        shares, exponents, weight, mean, sd = (v[selected] for v in (shares, exponents, weight, mean, sd))
        ahead = float(np.log(cases / self.points.sizes[-1]))
        spread = self.drift * float(_wandered(np.array([abs(ahead)]))[0, 0]) ** 0.5
        turns = np.exp(spread * _TURNS) if spread > 0 else np.ones(1)
        growth = shares + (1 - shares) * (cases / self.points.sizes[-1]) ** -exponents
        # however it turns, more cases make no more errors
        growth = np.clip(growth[:, None] * turns, _LEAST_GROWTH, 1.0 if ahead > 0 else np.inf)
        floor = ndtr(-mean / sd)
        weight = weight / weight.sum() / (ndtr((1 - mean) / sd) - floor) / turns.size
        beneath, slope = float(weight @ floor) * turns.size, 1 / (growth * sd[:, None])
        start, end = (mean / sd)[:, None], (1 / sd)[:, None]

        @cache
        def below(x: float) -> float:
            return float((weight @ ndtr(np.minimum(x * slope, end) - start)).sum()) - beneath

        top = float(growth.max())
        roots = (top if below(top) <= q else brentq(lambda x, q=q: below(x) - q, 0.0, top, xtol=1e-12) for q in levels)
        return [min(1.0, round(float(root), _DECIMALS)) for root in roots]

    @cached_property
    def likeliest(self) -> tuple[float, float, float]:
        """The law with the most weight: a, b and c of ``a + b m^-c``."""
        shares, exponents, weight, mean, _ = self._mixture
        at = int(np.argmax(weight))
        level = min(1.0, max(0.0, float(mean[at])))
        a, c = level * float(shares[at]), float(exponents[at])
        return a, (level - a) * float(self.points.sizes[-1]) ** c, c

    def needed(self, error: float, level: float = 0.5) -> int | None:
        """Return the fewest cases whose error lies below a wanted one with a probability; None beyond ten million."""
        if self.quantiles(_FARTHEST, [level])[0] > error:
            return None
        return bisect_left(range(_FARTHEST), True, lo=1, key=lambda cases: self.quantiles(cases, [level])[0] <= error)


def _wandered(distance: np.ndarray) -> np.ndarray:
    """Return the covariance of sums of a random walk that starts at 0: what a wandering slope adds over distances."""
    near, far = np.minimum(distance[:, None], distance), np.maximum(distance[:, None], distance)
    return np.asarray(near**2 * (far / 2 - near / 6))


def test_size_for(width: float, error: float = 0.5, confidence_level: float = 0.95) -> int:  # noqa: PT028  no test
    """Count the test cases that make the interval of an error rate no wider than wanted.

    Parameters
    ----------
    width : float
        Upper less lower limit of Wilson's interval, a proportion.
    error : float
        The error rate that is expected, a proportion; 0.5 takes the most cases.
    confidence_level : float
        A proportion.

    Returns
    -------
    int
        Independent cases that one classifier is tested on.

    Raises
    ------
    UsageError
        If a number is no proportion.

    See Also
    --------
    errorest.assessment.LearningCurve.test_cases : The same at the error of the largest training set of a curve.

    References
    ----------
    Wilson (1927).

    Examples
    --------
    >>> test_size_for(0.1), test_size_for(0.1, error=0.12)
    (381, 164)
    """
    given: list[tuple[str, Any, float]] = [("width", width, 0.1), ("confidence_level", confidence_level, 0.95)]
    for name, value, usual in given:
        if not isinstance(value, Real) or not 0 < float(value) < 1:
            raise UsageError(f"{name} = {value!r} was given; expected a proportion between 0 and 1, such as {usual}")
    wanted: Any = error
    if not isinstance(wanted, Real) or not 0 <= error <= 1:
        raise UsageError(f"error = {error!r} was given; expected a proportion from 0 to 1")

    def narrow(cases: int) -> bool:
        low, high = wilson_interval(error * cases, cases, confidence_level)
        return bool(high - low <= width)

    # at an error of one half the width is z / sqrt(cases + z^2), and it is largest there
    enough = ceil((float(ndtri((1 + confidence_level) / 2)) / width) ** 2)
    return bisect_left(range(enough + 1), True, lo=1, key=narrow)


# no test, whatever pytest takes it for by its name
test_size_for.__test__ = False  # type: ignore[attr-defined]
