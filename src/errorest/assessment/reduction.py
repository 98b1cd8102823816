"""Reduce predictions to estimates: value, standard error, interval, baseline, measured coverage and warnings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import isnan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.checks import filter_warnings, run_checks
from errorest.assessment.checks.warning import Checked, checked_ids
from errorest.assessment.defaults import Plan, aim_of, class_sizes, is_auto, make_plan
from errorest.assessment.results import ConfidenceInterval, Estimate, Estimates
from errorest.assessment.scoring import Scoring, resolve_metric, several_metrics
from errorest.assessment.splitters import OfPredictions
from errorest.errors import UsageError
from errorest.estimation.estimators import CrossValidation, Outcomes
from errorest.estimation.intervals import IntervalMethod, Measured
from errorest.estimation.intervals.coverage_table import (
    MeasuredCoverage,
    binomial_coverage,
    measured_coverage,
    measured_coverage_of_score,
)
from errorest.estimation.intervals.holdouts import HoldoutWilson
from errorest.estimation.intervals.method import NO_WIDTH
from errorest.estimation.metrics.metric import LabelMetric, Statistic
from errorest.estimation.proportions import check_confidence

if TYPE_CHECKING:
    from errorest.assessment.predictions import Predictions


def estimate_predictions(
    predictions: Predictions,
    scoring: Any,
    pos_label: Any,
    interval: Any,
    confidence_level: float,
    ignore: Iterable[str] | str,
) -> Estimate | Estimates:
    """Estimate metrics from predictions, as :meth:`Predictions.estimate` documents."""
    check_confidence(confidence_level)
    metrics = [resolve_metric(predictions, one, pos_label) for one in several_metrics(scoring) or [scoring]]
    return reduce_all(predictions, scoring, metrics, interval, confidence_level, checked_ids(ignore))


def reduce_all(
    p: Predictions, scoring: Any, metrics: Sequence[Scoring], interval: Any, level: float, ignored: frozenset[str]
) -> Estimate | Estimates:
    """Reduce predictions to the estimate of a metric; of a list of metrics to those of all, by the user's names."""
    made = [reduce(p, one, interval, level, ignored) for one in metrics]
    if several_metrics(scoring) is None:
        return made[0]
    names = [one if isinstance(one, str) else str(metric) for one, metric in zip(scoring, metrics, strict=True)]
    return Estimates(made, names)


def reduce(p: Predictions, metric: Scoring, interval: Any, level: float, ignored: frozenset[str]) -> Estimate:
    """Reduce predictions to the estimate of a metric."""
    interval = p.interval if is_auto(interval) else interval
    plan = make_plan(p, metric, p.method, interval)
    if lacking := [s.id for s in plan.schemes if s not in p.runs]:
        raise UsageError(
            f"{metric} needs predictions of {', '.join(lacking)}, and there are those of "
            f"{', '.join(s.id for s in p.runs)}",
            f"fit again with scoring={[str(metric)]!r}, or with the interval that is wanted",
        )
    # one pass of predictions serves every metric: only losses are made again
    outcomes = p.outcomes(metric, plan.schemes)
    value, se, shown = _value_and_interval(plan, p, outcomes, metric, level)
    schemes = plan.schemes if plan.method is None or metric.metric.decomposable else plan.method.schemes
    own = p.of(schemes)
    name = ""
    if plan.method is not None:
        name = plan.method.id
    elif plan.interval is not None:
        # where an interval alone was named the estimate is the interval's, and is named after the method of equal value
        sharing = plan.interval.estimators_sharing if metric.metric.decomposable else []
        alike = (m.id for m in sharing if abs(m.reduce(p, outcomes) - value) <= 1e-9 * abs(value))
        name = next(alike, f"the estimate of {plan.interval.id}")
    subject = Checked(
        predictions=(p.of(plan.schemes),),
        problems=() if p.problem is None else (p.problem,),
        schemes=schemes if plan.method is None else plan.method.schemes,
        outcomes=outcomes,
        scoring=metric,
        method=plan.method,
        interval_method=plan.interval,
        interval=shown,
        value=value,
        interval_wanted=interval is not None,
    )
    return Estimate(
        value=value,
        interval=shown,
        standard_error=se,
        monte_carlo_error=_monte_carlo_error(plan, outcomes, shown),
        baseline=metric.baseline(p),
        coverage=_coverage(plan.interval, p, metric, shown, value),
        method=name,
        model=p.model,
        predictions=own,
        metric=metric,
        n=p.n,
        n_groups=p.n_groups,
        n_fits=own.n_fits,
        seconds=p.seconds,
        warnings=filter_warnings(run_checks(subject), ignored),
        seed=p.seed,
        confidence_level=level,
        _source=None if p.problem is None else p.problem.source,
        _notes=p.notes,
    )


