"""Random streams that depend on what is drawn, never on when or where.

A stream is named by a path of keys (study, cell, replicate, scheme).  Its seed
is ``SeedSequence(entropy, spawn_key=...)`` with one stable hash a key, so the
same draw results with any workers, chunks or order, and asking
for less or for more changes nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

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
    # SHA-256 of a canonical text, since Python's hash differs from process to process
    text = json.dumps(canonical(value), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


@dataclass(frozen=True)
class Streams:
    """A place in the tree of random streams.

    Parameters
    ----------
    entropy : int
        The user's seed; non-negative.
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
        """Go down by one or more keys (JSON-like; a non-negative int is its own hash)."""
        return type(self)(self.entropy, self.path_below(*keys))

    def path_below(self, *keys: Any) -> tuple[int, ...]:
        """Return the hashes that lead to the place below by ``keys``."""
        path = list(self.path)
        for key in keys:
            if isinstance(key, str):
                path.append(hash_of_text(key))
            elif isinstance(key, int | np.integer) and not isinstance(key, bool) and key >= 0:
                path.append(int(key))
            else:
                path.append(stable_hash(key))
        return tuple(path)

    def generator(self, *keys: Any) -> np.random.Generator:
        """Return a fresh generator for this place, or for the place below by ``keys``."""
        # spawn keys give independent streams: what else is drawn, or in which order, changes none of them
        seed = np.random.SeedSequence(self.entropy, spawn_key=self.path_below(*keys))
        return np.random.Generator(np.random.PCG64(seed))

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


@lru_cache(maxsize=4096)
def hash_of_text(text: str) -> int:
    return stable_hash(text)
