"""Out-of-bag and .632+ intervals with the influence-function standard error of Efron & Tibshirani (1997).

The standard error of the leave-one-out bootstrap comes from the same bootstrap samples as the
estimate; .632+ borrows it in proportion.  A finite number B of samples adds noise to its square, of
order n / B, which is estimated and subtracted here; what noise is left is told beside the limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt
from typing import Literal, NamedTuple

import numpy as np

from errorest.compiled import kernel
from errorest.estimation.estimators import point_632_plus
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured, MonteCarloError
from errorest.estimation.proportions import wilson_limits
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import APPARENT, Bootstrap
from errorest.spec import at_least

Noise = Literal["subtracted", "kept"]

# Groups of bootstrap samples that are left out in turn to learn what is noise; with fewer samples, one each
_GROUPS = 20

_USUAL = 200


def usual_replicates(n: int) -> int:
    """Bootstrap samples that keep the noise of a standard error in proportion: 200, and the root of 200 n beyond.

    The square of the corrected standard error carries noise of relative size sqrt(n) / B, so that B need
    not grow as n does.
    """
    # as much noise, sqrt(n) / B = sqrt(200) / 200, at every n above 200 (notebook guide/03-coverage)
    return max(_USUAL, ceil(sqrt(_USUAL * n)))


@dataclass(frozen=True, eq=False)
class _OutOfBag(IntervalMethod):
    target = "procedure"
    symmetric = True
    counts_groups = True

    requirements = at_least(replicates=2)

    replicates: int = _USUAL
    noise: Noise = "subtracted"  # whether that of a finite B is taken out of the squared standard error

    def reduce(self, measured: Measured) -> Limits:
        bootstrap = self.schemes[-1]
        resamples = measured.outcome(bootstrap).resamples
        result = measured.shared.get((bootstrap, self.noise))
        if result is None:
            counts, losses = resamples.compact.counts, measured.losses(bootstrap)
            result = influence(counts, resamples.start, resamples.cases, losses, self.noise, measured.ddof)
            measured.shared[bootstrap, self.noise] = result
        whole = self._around(measured, result.err1, result.se)
        if not measured.monte_carlo:
            return whole
        parts = [self._around(measured, *pair) for pair in zip(result.err1_without, result.se_without, strict=True)]
        # grouped jackknife: (G - 1) times the variance over the G groups left out.  A number's values stand beside one
        # another, so that they are summed in the order of one column
        values = np.array([part[:4] for part in parts]).T.copy()
        # the mean of equal numbers may be rounded to another one
        spread = np.where(np.ptp(values, axis=1) == 0, 0.0, values.var(axis=1))
        centre, low, high, se = (sqrt((len(parts) - 1) * float(one)) for one in spread)
        return whole._replace(monte_carlo=MonteCarloError(centre, se, max(low, high), result.held))

    def _around(self, measured: Measured, err1: float, se: float) -> Limits:
        """Return the limits that belong to an Err1 and its standard error."""
        return Limits.around(float(err1), float(se), measured.z, measured.sample.n)


@dataclass(frozen=True, eq=False)
class OutOfBag(_OutOfBag):
    """Err1 plus and minus z standard errors, Err1 the mean over cases of their mean out-of-bag loss.

    Undefined (NaN limits) where a case is in every bootstrap sample.  Efron & Tibshirani (1997), sections 2 and 4.
    """

    name = "oob"
    aim = "the mean error of classifiers made of bootstrap samples, which hold about .632 n distinct cases"
    estimators = ("e0",)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (Bootstrap(self.replicates),)


@dataclass(frozen=True, eq=False)
class OutOfBag632Plus(_OutOfBag):
    """.632+ plus and minus z se, with se that of Err1 times .632+ / Err1.

    The relative overfitting rate of .632+ is held in [0, 1], as Efron & Tibshirani (1997), sections 3 and 4, do.
    """

    name = "632+"
    aim = "the mean error of classifiers made of n cases"
    estimators = ("632+",)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return APPARENT, Bootstrap(self.replicates)

    def reduce_groups(self, measured: Measured) -> Limits:
        # the limits of Err1, put about .632+ later: .632+ is of cases, and weighs by their rates
        return OutOfBag(self.replicates, self.noise).reduce(measured)

    def recentred(self, limits: Limits, centre: float, quantile: float) -> Limits:
        # se(.632+) = se(Err1) .632+ / Err1; with Err1 = 0 there is nothing to scale
        return limits.about(centre, limits.se * centre / limits.estimate if limits.estimate > 0 else limits.se)

    def _around(self, measured: Measured, err1: float, se: float) -> Limits:
        centre = point_of_632_plus(measured, err1)
        # the delta method of Efron & Tibshirani (1997), section 4, with .632+ taken for a multiple of Err1
        # without an error out of the bag there is none in it, and nothing to scale
        scaled = float(se * centre / err1 if err1 > 0 else se)
        return Limits.around(centre, scaled, measured.z, measured.sample.n)


@dataclass(frozen=True, eq=False)
class SpanOf632Plus(OutOfBag632Plus):
    """The smallest interval that holds both the .632+ and the out-of-bag interval, around .632+.

    This definition is ours.  The two have the same classifiers, and differ in their centres: Err1 is too
    high, since a bootstrap sample holds fewer cases, and .632+ takes from it by a weight that the sample
    tells badly, too much with inducers that memorize.  Neither standard error knows of that bias.
    """

    name = "632+span"
    symmetric = False

    def recentred(self, limits: Limits, centre: float, quantile: float) -> Limits:
        return super().recentred(limits, centre, quantile).hull(limits)

    def _around(self, measured: Measured, err1: float, se: float) -> Limits:
        one, other = super()._around(measured, err1, se), _OutOfBag._around(self, measured, err1, se)
        return one.hull(other)


@dataclass(frozen=True, eq=False)
class WilsonOf632Plus(SpanOf632Plus):
    """The smallest interval that holds that of ``632+span`` and Wilson's limits about .632+.

    This definition is ours.  Both standard errors are taken from the errors that the sample shows.  Where few cases
    are misclassified these are few or none, and limits about them are too narrow, or have no width; Wilson's take the
    variance at the limit instead (Wilson 1927).  The trials are the n cases, with the normal quantile; or the G
    groups, with Student's of G - 1 degrees of freedom.
    """

    name = "632+wilson"
    losses = "0/1"

    def recentred(self, limits: Limits, centre: float, quantile: float) -> Limits:
        return _with_wilson(super().recentred(limits, centre, quantile), quantile)

    def _around(self, measured: Measured, err1: float, se: float) -> Limits:
        return _with_wilson(super()._around(measured, err1, se), measured.z)


def _with_wilson(limits: Limits, quantile: float) -> Limits:
    """Move limits outwards to Wilson's about their estimate, a mean of so many cases."""
    # rounding can carry a mean past none or all
    wilson = wilson_limits(min(max(limits.estimate, 0.0), 1.0), limits.cases, quantile)
    # outwards alone: the hull with Wilson's limits matters where few errors were seen
    return limits.hull(limits._replace(low=float(wilson.low), high=float(wilson.high)))


