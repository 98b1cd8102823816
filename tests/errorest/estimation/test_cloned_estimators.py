"""Estimators of bootstrapped and cloned samples: equal to plain loops, shared, counted, and independent."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from batteries import assert_refused, normal_sample
from errorest.data.sample import Sample, fold_labels
from errorest.estimation import clone_errors as cloned
from errorest.estimation import estimate, estimate_many, parse_estimator
from errorest.estimation import estimators as E
from errorest.estimation import run as schemes
from errorest.estimation.estimators import point_632_plus
from errorest.estimation.metrics.metric import ERROR_RATE
from errorest.estimation.run import draw_schemes, predict_schemes
from errorest.learners import KNN, SVM, LinearDiscriminant, Majority, predict_by_loop
from errorest.learners.base import ConstantClassifier
from errorest.resampling.clones import (
    CloneCases,
    CloneFolds,
    CloneLeftOut,
    Cloner,
    Cloning,
    leave_one_out_stacks,
)
from errorest.resampling.schemes import (
    Bootstrap,
    BootstrapFolds,
    BootstrapTwice,
    LeaveOneOutBootstrap,
)
from errorest.streams import Streams

N, B = 7, 4
BOTH = ["", ", cloned=True"]


def ids(cloned: str = "", replicates: int = B) -> list[str]:
    """List every estimator of the paper that draws samples, plain or cloned."""
    r = f"replicates={replicates}"
    return [
        f"bs({r}{cloned})",
        *(f"bscv(k={k}, {r}, weights=folds{cloned})" for k in ("n", 4, 3)),
        f"bscv(k=4, {r}{cloned})",
        f"e0({r}, per=nested{cloned})",
        f"632({r}, per=nested{cloned})",
        f"632+({r}, per=nested{cloned})",
        f"632+({r}, per=nested, variant=zero-outside{cloned})",
    ]


ALL = [
    "resubstitution",
    "loo",
    "cv(k=n)",
    "cv(k=n, repeats=3)",
    "cv(k=4, weights=folds)",
    "cv(k=4, repeats=2, weights=folds)",
    *ids(),
    f"bsx2(replicates={B})",
    *ids(", cloned=True"),
    f"bs(replicates={B}, cloned=True, per_class=False, kernel=gaussian, stages=1, bounds=-9:9/:9.25)",
    f"bscv(k=3, replicates={B}, cloned=True, bounds=sample)",
]


# Each estimator beside a plain loop


def wrong(inducer, sample: Sample, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    return inducer.fit(sample).predict(X) != y


def folds_wrong(inducer, sample: Sample, folds: np.ndarray) -> list[float]:
    """Error rate of each fold of a sample."""
    rates = []
    for fold in np.unique(folds):
        training, tested = sample.take(np.flatnonzero(folds != fold)), sample.take(np.flatnonzero(folds == fold))
        rates.append(wrong(inducer, training, tested.X, tested.y).mean())
    return rates


def samples_and_folds(sample: Sample, streams: Streams, k: int, cloned: bool):
    """Return the samples that bs and bscv share, and the folds of bscv."""
    n = sample.n
    if cloned:
        scheme = CloneCases(B)
        stack = Cloner(sample).stack(B, n, streams.generator(scheme.key))
        samples = [stack.sample(s) for s in range(B)]
        own = CloneFolds(B, k=k)
        folds = fold_labels(B, n, k, streams.generator(own.key))
        return samples, folds
    draws = streams.generator(Bootstrap(B).key).integers(0, n, (B, n), dtype=np.int32)
    own = BootstrapFolds(B, k)
    folds = draw_schemes(sample, [own], streams)[own].compact.labels
    # compiled inducers take the cases of a training set in their order in the sample, which decides ties
    order = np.argsort(draws, axis=1, kind="stable")
    samples = [sample.take(d[o]) for d, o in zip(draws, order, strict=True)]
    folds = np.take_along_axis(folds, order, axis=1)
    return samples, folds


def nested_by_hand(sample: Sample, inducer, streams: Streams, cloned: bool) -> float:
    """Equation (8): for each case, samples of size n of the others."""
    n = sample.n
    if cloned:
        rng = streams.generator(CloneLeftOut(B).key)
        tested = [
            wrong(inducer, stack.sample(b), sample.X[i : i + 1], sample.y[i])
            for i, stack in leave_one_out_stacks(Cloner(sample), B, n, rng)
            for b in range(B)
        ]
    else:
        rng = streams.generator(LeaveOneOutBootstrap(B).key)
        draws = rng.integers(0, n - 1, size=(B, n, n), dtype=np.int32)
        tested = [
            wrong(inducer, sample.take(np.delete(np.arange(n), i)[np.sort(d[i])]), sample.X[i : i + 1], sample.y[i])
            for d in draws
            for i in range(n)
        ]
    assert len(tested) == n * B
    return float(np.mean(tested))


@pytest.mark.parametrize("inducer", [KNN(1), KNN(3), Majority()], ids=lambda i: i.id)
@pytest.mark.parametrize("cloned", BOTH)
@pytest.mark.parametrize("k", [3, 4, "n"])
def test_estimators_of_bootstrap_samples_and_of_clones_equal_plain_loops(inducer, cloned, k):
    sample, streams = normal_sample(N), Streams(3)
    # n folds leave out each position once, whatever their order
    samples, folds = samples_and_folds(sample, streams, N if k == "n" else k, bool(cloned))
    by_fold = [folds_wrong(inducer, s, f) for s, f in zip(samples, folds, strict=True)]
    sizes = [np.bincount(f) for f in folds]
    own, err1 = inducer.fit(sample).predict(sample.X), nested_by_hand(sample, inducer, streams, bool(cloned))
    apparent, gamma = float((own != sample.y).mean()), ERROR_RATE.no_information(sample.y, own, 2)
    nested = f"replicates={B}, per=nested"
    expected = {
        f"bs(replicates={B}{cloned})": np.mean([wrong(inducer, s, sample.X, sample.y) for s in samples]),
        f"bscv(k={k}, replicates={B}, weights=folds{cloned})": np.mean(by_fold),
        f"bscv(k={k}, replicates={B}{cloned})": np.mean(
            [np.average(r, weights=w) for r, w in zip(by_fold, sizes, strict=True)]
        ),
        f"e0({nested}{cloned})": err1,
        f"632({nested}{cloned})": 0.368 * apparent + 0.632 * err1,
        f"632+({nested}{cloned})": point_632_plus(apparent, err1, gamma),
        f"632+({nested}, variant=zero-outside{cloned})": point_632_plus(apparent, err1, gamma, "zero-outside"),
    }
    if not cloned:
        draws = streams.generator(Bootstrap(B).key).integers(0, N, (B, N), dtype=np.int32)
        again = streams.generator(BootstrapTwice(B).key).integers(0, N, size=(B, N))
        second = [sample.take(np.sort(d[a])) for d, a in zip(draws, again, strict=True)]
        expected[f"bsx2(replicates={B})"] = np.mean([wrong(inducer, s, sample.X, sample.y) for s in second])
    assert estimate(sample, inducer, expected, streams) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("inducer", [KNN(1), KNN(5), LinearDiscriminant(), SVM()], ids=lambda i: i.id)
@pytest.mark.parametrize("k", ["n", 4, 2])
def test_stacked_methods_label_the_folds_of_bootstrap_samples_as_rows_of_resamples_do(monkeypatch, inducer, k):
    # whole numbers: many cases are equally near, and their order decides
    sample = Sample.from_arrays(np.random.default_rng(1).integers(0, 4, (12, 2)), np.arange(12) % 3)
    scheme = BootstrapFolds(20, k)
    sampled = draw_schemes(sample, [scheme], Streams(18))
    expected = inducer.predict_resamples(sample, sampled[scheme])
    for block_bytes in (1 << 26, 1000):
        monkeypatch.setattr(schemes, "_BLOCK_BYTES", block_bytes)
        made = predict_schemes(sample, inducer, sampled, Streams(18))[scheme]
        np.testing.assert_array_equal(made.predictions, expected)


# What is shared


def test_settings_of_cloning_reach_the_cloner():
    sample = normal_sample(N)
    name = f"bs(replicates={B}, cloned=True, per_class=False, kernel=gaussian, stages=1, bounds=-9:9/:9.25)"
    bounds = np.array([[-9, 9], [-np.inf, 9.25]])
    cloner = Cloner(sample, per_class=False, kernel="gaussian", stages=1, bounds=bounds)
    stack = cloner.stack(B, sample.n, Streams(10).generator(parse_estimator(name).schemes[0].key))
    expected = np.mean([wrong(KNN(1), stack.sample(b), sample.X, sample.y) for b in range(B)])
    assert estimate(sample, KNN(1), [name], Streams(10))[name] == pytest.approx(expected, abs=1e-14)


# Independence


@dataclass(frozen=True)
class Coin:
    """An inducer that draws a class at random, without batch faces, and lists the sizes that it was fitted to."""

    made: list[int] = field(default_factory=list)
    random = True

    @property
    def id(self) -> str:
        return "coin"

    def fit(self, sample: Sample, rng=None) -> ConstantClassifier:
        assert rng is not None
        self.made.append(sample.n)
        return ConstantClassifier(int(rng.integers(2)))

    def predict_resamples(self, sample, resamples, rng=None) -> np.ndarray:
        return predict_by_loop(self, sample, resamples, rng)


def test_many_inducers_and_estimators_get_the_numbers_that_each_gets_alone():
    inducers = {"1-nn": KNN(1), "majority": Majority(), "coin": Coin()}
    many = estimate_many(normal_sample(N), inducers, ALL, Streams(12))
    assert list(many) == list(inducers)
    assert estimate_many(normal_sample(N), inducers, ALL[::-1], Streams(12)) == many
    for name, inducer in inducers.items():
        assert list(many[name]) == ALL
        for one in ALL:
            assert estimate(normal_sample(N), inducer, [one], Streams(12)) == {one: many[name][one]}


def test_clones_that_come_in_small_blocks_are_the_same_clones(monkeypatch):
    whole = estimate(normal_sample(N), KNN(1), ids(", cloned=True"), Streams(13))
    monkeypatch.setattr(cloned, "_BLOCK_BYTES", 500)
    assert estimate(normal_sample(N), KNN(1), ids(", cloned=True"), Streams(13)) == whole


# Fits


@pytest.mark.parametrize(
    "names",
    [*([name] for name in (*ALL, "e0(replicates=6)", "holdout(test=1/3, repeats=4)", "632(replicates=6)")), ALL],
)
def test_fits_are_the_classifiers_that_are_made_and_what_is_shared_is_counted_once(names):
    inducer = Coin()
    estimate(normal_sample(N), inducer, names, Streams(16))
    estimators = [parse_estimator(name) for name in names]
    assert sum(s.fits(N) for s in {s for e in estimators for s in e.schemes}) == len(inducer.made)
    assert (len(inducer.made) < sum(e.fits(N) for e in estimators)) == (len(names) > 1)


# Ids


def test_settings_of_cloning_have_one_id_however_they_are_given():
    forms = [Cloning(bounds=[(0, np.inf), (None, 2.5)]), Cloning(bounds=np.array([[0, np.inf], [-np.inf, 2.5]]))]
    made = {E.NaiveBootstrap(50, cloned=c).id for c in forms}
    assert made == {"bs(replicates=50, cloned=True, bounds=0:/:2.5)"}
    assert E.NaiveBootstrap(50, cloned=Cloning()) == E.NaiveBootstrap(50, cloned=True)
    third = Cloning(bounds=[(1 / 3, 1e300)])
    assert Cloning(bounds=Cloning.value_of("bounds", third.written("bounds"))) == third


def test_clones_are_not_sampled_as_resamples():
    assert_refused("draws clones, which are no resamples", draw_schemes, normal_sample(N), [CloneCases(3)], Streams(0))
