"""Random streams that depend on what is drawn, never on when or where.

A stream is named by a path of keys (study, cell, replicate, scheme).  Its seed
is ``SeedSequence(entropy, spawn_key=...)`` with one stable hash a key, so the
same draw comes out whatever the workers, the chunks or the order, and asking
for less or for more changes nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numba as nb
import numpy as np
from numpy.random.bit_generator import ISpawnableSeedSequence

__all__ = ["Seed", "Streams", "generator_of"]

Seed = int | np.random.Generator | np.random.RandomState
"""What random numbers may come from; of a RandomState four are drawn that seed a Generator."""


def canonical(value: Any) -> Any:
    """Bring a parameter to plain JSON types (tuples to lists, numpy scalars to Python's)."""
    if isinstance(value, Mapping):
        return {str(k): canonical(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [canonical(v) for v in value]
    if isinstance(value, np.ndarray):
        return canonical(value.tolist())
    if isinstance(value, np.generic):
        return value.item()
    return value


def stable_hash(value: Any) -> int:
    """Hash a JSON-like value to 64 bits, the same on every machine and Python."""
    text = json.dumps(canonical(value), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


@dataclass(frozen=True)
class Streams:
    """A place in the tree of random streams.

    Parameters
    ----------
    entropy : int
        The seed that a person chooses; non-negative.
    path : tuple of int
        Hashes of the keys that lead here.

    Examples
    --------
    >>> a = Streams(7).child("study", {"n": 10}).generator("k_fold")
    >>> b = Streams(7).child("study").child({"n": 10}).generator("k_fold")
    >>> bool(a.random() == b.random())
    True
    """

    entropy: int
    path: tuple[int, ...] = ()

    def child(self, *keys: Any) -> Streams:
        """Go down by one or more keys (JSON-like; a non-negative int stands for itself)."""
        return Streams(self.entropy, self.path + tuple(_key(k) for k in keys))

    def generator(self, *keys: Any) -> np.random.Generator:
        """Return a fresh generator for this place, or for the place below by ``keys``."""
        path = self.path + tuple([_key(k) for k in keys])
        return np.random.Generator(np.random.PCG64(_Seed(self.entropy, path)))  # type: ignore[arg-type]

    @classmethod
    def from_generator(cls, rng: np.random.Generator) -> Streams:
        """Make streams whose entropy is drawn from a generator (128 bits of it)."""
        high, low = (int(v) for v in rng.integers(0, 2**63, size=2))
        return cls((high << 63) | low)


def generator_of(seed: Seed | None) -> np.random.Generator:
    """Return a generator: the one that was given, or one that is seeded.

    Parameters
    ----------
    seed : int, Generator, RandomState or None
        Of a RandomState four numbers are drawn.

    Returns
    -------
    numpy.random.Generator

    Examples
    --------
    >>> first, again = (generator_of(np.random.RandomState(3)).random() for _ in range(2))
    >>> first == again
    True
    """
    if isinstance(seed, np.random.RandomState):
        return np.random.default_rng(seed.randint(2**31, size=4))
    return np.random.default_rng(seed)


_WHOLE = int | np.integer


def _key(key: Any) -> int:
    if isinstance(key, str):
        return hash_of_text(key)
    if isinstance(key, _WHOLE) and not isinstance(key, bool) and key >= 0:
        return int(key)
    return stable_hash(key)


@lru_cache(maxsize=4096)
def hash_of_text(text: str) -> int:
    return stable_hash(text)


class _Seed(ISpawnableSeedSequence):
    """``SeedSequence(entropy, spawn_key=path)``, bit for bit, with its words mixed in compiled code.

    A study opens a stream for every scheme of every sample, and the interpreted
    mixing costs more than the draws.  A test holds the two equal.
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


@nb.njit(cache=True)
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
