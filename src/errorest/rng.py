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
from typing import Any

import numpy as np

__all__ = ["Streams", "stable_hash"]


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
    """Hash a JSON-like value to 64 bits, the same on every machine and Python.

    Parameters
    ----------
    value : JSON-like
        Strings, numbers, booleans, None, and lists, tuples and mappings of these.

    Returns
    -------
    int
        A number in ``[0, 2**64)``.

    Examples
    --------
    >>> stable_hash({"n": 10, "error": 0.25}) == stable_hash({"error": 0.25, "n": 10})
    True
    """
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
        path = self.path + tuple(_key(k) for k in keys)
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(self.entropy, spawn_key=path)))

    @classmethod
    def from_generator(cls, rng: np.random.Generator) -> Streams:
        """Make streams whose entropy is drawn from a generator (128 bits of it)."""
        high, low = (int(v) for v in rng.integers(0, 2**63, size=2))
        return cls((high << 63) | low)


def _key(key: Any) -> int:
    if isinstance(key, int | np.integer) and not isinstance(key, bool) and key >= 0:
        return int(key)
    return stable_hash(key)
