"""Random streams depend on what is drawn alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errorest.streams import Streams, stable_hash


@settings(deadline=None)  # the first example compiles
@given(st.integers(0, 2**130), st.lists(st.integers(0, 2**64 - 1), max_size=6))
def test_a_stream_is_numpys_seed_sequence_bit_for_bit(entropy, path):
    ours = Streams(entropy, tuple(path)).generator()
    plain = np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy, spawn_key=tuple(path))))
    assert ours.integers(0, 2**63, size=5).tolist() == plain.integers(0, 2**63, size=5).tolist()


def test_spawned_generators_differ_and_repeat():
    draws = [[g.random() for g in Streams(3).generator("x").spawn(4)] for _ in range(2)]
    assert draws[0] == draws[1]
    assert len(set(draws[0])) == 4


def test_other_keys_give_other_streams():
    place = Streams(1).child("study", {"n": 10})
    assert place.child(0).generator("a").random() != place.child(0).generator("b").random()
    assert place.child(0).generator("a").random() != place.child(1).generator("a").random()


def test_a_hash_forgets_the_order_of_keys_and_the_kind_of_sequence():
    assert stable_hash({"a": (1, 2), "b": 1.5}) == stable_hash({"b": 1.5, "a": [1, 2]})
    assert stable_hash(np.float64(0.25)) == stable_hash(0.25)


def test_a_hash_is_the_same_on_every_machine():
    assert stable_hash("k_fold(k=10)") == 15046527576970714411


def test_a_value_that_is_not_a_number_has_no_hash():
    with pytest.raises(ValueError, match="Out of range"):
        stable_hash(float("nan"))
