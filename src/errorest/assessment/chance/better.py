"""Whether a classifier is better than chance: a permutation test of any estimate of its error, or of a score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from errorest.assessment.cautions import training_cautions
from errorest.assessment.chance.permuted import estimates_under
from errorest.assessment.chance.permuting import permuting_of
from errorest.assessment.chance.result import ChanceTest
from errorest.assessment.classifiers import SklearnRowsLearner
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring, measure_of
from errorest.assessment.options import Options, progress_bar
from errorest.assessment.parallel import limited
from errorest.assessment.plan import Plan, check_fits, few_folds, plan_measure, ranking_folds
from errorest.assessment.runs import check_response
from errorest.errors import UsageError
from errorest.estimation.groups import unit_sample
from errorest.estimation.metrics.calibration import CalibrationIntercept, CalibrationSlope
from errorest.estimation.proportions import clopper_pearson_interval
from errorest.streams import Seed, Streams

__all__ = ["checked_permutations", "monte_carlo_p", "permutation_test", "plan_of_test"]


def permutation_test(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    method: Any = "auto",
    n_permutations: int = 1000,
    rng: Seed | None = None,
    groups: Any = None,
    stratify: Any = None,
    scoring: Any = "error",
    pos_label: Any = None,
    error_score: Any = "raise",
    confidence_level: float = 0.95,
    encode: bool = False,
    n_jobs: int = 1,
    threads: int | None = 1,
    progress: bool = False,
    ignore: Iterable[str] | str = (),
) -> ChanceTest:
    """Test whether a classifier errs less, or scores better, than if labels had nothing to do with attributes.

    The whole estimate is repeated with permuted labels.  Where there are no more arrangements than permutations
    requested, all are used and the p-value is exact.

    Parameters
    ----------
    model, X, y, rng, scoring, error_score, encode, n_jobs, threads, progress, ignore
        As :func:`~errorest.assessment.estimate`.
    method : "auto", str, int, Estimator, scikit-learn splitter, or list of (train, test) pairs
        As there, but ``"auto"`` is 5-fold cross-validation, since the estimate is repeated under every arrangement;
        for a score of many cases the folds are stratified.  What it costs,
        :func:`~errorest.assessment.predict_runtime` says with ``of="permutation_test"``.
    groups, stratify : array-like, optional
        As there.  Where every group has one label, whole groups change places; where some has several, labels change
        places inside groups.  Strata are never left.
    scoring : str or Score, optional
        Test this instead of a mean loss: ``"auc"``, ``"brier"`` and others as
        :func:`~errorest.assessment.estimate` takes them, but for the two of calibration, which are right where
        class shares are always predicted.  Where more is better, an arrangement is as good as the observed one if
        its score is no smaller.
    pos_label : label, optional
        The positive class of the score, as there.
    n_permutations : int
        Arrangements of the labels to draw.
    confidence_level : float
        Of the limits of a drawn p-value; one less it is the level of the verdict.

    Returns
    -------
    ChanceTest

    Raises
    ------
    UsageError
        As :func:`~errorest.assessment.estimate`; or if no label can change places, as within strata of the class, or
        the estimate is undefined on the labels as they are.

    Notes
    -----
    Arrangements under which the estimate is undefined (no AUC where every test set has one class) are left out and
    counted.  The p-value keeps its meaning: as the labels at hand have an estimate, under the hypothesis they are one
    of the arrangements that have, each as likely as any.

    References
    ----------
    Ojala & Garriga (2010), test 1; Phipson & Smyth (2010) for the p-value of drawn permutations.

    Examples
    --------
    >>> X, y = np.arange(30.0)[:, None], [0] * 15 + [1] * 15
    >>> found = permutation_test("knn", X, y, n_permutations=99, rng=1)
    >>> found.exact, found.p_value, found.as_good
    (False, 0.01, 0)
    >>> found = permutation_test("naive-bayes", X[11:19], y[11:19], scoring="auc", method="cv(k=2)", rng=1)
    >>> found.exact, found.estimate, found.as_good, found.permutations
    (True, 1.0, 2, 70)
    """
    options = Options.of(rng, confidence_level, ignore, n_jobs, threads, error_score=error_score)
    problem, streams = options.prepare(model, X, y, groups, stratify, encode=encode), options.streams
    number = checked_permutations(n_permutations)
    measure = _measure(problem, scoring, pos_label)
    replan = partial(plan_of_test, measure=measure, estimator=method, streams=streams)
    plan = replan(problem)
    places = permuting_of(problem.sample.y, problem.groups, problem.strata)
    exact = places.number <= number
    check_fits(sum(s.fits(problem.n) for s in plan.schemes) * (1 + (places.number if exact else number)))
    wanted = places.all() if exact else places.draw(streams.generator("permutations"), number)
    total, failure = places.number if exact else number, options.on_failure
    bar = progress_bar(f"{problem.inducer.id}, permuted")
    with limited(options.threads if isinstance(problem.inducer, SklearnRowsLearner) else None):
        shared = partial(estimates_under, problem, method, plan, streams, measure, replan=replan, on_failure=failure)
        own = float(shared([problem.sample.y], 1)[0])
        _check_known(own, plan)
        chance = shared(wanted, total, report=(lambda done: bar(done, total)) if progress else None)
    made = _result(problem, plan, own, chance, exact, confidence_level, measure)
    return replace(
        made,
        permuted=places.words,
        **options.fields(training_cautions("the classifier", problem.inducer)),
    )


def _measure(problem: Problem, scoring: Any, pos_label: Any) -> Scoring:
    """Bind the metric; calibration is refused, and a classifier that lacks the probabilities that it needs."""
    measure = measure_of(problem, scoring, pos_label)
    if isinstance(measure.metric, CalibrationSlope | CalibrationIntercept):
        raise UsageError(
            f"score {measure.metric.id} was to be tested against chance; expected one that falls behind where labels "
            "have nothing to do with attributes, and a constant forecast of the class shares is calibrated; take "
            "brier, log-loss or auc"
        )
    check_response(problem, measure.metric)
    return measure


def plan_of_test(problem: Problem, measure: Scoring, estimator: Any, streams: Streams) -> Plan:
    """Match the estimator; "auto" is few folds, since the estimate is repeated under every arrangement."""
    wanted = estimator
    if isinstance(estimator, str) and estimator == "auto":
        units = unit_sample(problem.sample, problem.groups).n
        wanted = few_folds(units)
        if measure.metric.ranks:
            wanted = ranking_folds(problem, measure.bound, max(2, min(5, units)), 1)
        elif not measure.metric.decomposable:
            wanted = replace(wanted, stratified=True)
    return plan_measure(problem, measure, wanted, None, streams)


def _words(problem: Problem, measure: Scoring) -> dict[str, Any]:
    """Return what the result says of the metric and its baseline."""
    baseline = measure.baseline(problem)
    named = {"baseline": baseline.value, "baseline_name": baseline.name}
    if measure.score is not None:
        return {"score": measure.score, "pos_label": measure.pos_label, **named}
    return {"loss": measure.costs.kind, "costs": measure.costs.words, "constant": baseline.constant, **named}


def _result(
    problem: Problem, plan: Plan, own: float, chance: np.ndarray, exact: bool, confidence: float, measure: Scoring
) -> ChanceTest:
    """Put together what the estimates say; time and cautions are told by who made them."""
    known = chance[~np.isnan(chance)]
    if not known.size:
        raise UsageError(
            f"{_name_of(plan)} is undefined under all {chance.size} arrangements that were drawn; expected some with "
            "an estimate; name cv(k=10), or ask for more permutations"
        )
    number, as_good = int(known.size), measure.as_good(known, own)
    p, low, high = (as_good / number,) * 3 if exact else monte_carlo_p(as_good, number, confidence)
    return ChanceTest(
        p_value=p,
        low=low,
        high=high,
        exact=exact,
        estimate=own,
        permutations=number,
        as_good=as_good,
        permuted="",
        classifier=problem.inducer.id,
        settings=problem.settings,
        estimator=_name_of(plan),
        n=problem.n,
        n_fits=sum(s.fits(problem.n) for s in plan.schemes) * (1 + int(chance.size)),
        confidence=confidence,
        undefined=int(chance.size) - number,
        **_words(problem, measure),
        _chance=known,
        _source=problem.source,
    )


def monte_carlo_p(as_good: int, drawn: int, confidence: float = 0.95) -> tuple[float, float, float]:
    """Return the p-value of drawn permutations, and limits of what all of them would give.

    Parameters
    ----------
    as_good : int
        Drawn permutations whose estimate is at least as good as the one at hand, b.
    drawn : int
        m.
    confidence : float

    Returns
    -------
    p : float
        (1 + b) / (1 + m), which is no smaller than the level more often than it may be.
    low, high : float
        Clopper & Pearson's limits of the share of all permutations.

    References
    ----------
    Phipson & Smyth (2010); Clopper & Pearson (1934).

    Examples
    --------
    >>> p, low, high = monte_carlo_p(0, 99)
    >>> p, low, round(high, 4)
    (0.01, 0.0, 0.0366)
    """
    low, high = clopper_pearson_interval(as_good, drawn, confidence)
    return (1 + as_good) / (1 + drawn), float(low), float(high)


def checked_permutations(permutations: Any) -> int:
    """Check a number of permutations: a whole number from 1."""
    if not isinstance(permutations, int | np.integer) or isinstance(permutations, bool) or permutations < 1:
        raise UsageError(
            f"n_permutations = {permutations!r} was given; expected a whole number from 1, such as 1000; ask for more"
        )
    return int(permutations)


def _name_of(plan: Plan) -> str:
    return plan.estimator.id if plan.estimator is not None else ""


def _check_known(own: float, plan: Plan) -> None:
    if np.isnan(own):
        raise UsageError(
            f"{_name_of(plan)} is undefined on the labels as they are; expected an estimate to be held against chance; "
            "name cv(k=10), or ask for more replicates"
        )
