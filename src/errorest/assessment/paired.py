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

from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring, measure_of
from errorest.assessment.plan import checked_estimator, class_sizes, plan_measure
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import RunOutcomes, check_response
from errorest.assessment.splitters import OfSplitter, SplitterScheme, is_splitter
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator, check_estimator_of
from errorest.estimation.metrics.calibration import CalibrationIntercept, CalibrationSlope
from errorest.estimation.metrics.ranking import Ranking
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Holdout, KFold
from errorest.streams import Streams

ENOUGH = 20
"""Cases of the smaller class from which the variance of AUCs of folds is trusted."""
_MODERATE = (0.5, 0.97)


def measure_to_rank(problems: Sequence[Problem], scoring: Any, pos_label: Any) -> Scoring:
    """Bind the metric by which classifiers are ranked: not calibration, nor one that a classifier does not support."""
    measure = measure_of(problems[0], scoring, pos_label)
    if isinstance(measure.metric, CalibrationSlope | CalibrationIntercept):
        raise UsageError(f"scoring = '{measure.metric.id}' does not rank classifiers; take brier, log-loss or auc")
    for p in problems:
        check_response(p, measure.metric)
    return measure


def read_splits(method: Any, problem: Problem, measure: Scoring, streams: Streams, *, folds: bool = False) -> Estimator:
    """Return the splits that a user named to compare on, or the folds to choose on, for which limits are known."""
    given = is_splitter(method) or isinstance(method, OfSplitter)
    wanted = plan_measure(problem, measure, method, None, streams).estimator if given else checked_estimator(method)
    assert wanted is not None
    if measure.score is not None:
        check_estimator_of(measure.score, wanted)
    scheme = wanted.schemes[0]
    if isinstance(scheme, SplitterScheme):
        legal, in_folds = scheme.complementary, scheme.folds
    else:
        in_folds = isinstance(scheme, KFold)
        legal = len(wanted.schemes) == 1 and (in_folds or (isinstance(scheme, Holdout) and scheme.repeats > 1))
    if isinstance(scheme, SplitterScheme) and scheme.time_ordered:
        raise UsageError(
            f"{wanted.id} trains on cases before those that it tests, and no limits of a difference are known for "
            "cases whose order matters; estimate each classifier with these splits"
        )
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


def shared_rows(ran: Sequence[RunOutcomes], scheme: Scheme) -> list[np.ndarray]:
    """Mark the rows of each classifier on which none failed."""
    failed = [np.array([f.row for f in r.failures.get(scheme, [])], dtype=np.int64) for r in ran]
    shared = np.ones(ran[0].resampled[scheme].n_rows + failed[0].size, dtype=bool)
    shared[np.concatenate(failed)] = False
    return [np.delete(shared, own) for own in failed]


def split_rates(ran: Sequence[RunOutcomes], scheme: Scheme) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean losses, or statistics, of the splits that all classifiers came through, and their test sizes."""
    outcomes, rows = [r.resampled[scheme] for r in ran], shared_rows(ran, scheme)
    if (number := int(rows[0].sum())) < 2:
        raise UsageError(
            f"{number} split(s) of {scheme.id} are left on which all classifiers were trained; expected at least two; "
            "ask for more, or leave out the classifiers that fail"
        )
    return np.array([o.row_rates[own] for o, own in zip(outcomes, rows, strict=True)]), outcomes[0].tested[rows[0]]


def corrected_se(differences: np.ndarray, tested: float, n: int) -> float:
    """Return the standard error of the mean difference of splits, widened for the training cases that they share."""
    return sqrt(float(differences.var(ddof=1)) * (1 / differences.size + tested / (n - tested)))


def half_width(differences: np.ndarray, tested: float, n: int, df: int, confidence: float) -> float:
    """Return half the width of the interval of the corrected resampled t."""
    return float(special.stdtrit(df, (1 + confidence) / 2)) * corrected_se(differences, tested, n)


def spread_of_rankings(
    problem: Problem, measure: Scoring, scheme: Scheme, splits: int, value: float
) -> tuple[int, float]:
    """Return the degrees of freedom for a difference of two AUCs, and its least standard error.

    Of folds those of one repetition count, not all.  Below :data:`ENOUGH` cases of the smaller class the variance is
    at least half of Hanley and McNeil's for one AUC: the variance of the folds is too uncertain there.
    """
    if not isinstance(scheme, KFold):
        return splits - 1, 0.0
    df = round(splits / scheme.repeats) - 1
    sizes = class_sizes(problem, measure.bound)
    if sizes.min() >= ENOUGH or not isinstance(measure.metric, Ranking):
        return df, 0.0
    # near 0 and 1 the variance vanishes, and does not speak of a difference
    return df, sqrt(float(measure.metric.variance(np.clip(value, *_MODERATE), sizes.tolist())) / 2)


def procedure_interval(
    measure: Scoring, low: float, high: float, method: str, aim: str, confidence: float
) -> ConfidenceInterval:
    """Return the interval between two losses, in the unit of the metric."""
    lower, upper = (float(v) for v in np.clip(measure.limits(low, high), *measure.bounds()))
    no_width = bool(high - low <= 1e-12)
    return ConfidenceInterval(lower, upper, method, "procedure", aim, confidence, no_width, percent=measure.percent)
