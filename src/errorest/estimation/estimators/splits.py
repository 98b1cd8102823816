"""Estimators that test each case on others of the sample, or on itself: no case is drawn twice.

Resubstitution, holdout, k-fold cross-validation and leave-one-out.  All error
rates are proportions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, get_args

from errorest.estimation.estimators.estimator import Estimator, estimator_id, one_of
from errorest.estimation.run import Outcome, Scheme

__all__ = ["Weights", "cross_validation", "holdout", "leave_one_out", "resubstitution", "weighted"]

Weights = Literal["test-size", "folds"]


def resubstitution() -> Estimator:
    """Apparent error: the share of the sample that its own classifier gets wrong.

    Examples
    --------
    >>> resubstitution().id
    'resubstitution'
    """
    scheme = Scheme("resubstitution")
    return Estimator("resubstitution", (scheme,), lambda _, o: o[scheme].rate)


def holdout(test: Fraction | float | int = Fraction(1, 3), repeats: int = 1) -> Estimator:
    """Independent subsamples: train on a part, test on the rest; repeated, random subsampling.

    Parameters
    ----------
    test : share or number of cases tested (a share is rounded up)
    repeats : int
        Independent splits, averaged.

    Examples
    --------
    >>> holdout(Fraction(1, 4)).id
    'holdout(test=1/4)'
    """
    if isinstance(test, float):
        # one name for one share: .25 is 1/4, and draws the same splits
        test = Fraction(test).limit_denominator(1_000_000)
    scheme = Scheme("holdout", (("repeats", repeats), ("test", test)) if repeats > 1 else (("test", test),))
    return Estimator(
        estimator_id(holdout, "holdout", test=test, repeats=repeats), (scheme,), lambda _, o: o[scheme].rate
    )


def cross_validation(
    k: int | Literal["n"] = 10,
    repeats: int = 1,
    stratified: bool = False,
    weights: Weights = "test-size",
) -> Estimator:
    """k-fold cross-validation, perhaps repeated and averaged.

    Parameters
    ----------
    k : int or "n"
        Folds; ``"n"``: one a case.  Repeats of n folds are all equal, unless the inducer draws at random.
    repeats : int
        Independent splits.
    stratified : bool
        Keep the classes in proportion in every fold.
    weights : {"test-size", "folds"}
        Pool all tested cases of a split, or average the folds' rates with equal weight.

    Examples
    --------
    >>> cross_validation(10, repeats=100).id
    'cv(k=10, repeats=100)'
    """
    settings: list[tuple[str, Any]] = [("k", k)]
    if repeats > 1:
        settings.append(("repeats", repeats))
    if stratified:
        settings.append(("stratified", True))
    scheme = Scheme("k_fold", tuple(settings))
    one_of(weights, get_args(Weights), "weights")
    name = estimator_id(cross_validation, "cv", k=k, repeats=repeats, stratified=stratified, weights=weights)
    return Estimator(name, (scheme,), lambda _, o: weighted(o[scheme], weights))


def weighted(outcome: Outcome, weights: Weights) -> float:
    """Reduce the folds of an outcome to one error rate, a proportion.

    Parameters
    ----------
    outcome : Outcome
    weights : {"test-size", "folds"}
        As in :func:`cross_validation`.
    """
    return outcome.rate if weights == "test-size" else outcome.mean_row_rate


def leave_one_out() -> Estimator:
    """Leave-one-out: every case tested on all the others.

    Examples
    --------
    >>> leave_one_out().id
    'loo'
    """
    scheme = Scheme("leave_one_out")
    return Estimator("loo", (scheme,), lambda _, o: o[scheme].rate)
