"""Binomial intervals: against scipy's, against brute sums, and at the ends."""

import pytest
from scipy import stats

from errorest.errors import UsageError
from errorest.estimation.proportions import (
    BINOMIAL_INTERVALS,
    clopper_pearson_interval,
    coverage,
    wald_interval,
    wilson_interval,
)

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
    with pytest.raises(UsageError, match="expected"):
        call()
