"""Estimators of bootstrapped and cloned samples: equal to plain loops, shared, counted, and independent."""

import pickle
from dataclasses import dataclass, field
from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import cross_validate
from sklearn.neighbors import KNeighborsClassifier

from batteries import assert_refused, check_estimator, normal_sample, two_classes
from compendium.methods import run as runs
from compendium.methods.clones import errors as cloned
from compendium.methods.clones.cloner import Cloner, leave_one_out_stacks
from compendium.methods.clones.cloning import CloneCases, CloneFolds, CloneLeftOut, CloneScheme, Cloning
from compendium.methods.estimators import ESTIMATORS, LooStar, NaiveBootstrap, parse_estimator
from compendium.methods.learners.svm import SVM
from compendium.methods.run import estimate_many, run_inducers
from compendium.methods.schemes import BootstrapFolds, BootstrapTwice, OfBootstrap
from compendium.methods.stacks import fold_labels
from errorest import estimate as library_estimate
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation import estimators as library
from errorest.estimation.estimators import point_632_plus
from errorest.estimation.metrics import parse_metric
from errorest.estimation.metrics.metric import ERROR_RATE, BoundMetric
from errorest.estimation.run import draw_schemes
from errorest.learners import KNN, LinearDiscriminant, Majority, predict_by_loop
from errorest.learners.base import ConstantClassifier
from errorest.resampling.schemes import Bootstrap, LeaveOneOutBootstrap
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


def estimate(sample: Sample, inducer, estimators, streams: Streams) -> dict[str, float]:
    return estimate_many(sample, {"": inducer}, estimators, streams)[""]


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
        monkeypatch.setattr(runs, "_BLOCK_BYTES", block_bytes)
        made = run_inducers(sample, {"": inducer}, [scheme], Streams(18))[""][scheme]
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
    made = {NaiveBootstrap(50, cloned=c).id for c in forms}
    assert made == {"bs(replicates=50, cloned=True, bounds=0:/:2.5)"}
    assert NaiveBootstrap(50, cloned=Cloning()) == NaiveBootstrap(50, cloned=True)
    third = Cloning(bounds=[(1 / 3, 1e300)])
    assert Cloning(bounds=Cloning.value_of("bounds", third.written("bounds"))) == third


def test_clones_are_not_sampled_as_resamples():
    assert_refused("draws clones, which are no resamples", draw_schemes, normal_sample(N), [CloneCases(3)], Streams(0))


