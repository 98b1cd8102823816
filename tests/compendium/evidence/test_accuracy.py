"""Monte Carlo errors: against closed forms where there are any, and against simulation.

Simulated checks compare a mean of reported variances with the variance over runs; each states how far it may
be off.  With the numbers of runs used, the variance over runs has a relative standard error of sqrt(2/runs)
(normal means) and the bound is 4.5 of these: a false alarm of 7e-6 a check, under 1e-4 in all.  Seeds are fixed.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.trials import Trials

RUNS = 3000
BOUND = 4.5 * np.sqrt(2 / RUNS)
QUARTERS = np.repeat(np.arange(4), 100)
HALVES = np.repeat([0, 1], 100)
ONE_CELL = Trials(pd.DataFrame({"cell": np.zeros(200)}))


PAIRED = np.array([0.0, 3.0, 6.0]), np.array([0.0, 0.0, 3.0])
ONE_OF_THREE = np.zeros(3, dtype=int)


@pytest.mark.parametrize(
    ("measured", "value", "se"),
    [
        (accuracy.mean(np.array([1.0, 2.0, 3.0, 6.0])), 3.0, np.std([1, 2, 3, 6], ddof=1) / 2),
        (accuracy.mean(np.array([1.0])), 1.0, np.nan),
        # cells of 2 and 3 values: (n_a^2 s_a^2/n_a + n_b^2 s_b^2/n_b)/n^2 = (2*2 + 3*16)/25
        (accuracy.mean(np.array([1.0, 3, 10, 14, 18]), np.array([*"aabbb"])), 9.2, np.sqrt((2 * 2 + 3 * 16) / 25)),
        # the spread in a cell of one value is not known
        (accuracy.mean(np.array([1.0, 10.0, 3.0, 14.0]), np.array([*"abab"])), 7.0, np.sqrt(2 * 2 + 2 * 8) / 4),
        (accuracy.mean(np.array([1.0, 2.0, 4.0]), np.array([0, 1, 1])), 7 / 3, np.sqrt(2 * 2) / 3),
        # squared deviations times 3/2: 13.5, 0, 13.5, whose mean is 9 with an error of 4.5
        (accuracy.spread(PAIRED[0], ONE_OF_THREE), 3.0, 4.5 / 6),
        # 4.5, 0, 4.5 over .5, .5, 2: influences 1, -1/2, -1/2 with a variance of 3/4
        (accuracy.variance_ratio(*PAIRED, ONE_OF_THREE), 3.0, 1.5),
        # roots of these means, 9 and 3, in the ratio 3 ** .5; half the influences times it
        (accuracy.mean(accuracy.sd_ratio(*PAIRED)), np.sqrt(3), np.sqrt(3) / 4),
        # squares 1, 4, 4, 9: the error of their mean over twice the root
        (accuracy.rms(np.array([1.0, -2.0, 2.0, -3.0])), np.sqrt(4.5), np.sqrt(11 / 4) / np.sqrt(4.5) / 2),
        (accuracy.rms(np.zeros(3)), 0.0, 0.0),
        (accuracy.standard_deviation(np.full(5, 0.1)), 0.0, 0.0),
        # sides that do not vary, but by rounding
        (accuracy.correlation(np.ones(3), np.arange(3.0)), np.nan, np.nan),
        (accuracy.correlation(np.arange(3.0), np.array([0.1 + 0.2, 0.3, 0.3])), np.nan, np.nan),
        (accuracy.correlation(np.zeros(2), np.zeros(2)), np.nan, np.nan),
    ],
    ids=[
        *(
            "mean",
            "mean of one value",
            "stratified mean",
            "cells of one size",
            "cell of one value",
            "spread",
            "ratio of variances",
        ),
        *("ratio of deviations", "rms", "rms of zeros", "deviation of a constant"),
        *("correlation with a constant", "correlation with rounding", "correlation of zeros"),
    ],
)
def test_statistics_and_their_errors_are_those_on_paper(measured, value, se):
    assert measured.value == pytest.approx(value, rel=1e-14, nan_ok=True)
    assert measured.se == pytest.approx(se, rel=1e-14, nan_ok=True)


@pytest.mark.parametrize(("count", "likely"), [(0, 1 / 7), (5, 6 / 7), (2, 2 / 5)])
def test_a_share_has_an_error_where_none_or_all_succeed_too(count, likely):
    measured = accuracy.share(count, 5)
    assert (measured.value, measured.n) == (count / 5, 5)
    assert measured.se == pytest.approx(np.sqrt(likely * (1 - likely) / 5))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.floats(-100, 100)), min_size=2, max_size=30), st.randoms())
def test_the_order_of_values_and_the_names_of_cells_do_not_matter(pairs, random):
    strata, x = (np.array(v) for v in zip(*pairs, strict=True))
    order = np.array(random.sample(range(len(pairs)), len(pairs)))
    once, again = accuracy.mean(x, strata), accuracy.mean(x[order], strata[order].astype(str))
    assert once.value == pytest.approx(again.value, rel=1e-9, abs=1e-9)
    assert once.se == pytest.approx(again.se, rel=1e-9, abs=1e-9)


def stratified_draws(rng, cells=6, each=20):
    strata = np.repeat(np.arange(cells), each)
    return strata, 3.0 * strata + (1 + strata) * rng.standard_normal(cells * each)


def correlated_draws(rng):
    x = rng.standard_normal(100)
    return x, 0.5 * x + rng.standard_normal(100)


def correlated_estimates(rng):
    """Two estimates that share their noise, one with, one against the truth."""
    truth, noise = rng.standard_normal((2, 100))
    return truth + noise, -0.5 * truth + noise + 0.3 * rng.standard_normal(100), truth


def gapped_draws(rng):
    errors = rng.normal(0.02, 0.1, 200)
    return errors, 1.1 * (0.5 * errors + rng.normal(0, 0.1, 200))


@pytest.mark.parametrize(
    ("seed", "measure", "below", "above"),
    [
        (1, lambda rng: accuracy.mean(*stratified_draws(rng)[::-1]), 0.0, 0.0),
        # the delta method is off by a term in 1/n, under .01 here
        (2, lambda rng: accuracy.rms((1 + QUARTERS) * rng.standard_normal(400), QUARTERS), 0.01, 0.01),
        (3, lambda rng: accuracy.standard_deviation(rng.standard_normal(200)), 0.01, 0.01),
        # exponential values have kurtosis 9: the fourth moment of 200 of them is biased low by some percent
        (3, lambda rng: accuracy.standard_deviation(rng.exponential(size=200)), 0.12, 0.12),
        # the jackknife variance is conservative, by a few percent at n = 100
        (5, lambda rng: accuracy.correlation(*correlated_draws(rng)), 0.0, 0.06),
        # the delta method's bias at 200 cases is a few percent
        (2, lambda rng: accuracy.variance_ratio(*(rng.normal(size=(2, 200)) * [[1.0], [2.0]]), HALVES), 0.06, 0.06),
        (3, lambda rng: ONE_CELL.rms_gap(*gapped_draws(rng)), 0.02, 0.02),
        (3, lambda rng: accuracy.mean(accuracy.sd_ratio(*gapped_draws(rng))), 0.02, 0.02),
        (3, lambda rng: accuracy.sd_gap(*gapped_draws(rng)), 0.0, 0.04),
        (3, lambda rng: accuracy.strength_gap(*correlated_estimates(rng)), 0.0, 0.06),
    ],
    ids=[
        *("stratified mean", "rms", "deviation of normal", "deviation of exponential", "correlation"),
        *("ratio of variances", "gap of rms", "ratio of deviations", "gap of deviations", "gap of correlations"),
    ],
)
def test_the_error_of_a_statistic_is_its_spread_over_repeated_studies(seed, measure, below, above):
    rng = np.random.default_rng(seed)
    runs = [measure(rng) for _ in range(RUNS)]
    ratio = np.mean([m.se**2 for m in runs]) / np.var([m.value for m in runs], ddof=1)
    assert 1 - BOUND - below < ratio < 1 + BOUND + above


@pytest.mark.parametrize("unit", [0.01, 1.0, 7.0, 1000.0])
def test_a_standard_deviation_and_its_error_are_in_the_unit_of_the_values(unit):
    # with a spread of one, multiplying and dividing by it are the same
    x = np.array([0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 4.0, 7.0, 1.0, 2.0])
    n, spread = len(x), float(np.std(x, ddof=1))
    fourth = float(np.mean((x - x.mean()) ** 4))
    expected = np.sqrt((fourth - spread**4 * (n - 3) / (n - 1)) / n) / (2 * spread)
    measured = accuracy.standard_deviation(unit * x)
    assert measured.value == pytest.approx(unit * spread, rel=1e-12)
    assert measured.se == pytest.approx(unit * expected, rel=1e-12)


def test_a_standard_deviation_of_two_values_has_a_usable_error():
    two = accuracy.standard_deviation(np.array([0.0, 1.0]))
    assert two.value == pytest.approx(np.sqrt(0.5))
    assert two.se > 0


def test_a_correlation_is_pearson_s_and_its_error_the_jackknife_s():
    rng = np.random.default_rng(4)
    x = rng.standard_normal(30)
    y = x + rng.standard_normal(30)
    m = accuracy.correlation(x, y)
    assert m.value == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-14)
    left = np.array([np.corrcoef(np.delete(x, i), np.delete(y, i))[0, 1] for i in range(30)])
    assert m.se == pytest.approx(np.sqrt(29 / 30 * ((left - left.mean()) ** 2).sum()), rel=1e-9)


def test_values_that_hang_on_one_case_still_have_a_finite_error():
    x = np.array([0.0, 0.0, 0.0, 1.0])
    m = accuracy.correlation(x, x)
    assert m.value == pytest.approx(1.0)
    assert np.isfinite(m.se)
