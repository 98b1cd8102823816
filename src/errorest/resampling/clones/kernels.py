"""Kernels: the noise that smoothes a sample, for continuous and for integer attributes.

The Epanechnikov kernel is drawn from by Algorithm 2 of Shakhnarovich, El-Yaniv & Baram
(2001); at a bound, a kernel is cut off and divided by what is left of it; values of an
integer attribute are weighted by how far apart they are.
"""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

import numba as nb
import numpy as np
from scipy.special import ndtr

from errorest.errors import UsageError, nearest

__all__ = [
    "KERNELS",
    "Kernel",
    "check_kernel",
    "corrected_kernel",
    "discrete_bandwidth",
    "discrete_weights",
    "epanechnikov",
    "kernel_distribution",
    "kernel_values",
]

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
    """Write that many draws of Algorithm 2 into ``out``, from its start; return the trials made.

    W and U of a trial are cut from one random number, 26 and 27 of its bits.  Each W is written,
    and the next one overwrites it where it was rejected: a branch would be mispredicted too often.
    """
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


def epanechnikov(size: int, rng: np.random.Generator) -> tuple[np.ndarray, int]:
    """Draw from the Epanechnikov kernel 3(1 - w²)/4 by rejection, and count the trials.

    References
    ----------
    Shakhnarovich, El-Yaniv & Baram (2001), Algorithm 2.  Its Lemma 2 names 3 as the expected
    number of trials; that is the expected number of uniform variates.
    """
    if size < 0:
        raise UsageError(f"epanechnikov was asked for {size} values; expected 0 or more; choose another number")
    values = np.empty(size)
    trials = fill_epanechnikov(rng, values, size)
    return values, int(trials)


def kernel_values(u: Any, kernel: str = "epanechnikov") -> np.ndarray:
    """Evaluate a kernel of bandwidth 1 at points of any shape."""
    check_kernel(kernel)
    x = np.asarray(u, dtype=np.float64)
    if kernel == "gaussian":
        return np.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    return np.asarray(np.where(np.abs(x) < 1.0, 0.75 * (1.0 - x * x), 0.0))


def kernel_distribution(u: Any, kernel: str = "epanechnikov") -> np.ndarray:
    """Integrate a kernel of bandwidth 1 from minus infinity to points of any shape."""
    check_kernel(kernel)
    x = np.asarray(u, dtype=np.float64)
    if kernel == "gaussian":
        return np.asarray(ndtr(x))
    x = np.clip(x, -1.0, 1.0)
    return np.asarray(0.5 + 0.25 * x * (3.0 - x * x))


def corrected_kernel(
    x: Any, bounds: Any, *, centre: Any = 0.0, h: Any = 1.0, kernel: str = "epanechnikov"
) -> np.ndarray:
    """Evaluate a kernel cut off at bounds and divided by what is left of it.

    References
    ----------
    Shakhnarovich, El-Yaniv & Baram (2001), section 7.1 and Figure 1.
    """
    check_kernel(kernel)
    box = np.asarray(bounds, dtype=np.float64)
    if box.shape != (2,) and not (box.ndim == 2 and box.shape[1] == 2):
        raise UsageError(
            f"corrected_kernel was given bounds of shape {box.shape}; expected (2,) for one dimension or (d, 2); "
            "give a low and a high value for each"
        )
    low, high = box[..., 0], box[..., 1]
    middle, width = np.asarray(centre, dtype=np.float64), np.asarray(h, dtype=np.float64)
    if not (width > 0).all():
        raise UsageError("corrected_kernel was given a bandwidth of 0 or less; expected positive ones; mend h")
    if not ((low <= middle).all() and (middle <= high).all() and (low < high).all()):
        raise UsageError(
            "corrected_kernel was given a centre outside its bounds; expected low <= centre <= high and low < high; "
            "mend the bounds or the centre"
        )
    points = np.asarray(x, dtype=np.float64)
    mass = kernel_distribution((high - middle) / width, kernel) - kernel_distribution((low - middle) / width, kernel)
    values = kernel_values((points - middle) / width, kernel) / (width * mass)
    values = np.where((points >= low) & (points <= high), values, 0.0)
    return np.asarray(values if box.ndim == 1 else values.prod(axis=-1))


def discrete_bandwidth(values: Any) -> float:
    """Return the bandwidth .05^(1/s²) of an integer attribute, s² being the variance of its values.

    References
    ----------
    Shakhnarovich, El-Yaniv & Baram (2001), section 7.2, with ||x - y|| = s where the paper prints
    ||x - y||² = s.
    """
    x = np.asarray(values, dtype=np.float64)
    x = x[~np.isnan(x)]
    spread = float(np.var(x, ddof=1)) if x.size > 1 else 0.0
    return FAR_WEIGHT ** (1.0 / spread) if spread > 0.0 else 0.0


def discrete_weights(values: Any, centre: float, h: float) -> np.ndarray:
    """Weigh the values of an integer attribute by h to the power of their squared distance.

    References
    ----------
    Shakhnarovich, El-Yaniv & Baram (2001), equation 20, whose denominator must sum over the values.
    """
    support = np.asarray(values, dtype=np.float64)
    if not 0.0 <= h <= 1.0 or support.ndim != 1 or support.size == 0:
        raise UsageError(
            f"discrete_weights was given h = {h} and values of shape {support.shape}; expected 0 <= h <= 1 and a list "
            "of at least one value; mend them"
        )
    weights = np.power(float(h), (support - float(centre)) ** 2)
    total = weights.sum()
    if not total > 0.0:
        raise UsageError(
            f"discrete_weights has no weight for centre {centre} at h = {h}; expected one of the values; "
            "choose a centre among them"
        )
    return np.asarray(weights / total)
