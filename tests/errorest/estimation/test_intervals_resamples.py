"""Intervals as a whole: against plain loops that fit one classifier at a time, and brute force where n is small."""

from fractions import Fraction
from itertools import product
from math import sqrt
from statistics import fmean as mean

import numpy as np
import pytest
from scipy import stats

from batteries import assert_refused, normal_sample, rows_of
from errorest.data.sample import Sample
from errorest.estimation import estimate
from errorest.estimation.intervals import INTERVALS, interval, intervals, parse_interval
from errorest.estimation.intervals.draws import (
    LeaveCaseOutOfBootstrap,
    NestedFolds,
    PairedHalves,
    ReplaceOne,
    TwoStageBootstrap,
)
from errorest.estimation.intervals.out_of_bag import influence, usual_replicates
from errorest.estimation.proportions import wilson_interval
from errorest.learners import KNN, Majority, NaiveBayes
from errorest.streams import Streams

INDUCERS = [KNN(1), NaiveBayes(), Majority()]
Z = stats.norm.ppf(0.975)


def losses_of(inducer, sample, training, tested) -> list[float]:
    """Fit on a list of cases, repeats kept, and test a list of cases."""
    labels = inducer.fit(sample.take(np.sort(np.array(training)))).predict(sample.X[np.array(tested)])
    return [float(a != sample.y[i]) for a, i in zip(labels, tested, strict=True)]


def drawn(text, sample, streams, number=0):
    return parse_interval(text).schemes[number].draw(sample, streams)


def percentiles(values):
    return np.quantile(values, [0.025, 0.975])


def plain_632_plus(inducer, sample, training_sets):
    """.632+ of a list of positions of cases, with out-of-bag positions of the given training positions."""
    n = sample.n
    own = inducer.fit(sample).predict(sample.X)
    apparent = mean([float(a != b) for a, b in zip(own, sample.y, strict=True)])
    gamma = mean([float(a != b) for a in own for b in sample.y])
    by_case = [[] for _ in range(n)]
    for training in training_sets:
        out = [i for i in range(n) if i not in training]
        if out:
            for i, loss in zip(out, losses_of(inducer, sample, training, out), strict=True):
                by_case[i].append(loss)
    err1 = mean([mean(v) for v in by_case if v])
    bounded = min(err1, gamma)
    r = (bounded - apparent) / (gamma - apparent) if err1 > apparent and gamma > apparent else 0.0
    w = 0.632 / (1 - 0.368 * r)
    # the usual form with a weight, and Err1 beyond gamma in the .632 part alone
    return (1 - w) * apparent + w * bounded + 0.632 * (err1 - bounded)


@pytest.mark.parametrize("inducer", INDUCERS, ids=lambda i: i.id)
@pytest.mark.parametrize("n", [8, 11])
def test_nested_cross_validation_equals_its_loops(inducer, n):
    sample, k, repeats = normal_sample(n), 3, 2
    resamples = drawn("nested-cv(k=3, repeats=2)", sample, Streams(3))
    rows = list(rows_of(resamples))
    per_repeat = len(rows) // repeats
    outer_folds = [[rows[m * per_repeat + f].tested.tolist() for f in range(k)] for m in range(repeats)]
    differences, all_inner, all_outer = [], [], []
    for folds in outer_folds:
        assert sorted(i for fold in folds for i in fold) == list(range(n))
        for f in range(k):
            others = [g for g in range(k) if g != f]
            outer = losses_of(inducer, sample, [i for g in others for i in folds[g]], folds[f])
            inner = []
            for g in others:
                training = [i for h in others if h != g for i in folds[h]]
                inner += losses_of(inducer, sample, training, folds[g])
            differences.append((mean(inner) - mean(outer)) ** 2 - np.var(outer, ddof=1) / len(outer))
            all_inner += inner
            all_outer += outer
    low = np.std(all_inner, ddof=1) / sqrt(n)
    se = max(low, min(sqrt(max(0, (k - 1) / k * mean(differences))), low * sqrt(k)))
    centre = mean(all_inner) - (1 + (k - 2) / k) * (mean(all_inner) - mean(all_outer))
    result = interval(sample, inducer, "nested-cv(k=3, repeats=2)", Streams(3))
    assert (result.estimate, result.se) == pytest.approx((centre, se), abs=1e-12)
    assert result.high - result.low == pytest.approx(2 * Z * se, abs=1e-12)


