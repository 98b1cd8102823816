"""The appendix's models of class reversal, fitted to what was simulated (Figure 17).

The paper does not say how its models were fitted; least squares without weights is the
plainest way.  The models are approximations: weighted by Monte Carlo error they go where
the simulation is most exact, which is shown beside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite, nan

import numpy as np
import pandas as pd
from scipy import optimize
from scipy.special import ndtr

__all__ = ["MODELS", "Cells", "Fit", "cells_of", "fit_model", "model_values"]

Coefficients = tuple[float, ...]
Model = Callable[..., np.ndarray]


def _falling_short(inherents: int) -> Model:
    """Return the model of a mean that is 1 less so many times the inherent error, but for a term that k shapes."""

    def model(n: np.ndarray, distance: np.ndarray, *k: float) -> np.ndarray:
        inherent = ndtr(-distance / 2)
        deficit = (k[0] + k[1] / n) * (0.5 - inherent) ** (k[2] + k[3] / n) * np.sqrt(inherent)
        return 1 - inherents * inherent - deficit

    return model


def _likelihood_at_equal_means(n: np.ndarray, distance: np.ndarray, *k: float) -> np.ndarray:
    z = distance * np.sqrt(n - 2)
    return k[0] * np.exp(-k[1] * z - k[2] * z**2)


def _likelihood(n: np.ndarray, distance: np.ndarray, *k: float) -> np.ndarray:
    z = distance * np.sqrt(n - 2)
    return _likelihood_at_equal_means(n, distance, *k[:3]) + k[3] / (n - 2) ** 2 * (z / (1 + z)) ** k[4]


MODELS: dict[str, tuple[Model, Coefficients]] = {
    "mean-true-error": (_falling_short(1), (0.5, 5.0, 0.5, 1.0)),
    "mean-difference": (_falling_short(2), (0.5, 5.0, 0.5, 1.0)),
    "likelihood": (_likelihood, (0.3, 0.2, 0.1, 1.0, 10.0)),
}
"""Each model of (n, distance, k0, k1, ...) with the values that its fit starts from."""

_TRIALS = 20_000


def model_values(name: str, n: np.ndarray, distance: np.ndarray, coefficients: Coefficients) -> np.ndarray:
    """Evaluate a model of the appendix.

    Parameters
    ----------
    name : str
        A key of :data:`MODELS`.
    n, distance : float arrays
        Sample size and distance of the class means, of one shape.
    coefficients : tuple of float
        k0, k1, ...

    Returns
    -------
    float array
        Proportions.

    References
    ----------
    Martin & Hirschberg (1996), appendix, Figure 17.

    Examples
    --------
    >>> round(float(model_values("likelihood", np.array([10.0]), np.array([0.0]), (0.25, 0.1, 0.05, 2.0, 9.0))[0]), 3)
    0.25
    """
    return MODELS[name][0](np.asarray(n, dtype=float), np.asarray(distance, dtype=float), *coefficients)


@dataclass(frozen=True, eq=False)
class Cells:
    """What was simulated for one rule; arrays of shape (sizes, distances), proportions.

    Parameters
    ----------
    n, distance : float arrays
    samples : int
        Of each cell.
    likelihood, likelihood_se : float arrays
        Share of samples whose classifier is reversed.
    reversed_error, reversed_se : float arrays
        Mean true error of reversed classifiers; NaN where there is none (or one, for the error).
    unreversed_error, unreversed_se : float arrays
    """

    n: np.ndarray
    distance: np.ndarray
    samples: int
    likelihood: np.ndarray
    likelihood_se: np.ndarray
    reversed_error: np.ndarray
    reversed_se: np.ndarray
    unreversed_error: np.ndarray
    unreversed_se: np.ndarray

    @property
    def inherent(self) -> np.ndarray:
        """Inherent error of each cell's population."""
        return ndtr(-self.distance / 2)

    @property
    def difference(self) -> np.ndarray:
        """Mean true error of reversed minus that of unreversed classifiers."""
        return self.reversed_error - self.unreversed_error

    @property
    def difference_se(self) -> np.ndarray:
        """Standard error of :attr:`difference`."""
        return np.hypot(self.reversed_se, self.unreversed_se)

    @property
    def increase(self) -> np.ndarray:
        """Likelihood times difference: what reversals add to the mean true error; 0 where none occurred."""
        return np.where(self.likelihood > 0, self.likelihood * np.nan_to_num(self.difference), 0.0)

    @property
    def increase_se(self) -> np.ndarray:
        """Standard error of :attr:`increase`."""
        return np.hypot(
            self.likelihood_se * np.nan_to_num(self.difference), self.likelihood * np.nan_to_num(self.difference_se)
        )

    def of(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the values and standard errors that a model is fitted to."""
        if name == "likelihood":
            return self.likelihood, self.likelihood_se
        if name == "mean-true-error":
            return self.reversed_error, self.reversed_se
        return self.difference, self.difference_se

    def frame(self) -> pd.DataFrame:
        """Return all of it as a table, one row a cell."""
        names = ("n", "distance", "inherent", "likelihood", "likelihood_se", "reversed_error", "reversed_se")
        more = ("unreversed_error", "unreversed_se", "difference", "difference_se", "increase", "increase_se")
        return pd.DataFrame({name: np.ravel(getattr(self, name)) for name in names + more})


def cells_of(results: pd.DataFrame, rule: str) -> Cells:
    """Sum a study's batches to one mean and error a cell.

    Parameters
    ----------
    results : DataFrame
        From :func:`~errorest.papers.martin_hirschberg.reversal.experiment.reversals_study`.
    rule : str

    Returns
    -------
    Cells
    """
    columns = ["reversed", *(f"{g}-{p}" for g in ("reversed", "unreversed") for p in ("sum", "squares"))]
    own = results[results["rule"] == rule]
    groups = own.groupby(["n", "distance"], sort=True)
    totals = groups[columns].sum()
    shape = (own["n"].nunique(), own["distance"].nunique())
    samples = int(groups["samples"].sum().iloc[0])
    values = totals.to_numpy(dtype=float).T.reshape(len(columns), *shape)
    count = values[0]
    keys = totals.index.to_frame().to_numpy(dtype=float).T.reshape(2, *shape)
    # a cell without a reversal still has an error: that of half a reversal
    share = (count + 0.5) / (samples + 1)
    means = [_mean(count, values[1], values[2]), _mean(samples - count, values[3], values[4])]
    return Cells(
        keys[0], keys[1], samples, count / samples, np.sqrt(share * (1 - share) / samples), *means[0], *means[1]
    )


def _mean(count: np.ndarray, total: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / count
        variance = np.maximum(squares - count * mean**2, 0.0) / (count - 1)
        return np.where(count > 0, mean, np.nan), np.where(count > 1, np.sqrt(variance / count), np.nan)


@dataclass(frozen=True)
class Fit:
    """A fitted model.

    Parameters
    ----------
    coefficients, errors : tuple of float
        Values, and standard errors that the Monte Carlo errors of the cells make; NaN where
        the cells do not determine a coefficient.
    cells : int
        How many were fitted.
    rms : float
        Root mean square of what the model misses, a proportion.
    misfit : float
        Chi-square over its degrees of freedom; 1 if nothing but Monte Carlo error were missed.
    """

    coefficients: Coefficients
    errors: Coefficients
    cells: int
    rms: float
    misfit: float


def fit_model(name: str, cells: Cells, least_likelihood: float, *, weighted: bool = False) -> Fit:
    """Fit a model of the appendix by least squares.

    Where the likelihood's second term cannot be told from zero it is left out: k3 is then
    0 and k4 NaN.

    Parameters
    ----------
    name : str
        A key of :data:`MODELS`.
    cells : Cells
    least_likelihood : float
        Means over reversed classifiers are fitted in cells with at least this share of them.
    weighted : bool
        By the inverse of the cells' Monte Carlo variances.

    Returns
    -------
    Fit
        All NaN if the fit does not converge or there are too few cells.
    """
    values, errors = cells.of(name)
    used = np.isfinite(values) & np.isfinite(errors) & (errors > 0)
    if name != "likelihood":
        used &= cells.likelihood >= least_likelihood
    model, start = MODELS[name]
    fit = _fit(model, start, cells, values, errors, used, weighted)
    if name == "likelihood" and not abs(fit.coefficients[3]) > fit.errors[3]:
        short = _fit(_likelihood_at_equal_means, start[:3], cells, values, errors, used, weighted)
        if isfinite(short.coefficients[0]):
            return Fit((*short.coefficients, 0.0, nan), (*short.errors, 0.0, nan), short.cells, short.rms, short.misfit)
    return fit


def _fit(
    model: Model,
    start: Coefficients,
    cells: Cells,
    values: np.ndarray,
    errors: np.ndarray,
    used: np.ndarray,
    weighted: bool,
) -> Fit:
    m, size = int(used.sum()), len(start)
    undefined = Fit((nan,) * size, (nan,) * size, m, nan, nan)
    if m <= size:
        return undefined
    n, distance, y, se = cells.n[used], cells.distance[used], values[used], errors[used]
    weight = 1 / se if weighted else np.ones(m)

    def residuals(k: np.ndarray) -> np.ndarray:
        return (model(n, distance, *k) - y) * weight

    with np.errstate(all="ignore"):
        try:
            found = optimize.least_squares(residuals, start, method="lm", x_scale="jac", max_nfev=_TRIALS)
        except ValueError:
            # residuals that overflow: these cells are far from the model
            return undefined
        if not found.success:
            return undefined
        inverse = np.linalg.pinv(np.asarray(found.jac))
        # what the Monte Carlo error of each cell does to the coefficients; the lack of fit is stated apart
        spread = np.sqrt(np.square(inverse * (weight * se)).sum(axis=1))
    missed = found.fun / weight
    return Fit(
        tuple(float(v) for v in found.x),
        tuple(float(v) for v in spread),
        m,
        float(np.sqrt(np.mean(missed**2))),
        float(np.sum((missed / se) ** 2) / (m - size)),
    )
