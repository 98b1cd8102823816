"""How many cells of a table would agree if the paper had run this very experiment.

The cells of a table share their samples: one lucky draw moves a column at once.
The number of cells within two standard errors is therefore no binomial count,
and what it is to be held against comes from the trials themselves.
"""

from __future__ import annotations

import numpy as np

__all__ = ["agreement", "agreement_sentence"]

_DRAWS = 400
_WITHIN = 2.0


def agreement(estimates: np.ndarray, truth: np.ndarray, rng: np.random.Generator, draws: int = _DRAWS) -> np.ndarray:
    """Share of a table's cells that agree between two sets of trials drawn anew from ours.

    Parameters
    ----------
    estimates, truth : float arrays, shape (trials, columns)
        Estimates, and the true errors that they aim at; proportions.
    rng : numpy.random.Generator
    draws : int
        Pairs of sets.

    Returns
    -------
    float array, shape (draws,)
        Proportions; a cell (mean, standard deviation or RMSE of a column) agrees where the two sets
        differ by at most two standard errors of their difference.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> shares = agreement(rng.normal(size=(100, 8)), np.zeros((100, 8)), rng, draws=50)
    >>> bool(0.85 < shares.mean() < 1.0)
    True
    """
    trials = estimates.shape[0]
    first, second = (
        _statistics(estimates, truth, rng.multinomial(trials, np.full(trials, 1 / trials), draws)) for _ in range(2)
    )
    # what a set of trials varies by is learned from the sets themselves
    spread = np.sqrt(first.var(axis=0, ddof=1) + second.var(axis=0, ddof=1))
    return np.asarray((np.abs(first - second) <= _WITHIN * spread).mean(axis=1))


def _statistics(estimates: np.ndarray, truth: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Mean, standard deviation and RMSE of each estimator for each line of counts; shape (draws, 3 x estimators)."""
    trials = estimates.shape[0]
    mean = counts @ estimates / trials
    variance = np.maximum(counts @ estimates**2 / trials - mean**2, 0.0) * trials / (trials - 1)
    squared = counts @ (estimates - truth) ** 2 / trials
    return np.hstack([mean, np.sqrt(variance), np.sqrt(squared)])


def agreement_sentence(shares: np.ndarray) -> str:
    """Say what share of reproduced cells a table is to be judged by (Markdown).

    Examples
    --------
    >>> agreement_sentence(np.full(400, 0.95))[:61]
    'Cells share samples, so a table is judged as a whole: two set'
    """
    low = float(np.quantile(shares, 0.05))
    return (
        "Cells share samples, so a table is judged as a whole: two sets of trials drawn anew from ours agree within "
        f"two standard errors in {100 * float(shares.mean()):.0f} % of its cells on average, and in 19 of 20 pairs in "
        f"at least {100 * low:.0f} %. A smaller share of reproduced cells is not explained by chance."
    )
