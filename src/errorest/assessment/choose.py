"""Choosing among classifiers: all on shared resamples, the error of the best corrected for having been chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from errorest.assessment.bias_corrected import BiasCorrected, bias_corrected_error, first_least, max_t_quantile
from errorest.assessment.candidates import candidate_names, check_distinct, is_search, read_candidates, untuned_metrics
from errorest.assessment.checks import run_checks
from errorest.assessment.checks.warning import Checked, CheckWarning
from errorest.assessment.defaults import read_method
from errorest.assessment.nested import candidate_losses, inner_method, nested_value
from errorest.assessment.options import Options, Progress, checked_count
from errorest.assessment.predictions import Predictions
from errorest.assessment.problem import prepare
from errorest.assessment.resample import draw
from errorest.assessment.results import ConfidenceInterval, Result
from errorest.assessment.scoring import Baseline
from errorest.assessment.shared_splits import (
    SharedSplits,
    Spread,
    are_predictions,
    common_method,
    fit_one,
    problems_of,
    procedure_interval,
    resolve_ranking_metric,
    splitting_method,
    spread_of_splits,
    too_few_to_rank,
    within_scale,
)
from errorest.errors import UsageError
from errorest.estimation.intervals.method import NO_WIDTH

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

    from errorest.assessment.arguments import ErrorScore, Label, Method, MetricLike, Model, Rng, Search, Table


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
    candidates: Iterable[Any] | Mapping[str, Any] | Search,
    X: Table | None = None,
    y: ArrayLike | None = None,
    *,
    base: Model | None = None,
    method: Method = "auto",
    cv: Method | None = None,
    nested: bool | Method | None = None,
    n_resamples: int = 1000,
    rng: Rng = None,
    groups: ArrayLike | None = None,
    stratify: ArrayLike | None = None,
    scoring: MetricLike = "error",
    pos_label: Label | None = None,
    error_score: ErrorScore = "raise",
    confidence_level: float = 0.95,
    encode: bool = False,
    fit_params: Mapping[str, Any] | None = None,
    n_jobs: int | None = 1,
    threads: int | None = 1,
    compiled: bool = True,
    progress: bool | Progress = False,
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
    X : array-like or DataFrame (pandas, polars), shape (n, d), sparse matrix, or Sample (then without y)
        The cases; with Predictions, left out.
    y : array-like, shape (n,)
        Class labels of any kind.
    rng, cv, groups, stratify, pos_label, confidence_level, encode, fit_params, n_jobs, threads, compiled
        As :func:`errorest.estimate` takes them.
    progress, ignore
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
        Cross-validation, plain or repeated, or a splitter of such folds.  ``"auto"`` is ``cv(k=10, repeats=10)``, below
        ten cases (or groups) with as many folds as these; for the AUC the folds are stratified, no more than the cases
        of the rarer class, and their AUCs are averaged (``weights=folds``), as the statistics of a splitter's folds
        are.
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
    as were those of nested cross-validation and of the uncorrected error: notebook ``guide/05-choosing``.

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

    The candidates of a search of scikit-learn, on 50 cases of two species:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = (values[50::2] for values in load_iris(return_X_y=True))
    >>> model = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    >>> search = GridSearchCV(model, {"kneighborsclassifier__n_neighbors": [1, 5, 15]})
    >>> choice = choose(search, X, y, method="cv(k=5)", rng=1)
    >>> print(choice)  # doctest: +ELLIPSIS
    Best of 3 candidates: kneighborsclassifier__n_neighbors=1, error rate corrected for the choice 8.2 %...
      verdict  the data do not distinguish the 3 candidates...
    ...
    """
    options = Options.of(rng, confidence_level, ignore, n_jobs, threads, progress, compiled, error_score)
    streams, n_resamples = options.streams, checked_count("n_resamples", n_resamples)
    given = read_candidates(candidates, base, int(streams.generator("candidates").integers(2**31)))
    notes: list[str] = []
    inner = None
    if are_predictions(list(given.values()), X):
        if nested:
            raise UsageError("nested fits classifiers, and predictions were given; pass the models with X and y")
        predictions = dict(enumerate(given.values()))
        names = candidate_names(given, (p.model for p in predictions.values()))
        metric = resolve_ranking_metric(list(predictions.values()), scoring, pos_label)
        wanted = common_method(list(predictions.values()), metric, folds=True)
    else:
        problems = [prepare(model, X, y, groups, stratify, encode, fit_params, options) for model in given.values()]
        check_distinct(problems)
        names, predictions = candidate_names(given, (p.learner.id for p in problems)), {}
        metric = resolve_ranking_metric(problems, scoring, pos_label)
        wanted = splitting_method(read_method(method, problems[0], streams, cv), problems[0], metric, "choose")
        # the inner folds are checked before anything is fitted
        inner = inner_method(nested, problems[0], metric, streams)
        # folds that suit no candidate are refused under no candidate's name
        draw(problems[0], wanted.schemes, streams)
        for c, (problem, name) in enumerate(zip(problems, names, strict=True)):
            try:
                predictions[c] = fit_one(problem, wanted, options, metric, name, c, len(problems))
            except UsageError as exc:
                if options.on_failure == "raise":
                    raise UsageError(f"candidate {exc}") from None
                notes.append(CheckWarning.of("E604", reason=exc))
        if len(predictions) < 2:
            number = f"{len(predictions)} of {len(problems)}"
            raise UsageError(f"{number} candidates can be trained; expected at least two; {'; '.join(notes)}")
    # the observed errors choose; the bootstrap of the losses corrects the error of the best for that choice
    ran = list(predictions.values())
    shared = SharedSplits.of(ran, wanted.schemes[0], metric)
    losses = candidate_losses(shared, ran[0].groups, wanted)
    errors = losses.errors(np.ones((1, losses.units)))[0]
    corrected = bias_corrected_error(
        losses, n_resamples=n_resamples, confidence_level=confidence_level, rng=streams.generator("choose", n_resamples)
    )
    bbc = f"bbc-cv(n_resamples={n_resamples}) on {wanted.id}"
    aim = f"the {metric.noun} of choosing among these candidates and of what is chosen, of the training part of a fold"
    # limits of the differences hold for all pairs together: the best was found by comparing all
    order, results = _compared_with_best(predictions, names, shared, errors, corrected, losses.units, confidence_level)
    paired = f"corrected-t on {wanted.id}, max-T of all pairs"
    if shared.undefined:
        paired = f"bootstrap of the cases, max-T of all pairs, since some folds have no {metric.noun}"
    if few := too_few_to_rank(ran[0], metric):
        paired = f"no limits, since {few}"
    choice = Choice(
        metric=metric,
        best=results[0].name,
        value=results[0].value,
        corrected_value=float(metric.value(corrected.error)),
        interval=procedure_interval(metric, corrected.low, corrected.high, bbc, aim, confidence_level),
        candidates=results,
        baseline=metric.baseline(ran[0]),
        method=wanted.id,
        paired=paired,
        n_resamples=n_resamples,
        predictions={names[c]: p.of(wanted.schemes) for c, p in predictions.items()},
        n=ran[0].n,
        n_groups=ran[0].n_groups,
        n_fits=sum(p.of(wanted.schemes).n_fits for p in ran),
        confidence_level=confidence_level,
        _ranks=corrected.ranks[order],
        _source=next((p.source for p in problems_of(ran)), None),
    )
    # nested cross-validation repeats the choice itself, at the price of more fits
    if inner is not None:
        value, interval, fits = nested_value(predictions, shared, wanted, inner, streams, confidence_level)
        choice = replace(choice, nested_value=value, nested_interval=interval, n_fits=choice.n_fits + fits)
    models = (candidates,) if is_search(candidates) else given.values()
    notes += [*_warnings(choice, shared, corrected), *untuned_metrics(models, metric, scoring)]
    return replace(choice, **options.fields(notes))


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
                # a split without a value breaks the pairs of splits; the bootstrap of the cases still has a value
                spread = Spread(float((corrected.inside[:, c] - corrected.inside[:, best]).std()), units - 1)
            else:
                pair, tested = shared.rates[[c, best]], float(np.mean(shared.tested))
                level = float(metric.value(pair.mean()))
                spread = spread_of_splits(of, metric, pair[0] - pair[1], tested, level)
            half[c] = spread.half_width(1 - one)
    half[best] = np.nan
    # in the unit of the metric: for scores the sign is that of values, not of losses
    differences = metric.gain(errors - errors[best])
    low, high = within_scale(metric, (differences - half, differences + half))
    columns = {"value": metric.value(errors), "difference": differences, "low": low, "high": high}
    columns |= {"wins": corrected.ranks[:, 0], "rank": corrected.ranks @ np.arange(1, number + 1)}
    # worse than the best where the limits exclude zero; without limits (NaN) or width no candidate is
    worse = (high < 0 if metric.greater_is_better else low > 0) & (half > NO_WIDTH)
    order = [best, *(int(c) for c in np.argsort(errors, kind="stable") if c != best)]
    positions = list(predictions)
    results = []
    for c in order:
        p, row = positions[c], {name: float(column[c]) for name, column in columns.items()}
        results.append(CandidateResult(names[p], p, predictions[p].model, **row, not_worse=not worse[c]))
    return order, tuple(results)


