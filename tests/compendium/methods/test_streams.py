"""Streams of studies are those of the library, and of numpy, bit for bit."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from compendium.methods.streams import CompiledStreams
from errorest.streams import Streams


@settings(deadline=None)  # the first example compiles
@given(st.integers(0, 2**130), st.lists(st.integers(0, 2**64 - 1), max_size=6))
def test_a_stream_is_numpys_seed_sequence_bit_for_bit(entropy, path):
    ours = CompiledStreams(entropy, tuple(path)).generator()
    plain = np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy, spawn_key=tuple(path))))
    assert ours.integers(0, 2**63, size=5).tolist() == plain.integers(0, 2**63, size=5).tolist()


def test_places_below_are_compiled_too_and_open_the_streams_of_the_library():
    place, plain = (made(7).child("study", {"n": 10}) for made in (CompiledStreams, Streams))
    assert isinstance(place, CompiledStreams)
    assert place.generator("a", 3).random() == plain.generator("a", 3).random()
    assert [g.random() for g in place.generator("x").spawn(2)] == [g.random() for g in plain.generator("x").spawn(2)]
