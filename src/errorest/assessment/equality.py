"""How sure a difference of two classifiers is on splits that share training cases, and whether it matters.

Numbers alone: the standard error of Nadeau & Bengio and the posterior that Corani & Benavoli make of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any

import numpy as np
from scipy import special

from errorest.errors import UsageError


def corrected_se(differences: np.ndarray, tested: float, n: int) -> float:
    """Return the standard error of the mean difference of splits, widened for the training cases that they share."""
    return sqrt(float(differences.var(ddof=1)) * (1 / differences.size + tested / (n - tested)))


def half_width(differences: np.ndarray, tested: float, n: int, df: int, confidence: float) -> float:
    """Return half the width of the interval of the corrected resampled t."""
    return float(special.stdtrit(df, (1 + confidence) / 2)) * corrected_se(differences, tested, n)


@dataclass(frozen=True)
class PracticalEquality:
    """Whether two classifiers are as good as equal, as posterior probabilities that sum to 1.

    Parameters
    ----------
    r : float
        Errors that differ by no more than this are practically equal; a proportion, or in the unit of the loss.
    a_better, equal, b_better : float
        That a errs less by more than r, that the errors are within r, that b errs less by more than r.

    Examples
    --------
    >>> PracticalEquality(0.01, 0.25, 0.5, 0.25).likeliest
    'equal'
    """

    r: float
    a_better: float
    equal: float
    b_better: float

    @property
    def likeliest(self) -> str:
        """The likeliest of ``a_better``, ``equal`` and ``b_better``."""
        return max(("equal", "a_better", "b_better"), key=lambda name: getattr(self, name))


def practical_equality(difference: float, se: float, splits: int, r: Any) -> PracticalEquality:
    """Say how probable it is that one of two classifiers is better by more than r, or neither.

    The posterior of the mean difference is Student's t about the observed one, with the corrected
    standard error for scale: a flat prior, and splits that are correlated by their test share.
    """
    margin = checked_margin(r)
    if se == 0:
        below, above = float(difference < -margin), float(difference > margin)
    else:
        below = float(special.stdtr(splits - 1, (-margin - difference) / se))
        above = float(special.stdtr(splits - 1, (difference - margin) / se))
    return PracticalEquality(margin, below, max(0.0, 1.0 - below - above), above)


def checked_margin(r: Any) -> float:
    """Check the difference up to which two classifiers count as equal."""
    number = isinstance(r, float | int | np.number) and not isinstance(r, bool)
    if not number or not isfinite(r) or r < 0:
        raise UsageError(
            f"rope = {r!r} was given; expected a number from 0, the difference of two errors that does not "
            "matter; write rope=0.01 for one percentage point"
        )
    return float(r)
