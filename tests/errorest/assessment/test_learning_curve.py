"""Learning curves: points against a loop, laws against exact curves, and what a person gets."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import errorest
from errorest import learning_curve
from errorest.assessment.caution import kinds_of
from errorest.assessment.learning import COVERAGE
from errorest.cli.main import main
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation import learning_curves
from errorest.estimation.learning_curves import CurvePoints, PowerLaws, points_of, test_size_for
from errorest.estimation.proportions import wilson_interval
from errorest.estimation.run import run_schemes
from errorest.inducers import Majority
from errorest.resampling.schemes import NestedSubsetFolds
from errorest.streams import Streams

RNG = np.random.default_rng(4)
X = RNG.normal(size=(40, 2))
Y = np.where(X[:, 0] + 0.8 * RNG.normal(size=40) > 0, "yes", "no")
SAMPLE = Sample.from_arrays(X, Y)


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 30), st.data())
def test_every_case_is_tested_once_a_size_and_never_trained_on_there(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(2, n))
    left = n - -(-n // k)
    trained = tuple(sorted(data.draw(st.sets(st.integers(1, left), min_size=1, max_size=4))))
    scheme = NestedSubsetFolds(trained, k, data.draw(st.integers(1, 3)))
    made = scheme.resamples(n, np.random.default_rng(data.draw(st.integers(0, 99))))
    counts = made.training_counts()
    assert made.n_rows == scheme.fits(n)
    assert counts.sum(axis=1).tolist() == list(trained) * (k * scheme.repeats)
    assert counts.max() == 1
    row = made.row_of_test()
    assert not counts[row, made.cases].any()
    for at in range(len(trained)):
        tested = made.cases[row % len(trained) == at]
        assert np.bincount(tested, minlength=n).tolist() == [scheme.repeats] * n
    for first in range(0, made.n_rows, len(trained)):
        assert (np.diff(counts[first : first + len(trained)], axis=0) >= 0).all()


def test_points_by_hand() -> None:
    """Four cases of one class and two of the other, in folds of one: the majority of all others errs on the two."""
    sample = Sample.from_arrays(np.arange(6.0), ["a"] * 4 + ["b"] * 2)
    scheme = NestedSubsetFolds((5,), 6, 1)
    points = points_of(run_schemes(sample, Majority(), [scheme], Streams(0))[scheme], scheme)
    assert points.errors.tolist() == [2 / 6]
    assert points.covariance[0, 0] == pytest.approx(2 * (2 * (4 / 6) ** 2 + 4 * (2 / 6) ** 2) / 5 / 6)


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


def test_limits_widen_with_the_distance_and_narrow_with_the_cases() -> None:
    curve = learning_curve("knn", X, Y, at=[], rng=0)
    near, far = curve.at(40), curve.at(400)
    assert far.high - far.low > near.high - near.low
    sure = PowerLaws(CurvePoints(4000, curve.points.sizes, curve.points.errors, curve.points.covariance / 100))
    low, high = sure.quantiles(400, [0.025, 0.975])
    assert high - low < far.high - far.low


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
    assert one.points.errors.tolist() == two.points.errors.tolist()
    assert one.expected == two.expected


def test_wanted_errors_and_widths_are_turned_into_cases() -> None:
    curve = learning_curve("knn(k=3)", X, Y, rng=0)
    now = curve.at(40).error
    likely, sure = curve.cases_for(0.9 * now)
    assert likely is not None
    assert curve.at(likely).error <= 0.9 * now < curve.at(likely - 1).error
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


def test_nothing_is_extrapolated_from_a_curve_that_rises_or_has_a_peak(tmp_path: Path) -> None:
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
        assert set(kinds_of(curve.warnings)) == {"E501"}
        assert curve.expected == ()
        assert "nothing is extrapolated" in curve.verdict
        assert curve.to_dict()["law"] is None
        curve.to_html(tmp_path / "page.html")
        for ask in (lambda c: c.at(100), lambda c: c.cases_for(0.2)):
            with pytest.raises(UsageError, match="no power law fits"):
                ask(curve)
    assert "peak" in peaked.warnings[0]


def test_the_coverage_of_extrapolations_is_the_one_that_the_guide_recorded() -> None:
    with (Path(__file__).parents[3] / "data" / "regenerated" / "guide.csv").open(encoding="utf-8") as lines:
        rows = {tuple(row[:5]): float(row[5]) for row in csv.reader(lines) if row[0] == "guide-growing-coverage"}
    head = ("guide-growing-coverage", "literal", "published")
    for n, (mean, worst) in COVERAGE.items():
        assert round(rows[*head, f"expected/{n}-cases", "twice-the-cases"], 1) == mean
        assert rows[*head, f"worst/expected/{n}-cases", "twice-the-cases"] == worst
    curve = learning_curve("knn(k=1, standardize=none)", X, Y, folds=4, repeats=2, rng=0)
    assert "85 % of samples of 25 cases (worst combination 25 %)" in curve.measured
    assert "was not measured" in replace(curve, unit="groups").measured
    assert "40 cases are outside" not in curve.measured
    assert "500 cases are outside" in replace(curve, n=500).measured


def test_far_extrapolations_are_warned_of_and_named_medians() -> None:
    far = learning_curve("knn", X, Y, at=[500], rng=0)
    assert kinds_of(far.warnings) == ["E502"]
    assert "(median; limits" in far.verdict


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
        ({"repeats": 10**9}, "do not fit into memory"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        learning_curve("knn", X, Y, rng=0, **options)


def test_nine_cases_and_wrong_proportions_are_refused() -> None:
    with pytest.raises(UsageError, match="expected at least 10"):
        learning_curve("knn", X[:9], Y[:9])
    for width, error in ((0.0, 0.1), (1.0, 0.1), (0.1, -0.1), (0.1, 1.1)):
        with pytest.raises(UsageError, match="expected a proportion"):
            test_size_for(width, error)
    with pytest.raises(UsageError, match="error = 2"):
        learning_curve("knn", X, Y, rng=0).cases_for(2)


def test_the_command_of_test_cases_counts_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test-cases", "--width", "0.1", "--error", "0.12"]) == 0
    assert "164 test cases" in capsys.readouterr().out
    assert main(["test-cases", "--width", "2"]) == 2


def halved_plainly(excess: Any, low: float, high: float, **_: Any) -> float:
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return (low + high) / 2


@pytest.mark.parametrize("drift", [0.0, 0.25])
@pytest.mark.parametrize("cases", [3, 40, 400, 10**7])
def test_a_quantile_is_that_of_plain_halving(drift: float, cases: int, monkeypatch: Any) -> None:
    rng = np.random.default_rng(cases)
    levels = (1e-9, 0.0005, 0.025, 0.5, 0.975, 0.9995)
    for _ in range(8):
        sizes = np.array([5, 10, 20, 40])
        errors = np.clip(rng.uniform(0, 0.3) + sizes ** -rng.uniform(0.1, 1.5) + rng.normal(0, 0.02, 4), 0, 1)
        spread = rng.normal(size=(4, 4)) * rng.choice([0.001, 0.05])
        laws = PowerLaws(CurvePoints(60, sizes, errors, spread @ spread.T), drift)
        fast = laws.quantiles(cases, levels)
        with monkeypatch.context() as plain:
            plain.setattr(learning_curves, "brentq", halved_plainly)
            assert fast == pytest.approx(laws.quantiles(cases, levels), abs=1.1e-9)
