"""Choosing among classifiers: all on shared resamples, the error of the best corrected for having been chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from errorest.assessment.bias_corrected import (
    BiasCorrected,
    CandidateLosses,
    MeanLosses,
    StatisticLosses,
    bias_corrected_error,
    first_least,
    max_t_quantile,
    wilson_of_nested,
)
from errorest.assessment.candidates import candidate_names, check_distinct, is_search, read_candidates, untuned_metrics
from errorest.assessment.checks import run_checks
from errorest.assessment.checks.warning import Checked, CheckWarning
from errorest.assessment.defaults import read_method
from errorest.assessment.options import Options, checked_count, of_classifier
from errorest.assessment.predictions import Predictions, Run
from errorest.assessment.problem import Problem
from errorest.assessment.resample import draw
from errorest.assessment.results import ConfidenceInterval, Result
from errorest.assessment.scoring import Baseline, Scoring
from errorest.assessment.shared_splits import (
    SharedSplits,
    Spread,
    are_predictions,
    common_method,
    fit_one,
    problems_of,
    procedure_interval,
    resolve_ranking_metric,
    source_of,
    splitting_method,
    spread_of_difference,
    spread_of_mean,
    too_few_to_rank,
    within_scale,
)
from errorest.assessment.splitters import OfSplitter, is_splitter
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.estimation.outcomes import Outcome, StatisticOutcome, measured
from errorest.resampling.multisets import Resamples, concatenate, from_training_counts
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

if TYPE_CHECKING:
    import pandas as pd

    from errorest.streams import Seed


@dataclass(frozen=True)
class CandidateResult:
    """A candidate compared with the best one.

    Parameters
    ----------
    name : str
    position : int
        In the list of candidates, from 0.
    model : str
        Id of the classifier.
    value : float
        Over the shared resamples, not corrected; a proportion, or in the unit of the metric.
    difference : float
        Its value minus that of the best, averaged over the splits.
    low, high : float
        Paired interval of the difference, corrected for all pairs of candidates, within the range of the metric; NaN
        for the best itself, and for scores that rank where a class has fewer than four cases.
    wins : float
        Share of bootstrap resamples of the cross-validated losses in which it is the best.
    rank : float
        Its mean rank in them, from 1.
    not_worse : bool
        Whether the interval leaves open that it is as good as the best.

    Examples
    --------
    >>> CandidateResult("c4.5", 0, "c4.5", 0.2, 0.1, 0.02, 0.18, 0.01, 2.5, False).not_worse
    False
    """

    name: str
    position: int
    model: str
    value: float
    difference: float
    low: float
    high: float
    wins: float
    rank: float
    not_worse: bool


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Choice(Result):
    """Which of several candidates errs least, or has the best score, and how good the choice is.

    Parameters
    ----------
    best : str
        The candidate with the least error, or the best score; the first of equally good ones.
    value : float
        Of the best over the shared resamples: optimistic, since it was chosen for it.
    corrected_value : float
        Of choosing so and of what is chosen, by bootstrap bias-corrected cross-validation.
    interval : ConfidenceInterval
        Of the corrected value.
    candidates : tuple of CandidateResult
        All candidates, the best first.
    baseline : Baseline
        The value without a classifier.
    method : str
        Id of the folds.
    paired : str
        The method of the limits of the differences.
    nested_value : float or None
        By nested cross-validation, where it was requested.
    nested_interval : ConfidenceInterval or None
    n_resamples : int
        Bootstrap samples of the cases.
    predictions : dict of str to Predictions
        By the names of the candidates.

    Examples
    --------
    >>> import errorest
    >>> X, y = np.arange(12.0)[:, None], [0] * 6 + [1] * 6
    >>> choice = errorest.choose(["majority", "linear-discriminant"], X, y, method="cv(k=4)", rng=3)
    >>> choice.best, [c.name for c in choice.candidates]
    ('linear-discriminant(priors=sample)', ['linear-discriminant(priors=sample)', 'majority'])
    """

    best: str
    value: float
    corrected_value: float
    interval: ConfidenceInterval
    candidates: tuple[CandidateResult, ...]
    baseline: Baseline
    method: str
    paired: str
    nested_value: float | None = None
    nested_interval: ConfidenceInterval | None = None
    n_resamples: int
    predictions: dict[str, Predictions]
    _ranks: np.ndarray

    @property
    def not_worse(self) -> tuple[str, ...]:
        """Names of the candidates that the data do not distinguish from the best, the best among them."""
        return tuple(one.name for one in self.candidates if one.not_worse)

    @property
    def reaches_baseline(self) -> bool:
        """Whether the interval of the corrected value contains the baseline, or worse."""
        if (baseline := self.baseline.value) is None:
            return False
        return self.interval.low <= baseline if self.metric.greater_is_better else self.interval.high >= baseline

    @cached_property
    def ranks(self) -> pd.DataFrame:
        """Share of bootstrap resamples in which a candidate (row, the best first) has a rank (column, from 1)."""
        import pandas as pd

        columns = pd.RangeIndex(1, len(self.candidates) + 1, name="rank")
        return pd.DataFrame(self._ranks, index=[one.name for one in self.candidates], columns=columns)

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each candidate, the best first.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        return pd.DataFrame([vars(one) for one in self.candidates])


def choose(
    candidates: Any,
    X: Any = None,
    y: Any = None,
    *,
    base: Any = None,
    method: Any = "auto",
    cv: Any = None,
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
    fit_params: Mapping[str, Any] | None = None,
    n_jobs: int | None = 1,
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
        Classifiers or names; names to these; mappings of settings of ``base``; or a GridSearchCV or RandomizedSearchCV,
        of which the classifier and the settings are taken.  List the simplest first: of equally good ones the first is
        chosen.  Or Predictions on the same folds, in a list or by name; then X, y and what belongs to them are left
        out.
    X, y, cv, rng, groups, stratify, pos_label, confidence_level, encode, fit_params, n_jobs, threads, progress, ignore
        As :func:`errorest.estimate` takes them.
    scoring : str, mapping, table, callable, Metric or scikit-learn scorer
        What to choose by, as there, but for the two of calibration.  Warning E605 says where a search was tuned by
        another metric than the error rate and none was named here.
    error_score : "raise" or numpy.nan
        With NaN a resample that fails for one is left out for all, and a candidate that fails on every resample is left
        out and named in a warning.
    base : classifier or str, optional
        What a list of settings belongs to.
    method : "auto", str, int, Estimator, scikit-learn splitter, or list of (train, test) pairs
        Cross-validation, plain or repeated, or a splitter of such folds.  ``"auto"`` is ``cv(k=10, repeats=10)``; for
        the AUC the folds are stratified, no more than the cases of the rarer class, and their AUCs are averaged
        (``weights=folds``), as the statistics of a splitter's folds are.
    nested : "auto", str, int, Estimator or True, optional
        Cross-validation inside each training set that repeats the choice, for nested cross-validation as well;
        ``"auto"``, or True, is ``cv(k=5)``, for the AUC with stratified folds that are averaged.  It makes that many
        more classifiers for each fold, and needs X.
    n_resamples : int
        Bootstrap samples of the cases (or groups).

    Returns
    -------
    Choice

    Raises
    ------
    UsageError
        As :func:`errorest.estimate`; if there are fewer than two candidates, or fewer that can be trained, or one is
        listed twice; if the resamples are of another kind or in the order of time, or predictions of other cases or
        folds.

    Notes
    -----
    Brier score and log loss are means of losses of cases, and treated as such.  AUC, F1 and the like are statistics of
    many cases: here of the pooled tests of each repetition of the folds, averaged over the repetitions, or with
    ``weights=folds`` of the tests of each fold, averaged over the folds.  A bootstrap sample counts a case's tests as
    often as it holds the case, chooses by that, and is judged on the cases that it lacks; samples in which either is
    undefined are left out, and counted in the warnings.  The differences from the best have the standard errors of the
    folds' statistics where every fold has one, else of the bootstrap samples.

    The limits of the differences hold for all pairs together: their quantile is that of the largest standardized
    difference of all pairs in the bootstrap samples (max-T).  The interval of nested cross-validation is Wilson's, with
    n cases up to five folds and n / 1.25 above (a further 1.3 less for a single division into folds), and for other
    metrics than the error rate the corrected t.  Standard errors and degrees of freedom of the corrected t are those of
    :func:`errorest.compare`; below four cases of a class a score that ranks has no limits of differences.  Folds that
    are not stratified vary in their classes: for trees on few cases of equally frequent classes, limits hold more often
    on ``"cv(k=10, repeats=10, stratified=True)"``.

    The bias of the corrected error and the coverage of its interval were measured on populations with known errors,
    as were those of nested cross-validation and of the uncorrected error: notebook ``guide/08-choosing``.

    References
    ----------
    Tsamardinos, Greasidou & Borboudakis (2018), whose measure is the AUC; Nadeau & Bengio (2003) for the standard
    errors of differences; Romano & Wolf (2005) for max-T; Wilson (1927).

    Examples
    --------
    >>> import errorest
    >>> X, y = np.arange(20.0)[:, None], [0] * 10 + [1] * 10
    >>> choice = choose(["majority", "knn", "knn(k=3)"], X, y, rng=1)
    >>> choice.best, choice.not_worse
    ('knn(k=5, standardize=training)', ('knn(k=5, standardize=training)', 'knn(k=3, standardize=training)'))
    >>> folds = {m: errorest.resample(m, X, y, method="cv(k=5)", rng=1) for m in ("majority", "naive-bayes")}
    >>> choose(folds, scoring="mcc", rng=1).best
    'naive-bayes'
    """
    options = Options.of(rng, confidence_level, ignore, n_jobs, threads, progress=progress, error_score=error_score)
    streams, n_resamples = options.streams, checked_count("n_resamples", n_resamples)
    given = read_candidates(candidates, base, int(streams.generator("candidates").integers(2**31)))
    inner, notes = None, []
    if are_predictions(list(given.values()), X):
        if nested:
            raise UsageError("nested fits classifiers, and predictions were given; pass the models with X and y")
        predictions = dict(enumerate(given.values()))
        names = candidate_names(given, (p.model for p in predictions.values()))
        metric = resolve_ranking_metric(list(predictions.values()), scoring, pos_label)
        wanted = common_method(list(predictions.values()), metric, folds=True)
    else:
        more: dict[str, Any] = {"encode": encode, "fit_params": fit_params}
        problems = [options.problem(model, X, y, groups, stratify, **more) for model in given.values()]
        check_distinct(problems)
        names = candidate_names(given, (p.learner.id for p in problems))
        metric = resolve_ranking_metric(problems, scoring, pos_label)
        wanted = splitting_method(read_method(method, problems[0], streams, cv), problems[0], metric, "choose")
        inner = _inner_method(nested, problems[0], metric, streams)
        predictions, notes = _run_candidates(problems, wanted, options, metric, names)
    ran = list(predictions.values())
    shared = SharedSplits.of(ran, wanted.schemes[0], metric)
    losses = candidate_losses(shared, shared.results(), ran[0].groups, by_fold=_averages_folds(wanted, metric))
    errors = losses.errors(np.ones((1, losses.units)))[0]
    corrected = bias_corrected_error(
        losses, n_resamples=n_resamples, confidence_level=confidence_level, rng=streams.generator("choose", n_resamples)
    )
    aim = (
        f"the {metric.noun} of choosing among these {len(ran)} candidates and of what is chosen, made of the training "
    )
    aim += "part of a fold"
    bbc = f"bbc-cv(n_resamples={n_resamples}) on {wanted.id}"
    order, results = _compared_with_best(predictions, names, shared, errors, corrected, losses.units, confidence_level)
    choice = Choice(
        metric=metric,
        best=results[0].name,
        value=results[0].value,
        corrected_value=float(metric.value(corrected.error)),
        interval=procedure_interval(metric, corrected.low, corrected.high, bbc, aim, confidence_level),
        candidates=results,
        baseline=metric.baseline(ran[0]),
        method=wanted.id,
        paired=_paired_method(ran[0], shared, wanted),
        n_resamples=n_resamples,
        predictions={names[c]: p.of(wanted.schemes) for c, p in predictions.items()},
        n=ran[0].n,
        n_groups=ran[0].n_groups,
        n_fits=sum(p.of(wanted.schemes).n_fits for p in ran),
        confidence_level=confidence_level,
        _ranks=corrected.ranks[order],
        _source=source_of(ran),
    )
    if inner is not None:
        value, interval, fits = _nested(
            problems_of(ran), list(predictions), shared, wanted, inner, streams, confidence_level
        )
        choice = replace(choice, nested_value=value, nested_interval=interval, n_fits=choice.n_fits + fits)
    notes += _warnings(choice, shared, corrected)
    models = (candidates,) if is_search(candidates) else given.values()
    return replace(choice, **options.fields([*notes, *untuned_metrics(models, metric, scoring)]))


