"""What tests share: samples, rows of resamples, refusals, and what every estimator and interval must keep to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import isnan
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from compendium.methods.clones.cloning import CloneScheme
from compendium.methods.conformance import hard_samples
from errorest.data.sample import Attribute, Sample
from errorest.data.sets import load
from errorest.errors import UsageError
from errorest.estimation.estimators import ESTIMATORS, Estimator
from errorest.estimation.intervals import INTERVALS, IntervalMethod, IntervalResult, interval
from errorest.estimation.intervals.method import Measured
from errorest.estimation.outcomes import RowErrors
from errorest.estimation.run import run_schemes
from errorest.learners import KNN, Inducer, LinearDiscriminant, Majority
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Bootstrap, KFold, LeaveOneOut
from errorest.spec import Family
from errorest.streams import Streams

Run = Callable[[Sample, Inducer, Sequence[Scheme], Streams], Mapping[Scheme, RowErrors]]
INDUCERS = (Majority(), KNN(1), LinearDiscriminant())
OTHERS = (LeaveOneOut(), KFold(3), Bootstrap(7))
RAW_1NN, RAW_3NN = "knn(k=1, standardize=none)", "knn(k=3, standardize=none)"
SAMPLES = ("numbers", "repeated cases", "three classes", "one class")


def normal_sample(n: int, d: int = 2, classes: int = 2, seed: int = 0, apart: float = 1.0) -> Sample:
    """Make normal attributes that shift with the class; classes come in turn."""
    y = np.arange(n) % classes
    X = np.random.default_rng(seed).normal(size=(n, d)) + apart * y[:, None]
    return Sample.from_arrays(X, y, classes=list("abcdef"[:classes]))


def random_sample(n: int, d: int, classes: int, seed: int = 0, grid: bool = False) -> Sample:
    """Make normal values, or tenths of a small grid with many ties and equal cases; classes may have no case."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.integers(0, 5, (n, d)) / 10 if grid else rng.normal(size=(n, d)) + y[:, None]
    return Sample.from_arrays(X, y, classes=[f"c{i}" for i in range(classes)])


def grid_sample(seed: int, n: int, d: int, classes: int) -> Sample:
    """Make whole numbers from a small grid: many equal distances, many equal cases, of equal and other classes."""
    sample = random_sample(n, d, classes, seed, grid=True)
    return Sample.from_arrays(np.round(10 * sample.X), sample.y, classes=sample.classes)


def mixed_sample(rng: np.random.Generator, n: int, missing: float = 0.15) -> Sample:
    """Make numbers with ties, a real number, nominal attributes, some missing; labels depend on some of them."""
    X = np.column_stack(
        [rng.integers(0, 6, n), rng.normal(size=n), rng.integers(0, 3, n), rng.integers(0, 2, n), rng.integers(0, 8, n)]
    ).astype(float)
    score = X[:, 0] / 3 + X[:, 1] + (X[:, 2] == 1) + rng.normal(scale=0.7, size=n)
    y = np.digitize(score, [0.8, 2.0])
    X[rng.random(X.shape) < missing] = np.nan
    kinds = (
        Attribute("steps", "integer"),
        Attribute("real"),
        Attribute("three", "nominal", ("a", "b", "c")),
        Attribute("two", "nominal", ("a", "b")),
        Attribute("rare", "nominal", tuple("abcdefghijkl")),
    )
    return Sample.from_arrays(X, y, attributes=kinds, classes=("low", "middle", "high"))


def part_of(name: str, n: int, seed: int = 3) -> Sample:
    """Draw cases of one of the project's sets without replacement."""
    sample = load(name)
    return sample.take(np.random.default_rng(seed).permutation(sample.n)[:n])


def two_classes(x: Any, y: Any) -> Sample:
    """Make a sample of the classes 0 and 1, of which one may have no case."""
    return Sample.from_arrays(x, y, classes=["0", "1"])


class Row(NamedTuple):
    """One training set of resamples: its cases, repeats kept, in the order of the sample, and the cases tested."""

    trained: np.ndarray
    tested: np.ndarray
    at: slice  # where the tested cases stand among those of all rows
    replicate: int


