"""Wald's interval of a cross-validation, with both variances of Bayle et al. (2020).

Their central limit theorem is for the mean error of the k classifiers of this very
cross-validation, for stable inducers; it is no interval for the procedure's mean error.
"""

from __future__ import annotations

from math import sqrt
from typing import Literal, get_args

import numpy as np

from errorest.estimation.estimators import cross_validation
from errorest.estimation.estimators.estimator import one_of
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured, at_least, id_of
from errorest.estimation.run import Scheme

__all__ = ["cv_wald", "loo_wald"]

Variance = Literal["all-pairs", "within-fold"]


def cv_wald(k: int = 10, variance: Variance = "all-pairs", stratified: bool = False) -> IntervalMethod:
    """Mean loss over all cases, plus and minus z sqrt(v / n).

    Parameters
    ----------
    k : int
        Folds.
    variance : {"all-pairs", "within-fold"}
        v: the mean of ``(l_i - mean)^2`` over all cases, divided by n; or the mean over the folds
        of each fold's sample variance (divided by its size less one), which takes two cases a fold.
    stratified : bool
        Keep the classes in proportion in every fold.

    Raises
    ------
    UsageError
        If a setting is unknown or k < 2.

    References
    ----------
    Bayle, Bayle, Janson & Mackey (2020), equations for sigma_out and sigma_in.

    Examples
    --------
    >>> cv_wald(5, "within-fold").id
    'cv-wald(k=5, variance=within-fold)'
    """
    one_of(variance, get_args(Variance), "variance")
    at_least(k, 2, "cv-wald", "folds")
    (scheme,) = cross_validation(k, stratified=stratified).schemes
    name = id_of("cv-wald", cv_wald, k=k, variance=variance, stratified=stratified)
    within = variance == "within-fold"
    return _wald(name, "cv", scheme, within, 2 * k if within else k)


def loo_wald() -> IntervalMethod:
    """Mean loss of leave-one-out, plus and minus z sqrt(v / n), v of all pairs: a fold of one has no variance.

    Examples
    --------
    >>> loo_wald().id, loo_wald().fits(30)
    ('loo-wald', 30)
    """
    return _wald("loo-wald", "loo", Scheme("leave_one_out"), False, 2)


def _wald(name: str, estimator: str, scheme: Scheme, within: bool, least: int) -> IntervalMethod:
    def reduce(measured: Measured) -> Limits:
        losses, n = measured.losses(scheme), measured.sample.n
        v = losses.var()
        if within:
            start = measured.outcomes[scheme].resamples.start
            sizes = np.diff(start)
            squares = np.add.reduceat((losses - np.repeat(measured.row_means(scheme), sizes)) ** 2, start[:-1])
            v = (squares / (sizes - 1)).mean()
        return Limits.around(float(losses.mean()), sqrt(v / n), measured.z, n)

    return IntervalMethod(
        name,
        "classifier",
        "the mean error of the classifiers of this cross-validation, each made of all folds but one",
        (estimator,),
        "any",
        True,
        (scheme,),
        reduce,
        least,
    )
