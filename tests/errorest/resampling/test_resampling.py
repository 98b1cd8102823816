"""Schemes: invariants of every one."""

from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batteries import assert_refused, rows_of
from compendium.methods.conformance import every_scheme
from errorest.resampling.draw import (
    bootstrap,
    holdout,
    k_fold,
    leave_one_out,
    leave_one_out_bootstrap,
)
from errorest.resampling.multisets import Resamples, concatenate, from_positions

seeds = st.integers(0, 2**32)
fast = settings(deadline=None, max_examples=40)


def rows(resamples: Resamples) -> list[tuple[list[int], list[int], int]]:
    """Cases trained on and tested and the replicate of each row."""
    return [(row.trained.tolist(), row.tested.tolist(), row.replicate) for row in rows_of(resamples)]


@fast
@given(st.integers(2, 40), st.data(), st.integers(1, 4), seeds)
def test_folds_test_every_case_once_a_repeat_and_train_on_all_others(n, data, repeats, seed):
    k = data.draw(st.integers(2, n))
    folds = k_fold(n, k, np.random.default_rng(seed), repeats=repeats)
    assert (folds.n_rows, folds.repeats) == (k * repeats, repeats)
    tests = folds.test_counts()
    np.testing.assert_array_equal(folds.training_counts() + tests, 1)
    for m in range(repeats):
        own = tests[folds.replicate == m]
        np.testing.assert_array_equal(own.sum(axis=0), 1)
        assert set(own.sum(axis=1)) <= {n // k, ceil(n / k)}
        assert sorted(folds.fold[folds.replicate == m]) == list(range(k))


@fast
@given(st.lists(st.integers(0, 4), min_size=2, max_size=40), st.data(), seeds)
def test_stratified_folds_keep_each_class_within_one_of_its_share(classes, data, seed):
    y = np.array(classes)
    k = data.draw(st.integers(2, y.size))
    folds = k_fold(y.size, k, np.random.default_rng(seed), strata=y, repeats=2)
    tests = folds.test_counts()
    np.testing.assert_array_equal(folds.training_counts() + tests, 1)
    for m in range(2):
        own = tests[folds.replicate == m]
        np.testing.assert_array_equal(own.sum(axis=0), 1)
        assert np.ptp(own.sum(axis=1)) <= 1
        for c in np.unique(y):
            inside = own[:, y == c].sum(axis=1)
            assert set(inside) <= {(y == c).sum() // k, ceil((y == c).sum() / k)}


@fast
@given(st.integers(2, 60), st.data(), st.integers(1, 3), seeds)
def test_a_holdout_tests_the_share_rounded_up_and_trains_on_the_rest(n, data, repeats, seed):
    k = data.draw(st.integers(2, 6))
    split = holdout(n, np.random.default_rng(seed), test=Fraction(1, k), repeats=repeats)
    assert np.diff(split.start).tolist() == [ceil(n / k)] * repeats
    np.testing.assert_array_equal(split.training_counts() + split.test_counts(), 1)
    assert split.replicate.tolist() == list(range(repeats))


@pytest.mark.parametrize(
    ("test", "size"), [(0.3, 3), (0.31, 4), (Fraction(1, 3), 4), (3, 3), (np.int64(7), 7), (0.1, 1)]
)
def test_a_float_share_is_the_short_fraction_that_it_stands_for(test, size):
    assert holdout(10, np.random.default_rng(0), test=test).cases.size == size


def test_one_case_and_a_share_of_one_are_distinguished_whichever_comes_first():
    rng = np.random.default_rng(0)
    for _ in range(2):
        assert holdout(10, rng, test=1).cases.size == 1
        assert_refused("asked to test", holdout, 10, rng, test=1.0)


@pytest.mark.parametrize("n", [2, 3, 10, 31, 32, 33, 64, 100])
@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937, np.random.Philox])
def test_repeated_splits_are_numpys_own_permutations(n, bits):
    for seed in range(20):
        folds = k_fold(n, 2, np.random.Generator(bits(seed)), repeats=5)
        lines = np.tile(np.arange(n) % 2, (5, 1))
        np.testing.assert_array_equal(folds.compact.labels, np.random.Generator(bits(seed)).permuted(lines, axis=1))


def test_a_shuffle_goes_on_where_its_random_words_ran_out():
    class Starved:
        """Hands out one random word at a time."""

        def __init__(self, seed):
            self.rng = np.random.default_rng(seed)

        def integers(self, low, high, size, dtype):
            return self.rng.integers(low, high, size=1, dtype=dtype)

    starved = k_fold(9, 3, Starved(4), repeats=6)
    np.testing.assert_array_equal(
        starved.compact.labels, k_fold(9, 3, np.random.default_rng(4), repeats=6).compact.labels
    )


