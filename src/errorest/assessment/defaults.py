"""What is done where nobody says how: one table of methods, one of intervals, and what reads them.

Of the reasons see the page "Defaults and why": .632+ varies least at the sample sizes that need an interval.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from errorest.assessment.splitters import (
    OfPredictions,
    OfSplitter,
    Shape,
    SplitterScheme,
    from_splitter,
    is_splitter,
    parts_all,
    shape_of,
)
from errorest.counting import count_each
from errorest.data.labels import LabelledCases
from errorest.errors import UsageError
from errorest.estimation.estimators import (
    ESTIMATORS,
    Bootstrap632Plus,
    BootstrapE0,
    CrossValidation,
    Estimator,
    LeaveOneOutCV,
    RandomSubsampling,
    check_estimator_of,
    parse_estimator,
)
from errorest.estimation.groups import unit_sample, units_of
from errorest.estimation.intervals import (
    INTERVALS,
    IntervalMethod,
    fitting_interval,
    parse_interval,
    registry_of,
    require_legal,
)
from errorest.estimation.intervals.out_of_bag import usual_replicates
from errorest.estimation.metrics.metric import BoundMetric, Metric, Statistic, Weights
from errorest.estimation.metrics.proper import ProbabilityMetric
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Bootstrap, KFold, LeaveOneOut
from errorest.spec import name_and_settings, settings_of
from errorest.streams import Streams

if TYPE_CHECKING:
    from errorest.assessment.problem import Problem

Task = Literal["estimate", "compare", "choose", "nested", "permutation test"]
Kind = Literal["mean of probabilities", "mean", "ranking", "statistic"]


class DefaultMethod(NamedTuple):
    """How a task resamples for a kind of metric; of several rows that fit, the first counts."""

    task: Task | Literal["any"]
    metric: Kind | Literal["any"]
    when: Literal["many cases", "self-tuning", "bootstrap differs", "any"]
    method: str


MANY, VERY_MANY = 300, 10_000
"""From so many cases, or groups, on means are estimated by repeated cross-validation, and by one alone; where bootstrap
samples take more than :data:`HELD` bytes too.  One division adds to the variance: of a linear discriminant that has
nothing to learn, at 1,000 cases, it makes 2 to 2.4 times the binomial one, five 1.6 to 1.7 times."""

METHODS = (
    # .632+ varies least where cases are few.  At 300 cases its limits are as wide as those of ten folds, and it is off
    # by more: of C4.5 on two normals with an inherent error of 30 % by 2.8 points at 300 and 2.4 at 1,000 cases, where
    # its limits held the mean error in .86 and .70 of samples, since pruning takes copies of a case for evidence; of
    # 1-NN by a quarter of the error
    DefaultMethod("estimate", "mean", "many cases", "cv(k=10, repeats={divisions}, stratified=True)"),
    # .632+ of probabilities is far off for classifiers that are certain of their training cases; limits of ten folds
    # hold less often at 20 cases, in .87 of simulated samples against .93
    DefaultMethod("estimate", "mean of probabilities", "any", "cv(k={most}, repeats=10, stratified=True)"),
    # copies of a case in a bootstrap sample stand on both sides of the model's own splits
    DefaultMethod("estimate", "mean", "self-tuning", "cv(k={k}, repeats=5, stratified=True)"),
    # of pruned trees .632+ was off by up to 7 points from 120 cases on, and its limits held in .84 to .89 of simulated
    # samples of five of eight cells, those of ten folds in .95 and more; of a linear discriminant with 20 attributes in
    # .82 to .99 at 20 to 40 cases, those of folds in .89 to .97
    DefaultMethod("estimate", "mean", "bootstrap differs", "cv(k={k}, repeats=5, stratified=True)"),
    # {replicates} is max(200, sqrt(200 n))
    DefaultMethod("estimate", "mean", "any", "632+(replicates={replicates})"),
    # {k5} is 5, {k10} is 10, or as many folds as the rarest class has cases; {k} is 10, or the number of cases
    DefaultMethod("nested", "ranking", "any", "cv(k={k5}, repeats=1, stratified=True, weights={weights})"),
    DefaultMethod("permutation test", "ranking", "any", "cv(k={k5}, repeats=1, stratified=True, weights={weights})"),
    DefaultMethod("any", "ranking", "any", "cv(k={k10}, repeats=10, stratified=True, weights={weights})"),
    DefaultMethod("estimate", "statistic", "any", "cv(k=5, stratified=True)"),
    # as many fits as 25 splits of 9 : 1; of classifiers that err alike its limits left 0 out in 4 % of the samples that
    # `corrected_spread` describes, and of trees, the worst, in 4 to 8 % (of 20 cases in up to 14 %), those of 10 x 10
    # folds in 8 to 11 %.  {folds} is 5; below ten cases, or groups, as many folds as these once, or too few are left to
    # train on
    DefaultMethod("compare", "any", "any", "cv(k={folds}, repeats={repeats}, stratified=True)"),
    DefaultMethod("choose", "any", "any", "cv(k={k}, repeats=10)"),
    # few folds, since the choice, or the estimate, is repeated; {most} is 5, or the number of cases
    DefaultMethod("nested", "any", "any", "cv(k={most})"),
    DefaultMethod("permutation test", "mean", "any", "cv(k={most})"),
    DefaultMethod("permutation test", "statistic", "any", "cv(k={most}, stratified=True)"),
)
"""The methods of all tasks."""

Way = Shape | Literal["out-of-bag", "632+"]

INTERVALS_OF: dict[Way, tuple[str, ...]] = {
    "out-of-bag": ("oob",),
    "632+": ("632+wilson", "632+span"),
    "holdout": (
        *("holdout-wilson", "holdout-clopper-pearson", "holdout-hanley-mcneil", "holdout-boyd", "holdout-delong"),
        *("holdout-wald", "holdout-influence"),
    ),
    "retests": ("kohavi", "cv-hanley-mcneil", "cv-boyd"),
    "holdouts": ("corrected-t",),
    "loo": ("loo-kohavi", "loo-wald"),
    "folds": ("cv-wilson", "kohavi", "cv-hanley-mcneil", "cv-boyd", "cv-wald", "cv-influence", "cv-corrected-t"),
    "repeated-folds": ("cv-wilson", "kohavi", "cv-hanley-mcneil", "cv-boyd", "cv-corrected-t"),
}
"""The intervals of ways of resampling, the best first; the first that suits metric and groups is the default.

