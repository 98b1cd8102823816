"""The error rate of a person's classifier on a person's data, with an interval and what to beware of.

:func:`estimate_error` checks the data, matches estimator and interval, makes all classifiers once and
reduces their losses.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from math import isnan
from typing import Any

import numpy as np

from errorest.assessment.arrangement import check_folds
from errorest.assessment.caution import Caution, checked_ids, heeded
from errorest.assessment.cautions import cautions
from errorest.assessment.classifiers import OwnClassifier
from errorest.assessment.costs import Costs
from errorest.assessment.estimates import ErrorEstimate
from errorest.assessment.inputs import Problem, prepare
from errorest.assessment.measure import Measure, best_constant, measure_of
from errorest.assessment.plan import Plan, aim_of, make_plan
from errorest.assessment.progress import teller
from errorest.assessment.result import ConfidenceInterval, Fits
from errorest.assessment.runs import OnFailure, Ran, run
from errorest.assessment.splitters import OfSplitter, is_splitter
from errorest.assessment.tables import Tables
from errorest.assessment.threads import checked_threads, limited
from errorest.errors import UsageError
from errorest.estimation.groups import unit_sample
from errorest.estimation.intervals import IntervalMethod, IntervalResult, Measured
from errorest.estimation.intervals.promise import MeasuredCoverage, measured_coverage
from errorest.estimation.metrics.metric import CaseMetric
from errorest.estimation.outcomes import RowErrors
from errorest.estimation.proportions import check_confidence
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

__all__ = [
    "check_fits",
    "checked_on_failure",
    "estimate_error",
    "estimator_id",
    "fits_of_schemes",
    "on_cores",
    "planned",
    "reduced",
    "streams_of",
]

_MOST_FITS = 10_000_000
"""Classifiers that an estimate may ask for."""


def estimate_error(
    classifier: Any,
    X: Any,
    y: Any = None,
    *,
    estimator: Any = "auto",
    interval: Any = "auto",
    rng: np.random.Generator | int | None = None,
    groups: Any = None,
    strata: Any = None,
    loss: Any = "0/1",
    on_failure: OnFailure = "raise",
    confidence: float = 0.95,
    encode: bool = False,
    jobs: int = 1,
    threads: int | None = 1,
    progress: bool = False,
    ignore: Iterable[str] | str = (),
) -> ErrorEstimate:
    """Estimate the error rate of the classifier that is made of a sample.

    Parameters
    ----------
    classifier : scikit-learn classifier or pipeline, inducer, or str
        A name such as ``"naive-bayes"`` or ``"knn(k=3)"``, an import path, or an object.  It is never changed.
    X : array-like or DataFrame, shape (n, d), sparse matrix, or Sample (then without y)
        Text and missing values suit inducers that take them, and pipelines that encode them.
    y : array-like, shape (n,)
        Class labels of any kind.
    estimator : "auto", str, Estimator, or scikit-learn splitter
        ``"auto"`` is ``632+(replicates=200)``, with more replicates from 200 cases on, or the estimate that belongs
        to the interval where one is named.
    interval : "auto", str, IntervalMethod, or None
        ``"auto"`` takes the interval that the estimator's own classifiers yield, where there is one.
    rng : numpy.random.Generator or int, optional
        By default a seed is drawn, which the result tells.
    groups : array-like, shape (n,), optional
        Cases of one group stay together; groups are resampled in place of cases.
    strata : array-like, shape (n,), or "class", optional
        What folds, holdouts and bootstrap samples keep in proportion.
    loss : "0/1", "balanced", mapping, table or callable
        What a wrong answer costs: the same; the same for every class in all; ``{"fn": 5, "fp": 1}`` or a cost for
        each class; a row for each true class and a column for each answer, or the ``.csv`` file that has them; or
        ``loss(true, predicted)`` of two arrays of labels.  See :func:`~errorest.assessment.costs.read_costs`.
    on_failure : {"raise", "skip"}
        Whether a resample on which ``fit`` fails stops everything, or is left out and told of.
    confidence : float
        Of the interval, a proportion.
    encode : bool
        For a scikit-learn classifier: one-hot text and fill missing values inside every training set.
    jobs : int
        Workers for a scikit-learn classifier (-1: all cores); changes no result.
    threads : int or None
        Threads of BLAS and OpenMP that a fit of a scikit-learn classifier may take; None: as many as they like.
    progress : bool
        Show a bar on standard error.
    ignore : iterable of str, or str
        Ids of cautions that are switched off, such as ``"E203"``; :data:`~errorest.assessment.caution.CAUTIONS`.

    Returns
    -------
    ErrorEstimate

    Raises
    ------
    UsageError
        If data, classifier, estimator and interval do not fit one another, or a fit fails.

    References
    ----------
    Efron & Tibshirani (1997) for the default.

    Examples
    --------
    >>> X = [[0.1], [0.4], [0.5], [0.9], [1.2], [1.5], [1.7], [2.0]]
    >>> y = ["low", "low", "high", "low", "high", "high", "low", "high"]
    >>> e = estimate_error("knn", X, y, rng=7)
    >>> e.estimator, e.n_fits, e.interval.low < e.estimate < e.interval.high
    ('632+(replicates=200)', 201, True)
    """
    began = time.perf_counter()
    most = checked_threads(threads)
    problem = prepare(classifier, X, y, groups=groups, strata=strata, encode=encode, jobs=on_cores(jobs), threads=most)
    check_confidence(confidence)
    ignored = checked_ids(ignore)
    measure = measure_of(problem, loss)
    costs = measure.costs
    streams, seed = streams_of(rng)
    plan = planned(problem, estimator, interval, streams, costs.loss.zero_one)
    _check_plan(plan, problem, confidence, costs.loss)
    told = teller(problem.inducer.id) if progress else None
    failure = checked_on_failure(on_failure)
    with limited(most if isinstance(problem.inducer, OwnClassifier) else None):
        ran = run(problem, plan.schemes, streams, metric=measure.bound, on_failure=failure, told=told)
    value, found, shown = reduced(plan, problem, ran, measure, confidence)
    notes = cautions(problem, plan, ran, shown, value)
    if shown is None and interval is not None:
        notes += (_no_interval(plan, ran),)
    own = dict(ran.outcomes)
    constant, bar = best_constant(problem, costs.loss)
    fits = fits_of_schemes(own, ran, problem.n)
    return ErrorEstimate(
        estimate=value,
        interval=shown,
        standard_error=None if found is None or np.isnan(found.se) else float(found.se),
        estimator=estimator_id(plan, problem, ran, measure, value),
        majority_error=bar,
        fits=fits,
        n_fits=sum(f.rows for f in fits),
        seconds=time.perf_counter() - began,
        warnings=heeded(notes, ignored),
        seed=seed,
        zero_one=costs.loss.zero_one,
        loss=costs.kind,
        costs=costs.told,
        constant=problem.sample.classes[constant],
        confidence=confidence,
        coverage=_promise(plan, problem, shown, costs),
        _tables=_tables(own, problem, costs.loss, constant),
        **problem.fields,
    )


def _tables(outcomes: Mapping[Scheme, RowErrors], problem: Problem, cost: CaseMetric, constant: int) -> Tables:
    """Return the tables, with the losses of the best constant answer."""
    y = problem.sample.y
    baseline = cost.losses(y, np.full_like(y, constant)).astype(np.float64)
    return Tables(outcomes, y, problem.labels, problem.cases, problem.groups, baseline)


def _promise(plan: Plan, problem: Problem, shown: ConfidenceInterval | None, costs: Costs) -> MeasuredCoverage | None:
    if shown is None or plan.method is None or problem.groups is not None or not costs.loss.zero_one:
        return None
    return measured_coverage(plan.method, problem.n, problem.inducer, shown.confidence)


def reduced(
    plan: Plan, problem: Problem, ran: Ran, measure: Measure, confidence: float
) -> tuple[float, IntervalResult | None, ConfidenceInterval | None]:
    """Return the estimate, the interval as its method gives it, and as it is shown, in the unit of the metric."""
    method = plan.method
    outcomes = {**ran.outcomes, **{mine: ran.outcomes[theirs] for mine, theirs in plan.stands_for}}
    loss = None if plan.estimator is None else float(plan.estimator.reduce(problem.sample, outcomes))
    found = None
    if method is not None and not (method.needs_all_rows and any(s in ran.failures for s in method.schemes)):
        found = method.result(
            Measured(problem.sample, outcomes, confidence, groups=problem.groups, units=ran.units), loss
        )
    value = _own_estimate(plan, found) if loss is None else measure.value(loss)
    if found is None or method is None:
        return value, found, None
    # a splitter's resamples stand for the method's own
    serves = dict(plan.stands_for).get(method.schemes[0], method.schemes[0])
    aim = aim_of(method, problem.n, float(ran.sizes[serves].mean()))
    return value, found, _shown(found, method, value, measure, aim)


def _own_estimate(plan: Plan, found: IntervalResult | None) -> float:
    """Return the estimate of an interval that was named alone."""
    if found is None:
        raise UsageError(
            f"interval {plan.method.id if plan.method else ''} needs all its resamples, and the classifier failed "
            "on some; expected a classifier that can be trained on each; name an estimator such as cv(k=10)"
        )
    return found.estimate


def _check_plan(plan: Plan, problem: Problem, confidence: float, cost: CaseMetric) -> None:
    if not cost.zero_one and any(s.cloned for s in plan.schemes):
        raise UsageError(
            "a loss of your own and clones were asked for; expected the 0/1 loss, since clones count errors; name an "
            "estimator without clones, or loss='0/1'"
        )
    if plan.method is not None:
        plan.method.check(unit_sample(problem.sample, problem.groups), confidence, zero_one=cost.zero_one)


def on_cores(jobs: int) -> int:
    """Check a number of workers; -1 is one for every core."""
    if jobs == -1:
        from joblib import cpu_count

        return int(cpu_count())
    if not isinstance(jobs, int | np.integer) or isinstance(jobs, bool) or jobs < 1:
        raise UsageError(f"jobs = {jobs!r} was given; expected a whole number from 1, or -1 for all cores; mend jobs")
    return int(jobs)


def checked_on_failure(on_failure: OnFailure) -> OnFailure:
    """Check what to do with a resample that fails."""
    if on_failure not in ("raise", "skip"):
        raise UsageError(f"on_failure = {on_failure!r} was given; expected 'raise' or 'skip'; choose one of these")
    return on_failure


def streams_of(rng: Any) -> tuple[Streams, int | None]:
    """Return streams, and the seed that repeats them where no generator was given."""
    if isinstance(rng, np.random.Generator):
        return Streams.from_generator(rng), None
    if rng is not None and (not isinstance(rng, int | np.integer) or isinstance(rng, bool) or rng < 0):
        raise UsageError(
            f"rng = {rng!r} was given; expected a numpy Generator, a whole number from 0, or None; "
            "write rng=numpy.random.default_rng(1)"
        )
    seed = int(np.random.default_rng().integers(2**32)) if rng is None else int(rng)
    return Streams.from_generator(np.random.default_rng(seed)), seed


def check_fits(fits: int) -> None:
    if fits > _MOST_FITS:
        raise UsageError(
            f"{fits:,} classifiers were asked for; expected at most {_MOST_FITS:,}, which fit into memory; ask for "
            "fewer replicates, repeats, folds or permutations"
        )


def planned(problem: Problem, estimator: Any, interval: Any, streams: Streams, zero_one: bool = True) -> Plan:
    """Match estimator and interval for a problem; a splitter is asked for its splits here."""
    grouped = problem.groups is not None
    n = problem.n if problem.groups is None else int(problem.groups.max()) + 1
    if not (is_splitter(estimator) or isinstance(estimator, OfSplitter)):
        plan = make_plan(estimator, interval, n=n, zero_one=zero_one, grouped=grouped)
        for scheme in plan.estimator.schemes if plan.estimator is not None else ():
            check_folds(scheme, n, grouped=grouped)
        check_fits(sum(scheme.fits(n) for scheme in plan.schemes))
        return plan
    if problem.strata is not None:
        raise UsageError(
            "a splitter and strata were given; expected one of them, since the splitter decides what it keeps in "
            "proportion; leave out strata, or name a scheme of ours such as cv(k=10)"
        )
    data = (problem.X, problem.y, problem.groups, streams.generator("splitter"))
    plan = make_plan(estimator, interval, n=problem.n, zero_one=zero_one, grouped=grouped, splitter_data=data)
    for scheme in plan.schemes:
        made = scheme.draw(problem.sample, streams)
        if made.n != problem.n:
            raise UsageError(
                f"the splits were made of {made.n} cases and there are {problem.n}; expected splits of these cases; "
                "pass the splitter itself, or make the estimator anew with from_splitter"
            )
        if problem.groups is not None:
            _check_whole_groups(made, problem.groups)
    return plan


def _check_whole_groups(made: Resamples, groups: np.ndarray) -> None:
    row = made.row_of_test()
    trained = np.zeros((made.n_rows, int(groups.max()) + 1), dtype=np.int64)
    np.add.at(trained.T, groups, made.training_counts().T)
    parted = trained[row, groups[made.cases]] > 0
    if parted.any():
        raise UsageError(
            f"the splitter parts a group in split {int(row[parted][0]) + 1}; expected splits that keep groups whole; "
            "take GroupKFold or another group splitter, or a scheme of ours such as cv(k=10)"
        )


def estimator_id(plan: Plan, problem: Problem, ran: Ran, measure: Measure, value: float) -> str:
    """Name what made the estimate: an estimator of the library, or an interval that has its own."""
    if plan.estimator is not None:
        return plan.estimator.id
    assert plan.method is not None
    for own in plan.method.estimators_sharing() if measure.metric.decomposable else ():
        if abs(own.reduce(problem.sample, ran.outcomes) - value) <= 1e-9 * abs(value):
            return own.id
    return f"the estimate of {plan.method.id}"


def _shown(
    found: IntervalResult, method: IntervalMethod, value: float, measure: Measure, aim: str
) -> ConfidenceInterval:
    # the same resamples may be averaged in another way; an interval that is even about the one is so about the other
    shift = value - found.estimate if method.even else 0.0
    low, high = found.low + shift, found.high + shift
    if not (isnan(low) or isnan(high)):
        least, most = measure.bounds()
        low, high = (min(most, max(least, v)) for v in (low, high))
    beside = None if found.beside is None else (float(found.beside.low), float(found.beside.high))
    aim = re.sub(r"\berror\b", measure.noun, aim)
    of_the_interval = (found.method, method.target, aim, found.confidence, found.degenerate, beside, found.note)
    return ConfidenceInterval(low, high, *of_the_interval, found.monte_carlo, measure.percent)


def _no_interval(plan: Plan, ran: Ran) -> Caution:
    if plan.method is not None:
        return Caution(
            "E407", f"no interval: {plan.method.id} needs all its resamples, and the classifier failed on some"
        )
    name = plan.estimator.id if plan.estimator is not None else ""
    return Caution(
        "E407", f"no interval belongs to {name}; estimate with 632+ or cv(k=10), or name an interval alone to have both"
    )


def fits_of_schemes(schemes: Iterable[Scheme], ran: Ran, n: int) -> tuple[Fits, ...]:
    """Count the classifiers of each scheme, and the cases that they were trained on."""
    found = []
    for s in schemes:
        sizes = ran.sizes.get(s)
        rows, mean = (s.fits(n), float(n)) if sizes is None else (sizes.size, float(sizes.sum()) / max(1, sizes.size))
        found.append(Fits(s.id, rows, mean))
    return tuple(found)
