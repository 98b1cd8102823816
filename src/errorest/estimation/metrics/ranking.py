"""The sampling variance of an AUC, and score limits from it."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["ranking_variance", "score_limits"]

_HALVINGS = 50


def ranking_variance(auc: Any, n_pos: Any, n_neg: Any) -> Any:
    """Return the variance of an AUC on independent tests of one classifier, if the AUC is true.

    References
    ----------
    Hanley & McNeil (1982), equation (1) with Q1 = a / (2 - a) and Q2 = 2 a^2 / (1 + a), and a (1 - a) factored out.
    """
    a = np.asarray(auc, dtype=np.float64)
    excess = (np.asarray(n_pos) - 1) * (1 - a) / (2 - a) + (np.asarray(n_neg) - 1) * a / (1 + a)
    return a * (1 - a) * (1 + excess) / (np.asarray(n_pos) * np.asarray(n_neg))


def score_limits(auc: Any, n_pos: Any, n_neg: Any, quantile: Any, factor: Any = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Return the roots a of (auc - a)^2 = quantile^2 factor V(a), with V as :func:`ranking_variance`.

    As for Wilson's interval, the variance is taken at the limit and not at the estimate, so that an AUC of 1 still has
    a lower limit below 1.
    """
    centre = np.asarray(auc, dtype=np.float64)
    inside = np.stack([centre, centre])
    outside = np.stack([np.zeros_like(centre), np.ones_like(centre)])
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        close = (centre - middle) ** 2 <= quantile**2 * factor * ranking_variance(middle, n_pos, n_neg)
        inside, outside = np.where(close, middle, inside), np.where(close, outside, middle)
    return inside[0], inside[1]
