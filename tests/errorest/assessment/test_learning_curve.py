"""Learning curves of cases, whole groups and costs: points against loops, laws against exact curves, refusals."""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import errorest
from batteries import assert_refused, rows_of
from errorest import learning_curve
from errorest.assessment.learning_curve import COVERAGE
from errorest.assessment.problem import prepare
from errorest.assessment.resample import draw
from errorest.data.sample import Sample
from errorest.estimation.learning_curves import CurvePoints, PowerLaws, test_size_for
from errorest.estimation.proportions import wilson_interval
from errorest.learners import KNN
from errorest.resampling.schemes import NestedSubsetFolds
from errorest.streams import Streams

RAW_1NN = "knn(k=1, standardize=none)"
RAW_3NN = "knn(k=3, standardize=none)"

RNG = np.random.default_rng(4)
X = RNG.normal(size=(40, 2))
Y = np.where(X[:, 0] + 0.8 * RNG.normal(size=40) > 0, "yes", "no")
SAMPLE = Sample.from_arrays(X, Y)
RNG_48 = np.random.default_rng(9)
X_48 = RNG_48.normal(size=(48, 2))
Y_48 = np.where(X_48[:, 0] + 0.8 * RNG_48.normal(size=48) > 0, "yes", "no")
GROUPS = np.repeat(np.arange(16), [1, 2, 3, 4, 5, 3, 2, 4, 3, 3, 1, 5, 4, 2, 3, 3])
COSTS = {"fn": 5, "fp": 1}


@pytest.mark.parametrize(("a", "b", "c"), [(0.1, 0.8, 1.0), (0.0, 1.0, 0.5), (0.2, 2.0, 1.5), (0.3, 0.0, 1.0)])
def test_a_curve_known_exactly_is_continued(a: float, b: float, c: float) -> None:
    sizes = np.array([10, 20, 40, 80, 160])
    laws = PowerLaws(CurvePoints(10**9, sizes, a + b * sizes**-c, np.diag([1e-12] * 5)), drift=0.0)
    for cases in (10, 100, 1000):
        low, middle, high = laws.quantiles(cases, [0.025, 0.5, 0.975])
        assert low <= middle <= high
        # the grid of exponents and shares is as fine as this
        assert middle == pytest.approx(a + b * cases**-c, abs=0.01)


def test_quantiles_are_those_of_draws_from_the_same_laws() -> None:
    points = CurvePoints(40, np.array([8, 16, 32]), np.array([0.4, 0.3, 0.25]), 0.004 * (np.eye(3) + 0.8))
    laws = PowerLaws(points)
    shares, exponents, weight, mean, sd = laws._mixture
    rng = np.random.default_rng(0)
    at = rng.choice(weight.size, 200_000, p=weight)
    level = rng.normal(mean[at], sd[at])
    selected = (level >= 0) & (level <= 1)
    turn = np.array([-1.0, -0.4093, 0.0, 0.4093, 1.0])[rng.integers(5, size=at.size)] * 1.4634
    # the integral of a random walk of the slope over log(200 / 32), from 0
    turn = np.exp(0.25 * np.sqrt(np.log(200 / 32) ** 3 / 3) * turn)
    growth = np.minimum(1, turn * (shares[at] + (1 - shares[at]) * (200 / 32) ** -exponents[at]))
    sampled = (level * growth)[selected]
    # 200,000 draws: a quantile is off by .004 with a probability below 1e-6
    np.testing.assert_allclose(laws.quantiles(200, [0.1, 0.5, 0.9]), np.quantile(sampled, [0.1, 0.5, 0.9]), atol=0.004)


def test_a_slope_that_wanders_widens_what_lies_ahead_and_mends_a_plateau() -> None:
    """Errors of guessing up to 20 cases and a steep fall behind: the last points tell where it goes, not the first."""
    sizes = np.array([5, 10, 20, 28, 40])
    points = CurvePoints(400, sizes, np.array([0.5, 0.5, 0.5, 0.37, 0.26]), np.diag([1e-4] * 5))
    covered, free = (PowerLaws(points, drift).quantiles(160, [0.025, 0.5, 0.975]) for drift in (0.0, 0.25))
    assert free[2] - free[0] > covered[2] - covered[0]
    assert free[1] < covered[1] - 0.02
    assert free[0] < covered[0]


def test_no_error_at_all_is_no_certainty() -> None:
    curve = learning_curve("knn", np.arange(20.0)[:, None], [0] * 10 + [1] * 10, train_sizes=[9, 18], at=[100], rng=0)
    perfect = PowerLaws(CurvePoints(20, np.array([9, 18]), np.zeros(2), np.zeros((2, 2))))
    assert perfect.quantiles(40, [0.975])[0] > 0.01
    assert CurvePoints(20, np.array([9]), np.zeros(1), np.zeros((1, 1))).limits(0.95)[0][1] > 0.1
    assert curve.expected[0].high > curve.expected[0].low >= 0


