"""What trying several settings on the cases at hand buys by luck alone, from the error of one class on."""

from __future__ import annotations

import pandas as pd

from errorest.assessment.estimates import ErrorEstimate
from errorest.tuning_bias import TuningBias, tuning_bias

__all__ = ["SCENARIOS", "bought", "curve_of", "honest"]

SCENARIOS = {
    "independent": "best of independent settings",
    "greedy": "greedy optimizer",
    "listed": "bound, settings listed",
    "adaptive": "bound, settings chosen as one goes",
}
"""The calculator's scenarios, in words."""

_CURVE = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


def bought(result: ErrorEstimate, settings: int, gain: float) -> TuningBias:
    """Ask what so many settings buy on the cases of an estimate, and how often a gain."""
    classes = sum(k > 0 for k in result.class_counts.values())
    hits = round((1 - result.majority_error) * result.n)
    extra = max(1, min(result.n - hits, round(gain * result.n)))
    return tuning_bias(result.n, hits=hits, classes=max(2, classes), trials=settings, extra=extra)


def curve_of(result: ErrorEstimate, tried: int, gain: float) -> pd.DataFrame:
    """Tabulate the points bought in every scenario by the number of settings, the one that was tried among them."""
    return pd.DataFrame(
        {"settings": t, "way": SCENARIOS[s.name], "bought": 100 * s.expected_bias}
        for t in sorted({*_CURVE, tried})
        for s in bought(result, t, gain).scenarios
    )


def honest(n: int, observed: float, settings: int) -> float:
    """Find the error rate of equally good settings of which the best looks as good as what was observed."""

    def best(errors: int) -> float:
        luck = tuning_bias(n, hits=n - errors, classes=2, trials=settings)["independent"].expected_bias
        return errors / n - luck

    low, high = round(observed * n), n
    if best(high) <= observed:
        return high / n
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if best(middle) <= observed else (low, middle)
    below, above = best(low), best(high)
    share = 0.0 if above <= below else min(1.0, max(0.0, (observed - below) / (above - below)))
    return (low + share * (high - low)) / n
