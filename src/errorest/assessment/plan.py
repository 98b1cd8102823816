"""Match the estimator and the interval that were named, and choose them where none was.

Of the defaults see the page "Defaults and why": .632+ varies least at the sample sizes that need an interval.
"""

from __future__ import annotations

import re
import reprlib
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring
from errorest.assessment.memory_use import HELD, bytes_of, check_memory
from errorest.assessment.runs import check_folds, units_of
from errorest.assessment.splitters import OfSplitter, Shape, from_splitter, is_splitter, parts_all, shape_of
from errorest.errors import UsageError
from errorest.estimation.estimators import (
    ESTIMATORS,
    Bootstrap632Plus,
    BootstrapE0,
    CrossValidation,
    Estimator,
    LeaveOneOutCV,
    RandomSubsampling,
    Weights,
    check_estimator_of,
    parse_estimator,
)
from errorest.estimation.groups import unit_sample
from errorest.estimation.intervals import (
    INTERVALS,
    STATISTIC_INTERVALS,
    IntervalMethod,
    fitting_interval,
    parse_interval,
    parse_statistic_interval,
    require_legal,
)
from errorest.estimation.intervals.out_of_bag import usual_replicates
from errorest.estimation.metrics.metric import ERROR_RATE, BoundMetric, Metric, Statistic
from errorest.estimation.metrics.proper import ProbabilityMetric
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Scheme
from errorest.spec import settings_of
from errorest.streams import Streams

# Classifiers that an estimate may ask for
_MOST_FITS = 10_000_000


def default_estimator(n: int, cases: int | None = None) -> Bootstrap632Plus | CrossValidation:
    """Return what estimates the error of n units where nobody says how: folds where .632+ takes too much memory."""
    bootstrap = Bootstrap632Plus(usual_replicates(n))
    small = cases is None or bytes_of(bootstrap.schemes, n, cases) <= HELD
    return bootstrap if small else CrossValidation(10, stratified=True)


@dataclass(frozen=True)
class Plan:
    """An estimator, an interval, or both, and what must be run for them."""

    estimator: Estimator | None
    method: IntervalMethod | None
    stands_for: tuple[tuple[Scheme, Scheme], ...] = ()

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """What must be run, each once."""
        served = {a for a, _ in self.stands_for}
        own = self.estimator.schemes if self.estimator is not None else ()
        more = () if self.method is None else tuple(s for s in self.method.schemes if s not in served)
        return tuple(dict.fromkeys(own + more))


def make_plan(estimator: Any, interval: Any, *, n: int, metric: Metric = ERROR_RATE, grouped: bool = False) -> Plan:
    """Match an estimator and an interval for so many units (cases, or groups)."""
    automatic = _is_auto(interval)
    if _is_auto(estimator) and not (automatic or interval is None):
        method = _interval(interval, metric)
        _check_groups(method, grouped, metric)
        surrounded = None if metric.decomposable else method.surrounds
        # one that draws for itself has an estimate of its own
        shared = surrounded is not None and set(surrounded.schemes) <= set(method.schemes)
        return Plan(surrounded if shared else None, method)
    wanted = default_estimator(n) if _is_auto(estimator) else checked_estimator(estimator)
    if not metric.decomposable:
        check_estimator_of(metric, wanted)
    if interval is None:
        return Plan(wanted, None)
    if automatic:
        # one that costs no further fit, if there is one for this metric and these units
        choice = _usual_of(wanted, metric, grouped)
        if choice is None:
            return Plan(wanted, None)
        usual = fitting_interval(choice, wanted, metric, n)
        # n folds are leave-one-out, and a number of tested cases is a share
        same = usual.schemes == wanted.schemes
        return Plan(wanted, usual, () if same else ((usual.schemes[0], wanted.schemes[0]),))
    method = _interval(interval, metric)
    if isinstance(interval, str):
        method = fitting_interval(interval, wanted, metric, n)
    _check_surrounds(method, wanted, metric)
    _check_groups(method, grouped, metric, wanted)
    return Plan(wanted, method)