def test_the_same_seed_gives_the_same_curve_whatever_the_workers() -> None:
    options: dict[str, Any] = {"train_sizes": [10, 30], "at": [100], "repeats": 2, "folds": 4, "rng": 5}
    tree = DecisionTreeClassifier()
    one, two = (learning_curve(tree, X, Y, **options, n_jobs=jobs) for jobs in (1, 2))
    assert (one.points.errors.tolist(), one.expected) == (two.points.errors.tolist(), two.expected)


def test_wanted_errors_and_widths_are_turned_into_cases() -> None:
    curve = learning_curve("knn(k=3)", X, Y, rng=0)
    now = curve.predict(40).value
    likely, sure = curve.cases_for(0.9 * now)
    assert curve.predict(likely).value <= 0.9 * now < curve.predict(likely - 1).value
    assert sure is None or sure >= likely
    assert curve.cases_for(1e-9) == (None, None)


@pytest.mark.parametrize(("width", "error"), [(0.1, 0.12), (0.05, 0.3), (0.2, 0.0), (0.3, 0.5)])
def test_the_fewest_test_cases_of_a_width_are_detected(width: float, error: float) -> None:
    from scipy.stats import binomtest

    cases = test_size_for(width, error)
    assert cases == errorest.test_size_for(width, error=error, confidence_level=0.95)
    for number, wide in ((cases, False), (cases - 1, True)):
        limits = wilson_interval(error * number, number)
        assert (limits[1] - limits[0] > width) == wide
    if error * cases == round(error * cases):
        between = binomtest(round(error * cases), cases).proportion_ci(method="wilson")
        assert between.high - between.low <= width


def test_limits_are_continuous_as_errors_vanish() -> None:
    """One case of 40 that is wrong in a share of its tests, down to none."""

    def limits(share: float, confidence: float = 0.95) -> tuple[float, float]:
        losses = np.array([share] + [0.0] * 39)
        covariance = np.array([[2 * losses.var(ddof=1) / 40]])
        return CurvePoints(40, np.array([20]), losses.mean(keepdims=True), covariance).limits(confidence)[0]

    assert limits(1e-6) == pytest.approx(limits(0.0), abs=1e-6)
    assert limits(0.0)[1] == pytest.approx(wilson_interval(0, 20.5).high)
    assert limits(0.05)[1] == pytest.approx(limits(0.0)[1], abs=0.01)
    # far from 0, those of the variance alone
    wrong = np.array([1.0] * 16 + [0.0] * 24)
    variance = 2 * wrong.var(ddof=1) / 40
    plain = wilson_interval(0.4 * 0.24 / variance, 0.24 / variance)
    result = CurvePoints(40, np.array([20]), np.array([0.4]), np.array([[variance]])).limits(0.95)[0]
    assert result == pytest.approx(plain, abs=0.01)


def test_nothing_is_extrapolated_from_a_curve_that_rises_or_has_a_peak() -> None:
    balanced = np.array([0, 1] * 20)
    rising = learning_curve("majority", X, balanced, train_sizes=[5, 38], folds=20, at=[500], rng=0)
    # a linear discriminant errs most where cases are about as many as its 12 attributes
    rng = np.random.default_rng(1)
    y = np.array([0, 1] * 30)
    wide = rng.normal(size=(60, 12)) + y[:, None]
    peaked = learning_curve("linear-discriminant", wide, y, at=[120], rng=0)
    assert int(np.argmax(peaked.points.errors)) not in (0, 5)
    for curve in (rising, peaked):
        assert curve.rises
        assert ({w.id for w in curve.warnings}, curve.expected) == ({"E501"}, ())
        assert curve.power_law is None
        assert curve.to_dict()["power_law"] is None
        for ask in (lambda c: c.predict(100), lambda c: c.cases_for(0.2)):
            assert_refused("no power law fits", ask, curve)
    assert "peak" in peaked.warnings[0]


