"""Choosing among classifiers: all on shared resamples, the error of the best corrected for having been chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from errorest.assessment.candidates import candidate_names, check_distinct, read_candidates
from errorest.assessment.defaults import read_method
from errorest.assessment.options import Options, checked_count, of_classifier
from errorest.assessment.predictions import Predictions
from errorest.assessment.problem import Problem
from errorest.assessment.resample import draw
from errorest.assessment.results import ConfidenceInterval, Result
from errorest.assessment.scoring import Baseline, Scoring
from errorest.assessment.shared_splits import (
    SharedSplits,
    Spread,
    are_predictions,
    common_method,
    procedure_interval,
    resolve_ranking_metric,
    run_each,
    splitting_method,
    spread_of_difference,
    spread_of_mean,
    too_few_to_rank,
    within_scale,
)
from errorest.assessment.splitters import OfSplitter, is_splitter
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.estimation.metrics.metric import Metric
from errorest.estimation.outcomes import StatisticOutcome, measured
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
    ranks : float array, shape (C, C)
        Share of bootstrap samples in which candidate c (row, the best first) has rank r (column, from the first).
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
    ranks: np.ndarray
    predictions: dict[str, Predictions] = field(repr=False)

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
    inner, problems = None, []
    if are_predictions(list(given.values()), X):
        if nested:
            raise UsageError("nested fits classifiers, and predictions were given; pass the models with X and y")
        names = candidate_names(given, (p.model for p in given.values()))
        ran = dict(enumerate(given.values()))
        metric = resolve_ranking_metric(ran[0], scoring, pos_label)
        wanted = common_method(list(ran.values()), metric, folds=True)
    else:
        more: dict[str, Any] = {"encode": encode, "fit_params": fit_params}
        problems = [options.problem(model, X, y, groups, stratify, **more) for model in given.values()]
        check_distinct(problems)
        names = candidate_names(given, (p.learner.id for p in problems))
        metric = resolve_ranking_metric(problems[0], scoring, pos_label)
        method = read_method(method, problems[0], streams, cv)
        wanted = splitting_method(method, problems[0], metric, "choose")
        inner = _inner_method(nested, problems[0], metric, streams)
        ran, failed = _run_candidates(problems, wanted.schemes, options, metric, names)
    predictions, kept = list(ran.values()), list(ran)
    names = tuple(names[c] for c in kept)
    first, (scheme,) = predictions[0], wanted.schemes
    shared = SharedSplits.of(predictions, scheme, metric)
    losses = candidate_losses(shared, _results(shared), first.groups, by_fold=_averages_folds(wanted, metric.metric))
    errors = losses.errors(np.ones((1, losses.units)))[0]
    corrected = bias_corrected_error(
        losses, n_resamples=n_resamples, confidence_level=confidence_level, rng=streams.generator("choose", n_resamples)
    )
    best = int(first_least(errors))
    undefined = int(np.isnan(shared.rates).any(axis=0).sum())
    half = _simultaneous_half_widths(first, metric, shared, errors, best, corrected, losses.units, confidence_level)
    differences = metric.gain(errors - errors[best])
    low, high = within_scale(metric, (differences - half, differences + half))
    mean_rank, values = corrected.ranks @ np.arange(1, len(names) + 1), metric.value(errors)
    worse = high < 0 if metric.greater_is_better else low > 0
    order = [best, *(int(c) for c in np.argsort(errors, kind="stable") if c != best)]
    results = [...]
    raise NotImplementedError
