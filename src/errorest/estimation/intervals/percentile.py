"""Percentile intervals: bootstrap case cross-validation, location-shifted and two-stage bootstrap.

Percentiles are linear between order statistics.  The first is of Jiang, Varma & Simon
(2008), the other two of Noma, Shinozaki, Iba, Teramukai & Furukawa (2021).
"""

from __future__ import annotations

from typing import Literal, get_args

import numba as nb
import numpy as np

from errorest.estimation.estimators import point_632_plus
from errorest.estimation.estimators.estimator import one_of
from errorest.estimation.intervals.draws import MarkedResamples, leave_case_out_of_bootstrap, two_stage_bootstrap
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured, at_least, id_of
from errorest.estimation.intervals.out_of_bag import influence_standard_error, no_information_loss, point_of_632_plus
from errorest.estimation.run import Scheme

__all__ = ["bootstrap_case_cv", "location_shifted", "two_stage"]

Bias = Literal["reduced", "plain"]
Copies = Literal["apart", "together"]
_OF_THE_SAMPLE = "the error of the classifier made of the whole sample"


def bootstrap_case_cv(replicates: int = 100, bias: Bias = "reduced") -> IntervalMethod:
    """Percentiles of leave-one-out rates of bootstrap samples, all copies of a case left out at once.

    Each left-out case counts as often as the bootstrap sample holds it.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B.
    bias : {"reduced", "plain"}
        Shift the percentiles by (mean of the B rates - leave-one-out rate) and centre on the
        latter; or leave them, centred on the mean of the B rates.

    References
    ----------
    Jiang, Varma & Simon (2008), sections 2.5 and 2.6.

    Examples
    --------
    >>> bootstrap_case_cv().id, bootstrap_case_cv().fits(20), bootstrap_case_cv(bias="plain").fits(20)
    ('bootstrap-case-cv(replicates=100)', 1303, 1283)
    """
    at_least(replicates, 2, "bootstrap-case-cv", "replicates")
    one_of(bias, get_args(Bias), "bias")
    scheme, own = leave_case_out_of_bootstrap(replicates), Scheme("leave_one_out")

    def reduce(measured: Measured) -> Limits:
        # every copy is tested, so that a left-out case counts as often as it stands in the sample
        rates = measured.losses(scheme).reshape(replicates, measured.sample.n).mean(axis=1)
        low, high = measured.percentiles(rates)
        mean = float(rates.mean())
        estimate = measured.mean(own) if bias == "reduced" else mean
        shift = mean - estimate
        return Limits(estimate, low - shift, high - shift, float("nan"), measured.sample.n)

    return IntervalMethod(
        id_of("bootstrap-case-cv", bootstrap_case_cv, replicates=replicates, bias=bias),
        "classifier",
        _OF_THE_SAMPLE,
        ("loo",),
        "any",
        True,
        (scheme, own) if bias == "reduced" else (scheme,),
        reduce,
    )


def location_shifted(replicates: int = 200) -> IntervalMethod:
    """Percentiles of the apparent rates of bootstrap classifiers, shifted by (apparent rate - .632+).

    An inducer that memorizes its training set has no apparent errors, and the interval no width.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B; each classifier is tested on its own sample, and for .632+ on the
        cases that this lacks.

    References
    ----------
    Noma et al. (2021), algorithm 1.

    Examples
    --------
    >>> location_shifted().id, location_shifted().fits(20)
    ('location-shifted(replicates=200)', 201)
    """
    at_least(replicates, 2, "location-shifted", "replicates")
    # every case is tested once: its count in the sample says to which side it belongs
    scheme = Scheme("bootstrap", (("replicates", replicates), ("test", "all")))
    own = Scheme("resubstitution")

    def reduce(measured: Measured) -> Limits:
        n, counts = measured.sample.n, measured.outcomes[scheme].resamples.compact.counts
        losses = measured.losses(scheme).reshape(replicates, n)
        row, lacked = np.nonzero(counts == 0)
        start = np.searchsorted(row, np.arange(replicates + 1))
        err1, _ = influence_standard_error(counts, start, lacked, losses[row, lacked])
        estimate = point_of_632_plus(measured, own, err1)
        shift = measured.mean(own) - estimate
        low, high = measured.percentiles((counts * losses).sum(axis=1) / n)
        return Limits(estimate, low - shift, high - shift, float("nan"), n)

    return IntervalMethod(
        id_of("location-shifted", location_shifted, replicates=replicates),
        "classifier",
        _OF_THE_SAMPLE,
        ("632+",),
        "any",
        True,
        (own, scheme),
        reduce,
    )


