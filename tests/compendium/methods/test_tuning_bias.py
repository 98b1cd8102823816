"""The tuning-bias calculator, its inverse, and the distributions under both."""

import itertools
from math import ceil, inf, log, log2

import numpy as np
import pytest
from scipy.stats import binom

import compendium.methods.tuning_bias as tb
from batteries import assert_refused
from compendium.methods.tuning_bias.distributions import (
    adaptive_bits,
    bias_bound,
    binomial,
    default_share_of,
    gain_map,
    hypergeometric_at_least,
    largest_of,
)


def at_least(m: int, hits: int, c: int, extra: int) -> float:
    """Chance that c told labels gain so many hits: the misses among them are hypergeometric."""
    return hypergeometric_at_least(m, m - hits, c, extra)


def test_largest_of_equals_enumeration():
    one = binomial(2, 0.3)
    for t in (1, 2, 3):
        for value in range(3):
            brute = sum(
                np.prod([one.at(v) for v in values])
                for values in itertools.product(range(3), repeat=t)
                if max(values) == value
            )
            assert largest_of(one, t).at(value) == pytest.approx(brute)


def test_calculator_gives_the_paper_s_example_and_its_other_views():
    answer = tb.tuning_bias(2000, hits=1700, classes=6, entropy=2.5, trials=360, extra=6)
    greedy, best, listed, adaptive = (answer[k] for k in ("greedy", "independent", "listed", "adaptive"))
    assert greedy.probability == pytest.approx(at_least(2000, 1700, 60, 6))
    assert greedy.expected_bias == pytest.approx(60 * 0.15 / 2000)
    assert (greedy.trials_needed, greedy.bits_needed) == (360, 150)
    maxima = binom.rvs(2000, 0.85, size=(4000, 360), random_state=np.random.default_rng(1)).max(axis=1)
    error = maxima.std() / np.sqrt(4000) / 2000
    assert abs(best.expected_bias - (maxima.mean() / 2000 - 0.85)) < 4 * error
    assert best.expected_bias < listed.expected_bias < adaptive.expected_bias
    assert best.probability <= listed.probability <= adaptive.probability
    assert list(answer.to_frame()["name"]) == ["greedy", "independent", "listed", "adaptive"]


def test_trials_needed_by_independent_settings_are_the_least():
    needed = tb.tuning_bias(500, accuracy=0.8, classes=2, trials=1, extra=30)["independent"].trials_needed
    tail = binom.sf(429, 500, 0.8)
    assert 1 - (1 - tail) ** needed >= 0.9 > 1 - (1 - tail) ** (needed - 1)
    folds = {"folds": 5, "setting": "per-fold", "extra": 30}
    apart = tb.tuning_bias(500, accuracy=0.8, classes=2, trials=1, **folds)["independent"].trials_needed
    reached = [
        tb.tuning_bias(500, accuracy=0.8, classes=2, trials=t, **folds)["independent"].probability
        for t in (apart - 1, apart)
    ]
    assert reached[0] < 0.9 <= reached[1]


def test_no_sample_of_settings_beats_the_bounds():
    # dependent settings too: every pair of settings shares most of its errors
    rng = np.random.default_rng(5)
    m, t, a, repeats = 200, 64, 0.7, 2000
    common = rng.random((repeats, m)) < a
    best = np.full(repeats, -1)
    for _ in range(t):
        again = rng.random((repeats, m)) < 0.5
        best = np.maximum(best, np.where(again, rng.random((repeats, m)) < a, common).sum(axis=1))
    answer = tb.tuning_bias(m, accuracy=a, classes=2, trials=t, extra=15)
    measured = best.mean() / m - a
    assert 0 < measured < answer["listed"].expected_bias
    assert measured < answer["independent"].expected_bias
    assert np.mean(best >= 155) <= answer["listed"].probability


def test_bounds_of_nothing_and_of_everything():
    assert bias_bound(0, 100, 0.7) == 0
    assert bias_bound(1e6, 100, 0.7) == pytest.approx(0.3)
    assert adaptive_bits(1, 50) == 0
    assert adaptive_bits(3, 50) == pytest.approx(log2(1 + 51 + 51**2))


def test_bits_limit_the_trials():
    by_bits = tb.tuning_bias(500, accuracy=0.8, classes=2, bits=5, trials=10_000)
    by_trials = tb.tuning_bias(500, accuracy=0.8, classes=2, trials=32)
    assert by_bits["independent"].probability == by_trials["independent"].probability
    assert by_bits.labels == 5
    assert by_bits["adaptive"].expected_bias == by_bits["listed"].expected_bias


def test_default_share_inverts_the_entropy():
    for p in (0.5, 0.651, 0.9, 0.999):
        h = -p * log2(p) - (1 - p) * log2(1 - p)
        assert default_share_of(h) == pytest.approx(p, abs=1e-9)


def test_heat_map_equals_the_equation_cell_by_cell():
    m, c = np.array([50, 200, 999]), np.array([0, 3, 60])
    grid = gain_map(m, c, accuracy=0.85, gain=0.01)
    for i, size in enumerate(m):
        for j, revealed in enumerate(c):
            if revealed > size:
                assert np.isnan(grid[i, j])
            else:
                hits = int(np.floor(0.85 * size + 0.5))
                assert grid[i, j] == pytest.approx(at_least(size, hits, revealed, ceil(0.01 * size)), rel=1e-9)


