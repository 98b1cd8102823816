"""What a run costs: memory before it is taken, a run time without long waits, and times in words."""

import time
from typing import Any

import numpy as np
import pytest

from batteries import Scripted, assert_refused
from errorest import choose, compare, estimate, learning_curve, permutation_test
from errorest.assessment.defaults import bytes_of
from errorest.assessment.problem import prepare
from errorest.assessment.report.formatting import duration
from errorest.learners import KNN
from errorest.resampling import multisets
from errorest.resampling.schemes import Bootstrap, KFold

Y = np.arange(40) % 2
X = np.random.default_rng(0).normal(size=(40, 2)) + Y[:, None]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0123, "0.012 s"), (9.94, "9.9 s"), (9.97, "10 s"), (119.6, "120 s"), (123.4, "2 min"), (9000, "2 h")],
)
def test_a_time_is_written_without_an_exponent(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def units(n: int, groups: Any = None) -> Any:
    """A problem of so many cases of two classes."""
    return prepare("majority", np.zeros((n, 1)), np.arange(n) % 2, groups=groups)


def test_a_default_of_many_cases_makes_few_classifiers() -> None:
    n = 100_000
    result = estimate("majority", np.zeros((n, 1)), np.arange(n) % 3 == 0, rng=1)
    assert result.n_fits == 10


def test_memory_grows_with_cases_and_resamples() -> None:
    whole = bytes_of([Bootstrap(2001)], 20_000, 20_000)
    assert whole == pytest.approx(674 * 2**20, rel=0.3)  # as it was measured
    assert bytes_of([KFold(10)], 20_000, 20_000) < whole / 100


def test_what_memory_does_not_hold_is_refused() -> None:
    options: dict[str, Any] = {"method": "632+(replicates=100)", "rng": 1}
    assert_refused("MiB of memory; expected at most", estimate, "majority", X, Y, max_bytes=1000, **options)
    many = {"method": "holdout(test=1/4, repeats=9000000)", "rng": 1}
    assert_refused("GiB of memory; expected at most", compare, "majority", "knn", X, Y, **many)


def test_an_allowance_of_memory_is_checked_and_kept() -> None:
    many: dict[str, Any] = {"method": "holdout(test=1/4, repeats=50)", "rng": 1}
    estimate("majority", X, Y, max_bytes=40 * 50 * 18, **many)
    assert_refused(
        "of 40 cases takes about 0.0343 MiB of memory; expected at most 0.000954 MiB",
        estimate,
        "majority",
        X,
        Y,
        max_bytes=1000,
        **many,
    )
    assert_refused("max_bytes = 0", estimate, "majority", X, Y, max_bytes=0)


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
    monkeypatch.setattr(multisets, "_LARGE", 200 * 40)
    learn = KNN.predict_resamples

    def slow(model: Any, sample: Any, resamples: Any, *more: Any) -> Any:
        clock[0] += 2.0 * resamples.n_rows
        return learn(model, sample, resamples, *more)

    monkeypatch.setattr(KNN, "predict_resamples", slow)
    plain = estimate("knn", X, Y, rng=1)
    assert capsys.readouterr().err.startswith("this takes about 6 min")
    monkeypatch.setattr(multisets, "_LARGE", 10**9)
    assert estimate("knn", X, Y, rng=1).value == plain.value
    assert capsys.readouterr().err == ""
