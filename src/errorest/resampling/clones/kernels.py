"""Kernels of the smoothed bootstrap: their names, and draws from the Epanechnikov kernel."""

from __future__ import annotations

from typing import Literal, get_args

import numba as nb
import numpy as np

from errorest.errors import UsageError, nearest

Kernel = Literal["epanechnikov", "gaussian"]
KERNELS: tuple[str, ...] = get_args(Kernel)

# Share of an attribute's spread that a discrete kernel is to leave one standard deviation away (section 7.2).
FAR_WEIGHT = 0.05

_CUTS = 2.0**26  # places of W in [-1, 1]; the other 27 bits of the word are U


def check_kernel(kernel: str) -> None:
    """Refuse the name of a kernel that there is not."""
    if kernel not in KERNELS:
        raise UsageError(
            f"unknown kernel '{kernel}'; expected one of {', '.join(KERNELS)}; {nearest(str(kernel), KERNELS)}"
        )


@nb.njit(cache=True)
def fill_epanechnikov(rng, out, size):  # type: ignore[no-untyped-def]
    """Write that many draws of Algorithm 2 into ``out``; return the trials made."""
    # W and U are cut from one random number; each W is written, and the next overwrites it where it was rejected: a
    # branch would be mispredicted too often
    trials = 0
    filled = 0
    while filled < size:
        word = _CUTS * rng.random()
        place = np.floor(word)
        w = (place + 0.5) * (2.0 / _CUTS) - 1.0
        out[filled] = w
        filled += word - place <= 1.0 - w * w
        trials += 1
    return trials
