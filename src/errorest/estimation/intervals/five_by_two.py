"""Dietterich's (1998) 5x2 cv: five times two-fold cross-validation, and Student's t with five degrees.

Two halves share no training case, which is why each repeat's variance is an honest one of
training on half the sample.
"""

from __future__ import annotations

from math import sqrt
from typing import Literal, get_args

from errorest.estimation.estimators import cross_validation
from errorest.estimation.estimators.estimator import one_of
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured, id_of

__all__ = ["five_by_two"]

Centre = Literal["first", "mean"]


def five_by_two(estimate: Centre = "first", stratified: bool = False) -> IntervalMethod:
    """Estimate plus and minus t_5 s, with s^2 the mean over five repeats of the two folds' squared deviations.

    Parameters
    ----------
    estimate : {"first", "mean"}
        The very first of the ten rates, as in the original; or the mean of all ten.
    stratified : bool
        Keep the classes in proportion in both folds.

    References
    ----------
    Dietterich (1998), section 3.5.

    Examples
    --------
    >>> five_by_two("mean").id, five_by_two().fits(100)
    ('5x2cv(estimate=mean)', 10)
    """
    one_of(estimate, get_args(Centre), "estimate")
    (scheme,) = cross_validation(2, 5, stratified).schemes

    def reduce(measured: Measured) -> Limits:
        rates = measured.row_means(scheme).reshape(5, 2)
        squares = ((rates - rates.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
        centre = rates[0, 0] if estimate == "first" else rates.mean()
        return Limits.around(float(centre), sqrt(squares.mean()), measured.t(5), measured.sample.n)

    return IntervalMethod(
        id_of("5x2cv", five_by_two, estimate=estimate, stratified=stratified),
        "procedure",
        "the mean error of classifiers made of n / 2 cases",
        ("cv",),
        "any",
        False,
        (scheme,),
        reduce,
    )