def two_stage(outer: int = 200, inner: int = 10, replicates: int = 200, copies: Copies = "apart") -> IntervalMethod:
    """Percentiles of .632+ recomputed, by an inner bootstrap, in outer bootstrap samples.

    Parameters
    ----------
    outer, inner : int
        Outer bootstrap samples, and inner ones of each.
    replicates : int
        Bootstrap samples of the estimate itself, .632+ of the sample.
    copies : {"apart", "together"}
        An outer sample is taken for the sample, its copies of a case being cases of their own, so
        that one may be tested by a classifier that has seen another; or a case is tested only where
        the inner sample has none of its copies, as the benchmark does, whose software tells cases apart
        by their number.

    References
    ----------
    Noma et al. (2021), algorithm 2.

    Examples
    --------
    >>> two_stage().id, two_stage().fits(20)
    ('two-stage(outer=200, inner=10, replicates=200)', 2401)
    """
    at_least(replicates, 1, "two-stage", "replicates")
    one_of(copies, get_args(Copies), "copies")
    stages, own = two_stage_bootstrap(outer, inner, copies == "apart"), Scheme("resubstitution")
    scheme = Scheme("bootstrap", (("replicates", replicates),))

    def reduce(measured: Measured) -> Limits:
        n, y = measured.sample.n, measured.sample.y
        outcome = measured.outcomes[stages]
        resamples, losses = outcome.resamples, measured.losses(stages)
        assert isinstance(resamples, MarkedResamples)
        apparent = losses[: outer * n].reshape(outer, n).mean(axis=1)
        err1 = _err1_of_positions(resamples.start, resamples.mark, losses, outer, n)
        cases, labels = (a[: outer * n].reshape(outer, n) for a in (resamples.cases, outcome.labels))
        points = np.array(
            [
                point_632_plus(apparent[b], err1[b], no_information_loss(y[cases[b]], labels[b], measured.table))
                for b in range(outer)
            ]
        )
        low, high = measured.percentiles(points)
        drawn = measured.outcomes[scheme].resamples
        whole, _ = influence_standard_error(drawn.compact.counts, drawn.start, drawn.cases, measured.losses(scheme))
        return Limits(point_of_632_plus(measured, own, whole), low, high, float("nan"), n)

    return IntervalMethod(
        id_of("two-stage", two_stage, outer=outer, inner=inner, replicates=replicates, copies=copies),
        "classifier",
        _OF_THE_SAMPLE,
        ("632+",),
        "any",
        True,
        (own, scheme, stages),
        reduce,
    )


@nb.njit(cache=True)
def _err1_of_positions(start, mark, losses, outer, n):  # type: ignore[no-untyped-def]
    """Err1 of each outer sample: the mean over its positions of their mean out-of-bag loss."""
    rows = start.shape[0] - 1 - outer
    inner = rows // outer
    out = np.empty(outer)
    for b in range(outer):
        total, lacked = np.zeros(n), np.zeros(n)
        first = outer + b * inner
        for j in range(start[first], start[first + inner]):
            total[mark[j]] += losses[j]
            lacked[mark[j]] += 1
        sum_, known = 0.0, 0
        for p in range(n):
            if lacked[p] > 0:
                sum_ += total[p] / lacked[p]
                known += 1
        out[b] = sum_ / known if known > 0 else np.nan
    return out
