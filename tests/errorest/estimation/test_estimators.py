"""Estimators: worked by hand, listed exhaustively for small samples, and independent of one another."""

from fractions import Fraction
from itertools import product
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batteries import two_classes
from errorest.data.sample import Sample
from errorest.estimation import Estimator, estimate
from errorest.estimation import estimators as E
from errorest.estimation.estimators import Variant, point_632_plus
from errorest.estimation.metrics.metric import ERROR_RATE
from errorest.estimation.outcomes import Outcome, RowErrors
from errorest.estimation.run import run_schemes
from errorest.learners import KNN, Majority
from errorest.resampling.multisets import from_training_counts
from errorest.resampling.schemes import Bootstrap, Resubstitution
from errorest.streams import Streams

# .632+


@pytest.mark.parametrize(
    ("variant", "apparent", "err1", "gamma", "expected"),
    [
        # err1 between: .632 part .368*.1 + .632*.3 = .2264; r = .2/.4 = .5;
        # (.3 - .1)*.368*.632*.5/(1 - .184) = .0232576/.816
        ("efron-tibshirani", 0.1, 0.3, 0.5, 0.2264 + 0.0232576 / 0.816),
        # err1 > gamma: e = .5, r = 1, the .632 part from err1 itself: .0368 + .632*.6 = .416;
        # .4*.368*.632/(1 - .368) = .4*.368
        ("efron-tibshirani", 0.1, 0.6, 0.5, 0.416 + 0.1472),
        # err1 = gamma: r = 1, and the whole is err1
        ("efron-tibshirani", 0.1, 0.5, 0.5, 0.5),
        # gamma <= apparent, though err1 is above: r = 0 and e = gamma, so the plain .632
        ("efron-tibshirani", 0.4, 0.45, 0.4, 0.1472 + 0.632 * 0.45),
        ("efron-tibshirani", 0.4, 0.45, 0.3, 0.1472 + 0.632 * 0.45),
        # err1 <= apparent: the plain .632
        ("efron-tibshirani", 0.3, 0.3, 0.5, 0.3),
        ("efron-tibshirani", 0.3, 0.2, 0.5, 0.1104 + 0.1264),
        # nothing wrong anywhere
        ("efron-tibshirani", 0.0, 0.0, 0.5, 0.0),
        # a classifier that memorizes, on labels without information: the rate itself
        ("efron-tibshirani", 0.0, 0.5, 0.5, 0.5),
        # r = .6/.4 = 1.5 > 1: .416 + .4*.368*.632*1.5/(1 - .552)
        ("unbounded-r", 0.1, 0.7, 0.5, 0.0368 + 0.4424 + 0.4 * 0.368 * 0.632 * 1.5 / (1 - 0.368 * 1.5)),
        # beyond the pole at 1/.368 = 2.72 the estimate turns negative: r = .6/.2 = 3
        ("unbounded-r", 0.1, 0.7, 0.3, 0.0368 + 0.4424 + 0.2 * 0.368 * 0.632 * 3 / (1 - 0.368 * 3)),
        # the bounded err1 in the .632 part too: err1 above gamma gives gamma
        ("truncated-632", 0.1, 0.7, 0.5, 0.5),
        ("truncated-632", 0.1, 0.6, 0.5, 0.5),
        # gamma below the apparent error: r = 0, and the .632 of apparent and gamma
        ("truncated-632", 0.4, 0.45, 0.3, 0.368 * 0.4 + 0.632 * 0.3),
        # r = .2/.4 = .5, inside, and 1, at the end of the interval: as everywhere
        ("zero-outside", 0.1, 0.3, 0.5, 0.2264 + 0.0232576 / 0.816),
        ("zero-outside", 0.1, 0.5, 0.5, 0.5),
        # r = .5/.4 > 1 and r = -.1/.2 < 0 become 0: the plain .632 with err1 as it is
        ("zero-outside", 0.1, 0.6, 0.5, 0.0368 + 0.632 * 0.6),
        ("zero-outside", 0.3, 0.2, 0.5, 0.1104 + 0.1264),
        # gamma = apparent: r is undefined, and 0
        ("zero-outside", 0.4, 0.45, 0.4, 0.1472 + 0.632 * 0.45),
        # err1 and gamma below the apparent error: r = -.1/-.2 = .5 lies inside, and the term is negative
        ("zero-outside", 0.4, 0.3, 0.2, 0.1472 + 0.1896 - 0.1 * 0.368 * 0.632 * 0.5 / 0.816),
    ],
)
def test_632_plus_equals_the_cases_worked_by_hand(variant, apparent, err1, gamma, expected):
    assert point_632_plus(apparent, err1, gamma, variant) == pytest.approx(expected, abs=1e-14)


def reduced(sample: Sample, inducer, counts: list[list[int]], estimator: Estimator) -> float:
    """Estimate from given bootstrap samples, tested on what they leave out."""
    dense = np.array(counts, dtype=np.int32)
    row, cases = np.nonzero(dense == 0)
    start = np.searchsorted(row, np.arange(len(counts) + 1))
    resamples = from_training_counts(dense, start, cases.astype(np.int32))
    tested = Outcome.of(resamples, inducer.predict_resamples(sample, resamples), sample.y)
    own = run_schemes(sample, inducer, [Resubstitution()], Streams(0))
    boot = [s for s in estimator.schemes if isinstance(s, Bootstrap)]
    return estimator.reduce(sample, {**own, boot[0]: tested})


