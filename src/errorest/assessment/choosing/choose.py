"""Choosing among classifiers: all on shared resamples, the winner's error corrected for having been chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from errorest.assessment.caution import Caution
from errorest.assessment.cautions import shared_cautions
from errorest.assessment.choosing.bias_corrected import BiasCorrected, first_least
from errorest.assessment.choosing.candidates import check_distinct, names_of_candidates, read_candidates
from errorest.assessment.choosing.choice import CandidateResult, Choice
from errorest.assessment.choosing.shared import SharedResults, nested_error
from errorest.assessment.formatting import spelt
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring
from errorest.assessment.options import Options, checked_count
from errorest.assessment.paired import measure_to_rank, procedure_interval, read_splits, too_few_to_rank, within_scale
from errorest.assessment.plan import plan_measure, suited_to
from errorest.assessment.runs import RunOutcomes, draw
from errorest.assessment.splitters import OfSplitter, is_splitter
from errorest.errors import UsageError
from errorest.estimation.estimators import CrossValidation, Estimator
from errorest.resampling.scheme import Scheme
from errorest.streams import Seed, Streams


def choose(
    candidates: Any,
    X: Any,
    y: Any = None,
    *,
    base: Any = None,
    method: Any = "auto",
    nested: Any = None,
    n_resamples: int = 1000,
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
) -> Choice:
    """Choose among classifiers, and estimate the error rate or the score of the choice.

    All are cross-validated on the same folds.  The estimated error of the best is too low, since it was chosen
    for that; bootstrap bias-corrected cross-validation corrects it without further fits.

    Parameters
    ----------
    candidates : iterable, mapping, or scikit-learn search object
        Classifiers, inducers or names; names to these; mappings of settings of ``base``; or a GridSearchCV or
        RandomizedSearchCV, of which the classifier and the settings are taken.  List the simplest first: of equally
        good ones the first is chosen.
    X, y, rng, groups, stratify, pos_label, confidence_level, encode, n_jobs, threads, progress, ignore
        As :func:`~errorest.assessment.estimate` takes them.
    scoring : str, mapping, table, callable, Metric or scikit-learn scorer
        What to choose by, as there, but for the two of calibration.
    error_score : "raise" or numpy.nan
        With NaN a resample that fails for one is left out for all, and a candidate that fails on every resample is left
        out and named in a warning.
    base : classifier, inducer or str, optional
        What a list of settings belongs to.
    method : "auto", str, int, Estimator, scikit-learn splitter, or list of (train, test) pairs
        Cross-validation, plain or repeated, or a splitter of such folds.  ``"auto"`` is ``cv(k=10, repeats=10)``; for
        the AUC the folds are stratified, no more than the cases of the rarer class, and their AUCs are averaged
        (``weights=folds``), as the statistics of a splitter's folds are.
    nested : "auto", str, int, Estimator or True, optional
        Cross-validation inside each training set that repeats the choice, for nested cross-validation as well;
        ``"auto"``, or True, is ``cv(k=5)``, for the AUC with stratified folds that are averaged.  It makes that many
        more classifiers for each fold.
    n_resamples : int
        Bootstrap samples of the cases (or groups).

    Returns
    -------
    Choice

    Raises
    ------
    UsageError
        As :func:`~errorest.assessment.estimate`; if there are fewer than two candidates, or fewer that can be trained,
        or one is listed twice; or if the resamples are of another kind or in the order of time.

    Notes
    -----
    Brier score and log loss are means of losses of cases, and treated as such.  AUC, F1 and the like are statistics of
    many cases: here of the pooled tests of each repetition of the folds, averaged over the repetitions, or with
    ``weights=folds`` of the tests of each fold, averaged over the folds.  A bootstrap sample counts a case's tests as
    often as it holds the case, chooses by that, and is judged on the cases that it lacks; samples in which either is
    undefined are left out, and counted in the warnings.  The differences from the best have the standard errors of the
    folds' statistics where every fold has one, else of the bootstrap samples.

    The limits of the differences hold for all pairs together: their quantile is that of the largest standardised
    difference of all pairs in the bootstrap samples (max-T).  The interval of nested cross-validation is Wilson's, with
    n cases up to five folds and n / 1.25 above (a further 1.3 less for a single division into folds), and for other
    metrics than the error rate the corrected t.  Standard errors and degrees of freedom of the corrected t are those of
    :func:`~errorest.assessment.compare`; below four cases of a class a score that ranks has no limits of differences.
    Folds that are not stratified vary in their classes: for trees on few cases of equally frequent classes, limits hold
    more often on ``"cv(k=10, repeats=10, stratified=True)"``.

    The bias of the corrected error and the coverage of its interval were measured on populations with known errors,
    as were those of nested cross-validation and of the uncorrected error: notebook ``guide/08-choosing``.

    References
    ----------
    Tsamardinos, Greasidou & Borboudakis (2018), whose measure is the AUC; Nadeau & Bengio (2003) for the standard
    errors of differences; Romano & Wolf (2005) for max-T; Wilson (1927).

    Examples
    --------
    >>> X, y = np.arange(20.0)[:, None], [0] * 10 + [1] * 10
    >>> found = choose(["majority", "knn", "knn(k=3)"], X, y, rng=1)
    >>> found.best, found.level
    ('knn(k=5, standardize=training)', ('knn(k=5, standardize=training)', 'knn(k=3, standardize=training)'))
    >>> found = choose(["majority", "naive-bayes"], X, [0, 1] * 10, scoring="mcc", rng=1)
    >>> found.quantity, found.greater_is_better
    ('Matthews correlation', True)
    """
    options = Options.of(rng, confidence_level, ignore, n_jobs, threads, progress=progress, error_score=error_score)
    streams, draws = options.streams, checked_count("n_resamples", n_resamples)
    given = read_candidates(candidates, base, int(streams.generator("candidates").integers(2**31)))
    problems = [options.prepare(one, X, y, groups, stratify, encode=encode) for one in given.values()]
    check_distinct(problems)
    names, first = names_of_candidates(given, problems), problems[0]
    measure = measure_to_rank(problems, scoring, pos_label)
    wanted = choosing_folds(method, first, measure, streams, 10, 10)
    inner = inner_folds(nested, first, measure, streams)
    scheme = plan_measure(first, measure, wanted, None, streams).schemes[0]
    kept, ran, failed = _run_each(options, problems, names, scheme, measure)
    names, problems = tuple(names[c] for c in kept), [problems[c] for c in kept]
    shared = SharedResults(problems, ran, scheme, by_fold=_averages_folds(wanted))
    corrected = shared.corrected(draws, confidence_level, streams.generator("choose", draws))
    listed = _candidates(names, kept, shared, corrected, measure, confidence_level)
    aim = f"the {measure.noun} of choosing among these {len(names)} candidates and of what is chosen, made of the "
    aim += "training part of a fold"
    bbc = f"bbc-cv(draws={draws}) on {wanted.id}"
    made = Choice(
        best=listed[0].name,
        error=listed[0].error,
        corrected_error=float(measure.value(corrected.error)),
        interval=procedure_interval(measure, corrected.low, corrected.high, bbc, aim, confidence_level),
        candidates=listed,
        baseline=measure.baseline(first),
        estimator=wanted.id,
        n_fits=sum(o.n_rows for r in ran for o in r.outcomes.values()),
        paired=shared.paired(wanted.id, measure),
        **measure.fields,
        _ranks=corrected.ranks[[kept.index(one.position) for one in listed]],
        **first.fields_of_data,
    )
    if inner is not None:
        by_fold = _averages_folds(inner)
        error, between, fits = nested_error(shared, inner.schemes[0], measure, streams, confidence_level, by_fold)
        made = replace(made, nested_error=error, nested_interval=between, n_fits=made.n_fits + fits)
    notes = [*failed, *shared_cautions(problems, ran, [scheme], measure, names)]
    return replace(made, **options.fields([*notes, *_cautions(made, shared, measure, draws, corrected)]))


def _run_each(
    options: Options, problems: Sequence[Problem], names: Sequence[str], scheme: Scheme, measure: Scoring
) -> tuple[list[int], list[RunOutcomes], list[Caution]]:
    """Run all candidates; one that fails on every resample is left out and named where failures are skipped."""
    results: dict[int, RunOutcomes] = {}
    failed: list[Caution] = []
    # folds that suit no candidate are refused under no candidate's name
    draw(problems[0], [scheme], options.streams)
    for position, (problem, name) in enumerate(zip(problems, names, strict=True)):
        try:
            results[position] = options.run(problem, (scheme,), measure.bound, name, len(problems), position)
        except UsageError as exc:
            if options.on_failure == "raise":
                raise UsageError(f"candidate {exc}") from None
            failed.append(Caution.of("E604", reason=exc))
    if len(results) < 2:
        what = "; ".join(failed)
        raise UsageError(f"{len(results)} of {len(problems)} candidates can be trained; expected at least two; {what}")
    return list(results), list(results.values()), failed


def _candidates(
    names: Sequence[str],
    positions: Sequence[int],
    shared: SharedResults,
    found: BiasCorrected,
    measure: Scoring,
    confidence: float,
) -> tuple[CandidateResult, ...]:
    """List the candidates, the best first and the others by their errors."""
    best = int(first_least(shared.errors))
    differences, half = shared.behind(best, found, measure, confidence)
    half[best] = np.nan
    differences = measure.gain(differences)
    low, high = within_scale(measure, (differences - half, differences + half))
    columns = {
        "error": measure.value(shared.errors),
        "difference": differences,
        "low": low,
        "high": high,
        "wins": found.wins,
        "rank": found.ranks @ np.arange(1, len(names) + 1),
    }
    up = measure.metric.greater_is_better
    order = [best, *(int(c) for c in np.argsort(shared.errors, kind="stable") if c != best)]
    rows = [{name: float(column[c]) for name, column in columns.items()} for c in order]
    return tuple(
        CandidateResult(names[c], positions[c], **row, greater_is_better=up) for c, row in zip(order, rows, strict=True)
    )


def _cautions(made: Choice, shared: SharedResults, measure: Scoring, draws: int, found: BiasCorrected) -> list[Caution]:
    """Count what has no statistic, and warn of a corrected error that is not clearly better than the baseline."""
    out = [Caution.of("E401", reason=reason, wilson="") for reason in _without_width(made)]
    if few := too_few_to_rank(shared.problems[0], measure):
        out.append(Caution.of("E402", method=f"corrected-t on {made.estimator}", note=few))
    elif shared.undefined:
        then = "so that rivals are set beside the best by a bootstrap of the cases"
        out.append(Caution.of("E602", what=f"{shared.undefined} of {shared.tested.size} folds", then=then))
    missing = draws - found.outside.size
    if missing and shared.statistic is not None:
        what = f"{missing} of {draws} bootstrap samples, or the cases outside of them,"
        out.append(Caution.of("E602", what=what, then="and are left out"))
    if made.reaches_baseline and made.nested_error is None and made.baseline.value is not None:
        corrected = "corrected error" if made.score is None else f"corrected {made.quantity}"
        value, number = made.value_text(made.baseline.value), spelt(len(made.candidates))
        out.append(Caution.of("E601", corrected=corrected, baseline=value, name=made.baseline.name, number=number))
    return out


def _without_width(made: Choice) -> Iterable[str]:
    """Say of which limits every resample gave the same value; of two equal candidates nothing is claimed."""
    if made.interval.degenerate:
        yield f"every bootstrap sample gave the same corrected {made.quantity}"
    if made.nested_interval is not None and made.nested_interval.degenerate:
        yield f"every fold of the nested cross-validation gave the same {made.quantity}"
    same = [one.name for one in made.candidates if one.difference and one.high - one.low <= 1e-12]
    if same:
        yield f"on every fold the difference from the best was the same for {', '.join(same)}"


def _averages_folds(estimator: Estimator) -> bool:
    return isinstance(estimator, OfSplitter) or getattr(estimator, "weights", "") == "folds"


def choosing_folds(
    estimator: Any, problem: Problem, measure: Scoring, streams: Streams, k: int, repeats: int
) -> Estimator:
    """Return the folds that were named, or for "auto" those that suit what is measured."""
    if isinstance(estimator, str) and estimator == "auto":
        return suited_to(measure.bound, problem, CrossValidation(k, repeats), k, repeats)
    return read_splits(estimator, problem, measure, streams, folds=True)


def inner_folds(nested: Any, problem: Problem, measure: Scoring, streams: Streams) -> Estimator | None:
    """Return the folds that every training set is divided into; None where none were asked for."""
    if nested is None or nested is False:
        return None
    if is_splitter(nested) or isinstance(nested, OfSplitter):
        raise UsageError(
            f"nested is a {type(nested).__name__}, whose splits are of all cases; expected folds that every training "
            "set is divided into; give their number, or a name such as 'cv(k=5)'"
        )
    if not isinstance(nested, bool | str | Estimator) and (not isinstance(nested, int | np.integer) or nested < 2):
        raise UsageError(f"nested = {nested!r}; expected True, 'auto', a number of folds or a name such as 'cv(k=5)'")
    return choosing_folds("auto" if nested is True else nested, problem, measure, streams, 5, 1)
