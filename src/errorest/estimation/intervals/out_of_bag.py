"""Out-of-bag and .632+ intervals with the influence-function standard error of Efron & Tibshirani (1997).

The standard error of the leave-one-out bootstrap comes from the same bootstrap samples as the
estimate; .632+ borrows it in proportion.  A finite number B of samples adds noise to its square, of
order n / B, so that it is too large unless B is several times n.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from errorest.estimation.estimators import point_632_plus
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured, at_least, id_of
from errorest.estimation.run import Scheme

__all__ = ["influence_standard_error", "no_information_loss", "oob", "oob_632_plus", "point_of_632_plus"]


def oob(replicates: int = 200) -> IntervalMethod:
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
    >>> oob(50).id
    'oob(replicates=50)'
    """
    at_least(replicates, 2, "oob", "replicates")
    scheme = _bootstrap(replicates)

    def reduce(measured: Measured) -> Limits:
        err1, se = _err1(measured, scheme)
        return Limits.around(err1, se, measured.z, measured.sample.n)

    return IntervalMethod(
        id_of("oob", oob, replicates=replicates),
        "procedure",
        "the mean error of classifiers made of bootstrap samples, which hold about .632 n distinct cases",
        ("e0",),
        "any",
        True,
        (scheme,),
        reduce,
    )


def oob_632_plus(replicates: int = 200) -> IntervalMethod:
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
    >>> oob_632_plus().id, oob_632_plus().fits(20)
    ('632+(replicates=200)', 201)
    """
    at_least(replicates, 2, "632+", "replicates")
    scheme, apparent = _bootstrap(replicates), Scheme("resubstitution")

    def reduce(measured: Measured) -> Limits:
        err1, se = _err1(measured, scheme)
        centre = point_of_632_plus(measured, apparent, err1)
        # without an error out of the bag there is none in it, and nothing to scale
        return Limits.around(centre, se * centre / err1 if err1 > 0 else se, measured.z, measured.sample.n)

    return IntervalMethod(
        id_of("632+", oob_632_plus, replicates=replicates),
        "procedure",
        "the mean error of classifiers made of n cases",
        ("632+",),
        "any",
        True,
        (apparent, scheme),
        reduce,
    )


def _bootstrap(replicates: int) -> Scheme:
    return Scheme("bootstrap", (("replicates", replicates),))


def _err1(measured: Measured, scheme: Scheme) -> tuple[float, float]:
    resamples = measured.outcomes[scheme].resamples
    return influence_standard_error(resamples.compact.counts, resamples.start, resamples.cases, measured.losses(scheme))


def point_of_632_plus(measured: Measured, apparent: Scheme, err1: float) -> float:
    """.632+ of a sample from its Err1 and its own classifier, for any loss.

    Parameters
    ----------
    measured : Measured
    apparent : Scheme
        Resubstitution, run.
    err1 : float

    Returns
    -------
    float
        In the unit of the loss.

    Examples
    --------
    >>> from errorest.inducers import Majority
    >>> from errorest.estimation.intervals.method import loss_table
    >>> from errorest.streams import Streams
    >>> from errorest.data.sample import Sample
    >>> from errorest.estimation.run import run_schemes
    >>> s, own = Sample.from_arrays([1.0, 2.0, 3.0, 4.0], ["a", "a", "a", "b"]), Scheme("resubstitution")
    >>> outcomes = run_schemes(s, Majority(), [own], Streams(0))
    >>> round(point_of_632_plus(Measured(s, outcomes, loss_table(None, 2)), own, 0.25), 3)
    0.25
    """
    y, labels = measured.sample.y, measured.outcomes[apparent].labels
    return point_632_plus(float(measured.losses(apparent).mean()), err1, no_information_loss(y, labels, measured.table))


def no_information_loss(y: np.ndarray, labels: np.ndarray, table: np.ndarray) -> float:
    """Mean loss if classes and predictions were independent.

    Parameters
    ----------
    y, labels : int arrays, shape (n,)
    table : float array, shape (n_classes, n_classes)
        Loss of each pair of true and predicted class.

    Examples
    --------
    >>> no_information_loss(np.array([0, 1]), np.array([0, 1]), np.array([[0.0, 1.0], [1.0, 0.0]]))
    0.5
    """
    classes = table.shape[0]
    p, q = np.bincount(y, minlength=classes) / y.size, np.bincount(labels, minlength=classes) / labels.size
    return float((p[:, None] * q[None, :] * table).sum())


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
    err1, se = _influence(counts, start, cases, losses)
    return float(err1), float(se)


@nb.njit(cache=True)
def _influence(counts, start, cases, losses):  # type: ignore[no-untyped-def]
    samples, n = counts.shape
    total, lacked, q = np.zeros(n), np.zeros(n), np.zeros(samples)
    for b in range(samples):
        for j in range(start[b], start[b + 1]):
            total[cases[j]] += losses[j]
            lacked[cases[j]] += 1
            q[b] += losses[j]
        q[b] /= n
    err1, known = 0.0, 0
    for i in range(n):
        if lacked[i] > 0:
            err1 += total[i] / lacked[i]
            known += 1
    err1 = err1 / known if known > 0 else np.nan
    if known < n:
        return err1, np.nan
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
        d = (2 + 1 / (n - 1)) * (total[i] / lacked[i] - err1) / n + cross[i] / lacked[i]
        squares += d * d
    return err1, np.sqrt(squares)