def test_a_bootstrap_that_leaves_nothing_out_is_skipped_and_without_any_there_is_no_estimate():
    sample = two_classes([0.0, 1.0], [0, 1])
    assert reduced(sample, Majority(), [[1, 1], [2, 0]], E.BootstrapE0()) == 1.0
    for per in ("replicate", "case", "pooled"):
        assert np.isnan(reduced(sample, Majority(), [[1, 1], [1, 1]], E.BootstrapE0(200, per)))


# gamma


@settings(deadline=None)
@given(st.integers(1, 20).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)))
def test_the_no_information_rate_is_the_error_over_all_pairs(pair):
    y, labels = (np.array(p) for p in pair)
    assert ERROR_RATE.no_information(y, labels, 4) == pytest.approx(float((y[:, None] != labels).mean()), abs=1e-12)


# All bootstrap samples of a small sample, one by one


def majority_by_hand(x, y):
    label = 0 if y.count(0) >= y.count(1) else 1
    return lambda _: label


def nearest_by_hand(x, y):
    return lambda v: y[min(range(len(x)), key=lambda i: (abs(x[i] - v), i))]


@pytest.mark.parametrize(("inducer", "by_hand"), [(Majority(), majority_by_hand), (KNN(1), nearest_by_hand)])
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_over_all_bootstrap_samples_e0_equals_its_exact_expectation(n, inducer, by_hand):
    g = np.random.default_rng(n)
    x, y = [int(v) for v in g.integers(0, 6, n)], [int(v) for v in g.integers(0, 2, n)]
    sample = two_classes(x, y)
    rows, wrong_of, tested_of = [], [0] * n, [0] * n
    draws = list(product(range(n), repeat=n))
    for draw in draws:
        training = sorted(draw)
        label = by_hand([x[i] for i in training], [y[i] for i in training])
        wrong = {i: int(label(x[i]) != y[i]) for i in range(n) if i not in draw}
        if wrong:
            rows.append(Fraction(sum(wrong.values()), len(wrong)))
        for i, w in wrong.items():
            wrong_of[i] += w
            tested_of[i] += 1
    counts = [np.bincount(d, minlength=n).tolist() for d in draws]
    per = {
        "replicate": sum(rows) / len(rows),
        "case": sum(Fraction(w, t) for w, t in zip(wrong_of, tested_of, strict=True)) / n,
        "pooled": Fraction(sum(wrong_of), sum(tested_of)),
    }
    for how, expected in per.items():
        value = reduced(sample, inducer, counts, E.BootstrapE0(200, how))
        assert value == pytest.approx(float(expected), abs=1e-12)


# Weights of folds, LOO*


@pytest.mark.parametrize(
    ("estimator", "errors", "tested", "replicate", "expected"),
    [
        # folds of 4, 3 and 3 cases with 2, 0 and 3 errors weigh by their size or equally
        (E.CrossValidation(3), [2, 0, 3], [4, 3, 3], [0, 0, 0], 5 / 10),
        (E.CrossValidation(3, weights="folds"), [2, 0, 3], [4, 3, 3], [0, 0, 0], (2 / 4 + 0 + 1) / 3),
        # repeats are averaged after their folds are pooled
        (E.CrossValidation(2, repeats=2), [1, 1, 0, 3], [3, 2, 3, 2], [0, 0, 1, 1], (2 / 5 + 3 / 5) / 2),
    ],
)
def test_folds_are_weighed_and_repeats_averaged(estimator, errors, tested, replicate, expected):
    rows = RowErrors(np.array(errors), np.array(tested), np.array(replicate), max(replicate) + 1)
    result = estimator.reduce(two_classes([0, 1], [0, 1]), {estimator.schemes[0]: rows})
    assert result == pytest.approx(expected, abs=1e-15)


# One beside the others


def test_estimators_that_combine_others_agree_with_them():
    g = np.random.default_rng(4)
    sample = two_classes(g.normal(size=9), g.integers(0, 2, 9))
    e0, of_cases, plain = ("e0(replicates=20)", "e0(replicates=20, per=case)", "632(replicates=20)")
    others = ["632+(replicates=20)", "loo", "resubstitution"]
    folds = ["cv(k=9)", "cv(k=9, repeats=3)"]
    e = estimate(sample, KNN(3), [e0, of_cases, plain, *others, *folds], Streams(6))
    assert [e[name] for name in folds] == [e["loo"], pytest.approx(e["loo"], abs=1e-15)]
    assert e["632(replicates=20)"] == 0.368 * e["resubstitution"] + 0.632 * e["e0(replicates=20)"]
    own = KNN(3).fit(sample).predict(sample.X)
    gamma = ERROR_RATE.no_information(sample.y, own, 2)
    assert e["632+(replicates=20)"] == point_632_plus(e["resubstitution"], e["e0(replicates=20, per=case)"], gamma)
    for variant in get_args(Variant)[1:]:
        expected = point_632_plus(e["resubstitution"], e["e0(replicates=20, per=case)"], gamma, variant)
        (value,) = estimate(sample, KNN(3), [f"632+(replicates=20, variant={variant})"], Streams(6)).values()
        assert value == expected