def _run_candidates(
    problems: Sequence[Problem], wanted: Estimator, options: Options, metric: Scoring, names: Sequence[str]
) -> tuple[dict[int, Predictions], list[str]]:
    """Run the candidates; one that fails on every resample is left out and named where failures are skipped."""
    # folds that suit no candidate are refused under no candidate's name
    draw(problems[0], wanted.schemes, options.streams)
    found: dict[int, Predictions] = {}
    notes: list[str] = []
    for position, (problem, name) in enumerate(zip(problems, names, strict=True)):
        try:
            found[position] = fit_one(problem, wanted, options, metric, name, position, len(problems))
        except UsageError as exc:
            if options.on_failure == "raise":
                raise UsageError(f"candidate {exc}") from None
            notes.append(CheckWarning.of("E604", reason=exc))
    if len(found) < 2:
        what = "; ".join(notes)
        raise UsageError(f"{len(found)} of {len(problems)} candidates can be trained; expected at least two; {what}")
    return found, notes


def candidate_losses(
    shared: SharedSplits, results: np.ndarray, groups: np.ndarray | None, *, by_fold: bool
) -> CandidateLosses:
    """Return the results of the shared tests, shape (C, T), or (C, T, K) of probabilities, by case or group.

    A statistic of many cases is averaged over the folds, or over repetitions whose folds are pooled.
    """
    outcome, tests = shared.outcomes[0], shared.tests[0]
    cases = outcome.resamples.cases[tests]
    units, unit = np.unique(cases if groups is None else groups[cases], return_inverse=True)
    if not isinstance(outcome, StatisticOutcome):
        sums = np.stack([np.bincount(unit, weights=own, minlength=units.size) for own in results], axis=1)
        return MeanLosses(sums, np.bincount(unit, minlength=units.size))
    row = outcome.resamples.row_of_test()[tests]
    part = row if by_fold else outcome.replicate[row]
    parts = [np.flatnonzero(part == m) for m in np.unique(part)]
    return StatisticLosses(outcome.statistic, outcome.classes, outcome.coded[tests], results, unit, parts)