def test_the_coverage_of_extrapolations_is_the_one_that_the_guide_recorded() -> None:
    with (Path(__file__).parents[3] / "data" / "regenerated" / "guide.csv").open(encoding="utf-8") as lines:
        rows = {tuple(row[:5]): float(row[5]) for row in csv.reader(lines) if row[0] == "guide-growing-coverage"}
    head = ("guide-growing-coverage", "literal", "published")
    for n, (mean, worst) in COVERAGE.items():
        assert round(rows[*head, f"expected/{n}-cases", "twice-the-cases"], 1) == mean
        assert rows[*head, f"worst/expected/{n}-cases", "twice-the-cases"] == worst
    curve = learning_curve(RAW_1NN, X, Y, folds=4, repeats=2, rng=0)
    assert curve.coverage == COVERAGE
    assert replace(curve, unit="groups").coverage is None
    assert replace(curve, confidence_level=0.9).coverage is None
    assert learning_curve(RAW_1NN, X, Y, folds=4, repeats=2, scoring=COSTS, rng=0).coverage is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"train_sizes": [10, 37]}, "10 folds of 40 cases leave 36"),
        ({"train_sizes": [20, 10]}, "ascending and each once"),
        ({"train_sizes": [20]}, "two or more"),
        ({"train_sizes": [0, 5]}, "train_sizes = 0; expected an integer >= 1"),
        ({"at": [1.5]}, "at = 1.5; expected"),
        ({"folds": 1}, "folds = 1; expected an integer >= 2"),
        ({"repeats": 0}, "repeats = 0; expected an integer >= 1"),
        ({"repeats": 10**9}, "GiB of memory; expected at most"),
        ({"groups": np.arange(40) % 9}, "there are 9 groups; expected at least 10"),
        ({"groups": np.arange(40) % 16, "train_sizes": [5, 20]}, "10 folds of 16 groups leave 14"),
        ({"scoring": lambda true, said: np.where(true == said, -1.0, 1.0)}, "no loss below 0"),
        ({"scoring": [[0, 0], [0, 0]]}, "0 for every answer|cost"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    assert_refused(message, learning_curve, "knn", X, Y, rng=0, **options)


def test_nine_cases_and_wrong_proportions_are_refused() -> None:
    assert_refused("expected at least 10", learning_curve, "knn", X[:9], Y[:9])
    for width, error in ((0.0, 0.1), (1.0, 0.1), (0.1, -0.1), (0.1, 1.1)):
        assert_refused("expected a proportion", test_size_for, width, error)
    assert_refused("error = 2", learning_curve("knn", X, Y, rng=0).cases_for, 2)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=4, max_size=12) | st.integers(4, 30).map(lambda n: [1] * n), st.data())
