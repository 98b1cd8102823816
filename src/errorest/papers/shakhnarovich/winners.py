"""The best new against the best old estimator by RMSE, with the paper's paired test (Tables 2 and 4).

In each trial ``d = (old - Err)^2 - (new - Err)^2``; the one-sided test takes
``z = mean(d) / (sd(d) / sqrt(N))`` (section 6; what the paper calls a variance there is
the standard deviation).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import copysign, nan, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Row
from errorest.papers.shakhnarovich.named import NEW, OLD, REPEATED, TRUE_ERROR
from errorest.papers.shakhnarovich.table_of_estimators import columns_of
from errorest.streams import Streams

__all__ = ["Contest", "PairedTest", "best_of", "contest", "contest_rows", "paired_test"]

_RESAMPLED = 1000


class PairedTest(NamedTuple):
    """Squared errors of two estimators on the same trials: mean, deviation of the difference, one-sided p-value."""

    mu_d: float
    sigma_d: float
    alpha: float
    n: int


class Contest(NamedTuple):
    """The best new and the best old estimator of one case, and how sure their places are.

    ``new_share`` and ``old_share`` are the shares of resampled sets of trials in which the
    same estimator is the best of its kind; ``errors`` has a Monte Carlo standard error for
    each column of :func:`contest_rows`, from the same resamples, so that it counts the choice;
    ``alphas`` are the p-values of the resampled sets, each with its own best two, shape (R,).
    """

    new: str
    old: str
    new_share: float
    old_share: float
    test: PairedTest
    values: Mapping[str, float]
    errors: Mapping[str, float]
    alphas: np.ndarray

    def significant(self, level: float) -> tuple[bool, float]:
        """Whether the new estimator is better at a level, and in what share of resampled sets it is."""
        return self.test.alpha <= level, float(np.mean(self.alphas <= level))


class Case(NamedTuple):
    """One classifier on one setting or data set: row of Table 2 or 4, reading, estimates by name."""

    row: str
    reading: str
    estimates: Mapping[str, np.ndarray]


def paired_test(truth: np.ndarray, old: np.ndarray, new: np.ndarray) -> PairedTest:
    """Test whether the new estimator's expected squared error is smaller (section 6).

    Parameters
    ----------
    truth, old, new : float arrays, shape (trials,)
        True errors and two estimates of the same trials, proportions.

    Returns
    -------
    PairedTest
        A small alpha speaks for the new one; .5 where the two are equal in every trial.

    Examples
    --------
    >>> test = paired_test(np.zeros(4), np.array([0.1, 0.2, 0.1, 0.2]), np.array([0.1, 0.1, 0.1, 0.1]))
    >>> round(test.mu_d, 3), round(test.alpha, 3)
    (0.015, 0.042)
    """
    d = (old - truth) ** 2 - (new - truth) ** 2
    n = d.shape[0]
    mu = float(d.mean())
    sigma = float(d.std(ddof=1)) if n > 1 else nan
    equal = 0.5 if mu == 0 else float(mu < 0)
    alpha = float(ndtr(-mu / (sigma / sqrt(n)))) if sigma > 0 else equal
    return PairedTest(mu, sigma, alpha, n)


def best_of(estimates: Mapping[str, np.ndarray], names: Sequence[str]) -> str:
    """Return the estimator with the least RMSE; of equal ones the first named.

    Parameters
    ----------
    estimates : mapping of str to float array, shape (trials,)
        With ``true-error``; names that it lacks are passed over.
    names : sequence of str
    """
    truth = estimates[TRUE_ERROR]
    present = [name for name in names if name in estimates]
    return min(present, key=lambda name: float(np.mean((estimates[name] - truth) ** 2)))


def contest(
    estimates: Mapping[str, np.ndarray],
    streams: Streams,
    *,
    new: Sequence[str] = NEW,
    old: Sequence[str] = (*OLD, *REPEATED),
) -> Contest:
    """Find the best new and the best old estimator of one case, and test the one against the other.

    Parameters
    ----------
    estimates : mapping of str to float array, shape (trials,)
        From :func:`~errorest.papers.shakhnarovich.table_of_estimators.estimates_of`.
    streams : Streams
        Of the case; draws the sets of trials (with replacement) behind shares and errors.
    new, old : sequences of str
        The two kinds; estimators that were not computed are passed over.

    Returns
    -------
    Contest
    """
    truth = estimates[TRUE_ERROR]
    chosen = {side: [e for e in names if e in estimates] for side, names in (("new", new), ("old", old))}
    names = [*chosen["new"], *chosen["old"]]
    values = np.array([estimates[e] for e in names])
    n = truth.shape[0]
    weights = streams.generator("trials").multinomial(n, np.full(n, 1 / n), size=_RESAMPLED) / n
    sides: dict[str, tuple[str, float]] = {}
    places = {}
    for side, own in chosen.items():
        best = best_of(estimates, own)
        first = 0 if side == "new" else len(chosen["new"])
        squares = (values[first : first + len(own)] - truth) ** 2
        places[side] = first + np.argmin(weights @ squares.T, axis=1)
        sides[side] = (best, float(np.mean(places[side] == names.index(best))))
    (best_new, new_share), (best_old, old_share) = sides["new"], sides["old"]
    test = paired_test(truth, estimates[best_old], estimates[best_new])
    found: dict[str, Measured] = {}
    for side, (best, _) in sides.items():
        for column, m in columns_of(estimates[best], truth):
            found[f"{side}-{column}"] = m
    at = {side: (place[:, None], values[place]) for side, place in places.items()}
    drawn = {side: _resampled(weights, own, truth) for side, (_, own) in at.items()}
    d = (at["old"][1] - truth) ** 2 - (at["new"][1] - truth) ** 2
    mu = np.einsum("rn,rn->r", weights, d)
    spread = np.sqrt(np.maximum(np.einsum("rn,rn->r", weights, d**2) - mu**2, 0.0) * n / max(n - 1, 1))
    errors = {f"{side}-{column}": float(np.std(v)) for side in drawn for column, v in drawn[side].items()}
    errors |= {"sqrt-mu-d": float(np.std(_signed_root(mu))), "sigma-d": float(np.std(spread))}
    plain = {name: m.value for name, m in found.items()}
    plain |= {"sqrt-mu-d": float(_signed_root(np.array([test.mu_d]))[0]), "sigma-d": test.sigma_d, "alpha": test.alpha}
    with np.errstate(divide="ignore", invalid="ignore"):
        alphas = np.where(spread > 0, ndtr(-mu / (spread / sqrt(n))), np.where(mu == 0, 0.5, (mu < 0) * 1.0))
    return Contest(best_new, best_old, new_share, old_share, test, plain, errors, alphas)


def _resampled(weights: np.ndarray, own: np.ndarray, truth: np.ndarray) -> dict[str, np.ndarray]:
    """Mean, std and rmse of each resampled set of trials, by the estimator that is the best in it."""
    n = truth.shape[0]
    centre = np.einsum("rn,rn->r", weights, own)
    second = np.einsum("rn,rn->r", weights, own**2)
    return {
        "mean": centre,
        "std": np.sqrt(np.maximum(second - centre**2, 0.0) * n / max(n - 1, 1)),
        "rmse": np.sqrt(np.einsum("rn,rn->r", weights, (own - truth) ** 2)),
    }


def _signed_root(values: np.ndarray) -> np.ndarray:
    return np.array([copysign(sqrt(abs(v)), v) for v in values])


def contest_rows(case: Contest, truth: Measured, reading: str, row: str) -> list[Row]:
    """Make the row of Table 2 or 4 for one case: labels as ``new=<estimator>`` with their share, then numbers.

    Parameters
    ----------
    case : Contest
    truth : Measured
        Mean true error, a proportion.
    reading, row : str

    Returns
    -------
    list of Row
        Columns true-error, new=..., new-mean, new-std, new-rmse, old=..., old-mean, old-std,
        old-rmse, sqrt-mu-d (with the sign of mu_d), sigma-d (a standard deviation), alpha.
    """
    n = case.test.n
    rows = [Row(reading, row, "true-error", *truth)]
    for side, name, share in (("new", case.new, case.new_share), ("old", case.old, case.old_share)):
        rows.append(Row(reading, row, f"{side}={name}", share, sqrt(share * (1 - share) / _RESAMPLED), n))
        rows += [
            Row(reading, row, f"{side}-{c}", case.values[f"{side}-{c}"], case.errors[f"{side}-{c}"], n)
            for c in ("mean", "std", "rmse")
        ]
    rows += [Row(reading, row, c, case.values[c], case.errors[c], n) for c in ("sqrt-mu-d", "sigma-d")]
    return [*rows, Row(reading, row, "alpha", case.test.alpha, nan, n)]
