"""The paper's kernels as formulas, for its figures and equations: cut off at bounds, and of integer attributes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from compendium.methods.clones.bandwidths import FAR_WEIGHT, fill_epanechnikov


def epanechnikov(size: int, rng: np.random.Generator) -> tuple[np.ndarray, int]:
    """Draw from the Epanechnikov kernel 3(1 - w²)/4 by rejection, and count the trials (Algorithm 2).

    Lemma 2 names 3 as the expected number of trials; that is the expected number of uniform variates.
    """
    values = np.empty(size)
    trials = fill_epanechnikov(rng, values, size)
    return values, int(trials)


def kernel_values(u: ArrayLike) -> np.ndarray:
    """Evaluate the Epanechnikov kernel of bandwidth 1 at points of any shape."""
    x = np.asarray(u, dtype=np.float64)
    return np.asarray(np.where(np.abs(x) < 1.0, 0.75 * (1.0 - x * x), 0.0))


def kernel_distribution(u: ArrayLike) -> np.ndarray:
    """Integrate the Epanechnikov kernel of bandwidth 1 from minus infinity to points of any shape."""
    x = np.clip(np.asarray(u, dtype=np.float64), -1.0, 1.0)
    return np.asarray(0.5 + 0.25 * x * (3.0 - x * x))


def corrected_kernel(x: ArrayLike, bounds: ArrayLike, *, centre: float = 0.0, h: float = 1.0) -> np.ndarray:
    """Evaluate a kernel cut off at bounds and divided by what is left of it (section 7.1 and Figure 1).

    ``bounds`` has shape (2,), or (d, 2) for the product of the kernels of the last axis of ``x``.
    """
    box, points = np.asarray(bounds, dtype=np.float64), np.asarray(x, dtype=np.float64)
    low, high = box[..., 0], box[..., 1]
    mass = kernel_distribution((high - centre) / h) - kernel_distribution((low - centre) / h)
    values = kernel_values((points - centre) / h) / (h * mass)
    values = np.where((points >= low) & (points <= high), values, 0.0)
    return np.asarray(values if box.ndim == 1 else values.prod(axis=-1))


def discrete_bandwidth(values: ArrayLike) -> float:
    """Return the bandwidth .05^(1/s²) of an integer attribute, s² being the variance of its values.

    Section 7.2, with ||x - y|| = s where the paper prints ||x - y||² = s.
    """
    x = np.asarray(values, dtype=np.float64)
    x = x[~np.isnan(x)]
    variance = float(np.var(x, ddof=1)) if x.size > 1 else 0.0
    return FAR_WEIGHT ** (1.0 / variance) if variance > 0.0 else 0.0


def discrete_weights(values: ArrayLike, centre: float, h: float) -> np.ndarray:
    """Weigh the values of an integer attribute by h to the power of their squared distance.

    Equation 20, whose denominator must sum over the values.
    """
    support = np.asarray(values, dtype=np.float64)
    weights = np.power(float(h), (support - float(centre)) ** 2)
    return np.asarray(weights / weights.sum())
