"""Every combination of metric, groups and resampling has one default, which the page about defaults lists."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import BaggingClassifier, GradientBoostingClassifier, StackingClassifier
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from errorest import Predictions, estimate
from errorest.assessment.defaults import (
    INTERVALS_OF,
    METHODS,
    bytes_of,
    default_method,
    intervals_of,
    make_plan,
    read_method,
)
from errorest.assessment.problem import Problem, prepare
from errorest.assessment.scoring import resolve_metric
from errorest.errors import UsageError
from errorest.estimation.estimators import Bootstrap632Plus, CrossValidation, parse_estimator
from errorest.estimation.intervals import INTERVALS, STATISTIC_INTERVALS
from errorest.estimation.metrics import METRICS as SCORES
from errorest.learners import C45, LinearDiscriminant, NaiveBayes
from errorest.streams import Streams

PAGE = Path(__file__).parents[3] / "book/defaults.md"
Y = np.arange(60) % 2
X = np.random.default_rng(1).normal(size=(60, 2)) + Y[:, None]
GROUPS = np.arange(60) // 2
METRICS = ("error", "accuracy", "balanced", "brier", "log-loss", "auc", "macro-auc", "average-precision", "f1", "mcc")
METRICS += ("macro-f1", "sensitivity", "specificity", "balanced-accuracy", "calibration-slope")
NAMED = ("holdout", "holdout(test=1/5, repeats=9)", "cv(k=5)", "cv(k=5, repeats=3, stratified=True)", "loo")
NAMED += ("632+(replicates=20)", "e0(replicates=20)", "cv(k=n)", "resubstitution")


COLUMNS = {
    "error, accuracy": ("error", "accuracy"),
    "sensitivity, specificity, balanced accuracy": ("sensitivity", "specificity", "balanced-accuracy"),
    "costs, Brier score, log loss": ("costs", "balanced", "brier", "log-loss"),
    "AUC, macro AUC": ("auc", "macro-auc"),
    "average precision": ("average-precision",),
    "other statistics": (
        *("f1", "macro-f1", "mcc", "precision", "npv", "cohen-kappa"),
        *("calibration-slope", "calibration-intercept"),
    ),
}
KINDS = {
    "error": ("mean",),
    "accuracy": ("mean",),
    "costs": ("mean",),
    "brier": ("mean of probabilities", "mean"),
    "log-loss": ("mean of probabilities", "mean"),
    "auc": ("ranking", "statistic"),
    "macro-auc": ("ranking", "statistic"),
    "average-precision": ("ranking", "statistic"),
    "f1": ("statistic",),
    "sensitivity": ("statistic",),
    "calibration-slope": ("statistic",),
}
METHODS_OF = {
    "632+": "632+(replicates=20)",
    "out-of-bag": "e0(replicates=20)",
    "holdout": "holdout",
    "holdouts": "holdout(test=1/5, repeats=9)",
    "loo": "loo",
    "folds, pooled": "cv(k=5, stratified=True)",
    "folds, averaged": "cv(k=5, stratified=True, weights=folds)",
    "repeated-folds": "cv(k=5, repeats=3, stratified=True)",
}
GIVEN = {"holdout": 1, "folds, pooled": 1, "repeated-folds": 2}


def problem(groups: Any = None, n: int = 60) -> Problem:
    return prepare("naive-bayes", X[:n], Y[:n], groups=groups)


def costs(scoring: str) -> Any:
    return {"fn": 5, "fp": 1} if scoring == "costs" else scoring


def table_on_the_page(head: str) -> list[list[str]]:
    """Cells of each row of the table whose first line begins so, the headings first."""
    text = PAGE.read_text(encoding="utf-8")
    table = next(part for part in text.split("\n\n") if part.startswith(head)).splitlines()
    return [[cell.strip(" `") for cell in line.strip("|").split(" | ")] for line in (table[0], *table[2:])]


def test_the_page_lists_the_tables_with_the_reason_of_each_row() -> None:
    methods = table_on_the_page("| Task | Metric |")[1:]
    assert [cells[:4] for cells in methods] == [list(row) for row in METHODS]
    intervals = table_on_the_page("| Resampling | Intervals")[1:]
    assert [cells[:2] for cells in intervals] == [[way, "`, `".join(names)] for way, names in INTERVALS_OF.items()]
    assert all(cells[4] for cells in methods)
    assert all(cells[2] for cells in intervals)


@pytest.mark.parametrize("task", ["estimate", "compare", "choose", "nested", "permutation test"])
def test_the_default_method_of_a_task_is_that_of_the_page(task: Any) -> None:
    rows = table_on_the_page("| Task | Metric |")[1:]
    for scoring, grouped in product(KINDS, (False, True)):
        of = problem(GROUPS if grouped else None)
        text = next(
            method
            for tasks, kind, when, method, _ in rows
            if tasks in (task, "any") and kind in (*KINDS[scoring], "any") and when == "any"
        )
        settings: dict[str, Any] = {"replicates": 200, "k5": 5, "k10": 10, "folds": 5, "repeats": 5, "most": 5, "k": 10}
        weights = "test-size" if scoring == "average-precision" else "folds"
        expected = parse_estimator(text.format(**settings, weights=weights))
        bound = resolve_metric(of, costs(scoring))
        assert default_method(task, bound, of) == expected, (scoring, grouped)
        if task == "estimate":
            assert make_plan(of, bound).method == expected


def defaults_on_the_page() -> list[tuple[str, bool, str, str]]:
    """Way of resampling, groups, metric and interval of each cell of the table of default intervals."""
    head, *rows = table_on_the_page("| Resampling | Groups |")
    assert head[2:] == list(COLUMNS)
    return [
        (way, groups == "yes", metric, name)
        for way, groups, *names in rows
        for column, name in zip(COLUMNS, names, strict=True)
        for metric in COLUMNS[column]
    ]


def test_the_table_of_default_intervals_is_complete() -> None:
    metrics = [metric for column in COLUMNS.values() for metric in column]
    assert [cell[:3] for cell in defaults_on_the_page()] == list(product(METHODS_OF, (False, True), metrics))
    assert set(SCORES) <= {*metrics}


@pytest.mark.parametrize("way", METHODS_OF)
def test_the_default_interval_of_a_plan_is_that_of_the_page(way: str) -> None:
    for _, grouped, scoring, name in (cell for cell in defaults_on_the_page() if cell[0] == way):
        of = problem(GROUPS if grouped else None)
        bound = resolve_metric(of, costs(scoring))
        try:
            plan = make_plan(of, bound, METHODS_OF[way])
        except UsageError:
            assert name == "–"
            continue
        assert (plan.interval.name if plan.interval is not None else "–") == name, (grouped, scoring)


@pytest.mark.parametrize("grouped", [False, True])
def test_the_splits_of_a_splitter_are_averaged(grouped: bool) -> None:
    splits = list(GroupKFold(5).split(X, Y, GROUPS))
    of = problem(GROUPS if grouped else None)
    method = read_method(splits, of, Streams(1))
    for _, _, scoring, name in (c for c in defaults_on_the_page() if c[:2] == ("folds, averaged", grouped)):
        interval = make_plan(of, resolve_metric(of, costs(scoring)), method).interval
        assert interval is not None
        assert interval.name == name, scoring


@pytest.mark.parametrize("way", GIVEN)
@pytest.mark.parametrize("grouped", [False, True])
def test_the_interval_does_not_depend_on_what_made_the_splits(way: str, grouped: bool) -> None:
    fold = np.resize(GROUPS % 5, GIVEN[way] * Y.size)
    repeat = np.repeat(np.arange(GIVEN[way]), Y.size)
    groups = np.resize(GROUPS, fold.size) if grouped else None
    rows: dict[str, Any] = {} if way == "holdout" else {"fold": fold, "repeat": repeat}
    y_prob = np.random.default_rng(1).uniform(0.01, 0.99, Y.size)
    p = Predictions.from_arrays(np.resize(Y, fold.size), y_prob=np.resize(y_prob, fold.size), groups=groups, **rows)
    for _, _, scoring, name in (cell for cell in defaults_on_the_page() if cell[:2] == (way, grouped)):
        interval = p.estimate(costs(scoring)).interval
        assert interval is not None
        assert interval.method.partition("(")[0] == name, scoring


@pytest.mark.parametrize(("scoring", "grouped"), list(product(METRICS, (False, True))))
def test_every_metric_has_a_plan_for_every_task_and_method(scoring: str, grouped: bool) -> None:
    of = problem(GROUPS if grouped else None)
    bound = resolve_metric(of, scoring)
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


def cases(n: int, groups: Any = None) -> Any:
    return Predictions(np.arange(n) % 2, np.array([0, 1]), {}, groups=groups)


def test_means_of_many_cases_or_groups_are_estimated_by_few_fits() -> None:
    for scoring, of_few in (("error", "632+(replicates=245)"), ("brier", "cv(k=5, repeats=10, stratified=True)")):
        bound = resolve_metric(problem(), scoring)
        for n, expected in (
            (299, of_few),
            (300, "cv(k=10, repeats=5, stratified=True)"),
            (9_999, "cv(k=10, repeats=5, stratified=True)"),
            (10_000, "cv(k=10, stratified=True)"),
        ):
            assert default_method("estimate", bound, cases(n)).id == expected
            assert default_method("estimate", bound, cases(2 * n, np.arange(2 * n) // 2)).id == expected
        # many cases in few groups take more than a gibibyte
        groups = np.arange(500_000) % 100
        assert isinstance(default_method("estimate", bound, cases(500_000, groups)), CrossValidation)
    assert default_method("compare", bound, cases(2000)).id == "cv(k=5, repeats=5, stratified=True)"
    assert bytes_of(Bootstrap632Plus(200).schemes, 100, 100) < bytes_of(Bootstrap632Plus(200).schemes, 100, 100, 3)


@pytest.mark.parametrize(
    ("model", "d", "few", "many"),
    [
        # the smallest and largest samples that are divided into folds; C4.5 up to where all are
        (C45(), 2, 60, 299),
        (LinearDiscriminant(), 24, 30, 60),
        (LinearDiscriminant(), 100, 75, 250),
        (make_pipeline(StandardScaler(), LinearDiscriminantAnalysis()), 40, 30, 100),
    ],
)
def test_folds_serve_where_bootstrap_samples_make_other_kinds_of_classifiers(
    model: Any, d: int, few: int, many: int
) -> None:
    def method(n: int, of: Any = model, groups: Any = None) -> str:
        X = np.random.default_rng(0).normal(size=(n, d))
        made = prepare(of, X, np.arange(n) % 2, groups=groups)
        return default_method("estimate", resolve_metric(made, "error"), made).name

    assert [method(n) for n in (few - 1, few, many)] == ["632+", "cv", "cv"]
    assert method(many, groups=np.arange(many) // 2) == "632+"
    if not isinstance(model, C45):
        assert method(many + 1) == "632+"
    for other in (C45(prune=False), LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"), NaiveBayes()):
        assert method(few, other) == "632+"


SEARCH = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=3)


@pytest.mark.parametrize(
    ("model", "parts"),
    [
        (SEARCH, ("GridSearchCV",)),
        (make_pipeline(StandardScaler(), SEARCH), ("GridSearchCV",)),
        (CalibratedClassifierCV(SEARCH), ("CalibratedClassifierCV", "GridSearchCV")),
        (BaggingClassifier(SEARCH), ("GridSearchCV",)),
        (SGDClassifier(early_stopping=True), ("SGDClassifier",)),
        (GradientBoostingClassifier(n_iter_no_change=3), ("GradientBoostingClassifier",)),
        (SGDClassifier(), ()),
        (GradientBoostingClassifier(), ()),
        (StackingClassifier([("a", KNeighborsClassifier())], cv="prefit"), ()),
        (KNeighborsClassifier(), ()),
        ("naive-bayes", ()),
    ],
)
def test_a_model_that_splits_its_training_set_is_estimated_by_folds(model: Any, parts: tuple[str, ...]) -> None:
    of = prepare(model, X, Y)
    assert of.self_tuning == parts
    for scoring in ("error", {"fn": 5, "fp": 1}):
        method = default_method("estimate", resolve_metric(of, scoring), of).id
        assert method == ("cv(k=10, repeats=5, stratified=True)" if parts else "632+(replicates=200)")


def test_a_method_that_is_named_is_obeyed_for_a_model_that_tunes_itself() -> None:
    def warned(**how: Any) -> tuple[str, list[str]]:
        e = estimate(SEARCH, X[:20], Y[:20], rng=1, **how)
        return e.method, [w for w in e.warnings if w.id == "E310"]

    method, (why,) = warned()
    assert method == "cv(k=10, repeats=5, stratified=True)"
    assert "GridSearchCV splits its training set" in why
    method, (why,) = warned(method="632+(replicates=4)")
    assert method == "632+(replicates=4)"
    assert "take folds" in why
    assert warned(method=3) == ("cv(k=3, stratified=True)", [])
    assert warned(scoring="brier")[0] == "cv(k=5, repeats=10, stratified=True)"


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