def rows_of(resamples: Resamples) -> Iterator[Row]:
    """Yield the rows of resamples one after another."""
    for r, counts in enumerate(resamples.training_counts()):
        at = slice(resamples.start[r], resamples.start[r + 1])
        yield Row(np.repeat(np.arange(resamples.n), counts), resamples.cases[at], at, int(resamples.replicate[r]))


def assert_refused(words: str | Sequence[str] | None, call: Callable[..., Any], *given: Any, **more: Any) -> None:
    """Check that a call is refused in one line that says what to do instead; words are a pattern or all in it."""
    with pytest.raises(UsageError, match=words if isinstance(words, str) else None) as caught:
        call(*given, **more)
    message = str(caught.value)
    assert "; " in message
    assert "\n" not in message
    assert len(message) < 1000
    assert not [word for word in (words or ()) if not isinstance(words, str) and word not in message], message


class Scripted(ClassifierMixin, BaseEstimator):
    """A classifier that learns the classes alone; functions say what else a fit does, and what is answered."""

    def __init__(self, answer: Any = None, fitting: Any = None, shares: Any = None) -> None:
        self.answer = answer
        self.fitting = fitting
        self.shares = shares

    def fit(self, X: Any, y: Any) -> Scripted:
        self.classes_ = np.unique(y)
        if self.fitting is not None:
            self.fitting(self, X)
        return self

    def __repr__(self) -> str:
        return "Scripted()"  # an address in a test's name would differ from worker to worker

    def predict_proba(self, X: Any) -> np.ndarray:
        return np.asarray(self.shares(np.asarray(X)))

    def predict(self, X: Any) -> np.ndarray:
        if self.answer is None:
            return np.full(len(X), self.classes_[0])
        return np.asarray(self.answer(self, X))


def equal(one: float) -> Any:
    return pytest.approx(one, abs=1e-12, rel=0, nan_ok=True)


def check_settings_and_schemes(made: Any, family: Family[Any]) -> None:
    twin = family.parse(made.id) if family.get(made.name) is type(made) else replace(made)
    assert twin == made
    assert twin.id == made.id
    assert isinstance(made.schemes, tuple)
    assert made.schemes
    assert all(isinstance(scheme, Scheme) for scheme in made.schemes)
    assert made.schemes == made.schemes


def check_estimator(estimator: Estimator, family: Family[Estimator] = ESTIMATORS, run: Run = run_schemes) -> None:
    """Check that an estimate depends on its settings, the sample and the seed alone, and is 0 where nothing errs.

    A family of estimators that draw clones has a way to ``run`` their schemes.
    """
    check_settings_and_schemes(estimator, family)
    for name, sample in hard_samples().items():
        if name in SAMPLES:
            for inducer in INDUCERS:
                check_estimate(estimator, inducer, sample, run)
    apart = np.repeat([-1000.0, 1000.0], 12) + np.random.default_rng(0).normal(size=24)
    assert estimate(estimator, KNN(1), Sample.from_arrays(apart, np.repeat([0, 1], 12)), run=run) == equal(0.0)


def check_estimate(estimator: Estimator, inducer: Inducer, sample: Sample, run: Run) -> None:
    before = sample.digest()
    outcomes = run(sample, inducer, estimator.schemes, Streams(1))
    errors = {scheme: outcome.errors.copy() for scheme, outcome in outcomes.items()}
    result = float(estimator.reduce(sample, outcomes))
    assert 0.0 <= result <= 1.0
    assert float(estimator.reduce(sample, outcomes)) == result
    assert all((outcomes[scheme].errors == counts).all() for scheme, counts in errors.items())
    assert sample.digest() == before
    assert estimate(estimator, inducer, sample, run=run) == result
    assert estimate(estimator, inducer, sample, OTHERS, run) == result
    renamed = replace(sample, classes=tuple(f"{name}, renamed" for name in sample.classes))
    assert estimate(estimator, inducer, renamed, run=run) == result
    if isinstance(inducer, Majority) and not any(draws(scheme, sample) for scheme in estimator.schemes):
        order = np.random.default_rng(4).permutation(sample.n)
        assert estimate(estimator, inducer, sample.take(order), run=run) == equal(result)


