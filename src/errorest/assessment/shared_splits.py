"""Several classifiers on the same splits: the splits themselves, and the standard errors of means and differences.

What a split has in itself cancels in a difference of two classifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Literal, NamedTuple

import numpy as np

from errorest.assessment.defaults import check_folds, class_sizes, default_method, is_auto, method_for
from errorest.assessment.options import Options
from errorest.assessment.predictions import Predictions
from errorest.assessment.problem import Problem
from errorest.assessment.resample import check_response, fit_predict
from errorest.assessment.results import ConfidenceInterval
from errorest.assessment.scoring import Scoring, resolve_metric
from errorest.assessment.splitters import OfSplitter, SplitterScheme
from errorest.errors import UsageError
from errorest.estimation.estimators import CrossValidation, Estimator, RandomSubsampling, check_estimator_of
from errorest.estimation.intervals.folds import LEAST_OF_A_CLASS
from errorest.estimation.metrics.calibration import CalibrationIntercept, CalibrationSlope
from errorest.estimation.metrics.ranking import Ranking
from errorest.estimation.outcomes import Outcome, StatisticOutcome
from errorest.estimation.quantiles import t_quantile
from errorest.resampling.multisets import Resamples, keep_rows
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Holdout, KFold

# With m cases of the smaller class the variance of splits has 2 m - 2 degrees of freedom at most, and of few it is too
# uncertain
ENOUGH = 20
"""Cases of the smaller class from which the variance of AUCs of folds is trusted."""

# Hanley & McNeil's variance vanishes at an AUC of 1 and would bound nothing there: it is taken at .97 at most (a round
# choice, not fitted), and at .5 at least, below which a ranking is one of the other class
_MODERATE = (0.5, 0.97)


def resolve_ranking_metric(of: Sequence[Problem | Predictions], scoring: Any, pos_label: Any) -> Scoring:
    """Bind a metric that ranks classifiers: not one of calibration, whose ideal is no extreme."""
    metric = resolve_metric(of[0], scoring, pos_label)
    if isinstance(metric.metric, CalibrationSlope | CalibrationIntercept):
        raise UsageError(f"scoring = '{metric}' does not rank classifiers; take brier, log-loss or auc")
    for one in of:
        if isinstance(one, Problem):
            check_response(one, metric.metric)
    return metric


def splitting_method(
    method: str | Estimator, problem: Problem, metric: Scoring, task: Literal["compare", "choose", "nested"]
) -> Estimator:
    """Return the default splits of a task, or those that were named, if limits of differences are known for them."""
    if is_auto(method):
        return default_method(task, metric, problem)
    wanted = method_for(method, metric.metric)
    check_estimator_of(metric.metric, wanted)
    scheme = wanted.schemes[0]
    if isinstance(scheme, SplitterScheme) and scheme.time_ordered:
        raise UsageError(
            f"{wanted.id} trains on cases before those that it tests, and no limits of a difference are known for "
            "cases whose order matters; estimate each classifier with these splits"
        )
    if len(wanted.schemes) > 1 or not _is_comparable(scheme):
        raise UsageError(
            f"method {wanted.id} has no splits to compare on; expected several splits into training and test cases, "
            "each case in one of both; name holdout(test=1/10, repeats=25) or cv(k=10, repeats=10)"
        )
    if task != "compare" and not _is_comparable(scheme, folds=True):
        raise UsageError(
            f"method {wanted.id} has no folds to choose on; expected folds, which test every case equally often; name "
            "cv(k=10, repeats=10)"
        )
    if not isinstance(scheme, SplitterScheme):
        check_folds(scheme, problem.n_groups or problem.n, grouped=problem.groups is not None)
    return wanted


def _is_comparable(scheme: Scheme, *, folds: bool = False) -> bool:
    """Whether several splits train on all cases that they do not test; with ``folds``, and test all equally often."""
    if isinstance(scheme, SplitterScheme):
        return scheme.folds if folds else scheme.complementary
    return isinstance(scheme, KFold) or (not folds and isinstance(scheme, Holdout) and scheme.repeats > 1)


def common_method(predictions: Sequence[Predictions], metric: Scoring, *, folds: bool = False) -> Estimator:
    """Return the method of the splits that predictions share and on which differences have limits.

    Of several these are folds, stratified where the metric ranks, and the most splits.
    """
    first, *others = predictions
    for other in others:
        same = np.array_equal(first.y, other.y) and np.array_equal(first.case_names, other.case_names)
        if first.names != other.names or not same:
            raise UsageError("the predictions are of other cases or classes; expected the same y in the same order")
        if not np.array_equal(first.groups, other.groups):  # type: ignore[arg-type]
            raise UsageError("the predictions are of other groups; resample all with the same groups")
    common = [s for s in first.runs if _is_comparable(s, folds=folds) and all(s in other.runs for other in others)]
    if not common:
        what = "folds" if folds else "folds or repeated holdouts"
        raise UsageError(f"the predictions share no {what}; resample all with one method such as 'cv(k=10)' and rng")
    ranks = metric.metric.ranks

    def rank(s: Scheme) -> tuple[bool, bool, int]:
        return not ranks or getattr(s, "stratified", False), isinstance(s, KFold), first.runs[s].resamples.n_rows

    # folds test every case equally often, and more splits leave less Monte Carlo noise
    best = max(common, key=rank)
    named = None if is_auto(first.method) else method_for(first.method, metric.metric)
    if named is not None and named.schemes == (best,):
        return named
    if isinstance(best, KFold):
        return CrossValidation(best.k, best.repeats, best.stratified, metric.metric.weights if ranks else "test-size")
    if isinstance(best, Holdout):
        return RandomSubsampling(best.test, best.repeats)
    assert isinstance(best, SplitterScheme)
    return OfSplitter(best)


def are_predictions(given: Sequence[Any], X: Any) -> bool:
    """Whether predictions were given, and not models with data."""
    known = [isinstance(one, Predictions) for one in given]
    if any(known) and not (all(known) and X is None):
        raise UsageError("predictions were given beside models or X; expected predictions alone, or models, X and y")
    if not any(known) and X is None:
        raise UsageError("X was not given; expected models with X and y, or predictions on the same resamples")
    return any(known)


def problems_of(predictions: Sequence[Predictions]) -> tuple[Problem, ...]:
    """Return the problems that predictions were made for; none where a program elsewhere made some."""
    known = tuple(p.problem for p in predictions if p.problem is not None)
    return known if len(known) == len(predictions) else ()


def fit_one(
    problem: Problem,
    method: Estimator,
    options: Options,
    metric: Scoring,
    name: str,
    position: int,
    runs: int,
    more: Sequence[Scheme] = (),
) -> Predictions:
    """Fit and predict one of several classifiers, each with random streams of its own, on shared resamples."""
    scores = metric.metric.needs_probabilities
    named: dict[str, Any] = {"labels": not scores, "scores": scores, "name": name, "position": position, "runs": runs}
    named["optional"] = more
    return replace(fit_predict(problem, (*method.schemes, *more), options, **named), method=method)


@dataclass(frozen=True, eq=False)
class SharedSplits:
    """Several classifiers' outcomes of one resampling, on the splits on which none of them failed.

    ``resamples`` are these splits, ``rates`` the mean losses, or statistics as losses, of each classifier (row) and
    split, NaN where undefined; ``results`` the losses of the tests, or what the statistic is computed from, shape
    (C, T) or (C, T, K).
    """

    metric: Scoring
    resamples: Resamples
    outcome: Outcome
    tests: np.ndarray
    rates: np.ndarray
    results: np.ndarray

    @classmethod
    def of(cls, predictions: Sequence[Predictions], scheme: Scheme, metric: Scoring) -> SharedSplits:
        """Measure the predictions, and leave out splits on which a classifier failed."""
        runs = [p.runs[scheme] for p in predictions]
        failed = [np.array([f.row for f in run.failures], dtype=np.int64) for run in runs]
        unlike = UsageError("the predictions are of other splits; resample all with the same method and rng")
        number = runs[0].resamples.n_rows + failed[0].size
        if any(run.resamples.n_rows + own.size != number for run, own in zip(runs, failed, strict=True)):
            raise unlike
        shared = np.ones(number, dtype=bool)
        # a split on which one classifier failed is left out for all, or the differences would not be paired
        shared[np.concatenate(failed)] = False
        if (left := int(shared.sum())) < 2:
            raise UsageError(
                f"{left} split(s) of {scheme.id} are left on which all classifiers were trained; expected at least "
                "two; ask for more, or leave out the classifiers that fail"
            )
        kept = [np.delete(shared, own) for own in failed]
        first, *others = (keep_rows(run.resamples, own) for run, own in zip(runs, kept, strict=True))
        for other in others:
            same = np.array_equal(first.cases, other.cases) and np.array_equal(first.start, other.start)
            if not same or any((first.training_counts(*b) != other.training_counts(*b)).any() for b in first.blocks()):
                raise unlike
        outcomes = [p.outcomes(metric, (scheme,))[scheme] for p in predictions]
        tests = [np.flatnonzero(own[o.resamples.row_of_test()]) for own, o in zip(kept, outcomes, strict=True)]
        results = [o.y_score if isinstance(o, StatisticOutcome) else o.losses for o in outcomes]
        return cls(
            metric,
            first,
            outcomes[0],
            tests[0],
            np.array([o.row_rates[own] for o, own in zip(outcomes, kept, strict=True)]),
            np.stack([of[own] for of, own in zip(results, tests, strict=True)]),
        )

    @property
    def tested(self) -> np.ndarray:
        """Number of tests of each split."""
        return np.diff(self.resamples.start)

    @property
    def undefined(self) -> int:
        """Number of splits without a value of some classifier."""
        return int(np.isnan(self.rates).any(axis=0).sum())


class Spread(NamedTuple):
    """Standard error of a mean of splits, its degrees of freedom, and whether few cases of a class decide it."""

    se: float
    df: int
    bounded: bool = False

    def half_width(self, confidence_level: float) -> float:
        """Return half the width of the interval of Student's t."""
        return t_quantile(self.df, (1 + confidence_level) / 2) * self.se


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
    # k in place of J: n / n2 test sets are disjoint at most
    sets = min(values.size, n / tested)
    se = sqrt(float(values.var(ddof=1)) * (1 / sets + tested / (n - tested)))
    # t of the J values, and of no more than there are cases (or groups) that can differ
    return Spread(se, min(values.size, units) - 1)


