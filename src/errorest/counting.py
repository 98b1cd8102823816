"""``np.bincount`` and ``np.repeat`` where whole numbers have 64 bits and platforms' own have 32.

Both refuse 64-bit numbers on a platform of 32 bits, such as a browser, and counts made there would overflow.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def count_each(numbers: Any, weights: Any = None, minlength: int = 0) -> np.ndarray:
    """Count each of the numbers 0, 1, ... as int64, or add up their weights, as :func:`numpy.bincount` does."""
    total = np.bincount(np.asarray(numbers).astype(np.intp, copy=False), weights, minlength)
    return total.astype(np.int64, copy=False) if weights is None else total


def repeat_each(values: Any, counts: Any, axis: int | None = None) -> np.ndarray:
    """Repeat each value as often as its count says, as :func:`numpy.repeat` does."""
    return np.repeat(values, np.asarray(counts).astype(np.intp, copy=False), axis)
