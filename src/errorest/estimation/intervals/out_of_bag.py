"""Out-of-bag and .632+ intervals with the influence-function standard error of Efron & Tibshirani (1997).

The standard error of the leave-one-out bootstrap comes from the same bootstrap samples as the
estimate; .632+ borrows it in proportion.  A finite number B of samples adds noise to its square, of
order n / B, so that it is too large unless B is several times n.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numba as nb
import numpy as np

from errorest.estimation.estimators import point_632_plus
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured, at_least
from errorest.estimation.losses import case_means, mean_of_known
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import APPARENT, Bootstrap

__all__ = ["OutOfBag", "OutOfBag632Plus", "influence_standard_error", "point_of_632_plus"]


@dataclass(frozen=True, eq=False)
class _OutOfBag(IntervalMethod):
    target = "procedure"
    even = True
    counts_groups = True

    replicates: int = 200

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(self.replicates, 2, self.name, "replicates")

    def _err1(self, measured: Measured) -> tuple[float, float]:
        bootstrap = self.schemes[-1]
        resamples = measured.outcome(bootstrap).resamples
        losses = measured.losses(bootstrap)
        return influence_standard_error(resamples.compact.counts, resamples.start, resamples.cases, losses)


@dataclass(frozen=True, eq=False)
class OutOfBag(_OutOfBag):
    """Err1 plus and minus z standard errors, Err1 the mean over cases of their mean out-of-bag loss.

    Undefined (NaN limits) where a case is in every bootstrap sample.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B.

    References
    ----------
    Efron & Tibshirani (1997), sections 2 and 4.

    Examples
    --------
    >>> OutOfBag(50).id
    'oob(replicates=50)'
    """

    name = "oob"
    aim = "the mean error of classifiers made of bootstrap samples, which hold about .632 n distinct cases"
    estimators = ("e0",)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Bootstrap samples."""
        return (Bootstrap(self.replicates),)

    def reduce(self, measured: Measured) -> Limits:
        """Take Err1 and its standard error."""
        err1, se = self._err1(measured)
        return Limits.around(err1, se, measured.z, measured.sample.n)


@dataclass(frozen=True, eq=False)
class OutOfBag632Plus(_OutOfBag):
    """.632+ plus and minus z se, with se that of Err1 times .632+ / Err1.

    The relative overfitting rate of .632+ is held in [0, 1], as Efron & Tibshirani do.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B.

    References
    ----------
    Efron & Tibshirani (1997), sections 3 and 4.

    Examples
    --------
    >>> OutOfBag632Plus().id, OutOfBag632Plus().fits(20)
    ('632+(replicates=200)', 201)
    """

    name = "632+"
    aim = "the mean error of classifiers made of n cases"
    estimators = ("632+",)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """The sample itself, and bootstrap samples."""
        return APPARENT, Bootstrap(self.replicates)

    def reduce(self, measured: Measured) -> Limits:
        """Scale the standard error of Err1."""
        err1, se = self._err1(measured)
        centre = point_of_632_plus(measured, err1)
        # without an error out of the bag there is none in it, and nothing to scale
        return Limits.around(centre, se * centre / err1 if err1 > 0 else se, measured.z, measured.sample.n)


def point_of_632_plus(measured: Measured, err1: float) -> float:
    """.632+ of a sample from its Err1 and its own classifier, for any loss.

    Parameters
    ----------
    measured : Measured
        With the outcome of resubstitution.
    err1 : float

    Returns
    -------
    float
        In the unit of the loss.

    Examples
    --------
    >>> from errorest.data.sample import Sample
    >>> from errorest.estimation.run import draw_schemes, predict_schemes
    >>> from errorest.inducers import Majority
    >>> from errorest.streams import Streams
    >>> s, own = Sample.from_arrays([1.0, 2.0, 3.0, 4.0], ["a", "a", "a", "b"]), APPARENT
    >>> outcomes = predict_schemes(s, Majority(), draw_schemes(s, [own], Streams(0)), Streams(0))
    >>> round(point_of_632_plus(Measured(s, outcomes), 0.25), 3)
    0.25
    """
    own = measured.outcome(APPARENT)
    return point_632_plus(own.rate, err1, own.no_information(measured.sample.n_classes))


def influence_standard_error(
    counts: np.ndarray, start: np.ndarray, cases: np.ndarray, losses: np.ndarray
) -> tuple[float, float]:
    """Err1 and its influence-function standard error.

    With E_i the mean loss of case i over the samples that lack it, Err1 their mean, N_ib the count
    of case i in sample b, I_ib = [N_ib = 0] and q_b = (1/n) sum of the losses of the cases b lacks::

        D_i = (2 + 1/(n - 1)) (E_i - Err1)/n + sum_b (N_ib - mean_b N_ib) q_b / sum_b I_ib

    and se = sqrt(sum D_i^2).

    Parameters
    ----------
    counts : int array, shape (B, n)
    start : int array, shape (B + 1,)
        Sample b is tested on ``cases[start[b]:start[b + 1]]``, the cases it lacks.
    cases : int array, shape (T,)
    losses : float array, shape (T,)

    Returns
    -------
    tuple of float
        Err1 over the cases that some sample lacks, and se: NaN where a case is in every sample.

    References
    ----------
    Efron & Tibshirani (1997), equations (36) to (40).

    Examples
    --------
    >>> counts = np.array([[2, 0], [0, 2]])
    >>> influence_standard_error(counts, np.array([0, 1, 2]), np.array([1, 0]), np.array([1.0, 0.0]))
    (0.5, 0.3535533905932738)
    """
    n = counts.shape[1]
    means, tested = case_means(cases, losses, n)
    err1 = mean_of_known(means)
    if not tested.all():
        return err1, float("nan")
    return err1, float(_influence(counts, start, losses, means, tested, err1))


@nb.njit(cache=True)
def _influence(counts, start, losses, means, tested, err1):  # type: ignore[no-untyped-def]
    samples, n = counts.shape
    q = np.zeros(samples)
    for b in range(samples):
        for j in range(start[b], start[b + 1]):
            q[b] += losses[j]
        q[b] /= n
    mean, cross = np.zeros(n), np.zeros(n)
    for b in range(samples):
        for i in range(n):
            mean[i] += counts[b, i]
    for i in range(n):
        mean[i] /= samples
    for b in range(samples):
        for i in range(n):
            cross[i] += (counts[b, i] - mean[i]) * q[b]
    squares = 0.0
    for i in range(n):
        d = (2 + 1 / (n - 1)) * (means[i] - err1) / n + cross[i] / tested[i]
        squares += d * d
    return np.sqrt(squares)