def spread_of_splits(
    of: Predictions, metric: Scoring, values: np.ndarray, tested: float, level: float | None = None
) -> Spread:
    """Return the spread of a mean of splits; of a difference, ``level`` is the mean value of both classifiers.

    A score that ranks has no more than 2 m - 2 degrees of freedom, m cases (or groups) being of the smaller class: its
    variance is about that of a difference of two means of m cases each.

    Below :data:`ENOUGH` cases of the smaller class the variance of a difference of AUCs is at least half of Hanley and
    McNeil's (1982) for one AUC: that of the splits is too uncertain there, and two AUCs with the variance v each differ
    with a variance of at least v / 2 unless their correlation exceeds 3/4.
    """
    spread = corrected_spread(values, tested, of.n, of.n_groups or of.n)
    if not metric.metric.ranks:
        return spread
    sizes = class_sizes(of, metric)
    # of a two-sample t with m cases on either side, as for one AUC's interval
    spread = spread._replace(df=min(spread.df, 2 * int(sizes.min()) - 2))
    if level is None or not isinstance(metric.metric, Ranking) or sizes.min() >= ENOUGH:
        return spread
    # var(a - b) = 2 v (1 - rho) is at least v / 2 unless rho exceeds 3/4
    least = sqrt(float(metric.metric.variance(np.clip(level, *_MODERATE), sizes.tolist())) / 2)
    return spread if spread.se > least else Spread(least, spread.df, bounded=True)


def too_few_to_rank(of: Predictions, metric: Scoring) -> str:
    """Return why a difference of scores that rank has no limits, as such a score has none; nothing where it has."""
    if not metric.metric.ranks or class_sizes(of, metric).min() >= LEAST_OF_A_CLASS:
        return ""
    return f"the smallest class has fewer than {LEAST_OF_A_CLASS} {'cases' if of.groups is None else 'groups'}"


def within_scale(metric: Scoring, limits: Any) -> Any:
    """Clip limits of a difference: two values differ by no more than the least and the largest value do."""
    scale = float(np.ptp(metric.bounds()))
    return np.clip(limits, -scale, scale)


def procedure_interval(
    metric: Scoring, low: float, high: float, method: str, aim: str, level: float
) -> ConfidenceInterval:
    """Return the interval between two losses, in the unit of the metric."""
    lower, upper = (float(v) for v in np.clip(metric.limits(low, high), *metric.bounds()))
    return ConfidenceInterval(lower, upper, level, method, "procedure", aim, degenerate=bool(high - low <= 1e-12))
