"""The equations of Scheffer & Herbrich against enumeration and against the greedy optimizer run as an algorithm.

Simulated shares are compared with exact probabilities by exact binomial tests with a fixed seed; the false-alarm rate
of each is 1e-4.
"""

import itertools
from collections import Counter
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import binomtest

import compendium.papers.scheffer_herbrich.equations as eq
from batteries import assert_refused
from compendium.methods.tuning_bias.distributions import (
    binomial,
    hypergeometric_at_least,
    labels_revealed,
    most_frequent_in_folds,
)
from compendium.papers.scheffer_herbrich.greedy import simulate_greedy, simulate_greedy_on

FALSE_ALARM = 1e-4


def one_shot(m: int, hits: int, c: int, z: int) -> tuple[float, float]:
    """Lines (1) and (3): P(c - X >= z)."""
    return hypergeometric_at_least(m, m - hits, c, z), eq.gain_one_shot(m, hits, c).at_least(z)


def agrees(succeeded: int, trials: int, probability: float) -> bool:
    return binomtest(succeeded, trials, min(1.0, probability)).pvalue > FALSE_ALARM


def test_one_shot_lines_equal_enumeration_of_all_sampled_cases():
    for m in range(1, 7):
        for hits, c in itertools.product(range(m + 1), range(m + 1)):
            right = [True] * hits + [False] * (m - hits)
            gains = [sum(not right[i] for i in sampled) for sampled in itertools.combinations(range(m), c)]
            for z in range(-1, c + 2):
                share = np.mean([g >= z for g in gains])
                for chance in one_shot(m, hits, c, z):
                    assert chance == pytest.approx(share, abs=1e-12), (m, hits, c, z)


@pytest.mark.parametrize(
    ("m", "hits", "c", "z"),
    # the last chance is below 1e-20
    [(2000, 1700, 60, 6), (2000, 1700, 16, 6), (1186, 1096, 85, 4), (300, 7, 250, 249), (2000, 1700, 60, 45)],
)
def test_one_shot_keeps_its_digits_where_whole_numbers_can_check_it(m, hits, c, z):
    # equation (4) in whole numbers
    ways = sum(comb(hits, c - k) * comb(m - hits, k) for k in range(max(0, z), c + 1) if c - k <= hits)
    exact = float(Fraction(ways, comb(m, c)))
    assert one_shot(m, hits, c, z) == pytest.approx((exact, exact), rel=1e-10)


def test_a_million_cases_neither_overflow_nor_lose_the_answer():
    m, hits, c = 10**6, 850_000, 400_000
    first, third = one_shot(m, hits, c, 60_000)
    assert third == pytest.approx(first, rel=1e-9)
    assert eq.gain_one_shot(m, hits, c).mean() == pytest.approx(60_000, rel=1e-10)


def test_per_fold_lines_equal_enumeration_over_folds():
    m, hits, c, n = 4, 2, 2, 3
    one = [sum(sampled) for sampled in itertools.combinations([1, 1, 0, 0], c)]
    gains = [n * c - sum(lost) for lost in itertools.product(one, repeat=n)]
    for wanted in range(-1, n * c + 2):
        chances = eq.gain_per_fold(m, hits, c, n)
        assert chances.at_least(wanted) == pytest.approx(np.mean([g >= wanted for g in gains]), abs=1e-12)
        assert chances.at(wanted) == pytest.approx(np.mean([g == wanted for g in gains]), abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_fixed_lines_equal_enumeration_of_classes_and_hits(n):
    m, hits, c, p = 3, 2, 2, 0.7
    given_up = [sum(sampled) for sampled in itertools.combinations([1, 1, 0], c)]
    chances = Counter()
    for classes in itertools.product((0, 1), repeat=n * c):
        y = np.reshape(classes, (c, n)).sum(axis=1)
        brought = np.maximum(y, n - y).sum()
        for lost in itertools.product(given_up, repeat=n):
            chances[brought - sum(lost)] += p ** y.sum() * (1 - p) ** (n * c - y.sum()) / len(given_up) ** n
    for wanted in range(-n * c, n * c + 1):
        share = sum(chance for gain, chance in chances.items() if gain >= wanted)
        assert eq.gain_fixed(m, hits, c, n, p).at_least(wanted) == pytest.approx(share, abs=1e-12)


def test_trials_are_as_many_for_each_label_as_there_are_classes():
    assert eq.equation_6(6, 150, 2.5) == 360


def test_entropy_rounding_never_tells_part_of_a_label():
    assert labels_revealed(149.9, 2.5) == 59
    assert labels_revealed(3 * 0.9331, 0.9331) == 3


def test_class_coupling_with_equal_rates_is_the_binomial_form_of_independence():
    c, n, p, rate = 3, 6, 0.7, 0.8
    report = most_frequent_in_folds(n, p).times(c)
    expected = report + -binomial(n * c, rate)
    coupled = eq.gain_fixed_class_coupled(c, n, p, rate, rate)
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
    design = {"setting": setting, "folds": folds, "classes": classes, "shares": [p, 1 - p] if classes == 2 else None}
    runs = simulate_greedy(m, hits, c, np.random.default_rng(20), repeats=repeats, **design)
    exact = {
        "one-shot": lambda: eq.gain_one_shot(m, hits, c),
        "per-fold": lambda: eq.gain_per_fold(m, hits, c, folds),
        "fixed": lambda: eq.gain_fixed(m, hits, c, folds, p),
    }[setting]().at_least(extra)
    assert runs.trials == c * classes
    assert (runs.hits == hits * folds).all()
    succeeded = int((runs.gained >= extra).sum())
    assert agrees(succeeded, repeats, exact)
    assert not agrees(succeeded, repeats, exact + 0.15 if exact < 0.5 else exact - 0.15)


def test_the_greedy_optimizer_sees_only_counts_yet_finds_every_label():
    runs = simulate_greedy(12, 5, 12, np.random.default_rng(3), classes=4, repeats=50)
    assert (runs.hits + runs.gained == 12).all()


def test_on_real_cases_the_optimizer_gains_what_coupling_predicts():
    # a classifier that always answers class 0: told labels can only help where class 1 is commoner
    rng = np.random.default_rng(8)
    n, folds, p, c = 4_000, 10, 0.7, 3
    y = (rng.random(n) >= p).astype(int)
    fold = np.arange(n) % folds
    runs = simulate_greedy_on(y, y == 0, fold, c, rng, repeats=2000)
    share = float(np.mean(y == 0))
    coupled = eq.gain_fixed_class_coupled(c, folds, share, 1.0, 0.0)
    independent = eq.gain_fixed(n // folds, int(share * n / folds), c, folds, share)
    succeeded = int((runs.gained >= 2).sum())
    assert agrees(succeeded, 2000, coupled.at_least(2))
    assert not agrees(succeeded, 2000, independent.at_least(2))
    assert (runs.gained >= 0).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda: eq.gain_one_shot(10, 11, 2),
        lambda: eq.gain_one_shot(10, -1, 2),
        lambda: eq.gain_per_fold(10, 5, 12, 2),
        lambda: simulate_greedy_on(np.zeros(4, int), np.ones(4), np.arange(4) % 2, 3, np.random.default_rng(0)),
    ],
)
def test_impossible_counts_are_refused(call):
    assert_refused(None, call)
