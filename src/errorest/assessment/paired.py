"""Several classifiers on the same splits: their rates split by split, and how sure a difference of two is.

What a split has in itself cancels in a difference; the interval of its mean is the corrected resampled t of
Nadeau & Bengio (2003), which widens the usual one for the training and test cases that splits share.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

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
from errorest.estimation.groups import unit_sample
from errorest.estimation.intervals.folds import LEAST_OF_A_CLASS
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
    shared = np.ones(ran[0].outcomes[scheme].n_rows + failed[0].size, dtype=bool)
    shared[np.concatenate(failed)] = False
    return [np.delete(shared, own) for own in failed]


def split_rates(ran: Sequence[RunOutcomes], scheme: Scheme) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean losses, or statistics, of the splits that all classifiers came through, and their test sizes."""
    outcomes, rows = [r.outcomes[scheme] for r in ran], shared_rows(ran, scheme)
    if (number := int(rows[0].sum())) < 2:
        raise UsageError(
            f"{number} split(s) of {scheme.id} are left on which all classifiers were trained; expected at least two; "
            "ask for more, or leave out the classifiers that fail"
        )
    return np.array([o.row_rates[own] for o, own in zip(outcomes, rows, strict=True)]), outcomes[0].tested[rows[0]]


class Spread(NamedTuple):
    """Standard error of a mean of splits, its degrees of freedom, and whether few cases of a class decide it."""

    se: float
    df: int
    bounded: bool = False

    def half_width(self, confidence: float) -> float:
        """Return half the width of the interval of Student's t."""
        return float(special.stdtrit(self.df, (1 + confidence) / 2)) * self.se


def corrected_spread(values: np.ndarray, tested: float, n: int, units: int) -> Spread:
    """Return the spread of a mean of J splits that test n2 of n cases and train on n1, from so many independent units.

    The variance is s^2 (1/k + n2/n1), that of Nadeau & Bengio (2003), section 3, with k = n/n2 in place of J where J
    is larger.  No more than n/n2 test sets are disjoint; s^2/J takes all J for independent and vanishes as splits are
    added, and n2/n1 alone is too little where classifiers vary with their training sets, as nearest neighbours and
    trees do.  With k the two terms are about equal, as if training sets added as much variance as test sets do.

    On classifiers that truly err alike (linear discriminant, 1-NN and C4.5 on attributes that are drawn alike, normal
    or t with 3 degrees of freedom, of 20, 40 and 100 cases; 12,600 samples), 95 % limits with J left 0 out in 12 to
    14 %, for 10 x 10 folds as for 25 splits of 9 : 1, and in 8 to 11 % with the degrees of freedom of one division
    into folds; with k in 5 % for 10 x 10 folds, 4 % for 5 x 5, and 7 to 9 % for 25 splits of 9 : 1.
    """
    sets = min(values.size, n / tested)
    se = sqrt(float(values.var(ddof=1)) * (1 / sets + tested / (n - tested)))
    # t of the J values, and of no more than there are cases (or groups) that can differ
    return Spread(se, min(values.size, units) - 1)


def spread_of_mean(problem: Problem, measure: Scoring, values: np.ndarray, tested: float) -> Spread:
    """Return the spread of a mean of splits.

    A score that ranks has no more than 2 m - 2 degrees of freedom, m cases (or groups) being of the smaller class, as
    its intervals have: these few make it vary.
    """
    spread = corrected_spread(values, tested, problem.n, unit_sample(problem.sample, problem.groups).n)
    if not measure.metric.ranks:
        return spread
    return spread._replace(df=min(spread.df, 2 * int(class_sizes(problem, measure.bound).min()) - 2))


def spread_of_difference(problem: Problem, measure: Scoring, values: np.ndarray, tested: float, level: float) -> Spread:
    """Return the spread of a mean difference of splits; ``level`` is the mean value of both classifiers.

    Below :data:`ENOUGH` cases of the smaller class the variance of AUCs is at least half of Hanley and McNeil's (1982)
    for one AUC: the variance of the splits is too uncertain there.
    """
    spread = spread_of_mean(problem, measure, values, tested)
    if not isinstance(measure.metric, Ranking) or (sizes := class_sizes(problem, measure.bound)).min() >= ENOUGH:
        return spread
    # near 0 and 1 the variance vanishes, and does not speak of a difference
    least = sqrt(float(measure.metric.variance(np.clip(level, *_MODERATE), sizes.tolist())) / 2)
    return spread if spread.se > least else Spread(least, spread.df, bounded=True)


def too_few_to_rank(problem: Problem, measure: Scoring) -> str:
    """Say why a difference of scores that rank has no limits, as such a score has none; nothing where it has."""
    if not measure.metric.ranks or class_sizes(problem, measure.bound).min() >= LEAST_OF_A_CLASS:
        return ""
    return f"the smallest class has fewer than {LEAST_OF_A_CLASS} {'cases' if problem.groups is None else 'groups'}"


def within_scale(measure: Scoring, limits: Any) -> Any:
    """Cut limits of a difference: two values differ by no more than the least and the largest value do."""
    scale = float(np.ptp(measure.bounds()))
    return np.clip(limits, -scale, scale)


def procedure_interval(
    measure: Scoring, low: float, high: float, method: str, aim: str, confidence: float
) -> ConfidenceInterval:
    """Return the interval between two losses, in the unit of the metric."""
    lower, upper = (float(v) for v in np.clip(measure.limits(low, high), *measure.bounds()))
    no_width = bool(high - low <= 1e-12)
    return ConfidenceInterval(lower, upper, method, "procedure", aim, confidence, no_width, percent=measure.percent)