def _averages_folds(method: Estimator, metric: Scoring) -> bool:
    weights = method.weights_of(metric.metric) if isinstance(method, OfSplitter) else getattr(method, "weights", "")
    return weights == "folds"


def _compared_with_best(
    predictions: Mapping[int, Predictions],
    names: Sequence[str],
    shared: SharedSplits,
    errors: np.ndarray,
    corrected: BiasCorrected,
    units: int,
    confidence_level: float,
) -> tuple[list[int], tuple[CandidateResult, ...]]:
    """List the candidates, the best first and the others by their errors, with simultaneous limits.

    The quantile is that of the largest standardized difference of all pairs (max-T), since the best was found by
    comparing all, as a level of Student's t.  The standard error is that of :func:`errorest.compare` where every split
    has a value, else the bootstrap's with degrees of freedom of the cases (or groups) less one.
    """
    metric, number, alpha = shared.metric, len(errors), 1 - confidence_level
    of, best = next(iter(predictions.values())), int(first_least(errors))
    half = np.full(number, np.nan)
    if not too_few_to_rank(of, metric):
        quantile = max_t_quantile(corrected.inside, errors, confidence_level)
        # the level of one pair whose normal quantile this is: at most that of all, at least Bonferroni's
        one = float(np.clip(2 * special.ndtr(-quantile), 2 * alpha / (number * (number - 1)), alpha))
        for c in range(number):
            if shared.undefined:
                spread = Spread(float((corrected.inside[:, c] - corrected.inside[:, best]).std()), units - 1)
            else:
                pair, tested = shared.rates[[c, best]], float(np.mean(shared.tested))
                level = float(metric.value(pair.mean()))
                spread = spread_of_difference(of, metric, pair[0] - pair[1], tested, level)
            half[c] = spread.half_width(1 - one)
    half[best] = np.nan
    differences = metric.gain(errors - errors[best])
    low, high = within_scale(metric, (differences - half, differences + half))
    columns = {"value": metric.value(errors), "difference": differences, "low": low, "high": high}
    columns |= {"wins": corrected.ranks[:, 0], "rank": corrected.ranks @ np.arange(1, number + 1)}
    worse = high < 0 if metric.greater_is_better else low > 0
    order = [best, *(int(c) for c in np.argsort(errors, kind="stable") if c != best)]
    positions = list(predictions)
    rows = [{name: float(column[c]) for name, column in columns.items()} for c in order]
    return order, tuple(
        CandidateResult(names[p], p, predictions[p].model, **row, not_worse=not worse[c])
        for c, row in zip(order, rows, strict=True)
        for p in (positions[c],)
    )


