"""Nested cross-validation of Bates, Hastie & Tibshirani (2024).

An inner cross-validation inside the other folds of each outer fold shows how far a
cross-validation strays from the error on fresh cases; that mean squared error, rescaled
to n, is the interval's width.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Literal

import numpy as np

from errorest.estimation.intervals.draws import MarkedResamples, NestedFolds
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured
from errorest.resampling.scheme import Scheme


@dataclass(frozen=True, eq=False)
class NestedCV(IntervalMethod):
    """Bias-corrected nested cross-validation.

    For each outer fold, a = (mean inner loss - mean outer loss)^2 and b = variance of the outer
    losses (divided by their number less one) over their number; MSE = (K - 1)/K mean(a - b), and
    se = sqrt(max(MSE, 0)), held between sd(inner losses)/sqrt(n) and sqrt(K) times that.  The
    estimate is the mean inner loss less f (mean inner loss - mean outer loss).

    Parameters
    ----------
    k : int
        Outer folds, K; the inner ones are the other K - 1.
    repeats : int
        Independent divisions into folds.
    factor : {"article", "package"}
        f: ``1 + (K - 2)/K``, the article's, which the benchmark uses too; or
        ``1 + ((K - 2)/K)^1.5``, which the authors' own package uses.

    References
    ----------
    Bates, Hastie & Tibshirani (2024), section 4 and algorithm 1.
    """

    name = "nested-cv"
    sizes = ("k", "repeats")
    target = "classifier"
    even = True
    aim = "the error of the classifier made of the whole sample"
    estimators = ("cv",)
    needs_all_rows = True
    counts_groups = True
    has_own_estimate = True

    k: int = 5
    repeats: int = 10
    factor: Literal["article", "package"] = "article"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Folds and the folds within them."""
        return (NestedFolds(self.k, self.repeats),)

    @property
    def least(self) -> int:
        """Two cases a fold."""
        return 2 * self.k

    def reduce(self, measured: Measured) -> Limits:
        """Compare inner and outer losses."""
        (scheme,), k, rows = self.schemes, self.k, self.k * self.repeats
        n, losses = measured.sample.n, measured.losses(scheme)
        resamples = measured.outcome(scheme).resamples
        assert isinstance(resamples, MarkedResamples)
        total = np.bincount(resamples.mark, losses, 2 * rows).reshape(-1, 2)
        cases = np.bincount(resamples.mark, minlength=2 * rows).reshape(-1, 2)
        means = total / cases
        outer = resamples.mark % 2 == 0
        deviations = losses[outer] - means[resamples.mark[outer] // 2, 0]
        squares = np.bincount(resamples.mark[outer] // 2, deviations**2, rows)
        b = squares / (cases[:, 0] - 1) / cases[:, 0]
        mse = (k - 1) / k * float(((means[:, 1] - means[:, 0]) ** 2 - b).mean())
        inner_losses = losses[~outer]
        least = float(inner_losses.std(ddof=1)) / sqrt(n)
        se = max(least, min(sqrt(max(mse, 0.0)), least * sqrt(k)))
        inner, outside = float(inner_losses.mean()), float(losses[outer].mean())
        f = 1 + ((k - 2) / k) ** (1.0 if self.factor == "article" else 1.5)
        return Limits.around(inner - f * (inner - outside), se, measured.z, n)