@pytest.mark.parametrize("trials", [1, 20, 1000])
@pytest.mark.parametrize(("accuracy", "gain"), [(0.85, 0.03), (0.6, 0.05), (0.95, 0.05)])
def test_needed_test_size_is_where_the_exact_chance_last_exceeds_the_risk(trials, accuracy, gain):
    size = tb.needed_test_size(trials, gain, accuracy=accuracy)
    m = np.arange(1, 3 * size + 100)
    reached = binom.sf(np.ceil(m * (accuracy + gain) - 1e-9) - 1, m, accuracy)
    chance = -np.expm1(trials * np.log1p(-reached))
    assert size == m[chance > 0.05].max() + 1


def test_needed_test_size_against_the_greedy_optimizer():
    size = tb.needed_test_size(40, 0.02, accuracy=0.8, scenario="greedy", classes=2)
    for m in range(20, 1200):
        chance = at_least(m, int(np.floor(0.8 * m + 0.5)), 20, ceil(0.02 * m - 1e-9))
        assert chance <= 0.05 if m >= size else m < size - 1 or chance > 0.05


@pytest.mark.parametrize("setting", ["per-fold", "fixed"])
@pytest.mark.parametrize("scenario", ["greedy", "independent", "listed"])
def test_needed_test_size_over_folds_brackets_the_calculator(setting, scenario):
    folds, gain, accuracy = 4, 0.06, 0.55
    options = {"classes": 2, "folds": folds, "setting": setting, "trials": 12}
    size = tb.needed_test_size(12, gain, accuracy=accuracy, scenario=scenario, setting=setting, folds=folds, classes=2)
    assert size % folds == 0

    def chance(m):
        hits = int(np.floor(accuracy * m + 0.5))
        wanted = ceil(m * (accuracy + gain) - 1e-9) - hits if scenario != "greedy" else ceil(m * gain - 1e-9)
        return tb.tuning_bias(m, hits=hits, extra=wanted, **options)[scenario].probability

    # sizes at which the accuracy makes whole hits, where the calculator and its inverse ask the same
    near = size // 20 * 20
    assert all(chance(m) <= 0.05 for m in (near + 20, near + 40, near + 200, 3 * near))
    assert any(chance(m) > 0.05 for m in range(max(20, near - 60), near, 20))


def test_adaptive_size_is_the_crossing_of_its_bound():
    size = tb.needed_test_size(5, 0.1, accuracy=0.7, scenario="adaptive")
    rate = 0.8 * log(0.8 / 0.7) + 0.2 * log(0.2 / 0.3)

    def bound(m):
        return adaptive_bits(5, m) * log(2) - m * rate - log(0.05)

    assert bound(size) <= 0 < bound(size - 1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: default_share_of(1.5),
        lambda: largest_of(binomial(3, 0.5), 0),
        lambda: gain_map(np.array([10]), np.array([2]), accuracy=0.5),
        lambda: tb.tuning_bias(100, hits=50, trials=5),
        lambda: tb.needed_test_size(10, 0.1, accuracy=0.8, scenario="worst"),
        lambda: tb.needed_test_size(10, 1e-6, accuracy=0.8),
        lambda: tb.needed_test_size(10, 1e-9, accuracy=0.85),
        lambda: tb.needed_test_size(10, 1e-9, accuracy=0.85, scenario="adaptive"),
        lambda: tb.needed_test_size(10, 1e-9, accuracy=0.85, scenario="listed"),
    ],
)
def test_mistakes_say_what_was_wrong_what_was_expected_and_what_to_do(call):
    assert_refused("expected", call)


def test_impossible_gains_need_no_more_than_the_folds():
    assert tb.needed_test_size(10, 0.3, accuracy=0.8) == 1
    answer = tb.tuning_bias(100, hits=100, classes=2, trials=8, extra=1)
    assert answer["greedy"].probability == 0
    assert answer["greedy"].trials_needed == inf
    assert answer["independent"].trials_needed == inf


@pytest.mark.parametrize(("accuracy", "gain"), [(0.55, 0.06), (0.7, 0.1), (0.83, 0.07)])
def test_needed_test_size_over_folds_heeds_jagged_chances(accuracy, gain):
    folds, trials = 3, 4
    size = tb.needed_test_size(trials, gain, accuracy=accuracy, setting="per-fold", folds=folds)
    allowed = []
    for m in range(folds, 2 * size, folds):
        best = largest_of(binomial(m // folds, accuracy), trials).times(folds)
        allowed.append(best.at_least(m * (accuracy + gain)) > 0.05)
    last = max(i for i, a in enumerate(allowed) if a)
    jagged = not all(allowed[: last + 1])
    assert size == folds * (last + 2)
    assert jagged


@pytest.mark.parametrize("m", [200, 5000, 10_000])
def test_one_trial_buys_nothing_whatever_rounding_does(m):
    answer = tb.tuning_bias(m, accuracy=0.75, classes=2, trials=1)
    assert [round(s.expected_bias, 12) for s in answer.scenarios] == [0, 0, 0, 0]