def test_training_sets_grow_by_whole_groups_and_each_group_is_tested_once_a_size(sizes: Any, data: Any) -> None:
    groups = np.repeat(np.arange(len(sizes)), sizes)
    groups = groups[data.draw(st.permutations(range(groups.size)))]
    n, number = groups.size, len(sizes)
    k = data.draw(st.integers(2, number))
    left = number - -(-number // k)
    trained = tuple(sorted(data.draw(st.sets(st.integers(1, left), min_size=1, max_size=4))))
    scheme = NestedSubsetFolds(trained, k, data.draw(st.integers(1, 3)))
    of_groups = None if n == number else groups  # groups of one are cases
    problem = prepare("majority", np.arange(n)[:, None] * 1.5, np.arange(n) % 2, groups=of_groups)
    made = draw(problem, [scheme], Streams(3))[scheme][0]
    counts = made.training_counts()
    assert made.n_rows == scheme.fits(number)
    assert counts.max() == 1
    for r, row in enumerate(rows_of(made)):
        inside, tested = {*groups[row.trained]}, {*groups[row.tested]}
        assert len(inside) == trained[r % len(trained)]
        assert not inside & tested
        assert [np.isin(groups, [*of]).sum() for of in (inside, tested)] == [row.trained.size, row.tested.size]
    for at in range(len(trained)):
        cases = made.cases[made.row_of_test() % len(trained) == at]
        assert np.bincount(cases, minlength=n).tolist() == [scheme.repeats] * n
    for first in range(0, made.n_rows, len(trained)):
        assert (np.diff(counts[first : first + len(trained)], axis=0) >= 0).all()


@pytest.mark.parametrize("loss", ["error", "balanced", COSTS])
@pytest.mark.parametrize("groups", [GROUPS, None])
def test_points_equal_those_of_a_plain_loop(loss: Any, groups: Any) -> None:
    scheme = NestedSubsetFolds((3, 7, 12), 4, 5)
    options: dict[str, Any] = {"train_sizes": [3, 7, 12], "folds": 4, "repeats": 5, "at": [40], "rng": 2}
    made = learning_curve(RAW_3NN, X_48, Y_48, groups=groups, scoring=loss, **options)
    unit = np.arange(48) if groups is None else groups
    number = unit.max() + 1
    problem = prepare(RAW_3NN, X_48, Y_48, groups=groups)
    streams = Streams.from_generator(np.random.default_rng(2))
    resamples = draw(problem, [scheme], streams)[scheme][0]
    yes, sample = Y_48 == "yes", problem.learner.sample
    right = {"error": (1, 1), "balanced": (24 / yes.sum(), 24 / (~yes).sum())}
    fn, fp = right[loss] if isinstance(loss, str) else (5, 1)
    total = np.zeros((number, 3))
    for r, row in enumerate(rows_of(resamples)):
        output = KNN(3).fit(sample.take(row.trained)).predict(sample.X[row.tested])
        for case, label in zip(row.tested.tolist(), output.tolist(), strict=True):
            cost = 0.0 if label == sample.y[case] else fn if yes[case] else fp
            total[unit[case], r % 3] += cost / 5
    size = np.bincount(unit)
    mean = total.sum(axis=0) / 48
    excess = (total - size[:, None] * mean) * number / 48
    covariance = 2 * excess.T @ excess / (number - 1) / number
    worst = (fn * yes.sum() + fp * (~yes).sum()) / 48
    assert made.max_loss == pytest.approx(worst)
    np.testing.assert_allclose(made.to_frame()["value"], mean, rtol=0, atol=1e-12)
    np.testing.assert_allclose(made.points.covariance * worst**2, covariance, rtol=0, atol=1e-12)
    np.testing.assert_allclose(made.to_frame()["se"], np.sqrt(np.diag(covariance)), rtol=0, atol=1e-12)


def test_a_loss_in_another_unit_is_the_same_curve_in_that_unit() -> None:
    options: dict[str, Any] = {"train_sizes": [6, 20, 40], "repeats": 3, "at": [100], "rng": 1}
    one, fourfold, errors = (
        learning_curve(RAW_1NN, X_48, Y_48, scoring=loss, **options)
        for loss in ({"fn": 1, "fp": 1}, {"fn": 4, "fp": 4}, "error")
    )
    for name in ("value", "low", "high", "se"):
        assert (4 * one.to_frame()[name]).tolist() == pytest.approx(fourfold.to_frame()[name].tolist())
        assert errors.to_frame()[name].tolist() == pytest.approx(one.to_frame()[name].tolist())
    assert fourfold.expected[0].high == pytest.approx(4 * errors.expected[0].high)
    assert fourfold.baseline.value == pytest.approx(4 * errors.baseline.value)
    assert fourfold.cases_for(0.8) == errors.cases_for(0.2)
    costly = learning_curve(RAW_1NN, X_48, Y_48, scoring=COSTS, **options)
    assert costly.max_loss == pytest.approx((5 * (Y_48 == "yes").sum() + (Y_48 == "no").sum()) / 48)
    mean = costly.to_frame()["value"].to_numpy()
    assert (mean > errors.to_frame()["value"]).all()
    assert (costly.to_frame()["high"] <= costly.max_loss).all()


@pytest.mark.parametrize(
    ("model", "d", "ids"),
    [
        ("linear-discriminant", 22, ["E503"]),
        ("linear-discriminant", 21, []),
        (make_pipeline(StandardScaler(), LogisticRegression()), 22, ["E503"]),
        ("knn", 22, []),
    ],
)
def test_a_linear_classifier_of_many_attributes_may_peak_beyond_the_curve(model: Any, d: int, ids: list[str]) -> None:
    X = np.random.default_rng(3).normal(size=(48, d)) + 3 * (Y_48 == "yes")[:, None]
    curve = learning_curve(model, X, Y_48, repeats=1, rng=1)
    assert curve.points.sizes[-1] == 43
    assert [w.id for w in curve.warnings if w.id != "E110"] == ids
    assert "as a power law" in str(curve)


def test_a_curve_of_groups_and_costs_counts_groups_and_warns_far_beyond_them() -> None:
    curve = learning_curve(RAW_1NN, X_48, Y_48, groups=GROUPS, scoring=COSTS, repeats=3, at=[400], rng=1)
    assert (curve.unit, curve.n, curve.n_groups, curve.expected[0].size) == ("groups", 48, 16, 400)
    assert [w.id for w in curve.warnings] == ["E502"]
    assert_refused("of groups or of losses", curve.test_cases, 0.1)
    assert_refused("expected a number between 0 and", curve.cases_for, 6.0)


def test_fractions_of_what_the_folds_leave_are_training_sizes() -> None:
    options: dict[str, Any] = {"repeats": 1, "rng": 1}
    fractions = learning_curve(RAW_1NN, X, Y, train_sizes=[0.25, 0.5, 1.0], **options)
    whole = learning_curve(RAW_1NN, X, Y, train_sizes=[9, 18, 36], **options)
    assert fractions.points.sizes.tolist() == [9, 18, 36]
    assert fractions.points.errors.tolist() == whole.points.errors.tolist()
    for wrong in ([0.0, 0.5], [0.5, 1.5], [0.1, 2]):
        assert_refused("train_sizes = .*; expected an integer >= 1", learning_curve, "knn", X, Y, train_sizes=wrong)


@pytest.mark.parametrize("scoring", ["auc", "brier", "accuracy", "mcc"])
def test_a_curve_of_a_score_is_refused(scoring: str) -> None:
    assert_refused("power laws are fitted to mean losses", learning_curve, "knn", X, Y, scoring=scoring)
