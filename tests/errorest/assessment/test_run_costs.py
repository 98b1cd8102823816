"""What a run costs: memory before it is taken, a run time without long waits, and times in words."""

import time
from typing import Any

import numpy as np
import pytest

from batteries import Scripted, assert_refused
from errorest import choose, compare, estimate, learning_curve, permutation_test, predict_runtime
from errorest.assessment import cost, memory_use, options
from errorest.assessment.formatting import duration
from errorest.assessment.plan import default_estimator
from errorest.learners import KNN
from errorest.resampling.schemes import Bootstrap, KFold

Y = np.arange(40) % 2
X = np.random.default_rng(0).normal(size=(40, 2)) + Y[:, None]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0123, "0.012 s"), (9.94, "9.9 s"), (9.97, "10 s"), (119.6, "120 s"), (123.4, "2 min"), (9000, "2 h")],
)
def test_a_time_is_written_without_an_exponent(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_a_default_that_takes_more_than_a_gibibyte_is_cross_validation() -> None:
    assert default_estimator(20_000, 20_000).name == "632+"
    assert default_estimator(100_000, 100_000).id == "cv(k=10, stratified=True)"
    # groups are drawn, and cases are held
    assert default_estimator(2_000, 2_000_000).id == "cv(k=10, stratified=True)"
    n = 100_000
    result = estimate("majority", np.zeros((n, 1)), np.arange(n) % 3 == 0, rng=1)
    assert result.n_fits == 10


def test_memory_grows_with_cases_and_resamples() -> None:
    whole = memory_use.bytes_of([Bootstrap(2001)], 20_000, 20_000)
    assert whole == pytest.approx(674 * 2**20, rel=0.3)  # as it was measured
    assert memory_use.bytes_of([KFold(10)], 20_000, 20_000) < whole / 100


def test_what_memory_does_not_hold_is_refused_and_what_takes_much_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options: dict[str, Any] = {"method": "632+(replicates=100)", "rng": 1}
    estimate("majority", X, Y, **options)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(memory_use, "HELD", 1000)
    monkeypatch.setattr(memory_use, "physical_memory", lambda: 2**20)
    estimate("majority", X, Y, **options)
    assert "bootstrap(replicates=100) of 40 cases takes about 0.0 GiB" in capsys.readouterr().err
    monkeypatch.setattr(memory_use, "physical_memory", lambda: 0)
    assert_refused("GiB of memory; expected at most", estimate, "majority", X, Y, **options)
    assert_refused("GiB of memory; expected at most", learning_curve, "majority", X, Y, rng=1)
    many = {"method": "holdout(test=1/4, repeats=50)", "rng": 1}
    assert_refused("GiB of memory; expected at most", compare, "majority", "knn", X, Y, **many)


def test_a_forecast_for_many_cases_trains_on_few(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, sizes = [0.0], []

    def fit(model: Any, rows: np.ndarray) -> None:
        sizes.append(len(rows))
        clock[0] += len(rows) / 1000

    def seconds(call: Any) -> float:
        began = clock[0]
        call()
        return clock[0] - began

    monkeypatch.setattr(cost, "_seconds", seconds)
    n = 20_000
    slow = Scripted(lambda model, rows: np.zeros(len(rows), dtype=int), fit)
    found = predict_runtime(slow, np.zeros((n, 1)), np.arange(n) % 2, method="cv(k=10)")
    assert max(sizes) <= 1000
    assert found.n_fits == 10
    assert found.seconds == pytest.approx(10 * 0.9 * n / 1000, rel=0.1)


def slow_fits(monkeypatch: pytest.MonkeyPatch, seconds: float) -> Scripted:
    """Return a classifier whose fits take so long by the clock of this test."""
    clock = [0.0]

    def fit(model: Any, rows: np.ndarray) -> None:
        clock[0] += seconds

    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    return Scripted(lambda model, rows: np.zeros(len(rows), dtype=int), fit)


@pytest.mark.parametrize(("seconds", "told"), [(0.2, False), (0.6, True), (30.0, True)])
def test_a_run_of_more_than_a_minute_is_told_once_by_its_first_fits(
    seconds: float, told: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = slow_fits(monkeypatch, seconds)
    estimate(slow, X, Y, rng=1)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == told
    if told:
        assert lines[0].startswith("this takes about ")
        assert float(lines[0].split()[3]) == pytest.approx(200 * seconds / (60 if seconds > 0.6 else 1), rel=0.05)


def test_every_function_tells_of_a_long_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = slow_fits(monkeypatch, 2.0)
    calls: list[tuple[str, Any]] = [
        ("n_permutations=99", lambda: permutation_test(slow, X, Y, n_permutations=30, rng=1)),
        ("repeats=5", lambda: learning_curve(slow, X, Y, repeats=2, rng=1)),
        ("method=5", lambda: compare(slow, "majority", X, Y, rng=1)),
        ("method=5", lambda: choose([slow, "majority"], X, Y, method=20, rng=1)),
    ]
    for cheaper, call in calls:
        call()
        (line,) = capsys.readouterr().err.splitlines()
        assert cheaper in line
    estimate(slow, X, Y, rng=1, progress=True)
    assert "take about" not in capsys.readouterr().err


def test_a_long_compiled_run_is_told_by_a_few_of_its_fits(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(options, "_MANY", 200 * 40)
    learn = KNN.predict_resamples

    def slow(model: Any, sample: Any, resamples: Any, *more: Any) -> Any:
        clock[0] += 2.0 * resamples.n_rows
        return learn(model, sample, resamples, *more)

    monkeypatch.setattr(KNN, "predict_resamples", slow)
    plain = estimate("knn", X, Y, rng=1)
    assert capsys.readouterr().err.startswith("this takes about 7 min")
    monkeypatch.setattr(options, "_MANY", 10**9)
    assert estimate("knn", X, Y, rng=1).estimate == plain.estimate
    assert capsys.readouterr().err == ""
