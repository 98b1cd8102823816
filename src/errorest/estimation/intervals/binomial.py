"""Binomial intervals: of a holdout, and Kohavi's use of the same argument on cross-validation.

A holdout's errors are binomial given its classifier; those of a cross-validation are not,
which is what Kohavi's (1995) equation 3 leaves out.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

from errorest.estimation.estimators import cross_validation, holdout
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured, at_least, id_of
from errorest.estimation.intervals.proportions import clopper_pearson_interval, score_interval
from errorest.estimation.run import Scheme

__all__ = ["holdout_clopper_pearson", "holdout_wald", "holdout_wilson", "kohavi", "loo_kohavi"]

_AIM = "the error of the classifier made of the training part of the split"


def holdout_wald(test: Fraction | float | int = Fraction(1, 3)) -> IntervalMethod:
    """Wald's interval of one holdout: mean loss plus and minus z sqrt(v / m).

    v is the losses' variance divided by m, the number of tested cases: for k errors it is
    the binomial ``p (1 - p)``.

    Parameters
    ----------
    test : share or number of cases tested (a share is rounded up)

    Examples
    --------
    >>> holdout_wald(Fraction(1, 4)).id
    'holdout-wald(test=1/4)'
    """
    (scheme,) = holdout(test).schemes

    def reduce(measured: Measured) -> Limits:
        losses = measured.losses(scheme)
        return Limits.around(losses.mean(), sqrt(losses.var() / losses.size), measured.z, losses.size)

    return IntervalMethod(
        id_of("holdout-wald", holdout_wald, test=_share(test)),
        "classifier",
        _AIM,
        ("holdout",),
        "any",
        True,
        (scheme,),
        reduce,
    )


def holdout_wilson(test: Fraction | float | int = Fraction(1, 3)) -> IntervalMethod:
    """Wilson's score interval of the errors of one holdout.

    Parameters
    ----------
    test : share or number of cases tested (a share is rounded up)

    Examples
    --------
    >>> holdout_wilson().losses
    '0/1'
    """
    return _exact("holdout-wilson", test)


def holdout_clopper_pearson(test: Fraction | float | int = Fraction(1, 3)) -> IntervalMethod:
    """Clopper & Pearson's interval of the errors of one holdout.

    Parameters
    ----------
    test : share or number of cases tested (a share is rounded up)

    Examples
    --------
    >>> holdout_clopper_pearson(10).id
    'holdout-clopper-pearson(test=10)'
    """
    return _exact("holdout-clopper-pearson", test)


def _exact(name: str, test: Fraction | float | int) -> IntervalMethod:
    (scheme,) = holdout(test).schemes
    make, limits = {
        "holdout-wilson": (holdout_wilson, score_interval),
        "holdout-clopper-pearson": (holdout_clopper_pearson, clopper_pearson_interval),
    }[name]

    def reduce(measured: Measured) -> Limits:
        outcome = measured.outcomes[scheme]
        errors, cases = int(outcome.errors[0]), int(outcome.tested[0])
        low, high = limits(errors, cases, measured.confidence)
        rate = errors / cases
        return Limits(rate, float(low), float(high), sqrt(rate * (1 - rate) / cases), cases)

    return IntervalMethod(
        id_of(name, make, test=_share(test)), "classifier", _AIM, ("holdout",), "0/1", False, (scheme,), reduce
    )


def _share(test: Fraction | float | int) -> Fraction | int:
    return Fraction(test).limit_denominator(1_000_000) if isinstance(test, float) else test


def kohavi(k: int = 10, repeats: int = 1, stratified: bool = False) -> IntervalMethod:
    """Kohavi's equation 3 on a cross-validation, as if its n tested cases were independent.

    Parameters
    ----------
    k : int
        Folds.
    repeats : int
        Independent splits, whose mean error takes the place of the errors of one.
    stratified : bool
        Keep the classes in proportion in every fold.

    References
    ----------
    Kohavi (1995), section 2.1, equation (3), and section 5.

    Examples
    --------
    >>> kohavi(5, stratified=True).id
    'kohavi(k=5, stratified=True)'
    """
    at_least(k, 2, "kohavi", "folds")
    name = id_of("kohavi", kohavi, k=k, repeats=repeats, stratified=stratified)
    return _equation_3(name, "cv", cross_validation(k, repeats, stratified).schemes[0], k)


def loo_kohavi() -> IntervalMethod:
    """Kohavi's equation 3 on leave-one-out.

    Examples
    --------
    >>> loo_kohavi().id, loo_kohavi().fits(30)
    ('loo-kohavi', 30)
    """
    return _equation_3("loo-kohavi", "loo", Scheme("leave_one_out"), 2)


def _equation_3(name: str, estimator: str, scheme: Scheme, least: int) -> IntervalMethod:
    def reduce(measured: Measured) -> Limits:
        n, rate = measured.sample.n, measured.mean(scheme)
        # rounding can carry a mean of repeats past all or none
        low, high = score_interval(min(max(rate, 0.0), 1.0) * n, n, measured.confidence)
        return Limits(rate, float(low), float(high), sqrt(max(rate * (1 - rate), 0.0) / n), n)

    return IntervalMethod(
        name,
        "classifier",
        "the error of the classifier made of the whole sample, were the tested cases independent of it",
        (estimator,),
        "0/1",
        False,
        (scheme,),
        reduce,
        least,
    )