def _paired_method(of: Predictions, shared: SharedSplits, method: Estimator) -> str:
    """Name the method of the limits of the differences."""
    if few := too_few_to_rank(of, shared.metric):
        return f"no limits, since {few}"
    if shared.undefined:
        return f"bootstrap of the cases, max-T of all pairs, since some folds have no {shared.metric.noun}"
    return f"corrected-t on {method.id}, max-T of all pairs"


def _inner_method(nested: Any, problem: Problem, metric: Scoring, streams: Streams) -> Estimator | None:
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
    method = read_method("auto" if nested is True else nested, problem, streams)
    return splitting_method(method, problem, metric, "nested")


def _nested(
    problems: Sequence[Problem],
    positions: Sequence[int],
    shared: SharedSplits,
    wanted: Estimator,
    inner: Estimator,
    streams: Streams,
    confidence_level: float,
) -> tuple[float, ConfidenceInterval, int]:
    """Return the value of what each outer training set chose, its interval, and the number of inner fits.

    :func:`wilson_of_nested` for error rates; for other metrics the corrected t.
    """
    if (outer := shared.whole) is None:
        raise UsageError(
            "nested cross-validation needs folds that one candidate at least came through whole, and several failed on "
            "different ones; expected candidates that can be trained on all; leave out nested, or those that fail"
        )
    metric, (scheme,), of, resamples = shared.metric, inner.schemes, problems[0], outer.resamples
    within = folds_of_training_sets(of, resamples, scheme, streams)
    inner_errors = np.empty((resamples.n_rows, len(problems)))
    for c, (problem, position) in enumerate(zip(problems, positions, strict=True)):
        rng = of_classifier(streams, position).generator(scheme.key, "within", "inducer")
        scores = metric.metric.needs_probabilities
        answers = problem.learner.fit_predict(
            within, rng if problem.learner.random else None, labels=not scores, scores=scores
        )
        if answers.failures:
            first = answers.failures[0]
            raise UsageError(
                f"{problem.learner.id} failed on resample {first.row + 1} of {within.n_rows} ({first.reason}); correct "
                "it, or ask for resamples with more cases in training"
            )
        outcome = measured(within, Run(within, *answers[:2]).of(metric.metric), of.y, metric.bound)
        inner_errors[:, c] = _errors_of_training_sets(outcome, by_fold=_averages_folds(inner, metric))
    chosen = first_least(inner_errors)
    # every test by the candidate that its row's training set chose
    row = resamples.row_of_test()
    results = shared.results()[chosen[row], np.arange(row.size)][None]
    losses = candidate_losses(shared, results, of.groups, by_fold=_averages_folds(wanted, metric))
    error = float(losses.errors(np.ones((1, losses.units)))[0, 0])
    rates = shared.rates[chosen, np.arange(chosen.size)]
    if metric.metric.zero_one:
        folds, grouped = round(resamples.n_rows / resamples.repeats), of.groups is not None
        low, high = wilson_of_nested(error, losses.units, folds, resamples.repeats, confidence_level, grouped=grouped)
        method = "wilson"
    else:
        known, half = ~np.isnan(rates), np.nan
        if known.sum() >= 2:
            tested = float(shared.tested[known].mean())
            half = spread_of_mean(of, metric, rates[known], tested).half_width(confidence_level)
        low, high, method = error - half, error + half, "corrected-t"
    aim = f"the {metric.noun} of choosing so and of what is chosen, of the training part of a fold"
    interval = procedure_interval(metric, low, high, f"{method} on nested {scheme.id}", aim, confidence_level)
    return float(metric.value(error)), interval, within.n_rows * len(problems)


