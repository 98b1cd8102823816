"""Check of class probabilities: numbers from 0 to 1 that sum to 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from errorest.errors import UsageError, refuse_complex

# Probabilities of a case may sum to 1 within this
_OFF = 1e-6


def checked_probabilities(given: Any, cases: int, n_classes: int, who: str) -> np.ndarray:
    """Return probabilities as an array, or refuse them."""
    refuse_complex(given, f"the array of probabilities of {who}")
    values = np.asarray(given, dtype=np.float64)
    if values.shape != (cases, n_classes):
        raise UsageError(
            f"{who} gives probabilities of shape {values.shape} of {cases} cases; expected ({cases}, {n_classes}), one "
            "for each class"
        )
    sums = values.sum(axis=1)
    wrong = ~(np.abs(sums - 1.0) <= _OFF) | (values < -_OFF).any(axis=1)
    if wrong.any():
        first = values[int(np.argmax(wrong))]
        raise UsageError(
            f"{who} gives probabilities of {int(wrong.sum())} of {cases} cases that are no probabilities, such as "
            f"{', '.join(f'{v:.4g}' for v in first[:4])}{', ...' if first.size > 4 else ''}; expected numbers from 0 "
            "to 1 that sum to 1"
        )
    return values