They do not depend on what made the splits: a method, a splitter, a list, or another program.  Limits of counts and of
scores have width at the ends: of 40 cases DeLong's held an AUC of .86 in .92 of simulated samples and one of .99 in
.59, Hanley and McNeil's at the limit in .98 and .97.
"""

HELD = 2**30
"""Bytes that resamples and predictions may take, where no other bound is given."""

# Classifiers that an estimate may ask for
_MOST_FITS = 10_000_000

# Bytes of a case of a bootstrap sample or holdout, as measured at 20,000 cases: its count, and .37 of a test
_OF_A_CASE, _TESTED = 18, 0.37

# Bytes of a test of folds, which are kept without counts: prediction, loss and what reductions make of them
_OF_A_TEST = 60


def kind_of(metric: Metric) -> tuple[Kind, ...]:
    """Name the kinds of a metric, the most special first."""
    if isinstance(metric, ProbabilityMetric):
        return "mean of probabilities", "mean"
    if metric.decomposable:
        return ("mean",)
    return ("ranking", "statistic") if metric.ranks else ("statistic",)


def default_method(task: Task, bound: BoundMetric, of: LabelledCases) -> Estimator:
    """Return how a task resamples for a metric."""
    kinds, grouped, n = kind_of(bound.metric), of.groups is not None, of.n_groups or of.n
    replicates = usual_replicates(n)
    # many cases in few groups take as much memory
    many = n >= MANY or bytes_of((Bootstrap(replicates),), n, of.n) > HELD
    holds = {"many cases": many, "self-tuning": bool(of.self_tuning), "any": True}
    holds["bootstrap differs"] = of.bootstrap_differs and not grouped
    text = next(
        row.method for row in METHODS if row.task in (task, "any") and row.metric in (*kinds, "any") and holds[row.when]
    )
    settings: dict[str, Any] = {"replicates": replicates, "most": max(2, min(5, n)), "k": max(2, min(10, n))}
    # a single division decides less and less
    settings["divisions"] = 1 if n >= VERY_MANY else 5
    settings |= {"folds": 5, "repeats": 5} if n >= 10 else {"folds": n, "repeats": 1}
    if "ranking" in kinds:
        if class_sizes(of, bound).min() < 2:
            what = "groups" if grouped else "cases"
            raise UsageError(f"a class has fewer than 2 {what}; a score that ranks needs 2 of each class")
        # folds keep the most frequent classes of groups in proportion; every fold must test both kinds, or it has no
        # AUC: as many folds as the rarest class has cases
        units = of if of.groups is None else unit_sample(of, of.groups)
        rarest = int(count_each(_compared(units.y, bound)).min())
        settings |= {"k5": max(2, min(5, rarest)), "k10": max(2, min(10, rarest)), "weights": bound.metric.weights}
    return parse_estimator(text.format(**settings))


def class_sizes(of: LabelledCases, bound: BoundMetric) -> np.ndarray:
    """Count the cases of each class that a metric compares, or the groups that have one: the others, the positive."""
    kinds = _compared(of.y, bound)
    if of.groups is not None:
        kinds = np.unique(np.stack([kinds, of.groups]), axis=1)[0]
    return count_each(kinds)


def _compared(y: np.ndarray, bound: BoundMetric) -> np.ndarray:
    return (y == bound.positive).astype(np.int64) if bound.metric.of_one_class else y


def bytes_of(schemes: Iterable[Scheme], n: int, cases: int, n_scores: int = 0) -> int:
    """Return about how many bytes schemes and their predictions take, drawn for n units that hold some cases."""
    total = 0.0
    for s in schemes:
        if isinstance(s, KFold):
            total += cases * s.repeats * (_OF_A_TEST + 8 * n_scores)
        elif not isinstance(s, LeaveOneOut | SplitterScheme):
            # every row stores a count for each case; .37 = (1 - 1/n)^n of the cases are out of the bag
            total += cases * s.fits(n) * (_OF_A_CASE + _TESTED * 8 * n_scores)
    return int(total)


def intervals_of(metric: Metric, way: Way | None, grouped: bool, weights: Weights) -> tuple[str, ...]:
    """Name the intervals that predictions have, the default first.

    ``weights`` say whether a statistic is averaged over the folds or is that of all of them.
    """
    if way is None or (way in ("out-of-bag", "632+") and not metric.decomposable):
        return ()
    family = registry_of(metric)
    made = [family[name]() for name in INTERVALS_OF[way] if name in family]
    names = [m.name for m in made if m.legal_for(metric) and (m.counts_groups or not grouped)]
    # influences are of first order: 95 % limits of the mean F1 or Matthews correlation of five folds of 20 cases held
    # it in .77 to .90 of simulated samples, the corrected t in .97 to 1; that of all folds in .89 to .93
    nonlinear = isinstance(metric, Statistic) and not metric.recalled(2) and weights == "folds"
    return tuple(sorted(names, key=lambda name: nonlinear and name == "cv-influence"))


def way_of(method: Estimator) -> Way | None:
    """Tell how a method tests its cases; None where intervals know nothing of it."""
    match method:
        case LeaveOneOutCV():
            return "loo"
        case CrossValidation():
            return "loo" if method.k == "n" else "folds" if method.repeats == 1 else "repeated-folds"
        case RandomSubsampling():
            return "holdout" if method.repeats == 1 else "holdouts"
        case Bootstrap632Plus() | BootstrapE0() if method.per != "nested":
            return "632+" if isinstance(method, Bootstrap632Plus) else "out-of-bag"
        case _:
            return None


@dataclass(frozen=True)
class Plan:
    """A method, an interval, or both, and what must be run for them.

    ``stands_for`` pairs a scheme of the interval with the method's own that serves it.
    """

    method: Estimator | None
    interval: IntervalMethod | None
    stands_for: tuple[tuple[Scheme, Scheme], ...] = ()

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """What must be run, each once."""
        served = {a for a, _ in self.stands_for}
        own = self.method.schemes if self.method is not None else ()
        more = () if self.interval is None else tuple(s for s in self.interval.schemes if s not in served)
        return tuple(dict.fromkeys(own + more))


def is_auto(value: Any) -> bool:
    """Whether a method or an interval is left to the table."""
    return isinstance(value, str) and value == "auto"


def one_of(method: Any, cv: Any) -> Any:
    """Return the method, of which ``cv`` is another name; splits of a generator as a list."""
    if cv is not None:
        if not is_auto(method):
            raise UsageError("method and cv were both given, and are one parameter; leave out one")
        method = cv
    return list(method) if isinstance(method, Iterator) else method


def read_method(method: Any, problem: Problem, streams: Streams, cv: Any = None) -> str | Estimator:
    """Return a method as text or estimator; a splitter is asked for its splits here.  ``cv`` is another name."""
    method = one_of(method, cv)
    if isinstance(method, str):
        if not method.isdecimal() or method in ESTIMATORS:
            return method
        method = int(method)
    if isinstance(method, int | np.integer) and not isinstance(method, bool) and method >= 2:
        return f"cv(k={int(method)}, stratified=True)"
    if isinstance(method, Estimator) and not isinstance(method, OfSplitter):
        return method
    if not isinstance(method, OfSplitter) and not is_splitter(method):
        raise UsageError(
            f"method = {reprlib.repr(method)}; expected 'auto', a name, a number of folds, an Estimator, a "
            "scikit-learn splitter or a list of (train, test) pairs"
        )
    if problem.strata is not None:
        raise UsageError("a splitter and stratify were given; leave out stratify, or name a method such as cv(k=10)")
    groups = problem.groups
    if not isinstance(method, OfSplitter):
        method = from_splitter(method, problem.X, problem.labels[problem.y], groups, streams.generator("splitter"))
    made = method.splits.made
    if made.n != problem.n:
        raise UsageError(f"the splits were made of {made.n} cases and there are {problem.n}; pass the splitter itself")
    if groups is not None:
        row = made.row_of_test()
        trained = np.zeros((made.n_rows, int(groups.max()) + 1), dtype=np.int64)
        np.add.at(trained.T, groups, made.training_counts().T)
        if (parted := trained[row, groups[made.cases]] > 0).any():
            first = int(row[parted][0]) + 1
            raise UsageError(f"the splitter parts a group in split {first}; take one such as GroupKFold")
    return method


def method_for(method: str | Estimator, metric: Metric) -> Estimator:
    """Return the estimator of a metric: what a text leaves open is what suits the metric.

    A ranking is averaged over the folds, since pooling ranks cases by the class shares of their training sets, which
    biases the AUC downwards (Parker, Guenter & Bedo 2007), or pooled where it rises as test sets become smaller.
    """
    if not isinstance(method, str):
        return method
    made, named = parse_estimator(method), (name_and_settings(method) or ("", {}))[1]
    if metric.decomposable:
        return made
    if metric.ranks and isinstance(made, CrossValidation) and made.k != "n" and "weights" not in named:
        return replace(made, weights=metric.weights)
    # cases have no statistic of their own
    return replace(made, per="replicate") if getattr(made, "per", "") == "case" and "per" not in named else made  # type: ignore[call-arg]


def make_plan(
    of: LabelledCases,
    bound: BoundMetric,
    method: str | Estimator = "auto",
    interval: Any = "auto",
    task: Task = "estimate",
) -> Plan:
    """Match method and interval for a metric on a problem, or on predictions."""
    metric, grouped = bound.metric, of.groups is not None
    units, automatic = of if of.groups is None else unit_sample(of, of.groups), is_auto(interval)
    named = None if interval is None or automatic else _interval(interval, metric)
    if is_auto(method) and named is not None:
        _check_groups(named, grouped, metric)
        surrounded = None if metric.decomposable else named.point_estimator
        # one that draws for itself has an estimate of its own
        shared = surrounded is not None and set(surrounded.schemes) <= set(named.schemes)
        plan = Plan(surrounded if shared else None, named)
    else:
        wanted = default_method(task, bound, of) if is_auto(method) else method_for(method, metric)
        if isinstance(wanted, OfSplitter):
            plan = _plan_of_splits(wanted, interval, metric, of.groups)
        elif named is not None:
            if not metric.decomposable:
                check_estimator_of(metric, wanted)
            fitting = fitting_interval(interval, wanted, metric, units.n) if isinstance(interval, str) else named
            _check_surrounds(fitting, wanted, metric)
            _check_groups(fitting, grouped, metric, wanted)
            plan = Plan(wanted, fitting)
        else:
            check_estimator_of(metric, wanted)
            weights: Weights = getattr(wanted, "weights", "test-size")
            usual = next(iter(intervals_of(metric, way_of(wanted), grouped, weights)), None) if automatic else None
            if usual is None:
                plan = Plan(wanted, None)
            else:
                fitting = fitting_interval(usual, wanted, metric, units.n)
                # n folds are leave-one-out, and a number of tested cases is a share
                same = fitting.schemes == wanted.schemes
                plan = Plan(wanted, fitting, () if same else ((fitting.schemes[0], wanted.schemes[0]),))
    if not isinstance(plan.method, OfSplitter):
        for scheme in plan.schemes:
            check_folds(scheme, units.n, grouped=grouped)
        if (fits := sum(scheme.fits(units.n) for scheme in plan.schemes)) > _MOST_FITS:
            raise UsageError(f"{fits:,} classifiers were asked for; expected at most {_MOST_FITS:,}")
    if plan.interval is not None:
        # of a statistic the metric decides what is legal
        plan.interval.check(units, zero_one=metric.zero_one or not metric.decomposable)
    return plan


def check_folds(scheme: Scheme, n: int, *, grouped: bool) -> None:
    """Refuse more folds than there are units."""
    if n < scheme.least:
        unit = "group" if grouped else "case"
        there = "is 1" if n == 1 else f"are {n}"
        raise UsageError(
            f"{scheme.least} folds were asked for and there {there} {unit}{'' if n == 1 else 's'}; "
            + (f"ask for cv(k={n}) or fewer folds" if n > 1 else f"expected at least two {unit}s")
        )


def _plan_of_splits(method: OfSplitter, interval: Any, metric: Metric, groups: np.ndarray | None) -> Plan:
    """Match an interval for a splitter's splits, or for given test sets."""
    scheme = method.splits
    legal = intervals_of_splits(scheme.made, metric, groups, method.weights_of(metric))
    if interval is None or (is_auto(interval) and not legal):
        return Plan(method, None)
    name = next(iter(legal)) if is_auto(interval) else _interval(interval, metric).name
    if name not in legal:
        more = "interval=None" if isinstance(method, OfPredictions) else "interval=None, or a scheme such as cv(k=10)"
        raise UsageError(
            f"interval {name} is not legal with {method.id}; expected one of: {', '.join(legal) or 'none'}; choose "
            f"one of these, {more}"
        )
    return Plan(method, legal[name], ((legal[name].schemes[0], scheme),))


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
    # given predictions are of tested cases alone, which no share says
    known |= {"splits": rows, "ratio": 1 - share, "test": share if share < 1 else tested}
    family = registry_of(metric)
    names = intervals_of(metric, shape, groups is not None, weights)
    return {n: family[n](**{s.name: known[s.name] for s in settings_of(family[n]) if s.name in known}) for n in names}


