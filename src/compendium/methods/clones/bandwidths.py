"""Kernels of the smoothed bootstrap, and direct plug-in bandwidths in one dimension (Wand & Jones, 1995, 3.6.1).

The best bandwidth depends on psi_4, its pilot on psi_6, and so on; the chain starts from a normal density.
"""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

import numpy as np
from numpy.polynomial.hermite_e import herme2poly

from errorest.compiled import inner, kernel
from errorest.errors import UsageError, unknown

Kernel = Literal["epanechnikov", "gaussian"]
KERNELS: tuple[str, ...] = get_args(Kernel)

# Share of an attribute's spread that a discrete kernel is to leave one standard deviation away (section 7.2).
FAR_WEIGHT = 0.05

_CUTS = 2.0**26  # places of W in [-1, 1]; the other 27 bits of the word are U


def check_kernel(kernel: str) -> None:
    """Refuse the name of a kernel that there is not."""
    if kernel not in KERNELS:
        raise unknown("kernel", kernel, KERNELS)


@kernel
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


MOST_STAGES = 6

# Above this many values, functionals are estimated from counts on a grid.
_EXACT = 1500
_GRID = 2049

# Coefficients, in u², of the Hermite polynomials of the even orders, a row each
_HERMITE = np.zeros((MOST_STAGES + 2, MOST_STAGES + 2))
for _half in range(MOST_STAGES + 2):
    _HERMITE[_half, : _half + 1] = herme2poly(np.eye(2 * _half + 1)[-1])[::2]


def roughness_ratio(kernel: str) -> float:
    """Return R(K)/mu2(K)², the constant of a kernel in equation 11."""
    check_kernel(kernel)
    return 15.0 if kernel == "epanechnikov" else 0.5 / math.sqrt(math.pi)


def plug_in_bandwidth(x: Any, *, stages: int = 2, kernel: str = "epanechnikov") -> float:
    """Choose a bandwidth by direct plug-in (Shakhnarovich et al., equations 11-13; the power 1/5 lacks in print)."""
    ratio = roughness_ratio(kernel)
    check_stages(stages)
    try:
        values = np.array(x, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.array([[np.nan]])
    if values.ndim != 1 or np.isinf(values).any():
        raise UsageError("plug_in_bandwidth was given no list of finite numbers; expected shape (n,)")
    return float(bandwidth_of(np.ascontiguousarray(values[~np.isnan(values)]), stages, ratio))


def check_stages(stages: int) -> None:
    """Refuse a number of stages out of bounds (see :func:`plug_in_bandwidth`)."""
    whole = isinstance(stages, int | np.integer) and not isinstance(stages, bool)
    if not whole or not 0 <= stages <= MOST_STAGES:
        raise UsageError(
            f"{stages} stages were asked for; expected a whole number from 0 to {MOST_STAGES}; the usual number is 2"
        )


@kernel
def bandwidth_of(x, stages, ratio):  # type: ignore[no-untyped-def]
    """Choose a bandwidth for values without NaN; ``ratio`` is the kernel's R(K)/mu2²."""
    n = x.shape[0]
    if n < 2:
        return 0.0
    width = x.max() - x.min()
    if not width > 0.0:
        return 0.0
    # standardised, so that no power of the scale under- or overflows
    z = (x - x.min()) / width
    z -= z.sum() / n
    spread = math.sqrt((z * z).sum() / (n - 1))
    z /= spread
    order = 4 + 2 * stages
    # psi of that order for the standard normal density
    psi = 1.0 / math.sqrt(math.pi) / 2.0 ** (order + 1)
    for k in range(order // 2 + 1, order + 1):
        psi *= k
    psi = psi if order % 4 == 0 else -psi
    for _ in range(stages):
        order -= 2
        # an even derivative of the standard normal density at zero
        at_zero = 1.0 / math.sqrt(2.0 * math.pi)
        for k in range(1, order, 2):
            at_zero *= -k
        pilot = (-2.0 * at_zero / (psi * n)) ** (1.0 / (order + 3))
        # psi of this order with a Gaussian pilot, all pairs i, j counted
        total = _pair_sum(z, pilot, order) if n <= _EXACT else _grid_sum(z, pilot, order)
        whole = n * at_zero * math.sqrt(2.0 * math.pi) + 2.0 * total
        psi = whole / math.sqrt(2.0 * math.pi) / (float(n) * n) / pilot ** (order + 1)
    return width * spread * (ratio / (psi * n)) ** 0.2


@inner
def _term(t, coefficients):  # type: ignore[no-untyped-def]
    """Return He(u) exp(-u²/2) for t = u²."""
    value = 0.0
    for k in range(coefficients.shape[0] - 1, -1, -1):
        value = value * t + coefficients[k]
    return value * math.exp(-0.5 * t)


@kernel
def _pair_sum(z, g, order):  # type: ignore[no-untyped-def]
    """Sum He(u) exp(-u²/2) over the pairs i < j, u being their distance in pilot bandwidths."""
    coefficients = _HERMITE[order // 2, : order // 2 + 1]
    places = z / g
    total = 0.0
    for i in range(1, z.shape[0]):
        part = 0.0
        for j in range(i):
            u = places[i] - places[j]
            part += _term(u * u, coefficients)
        total += part
    return total


@kernel
def _grid_sum(z, g, order):  # type: ignore[no-untyped-def]
    """Approximate :func:`_pair_sum` from linearly shared counts on an even grid."""
    n, low = z.shape[0], z.min()
    step = (z.max() - low) / (_GRID - 1)
    counts = np.zeros(_GRID)
    for i in range(n):
        place = (z[i] - low) / step
        left = min(int(place), _GRID - 2)
        counts[left + 1] += place - left
        counts[left] += 1.0 - (place - left)
    coefficients = _HERMITE[order // 2, : order // 2 + 1]
    ordered = 0.0
    for k in range(_GRID):
        shared = 0.0
        for a in range(_GRID - k):
            shared += counts[a] * counts[a + k]
        ordered += (shared if k == 0 else 2.0 * shared) * _term((k * step / g) ** 2, coefficients)
    # the diagonal belongs to the caller
    return 0.5 * (ordered - n * coefficients[0])
