"""Interval formulas by hand: binomial limits against scipy's and brute sums, others from given losses on paper."""

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from batteries import assert_refused, two_classes
from errorest.estimation.intervals import Measured, parse_interval
from errorest.estimation.outcomes import Outcome
from errorest.estimation.proportions import (
    BINOMIAL_INTERVALS,
    clopper_pearson_interval,
    coverage,
    wald_interval,
    wilson_interval,
)
from errorest.streams import Streams


def reduced(text: str, n: int, losses, confidence: float = 0.95):
    """Reduce given 0/1 losses, one array a scheme in the method's order, row by row."""
    method, sample = parse_interval(text), two_classes(np.arange(float(n)), np.arange(n) % 2)
    outcomes = {}
    for scheme, given in zip(method.schemes, losses, strict=True):
        resamples = scheme.draw(sample, Streams(5))
        wrong = np.asarray(given(resamples) if callable(given) else given, dtype=bool)
        assert wrong.shape == resamples.cases.shape
        labels = np.where(wrong, 1 - sample.y[resamples.cases], sample.y[resamples.cases])
        outcomes[scheme] = Outcome.of(resamples, labels, sample.y)
    return method.result(Measured(sample, outcomes, confidence))


HALF = [1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
FIVE = [1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1]
Z, T2, T3, T5 = 1.959963984540054, 4.302652729749464, 3.182446305284263, 2.570581835636314


@pytest.mark.parametrize(
    ("text", "n", "losses", "estimate", "half"),
    [
        ("holdout-wald(test=10)", 30, [[1, 1, 0, 0, 0, 0, 0, 0, 0, 0]], 0.2, Z * sqrt(0.2 * 0.8 / 10)),
        # all pairs: 3 of 8 are wrong, 3/8 * 5/8, divided by n
        ("cv-wald(k=2)", 8, [[1, 0, 0, 0, 1, 1, 0, 0]], 3 / 8, Z * sqrt(15 / 64 / 8)),
        ("loo-wald", 8, [[1, 0, 0, 0, 1, 1, 0, 0]], 3 / 8, Z * sqrt(15 / 64 / 8)),
        # within folds, by one less than a fold: 1 of 4: (9 + 3)/16/3 = 1/4; 2 of 4: 1/3; mean 7/24
        ("cv-wald(k=2, variance=within-fold)", 8, [[1, 0, 0, 0, 1, 1, 0, 0]], 3 / 8, Z * sqrt(7 / 24 / 8)),
        # rates 0, 1/2, 1/2, 1 of two tested cases of ten: s^2 = (1/4 + 1/4)/3, times 1/4 + 2/8
        ("corrected-t(splits=4, ratio=0.8)", 10, [[0, 0, 1, 0, 0, 1, 1, 1]], 0.5, T3 * sqrt(1 / 6 * 1 / 2)),
        # rates 1/2, 0, 0, 1/2, 1/2, 1/2 of folds of two of six: s^2 = 1/15, times 1/6 + 2/4; t of three folds less one
        ("cv-corrected-t(k=3, repeats=2)", 6, [[1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0]], 1 / 3, T2 * sqrt(1 / 15 * 2 / 3)),
        # two halvings, two splits of one tested case: the halves average 1 and 1/2, then 0 and 1
        (
            "conservative-z(splits=2, halvings=2, ratio=0.9)",
            *(10, [[0, 1], [1, 1, 1, 0, 0, 0, 1, 1]], 0.5, Z * sqrt((0.25 + 1) / 4)),
        ),
        # five repeats of two folds of two cases: rates (1, 0), (1/2, 1/2), (1/2, 0), (0, 0), (1/2, 1), each repeat
        # about its own mean
        ("5x2cv", 4, [FIVE], 1.0, T5 * sqrt((0.5 + 0 + 0.125 + 0 + 0.125) / 5)),
        ("5x2cv(estimate=mean)", 4, [FIVE], 0.4, T5 * sqrt((0.5 + 0 + 0.125 + 0 + 0.125) / 5)),
        # n = 8: the half's four cases have rate 1/4, with one case replaced 1/4, 1/2, 0, 1/4: v = 8/4 (1/16 + 1/16)
        ("replace-one-cv(k=2)", 8, [[1, 1, 0, 0, 0, 0, 0, 0], HALF], 0.25, Z * sqrt(0.25 / 8)),
        ("replace-one-cv(k=2, form=uncorrected)", 8, [[1, 1, 0, 0, 0, 0, 0, 0], HALF], 0.25, Z * sqrt(2 * 0.25 / 8)),
        # every inner case is wrong and every outer one right: a = 1, b = 0, MSE = 2/3, but sd(inner) = 0 bounds se;
        # the bias is removed by the factor named
        ("nested-cv(k=3, repeats=2, factor=article)", 9, [lambda r: r.mark % 2 == 1], -1 / 3, 0.0),
        ("nested-cv(k=3, repeats=2, factor=package)", 9, [lambda r: r.mark % 2 == 1], -((1 / 3) ** 1.5), 0.0),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_limits_are_those_on_paper(text, n, losses, estimate, half):
    result = reduced(text, n, losses)
    expected = (estimate, estimate - half, estimate + half)
    assert (result.estimate, result.low, result.high) == pytest.approx(expected, abs=1e-12)
    assert result.degenerate == (half == 0)


@pytest.mark.parametrize(
    ("text", "wrong", "tested", "method"),
    [
        ("holdout-wilson(test=1/3)", 2, 10, "wilson"),
        ("holdout-clopper-pearson(test=1/3)", 2, 10, "exact"),
        # equation 3 counts all n cases of a cross-validation
        *((text, 8, 30, "wilson") for text in ("kohavi(k=4)", "loo-kohavi")),
    ],
)
def test_limits_of_a_count_of_errors_are_the_binomial_ones(text, wrong, tested, method):
    expected = stats.binomtest(wrong, tested).proportion_ci(0.9, method)
    result = reduced(text, 30, [np.arange(tested) < wrong], 0.9)
    assert (result.estimate, result.low, result.high) == pytest.approx((wrong / tested, expected.low, expected.high))


@pytest.mark.parametrize(("name", "trials"), [("kohavi", 6), ("cv-wilson", 6 / 1.4)])
def test_score_limits_of_a_repeated_cross_validation_take_the_mean_error(name, trials):
    # two repeats of six cases with one and two errors: a mean of 1.5 of 6
    result = reduced(f"{name}(k=2, repeats=2)", 6, [[1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0]])
    for limit in (result.low, result.high):
        assert (0.25 - limit) ** 2 == pytest.approx(Z**2 * limit * (1 - limit) / trials)
    assert result.se == pytest.approx(sqrt(0.25 * 0.75 / trials))


def test_folds_that_differ_more_than_tests_do_by_chance_widen_wilsons_limits():
    # five folds of forty cases: 24 wrong in one of them and four in the others, or eight in each, or forty and none
    apart = np.concatenate([np.arange(40) < wrong for wrong in (24, 4, 4, 4, 4)])
    alike, farthest = np.tile([1, 0, 0, 0, 0], 40), np.repeat([1, 0, 0, 0, 0], 40)
    results = [reduced("cv-wilson(k=5)", 200, [losses]) for losses in (apart, alike, farthest)]
    # Pearson's measure: 40 (.4^2 + 4 .1^2) / (.2 .8) over four degrees of freedom; no variance exceeds that of one test
    dispersion = 40 * (0.4**2 + 4 * 0.1**2) / (0.2 * 0.8) / 4
    variance = 1.4 + 5 * (dispersion - 1 - 2 * sqrt(2 / 4))
    for result, c in zip(results, (variance, 1.4, 200), strict=True):
        assert result.estimate == pytest.approx(0.2)
        for limit in (result.low, result.high):
            assert (0.2 - limit) ** 2 == pytest.approx(Z**2 * limit * (1 - limit) * c / 200)
    # a score interval that takes all tests for those of one classifier does not see it
    assert reduced("kohavi(k=5)", 200, [apart]).se == reduced("kohavi(k=5)", 200, [alike]).se


def test_nested_cross_validation_holds_its_standard_error_between_the_bounds():
    # half of each group wrong everywhere: a = 0, b > 0, so MSE < 0 and the lower bound holds
    def alternating(r):
        return np.argsort(np.argsort(r.mark, kind="stable"), kind="stable") % 2 == 0

    result = reduced("nested-cv(k=3, repeats=1)", 12, [alternating])
    inner = 24
    assert result.se == pytest.approx(sqrt(0.25 * inner / (inner - 1)) / sqrt(12))


def test_an_interval_without_width_says_so():
    result = reduced("cv-wald(k=4)", 12, [np.zeros(12)])
    assert result.degenerate
    assert result.low == result.high == 0.0
    assert result.note == "no width: every resample gave the same rate"
    assert not reduced("holdout-wilson", 12, [np.zeros(4)]).degenerate


COUNTS = [(0, 1), (1, 1), (0, 7), (3, 7), (7, 7), (45, 50), (123, 1000)]


@pytest.mark.parametrize(("hits", "trials"), COUNTS)
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(("interval", "method"), [(wilson_interval, "wilson"), (clopper_pearson_interval, "exact")])
def test_interval_is_scipys(hits, trials, confidence, interval, method):
    theirs = stats.binomtest(hits, trials).proportion_ci(confidence, method)
    low, high = interval(hits, trials, confidence)
    assert low == pytest.approx(theirs.low, abs=1e-9)
    assert high == pytest.approx(theirs.high, abs=1e-9)


def test_walds_interval_is_z_standard_errors_wide():
    assert wald_interval(3, 12, 0.9) == pytest.approx((0.25 - 1.6448536 * 0.125, 0.25 + 1.6448536 * 0.125), abs=1e-7)
    assert wald_interval(0, 25) == (0.0, 0.0)


@pytest.mark.parametrize("name", BINOMIAL_INTERVALS)
def test_coverage_is_the_sum_over_all_counts(name):
    interval = BINOMIAL_INTERVALS[name]
    for p in (0.0, 0.05, 0.5, 0.93, 1.0):
        total = 0.0
        for k in range(12):
            low, high = interval(k, 11, 0.9)
            if low - 1e-12 <= p <= high + 1e-12:
                total += stats.binom.pmf(k, 11, p)
        assert coverage(interval, 11, p, 0.9) == pytest.approx(total, abs=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda: wilson_interval(3, 2),
        lambda: wilson_interval(-1, 2),
        lambda: wald_interval(0, 0),
        lambda: clopper_pearson_interval(1, 2, 1.0),
        lambda: wilson_interval(1, 2, 95),
        lambda: coverage(wilson_interval, 5, 90.0),
    ],
)
def test_impossible_counts_and_percents_are_refused(call):
    assert_refused("expected", call)
