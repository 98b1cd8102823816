"""Estimate metrics of a classifier on the user's data, with intervals: resample, then reduce the predictions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from errorest.assessment.defaults import read_method
from errorest.assessment.options import Options, Progress
from errorest.assessment.problem import prepare
from errorest.assessment.reduction import reduce_all
from errorest.assessment.resample import resample_problem
from errorest.assessment.scoring import resolve_metric, several_metrics

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from errorest.assessment.arguments import ErrorScore, Interval, Label, Method, Metrics, Model, Rng, Table
    from errorest.assessment.results import Estimate, Estimates


def estimate(
    model: Model,
    X: Table,
    y: ArrayLike | None = None,
    *,
    method: Method = "auto",
    cv: Method | None = None,
    interval: Interval = "auto",
    rng: Rng = None,
    groups: ArrayLike | None = None,
    stratify: ArrayLike | None = None,
    scoring: Metrics = "error",
    pos_label: Label | None = None,
    error_score: ErrorScore = "raise",
    confidence_level: float = 0.95,
    encode: bool = False,
    fit_params: Mapping[str, Any] | None = None,
    n_jobs: int | None = 1,
    threads: int | None = 1,
    compiled: bool = True,
    max_bytes: int | None = None,
    progress: bool | Progress = False,
    ignore: Iterable[str] | str = (),
) -> Estimate | Estimates:
    """Estimate the error rate, or other metrics, of the classifier trained on a sample.

    Parameters
    ----------
    model : scikit-learn classifier or pipeline, built-in learner, or str
        A name such as ``"naive-bayes"`` or ``"knn(k=3)"``, with scikit-learn's defaults and standardized attributes
        for distances, an import path, or an object.  It is never changed.
        Where a metric needs probabilities, the classifier has ``predict_proba``; for rankings ``decision_function``
        serves too.
    X : array-like or DataFrame (pandas, polars), shape (n, d), sparse matrix, or Sample (then without y)
        Text and missing values suit learners that take them, and pipelines that encode them.
    y : array-like, shape (n,)
        Class labels of any kind.
    method : "auto", str, int, Estimator, scikit-learn splitter, or list or generator of (train, test) pairs
        How to resample.  ``"auto"`` is for errors and costs ``632+(replicates=200)``, with more replicates from 200
        cases on; for Brier score and log loss ten repeats of stratified 5-fold cross-validation.  Five repeats of
        stratified 10-fold cross-validation serve errors and costs of models of which bootstrap samples make other kinds
        of classifiers: those that split their training set themselves, such as ``GridSearchCV``; pruned C4.5 trees from
        60 cases on; and linear discriminants of 30 cases and about as many as attributes.  From 300 cases (or groups)
        on they serve all means over cases, from 10,000 on a single one does.
        It is ten repeats of stratified 10-fold cross-validation, averaged over the folds, for the AUC (fewer folds
        where the rarest class has fewer cases), and pooled for the average precision; ``cv(k=5, stratified=True)`` for
        other scores; or the estimate that belongs to the interval where one is named.
        A whole number k is ``cv(k=k, stratified=True)``: stratified by class, as scikit-learn's ``cv=k`` is for
        classifiers, but shuffled.  Folds weigh as the metric needs unless ``weights`` is named.  Of a splitter, or of
        the pairs that it yields, the splits are averaged.
    cv
        Another name of ``method``.
    interval : "auto", str, IntervalMethod, or None
        ``"auto"`` takes the interval that the method's own classifiers yield, where there is one: of the error rate
        ``632+wilson``, which has width where no error was seen, and ``cv-wilson`` by folds; of costs ``632+span``.  For
        scores that are no mean over cases: one of :data:`~errorest.estimation.intervals.STATISTIC_INTERVALS`, by
        default ``cv-hanley-mcneil`` for AUCs and ``cv-boyd`` for the average precision, both undefined with fewer than
        four cases of the smallest class, and Wilson's limits (``kohavi``) for sensitivity, specificity and balanced
        accuracy.  Splits in the order of time have none.
    rng : int, numpy.random.Generator, RandomState or SeedSequence, optional
        By default a seed is drawn, and is part of the result.  Of a RandomState four numbers are drawn that seed a
        Generator.
    groups : array-like, shape (n,), optional
        Cases of one group stay together; groups are resampled in place of cases.
    stratify : array-like, shape (n,), or "class", optional
        What folds, holdouts and bootstrap samples keep in proportion.
    scoring : metric, or list of metrics
        A metric is a name, costs, a scorer of scikit-learn or a function.
        Names of means over cases: ``"error"``, ``"accuracy"``, ``"balanced"`` (all classes have the same weight),
        ``brier``, ``log-loss``.  Costs: ``{"fn": 5, "fp": 1}`` or a cost for each class; a row for each true class and
        a column for each label, or the ``.csv`` file that has them; ``loss(y_true, y_pred)`` of two arrays.
        Names of statistics: ``auc``, ``macro-auc``, ``average-precision``, ``balanced-accuracy``, ``mcc``, ``f1``,
        ``macro-f1``, ``sensitivity``, ``specificity``, ``precision``, ``npv``, ``cohen-kappa``, ``calibration-slope``,
        ``calibration-intercept``; those of labels perhaps with a threshold: ``"sensitivity(threshold=0.3)"``.
        scikit-learn's names and scorers, such as ``"roc_auc"`` or ``make_scorer(f)`` of labels, and
        ``f(y_true, y_pred)`` that returns one number, of which more is better.
        Of a list the classifiers are fitted once.
    pos_label : label, optional
        The class that a metric of one class and thresholds are about; by default the last of two in sorted order.
        With more classes it must be named, and is held against all others.
    error_score : "raise" or numpy.nan
        Whether a resample on which ``fit`` fails stops everything, or is left out with a warning.
    confidence_level : float
        Of the interval, a proportion.
    encode : bool
        For a scikit-learn classifier: one-hot text and fill missing values inside every training set.
    fit_params : mapping of str, optional
        Passed to ``fit`` of a scikit-learn classifier, such as ``{"sample_weight": w}`` or, of a pipeline,
        ``{"step__sample_weight": w}``; arrays of length n are cut by the rows of the training set.
    n_jobs : int or None
        Workers for a scikit-learn classifier (-1: all cores, -2: all but one, None: one); changes no result.
    threads : int or None
        Threads of BLAS and OpenMP that a fit of a scikit-learn classifier may take; None: no limit.
    compiled : bool
        Whether scikit-learn's naive Bayes, nearest neighbours and centroids, and discriminants, alone or behind
        scalers, imputers and principal components, are fitted in compiled batches, which are compared with scikit-learn
        in the same call and give its labels.
    max_bytes : int, optional
        Bytes that resamples and predictions may take; by default 1 GiB.
    progress : bool, or callable of (name, done, total)
        Show a progress bar on standard error; a function receives the classifier's name, the number of its fits that
        are done, and their total.
    ignore : iterable of str, or str
        Ids of warnings that are switched off, such as ``"E203"``.

    Returns
    -------
    Estimate or Estimates
        Of a list of metrics an :class:`Estimates`.

    Raises
    ------
    UsageError
        If a name is unknown, data, classifier, method, interval and scoring do not fit one another, the classifier has
        no probabilities that the metric needs, a fit fails, or the predictions take more than ``max_bytes``.

    Notes
    -----
    A resample that tests one class alone has no AUC (nor any other statistic that rests on both): it is left out of
    the mean, and counted in the warnings.  A training set of one class makes a classifier that is certain of it.

    References
    ----------
    Efron & Tibshirani (1997) for .632+ of any loss; Parker, Guenter & Bedo (2007) for why AUCs of folds are averaged
    and not pooled; Hanley & McNeil (1982) for their interval.

    Examples
    --------
    >>> X = [[0.1], [0.4], [0.5], [0.9], [1.2], [1.5], [1.7], [2.0], [0.3], [1.1]]
    >>> y = ["low", "low", "high", "low", "high", "high", "low", "high", "low", "high"]
    >>> e = estimate("knn", X, y, rng=7)
    >>> e.method, e.n_fits, e.interval.low < e.value < e.interval.high
    ('632+(replicates=200)', 201, True)
    >>> several = estimate("naive-bayes", X, y, scoring=["error", "auc"], rng=7)
    >>> several["auc"].method, several["auc"].metric.pos_label
    ('cv(k=5, repeats=10, stratified=True, weights=folds)', 'low')

    A pipeline of scikit-learn, on 50 cases of two species:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = (values[50::2] for values in load_iris(return_X_y=True))
    >>> model = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    >>> print(estimate(model, X, y, rng=1))  # doctest: +ELLIPSIS
    Error rate 6.8 % (95 % interval 0.4 to 17.3 %)
      verdict   better than always '1' (50.0 %): difference on held-out cases -41.7 points...

    A search is tuned again within every training set, so that the estimate is of the whole procedure:

    >>> from sklearn.model_selection import GridSearchCV
    >>> search = GridSearchCV(model, {"kneighborsclassifier__n_neighbors": [1, 5, 15]})
    >>> print(estimate(search, X, y, method="cv(k=5)", rng=1))  # doctest: +ELLIPSIS
    Error rate 6.0 % (95 % interval 1.7 to 18.8 %)
      verdict   better than always '1' (50.0 %): difference on held-out cases -44.0 points...
    """
    options = Options.of(rng, confidence_level, ignore, n_jobs, threads, progress, compiled, error_score, max_bytes)
    problem = prepare(model, X, y, groups, stratify, encode, fit_params, options)
    metrics = [resolve_metric(problem, one, pos_label) for one in several_metrics(scoring) or [scoring]]
    method = read_method(method, problem, options.streams, cv)
    predictions = resample_problem(problem, options, metrics, method, interval)
    return reduce_all(predictions, scoring, metrics, interval, confidence_level, options.ignored)
