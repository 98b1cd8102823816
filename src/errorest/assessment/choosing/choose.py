"""Choosing among classifiers: all on shared resamples, the winner's error corrected for having been chosen."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import log2
from typing import Any, NamedTuple

import numpy as np

from errorest.assessment.caution import checked_ids, heeded
from errorest.assessment.cautions import shared_cautions
from errorest.assessment.choosing.bias_corrected import BiasCorrected, bias_corrected_error, case_sums, first_least
from errorest.assessment.choosing.candidates import check_distinct, names_of_candidates, read_candidates
from errorest.assessment.choosing.choice import Choice, Luck, Rival
from errorest.assessment.choosing.nested import choose_within, draw_within
from errorest.assessment.classifiers import OwnClassifier
from errorest.assessment.costs import Costs, read_costs
from errorest.assessment.estimate import best_constant, checked_on_failure, on_cores, planned, streams_of
from errorest.assessment.inputs import Problem, prepare
from errorest.assessment.paired import corrected_t, split_rates, splits_of
from errorest.assessment.plan import checked_estimator
from errorest.assessment.progress import teller
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import OnFailure, Ran, run
from errorest.assessment.threads import checked_threads, limited
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.estimation.intervals.proportions import check_confidence
from errorest.estimation.losses import Loss
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import KFold
from errorest.streams import Streams
from errorest.tuning_bias import bias_bound, binomial, largest_of

__all__ = ["choose_classifier"]


def choose_classifier(
    candidates: Any,
    X: Any,
    y: Any = None,
    *,
    base: Any = None,
    estimator: Any = "cv(k=10, repeats=10)",
    nested: Any = None,
    draws: int = 1000,
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
) -> Choice:
    """Choose among classifiers, and say how much what is chosen will err.

    All are cross-validated on the same folds.  The error of the best is too low, since it was chosen for that; it is
    corrected without further fits, by bootstrap bias-corrected cross-validation.

    Parameters
    ----------
    candidates : iterable, mapping, or scikit-learn search object
        Classifiers, inducers or names; names to these; mappings of settings of ``base``; or a GridSearchCV or
        RandomizedSearchCV, of which the classifier and the settings are taken.  List the simplest first: of equally
        good ones the first is chosen.
    X, y, rng, groups, strata, loss, on_failure, confidence, encode, jobs, threads, progress, ignore
        As :func:`~errorest.assessment.estimate_error`; a resample that fails for one is left out for all.
    base : classifier, inducer or str, optional
        What a list of settings belongs to.
    estimator : str or Estimator
        Cross-validation, plain or repeated.
    nested : str, Estimator or True, optional
        Cross-validation by which every training set chooses anew, for nested cross-validation beside the correction;
        True is ``cv(k=5)``.  It makes that many more classifiers for each fold.
    draws : int
        Bootstrap samples of the cases (or groups).

    Returns
    -------
    Choice

    Raises
    ------
    UsageError
        As :func:`~errorest.assessment.estimate_error`; if there are fewer than two candidates or one stands twice; or
        if the resamples are of another kind.

    Notes
    -----
    How far off the corrected error is, and how often its interval holds the truth, beside nested cross-validation and
    the error as found, is measured where truths are known: notebook ``guide/08-choosing``.

    References
    ----------
    Tsamardinos, Greasidou & Borboudakis (2018); Nadeau & Bengio (2003) for the paired intervals, with Bonferroni's
    correction for all pairs; Scheffer & Herbrich (1997) for what luck buys.

    Examples
    --------
    >>> X, y = np.arange(20.0)[:, None], [0] * 10 + [1] * 10
    >>> found = choose_classifier(["majority", "knn", "knn(k=3)"], X, y, rng=1)
    >>> found.best, found.level
    ('knn(k=1)', ('knn(k=1)', 'knn(k=3)'))
    """
    began = time.perf_counter()
    check_confidence(confidence)
    wanted, inner, ignored = _folds(estimator), _inner(nested), checked_ids(ignore)
    most, (streams, seed) = checked_threads(threads), streams_of(rng)
    given = read_candidates(candidates, base, int(streams.generator("candidates").integers(2**31)))
    options = {"groups": groups, "strata": strata, "encode": encode, "jobs": on_cores(jobs), "threads": most}
    problems = [prepare(one, X, y, **options) for one in given.values()]
    check_distinct(problems)
    names = names_of_candidates(given, problems)
    first = problems[0]
    costs = read_costs(loss, first.labels, first.class_counts)
    scheme = planned(first, wanted, None, streams).schemes[0]
    foreign = any(isinstance(p.inducer, OwnClassifier) for p in problems)
    failure = checked_on_failure(on_failure)
    with limited(most if foreign else None):
        tellers = [teller(name) if progress else None for name in names]
        ran = [run(p, (scheme,), streams, on_failure=failure, told=t) for p, t in zip(problems, tellers, strict=True)]
        table = _Losses(problems, ran, scheme, costs.loss)
        within = None if inner is None else _nested(table, inner, costs.loss, streams, draws, confidence)
    corrected = bias_corrected_error(
        *table.sums, draws=draws, confidence=confidence, rng=streams.generator("choose", draws)
    )
    made = _choice(names, table, corrected, _Asked(wanted, draws, confidence, costs))
    fits = sum(o.n_rows for r in ran for o in r.outcomes.values())
    if within is not None:
        interval = replace(within[1], percent=costs.percent)
        made, fits = replace(made, nested_error=within[0], nested_interval=interval), fits + within[2]
    return replace(
        made,
        n_fits=fits,
        seconds=time.perf_counter() - began,
        warnings=heeded(shared_cautions(problems, ran, None, names), ignored),
        seed=seed,
    )


class _Asked(NamedTuple):
    estimator: Estimator
    draws: int
    confidence: float
    costs: Costs


def _choice(names: Sequence[str], table: _Losses, corrected: BiasCorrected, asked: _Asked) -> Choice:
    """Put together what the losses say; fits, time and cautions are told by who made them."""
    first, costs = table.problems[0], asked.costs
    best = int(first_least(table.errors))
    constant, bar = best_constant(first, costs.loss)
    return Choice(
        names[best],
        float(table.errors[best]),
        corrected.error,
        _interval(corrected, asked, len(names)),
        _rivals(names, table, best, corrected, asked),
        None,
        None,
        _luck(table.n, corrected.error, len(names)) if costs.loss.zero_one else None,
        first.sample.classes[constant],
        bar,
        asked.estimator.id,
        first.n,
        0,
        0.0,
        loss=costs.kind,
        costs=costs.told,
        _ranks=corrected.ranks,
        _source=first.source,
    )


class _Losses:
    """The losses of all candidates on the resamples that each came through."""

    def __init__(self, problems: Sequence[Problem], ran: Sequence[Ran], scheme: Scheme, cost: Loss) -> None:
        self.problems, self.scheme = problems, scheme
        self.n, units = problems[0].n, problems[0].groups
        outcomes = [r.resampled[scheme].under(cost) for r in ran]
        failed = [np.array([f.row for f in r.failures.get(scheme, [])], dtype=np.int64) for r in ran]
        rows = outcomes[0].n_rows + failed[0].size
        kept = np.ones(rows, dtype=bool)
        for own in failed:
            kept[own] = False
        if not kept.any():
            raise UsageError(
                f"no resample of {scheme.id} was left on which every candidate could be trained; expected some; leave "
                "out the candidates that fail"
            )
        losses, cases = [], np.empty(0, dtype=np.int64)
        for outcome, own in zip(outcomes, failed, strict=True):
            row = np.delete(np.arange(rows), own)[outcome.resamples.row_of_test()]
            losses.append(np.asarray(outcome.losses, dtype=np.float64)[kept[row]])
            cases = outcome.resamples.cases[kept[row]]
        self.losses, self.cases = np.stack(losses), cases
        # the outer folds of nested cross-validation
        complete = next((i for i, own in enumerate(failed) if own.size == (~kept).sum()), None)
        self.resamples = None if complete is None else outcomes[complete].resamples
        self.units = units
        self.sums = case_sums(self.cases, self.losses, units, self.n)
        self.errors = self.sums[0].sum(axis=0) / self.sums[1].sum()
        self.rates, self.tested = split_rates(ran, scheme, cost)


def _folds(estimator: Any) -> Estimator:
    wanted = checked_estimator(estimator)
    if not isinstance(splits_of(wanted), KFold):
        raise UsageError(
            f"estimator {wanted.id} was named to choose on; expected folds, which test every case equally often; name "
            "cv(k=10, repeats=10)"
        )
    return wanted


def _inner(nested: Any) -> Scheme | None:
    if nested is None or nested is False:
        return None
    return splits_of(_folds("cv(k=5)" if nested is True else nested))


def _nested(
    table: _Losses, inner: Scheme, cost: Loss, streams: Streams, draws: int, confidence: float
) -> tuple[float, ConfidenceInterval, int]:
    """Return the error of nested cross-validation, its interval, and how many classifiers were made for it."""
    outer = table.resamples
    if outer is None:
        raise UsageError(
            "nested cross-validation needs folds that one candidate at least came through whole, and several failed on "
            "different ones; expected candidates that can be trained on all; leave out nested, or those that fail"
        )
    drawn = draw_within(table.problems[0], outer, inner, streams)
    chosen = choose_within(table.problems, drawn, inner, cost, streams)
    losses = table.losses[chosen[outer.row_of_test()], np.arange(table.cases.size)]
    sums, tests = case_sums(table.cases, losses[None], table.units, table.n)
    units = sums.shape[0]
    taken = streams.generator("nested", draws).integers(units, size=(draws, units))
    errors = sums[taken, 0].sum(axis=1) / tests[taken].sum(axis=1)
    tail = (1 - confidence) / 2
    low, high = np.quantile(errors, [tail, 1 - tail])
    interval = ConfidenceInterval(
        float(low),
        float(high),
        f"bootstrap of nested {inner.id}",
        "procedure",
        "the error of choosing so and of what is chosen, of the training part of a fold",
        confidence,
        bool(high - low <= 1e-12),
    )
    return float(sums.sum() / tests.sum()), interval, drawn.n_rows * len(table.problems)


def _interval(found: BiasCorrected, asked: _Asked, number: int) -> ConfidenceInterval:
    return ConfidenceInterval(
        found.low,
        found.high,
        f"bbc-cv(draws={asked.draws}) on {asked.estimator.id}",
        "procedure",
        f"the error of choosing among these {number} candidates and of what is chosen, made of the training part of a "
        "fold",
        asked.confidence,
        found.high - found.low <= 1e-12,
        percent=asked.costs.percent,
    )


def _rivals(names: Sequence[str], table: _Losses, best: int, found: BiasCorrected, asked: _Asked) -> tuple[Rival, ...]:
    number = len(names)
    # the best was found by looking, so that every pair counts as looked at
    each = 1 - (1 - asked.confidence) / (number * (number - 1) / 2)
    order = [best, *(int(c) for c in np.argsort(table.errors, kind="stable") if c != best)]
    rivals = []
    for c in order:
        low = high = float("nan")
        difference = table.rates[c] - table.rates[best]
        if c != best:
            interval, _ = corrected_t(difference, float(np.mean(table.tested)), table.n, asked.estimator, each)
            low, high = interval.low, interval.high
        rank = float(found.ranks[c] @ np.arange(1, number + 1))
        rivals.append(
            Rival(names[c], c, float(table.errors[c]), float(difference.mean()), low, high, float(found.wins[c]), rank)
        )
    return tuple(rivals)


def _luck(n: int, error: float, number: int) -> Luck:
    accuracy = 1 - error
    gain = largest_of(binomial(n, accuracy), float(number)).mean() / n - accuracy
    return Luck(float(gain), bias_bound(log2(number), n, accuracy))
