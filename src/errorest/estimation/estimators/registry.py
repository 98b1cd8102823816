"""All estimators by name, and how a text such as ``cv(k=5, repeats=20)`` is read."""

from __future__ import annotations

from errorest.errors import UsageError
from errorest.estimation.estimators import estimator as kinds
from errorest.estimation.estimators.estimator import Estimator
from errorest.estimation.metrics.metric import Metric, Statistic
from errorest.spec import Family

ESTIMATORS: Family[Estimator] = Family(
    "estimator",
    (
        kinds.Apparent,
        kinds.RandomSubsampling,
        kinds.CrossValidation,
        kinds.LeaveOneOutCV,
        kinds.BootstrapE0,
        kinds.Bootstrap632,
        kinds.Bootstrap632Plus,
        kinds.LooStar,
        kinds.NaiveBootstrap,
        kinds.BootstrappedCV,
        kinds.DoubleBootstrap,
    ),
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


def check_estimator_of(metric: Metric, estimator: Estimator) -> None:
    """Refuse an estimator that is not legal with a metric."""
    if any(s.cloned for s in estimator.schemes):
        raise UsageError(
            f"{estimator.id} draws clones and score {metric.id} was asked for; expected an estimator without clones, "
            "which count wrong labels; leave out cloned"
        )
    if not isinstance(metric, Statistic):
        return
    per = getattr(estimator, "per", "replicate")
    if per in ("case", "nested"):
        raise UsageError(
            f"{estimator.id} averages cases (per={per}) and score {metric.id} is one of a set of cases; expected "
            f"per=replicate or per=pooled; write {estimator.name}(per=replicate)"
        )
    if getattr(estimator, "weights", "") == "folds" and getattr(estimator, "k", 0) == "n":
        raise UsageError(
            f"{estimator.id} averages folds of one case and score {metric.id} is one of a set of cases; expected "
            "several cases a fold; choose a number of folds, or weights=test-size"
        )
    if estimator.name in Statistic.estimators and estimator.name not in metric.estimators:
        raise UsageError(
            f"{estimator.id} was named and score {metric.id} is not legal with it; expected one of "
            f"{', '.join(metric.estimators)}; choose one of these"
        )