def _value_and_interval(
    plan: Plan, p: Predictions, own: Outcomes, metric: Scoring, level: float
) -> tuple[float, float | None, ConfidenceInterval | None]:
    """Return the value, its standard error and its interval, in the unit of the metric."""
    interval, stands_for = plan.interval, dict(plan.stands_for)
    # splits that were passed in replace the scheme of the interval, whose settings describe them
    outcomes = {**own, **{mine: own[theirs] for mine, theirs in stands_for.items()}}
    loss = None if plan.method is None else float(plan.method.reduce(p, outcomes))
    runs = {s: p.runs[stands_for.get(s, s)] for s in outcomes}
    # the arithmetic of some intervals needs every row: they are left out where the classifier failed on one
    if interval is None or (interval.needs_all_rows and any(runs[s].failures for s in interval.schemes)):
        if loss is None:
            raise UsageError(
                f"interval {interval.id if interval else ''} needs all its resamples, and the classifier failed on "
                "some; name a method such as cv(k=10)"
            )
        return metric.value(loss), None, None
    units = {s: run.units for s, run in runs.items() if run.units is not None}
    # groups are counted, not cases, about the estimate from the cases
    found = interval.result(Measured(p, outcomes, level, groups=p.groups, units=units), loss)
    value = found.estimate if loss is None else metric.value(loss)
    # the same resamples may be averaged in another way; an interval that is even about the one is so about the other
    shift = value - found.estimate if interval.symmetric else 0.0
    low, high = found.low + shift, found.high + shift
    if not (isnan(low) or isnan(high)):
        # formulas may pass the ends of the scale, which no true value does; cutting there loses no coverage
        least, most = metric.bounds()
        low, high = (min(most, max(least, v)) for v in (low, high))
    first = runs[interval.schemes[0]]
    if isinstance(plan.method, OfPredictions):
        of = "the classifier" if first.resamples.n_rows == 1 else "classifiers"
        aim = f"the mean {metric.noun} of {of} trained as those that made these predictions"
        if interval.target == "classifier":
            aim = f"the {metric.noun} of {of} that made these predictions"
    else:
        aim = re.sub(r"\berror\b", metric.noun, aim_of(interval, p.n, float(first.sizes.mean())))
    shown = ConfidenceInterval(
        low,
        high,
        found.confidence,
        found.method,
        interval.target,
        aim,
        found.degenerate or high - low <= NO_WIDTH,
        found.note,
        found.monte_carlo,
    )
    return value, None if isnan(found.se) else float(found.se), shown


def _monte_carlo_error(plan: Plan, outcomes: Outcomes, shown: ConfidenceInterval | None) -> float | None:
    """Return how far the value would move with other resamples: of bootstrap samples, or repeated folds."""
    if shown is not None and shown.monte_carlo is not None:
        return float(shown.monte_carlo.estimate)
    if not isinstance(plan.method, CrossValidation) or plan.method.repeats == 1:
        return None
    outcome, weights = outcomes[plan.method.schemes[0]], plan.method.weights
    values = outcome.repeat_rates if weights == "test-size" else outcome.repeat_means
    # the value is the mean of independent divisions
    return float(np.nanstd(values, ddof=1) / sqrt(values.size)) if np.isfinite(values).sum() > 1 else None


def _coverage(
    interval: IntervalMethod | None, p: Predictions, metric: Scoring, shown: ConfidenceInterval | None, value: float
) -> MeasuredCoverage | None:
    """Look up the coverage of an interval for error rates, or, of cases, of the default interval of a score."""
    own = metric.metric
    if shown is None or interval is None or isnan(shown.low):
        return None
    found, model = None, None if p.problem is None else p.problem.learner.model
    if isinstance(own, LabelMetric):
        if own.zero_one:
            n, unit = (p.n, "cases") if p.n_groups is None else (p.n_groups, "groups")
            found = measured_coverage(interval, n, float(own.as_loss(value)), model, shown.level, unit)
    elif (
        p.n_groups is None
        and (p.n_classes == 2 or own.ranks)
        and getattr(interval, "weights", own.weights) == own.weights
    ):
        sizes = class_sizes(p, metric).tolist()
        found = measured_coverage_of_score(own.name, interval.id, interval.target, sizes, model, shown.level)
    of_one_class = isinstance(own, Statistic) and len(own.recalled(p.n_classes)) == 1
    if isinstance(interval, HoldoutWilson) and (own.zero_one or of_one_class) and not (found and found.lines):
        return binomial_coverage(f"{interval.holds} {100 * shown.level:g} %", interval.target, metric.noun)
    return found
