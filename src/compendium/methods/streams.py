"""The random streams of studies: those of the library to the bit, their seeds mixed in compiled code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.random.bit_generator import ISpawnableSeedSequence

from errorest.compiled import kernel
from errorest.streams import Streams


@dataclass(frozen=True)
class CompiledStreams(Streams):
    """A place in the tree of random streams, each opened in a third of the time."""

    def generator(self, *keys: Any) -> np.random.Generator:
        """Return a fresh generator for this place, or for the place below by ``keys``."""
        return np.random.Generator(np.random.PCG64(_Seed(self.entropy, self.path_below(*keys))))  # type: ignore[arg-type]


class _Seed(ISpawnableSeedSequence):
    """``SeedSequence(entropy, spawn_key=path)``, bit for bit, with its words mixed in compiled code.

    A study opens a stream for every scheme of every sample, and numpy's mixing costs more than the draws.  A test holds
    the two equal.
    """

    def __init__(self, entropy: int, path: tuple[int, ...]) -> None:
        self._entropy, self._path = entropy, path
        self._plain: np.random.SeedSequence | None = None

    def _sequence(self) -> np.random.SeedSequence:
        if self._plain is None:
            self._plain = np.random.SeedSequence(self._entropy, spawn_key=self._path)
        return self._plain

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> np.ndarray:
        if n_words != 4 or dtype is not np.uint64:
            return self._sequence().generate_state(n_words, dtype)
        words = (
            _words_of_place(self._entropy, self._path[:-1]) + _words(self._path[-1])
            if self._path
            else _words(self._entropy)
        )
        return _mixed(np.array(words, dtype=np.uint32)).view(np.uint64)

    def spawn(self, n_children: int) -> list[Any]:
        return list(self._sequence().spawn(n_children))


@lru_cache(maxsize=4096)
def _words(value: int) -> tuple[int, ...]:
    """Cut a non-negative number into 32-bit words, the lowest first."""
    words = [value & 0xFFFFFFFF]
    while value := value >> 32:
        words.append(value & 0xFFFFFFFF)
    return tuple(words)


@lru_cache(maxsize=1024)
def _words_of_place(entropy: int, path: tuple[int, ...]) -> tuple[int, ...]:
    """Words of a place below which streams are opened; many are opened below one place."""
    words = _words(entropy)
    words += (0,) * (4 - len(words))
    for key in path:
        words += _words(key)
    return words


@kernel
def _mixed(words):  # type: ignore[no-untyped-def]
    """Mix words into a pool of four and stretch it to eight, as numpy's SeedSequence is documented to."""
    pool = np.zeros(4, dtype=np.uint32)
    factor = np.uint32(0x43B0D7E5)
    multiplier = np.uint32(0x931E8875)
    left, right = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)
    shift = np.uint32(16)
    n = words.shape[0]
    for i in range(4):
        value = words[i] if i < n else np.uint32(0)
        value = np.uint32(value ^ factor)
        factor = np.uint32(factor * multiplier)
        value = np.uint32(value * factor)
        pool[i] = np.uint32(value ^ (value >> shift))
    for source in range(max(4, n)):
        for i in range(4):
            if source == i:
                continue
            value = pool[source] if source < 4 else words[source]
            value = np.uint32(value ^ factor)
            factor = np.uint32(factor * multiplier)
            value = np.uint32(value * factor)
            value = np.uint32(value ^ (value >> shift))
            value = np.uint32(np.uint32(left * pool[i]) - np.uint32(right * value))
            pool[i] = np.uint32(value ^ (value >> shift))
    out = np.empty(8, dtype=np.uint32)
    factor = np.uint32(0x8B51F9DD)
    multiplier = np.uint32(0x58F38DED)
    for i in range(8):
        value = np.uint32(pool[i % 4] ^ factor)
        factor = np.uint32(factor * multiplier)
        value = np.uint32(value * factor)
        out[i] = np.uint32(value ^ (value >> shift))
    return out
