"""Every combination of metric, groups and resampling has one default, which the page about defaults lists."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from errorest import Predictions, estimate
from errorest.assessment.defaults import INTERVALS_OF, METHODS, bytes_of, default_method, intervals_of, make_plan
from errorest.assessment.problem import Problem, prepare
from errorest.assessment.scoring import resolve_metric
from errorest.estimation.estimators import Bootstrap632Plus, CrossValidation, parse_estimator
from errorest.estimation.intervals import INTERVALS, STATISTIC_INTERVALS

PAGE = Path(__file__).parents[3] / "book/defaults.md"
Y = np.arange(60) % 2
X = np.random.default_rng(1).normal(size=(60, 2)) + Y[:, None]
GROUPS = np.arange(60) // 2
METRICS = ("error", "accuracy", "balanced", "brier", "log-loss", "auc", "macro-auc", "average-precision", "f1", "mcc")
METRICS += ("macro-f1", "sensitivity", "specificity", "balanced-accuracy", "calibration-slope")
NAMED = ("holdout", "holdout(test=1/5, repeats=9)", "cv(k=5)", "cv(k=5, repeats=3, stratified=True)", "loo")
NAMED += ("632+(replicates=20)", "e0(replicates=20)", "cv(k=n)", "resubstitution")


def problem(groups: Any = None, n: int = 60) -> Problem:
    return prepare("naive-bayes", X[:n], Y[:n], groups=groups)


def test_the_page_lists_the_tables() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = [f"| {r.task} | {r.metric} | {r.groups} | `{r.method}` |" for r in METHODS]
    for way, names in INTERVALS_OF.items():
        rows.append(f"| {way} | {', '.join(f'`{name}`' for name in names)} |")
    assert [row for row in rows if row not in text] == []


@pytest.mark.parametrize(("scoring", "grouped"), list(product(METRICS, (False, True))))
def test_every_metric_has_a_plan_for_every_task_and_method(scoring: str, grouped: bool) -> None:
    of = problem(GROUPS if grouped else None)
    bound = resolve_metric(of, scoring).bound
    for task in ("estimate", "compare", "choose", "nested"):
        method = default_method(task, bound, of)
        assert (isinstance(method, CrossValidation) and method.stratified) or not bound.metric.ranks
        assert bound.metric.ranks == ("weights" in method.id or scoring == "average-precision") or task == "compare"
    plans = [make_plan(of, bound)]
    for method in NAMED:
        if method == "loo" or method == "cv(k=n)":
            if bound.metric.decomposable or not bound.metric.ranks:
                plans.append(make_plan(of, bound, method))
        elif not bound.metric.decomposable and method.partition("(")[0] not in bound.metric.estimators:
            continue
        else:
            plans.append(make_plan(of, bound, method))
    for plan in plans:
        assert plan.schemes
        if plan.interval is not None:
            assert plan.interval.counts_groups or not grouped
            assert bound.metric.zero_one or plan.interval.losses == "any" or not bound.metric.decomposable
    assert plans[0].interval is not None


@pytest.mark.parametrize(("scoring", "grouped"), list(product(METRICS, (False, True))))
def test_the_intervals_of_a_way_are_legal_and_ordered(scoring: str, grouped: bool) -> None:
    metric = resolve_metric(problem(), scoring).metric
    for way, listed in INTERVALS_OF.items():
        names = intervals_of(metric, way, grouped, metric.weights)
        assert set(names) <= set(listed)
        for name in names:
            family = INTERVALS if metric.decomposable else STATISTIC_INTERVALS
            assert family[name]().counts_groups or not grouped


def test_the_default_of_errors_is_folds_where_bootstrap_samples_take_too_much_memory() -> None:
    bound = resolve_metric(problem(), "error").bound

    def of(n: int) -> Any:
        y = np.arange(n) % 2
        return Predictions(y, np.array([0, 1]), range(n), {})

    assert default_method("estimate", bound, of(100)) == Bootstrap632Plus(200)
    assert default_method("estimate", bound, of(450)) == Bootstrap632Plus(300)
    assert default_method("estimate", bound, of(60_000)) == parse_estimator("cv(k=10, stratified=True)")
    assert bytes_of(Bootstrap632Plus(200).schemes, 100, 100) < bytes_of(Bootstrap632Plus(200).schemes, 100, 100, 3)


def test_folds_weigh_as_a_ranking_needs_unless_named() -> None:
    options: dict[str, Any] = {"scoring": "auc", "rng": 1}
    by_fold = estimate("naive-bayes", X, Y, method="cv(k=5, stratified=True)", **options)
    named = estimate("naive-bayes", X, Y, method="cv(k=5, stratified=True, weights=folds)", **options)
    pooled = estimate("naive-bayes", X, Y, method="cv(k=5, stratified=True, weights=test-size)", **options)
    assert (by_fold.value, by_fold.method) == (named.value, named.method)
    assert by_fold.value != pooled.value
    assert by_fold.value == np.mean(by_fold.predictions.by_split("auc")["value"])
    e = estimate("naive-bayes", X, Y, method="cv(k=5, stratified=True)", scoring="f1", rng=1)
    assert e.value == estimate("naive-bayes", X, Y, scoring="f1", rng=1).value