def point_of_632_plus(measured: Measured, err1: float) -> float:
    """.632+ of a sample from its Err1 and its own classifier, for any loss."""
    rate, gamma = measured.apparent
    return point_632_plus(rate, err1, gamma)


class Influence(NamedTuple):
    """Err1, its standard error, and both without each group of bootstrap samples."""

    err1: float  # over the cases that some sample lacks
    se: float  # NaN where a case is in every sample
    err1_without: np.ndarray  # (G,), G is 20, or B where that is less
    se_without: np.ndarray
    held: bool  # whether the standard error is held at the least that it can be


def influence(
    counts: np.ndarray,
    start: np.ndarray,
    cases: np.ndarray,
    losses: np.ndarray,
    noise: Noise = "subtracted",
    ddof: int = 0,
) -> Influence:
    """Err1 and its influence-function standard error, with the noise of a finite B taken out.

    With E_i the mean loss of case i over the samples that lack it, Err1 their mean, N_ib the count
    of case i in sample b, m_i the samples that lack i, and q_b = (1/n) sum of the losses of the cases b lacks::

        D_i = (2 + 1/(n - 1)) (E_i - Err1)/n + sum_b (N_ib - mean_b N_ib) q_b / m_i

    and se^2 = sum D_i^2.  The sum over b is B times a covariance of N_i and q.  Whatever that covariance is, that
    of B samples differs from it by noise, whose variance is var(N_i) var(q) / B where N_i hardly tells q, as
    one case of many does not; and var(N_i) = 1 - 1/n.  Squared and summed over cases it adds in the mean::

        sum_i (1 - 1/n) B var(q) / m_i^2

    to se^2, about n var(q) / (B p0^2) with p0 the chance of being left out.  This is subtracted.  What is left can
    be too small by chance, or negative.  It is held at sum (E_i - Err1)^2 / n^2, the variance of the mean of
    n losses whose classifiers were the same whatever the sample, and is said to be held.  Squared influences are summed
    as by a variance that divides by n; where the cases are few groups, ``ddof=1`` multiplies by n / (n - 1).

    Efron & Tibshirani (1997), equations (36) to (40); the noise of such standard errors: Efron (1992); its
    subtraction, for forests: Wager, Hastie & Efron (2014).
    """
    # all that D_i needs are sums over samples, so that leaving a group of samples out is a subtraction
    sums = _sums(counts, start, cases, losses, min(counts.shape[0], _GROUPS))
    # all samples, and all but those of each group
    rows = [np.concatenate([whole[None], whole - s]) for s in sums for whole in [s.sum(axis=0)]]
    # a line of all samples and one without each group; N_i is sampled, N_i q cross, m_i lacked
    sampled, cross, lacked, wrong, moments = rows
    n = sampled.shape[1]
    samples, total, squares = moments.T[:, :, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        means = wrong / lacked  # E_i
        known = lacked > 0
        # Err1, the mean over the cases that some sample lacks
        err1 = np.where(known, means, 0.0).sum(axis=1) / known.sum(axis=1)
        apart = means - err1[:, None]
        # D_i: 2 + 1/(n - 1) is what the weight of case i itself adds (Efron & Tibshirani 1997, section 4), the other
        # term B times the covariance of its count and the loss of a sample, over the m_i samples that lack it
        variance = (((2 + 1 / (n - 1)) * apart / n + (cross - sampled * total / samples) / lacked) ** 2).sum(axis=1)
        held = False
        if noise == "subtracted":
            spread = np.maximum(squares - total * total / samples, 0.0) / (samples - 1)  # var(q)
            # the noise of B covariances, in the mean; what is left is no less than the variance of given classifiers
            variance -= ((1 - 1 / n) * samples * spread / lacked**2).sum(axis=1)
            least = (apart**2).sum(axis=1) / n**2
            held = bool(variance[0] < least[0])
            variance = np.maximum(variance, least)
        # n independent terms with an estimated mean: n / (n - 1) where n counts few groups
        se = np.sqrt(variance * (n / (n - ddof)))
    return Influence(float(err1[0]), float(se[0]), err1[1:], se[1:], held)


@kernel
def _sums(counts, start, cases, losses, groups):  # type: ignore[no-untyped-def]
    """Sums over the bootstrap samples of each group, by case: N, N q, lacked, loss; and of 1, q and q^2."""
    samples, n = counts.shape
    sampled, cross = np.zeros((groups, n)), np.zeros((groups, n))
    lacked, wrong = np.zeros((groups, n)), np.zeros((groups, n))
    moments = np.zeros((groups, 3))
    for b in range(samples):
        # consecutive samples form a group, of sizes that differ by one at most
        g = b * groups // samples
        q = 0.0
        for j in range(start[b], start[b + 1]):
            q += losses[j]
            lacked[g, cases[j]] += 1
            wrong[g, cases[j]] += losses[j]
        # q_b = (1/n) sum_i I_ib loss_ib: divided by n, not by the number of cases that b lacks
        q /= n
        for i in range(n):
            sampled[g, i] += counts[b, i]
            cross[g, i] += counts[b, i] * q
        moments[g, 0] += 1
        moments[g, 1] += q
        moments[g, 2] += q * q
    return sampled, cross, lacked, wrong, moments