@pytest.mark.parametrize("inducer", INDUCERS, ids=lambda i: i.id)
def test_out_of_bag_equals_its_loops(inducer):
    n, sample, text = 8, normal_sample(8), "oob(replicates=30)"
    counts = drawn(text, sample, Streams(3)).training_counts()
    loss = np.zeros((30, n))
    for b, row in enumerate(rows_of(drawn(text, sample, Streams(3)))):
        loss[b, row.tested] = losses_of(inducer, sample, row.trained, row.tested)
    lacks = counts == 0
    e = [sum(loss[b, i] for b in range(30)) / sum(lacks[b, i] for b in range(30)) for i in range(n)]
    q = [sum(loss[b]) / n for b in range(30)]
    squares = noise = 0.0
    for i in range(n):
        covariance = sum((counts[b, i] - mean(counts[:, i].tolist())) * q[b] for b in range(30))
        m = sum(lacks[b, i] for b in range(30))
        d = (2 + 1 / (n - 1)) * (e[i] - mean(e)) / n + covariance / m
        squares += d**2
        noise += (1 - 1 / n) * 30 * sum((v - mean(q)) ** 2 for v in q) / 29 / m**2
    least = sum((v - mean(e)) ** 2 for v in e) / n**2
    for setting, se in (("", sqrt(max(squares - noise, least))), (", noise=kept", sqrt(squares))):
        result = interval(sample, inducer, f"oob(replicates=30{setting})", Streams(3))
        assert (result.estimate, result.se) == pytest.approx((mean(e), se), abs=1e-12)
        assert result.low == pytest.approx(mean(e) - Z * se, abs=1e-12)
        assert result.monte_carlo.held == (not setting and squares - noise < least)
        assert ("held at the least" in result.note) == result.monte_carlo.held
        plus = interval(sample, inducer, f"632+(replicates=30{setting})", Streams(3))
        centre = estimate(sample, inducer, ["632+(replicates=30)"], Streams(3))["632+(replicates=30)"]
        assert (plus.estimate, plus.se) == pytest.approx((centre, se * centre / mean(e)), abs=1e-12)
        span = interval(sample, inducer, f"632+span(replicates=30{setting})", Streams(3))
        assert (span.estimate, span.se) == (plus.estimate, plus.se)
        assert (span.low, span.high) == (min(plus.low, result.low), max(plus.high, result.high))
        assert 0 < span.monte_carlo.limit <= plus.monte_carlo.limit + result.monte_carlo.limit
        hull = interval(sample, inducer, f"632+wilson(replicates=30{setting})", Streams(3))
        low, high = wilson_interval(span.estimate * n, n)
        assert (hull.estimate, hull.se) == (span.estimate, span.se)
        assert (hull.low, hull.high) == pytest.approx((min(span.low, low), max(span.high, high)), abs=1e-12)
        assert 0 < hull.monte_carlo.limit < hull.width


def test_without_an_error_the_default_reaches_to_wilsons_limit():
    sample = Sample.from_arrays(
        np.repeat([0.0, 9.0], 15) + np.arange(30) / 30, np.repeat([0, 1], 15), classes=["a", "b"]
    )
    result = interval(sample, KNN(1), "632+wilson(replicates=30)", Streams(3))
    assert (result.estimate, result.low, result.high) == pytest.approx((0.0, 0.0, Z**2 / (30 + Z**2)), abs=1e-12)
    assert not result.degenerate
    # every part of the resamples gives the same limits
    assert max(result.monte_carlo[:3]) == 0
    assert interval(sample, KNN(1), "632+span(replicates=30)", Streams(3)).degenerate


def test_wilsons_limits_count_errors_alone():
    sample = normal_sample(20)
    assert_refused(
        "counts errors", interval, sample, KNN(1), "632+wilson", Streams(0), loss=lambda t, p: 2.0 * (t != p)
    )


