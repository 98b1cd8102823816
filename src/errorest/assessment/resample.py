"""Fit a classifier on resamples, once, and keep what it predicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.defaults import bytes_of, check_folds, is_auto, make_plan, read_method
from errorest.assessment.options import Options, Progress, of_classifier
from errorest.assessment.predictions import Predictions, Run
from errorest.assessment.problem import Problem, prepare
from errorest.assessment.scoring import Scoring, resolve_metric, several_metrics
from errorest.counting import count_each, repeat_each
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.estimation.groups import in_groups, most_frequent, unit_sample, units_of
from errorest.estimation.metrics.metric import Metric
from errorest.resampling.multisets import Resamples, keep_rows
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from errorest.assessment.arguments import ErrorScore, Interval, Label, Method, Metrics, Model, Rng, Table


def resample(
    model: Model,
    X: Table,
    y: ArrayLike | None = None,
    *,
    method: Method = "auto",
    cv: Method | None = None,
    interval: Interval = "auto",
    scoring: Metrics | None = None,
    pos_label: Label | None = None,
    rng: Rng = None,
    groups: ArrayLike | None = None,
    stratify: ArrayLike | None = None,
    error_score: ErrorScore = "raise",
    encode: bool = False,
    fit_params: Mapping[str, Any] | None = None,
    n_jobs: int | None = 1,
    threads: int | None = 1,
    compiled: bool = True,
    max_bytes: int | None = None,
    progress: bool | Progress = False,
) -> Predictions:
    """Fit a classifier on resamples of data and return all its predictions.

    What is estimated from the predictions fits nothing more: ``p.estimate("error")``, ``p.estimate("auc")``.

    Parameters
    ----------
    model, X, y, method, cv, interval, rng, groups, stratify, error_score, encode, fit_params, n_jobs, threads, compiled
        As :func:`errorest.estimate` takes them.
    scoring : metric or list of metrics, optional
        The metrics that will be asked for: with ``method="auto"`` the resamplings of all are run, each once.  By
        default those of the error rate, macro-F1 and, as far as the classifier and the classes allow, Brier score, AUC
        and average precision.
    pos_label : label, optional
        The class that these metrics are about.
    max_bytes : int, optional
        Bytes that resamples and predictions may take; by default 1 GiB.
    progress : bool, or callable of (name, done, total)
        Show a progress bar on standard error; a function receives the classifier's name, the number of its fits that
        are done, and their total.

    Returns
    -------
    Predictions
        With labels, and with probabilities or values of a decision function where the classifier has them.

    Raises
    ------
    UsageError
        If a name is unknown, data, classifier, method, interval and metrics do not fit one another, a fit fails, or
        the predictions take more than ``max_bytes``.

    Examples
    --------
    >>> import errorest
    >>> X = [[0.1], [0.4], [0.5], [0.9], [1.2], [1.5], [1.7], [2.0], [0.3], [1.1]]
    >>> y = ["low", "low", "high", "low", "high", "high", "low", "high", "low", "high"]
    >>> p = errorest.resample("naive-bayes", X, y, method="cv(k=5, repeats=10)", rng=7)
    >>> p.n_fits, [round(p.estimate(metric).value, 2) for metric in ("error", "brier")]
    (50, [0.44, 0.34])

    A pipeline of scikit-learn, on 50 cases of two species:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = (values[50::2] for values in load_iris(return_X_y=True))
    >>> model = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    >>> predictions = errorest.resample(model, X, y, method="cv(k=5)", rng=1)
    >>> print(predictions.estimate("error"))  # doctest: +ELLIPSIS
    Error rate 6.0 % (95 % interval ...
    """
    options = Options.of(rng, 0.95, (), n_jobs, threads, progress, compiled, error_score, max_bytes)
    problem = prepare(model, X, y, groups, stratify, encode, fit_params, options)
    method = read_method(method, problem, options.streams, cv)
    if scoring is not None:
        metrics = several_metrics(scoring) or [scoring]
    else:
        # a metric for each default that suits the classifier and the classes
        metrics, pos_label, scores = ["error"], None, problem.learner.scores
        if is_auto(method) and (interval is None or is_auto(interval)):
            metrics += ["macro-f1"] + ["brier"] * (scores == "predict_proba")
            if scores and problem.class_counts().min() > 1:
                metrics += ["auc", "average-precision"] if problem.n_classes == 2 else ["macro-auc"]
    wanted = [resolve_metric(problem, one, pos_label) for one in metrics]
    return resample_problem(problem, options, wanted, method, interval, everything=True)


def resample_problem(
    problem: Problem,
    options: Options,
    metrics: Sequence[Scoring],
    method: str | Estimator = "auto",
    interval: Any = "auto",
    *,
    everything: bool = False,
) -> Predictions:
    """Run what the methods and intervals of metrics need; of labels and scores what they need, or everything."""
    for one in metrics:
        check_response(problem, one.metric)
    needs = {one.metric.needs_probabilities for one in metrics}
    plans = [make_plan(problem, one, method, interval) for one in metrics]
    schemes = [scheme for plan in plans for scheme in plan.schemes]
    scores = bool(problem.learner.scores) if everything else True in needs
    made = fit_predict(problem, schemes, options, labels=everything or False in needs, scores=scores)
    return replace(made, method=method, interval=interval)


def check_response(problem: Problem, metric: Metric) -> None:
    """Refuse a metric that needs what the classifier does not predict."""
    if not metric.needs_probabilities or problem.learner.scores == "predict_proba":
        return
    if problem.learner.scores and metric.ranks:
        return
    others = "auc or average-precision, for which decision_function serves, or " if problem.learner.scores else ""
    raise UsageError(
        f"{problem.learner.id} has no predict_proba and score {metric.id} needs probabilities; take "
        f"CalibratedClassifierCV round it, or {others}a score of labels: balanced-accuracy, mcc, f1, macro-f1, "
        "sensitivity, specificity"
    )


def fit_predict(
    problem: Problem,
    schemes: Iterable[Scheme],
    options: Options,
    *,
    labels: bool,
    scores: bool,
    name: str = "",
    position: int = 0,
    runs: int = 1,
    optional: Sequence[Scheme] = (),
) -> Predictions:
    """Draw resamples of schemes, and fit and predict on each.

    The random streams of a scheme depend on its id alone, so that other schemes change nothing.

    Parameters
    ----------
    problem : Problem
    schemes : iterable of Scheme
        Repeats are run once.
    options : Options
    labels, scores : bool
        What is predicted.
    name : str
        Of one of several classifiers, for messages.
    position : int
        Of this classifier among several, which seeds it.
    runs : int
        How many such runs the call makes, for the forecast of its time.
    optional : sequence of Scheme
        Those that are left out where the classifier fails on them, if failures are left out.

    Returns
    -------
    Predictions
    """
    wanted, learner = list(dict.fromkeys(schemes)), problem.learner
    n_scores = problem.n_classes if scores else 0
    if (size := bytes_of(wanted, problem.n_groups or problem.n, problem.n, n_scores)) > options.max_bytes:
        needed, most = (
            f"{b / 2**30:.1f} GiB" if b >= 2**30 else f"{b / 2**20:.3g} MiB" for b in (size, options.max_bytes)
        )
        raise UsageError(
            f"{', '.join(s.id for s in wanted)} of {problem.n:,} cases takes about {needed} of memory; expected at "
            f"most {most}",
            "ask for fewer resamples, or for cv(k=10); estimate and resample take max_bytes",
        )
    # resamples do not depend on the classifier, so that several share them and their errors are paired
    drawn = draw(problem, wanted, options.streams)
    total, streams = sum(r.n_rows for r, _ in drawn.values()), of_classifier(options.streams, position)
    made: dict[Scheme, Run] = {}
    warned: Counter[str] = Counter()
    if not scores and (equal := getattr(learner, "equal", None)) is not None:
        equal.n_label_rows = max(equal.n_label_rows, total)

    def run() -> None:
        show = options.reporter(name or learner.id, runs, learner.n_jobs)
        warned.clear()
        for scheme, (resamples, units) in drawn.items():
            rng = streams.generator(scheme.key, "inducer") if learner.random else None
            answers = learner.fit_predict(
                resamples, rng, labels=labels, scores=scores, report=lambda done: show(done, total)
            )
            warned.update(answers.warned)
            # labels and scores alone are stored: losses are made when a metric is asked for
            one = Run(resamples, answers.labels, answers.scores, units, answers.failures)
            if not answers.failures:
                made[scheme] = one
            elif options.on_failure == "raise" or scheme not in optional:
                made[scheme] = _without_failures(problem, scheme, one, options)

    try:
        run()
        if learner.note and options.add_note(learner) and len(drawn) > 1:
            run()  # the schemes before the difference too
    except UsageError as exc:
        raise (UsageError(f"{name}: {exc}") if name else exc) from None
    return Predictions(
        problem.y,
        problem.labels,
        made,
        case_names=problem.case_names,
        groups=problem.groups,
        model=learner.id,
        settings=learner.settings,
        ranks_only=learner.scores == "decision_function",
        warned=warned,
        notes=tuple(options.notes),
        seed=options.seed,
        seconds=options.elapsed,
        self_tuning=problem.self_tuning,
        bootstrap_differs=problem.bootstrap_differs,
        problem=problem,
    )


def draw(
    problem: Problem, schemes: Iterable[Scheme], streams: Streams
) -> dict[Scheme, tuple[Resamples, Resamples | None]]:
    """Draw the resamples of schemes over cases, or over groups, which are then replaced by their cases."""
    groups, strata = problem.groups, problem.strata
    drawn: dict[Scheme, tuple[Resamples, Resamples | None]] = {}
    units = problem if groups is None else unit_sample(problem, groups)
    for s in schemes:
        if s.keeps_groups:
            made = s.draw(problem, streams)
            of_groups = None
            if groups is not None and getattr(s, "parts_all", False):
                of_groups = units_of(made, groups)
                made = in_groups(of_groups, groups)
            drawn[s] = made, of_groups
            continue
        if groups is not None:
            check_folds(s, units.n, grouped=True)
        if strata is None:
            made = s.draw(units, streams)
        else:
            # a group has the stratum, and the class, of most of its cases
            of_units = strata if groups is None else most_frequent(strata, groups)
            made = s.within(of_units, streams.generator(s.key), problem.strata_names)
        drawn[s] = (made, None) if groups is None else (in_groups(made, groups), made)
    return drawn


def _without_failures(problem: Problem, scheme: Scheme, run: Run, options: Options) -> Run:
    """Leave out the rows on which the classifier failed, or refuse them."""
    resamples, failed, first = run.resamples, run.failures, run.failures[0]
    all_failed = len(failed) == int((np.diff(resamples.start) > 0).sum())
    if options.on_failure == "raise" or scheme.needs_all_rows or all_failed:
        if all_failed:
            text = f"the classifier failed on every resample of {scheme.id} ({first.reason})"
            hint = "look for text, missing values or a setting that does not fit these data"
        else:
            training = resamples.training_counts(first.row, first.row + 1)[0]
            counts = count_each(problem.y, weights=training, minlength=problem.n_classes).astype(int).tolist()
            shown = ", ".join(f"{cases} {name}" for name, cases in zip(problem.names, counts, strict=True))
            text = (
                f"the classifier failed on resample {first.row + 1} of {resamples.n_rows} of {scheme.id}, which trains "
                f"on {shown} ({first.reason}); {len(failed)} failed in all"
            )
            hint = "keep the others with error_score=numpy.nan"
            if scheme.needs_all_rows:
                hint = "all are needed here: correct the classifier, or ask for resamples with more cases in training"
        if "'groups' parameter" in first.reason:
            hint = "pass groups=..., which reach the cv of a search or of a step of a pipeline, and none further inside"
        raise UsageError(text, hint)
    kept = np.ones(resamples.n_rows, dtype=bool)
    kept[[f.row for f in failed]] = False
    tests = repeat_each(kept, np.diff(resamples.start))
    return Run(
        keep_rows(resamples, kept),
        None if run.labels is None else run.labels[tests],
        None if run.scores is None else run.scores[tests],
        None if run.units is None else keep_rows(run.units, kept),
        failed,
    )