def folds_of_training_sets(problem: Problem, outer: Resamples, scheme: Scheme, streams: Streams) -> Resamples:
    """Draw folds of every training set of the outer folds; repetition m is of the m-th training set."""
    groups, strata = problem.groups, problem.strata
    parts = []
    for row in range(outer.n_rows):
        train = np.flatnonzero(outer.training_counts(row, row + 1)[0])
        part = replace(
            problem,
            y=problem.y[train],
            groups=None if groups is None else np.unique(groups[train], return_inverse=True)[1],
            strata=None if strata is None else strata[train],
        )
        sampled = draw(part, [scheme], streams.child("within", row))[scheme][0]
        whole = np.zeros((sampled.n_rows, problem.n), dtype=np.int32)
        whole[:, train] = sampled.training_counts()
        cases, together = train[sampled.cases].astype(np.int32), np.zeros(sampled.n_rows, dtype=np.int32)
        parts.append(from_training_counts(whole, sampled.start, cases, together, 1))
    return concatenate(parts)


def _errors_of_training_sets(outcome: Outcome, *, by_fold: bool) -> np.ndarray:
    """Return a candidate's error in each outer training set: of the pooled tests of its folds, or the folds' mean."""
    if not isinstance(outcome, StatisticOutcome):
        # sums serve as well as means: all candidates are tested on the same cases
        return np.bincount(outcome.replicate, outcome.errors, outcome.repeats)
    if not by_fold:
        return outcome.repeat_rates
    known = ~np.isnan(outcome.row_rates)
    of, rates = outcome.replicate[known], outcome.row_rates[known]
    with np.errstate(invalid="ignore"):
        return np.asarray(np.bincount(of, rates, outcome.repeats) / np.bincount(of, minlength=outcome.repeats))