def estimate(
    estimator: Estimator, inducer: Inducer, sample: Sample, others: Sequence[Scheme] = (), run: Run = run_schemes
) -> float:
    return float(estimator.reduce(sample, run(sample, inducer, (*others, *estimator.schemes), Streams(1))))


def draws(scheme: Scheme, sample: Sample) -> bool:
    """Tell whether another seed gives other resamples; clones are always drawn."""
    if isinstance(scheme, CloneScheme):
        return True
    one, other = (scheme.draw(sample, Streams(seed)).training_counts() for seed in (1, 2))
    return not np.array_equal(one, other)


def check_interval(method: IntervalMethod) -> None:
    """Check that limits are in order, nested over confidences, of the seed alone, and legal with what is declared."""
    check_settings_and_schemes(method, INTERVALS)
    assert method.target in ("classifier", "procedure")
    assert method.losses in ("0/1", "any")
    assert method.aim.strip()
    with pytest.raises(UsageError, match=f"at least {method.least}"):
        method.check(normal_sample(method.least - 1, seed=5))
    smallest = interval(normal_sample(method.least, seed=5), Majority(), method, Streams(0))
    assert np.isfinite([smallest.low, smallest.high]).all() or smallest.note
    check_no_error(
        interval(Sample.from_arrays(np.arange(30.0), [0] * 30, classes=["a", "b"]), Majority(), method, Streams(0))
    )
    sample = normal_sample(max(36, method.least), seed=5)
    defined = [check_limits(method, inducer, sample) for inducer in INDUCERS]
    assert any(defined)


def check_no_error(result: IntervalResult) -> None:
    """Check that an interval about an error of 0 has width, or says that it has none."""
    assert result.estimate == 0
    assert result.degenerate == (result.width == 0)


def check_limits(method: IntervalMethod, inducer: Inducer, sample: Sample) -> bool:
    """Check the limits for one inducer, and tell whether there are any."""
    before = sample.digest()
    outcomes = run_schemes(sample, inducer, method.schemes, Streams(1))
    results = [method.result(Measured(sample, outcomes, confidence)) for confidence in (0.5, 0.8, 0.95)]
    assert sample.digest() == before
    for one in results:
        assert one.low <= one.high or (isnan(one.low) and isnan(one.high))
    for less, more in pairwise(results):
        assert isnan(less.low) or (more.low <= less.low + 1e-9 and less.high <= more.high + 1e-9)
    own = results[-1]
    # the estimate is that of an estimator, but where it is that of one fold or of bootstrap samples tested on all cases
    if not method.has_own_estimate and method.id not in ("5x2cv", "location-shifted(replicates=200)"):
        assert any(estimate(one, inducer, sample) == equal(own.estimate) for one in method.estimators_sharing)
    if method.symmetric:
        assert (own.low + own.high) / 2 == pytest.approx(own.estimate, abs=1e-9, nan_ok=True)
    assert limits(interval(sample, inducer, method, Streams(1))) == pytest.approx(limits(own), rel=1e-9, nan_ok=True)
    others = run_schemes(sample, inducer, (*OTHERS, *method.schemes), Streams(1))
    assert limits(method.result(Measured(sample, others, 0.95))) == pytest.approx(limits(own), rel=1e-9, nan_ok=True)
    if method.losses == "0/1":
        with pytest.raises(UsageError):
            interval(sample, inducer, method, Streams(1), loss=thrice)
    else:
        scaled = interval(sample, inducer, method, Streams(1), loss=thrice)
        assert limits(scaled) == pytest.approx([3 * limit for limit in limits(own)], rel=1e-9, abs=1e-9, nan_ok=True)
    return not isnan(own.low)


def thrice(true: Any, predicted: Any) -> Any:
    return 3.0 * (true != predicted)


def limits(result: IntervalResult) -> list[float]:
    return [result.estimate, result.low, result.high]


def losses_of(result: Any) -> pd.DataFrame:
    """Return every prediction behind an estimate of a mean of losses, with its loss."""
    made = result.predictions.outcomes(result.metric)
    return result.predictions.to_frame().assign(loss=np.concatenate([o.losses.astype(float) for o in made.values()]))