def _check_surrounds(method: IntervalMethod, wanted: Estimator, metric: Metric) -> None:
    """Refuse an interval that is made of other resamples than the estimate."""
    if metric.decomposable:
        require_legal(method, wanted)
        others = [] if method.has_own_estimate else method.estimators_sharing
        alike = not method.has_own_estimate and set(wanted.schemes) <= set(method.schemes)
    else:
        others, alike = [method.surrounds], method.surrounds == wanted
    if not alike:
        whose = f"the estimate of {others[0].id}" if others else "an estimate of its own"
        raise UsageError(
            f"interval {method.id} surrounds {whose} and estimator {wanted.id} was named; leave out the estimator, or "
            "the interval for the one that belongs to the estimator"
        )


def _is_auto(value: Any) -> bool:
    return isinstance(value, str) and value == "auto"


def checked_estimator(estimator: Any) -> Estimator:
    """Return an estimator that was named or made."""
    if isinstance(estimator, Estimator):
        return estimator
    if isinstance(estimator, str):
        if not estimator.isdecimal() or estimator in ESTIMATORS:
            return parse_estimator(estimator)
        estimator = int(estimator)
    if isinstance(estimator, int | np.integer) and not isinstance(estimator, bool) and estimator >= 2:
        return CrossValidation(int(estimator), stratified=True)
    raise UsageError(
        f"method = {reprlib.repr(estimator)}; expected 'auto', a name, a number of folds, an Estimator, a scikit-learn "
        "splitter or a list of (train, test) pairs"
    )


def _interval(interval: Any, metric: Metric) -> IntervalMethod:
    """Return an interval that was named or made; whether a statistic may have it depends on its settings."""
    if isinstance(interval, IntervalMethod):
        return interval if metric.decomposable else parse_statistic_interval(interval.id, metric)
    if isinstance(interval, str):
        return parse_interval(interval) if metric.decomposable else parse_statistic_interval(interval, metric)
    raise UsageError(f"interval = {reprlib.repr(interval)}; expected 'auto', None or a name; see: errorest intervals")


def _check_groups(method: IntervalMethod, grouped: bool, metric: Metric, estimator: Estimator | None = None) -> None:
    """Refuse an interval that counts cases, and name those of its family that count groups."""
    if not grouped or method.counts_groups:
        return
    family = INTERVALS if metric.decomposable else STATISTIC_INTERVALS
    able = [made() for made in family.values() if made.counts_groups]
    if not metric.decomposable:
        able = [m for m in able if m.legal_for(metric)]
    elif estimator is not None:
        able = [m for m in able if m.legal_with(estimator)]
    raise UsageError(
        f"interval {method.id} takes cases for independent, and groups were given; expected one that can count "
        f"groups: {', '.join(m.name for m in able) or 'none with this estimator'}; or interval=None"
    )


def aim_of(method: IntervalMethod, n: int, trained: float) -> str:
    """Say what an interval aims at, with the numbers of cases in place of n."""
    part = f"{round(trained)}" if trained == round(trained) else f"about {round(trained)}"
    text = re.sub(r"\b(n1|n / 2) cases", f"{part} cases", method.aim)
    text = re.sub(r"\bof n cases", f"of {n} cases", text)
    text = re.sub(r"\.632 n\b", str(round(n * (1 - (1 - 1 / n) ** n))), text)
    text = re.sub(r"\bthe whole sample", f"the whole sample of {n} cases", text)
    return re.sub(r"\b(folds but one|part of the split)", rf"\1 ({part} of the {n} cases)", text)


def legal_intervals(estimator: str) -> tuple[str, ...]:
    """Name the intervals that surround an estimate of a kind."""
    return tuple(name for name in INTERVALS if parse_interval(name).legal_with(estimator))


_OF_SHAPES: dict[Shape | None, tuple[str, ...]] = {
    "holdout": (
        *("holdout-wilson", "holdout-clopper-pearson", "holdout-hanley-mcneil", "holdout-boyd", "holdout-delong"),
        *("holdout-wald", "holdout-influence"),
    ),
    "retests": ("kohavi", "cv-hanley-mcneil", "cv-boyd"),
    "holdouts": ("corrected-t",),
    "loo": ("loo-kohavi", "loo-wald"),
    "folds": ("kohavi", "cv-hanley-mcneil", "cv-boyd", "cv-wald", "cv-influence", "cv-corrected-t"),
    "repeated-folds": ("kohavi", "cv-hanley-mcneil", "cv-boyd", "cv-corrected-t"),
}
"""Intervals that the predictions of splits of a shape yield, the best first: limits of counts and of scores have width
at the ends.  Of 40 cases DeLong's held an AUC of .86 in .92 of simulated samples and one of .99 in .59, Hanley and
McNeil's at the limit in .98 and .97."""


