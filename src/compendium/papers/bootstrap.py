"""Distinct cases of a bootstrap sample."""

from __future__ import annotations

import numpy as np

from errorest.errors import UsageError


def distinct_share(n: int) -> float:
    """Expected share of distinct cases in n draws with replacement from n, 1 - (1 - 1/n)^n."""
    if n < 1:
        raise UsageError(f"n = {n} cases; expected at least 1; give a sample size")
    return float(-np.expm1(n * np.log1p(-1.0 / n))) if n > 1 else 1.0
