"""The tuning-bias equations, the greedy optimizer, the calculator and its inverse.

Simulated shares are held against exact probabilities by exact binomial tests with a fixed seed; the
false-alarm rate of each is 1e-4, so that of the module is under 1e-2.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import ceil, comb, inf, lgamma, log, log2

import numpy as np
import pytest
from scipy.stats import binom, binomtest

import errorest.tuning_bias as tb
from errorest.errors import UsageError

FALSE_ALARM = 1e-4


def exact_chance(m: int, hits: int, c: int, z: int) -> Fraction:
    """Equation (4) in whole numbers."""
    ways = sum(comb(hits, c - k) * comb(m - hits, k) for k in range(max(0, z), c + 1) if c - k <= hits)
    return Fraction(ways, comb(m, c))


def agrees(succeeded: int, trials: int, probability: float) -> bool:
    return binomtest(succeeded, trials, min(1.0, probability)).pvalue > FALSE_ALARM


def test_one_shot_lines_equal_enumeration_of_all_drawn_cases():
    for m in range(1, 7):
        for hits, c in itertools.product(range(m + 1), range(m + 1)):
            right = [True] * hits + [False] * (m - hits)
            gains = [sum(not right[i] for i in drawn) for drawn in itertools.combinations(range(m), c)]
            for z in range(-1, c + 2):
                share = np.mean([g >= z for g in gains])
                for line in (tb.equation_1, tb.equation_2, tb.equation_3, tb.equation_4):
                    assert line(m, hits, c, z) == pytest.approx(share, abs=1e-12), (line, m, hits, c, z)


@pytest.mark.parametrize(
    ("m", "hits", "c", "z"), [(2000, 1700, 60, 6), (2000, 1700, 16, 6), (1186, 1096, 85, 4), (300, 7, 250, 249)]
)
def test_one_shot_keeps_its_digits_where_whole_numbers_can_check_it(m, hits, c, z):
    exact = float(exact_chance(m, hits, c, z))
    for line in (tb.equation_1, tb.equation_2, tb.equation_3):
        assert line(m, hits, c, z) == pytest.approx(exact, rel=1e-11)
    assert tb.equation_4(m, hits, c, z) == pytest.approx(exact, rel=1e-9)


def test_small_tails_keep_their_relative_accuracy():
    exact = float(exact_chance(2000, 1700, 60, 45))
    assert exact < 1e-20
    assert tb.equation_1(2000, 1700, 60, 45) == pytest.approx(exact, rel=1e-10)
    assert tb.equation_3(2000, 1700, 60, 45) == pytest.approx(exact, rel=1e-10)


def test_a_million_cases_neither_overflow_nor_lose_the_answer():
    m, hits, c = 10**6, 850_000, 400_000
    assert tb.equation_1(m, hits, c, 60_000) == pytest.approx(tb.equation_3(m, hits, c, 60_000), rel=1e-9)
    assert tb.equation_4(m, hits, c, 60_000) == pytest.approx(tb.equation_1(m, hits, c, 60_000), rel=1e-6)
    assert tb.gain_one_shot(m, hits, c).mean() == pytest.approx(60_000, rel=1e-10)
    exact = lgamma(1001) - lgamma(201) + lgamma(999_201) - lgamma(1_000_001)  # C(1000, 800) / C(10^6, 800)
    assert tb.equation_4(m, 999_000, 800, 800, log=True) == pytest.approx(exact, rel=1e-10)
    assert tb.equation_4(m, 999_000, 800, 800) == 0.0


def test_per_fold_lines_equal_enumeration_over_folds():
    m, hits, c, n = 4, 2, 2, 3
    one = [sum(drawn) for drawn in itertools.combinations([1, 1, 0, 0], c)]
    gains = [n * c - sum(lost) for lost in itertools.product(one, repeat=n)]
    for wanted in range(-1, n * c + 2):
        share = np.mean([g >= wanted for g in gains])
        for line in (tb.equation_7, tb.equation_8, tb.equation_9):
            assert line(m, hits, c, n, wanted / n) == pytest.approx(share, abs=1e-12)
    for k in range(-1, n * c + 2):
        share = np.mean([g == k for g in gains])
        for line in (tb.equation_10, tb.equation_11, tb.equation_12, tb.equation_13):
            assert line(m, hits, c, n, k) == pytest.approx(share, abs=1e-12)
        for line in (tb.equation_20, tb.equation_21, tb.equation_22, tb.equation_23):
            assert line(m, hits, c, n, n * c - k) == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_fixed_lines_equal_enumeration_of_classes_and_hits(n):
    m, hits, c, p = 3, 2, 2, 0.7
    brought, given_up = {}, {}
    for classes in itertools.product((0, 1), repeat=n * c):
        y = np.reshape(classes, (c, n)).sum(axis=1)
        weight = p ** sum(classes) * (1 - p) ** (n * c - sum(classes))
        value = int(np.maximum(y, n - y).sum())
        brought[value] = brought.get(value, 0.0) + weight
    one = [sum(drawn) for drawn in itertools.combinations([1, 1, 0], c)]
    for lost in itertools.product(one, repeat=n):
        given_up[sum(lost)] = given_up.get(sum(lost), 0.0) + 1 / len(one) ** n
    for value in range(n * c + 1):
        for line in (tb.equation_18, tb.equation_19):
            assert line(c, n, p, value) == pytest.approx(brought.get(value, 0.0), abs=1e-12)
    for wanted in range(-n * c, n * c + 1):
        share = sum(a * b for y, a in brought.items() for x, b in given_up.items() if y - x >= wanted)
        for line in (tb.equation_15, tb.equation_16, tb.equation_17):
            assert line(m, hits, c, n, p, wanted / n) == pytest.approx(share, abs=1e-12)


def test_equation_14_is_the_distribution_of_the_commoner_class():
    for n, p in [(1, 0.3), (4, 0.5), (5, 0.9)]:
        y = np.arange(n + 1)
        for value in y:
            assert tb.equation_14(n, p, int(value)) == pytest.approx(
                binom.pmf(y, n, p)[np.maximum(y, n - y) == value].sum(), abs=1e-14
            )
        assert sum(tb.equation_14(n, p, int(v)) for v in y) == pytest.approx(1.0)


def test_distributions_sum_to_one():
    for d in (
        tb.gain_one_shot(300, 200, 50),
        tb.gain_per_fold(55, 12, 8, 5),
        tb.gain_fixed(64, 47, 7, 12, 0.65),
        tb.gain_fixed_class_coupled(7, 12, 0.65, 0.9, 0.5),
        tb.largest_of(tb.binomial(300, 0.9), 1e6),
        tb.hypergeometric(100_000, 85_000, 50_000).times(10),
    ):
        assert d.pmf.sum() == pytest.approx(1.0, abs=1e-11)


def test_misprints_differ_from_the_corrected_equations():
    assert tb.equation_5(2000, 1700, 150, 2.5, 6) == pytest.approx(tb.equation_4(2000, 1700, 60, 6))
    assert tb.equation_5(2000, 1700, 150, 2.5, 6, as_printed=True) > 0.999
    printed = [tb.equation_19(2, 9, 0.6, v, as_printed=True) for v in range(19)]
    assert abs(sum(printed) - 1) > 0.1
    assert [tb.equation_19(1, 9, 0.6, v, as_printed=True) for v in range(10)] == pytest.approx(
        [tb.equation_14(9, 0.6, v) for v in range(10)]
    )
    assert tb.condition_before_7(6, 12, 0.5)
    assert tb.condition_before_7(6, 12, 0.5, as_printed=True)
    assert tb.condition_before_7(7, 12, 0.5) != tb.condition_before_7(7, 12, 0.5, as_printed=True)
    assert tb.footnote_1(60, 6) == 291
    assert tb.equation_6(6, 150, 2.5) == 360


def test_entropy_rounding_never_tells_part_of_a_label():
    assert tb.labels_told(149.9, 2.5) == 59
    assert tb.labels_told(3 * 0.9331, 0.9331) == 3
    assert tb.bits_for_labels(60, 2.5) == 150


def test_class_coupling_with_equal_rates_is_the_binomial_form_of_independence():
    c, n, p, rate = 3, 6, 0.7, 0.8
    told = tb.most_frequent_in_folds(n, p).times(c)
    expected = told + -tb.binomial(n * c, rate)
    coupled = tb.gain_fixed_class_coupled(c, n, p, rate, rate)
    assert coupled.mean() == pytest.approx(expected.mean())
    for value in range(-n * c, n * c + 1):
        assert coupled.at(value) == pytest.approx(expected.at(value), abs=1e-12)


@pytest.mark.parametrize(
    ("setting", "m", "hits", "c", "folds", "classes", "extra"),
    [
        ("one-shot", 2000, 1700, 60, 1, 6, 6),
        ("one-shot", 300, 200, 10, 1, 2, 5),
        ("per-fold", 55, 12, 8, 5, 13, 28),
        ("per-fold", 20, 15, 4, 3, 3, 4),
        ("fixed", 64, 47, 7, 12, 2, 6),
        ("fixed", 30, 16, 9, 9, 2, 6),
    ],
)
def test_the_greedy_optimizer_succeeds_as_often_as_the_equations_say(setting, m, hits, c, folds, classes, extra):
    p, repeats = 0.6, 3000
    shares = [p, 1 - p] if classes == 2 else None
    runs = tb.simulate_greedy(
        m,
        hits,
        c,
        np.random.default_rng(20),
        setting=setting,
        folds=folds,
        classes=classes,
        shares=shares,
        repeats=repeats,
    )
    exact = {
        "one-shot": lambda: tb.equation_1(m, hits, c, extra),
        "per-fold": lambda: tb.equation_7(m, hits, c, folds, extra / folds),
        "fixed": lambda: tb.equation_15(m, hits, c, folds, p, extra / folds),
    }[setting]()
    assert runs.trials == c * classes
    assert (runs.hits == hits * folds).all()
    assert agrees(int((runs.gained >= extra).sum()), repeats, exact)
    assert not agrees(
        int((runs.gained >= extra).sum()), repeats, min(1.0, exact + 0.15) if exact < 0.5 else exact - 0.15
    )


def test_the_greedy_optimizer_sees_only_counts_yet_finds_every_label():
    runs = tb.simulate_greedy(12, 5, 12, np.random.default_rng(3), classes=4, repeats=50)
    assert (runs.hits + runs.gained == 12).all()


def test_on_real_cases_the_optimizer_gains_what_coupling_predicts():
    # a classifier that always answers class 0: told labels can only help where class 1 is commoner
    rng = np.random.default_rng(8)
    n, folds, p, c = 4_000, 10, 0.7, 3
    y = (rng.random(n) >= p).astype(int)
    fold = np.arange(n) % folds
    runs = tb.simulate_greedy_on(y, y == 0, fold, c, rng, repeats=2000)
    share = float(np.mean(y == 0))
    coupled = tb.gain_fixed_class_coupled(c, folds, share, 1.0, 0.0)
    independent = tb.gain_fixed(n // folds, int(share * n / folds), c, folds, share)
    succeeded = int((runs.gained >= 2).sum())
    assert agrees(succeeded, 2000, coupled.at_least(2))
    assert not agrees(succeeded, 2000, independent.at_least(2))
    assert (runs.gained >= 0).all()


def test_largest_of_equals_enumeration():
    one = tb.binomial(2, 0.3)
    for t in (1, 2, 3):
        for value in range(3):
            brute = sum(
                np.prod([one.at(v) for v in values])
                for values in itertools.product(range(3), repeat=t)
                if max(values) == value
            )
            assert tb.largest_of(one, t).at(value) == pytest.approx(brute)


def test_calculator_gives_the_paper_s_example_and_its_other_views():
    answer = tb.tuning_bias(2000, hits=1700, classes=6, entropy=2.5, trials=360, extra=6)
    greedy, best, listed, adaptive = (answer[k] for k in ("greedy", "independent", "listed", "adaptive"))
    assert greedy.probability == pytest.approx(tb.equation_4(2000, 1700, 60, 6))
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
        anew = rng.random((repeats, m)) < 0.5
        best = np.maximum(best, np.where(anew, rng.random((repeats, m)) < a, common).sum(axis=1))
    answer = tb.tuning_bias(m, accuracy=a, classes=2, trials=t, extra=15)
    measured = best.mean() / m - a
    assert 0 < measured < answer["listed"].expected_bias
    assert measured < answer["independent"].expected_bias
    assert np.mean(best >= 155) <= answer["listed"].probability


def test_bounds_of_nothing_and_of_everything():
    assert tb.bias_bound(0, 100, 0.7) == 0
    assert tb.bias_bound(1e6, 100, 0.7) == pytest.approx(0.3)
    assert tb.adaptive_bits(1, 50) == 0
    assert tb.adaptive_bits(3, 50) == pytest.approx(log2(1 + 51 + 51**2))


def test_bits_limit_the_trials():
    by_bits = tb.tuning_bias(500, accuracy=0.8, classes=2, bits=5, trials=10_000)
    by_trials = tb.tuning_bias(500, accuracy=0.8, classes=2, trials=32)
    assert by_bits["independent"].probability == by_trials["independent"].probability
    assert by_bits.labels == 5
    assert by_bits["adaptive"].expected_bias == by_bits["listed"].expected_bias


def test_default_share_inverts_the_entropy():
    for p in (0.5, 0.651, 0.9, 0.999):
        h = -p * log2(p) - (1 - p) * log2(1 - p)
        assert tb.default_share_of(h) == pytest.approx(p, abs=1e-9)


def test_heat_map_equals_the_equation_cell_by_cell():
    m, c = np.array([50, 200, 999]), np.array([0, 3, 60])
    grid = tb.gain_map(m, c, accuracy=0.85, gain=0.01)
    for i, size in enumerate(m):
        for j, told in enumerate(c):
            if told > size:
                assert np.isnan(grid[i, j])
            else:
                hits = int(np.floor(0.85 * size + 0.5))
                assert grid[i, j] == pytest.approx(tb.equation_4(size, hits, told, ceil(0.01 * size)), rel=1e-9)


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
        chance = tb.equation_1(m, int(np.floor(0.8 * m + 0.5)), 20, ceil(0.02 * m - 1e-9))
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
        return tb.adaptive_bits(5, m) * log(2) - m * rate - log(0.05)

    assert bound(size) <= 0 < bound(size - 1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: tb.equation_1(10, 11, 2, 1),
        lambda: tb.equation_1(10, 5, 11, 1),
        lambda: tb.equation_1(0, 0, 0, 0),
        lambda: tb.equation_1(10, 5, 2, 1.5),
        lambda: tb.equation_1(10.5, 5, 2, 1),
        lambda: tb.equation_2(10, -1, 2, 1),
        lambda: tb.equation_4(10, 5, 2, 0.1),
        lambda: tb.equation_5(10, 5, 100, 1.0, 1),
        lambda: tb.equation_5(10, 5, -1, 1.0, 1),
        lambda: tb.equation_6(1, 10, 0.5),
        lambda: tb.equation_6(2, 10, 1.2),
        lambda: tb.equation_6(2, 10, 0.0),
        lambda: tb.equation_7(10, 5, 2, 3, 0.5),
        lambda: tb.equation_7(10, 5, 2, 0, 1),
        lambda: tb.equation_14(3, 1.2, 2),
        lambda: tb.equation_15(10, 5, 2, 3, -0.1, 1),
        lambda: tb.default_share_of(1.5),
        lambda: tb.largest_of(tb.binomial(3, 0.5), 0),
        lambda: tb.gain_map(np.array([10]), np.array([2]), accuracy=0.5),
        lambda: tb.gain_map(np.array([10]), np.array([2]), accuracy=1.5, extra=1),
        lambda: tb.simulate_greedy(10, 5, 2, np.random.default_rng(0), shares=[0.5, 0.6]),
        lambda: tb.simulate_greedy(10, 5, 2, np.random.default_rng(0), setting="folds"),
        lambda: tb.simulate_greedy(10, 5, 2, np.random.default_rng(0), folds=3),
        lambda: tb.simulate_greedy_on(np.zeros(4, int), np.ones(4), np.arange(4) % 2, 3, np.random.default_rng(0)),
        lambda: tb.tuning_bias(100, hits=50, classes=2, folds=3, trials=5),
        lambda: tb.tuning_bias(100, hits=101, classes=2, trials=5),
        lambda: tb.tuning_bias(100, hits=50, accuracy=0.5, classes=2, trials=5),
        lambda: tb.tuning_bias(100, accuracy=50, classes=2, trials=5),
        lambda: tb.tuning_bias(100, hits=50, trials=5),
        lambda: tb.tuning_bias(100, hits=50, classes=2),
        lambda: tb.tuning_bias(100, hits=50, classes=1, trials=5),
        lambda: tb.tuning_bias(100, hits=50, classes=2, entropy=1.5, trials=5),
        lambda: tb.tuning_bias(100, hits=50, classes=2, trials=0),
        lambda: tb.tuning_bias(100, hits=50, classes=2, trials=5, extra=0.5),
        lambda: tb.tuning_bias(100, hits=50, classes=3, trials=5, folds=10),
        lambda: tb.tuning_bias(100, hits=50, classes=2, trials=5, target=2),
        lambda: tb.needed_test_size(10, 0.0, accuracy=0.8),
        lambda: tb.needed_test_size(10, 0.1, 1.5, accuracy=0.8),
        lambda: tb.needed_test_size(10, 0.1, accuracy=0.8, scenario="greedy"),
        lambda: tb.needed_test_size(10, 0.1, accuracy=0.8, scenario="worst"),
        lambda: tb.needed_test_size(0, 0.1, accuracy=0.8),
        lambda: tb.needed_test_size(10, 1e-6, accuracy=0.8),
    ],
)
def test_mistakes_say_what_was_wrong_what_was_expected_and_what_to_do(call):
    with pytest.raises(UsageError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    assert message.count(";") >= 2
    assert "expected" in message


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
        best = tb.largest_of(tb.binomial(m // folds, accuracy), trials).times(folds)
        allowed.append(best.at_least(m * (accuracy + gain)) > 0.05)
    last = max(i for i, a in enumerate(allowed) if a)
    jagged = not all(allowed[: last + 1])
    assert size == folds * (last + 2)
    assert jagged


@pytest.mark.parametrize("m", [200, 5000, 10_000])
def test_one_trial_buys_nothing_whatever_rounding_does(m):
    answer = tb.tuning_bias(m, accuracy=0.75, classes=2, trials=1)
    assert [round(s.expected_bias, 12) for s in answer.scenarios] == [0, 0, 0, 0]
