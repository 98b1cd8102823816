"""Several classifiers on the same splits: their rates split by split, and how sure a difference of two is.

What a split has in itself cancels in a difference; the interval of its mean is the corrected resampled t of
Nadeau & Bengio (2003), which widens the usual one for the training cases that splits share.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
from scipy import special

from errorest.assessment.caution import Caution
from errorest.assessment.equality import corrected_se
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring
from errorest.assessment.plan import checked_estimator, class_sizes, planned
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import RunOutcomes
from errorest.assessment.splitters import OfSplitter, SplitterScheme, is_splitter
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator, check_estimator_of
from errorest.estimation.metrics.ranking import Ranking
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Holdout, KFold
from errorest.streams import Streams

__all__ = ["corrected_t", "read_splits", "split_rates", "spread_of_rankings", "without_score"]

_ENOUGH = 20
_MODERATE = (0.5, 0.97)


def read_splits(method: Any, problem: Problem, measure: Scoring, streams: Streams, *, folds: bool = False) -> Estimator:
    """Return the splits that a user named to compare on, or the folds to choose on, for which limits are known."""
    given = is_splitter(method) or isinstance(method, OfSplitter)
    wanted = planned(problem, method, None, streams).estimator if given else checked_estimator(method)
    assert wanted is not None
    if measure.score is not None:
        check_estimator_of(measure.score, wanted)
    scheme = wanted.schemes[0]
    if isinstance(scheme, SplitterScheme):
        legal, in_folds = scheme.complementary, scheme.folds
    else:
        in_folds = isinstance(scheme, KFold)
        legal = len(wanted.schemes) == 1 and (in_folds or (isinstance(scheme, Holdout) and scheme.repeats > 1))
    if not legal:
        raise UsageError(
            f"estimator {wanted.id} was named to compare on; expected several splits into training and test cases, "
            "each case in one of both; name holdout(test=1/10, repeats=25) or cv(k=10, repeats=10)"
        )
    if folds and not in_folds:
        raise UsageError(
            f"estimator {wanted.id} was named to choose on; expected folds, which test every case equally often; name "
            "cv(k=10, repeats=10)"
        )
    return wanted


def split_rates(ran: Sequence[RunOutcomes], scheme: Scheme) -> tuple[np.ndarray, np.ndarray]:
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
    differences: np.ndarray,
    tested: float,
    n: int,
    estimator: Estimator,
    confidence: float,
    what: str = "errors",
    *,
    df: int | None = None,
    least_se: float = 0.0,
) -> tuple[ConfidenceInterval, float]:
    """Return the interval about the mean difference of splits, and its standard error, which has a least value."""
    if differences.size < 2:
        raise UsageError(
            f"{estimator.id} leaves {differences.size} split(s) to compare on; expected at least two; ask for more "
            "repeats"
        )
    se = max(corrected_se(differences, tested, n), least_se)
    half = float(special.stdtrit(df or differences.size - 1, (1 + confidence) / 2)) * se
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


def spread_of_rankings(
    problem: Problem, measure: Scoring, scheme: Scheme, splits: int, value: float
) -> tuple[int, float]:
    """Return the degrees of freedom for a difference of two AUCs, and its least standard error.

    Of folds those of one repetition count, not all.  Below :data:`_ENOUGH` cases of the smaller class the variance is
    at least half of Hanley and McNeil's for one AUC: the variance of the folds is too uncertain there.
    """
    if not isinstance(scheme, KFold):
        return splits - 1, 0.0
    df = round(splits / scheme.repeats) - 1
    sizes = class_sizes(problem, measure.bound)
    if sizes.min() >= _ENOUGH or not isinstance(measure.metric, Ranking):
        return df, 0.0
    # near 0 and 1 the variance vanishes, and does not speak of a difference
    return df, sqrt(float(measure.metric.variance(np.clip(value, *_MODERATE), sizes)) / 2)


def without_score(what: str, then: str = "and are left out") -> Caution:
    """Say that something has no score."""
    return Caution.of("E602", what=what, then=then)


def few_to_compare() -> Caution:
    """Say that the interval of a difference of AUCs has its least width."""
    return Caution.of("E603", enough=_ENOUGH)
