"""All estimators by name, and how a text such as ``cv(k=5, repeats=20)`` is read."""

from __future__ import annotations

from errorest.estimation.estimators.bootstraps import (
    Bootstrap632,
    Bootstrap632Plus,
    BootstrapE0,
    BootstrappedCV,
    DoubleBootstrap,
    LooStar,
    NaiveBootstrap,
)
from errorest.estimation.estimators.estimator import Estimator
from errorest.estimation.estimators.splits import Apparent, CrossValidation, LeaveOneOutCV, RandomSubsampling
from errorest.spec import Family

__all__ = ["ESTIMATORS", "parse_estimator"]

ESTIMATORS: Family[Estimator] = Family(
    "estimator",
    {
        made.name: made
        for made in (
            Apparent,
            RandomSubsampling,
            CrossValidation,
            LeaveOneOutCV,
            BootstrapE0,
            Bootstrap632,
            Bootstrap632Plus,
            LooStar,
            NaiveBootstrap,
            BootstrappedCV,
            DoubleBootstrap,
        )
    },
    "cv(k=10)",
)
"""Estimators by the name that stands before the parenthesis of an id."""


def parse_estimator(text: str) -> Estimator:
    """Read an estimator from its id.

    Parameters
    ----------
    text : str
        A name of :data:`ESTIMATORS` with settings in parentheses, such as ``cv(k=5, repeats=20)``; where clones
        are drawn, ``cloned=True`` and perhaps settings of :class:`~errorest.resampling.clones.cloning.Cloning`
        beside it.

    Raises
    ------
    UsageError
        If the name or a setting is unknown, or a value is of the wrong type.

    Examples
    --------
    >>> parse_estimator("holdout(test=1/4)").id
    'holdout(test=1/4)'
    >>> parse_estimator("bs(replicates=50, cloned=True, bounds=0:1/0:)").id
    'bs(replicates=50, cloned=True, bounds=0:1/0:)'
    """
    return ESTIMATORS.parse(text)