# Schemes


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 20), st.data(), st.integers(1, 4), st.integers(0, 2**32))
def test_folds_of_a_bootstrap_sample_test_a_case_as_often_as_it_was_sampled(n, data, replicates, seed):
    k = data.draw(st.integers(2, n))
    folds = BootstrapFolds(replicates, k).resamples(n, np.random.default_rng(seed))
    train, test = folds.training_counts(), folds.test_counts()
    whole = train + test
    np.testing.assert_array_equal(whole.sum(axis=1), n)
    for m in range(replicates):
        own = folds.replicate == m
        assert (whole[own] == whole[own][0]).all()  # every fold splits the same bootstrap sample
        np.testing.assert_array_equal(test[own].sum(axis=0), whole[own][0])
        assert set(test[own].sum(axis=1)) <= {n // k, ceil(n / k)}
    assert folds.n_rows == k * replicates


@pytest.mark.parametrize("made", [*OfBootstrap.__subclasses__(), *CloneScheme.__subclasses__()], ids=lambda s: s.name)
def test_schemes_are_kept_by_their_settings(made):
    scheme = made(6)
    again = pickle.loads(pickle.dumps(scheme))
    assert {scheme: 1}[again] == 1
    assert made(5) != scheme


def test_schemes_serve_scikit_learn_and_refuse_too_many_folds():
    X, y = np.random.default_rng(0).normal(size=(12, 2)), np.arange(12) % 2
    splitter = BootstrapFolds(3, 2, random_state=1)
    scores = cross_validate(KNeighborsClassifier(1), X, y, cv=splitter)["test_score"]
    result = library_estimate("knn(k=1, standardize=none)", X, y, method=splitter, interval=None, rng=0)
    assert result.value == pytest.approx(1 - scores.mean(), rel=1e-12)
    assert_refused("k = 6", BootstrapFolds(5, 6).resamples, 5, np.random.default_rng(0))


# The others


@pytest.mark.parametrize(
    "text",
    [
        *("loo*", "bs", "bscv", "bsx2", "bscv(k=3, replicates=20)", "e0", "632", "632+"),
        *("bs(replicates=10, cloned=True)", "632+(replicates=10, per=nested, cloned=True)"),
    ],
)
def test_every_estimator_passes(text):
    def run(sample, inducer, schemes, streams):
        return run_inducers(sample, {"": inducer}, schemes, streams)[""]

    check_estimator(parse_estimator(text), ESTIMATORS, run)


@pytest.mark.parametrize(
    ("loo", "b632", "cv2", "expected"),
    [
        (0.2, 0.3, 0.1, 0.3),  # leave-one-out below 632b: 632b, though 2-CV* is lowest
        (0.2, 0.3, 0.4, 0.3),
        (0.3, 0.2, 0.1, 0.1),  # 2-CV* below leave-one-out, and that not below 632b: 2-CV*
        (0.3, 0.3, 0.1, 0.1),  # equal to 632b is not below it
        (0.3, 0.2, 0.3, 0.3),  # equal to 2-CV*: leave-one-out, which is the same
        (0.3, 0.2, 0.4, 0.3),
        (0.3, 0.3, 0.4, 0.3),
    ],
)
def test_loo_star_follows_its_three_branches(monkeypatch, loo, b632, cv2, expected):
    for part, value in ((library.LeaveOneOutCV, loo), (library.Bootstrap632, b632), (library.CrossValidation, cv2)):
        monkeypatch.setattr(part, "reduce", lambda *_, value=value: value)
    assert LooStar().reduce(two_classes([0], [0]), {}) == expected


@pytest.mark.parametrize("seed", range(4))
def test_loo_star_is_one_of_its_parts(seed):
    g = np.random.default_rng(seed)
    sample = two_classes(g.normal(size=9), g.integers(0, 2, 9))
    star, *parts = "loo*(replicates=20, repeats=10)", "loo", "632(replicates=20)", "cv(k=2, repeats=10)"
    e = estimate(sample, KNN(1), [star, *parts], Streams(6))
    loo, b632, cv2 = (e[name] for name in parts)
    assert e[star] == (b632 if loo < b632 else min(cv2, loo))


def test_clones_are_measured_by_the_error_alone():
    auc = BoundMetric(parse_metric("auc"), 1, 2)
    refused = "bs(replicates=4, cloned=True)"
    assert_refused("without clones", estimate_many, normal_sample(N), {"": KNN(1)}, [refused], Streams(1), auc)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bs(kernel=gaussian)", "given kernel without cloned=True; expected cloned=True"),
        ("bs(cloned=True, kernel=gauss)", "did you mean 'gaussian'"),
        ("bs(cloned=True, bounds=2:1)", "bounds of attribute 1 are .2.0, 1.0"),
        ("e0(cloned=True)", "clones were asked for with per=replicate; expected per=nested"),
        *((f"{name}(replicates=0)", "at least 1") for name in ("bs", "bscv", "bsx2")),
        ("bscv(k=1)", "at least 2, or n"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(text, words):
    with pytest.raises(UsageError, match=words):
        parse_estimator(text)


def test_the_library_knows_none_of_them():
    assert set(ESTIMATORS) - set(library.ESTIMATORS) == {"loo*", "bs", "bscv", "bsx2"}
    assert_refused("no setting 'cloned'", library.parse_estimator, "632+(per=nested, cloned=True)")