def test_the_influence_is_the_derivative_of_err1_over_all_bootstrap_samples():
    # Err1(p) = sum_i p_i E_i(p) for cases drawn with probabilities p: all 256 samples of four
    # cases, and the slope from p = 1/n towards each case, by central differences.
    n = 4
    samples = [list(s) for s in product(range(n), repeat=n)]
    counts = np.array([[s.count(i) for i in range(n)] for s in samples])
    loss = np.random.default_rng(4).integers(0, 2, size=counts.shape) * (counts == 0)

    def err1(p):
        weights = np.prod(p**counts, axis=1)
        lacks = (counts == 0).astype(float)
        return float((p * (weights @ loss) / (weights @ lacks)).sum())

    step, slopes = 1e-5, []
    for i in range(n):
        towards = np.eye(n)[i] - 1 / n
        slopes.append((err1(1 / n + step * towards) - err1(1 / n - step * towards)) / (2 * step) / n)
    row, cases = np.nonzero(counts == 0)
    start = np.searchsorted(row, np.arange(len(samples) + 1))
    result = influence(counts, start, cases, loss[row, cases].astype(float), "kept")
    assert result.err1 == pytest.approx(err1(np.full(n, 1 / n)), abs=1e-12)
    assert result.se == pytest.approx(sqrt(sum(d**2 for d in slopes)), rel=1e-8)


def test_out_of_bag_is_undefined_where_a_case_is_in_every_sample():
    for noise in ("kept", "subtracted"):
        result = influence(np.array([[2, 0], [1, 1]]), np.array([0, 1, 1]), np.array([1]), np.array([1.0]), noise)
        assert result.err1 == 1.0
        assert np.isnan(result.se)


def test_the_monte_carlo_error_is_how_much_other_resamples_change():
    # 60 independent sets of bootstrap samples of one sample: a standard deviation of 60 draws is known to 9 %; the
    # jackknife is on average too large, if anything
    sample, texts = normal_sample(120, seed=5), ["oob(replicates=200)", "632+(replicates=200)"]
    made = [intervals(sample, NaiveBayes(), texts, Streams(s)) for s in range(60)]
    for text in texts:
        for name, of in (("estimate", "estimate"), ("se", "se"), ("high", "limit")):
            spread = np.std([getattr(one[text], name) for one in made])
            report = np.sqrt(np.mean([getattr(one[text].monte_carlo, of) ** 2 for one in made]))
            assert 0.65 < report / spread < 1.6


def test_the_usual_number_of_bootstrap_samples_grows_with_the_root_of_n():
    assert [usual_replicates(n) for n in (2, 200, 201)] == [200, 200, 201]
    assert usual_replicates(80_000) == 4000


@pytest.mark.parametrize("inducer", INDUCERS, ids=lambda i: i.id)
@pytest.mark.parametrize("bias", ["reduced", "plain"])
def test_bootstrap_case_cross_validation_equals_its_loops(inducer, bias):
    n, sample, text = 7, normal_sample(7), f"bootstrap-case-cv(replicates=20, bias={bias})"
    lists = drawn(text, sample, Streams(3)).compact.source.tolist()
    rates = []
    for cases in lists:
        wrong = [cases.count(i) * losses_of(inducer, sample, [c for c in cases if c != i], [i])[0] for i in set(cases)]
        rates.append(sum(wrong) / n)
    low, high = percentiles(rates)
    loo = estimate(sample, inducer, ["loo"], Streams(3))["loo"]
    centre = loo if bias == "reduced" else mean(rates)
    shift = mean(rates) - centre
    result = interval(sample, inducer, text, Streams(3))
    assert (result.estimate, result.low, result.high) == pytest.approx((centre, low - shift, high - shift), abs=1e-12)
    assert np.isnan(result.se)


@pytest.mark.parametrize("inducer", INDUCERS, ids=lambda i: i.id)
def test_location_shifted_equals_its_loops(inducer):
    sample, text = normal_sample(8), "location-shifted(replicates=25)"
    lists = [row.trained.tolist() for row in rows_of(drawn(text, sample, Streams(3), 1))]
    apparent = [mean(losses_of(inducer, sample, cases, cases)) for cases in lists]
    centre = plain_632_plus(inducer, sample, lists)
    shift = estimate(sample, inducer, ["resubstitution"], Streams(3))["resubstitution"] - centre
    low, high = percentiles(apparent)
    result = interval(sample, inducer, text, Streams(3))
    assert (result.estimate, result.low, result.high) == pytest.approx((centre, low - shift, high - shift), abs=1e-12)


