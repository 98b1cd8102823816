"""The appendix's models of class reversal, fitted by least squares to what was simulated.

The paper does not say how its models were fitted; least squares without weights is the plainest way.  The models are
approximations: weighted by Monte Carlo error they go where the simulation is most exact, which is shown, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isfinite, nan

import numpy as np
import pandas as pd
from scipy import optimize
from scipy.special import ndtr

from compendium.evidence.estimate import Estimate

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


# Each model of (n, distance, k0, k1, ...), the values that its fit starts from, and what it is fitted to
MODELS: dict[str, tuple[Model, Coefficients, str, str]] = {
    "mean-true-error": (_falling_short(1), (0.5, 5.0, 0.5, 1.0), "reversed_error", "reversed_se"),
    "mean-difference": (_falling_short(2), (0.5, 5.0, 0.5, 1.0), "difference", "difference_se"),
    "likelihood": (_likelihood, (0.3, 0.2, 0.1, 1.0, 10.0), "likelihood", "likelihood_se"),
}

_TRIALS = 20_000


def model_values(name: str, n: np.ndarray, distance: np.ndarray, coefficients: Coefficients | np.ndarray) -> np.ndarray:
    """Evaluate a model of the appendix."""
    return MODELS[name][0](np.asarray(n, dtype=float), np.asarray(distance, dtype=float), *coefficients)


def cells_of(results: pd.DataFrame, rule: str) -> pd.DataFrame:
    """Sum a study's batches to one mean and error a cell."""
    sums = [f"{group}-{power}" for group in ("reversed", "unreversed") for power in ("sum", "squares")]
    batches = results[results["rule"] == rule].groupby(["n", "distance"], sort=True)
    totals = batches[["samples", "reversed", *sums]].sum().reset_index()
    count, samples = totals["reversed"].to_numpy(dtype=float), totals["samples"].to_numpy(dtype=float)
    # a cell without a reversal still has an error: that of half a reversal
    share = (count + 0.5) / (samples + 1)
    cells = totals[["n", "distance"]].assign(
        inherent=ndtr(-totals["distance"] / 2),
        likelihood=count / samples,
        likelihood_se=np.sqrt(share * (1 - share) / samples),
    )
    for group, size in (("reversed", count), ("unreversed", samples - count)):
        total, squares = (totals[f"{group}-{power}"].to_numpy() for power in ("sum", "squares"))
        cells[f"{group}_error"], cells[f"{group}_se"] = _mean(size, total, squares)
    return compared(cells)


def compared(cells: pd.DataFrame) -> pd.DataFrame:
    """Add what reversed classifiers lose: ``difference`` to the others, and the expected ``increase`` of the mean.

    The increase is likelihood times difference, 0 where no reversal occurred.
    """
    difference = cells["reversed_error"] - cells["unreversed_error"]
    error = np.hypot(cells["reversed_se"], cells["unreversed_se"])
    known, known_error, likelihood = np.nan_to_num(difference), np.nan_to_num(error), cells["likelihood"]
    return cells.assign(
        difference=difference,
        difference_se=error,
        increase=likelihood * known,
        increase_se=np.hypot(cells["likelihood_se"] * known, likelihood * known_error),
    )


def _mean(count: np.ndarray, total: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / count
        variance = np.maximum(squares - count * mean**2, 0.0) / (count - 1)
        return np.where(count > 0, mean, np.nan), np.where(count > 1, np.sqrt(variance / count), np.nan)


@dataclass(frozen=True)
class Fit:
    """A fitted model."""

    coefficients: Coefficients
    errors: Coefficients
    cells: int
    rms: float
    misfit: float

    def estimates(self, samples: int) -> dict[str, Estimate]:
        """Return the coefficients by name, k0, k1, ..., with the samples of a cell."""
        pairs = zip(self.coefficients, self.errors, strict=True)
        return {f"k{j}": Estimate(value, se, samples) for j, (value, se) in enumerate(pairs)}

    @property
    def words(self) -> str:
        """The coefficients, or that there are none."""
        return ", ".join(f"{k:.3g}" for k in self.coefficients if isfinite(k)) or "no fit"


def fit_model(name: str, cells: pd.DataFrame, least_likelihood: float, *, weighted: bool = False) -> Fit:
    """Fit a model of the appendix by least squares.

    Where the likelihood's second term cannot be told from zero it is left out: k3 is then
    0 and k4 NaN.
    """
    model, start, *columns = MODELS[name]
    used = cells[columns].notna().all(axis=1) & (cells[columns[1]] > 0)
    if name != "likelihood":
        used &= cells["likelihood"] >= least_likelihood
    points = tuple(cells.loc[used, column].to_numpy(dtype=float) for column in ("n", "distance", *columns))
    fit = _fit(model, start, points, weighted)
    if name == "likelihood" and not abs(fit.coefficients[3]) > fit.errors[3]:
        short = _fit(_likelihood_at_equal_means, start[:3], points, weighted)
        if isfinite(short.coefficients[0]):
            return replace(short, coefficients=(*short.coefficients, 0.0, nan), errors=(*short.errors, 0.0, nan))
    return fit


def _fit(model: Model, start: Coefficients, points: tuple[np.ndarray, ...], weighted: bool) -> Fit:
    """Fit a model to points: sizes, distances, values and their errors."""
    n, distance, y, se = points
    m, size = y.size, len(start)
    undefined = Fit((nan,) * size, (nan,) * size, m, nan, nan)
    if m <= size:
        return undefined
    weight = 1 / se if weighted else np.ones(m)

    def residuals(k: np.ndarray) -> np.ndarray:
        return (model(n, distance, *k) - y) * weight

    with np.errstate(all="ignore"):
        try:
            result = optimize.least_squares(residuals, start, method="lm", x_scale="jac", max_nfev=_TRIALS)
        except ValueError:
            # residuals that overflow: these cells are far from the model
            return undefined
        if not result.success:
            return undefined
        inverse = np.linalg.pinv(np.asarray(result.jac))
        # what the Monte Carlo error of each cell does to the coefficients; the lack of fit is another number
        spread = np.sqrt(np.square(inverse * (weight * se)).sum(axis=1))
    missed = result.fun / weight
    return Fit(
        tuple(float(v) for v in result.x),
        tuple(float(v) for v in spread),
        m,
        float(np.sqrt(np.mean(missed**2))),
        float(np.sum((missed / se) ** 2) / (m - size)),
    )
