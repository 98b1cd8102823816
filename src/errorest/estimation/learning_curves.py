r"""Learning curves: measured points with their covariance, and inverse power laws that extrapolate them.

**Points.**  The error at a training-set size is a mean over cases (or groups), each tested by classifiers of all
sizes.  The covariance of the points is that of the cases' mean losses (Bayle, Bayle, Janson & Mackey 2020), doubled
for the variance that cases cause as training cases.

**Extrapolation.**  With the largest measured size :math:`M` and the error :math:`\ell` there, the mean error of
classifiers made of :math:`m` cases is

.. math::

    \mu(m) = \ell \, \bigl[ s + (1 - s) (m / M)^{-c} \bigr] \, e^{W(\log (m / M))}
            = (a + b \, m^{-c}) \, e^{W},
    \qquad a = s \ell, \quad b = (1 - s) \ell M^c .

The share :math:`s` of the error that never goes and the exponent :math:`c` are uniform on grids, :math:`\ell` is
uniform on [0, 1].  No learning curve is a power law throughout: its slope on logarithmic axes is taken to follow a
Brownian motion that starts at :math:`M`, so that :math:`W`, its integral, has the variance :math:`\sigma^2 t^3 / 3` at
the distance :math:`t = |\log (m / M)|`.  Points near :math:`M` then count most, and limits widen with the distance.
The measured points are normal about the law; what is predicted is the posterior mixture of all laws on the grids, with
:math:`\mu(m) \le \ell` for :math:`m > M`.

The notebook ``guide/06-growing`` measures how often the limits hold; no constant here was fitted to it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import ceil
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from errorest.counting import count_each, repeat_each
from errorest.errors import UsageError
from errorest.estimation.outcomes import Outcome
from errorest.estimation.proportions import wilson_interval, wilson_limits
from errorest.estimation.quantiles import t_quantile
from errorest.resampling.schemes import NestedSubsetFolds

# Prior of s, the share of the error at the largest size that no number of cases removes: uniform on a grid
_SHARES = np.linspace(0, 1, 41)

# Prior of c: log-uniform from slower than the parametric rate 1/2 of an estimate's error to its square's rate 1, twice
_EXPONENTS = np.geomspace(0.25, 2, 17)

# Standard deviation of the change of the slope while cases grow by a factor e.  A round number set by hand; in a small
# run of guide/06-growing twice as much made limits too wide to be of use, and without it (drift=0) they hold less often
_DRIFT = 0.25

# Share of a point's variance that is independent of the other points (a nugget): points of neighbouring sizes are
# correlated by nearly 1 in small samples, and an estimated correlation of 1 would make the difference of two certain
_NUGGET = 0.25

# Variance factor 2: training-set variance assumed equal to test-set variance
_PARTS = 2.0

# Standard errors by which the error must rise between two points before nothing is extrapolated
_RISEN = 2.0

# Five equally likely values with mean 0 and variance 1 for the standard normal factor of W (midpoints of fifths)
_TURNS = ndtri((np.arange(5) + 0.5) / 5)
_TURNS = _TURNS / _TURNS.std()

# Laws of less posterior weight change no rounded quantile, and are left out
_NEGLIGIBLE = 1e-7

_LEAST_GROWTH = 1e-9

# Quantiles are rounded, so that machines that differ in the last bits give the same
_DECIMALS = 9

# Cases up to which a wanted error is searched
_FARTHEST = 10_000_000


@dataclass(frozen=True, eq=False)
class CurvePoints:
    """Sizes, mean errors and their covariance over samples; ``n`` counts cases, or groups where ``grouped``."""

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
        """Return Wilson's limits of each point for the number of independent cases that its variance is worth.

        The variance is that of the cases' mean losses with two cases added, one always right and one always wrong
        (Agresti & Coull's adjustment), so that limits are continuous at errors of 0 and 1, where they are those of
        (n + 1) / 2 cases.  With groups the quantile is Student's with n - 1 degrees of freedom.
        """
        n, errors = self.n, self.errors
        smoothed = (n * errors + 1) / (n + 2)
        # sum of squares of n + 2 losses about their mean: of the n about theirs, the shift of the mean, the two added
        squares = np.diag(self.covariance) * n * (n - 1) / _PARTS
        squares = squares + n * (errors - smoothed) ** 2 + smoothed**2 + (1 - smoothed) ** 2
        variance = _PARTS * squares / (n + 1) / (n + 2)
        # p (1 - p) / variance: cases of which a binomial proportion p has this variance
        worth = np.maximum(1.0, smoothed * (1 - smoothed) / variance)
        level = (1 + confidence) / 2
        quantile = t_quantile(n - 1, level) if self.grouped else float(ndtri(level))
        limits = (wilson_limits(e, w, quantile) for e, w in zip(errors.tolist(), worth.tolist(), strict=True))
        return [(float(low), float(high)) for low, high in limits]

    @property
    def rise(self) -> tuple[int, int] | None:
        """Positions of the two points between which the error rises most, in standard errors; None where it falls."""
        variance = np.diag(self.covariance)
        # var(e_j - e_i) = v_i + v_j - 2 c_ij, below 0 by rounding alone; every pair is looked at, since a peak may lie
        # between any two sizes
        spread = np.sqrt(np.maximum(0.0, variance[:, None] + variance - 2 * self.covariance))
        rise = np.triu(self.errors[None] - self.errors[:, None], 1)
        # a rise of points that do not vary is certain, and counts as infinitely many standard errors
        ratio = np.divide(rise, spread, out=np.where(rise > 0, np.inf, 0.0), where=spread > 0)
        first, last = np.unravel_index(int(np.argmax(ratio)), ratio.shape)
        return (int(first), int(last)) if ratio[first, last] > _RISEN else None


def curve_points(
    outcome: Outcome, scheme: NestedSubsetFolds, groups: np.ndarray | None = None, max_loss: float = 1.0
) -> CurvePoints:
    """Reduce the losses of growing training sets to the points of a learning curve, in shares of the largest mean loss.

    References
    ----------
    Bayle, Bayle, Janson & Mackey (2020) for the variance of cross-validation that the cases' losses give.
    """
    sizes, resamples = len(scheme.trained), outcome.resamples
    unit = np.arange(resamples.compact.n) if groups is None else groups
    cases = count_each(unit).astype(np.float64)
    number = cases.shape[0]
    row = repeat_each(np.arange(resamples.n_rows), np.diff(resamples.start))
    sums = np.zeros((number, sizes))
    np.add.at(sums, (unit[resamples.cases], row % sizes), np.asarray(outcome.losses, dtype=np.float64))
    # each case has one mean loss a size: repetitions test it again and add no independent case
    sums /= scheme.repeats
    errors = sums.sum(axis=0) / cases.sum()
    # a mean of groups of unequal size is a ratio of sums; this is its linearization, sum_g (L_g - n_g e) / (n / G)
    excess = (sums - cases[:, None] * errors) * number / cases.sum()
    # covariance of a mean of G independent terms: sum of products / ((G - 1) G)
    covariance = _PARTS * (excess.T @ excess) / (number - 1) / number
    return CurvePoints(
        number, np.array(scheme.trained), errors / max_loss, covariance / max_loss**2, grouped=groups is not None
    )


class _Mixture(NamedTuple):
    """Laws on the grid: s, c, posterior weight, and mean and standard deviation of the error at the largest size."""

    share: np.ndarray
    exponent: np.ndarray
    weight: np.ndarray
    mean: np.ndarray
    sd: np.ndarray


@dataclass(frozen=True, eq=False)
class PowerLaws:
    """The posterior mixture of inverse power laws of measured points; ``drift`` is sigma of the module's model."""

    points: CurvePoints
    drift: float = _DRIFT

    @cached_property
    def _mixture(self) -> _Mixture:
        """Return the posterior of the laws, with the error at the largest size integrated out."""
        p = self.points
        # covariance of the points: no variance below that of a case added to each side, correlations shrunk by a nugget
        known, level = np.diag(p.covariance), (p.n * p.errors + 1) / (p.n + 2)
        variance = np.maximum(known, level * (1 - level) / (p.n + 2) / 2)
        scale = np.sqrt(np.where(known > 0, known, 1.0))
        correlation = (1 - _NUGGET) * (p.covariance / scale[:, None] / scale[None])
        np.fill_diagonal(correlation, 1.0)
        sampling = correlation * np.sqrt(variance[:, None] * variance[None])
        if p.grouped:
            # of few groups a deviation is Student's with nu = n - 1, whose variance is nu / (nu - 2)
            sampling *= (p.n - 1) / (p.n - 3)
        # exp(W) - 1 is about W: the drift adds the covariance of W times the errors themselves
        drifted = self.drift**2 * level[:, None] * level[None] * _walk_covariance(np.log(p.sizes[-1] / p.sizes))
        inverse = np.linalg.inv(sampling + drifted)
        shares, exponents = (g.ravel() for g in np.meshgrid(_SHARES, _EXPONENTS, indexing="ij"))
        # mu(m) / ell = s + (1 - s) (m / M)^-c, the law without its level
        shape = shares[:, None] + (1 - shares[:, None]) * (p.sizes[None] / p.sizes[-1]) ** -exponents[:, None]
        # generalized least squares for the only linear parameter, the error at the largest size
        precision = np.einsum("gs,st,gt->g", shape, inverse, shape)
        mean = shape @ inverse @ p.errors / precision
        sd = precision**-0.5
        # marginal likelihood: the error at the largest size is uniform on [0, 1]
        fit = -0.5 * (p.errors @ inverse @ p.errors - mean**2 * precision)
        # times sd and the normal probability of [0, 1]: the integral of the likelihood over the error at the largest
        # size; the largest exponent is taken off first, or all would underflow
        weight = np.exp(fit - fit.max()) * sd * (ndtr((1 - mean) / sd) - ndtr(-mean / sd))
        return _Mixture(shares, exponents, weight / weight.sum(), mean, sd)

    def quantiles(self, cases: int, levels: Sequence[float]) -> list[float]:
        """Return quantiles of the mean error of classifiers made of so many cases, proportions."""
        selected = self._mixture.weight > _NEGLIGIBLE
        shares, exponents, weight, mean, sd = (v[selected] for v in self._mixture)
        # t = log(m / M); W(t) has the standard deviation sigma sqrt(t^3 / 3)
        ahead = float(np.log(cases / self.points.sizes[-1]))
        spread = self.drift * float(_walk_covariance(np.array([abs(ahead)]))[0, 0]) ** 0.5
        turns = np.exp(spread * _TURNS) if spread > 0 else np.ones(1)
        growth = shares + (1 - shares) * (cases / self.points.sizes[-1]) ** -exponents
        # more cases make no more errors, whatever the slope does
        growth = np.clip(growth[:, None] * turns, _LEAST_GROWTH, 1.0 if ahead > 0 else np.inf)
        # distribution function of growth times a normal number that is truncated to [0, 1], averaged over the laws
        floor = ndtr(-mean / sd)
        weight = weight / weight.sum() / (ndtr((1 - mean) / sd) - floor) / turns.size
        beneath, slope = float(weight @ floor) * turns.size, 1 / (growth * sd[:, None])
        start, end = (mean / sd)[:, None], (1 / sd)[:, None]

        @cache
        def below(x: float) -> float:
            return float((weight @ ndtr(np.minimum(x * slope, end) - start)).sum()) - beneath

        # the quantile q solves F(x) = q, F the mixture's distribution function, which rises from 0 to 1 on [0, top]
        top = float(growth.max())
        roots = (top if below(top) <= q else brentq(lambda x, q=q: below(x) - q, 0.0, top, xtol=1e-12) for q in levels)
        return [min(1.0, round(float(root), _DECIMALS)) for root in roots]

    @cached_property
    def likeliest(self) -> tuple[float, float, float]:
        """The law with the most posterior weight: a, b and c of ``a + b m^-c``."""
        shares, exponents, weight, mean, _ = self._mixture
        at = int(np.argmax(weight))
        level = min(1.0, max(0.0, float(mean[at])))
        a, c = level * float(shares[at]), float(exponents[at])
        # b = (1 - s) ell M^c
        return a, (level - a) * float(self.points.sizes[-1]) ** c, c

    def needed(self, error: float, level: float = 0.5) -> int | None:
        """Return the fewest cases whose error lies below a wanted one with a probability; None beyond ten million."""
        if self.quantiles(_FARTHEST, [level])[0] > error:
            return None
        # quantiles do not rise with more cases, so that bisection finds the fewest
        return bisect_left(range(_FARTHEST), True, lo=1, key=lambda cases: self.quantiles(cases, [level])[0] <= error)


def _walk_covariance(distance: np.ndarray) -> np.ndarray:
    """Return the covariance of an integrated Brownian motion, t^2 (u / 2 - t / 6) at distances t <= u."""
    near, far = np.minimum(distance[:, None], distance), np.maximum(distance[:, None], distance)
    # cov(W(t), W(u)) = integral over r <= t of (t - r)(u - r) = t^2 (u / 2 - t / 6); at t = u it is t^3 / 3
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
    errorest.learning_curve : Its result counts them at the error of the largest training set of a curve.

    References
    ----------
    Wilson (1927).

    Examples
    --------
    >>> test_size_for(0.1), test_size_for(0.1, error=0.12)
    (381, 164)

    For a pipeline of scikit-learn, at the error rate that is estimated from 50 cases of two species:

    >>> import errorest
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = (values[50::2] for values in load_iris(return_X_y=True))
    >>> model = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    >>> e = errorest.estimate(model, X, y, rng=1)
    >>> print(f"{100 * e.value:.1f} %: {test_size_for(0.1, error=e.value)} cases")
    6.8 %: 105 cases
    """
    given: list[tuple[str, Any, float]] = [("width", width, 0.1), ("confidence_level", confidence_level, 0.95)]
    for name, value, usual in given:
        if not isinstance(value, Real) or not 0 < float(value) < 1:
            raise UsageError(f"{name} = {value!r}; expected a proportion between 0 and 1, such as {usual}")
    wanted: Any = error
    if type(wanted) is bool or not isinstance(wanted, Real) or not 0 <= error <= 1:
        raise UsageError(f"error = {error!r}; expected a proportion from 0 to 1")

    def narrow(cases: int) -> bool:
        low, high = wilson_interval(error * cases, cases, confidence_level)
        return bool(high - low <= width)

    # Wilson's width is largest at an error of one half, where it is z / sqrt(cases + z^2)
    enough = ceil((float(ndtri((1 + confidence_level) / 2)) / width) ** 2)
    return bisect_left(range(enough + 1), True, lo=1, key=narrow)


# pytest must not collect it by its name
test_size_for.__test__ = False  # type: ignore[attr-defined]