def _warnings(choice: Choice, shared: SharedSplits, corrected: BiasCorrected) -> Iterator[str]:
    """Yield the warnings of a choice."""
    metric, predictions = choice.metric, tuple(choice.predictions.values())
    yield from run_checks(
        Checked(
            predictions=predictions,
            problems=problems_of(predictions),
            names=tuple(choice.predictions),
            schemes=tuple(predictions[0].runs),
            scoring=metric,
        )
    )
    same = [one.name for one in choice.candidates if one.difference and one.high - one.low <= 1e-12]
    reasons = {
        f"every bootstrap sample gave the same corrected {metric.noun}": choice.interval.degenerate,
        f"every fold of the nested cross-validation gave the same {metric.noun}": choice.nested_interval is not None
        and choice.nested_interval.degenerate,
        # of two equal candidates nothing is claimed
        f"on every fold the difference from the best was the same for {', '.join(same)}": bool(same),
    }
    for reason in (text for text, holds in reasons.items() if holds):
        yield CheckWarning.of("E401", reason=reason, wilson="")
    if few := too_few_to_rank(predictions[0], metric):
        yield CheckWarning.of("E402", method=f"corrected-t on {choice.method}", note=few)
    elif shared.undefined:
        then = "so that rivals are compared with the best by a bootstrap of the cases"
        yield CheckWarning.of("E602", what=f"{shared.undefined} of {shared.tested.size} folds", then=then)
    if (missing := choice.n_resamples - corrected.outside.size) and not metric.metric.decomposable:
        what = f"{missing} of {choice.n_resamples} bootstrap samples, or the cases outside of them,"
        yield CheckWarning.of("E602", what=what, then="and are left out")
    if choice.reaches_baseline and choice.nested_value is None:
        value = f"{100 * choice.baseline.value:.1f} %" if metric.percent else f"{choice.baseline.value:.4g}"
        facts = {"baseline": value, "name": choice.baseline.name, "number": len(choice.candidates)}
        yield CheckWarning.of("E601", corrected=f"corrected {metric.noun}", **facts)