def intervals_of(metric: Metric, shape: Shape | None, grouped: bool, weights: Weights) -> tuple[str, ...]:
    """Name the intervals that predictions have, the default first.

    They do not depend on what made the splits: a method, a splitter, a list, or another program.  ``weights`` tell
    whether a statistic is averaged over the folds or is that of all of them.
    """
    family = INTERVALS if metric.decomposable else STATISTIC_INTERVALS
    made = [family[name]() for name in _OF_SHAPES.get(shape, ()) if name in family]
    names = [
        m.name
        for m in made
        if (metric.zero_one or m.losses == "any" if metric.decomposable else m.legal_for(metric))
        and (m.counts_groups or not grouped)
    ]
    # influences are of first order: 95 % limits of the mean F1 or Matthews correlation of five folds of 20 cases held
    # it in .77 to .90 of simulated samples, the corrected t in .97 to 1; that of all folds in .89 to .93
    nonlinear = isinstance(metric, Statistic) and not metric.recalled(2) and weights == "folds"
    return tuple(sorted(names, key=lambda name: nonlinear and name == "cv-influence"))


def _usual_of(estimator: Estimator, metric: Metric, grouped: bool) -> str | None:
    """Name the interval that the resamples of an estimator yield."""
    match estimator:
        case BootstrapE0() if estimator.per != "nested" and metric.decomposable:
            return "oob"
        case Bootstrap632Plus() if estimator.per != "nested" and metric.decomposable:
            return "632+wilson" if metric.zero_one else "632+span"
        case _:
            weights: Weights = getattr(estimator, "weights", "test-size")
            return next(iter(intervals_of(metric, _shape_of(estimator), grouped, weights)), None)


def _shape_of(estimator: Estimator) -> Shape | None:
    match estimator:
        case LeaveOneOutCV():
            return "loo"
        case CrossValidation():
            return "loo" if estimator.k == "n" else "folds" if estimator.repeats == 1 else "repeated-folds"
        case RandomSubsampling():
            return "holdout" if estimator.repeats == 1 else "holdouts"
        case _:
            return None


