"""Several classifiers on the same splits: their rates split by split, and how sure a difference of two is.

What a split has in itself cancels in a difference; the interval of its mean is the corrected resampled t of
Nadeau & Bengio (2003), which widens the usual one for the training cases that splits share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any

import numpy as np
from scipy import special

from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import Ran
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.estimation.losses import Loss
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Holdout, KFold

__all__ = ["PracticalEquality", "corrected_t", "practical_equality", "split_rates", "splits_of"]


def splits_of(estimator: Estimator) -> Scheme:
    """Return the splits that an estimator is made of.

    Raises
    ------
    UsageError
        If it is neither repeated holdout nor cross-validation.

    Examples
    --------
    >>> from errorest.estimation.estimators import parse_estimator
    >>> splits_of(parse_estimator("cv(k=5)")).id
    'k_fold(k=5)'
    """
    scheme = estimator.schemes[0]
    several = isinstance(scheme, KFold) or (isinstance(scheme, Holdout) and scheme.repeats > 1)
    if len(estimator.schemes) != 1 or not several:
        raise UsageError(
            f"estimator {estimator.id} was named to compare on; expected several splits into training and test cases; "
            "name holdout(test=1/10, repeats=25) or cv(k=10, repeats=10)"
        )
    return scheme


def split_rates(ran: Sequence[Ran], scheme: Scheme, cost: Loss) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean losses of the splits that all classifiers came through.

    Parameters
    ----------
    ran : sequence of Ran
        One a classifier, on the same resamples.
    scheme : Scheme
    cost : Loss

    Returns
    -------
    rates : float array, shape (classifiers, splits)
    tested : int array, shape (splits,)
        Cases tested in each.
    """
    rates, left = [], []
    for r in ran:
        outcome = r.resampled[scheme].under(cost)
        failed = {f.row for f in r.failures.get(scheme, [])}
        rows = [i for i in range(outcome.n_rows + len(failed)) if i not in failed]
        rates.append(dict(zip(rows, outcome.row_rates, strict=True)))
        left.append(dict(zip(rows, outcome.tested, strict=True)))
    shared = sorted(set.intersection(*(set(own) for own in rates)))
    return np.array([[own[i] for i in shared] for own in rates]), np.array([left[0][i] for i in shared])


def corrected_t(
    differences: np.ndarray, tested: float, n: int, estimator: Estimator, confidence: float
) -> tuple[ConfidenceInterval, float]:
    """Return the interval about the mean difference of splits, and its standard error.

    Parameters
    ----------
    differences : float array, shape (splits,)
    tested : float
        Mean number of cases that a split tests.
    n : int
        Cases.
    estimator : Estimator
        For the names.
    confidence : float
        A proportion.

    Returns
    -------
    interval : ConfidenceInterval
    standard_error : float

    Raises
    ------
    UsageError
        If there are fewer than two splits.

    References
    ----------
    Nadeau & Bengio (2003), section 3; Bouckaert & Frank (2004) for repeated cross-validation.

    Examples
    --------
    >>> from errorest.estimation.estimators import parse_estimator
    >>> interval, se = corrected_t(np.array([0.0, 0.1, 0.2]), 4.0, 12, parse_estimator("cv(k=3)"), 0.95)
    >>> round(se, 4), round(interval.low, 3), round(interval.high, 3)
    (0.0913, -0.293, 0.493)
    """
    if differences.size < 2:
        raise UsageError(
            f"{estimator.id} leaves {differences.size} split(s) to compare on; expected at least two; ask for more "
            "repeats"
        )
    se = sqrt(float(differences.var(ddof=1)) * (1 / differences.size + tested / (n - tested)))
    half = float(special.stdtrit(differences.size - 1, (1 + confidence) / 2)) * se
    mean = float(differences.mean())
    interval = ConfidenceInterval(
        mean - half,
        mean + half,
        f"corrected-t on {estimator.id}",
        "procedure",
        f"the difference of the mean errors of classifiers made of {n - tested:.0f} cases",
        confidence,
        2 * half <= 1e-12,
    )
    return interval, se


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

    Parameters
    ----------
    difference : float
        Mean error of a less that of b.
    se : float
        With Nadeau & Bengio's correction; of 0 everything is at the difference.
    splits : int
        At least 2; the degrees of freedom are one less.
    r : float
        At least 0.

    Raises
    ------
    UsageError
        If r is no number from 0.

    References
    ----------
    Corani & Benavoli (2015), section 3, the Bayesian correlated t test.

    Examples
    --------
    >>> found = practical_equality(0.02, 0.02, 11, 0.02)
    >>> [round(p, 4) for p in (found.a_better, found.equal, found.b_better)]
    [0.0367, 0.4633, 0.5]
    """
    margin = checked_margin(r)
    if se == 0:
        below, above = float(difference < -margin), float(difference > margin)
    else:
        below = float(special.stdtr(splits - 1, (-margin - difference) / se))
        above = float(special.stdtr(splits - 1, (difference - margin) / se))
    return PracticalEquality(margin, below, max(0.0, 1.0 - below - above), above)


def checked_margin(r: Any) -> float:
    """Check the difference up to which two classifiers count as equal.

    Examples
    --------
    >>> checked_margin(0)
    0.0
    """
    number = isinstance(r, float | int | np.number) and not isinstance(r, bool)
    if not number or not isfinite(r) or r < 0:
        raise UsageError(
            f"r = {r!r} was given; expected a number from 0, the difference of two errors that does not matter, such "
            "as 0.01 for one percentage point; mend r"
        )
    return float(r)