def _interval(interval: Any, metric: Metric) -> IntervalMethod:
    """Return an interval that was named or made; whether a statistic may have it depends on its settings."""
    if isinstance(interval, IntervalMethod):
        return interval if metric.decomposable else parse_interval(interval.id, metric)
    if isinstance(interval, str):
        return parse_interval(interval, metric)
    raise UsageError(f"interval = {reprlib.repr(interval)}; expected 'auto', None or a name; see: errorest intervals")


def _check_surrounds(interval: IntervalMethod, wanted: Estimator, metric: Metric) -> None:
    """Refuse an interval that is made of other resamples than the estimate."""
    if metric.decomposable:
        require_legal(interval, wanted)
        others = [] if interval.has_own_estimate else interval.estimators_sharing
        alike = not interval.has_own_estimate and set(wanted.schemes) <= set(interval.schemes)
    else:
        others, alike = [interval.point_estimator], interval.point_estimator == wanted
    if not alike:
        whose = f"the estimate of {others[0].id}" if others else "an estimate of its own"
        raise UsageError(
            f"interval {interval.id} surrounds {whose} and estimator {wanted.id} was named; leave out the estimator, "
            "or the interval for the one that belongs to the estimator"
        )


def _check_groups(interval: IntervalMethod, grouped: bool, metric: Metric, method: Estimator | None = None) -> None:
    """Refuse an interval that counts cases, and name those of its family that count groups."""
    if not grouped or interval.counts_groups:
        return
    able = [m for m in (made() for made in registry_of(metric).values()) if m.counts_groups and m.legal_for(metric)]
    if metric.decomposable and method is not None:
        able = [m for m in able if m.legal_with(method)]
    raise UsageError(
        f"interval {interval.id} takes cases for independent, and groups were given; expected one that can count "
        f"groups: {', '.join(m.name for m in able) or 'none with this method'}; or interval=None"
    )


def legal_intervals(estimator: str) -> tuple[str, ...]:
    """Name the intervals that surround an estimate of a kind."""
    return tuple(name for name in INTERVALS if parse_interval(name).legal_with(estimator))


def aim_of(interval: IntervalMethod, n: int, trained: float) -> str:
    """Say what an interval aims at, with the numbers of cases in place of n."""
    part = f"{round(trained)}" if trained == round(trained) else f"about {round(trained)}"
    text = re.sub(r"\b(n1|n / 2) cases", f"{part} cases", interval.aim)
    text = re.sub(r"\bof n cases", f"of {n} cases", text)
    text = re.sub(r"\.632 n\b", str(round(n * (1 - (1 - 1 / n) ** n))), text)
    text = re.sub(r"\bthe whole sample", f"the whole sample of {n} cases", text)
    return re.sub(r"\b(folds but one|part of the split)", rf"\1 ({part} of the {n} cases)", text)
