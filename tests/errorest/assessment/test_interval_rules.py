"""The same predictions have the same interval, whatever made the splits, and one without width says why."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import (
    GroupShuffleSplit,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
)

from errorest import estimate, from_predictions
from errorest.estimation.intervals import INTERVALS, STATISTIC_INTERVALS

RNG = np.random.default_rng(5)
N = 67  # not divisible by 5, nor by 3
Y = (RNG.random(N) < 0.4).astype(int)
X = RNG.normal(size=(N, 2)) + 1.2 * Y[:, None]
GROUPS = np.sort(RNG.integers(0, 17, N))
SHARES = ("sensitivity", "specificity(threshold=0.4)", "balanced-accuracy")
MEANS = ("error", "balanced", "brier", "log-loss")
METRICS = (*MEANS, *SHARES, "f1", "macro-f1", "mcc", "auc", "macro-auc", "average-precision", "calibration-slope")
METHODS = ("holdout", "holdout(test=1/4, repeats=8)", "cv(k=5, weights={})", "cv(k=5, repeats=3, weights={})", "loo")


class Splits:
    """What has split and get_n_splits."""

    def __init__(self, pairs: list[Any]) -> None:
        self.pairs = pairs

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:
        return iter(self.pairs)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return len(self.pairs)


def _run(result: Any) -> Any:
    return next(iter(result.predictions.runs.values()))


def _pairs(result: Any) -> list[Any]:
    made = _run(result).resamples
    tests = np.split(made.cases, made.start[1:-1])
    return [(np.flatnonzero(t), test) for t, test in zip(made.training_counts(), tests, strict=True)]


def _limits(result: Any, estimate: float, name: str) -> tuple[float, ...]:
    """Return the limits, moved to another estimate where they lie evenly about their own."""
    symmetric = {**dict(INTERVALS.items()), **dict(STATISTIC_INTERVALS.items())}[name].symmetric
    return tuple(v + symmetric * (estimate - result.value) for v in (result.interval.low, result.interval.high))


@pytest.mark.parametrize(("scoring", "method", "grouped"), list(product(METRICS, METHODS, (False, True))))
def test_a_method_its_splits_and_its_predictions_have_the_same_interval(
    scoring: str, method: str, grouped: bool
) -> None:
    groups = GROUPS if grouped else None
    weights = "test-size" if scoring == "average-precision" else "folds"
    options: dict[str, Any] = {"scoring": scoring, "groups": groups, "rng": 1}
    named = estimate("naive-bayes", X, Y, method=method.format(weights), **options)
    name = "" if named.interval is None else named.interval.method.partition("(")[0]
    shares = not grouped and scoring in SHARES
    if method == "loo" and not (scoring in MEANS or shares):
        assert named.interval is None
        assert "E407" in [one.id for one in named.warnings]
        return
    assert name, "no interval"
    wanted = pytest.approx(_limits(named, named.value, name), abs=1e-12)
    for splits in (_pairs(named), Splits(_pairs(named))):
        other = estimate("naive-bayes", X, Y, method=splits, **options)
        assert other.interval is not None
        assert other.interval.method.partition("(")[0] == name
        # single cases have no balanced accuracy; a splitter averages the average precisions of its folds
        if not np.isnan(other.value) and scoring != "average-precision":
            assert _limits(other, named.value, name) == wanted
    run = _run(named)
    made = run.resamples
    if method.startswith("holdout(") or (scoring, method) == ("balanced", "holdout"):
        return  # no cross-validation; costs that depend on the classes of the cases that are not tested
    # given folds are weighted as the metric needs
    weights = "folds" if scoring in ("auc", "macro-auc") else "test-size"
    named = estimate("naive-bayes", X, Y, method=method.format(weights), **options)
    assert named.interval is not None
    name = named.interval.method.partition("(")[0]
    wanted = pytest.approx(_limits(named, named.value, name), abs=1e-12)
    columns = {"case": made.cases, "repeat": made.replicate[made.row_of_test()], "fold": made.row_of_test()}
    predictions = run.labels if run.scores is None else run.scores[:, 1]
    given = from_predictions(
        Y[made.cases], predictions, groups=None if groups is None else groups[made.cases], scoring=scoring, **columns
    )
    assert given.interval is not None
    assert given.interval.method.partition("(")[0] == name
    if not np.isnan(given.value):
        assert given.value == pytest.approx(named.value, abs=1e-12)
        assert _limits(given, named.value, name) == wanted


def test_n_folds_have_the_interval_of_leave_one_out() -> None:
    for scoring, groups in product(("error", "brier", "sensitivity"), (None, GROUPS)):
        options: dict[str, Any] = {"scoring": scoring, "groups": groups, "rng": 1}
        loo, folds, twice = (
            estimate("naive-bayes", X, Y, method=m, **options) for m in ("loo", "cv(k=n)", "cv(k=n, repeats=2)")
        )
        if loo.interval is None:
            assert (folds.interval, twice.interval) == (None, None)
            continue
        for other in (folds, twice):
            assert other.interval is not None
            assert other.interval.method == loo.interval.method
            limits = (other.interval.low, other.interval.high)
            assert limits == pytest.approx((loo.interval.low, loo.interval.high), abs=1e-12)


def test_a_number_of_tested_cases_is_not_split_anew_for_its_interval() -> None:
    for method in ("holdout(test=17)", "holdout(test=17, repeats=6)"):
        found = estimate("naive-bayes", X, Y, method=method, rng=1)
        other = estimate("naive-bayes", X, Y, method=_pairs(found), rng=1)
        assert found.interval is not None
        assert other.interval is not None
        assert found.n_fits == _run(found).resamples.n_rows
        limits = (other.interval.low, other.interval.high)
        assert (found.interval.low, found.interval.high) == pytest.approx(limits, abs=1e-12)


def test_splitters_whose_folds_are_unequal_or_that_hold_out_once_have_intervals() -> None:
    splitters = {
        RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=1): ("cv-wilson", "cv-hanley-mcneil"),
        ShuffleSplit(1, test_size=20, random_state=1): ("holdout-wilson", "holdout-hanley-mcneil"),
        ShuffleSplit(1, test_size=20, train_size=30, random_state=1): ("holdout-wilson", "holdout-hanley-mcneil"),
        PredefinedSplit(np.where(np.arange(N) < 20, 0, -1)): ("holdout-wilson", "holdout-hanley-mcneil"),
    }
    for splitter, (of_errors, of_auc) in splitters.items():
        for scoring, wanted in (("error", of_errors), ("auc", of_auc)):
            found = estimate(LinearDiscriminantAnalysis(), X, Y, method=splitter, scoring=scoring, rng=1)
            assert found.interval is not None, splitter
            assert found.interval.method.partition("(")[0] == wanted
            assert found.interval.low < found.value < found.interval.high
    whole = GroupShuffleSplit(4, test_size=0.4, random_state=1)
    assert estimate("naive-bayes", X, Y, method=whole, groups=GROUPS, rng=1).interval is not None
    part = ShuffleSplit(1, test_size=20, train_size=30, random_state=1)
    tested = next(part.split(X))[1]
    untouched = np.setdiff1d(np.arange(N), np.concatenate(next(part.split(X))))
    parted = np.arange(N)
    parted[untouched[0]] = parted[tested[0]]
    groups = np.unique(parted, return_inverse=True)[1]
    found = estimate("naive-bayes", X, Y, method=part, groups=groups, rng=1)
    assert found.interval is None
    assert any("no interval" in w for w in found.warnings)


def test_failed_splits_leave_out_the_intervals_that_need_all() -> None:
    class FailsWithoutTheFirst(LinearDiscriminantAnalysis):  # type: ignore[misc]
        def fit(self, X: Any, y: Any) -> Any:
            if not (X == 77).any():
                raise ValueError("the first case is missing")
            return super().fit(X, y)

    marked = X.copy()
    marked[0] = 77
    named = estimate(FailsWithoutTheFirst(), marked, Y, method="holdout(repeats=6)", error_score=np.nan, rng=1)
    assert named.interval is None
    whole = estimate("naive-bayes", X, Y, method="holdout(repeats=6)", rng=1)
    split = estimate(FailsWithoutTheFirst(), marked, Y, method=_pairs(whole), error_score=np.nan, rng=1)
    assert split.interval is None
    assert any("needs all its resamples" in w for w in split.warnings)


def test_sensitivity_and_specificity_have_the_limits_of_proportions_of_their_class() -> None:
    folds = StratifiedKFold(5, shuffle=True, random_state=2)
    predicted = cross_val_predict(LinearDiscriminantAnalysis(), X, Y, cv=folds)
    fold = np.empty(N, dtype=int)
    for number, (_, test) in enumerate(folds.split(X, Y)):
        fold[test] = number
    for scoring, kind in (("sensitivity", 1), ("specificity", 0)):
        own = kind == Y
        hits, cases = int((predicted[own] == kind).sum()), int(own.sum())
        wanted = stats.binomtest(hits, cases).proportion_ci(0.9, "wilson")
        options: dict[str, Any] = {"scoring": scoring, "confidence_level": 0.9}
        split = estimate(LinearDiscriminantAnalysis(), X, Y, method=folds, rng=1, **options)
        for found in (
            split,
            from_predictions(Y, predicted, **options),
            from_predictions(Y, predicted, fold=fold, **options),
        ):
            assert (found.interval.low, found.interval.high) == pytest.approx((wanted.low, wanted.high))  # type: ignore[union-attr]
        exact = stats.binomtest(hits, cases).proportion_ci(0.9, "exact")
        found = from_predictions(Y, predicted, interval="holdout-clopper-pearson", **options)
        assert (found.interval.low, found.interval.high) == pytest.approx((exact.low, exact.high))  # type: ignore[union-attr]
    separated = X + 50 * Y[:, None]
    for method in ("auto", "cv(k=5, repeats=3)", "holdout"):
        found = estimate("linear-discriminant", separated, Y, scoring="sensitivity", method=method, rng=1)
        assert found.value == found.interval.high == 1  # type: ignore[union-attr]
        assert 0.5 < found.interval.low < 0.95  # type: ignore[union-attr]


def test_sensitivity_with_groups_counts_the_groups_of_the_class() -> None:
    predicted = (X.sum(axis=1) > 1.2).astype(int)
    own = Y == 1
    hit = predicted[own].astype(float)
    of_group = np.bincount(GROUPS[own], hit - hit.mean(), GROUPS.max() + 1)
    number = np.unique(GROUPS[own]).size
    se = np.sqrt((of_group**2).sum() * number / (number - 1)) / own.sum()
    found = from_predictions(Y, predicted, groups=GROUPS, scoring="sensitivity")
    assert found.standard_error == pytest.approx(se)
    half = stats.t.ppf(0.975, number - 1) * se
    limits = (hit.mean() - half, min(1, hit.mean() + half))
    assert (found.interval.low, found.interval.high) == pytest.approx(limits)  # type: ignore[union-attr]


def test_balanced_accuracy_adds_the_squares_of_wilsons_limits() -> None:
    # Newcombe's (1998) square-and-add of two proportions: 56/70 and 48/80 differ by .2, limits .0524 and .3339
    y = np.repeat([0, 1], [70, 80])
    predicted = np.concatenate([np.repeat([0, 1], [56, 14]), np.repeat([0, 1], [48, 32])])
    found = from_predictions(y, predicted, scoring="balanced-accuracy")
    # the mean of 56/70 and 1 - 48/80 is half of their difference plus a half
    assert found.value == pytest.approx(0.6)
    assert 2 * found.interval.low - 1 == pytest.approx(0.0524, abs=1e-4)  # type: ignore[union-attr]
    assert 2 * found.interval.high - 1 == pytest.approx(0.3339, abs=1e-4)  # type: ignore[union-attr]
    right = from_predictions(y, y, scoring="balanced-accuracy")
    assert right.interval.high == 1 > right.interval.low > 0.95  # type: ignore[union-attr]
    assert not right.interval.degenerate  # type: ignore[union-attr]


@pytest.mark.parametrize("scoring", ["f1", "mcc", "macro-f1"])
def test_the_influence_of_a_confusion_table_is_the_derivative_of_its_statistic(scoring: str) -> None:
    predicted = (X.sum(axis=1) > 1.2).astype(int)
    found = from_predictions(Y, predicted, scoring=scoring)
    jackknife = [
        from_predictions(np.delete(Y, i), np.delete(predicted, i), scoring=scoring, interval=None).value
        for i in range(N)
    ]
    se = np.sqrt((N - 1) * np.var(jackknife))
    assert found.standard_error == pytest.approx(se, rel=0.06)
    half = stats.norm.ppf(0.975) * (found.standard_error or 0)
    assert found.interval.low == pytest.approx(found.value - half)  # type: ignore[union-attr]
    assert found.coverage is None


NOTHING: list[tuple[Any, Any, dict[str, Any], str]] = [
    ([0, 0, 1, 1], [0, 0, 1, 1], {"scoring": "f1"}, "no width"),
    ([0, 0, 1, 1], [0, 0, 1, 1], {"scoring": "mcc"}, "no width"),
    ([0, 0, 1, 1], [0, 0, 0, 0], {"scoring": "mcc"}, "no width"),
    ([0, 0, 1, 1], [0, 0, 1, 1], {"scoring": {"fn": 5, "fp": 1}}, "no width"),
    ([0, 0, 1, 1], [0, 0, 1, 1], {"groups": [0, 1, 2, 3]}, "no width"),
    ([0, 0, 1, 1], [0, 0, 1, 1], {"groups": [0, 1, 2, 3], "scoring": "sensitivity"}, "no width"),
    ([0, 0, 1, 1], [0, 0, 1, 1], {"groups": [0, 1, 2, 2], "scoring": "sensitivity"}, "undefined"),
    ([0, 0, 1, 1], [0.1, 0.6, 0.5, 0.9], {"scoring": "auc"}, "fewer than 4"),
    ([0, 0, 1, 1], [0.1, 0.6, 0.5, 0.9], {"scoring": "auc", "fold": [0, 1, 0, 1]}, "fewer than 4"),
    ([0, 0, 1, 1], [0, 1, 1, 1], {"scoring": "f1", "fold": [0, 1, 2, 3]}, "no interval"),
]


@pytest.mark.parametrize(("y", "predicted", "options", "reason"), NOTHING)
def test_predictions_without_a_useful_interval_say_why(y: Any, predicted: Any, options: Any, reason: str) -> None:
    found = from_predictions(y, predicted, **options)
    assert found.interval is None or np.isnan(found.interval.low) or found.interval.degenerate
    assert any(reason in w for w in found.warnings), found.warnings
    assert not any("Wilson" in w for w in found.warnings)
    assert from_predictions(y, predicted, interval=None, **options).warnings == tuple(
        w for w in found.warnings if "interval" not in w
    )


def test_the_reason_of_a_score_without_width_is_its_own() -> None:
    separated = X + 50 * Y[:, None]
    f1 = estimate("linear-discriminant", separated, Y, scoring="f1", rng=1)
    assert any("standard error of 0" in w for w in f1.warnings)
    split = estimate("linear-discriminant", separated, Y, scoring="f1", method="holdout(repeats=9)", rng=1)
    assert any("every resample gave the same value" in w for w in split.warnings)
    shares = estimate("linear-discriminant", separated, Y, scoring="sensitivity", method="holdout(repeats=9)", rng=1)
    assert shares.interval is not None
    assert shares.interval.degenerate
    wrong = estimate("linear-discriminant", separated, Y, interval="cv-wald", rng=1)
    assert any("such as cv-wilson" in w for w in wrong.warnings)


def test_a_result_says_where_the_coverage_of_its_interval_was_not_measured() -> None:
    for scoring in ("f1", "sensitivity", "balanced-accuracy"):
        found = estimate("naive-bayes", X, Y, scoring=scoring, rng=1)
        assert found.coverage is None
    for scoring in ("auc", "brier"):
        assert "In our simulations" in estimate("naive-bayes", X, Y, scoring=scoring, rng=1).coverage.sentence
        grouped = estimate("naive-bayes", X, Y, scoring=scoring, groups=GROUPS, rng=1)
        assert grouped.coverage is None
    groups = estimate("naive-bayes", X, Y, groups=GROUPS, rng=1)
    assert f"{len(set(GROUPS))} groups" in groups.coverage.sentence or "A model" in groups.coverage.sentence
    pooled = estimate("naive-bayes", X, Y, scoring="auc", method="cv(k=5, stratified=True, weights=test-size)", rng=1)
    assert pooled.coverage is None


@pytest.mark.parametrize(("interval", "holds"), [("auto", "about 95 %"), ("holdout-clopper-pearson", "at least 95 %")])
@pytest.mark.parametrize("scoring", ["error", "sensitivity"])
def test_limits_of_one_test_set_say_what_a_binomial_holds(interval: str, holds: str, scoring: str) -> None:
    found = from_predictions(Y, (X.sum(axis=1) > 1.2).astype(int), scoring=scoring, interval=interval)
    assert "binomial" in found.coverage.sentence
    assert holds in found.coverage.sentence
    assert found.coverage is not None
    assert not found.coverage.inside
