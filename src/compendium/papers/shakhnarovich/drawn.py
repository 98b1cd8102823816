"""Sets of trials drawn with replacement: those that several readings, rules and tables ask for are drawn once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from errorest.streams import Streams

__all__ = ["LARGEST_KEPT", "RESAMPLED", "drawn"]

RESAMPLED = 1000
"""How many sets are drawn."""

LARGEST_KEPT = 600
"""Sets of more trials are drawn whenever they are asked for: so what is kept takes 110 MiB at most."""

_KEPT = 96


def drawn(streams: Streams, n: int, *names: str) -> np.ndarray:
    """Draw sets of n trials with replacement: how often each trial is in each."""
    return _kept(streams, n, *names) if n <= LARGEST_KEPT else _anew(streams, n, *names)


def _anew(streams: Streams, n: int, *names: str) -> np.ndarray:
    sets = streams.generator(*names).multinomial(n, np.full(n, 1 / n), size=RESAMPLED)
    sets.flags.writeable = False
    return sets


@lru_cache(maxsize=_KEPT)
def _kept(streams: Streams, n: int, *names: str) -> np.ndarray:
    sets = _anew(streams, n, *names).astype(np.uint16)  # a quarter of the room
    sets.flags.writeable = False
    return sets
