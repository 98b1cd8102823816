"""The LIS page: its tables counted from the schemes, its claims executed."""

import itertools

import numpy as np
import pandas as pd
import pytest

from batteries import assert_refused
from compendium.papers.bootstrap import distinct_share
from compendium.papers.lis import claims, field_guide, iterations
from compendium.papers.lis.study import SCATTER, FieldGuideParameters

P = FieldGuideParameters(sizes=[10, 20], inherent_errors=[0.1, 0.25], samples=40, cv_repeats=20)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_distinct_share_equals_enumeration_of_all_bootstrap_samples(n):
    brute = np.mean([len(set(sampled)) for sampled in itertools.product(range(n), repeat=n)]) / n
    assert distinct_share(n) == pytest.approx(brute)


def test_distinct_share_nears_its_limit_and_refuses_no_cases():
    assert distinct_share(10**9) == pytest.approx(1 - np.exp(-1), abs=1e-9)
    assert_refused("expected at least 1", distinct_share, 0)


def test_iterations_needed_of_a_known_spread():
    rng = np.random.default_rng(2)
    size, B, within, between = 20_000, 10, 4.0, 1.0
    e0 = rng.normal(0, np.sqrt(between + within / B), size)
    result = iterations.iterations_needed(
        pd.DataFrame({"bootstrap-e0": e0, SCATTER: within * rng.chisquare(B - 1, size) / (B - 1)}), B
    )
    # false alarm once in 16,000
    assert abs(result.value - within / between / (1.01**2 - 1)) < 4 * result.se
    assert result.n == size


def test_the_iterations_that_are_needed_widen_the_spread_by_one_percent(run):
    made = claims.claims(P, run)
    cell = made.data["iterations"].iloc[0]
    curve = made.data["widening"].query("inducer == @cell.inducer and size == @cell['size']")
    curve = curve[curve["inherent error"] == cell["inherent error"]]
    assert np.interp(cell.value, curve.iterations, curve.percent) == pytest.approx(1.0, abs=0.01)


def test_field_guide_counts_fits_and_cases(run):
    guide = field_guide.field_guide(P, run).data["guide"].set_index(["inducer", "estimator"])
    loo, boot, half = (guide.loc["threshold", name] for name in ("leave-one-out", "e0", "repeated 2-fold"))
    assert (loo["trains on"], loo["tests on"], loo["fits"]) == (19, 1, 20)
    assert (half["trains on"], half["fits"]) == (10, 2 * P.cv_repeats)
    assert boot["fits"] == 200
    assert boot["trains on"] + boot["tests on"] == pytest.approx(20)
    assert abs(boot["trains on"] - 20 * distinct_share(20)) < 0.5
    assert guide.loc[("1-nn", "training set"), "sd"] == 0
