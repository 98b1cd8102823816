"""Figures 4 and 5: how likely an absolute error of more than epsilon is, for .632+ with and without cloning.

The density of the absolute errors is estimated with the paper's own boundary-corrected
Epanechnikov kernel (errors are not negative), and integrated to the probability that the
error exceeds epsilon.  All errors are proportions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from errorest.resampling.clones.bandwidths import plug_in_bandwidth
from errorest.resampling.clones.kernels import kernel_distribution, kernel_values

__all__ = ["ErrorCurves", "crossing", "density", "error_curves", "tail"]

_POINTS = 241
_WIDTHS_BEYOND = 1.0


class ErrorCurves(NamedTuple):
    """Curves of several estimators over one grid of epsilon.

    ``densities`` and ``tails`` have one array an estimator, shape (points,); ``tails`` are
    proportions of trials, smoothed.
    """

    epsilon: np.ndarray
    densities: Mapping[str, np.ndarray]
    tails: Mapping[str, np.ndarray]

    def frame(self) -> pd.DataFrame:
        """Return the curves as columns epsilon, ``<estimator>/density``, ``<estimator>/tail``."""
        columns = {"epsilon": self.epsilon}
        for name in self.densities:
            columns |= {f"{name}/density": self.densities[name], f"{name}/tail": self.tails[name]}
        return pd.DataFrame(columns)


def density(values: np.ndarray, at: np.ndarray, bandwidth: float, low: float = -np.inf) -> np.ndarray:
    """Estimate a density with Epanechnikov kernels that are cut off at a boundary and scaled to area 1.

    Parameters
    ----------
    values : float array, shape (n,)
        All at least ``low``.
    at : float array, shape (m,)
    bandwidth : float
        Greater than 0.
    low : float
        Below it the density is 0.

    Returns
    -------
    float array, shape (m,)

    References
    ----------
    Shakhnarovich, El-Yaniv & Baram (2001), sections 4.1 and 7.1.

    Examples
    --------
    >>> density(np.array([0.0]), np.array([-0.5, 0.0]), 1.0, low=0.0).tolist()
    [0.0, 1.5]
    """
    kernel = kernel_values((at[:, None] - values) / bandwidth) / bandwidth
    inside = 1.0 - kernel_distribution((low - values) / bandwidth)
    return np.where(at >= low, (kernel / inside).mean(axis=1), 0.0)


def tail(values: np.ndarray, at: np.ndarray, bandwidth: float, low: float = -np.inf) -> np.ndarray:
    """Integrate :func:`density` from each point on: the probability of a larger value.

    Parameters
    ----------
    values : float array, shape (n,)
    at : float array, shape (m,)
    bandwidth : float
        0 stands for no smoothing.
    low : float

    Returns
    -------
    float array, shape (m,)
        Proportions.

    Examples
    --------
    >>> tail(np.array([0.1, 0.3]), np.array([0.0, 0.2]), 0.0).tolist()
    [1.0, 0.5]
    """
    if bandwidth == 0:
        return np.asarray((values > at[:, None]).mean(axis=1))
    inside = 1.0 - kernel_distribution((low - values) / bandwidth)
    beyond = 1.0 - kernel_distribution((np.maximum(at, low)[:, None] - values) / bandwidth)
    return np.asarray((beyond / inside).mean(axis=1))


def _bandwidth(values: np.ndarray) -> float:
    return float(plug_in_bandwidth(values)) if np.ptp(values) > 0 else 0.0


def error_curves(errors: Mapping[str, np.ndarray]) -> ErrorCurves:
    """Estimate density and tail of the absolute errors of several estimators on one grid.

    Parameters
    ----------
    errors : mapping of str to float array, shape (trials,)
        Estimate minus true error, proportions.

    Returns
    -------
    ErrorCurves
    """
    sizes = {name: np.abs(e) for name, e in errors.items()}
    widths = {name: _bandwidth(v) for name, v in sizes.items()}
    most = max(float(v.max()) + _WIDTHS_BEYOND * widths[name] for name, v in sizes.items())
    at = np.linspace(0.0, most if most > 0 else 1.0, _POINTS)
    densities = {
        name: density(v, at, widths[name], 0.0) if widths[name] > 0 else np.full(at.shape, np.nan)
        for name, v in sizes.items()
    }
    return ErrorCurves(at, densities, {name: tail(v, at, widths[name], 0.0) for name, v in sizes.items()})


def crossing(epsilon: np.ndarray, first: np.ndarray, second: np.ndarray, least: float) -> float:
    """Return the epsilon beyond which one tail stays below another.

    Parameters
    ----------
    epsilon : float array, shape (m,)
        Rising from 0.
    first, second : float arrays, shape (m,)
        Tails; how far must one go for the first to stay below the second?
    least : float
        Tails below it (one trial, say) are no evidence and are passed over.

    Returns
    -------
    float
        0 if the first is nowhere above the second.

    Examples
    --------
    >>> grid = np.array([0.0, 0.1, 0.2, 0.3])
    >>> round(crossing(grid, np.array([1.0, 0.7, 0.2, 0.0]), np.array([1.0, 0.6, 0.4, 0.1]), 0.01), 4)
    0.1333
    """
    seen = np.maximum(first, second) >= least
    above = np.nonzero((first > second + 1e-12) & seen)[0]
    if above.size == 0:
        return 0.0
    last = int(above[-1])
    if last + 1 == epsilon.shape[0] or not seen[last + 1]:
        return float(epsilon[last])
    before, after = first[last] - second[last], second[last + 1] - first[last + 1]
    share = before / (before + after) if before + after > 0 else 0.0
    return float(epsilon[last] + share * (epsilon[last + 1] - epsilon[last]))