def intervals_of_splits(
    made: Resamples, metric: Metric, groups: np.ndarray | None, weights: Weights
) -> dict[str, IntervalMethod]:
    """Return the intervals of splits by name, the default first, with the settings that describe the splits."""
    if groups is not None:
        if not parts_all(made):
            return {}  # some group is tested in part
        made = units_of(made, groups)
    shape = shape_of(made)
    if shape == "loo" and groups is not None and not metric.decomposable:
        shape = "folds"  # the cases of a group have a statistic
    rows, tested = made.n_rows, int(made.start[1])
    share = Fraction(tested, made.n)
    known: dict[str, Any] = {"k": max(2, rows // made.repeats), "repeats": made.repeats, "weights": weights}
    # predictions from elsewhere are of tested cases alone, which no share says
    known |= {"splits": rows, "ratio": 1 - share, "test": share if share < 1 else tested}
    family = INTERVALS if metric.decomposable else STATISTIC_INTERVALS
    names = intervals_of(metric, shape, groups is not None, weights)
    return {n: family[n](**{s.name: known[s.name] for s in settings_of(family[n]) if s.name in known}) for n in names}


def _plan_of_splitter(estimator: OfSplitter, interval: Any, metric: Metric, groups: np.ndarray | None) -> Plan:
    scheme = estimator.splits
    legal = intervals_of_splits(scheme.made, metric, groups, "folds")
    if interval is None or (_is_auto(interval) and not legal):
        return Plan(estimator, None)
    name = next(iter(legal)) if _is_auto(interval) else _interval(interval, metric).name
    if name not in legal:
        raise UsageError(
            f"interval {name} is not legal with {estimator.id}; expected one of: {', '.join(legal) or 'none'}; choose "
            "one of these, interval=None, or a scheme of ours such as cv(k=10)"
        )
    return Plan(estimator, legal[name], ((legal[name].schemes[0], scheme),))


def check_fits(fits: int) -> None:
    """Refuse more classifiers than anybody waits for."""
    if fits > _MOST_FITS:
        raise UsageError(f"{fits:,} classifiers were asked for; expected at most {_MOST_FITS:,}")


def _check_splits(made: Resamples, problem: Problem) -> None:
    """Refuse splits of other data, and those that part a group."""
    if made.n != problem.n:
        raise UsageError(f"the splits were made of {made.n} cases and there are {problem.n}; pass the splitter itself")
    if (groups := problem.groups) is not None:
        row = made.row_of_test()
        trained = np.zeros((made.n_rows, int(groups.max()) + 1), dtype=np.int64)
        np.add.at(trained.T, groups, made.training_counts().T)
        if (parted := trained[row, groups[made.cases]] > 0).any():
            first = int(row[parted][0]) + 1
            raise UsageError(f"the splitter parts a group in split {first}; take one such as GroupKFold")


def ranking_folds(problem: Problem, question: BoundMetric, most: int = 10, repeats: int = 10) -> CrossValidation:
    """Return the folds for a score of rankings: stratified, no more than cases of the rarest class."""
    # pooling ranks cases by the class shares of their training sets, which biases the AUC downwards (Parker, Guenter &
    # Bedo, 2007): folds have an AUC each; average precision is pooled, since it rises as test sets become smaller
    if class_sizes(problem, question).min() < 2:
        units = "cases" if problem.groups is None else "groups"
        raise UsageError(f"a class has fewer than 2 {units}; a score that ranks needs 2 of each class")
    # folds keep the most frequent classes of groups in proportion
    rarest = min(np.bincount(_kinds(unit_sample(problem.sample, problem.groups).y, question)))
    return CrossValidation(max(2, min(most, int(rarest))), repeats, True, question.metric.weights)


def class_sizes(problem: Problem, question: BoundMetric) -> np.ndarray:
    """Count the cases of each class that a metric compares, or the groups that have one: the others, the positive."""
    kinds = _kinds(problem.sample.y, question)
    if problem.groups is not None:
        kinds = np.unique(np.stack([kinds, problem.groups]), axis=1)[0]
    return np.bincount(kinds)


def _kinds(y: np.ndarray, question: BoundMetric) -> np.ndarray:
    return (y == question.positive).astype(np.int64) if question.metric.of_one_class else y


def suited_to(
    question: BoundMetric, problem: Problem, plain: Estimator, most: int = 10, repeats: int = 10
) -> Estimator:
    """Return :func:`ranking_folds` for a score of rankings, else a plain estimator."""
    return ranking_folds(problem, question, most, repeats) if question.metric.ranks else plain


def _default_of(problem: Problem, measure: Scoring, n: int) -> Estimator:
    """Return what estimates a metric where nobody says how."""
    if not measure.metric.decomposable:
        return suited_to(measure.bound, problem, CrossValidation(5, stratified=True))
    if isinstance(measure.metric, ProbabilityMetric) and problem.groups is None:
        # .632+ of probabilities is far off for classifiers that are certain of their training cases
        return RandomSubsampling(Fraction(1, 5), 25)
    return default_estimator(n, problem.n)


def plan_measure(problem: Problem, measure: Scoring, estimator: Any, interval: Any, streams: Streams) -> Plan:
    """Match estimator and interval for a metric on a problem; a splitter is asked for its splits here."""
    metric, grouped, units = measure.metric, problem.groups is not None, unit_sample(problem.sample, problem.groups)
    if is_splitter(estimator) or isinstance(estimator, OfSplitter):
        if problem.strata is not None:
            raise UsageError(
                "a splitter and stratify were given; leave out stratify, or name a method such as cv(k=10)"
            )
        if not isinstance(estimator, OfSplitter):
            rng = streams.generator("splitter")
            estimator = from_splitter(estimator, problem.X, problem.y, problem.groups, rng)
        _check_splits(estimator.splits.made, problem)
        plan = _plan_of_splitter(estimator, interval, metric, problem.groups)
    else:
        if _is_auto(estimator) and (interval is None or _is_auto(interval)):
            estimator = _default_of(problem, measure, units.n)
        plan = make_plan(estimator, interval, n=units.n, metric=metric, grouped=grouped)
        for scheme in plan.estimator.schemes if plan.estimator is not None else ():
            check_folds(scheme, units.n, grouped=grouped)
        check_fits(sum(scheme.fits(units.n) for scheme in plan.schemes))
        check_memory(plan.schemes, units.n, problem.n)
    if not metric.zero_one and plan.estimator is not None:
        check_estimator_of(metric, plan.estimator)
    if plan.method is not None:
        # of a statistic the metric decides what is legal
        plan.method.check(units, zero_one=metric.zero_one or not metric.decomposable)
    return plan