@pytest.mark.parametrize("inducer", INDUCERS, ids=lambda i: i.id)
def test_two_stage_equals_its_loops(inducer):
    sample, text = normal_sample(7), "two-stage(outer=8, inner=5, replicates=20)"
    method = parse_interval(text)
    resamples = method.schemes[2].draw(sample, Streams(3))
    points = []
    for b in range(8):
        cases = resamples.cases[resamples.start[b] : resamples.start[b + 1]]
        outer = sample.take(cases)
        # the positions that an inner sample lacks are known; which copy stands in it does not matter to a fit
        sets = []
        for r in range(8 + 5 * b, 8 + 5 * (b + 1)):
            lacked = resamples.mark[resamples.start[r] : resamples.start[r + 1]].tolist()
            counts = resamples.training_counts(r, r + 1)[0]
            positions = [p for p in range(7) if p not in lacked]
            # every position kept stands once, and some copy of its case takes what is left
            left = counts - np.bincount(cases[positions], minlength=7)
            assert (left >= 0).all()
            training = list(positions)
            for i in np.nonzero(left)[0]:
                training += [next(p for p in positions if cases[p] == i)] * int(left[i])
            sets.append(training)
        points.append(plain_632_plus(inducer, outer, sets))
    low, high = percentiles(points)
    whole = estimate(sample, inducer, ["632+(replicates=20)"], Streams(3))["632+(replicates=20)"]
    result = interval(sample, inducer, method, Streams(3))
    assert (result.estimate, result.low, result.high) == pytest.approx((whole, low, high), abs=1e-12)


def test_copies_of_a_case_are_tested_together_only_where_none_is_trained_on():
    draw = TwoStageBootstrap(False, 10, 20).resamples(9, np.random.default_rng(1))
    apart = TwoStageBootstrap(True, 10, 20).resamples(9, np.random.default_rng(1))
    counts, row = draw.training_counts(), draw.row_of_test()
    inner = row >= 20
    assert (counts[row[inner], draw.cases[inner]] == 0).all()
    leaks = apart.training_counts()[apart.row_of_test(), apart.cases] > 0
    assert leaks[apart.row_of_test() >= 20].any()
    np.testing.assert_array_equal(counts, apart.training_counts())


def test_the_draws_of_one_scheme_have_the_sizes_of_their_definition():
    rng = np.random.default_rng(2)
    halves = PairedHalves(3, Fraction(1, 10), 4).resamples(100, rng)
    assert set(halves.training_counts().sum(axis=1)) == {40}
    assert set(np.diff(halves.start)) == {10}
    # all splits of a half have its fifty cases, and the other half has the other fifty
    both = halves.training_counts() + halves.test_counts()
    assert (both.reshape(3, 2, 4, 100).max(axis=2).sum(axis=1) == 1).all()
    nested = NestedFolds(4, 2).resamples(17, rng)
    assert nested.n_rows == 2 * (4 + 6)
    assert (nested.training_counts()[nested.row_of_test(), nested.cases] == 0).all()
    left = LeaveCaseOutOfBootstrap(6).resamples(10, rng)
    assert (np.bincount(left.replicate, np.diff(left.start)) == 10).all()
    assert (left.training_counts()[left.row_of_test(), left.cases] == 0).all()
    pairs = LeaveCaseOutOfBootstrap(50).resamples(2, rng)
    assert pairs.training_counts().sum(axis=1).tolist() == [1] * 100
    replaced = ReplaceOne(3).resamples(13, rng)
    assert replaced.training_counts().sum(axis=1).tolist() == [4] * 21
    lists, folds = replaced.compact.source, replaced.compact.labels
    assert (folds == folds[0]).all()
    np.testing.assert_array_equal(lists[1:] != lists[0], np.eye(6, dtype=bool))
    assert len({*lists[0], *np.diag(lists[1:])}) == 12


@pytest.mark.parametrize("name", INTERVALS)
def test_the_count_of_fits_is_that_of_the_rows_made(name):
    method, sample = INTERVALS[name](), normal_sample(40)
    rows = sum(s.draw(sample, Streams(8)).n_rows for s in method.schemes)
    # bootstrap-case-cv leaves it to chance: 100 sums whose sd is under 2.5 each, 1 in 10,000
    tolerance = 100 if name == "bootstrap-case-cv" else 0
    assert abs(method.fits(40) - rows) <= tolerance