def _warnings(choice: Choice, shared: SharedSplits, corrected: BiasCorrected) -> Iterator[str]:
    """Yield the warnings of a choice."""
    metric, predictions, baseline = choice.metric, tuple(choice.predictions.values()), choice.baseline.value
    named: dict[str, Any] = {"names": tuple(choice.predictions), "schemes": tuple(predictions[0].runs)}
    yield from run_checks(Checked(predictions=predictions, problems=problems_of(predictions), scoring=metric, **named))
    if choice.interval.degenerate:
        reason = f"every bootstrap sample gave the same corrected {metric.noun}"
        yield CheckWarning.of("E401", reason=reason, hint="")
    if choice.nested_interval is not None and choice.nested_interval.degenerate:
        reason = f"every fold of the nested cross-validation gave the same {metric.noun}"
        yield CheckWarning.of("E401", reason=reason, hint="")
    # of two equal candidates nothing is claimed
    if same := [one.name for one in choice.candidates if one.difference and one.high - one.low <= NO_WIDTH]:
        reason = f"on every fold the difference from the best was the same for {', '.join(same)}"
        yield CheckWarning.of("E401", reason=reason, hint="")
    if few := too_few_to_rank(predictions[0], metric):
        yield CheckWarning.of("E402", method=f"corrected-t on {choice.method}", note=few)
    elif shared.undefined:
        then = "so that rivals are compared with the best by a bootstrap of the cases"
        yield CheckWarning.of("E602", what=f"{shared.undefined} of {shared.tested.size} folds", then=then)
    if (missing := choice.n_resamples - corrected.outside.size) and not metric.metric.decomposable:
        what = f"{missing} of {choice.n_resamples} bootstrap samples, or the cases outside of them,"
        yield CheckWarning.of("E602", what=what, then="and are left out")
    if baseline is not None and choice.reaches_baseline and choice.nested_value is None:
        value = f"{100 * baseline:.1f} %" if metric.percent else f"{baseline:.4g}"
        facts = {"baseline": value, "name": choice.baseline.name, "number": len(choice.candidates)}
        yield CheckWarning.of("E601", corrected=f"corrected {metric.noun}", **facts)
