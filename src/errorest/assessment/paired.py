"""Several classifiers on the same splits: their rates split by split, and how sure a difference of two is.

What a split has in itself cancels in a difference; the interval of its mean is the corrected resampled t of
Nadeau & Bengio (2003), which widens the usual one for the training cases that splits share.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import special

from errorest.assessment.caution import Caution
from errorest.assessment.equality import corrected_se
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import Ran
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Holdout, KFold

__all__ = ["corrected_t", "split_rates", "splits_of", "without_score"]


def splits_of(estimator: Estimator) -> Scheme:
    """Return the splits that an estimator is made of."""
    scheme = estimator.schemes[0]
    several = isinstance(scheme, KFold) or (isinstance(scheme, Holdout) and scheme.repeats > 1)
    if len(estimator.schemes) != 1 or not several:
        raise UsageError(
            f"estimator {estimator.id} was named to compare on; expected several splits into training and test cases; "
            "name holdout(test=1/10, repeats=25) or cv(k=10, repeats=10)"
        )
    return scheme


def split_rates(ran: Sequence[Ran], scheme: Scheme) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean losses, or statistics, of the splits that all classifiers came through."""
    rates, left = [], []
    for r in ran:
        outcome = r.resampled[scheme]
        failed = {f.row for f in r.failures.get(scheme, [])}
        rows = [i for i in range(outcome.n_rows + len(failed)) if i not in failed]
        rates.append(dict(zip(rows, outcome.row_rates, strict=True)))
        left.append(dict(zip(rows, outcome.tested, strict=True)))
    shared = sorted(set.intersection(*(set(own) for own in rates)))
    return np.array([[own[i] for i in shared] for own in rates]), np.array([left[0][i] for i in shared])


def corrected_t(
    differences: np.ndarray, tested: float, n: int, estimator: Estimator, confidence: float, what: str = "errors"
) -> tuple[ConfidenceInterval, float]:
    """Return the interval about the mean difference of splits, and its standard error."""
    if differences.size < 2:
        raise UsageError(
            f"{estimator.id} leaves {differences.size} split(s) to compare on; expected at least two; ask for more "
            "repeats"
        )
    se = corrected_se(differences, tested, n)
    half = float(special.stdtrit(differences.size - 1, (1 + confidence) / 2)) * se
    mean = float(differences.mean())
    interval = ConfidenceInterval(
        mean - half,
        mean + half,
        f"corrected-t on {estimator.id}",
        "procedure",
        f"the difference of the mean {what} of classifiers made of {n - tested:.0f} cases",
        confidence,
        2 * half <= 1e-12,
    )
    return interval, se


def without_score(what: str, then: str = "and are left out") -> Caution:
    """Say that something has no score."""
    return Caution(
        "E602",
        f"{what} test one class alone, or nothing that the score rests on, {then}; keep classes in proportion with "
        "stratify='class', or ask for larger test sets",
    )