def test_leave_one_out_tests_each_case_on_the_others_in_order():
    assert rows(leave_one_out(3)) == [([1, 2], [0], 0), ([0, 2], [1], 0), ([0, 1], [2], 0)]


@fast
@given(st.integers(2, 30), st.integers(1, 8), seeds)
def test_a_bootstrap_sample_has_n_draws_and_tests_what_was_not_sampled(n, replicates, seed):
    sampled = bootstrap(n, replicates, np.random.default_rng(seed))
    counts = sampled.training_counts()
    np.testing.assert_array_equal(counts.sum(axis=1), n)
    np.testing.assert_array_equal(sampled.test_counts(), counts == 0)
    assert sampled.replicate.tolist() == list(range(replicates))
    again = [bootstrap(n, replicates, np.random.default_rng(seed), test=t) for t in ("all", "training")]
    np.testing.assert_array_equal(again[0].training_counts(), counts)
    np.testing.assert_array_equal(again[0].test_counts(), 1)
    np.testing.assert_array_equal(again[1].test_counts(), counts)


@fast
@given(st.integers(2, 20), st.integers(1, 4), seeds)
def test_a_leave_one_out_bootstrap_never_trains_on_the_case_it_tests(n, replicates, seed):
    nested = leave_one_out_bootstrap(n, replicates, np.random.default_rng(seed))
    counts = nested.training_counts()
    assert nested.n_rows == n * replicates
    np.testing.assert_array_equal(counts.sum(axis=1), n)
    np.testing.assert_array_equal(np.diff(nested.start), 1)
    assert (counts[np.arange(nested.n_rows), nested.cases] == 0).all()
    for m in range(replicates):
        assert sorted(nested.cases[nested.replicate == m]) == list(range(n))


@fast
@given(st.integers(2, 12), st.lists(st.integers(0, 6), min_size=1, max_size=5))
def test_concatenated_resamples_keep_the_rows_of_their_parts(n, which):
    made = every_scheme(n)
    del made["folds of bootstrap samples"]  # these cannot stand in one list
    parts = [list(made.values())[i] for i in which]
    nested = concatenate([concatenate(parts), *parts])
    assert rows(nested)[: sum(p.n_rows for p in parts)] == rows(concatenate(parts))
    expected, before = [], 0
    for part in [*parts, *parts]:
        expected += [(train, test, m + before) for train, test, m in rows(part)]
        before += part.repeats
    assert rows(nested) == expected
    assert nested.repeats == before


def test_resamples_that_cannot_stand_in_one_list_are_refused():
    positions = from_positions(3, np.array([[0, 0, 2]], dtype=np.int32), np.array([[0, 1, 1]], dtype=np.int32))
    for parts in ([], [leave_one_out(3), leave_one_out(4)], [leave_one_out(3), positions]):
        assert_refused(None, concatenate, parts)


@pytest.mark.parametrize("max_bytes", [1, 100, 333, 1 << 26])
def test_blocks_cover_all_rows_within_their_bytes(max_bytes):
    for resamples in every_scheme(7).values():
        blocks = list(resamples.blocks(max_bytes))
        assert [a for a, _ in blocks] == [0, *[b for _, b in blocks[:-1]]]
        assert blocks[-1][1] == resamples.n_rows
        pieces = [resamples.training_counts(a, b) for a, b in blocks]
        assert all(p.nbytes <= max_bytes or p.shape[0] == 1 for p in pieces)
        np.testing.assert_array_equal(np.concatenate(pieces), resamples.training_counts())
        tests = [resamples.test_counts(a, b) for a, b in blocks]
        np.testing.assert_array_equal(np.concatenate(tests), resamples.test_counts())


def test_one_row_of_test_is_named_for_every_tested_case():
    for resamples in every_scheme(6).values():
        counts = np.bincount(resamples.row_of_test(), minlength=resamples.n_rows)
        np.testing.assert_array_equal(counts, np.diff(resamples.start))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda g: leave_one_out(1), "n = 1"),
        (lambda g: holdout(10, g, test=0), "test 0 of 10"),
        (lambda g: holdout(10, g, test=10), "test 10 of 10"),
        (lambda g: holdout(2, g, test=0.9), "test 0.9 of 2"),
        (lambda g: holdout(10, g, repeats=0), "repeats = 0"),
        (lambda g: k_fold(10, 1, g), "k = 1"),
        (lambda g: k_fold(10, 11, g), "k = 11"),
        (lambda g: bootstrap(5, 0, g), "replicates = 0"),
        (lambda g: bootstrap(5, 5, g, test="some"), "test 'some'"),
    ],
)
def test_a_number_out_of_bounds_is_refused_with_what_to_do(call, words):
    assert_refused(words, call, np.random.default_rng(0))
