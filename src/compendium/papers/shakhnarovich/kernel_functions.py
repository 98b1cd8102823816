"""The paper's kernels as formulas, for its figures and equations: cut off at bounds, and of integer attributes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import ndtr

from compendium.methods.clones.bandwidths import FAR_WEIGHT, check_kernel, fill_epanechnikov


def epanechnikov(size: int, rng: np.random.Generator) -> tuple[np.ndarray, int]:
    """Draw from the Epanechnikov kernel 3(1 - w²)/4 by rejection, and count the trials (Algorithm 2).

    Lemma 2 names 3 as the expected number of trials; that is the expected number of uniform variates.
    """
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
    """Evaluate a kernel cut off at bounds and divided by what is left of it (section 7.1 and Figure 1)."""
    check_kernel(kernel)
    box = np.asarray(bounds, dtype=np.float64)
    low, high = box[..., 0], box[..., 1]
    middle, width = np.asarray(centre, dtype=np.float64), np.asarray(h, dtype=np.float64)
    points = np.asarray(x, dtype=np.float64)
    mass = kernel_distribution((high - middle) / width, kernel) - kernel_distribution((low - middle) / width, kernel)
    values = kernel_values((points - middle) / width, kernel) / (width * mass)
    values = np.where((points >= low) & (points <= high), values, 0.0)
    return np.asarray(values if box.ndim == 1 else values.prod(axis=-1))


def discrete_bandwidth(values: Any) -> float:
    """Return the bandwidth .05^(1/s²) of an integer attribute, s² being the variance of its values.

    Section 7.2, with ||x - y|| = s where the paper prints ||x - y||² = s.
    """
    x = np.asarray(values, dtype=np.float64)
    x = x[~np.isnan(x)]
    spread = float(np.var(x, ddof=1)) if x.size > 1 else 0.0
    return FAR_WEIGHT ** (1.0 / spread) if spread > 0.0 else 0.0


def discrete_weights(values: Any, centre: float, h: float) -> np.ndarray:
    """Weigh the values of an integer attribute by h to the power of their squared distance.

    Equation 20, whose denominator must sum over the values.
    """
    support = np.asarray(values, dtype=np.float64)
    weights = np.power(float(h), (support - float(centre)) ** 2)
    return np.asarray(weights / weights.sum())
