"""Error rates and scores of predictions that were made elsewhere, by any program in any language."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, cast

import numpy as np
import pandas as pd

from errorest.assessment.caution import Caution, not_ignored
from errorest.assessment.estimates import ErrorEstimate, ScoreEstimate, result_of
from errorest.assessment.features import names_of
from errorest.assessment.inputs import ROW, Problem
from errorest.assessment.measure import Scoring, measure_of
from errorest.assessment.plan import class_sizes
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import RunOutcomes
from errorest.assessment.splitters import SplitterScheme
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.intervals import folds as of_folds
from errorest.estimation.intervals import holdouts
from errorest.estimation.intervals.coverage_table import measured_coverage
from errorest.estimation.intervals.method import NO_WIDTH, IntervalMethod, Measured
from errorest.estimation.metrics.metric import Metric
from errorest.estimation.metrics.ranking import AveragePrecision
from errorest.estimation.outcomes import Outcome, measured
from errorest.estimation.proportions import check_confidence
from errorest.resampling.multisets import Resamples, from_positions

INTERVALS_OF_PREDICTIONS = ("wilson", "clopper-pearson", "score", "wald", "corrected-t")
"""Intervals that can be computed from predictions alone."""

_AIMS = {
    **dict.fromkeys(("wilson", "clopper-pearson", "score"), "the {} of the classifier that made these predictions"),
    "wald": "the mean {} of the classifiers that made these predictions",
    "corrected-t": "the mean {} of classifiers trained on as many cases",
}


@dataclass(frozen=True, eq=False)
class _Given(SplitterScheme):
    """Test sets of predictions that were made elsewhere."""

    name = "predictions"

    splitter: str = ""


def from_predictions(
    y_true: Any,
    y_pred: Any,
    *,
    fold: Any = None,
    repeat: Any = None,
    case: Any = None,
    groups: Any = None,
    scoring: Any = "error",
    pos_label: Any = None,
    interval: str | None = "auto",
    confidence_level: float = 0.95,
    name: str = "the classifier",
) -> ErrorEstimate | ScoreEstimate:
    """Estimate the error rate or a score from predictions that were made elsewhere, with an interval.

    Each row is one prediction of a case that its classifier was not trained on.

    Parameters
    ----------
    y_true : array-like, shape (n,)
        Labels.
    y_pred : array-like, shape (n,) or (n, K)
        Predicted labels; or probabilities: of the positive class, or one column for each class in sorted order (as
        ``predict_proba``), or a data frame whose columns are named after the classes.
    fold : array-like, shape (n,), optional
        Which test set of a cross-validation a row belongs to; without it all rows are one test set.
    repeat : array-like, shape (n,), optional
        Which repetition of the cross-validation a row belongs to.
    case : array-like, shape (n,), optional
        Which case a row is about.  Needed with ``repeat`` only if the cases are not in the same order in each.
    groups : array-like, shape (n,), optional
        Cases of one group are dependent, such as several images of one patient.
    scoring : str, mapping, table, callable or Metric
        ``"error"``, ``"balanced"``, costs as ``loss`` of :func:`~errorest.assessment.estimate`, or a score such
        as ``"auc"`` or ``"brier"``.
    pos_label : label, optional
        The class that a score is about; by default the last of two in sorted order.
    interval : {"auto", "wilson", "clopper-pearson", "score", "wald", "corrected-t"} or None
        ``"auto"`` is what :func:`~errorest.assessment.estimate` takes: Wilson's for the error rate, as if each case
        were an independent test; the score limits of ``cv-hanley-mcneil`` or ``cv-boyd`` for AUCs and average
        precision; else Wald's (Bayle et al., 2020) for means of cases tested once, and the corrected t (Nadeau &
        Bengio, 2003) for repeated cross-validation and for other scores.
    confidence_level : float
    name : str
        Of the classifier, for texts.

    Returns
    -------
    ErrorEstimate or ScoreEstimate

    Raises
    ------
    UsageError
        If lengths differ, labels are unknown, a case is tested twice in one repetition, a group is in two folds, or
        the interval cannot be computed from such predictions.

    Notes
    -----
    A loss of cases is averaged over all predictions; a score such as the AUC over the test sets, since pooling
    probabilities of different classifiers biases it (Parker, Guenter & Bedo, 2007); average precision over the
    repetitions, since that of a few cases is too high.  With groups Wald's variance is
    that of the sums of the groups' losses.

    References
    ----------
    Wilson (1927); Bayle, Bayle, Janson & Mackey (2020); Nadeau & Bengio (2003).

    Examples
    --------
    >>> y_true, y_pred = ["a", "a", "b", "b", "a", "b"], ["a", "b", "b", "b", "a", "b"]
    >>> found = from_predictions(y_true, y_pred)
    >>> round(found.estimate, 3), found.interval.method
    (0.167, 'wilson')
    >>> from_predictions(y_true, y_pred, fold=[1, 1, 1, 2, 2, 2], interval="wald").interval.method
    'wald'
    """
    check_confidence(confidence_level)
    labels, y = np.unique(_column("y_true", y_true), return_inverse=True)
    if labels.size < 2:
        raise UsageError(f"y_true has {labels.size} class; expected at least two")
    _refuse_sparse(y_pred)
    tests = _Tests.of(y, fold, repeat, case, groups)
    names = np.unique(_column("case", case)) if case is not None else np.arange(tests.n)
    sample = Sample(np.arange(float(tests.n))[:, None], tests.y, ROW, names_of(labels))
    # nobody trains a classifier here
    problem = Problem(sample, cast("Any", None), None, labels, names, tests.groups)
    measure = measure_of(problem, scoring, pos_label)
    made, read = tests.made, _probabilities if measure.metric.needs_probabilities else _labels
    predicted = read(y_pred, labels, measure.bound.positive)
    if len(predicted) != y.size:
        raise UsageError(f"y_true has {y.size} rows and y_pred {len(predicted)}; expected as many in both")
    outcome = measured(made, predicted[tests.order], tests.y, measure.bound)
    if outcome.decomposable:
        loss = outcome.pooled_rate
    else:
        loss = outcome.rate if measure.metric.weights == "test-size" else outcome.mean_row_rate
    chosen, between, se, coverage = _interval_of(interval, tests, problem, measure), None, None, None
    if chosen is not None:
        method = _method_of(chosen, tests, measure.metric)
        between, se = _limits(chosen, method, problem, outcome, loss, measure, confidence_level)
        if chosen in ("wilson", "wald") and tests.folds > 1 and groups is None and measure.metric.zero_one:
            # that of the same interval where the library fits the classifiers
            coverage = measured_coverage(method, tests.n, loss, None, confidence_level)
    warnings = []
    if between is not None and between.degenerate:
        warnings.append(Caution.of("E401", reason="every prediction has the same loss", wilson=""))
    if undefined := int(np.isnan(outcome.row_rates).sum()):
        warnings.append(Caution.of("E308.predictions", without=undefined, of=made.n_rows))
    return result_of(
        problem,
        measure,
        RunOutcomes({_Given(made=made): outcome}, {}, {}),
        classifier=name,
        estimator=tests.name,
        estimate=measure.value(loss),
        interval=between,
        standard_error=se,
        coverage=coverage,
        confidence=confidence_level,
        warnings=not_ignored(warnings, frozenset()),
        fits=(),
    )


@dataclass(frozen=True, eq=False)
class _Tests:
    """The test sets: classes of the cases, resamples, and the row of the input behind each test."""

    y: np.ndarray
    made: Resamples
    order: np.ndarray
    groups: np.ndarray | None
    folds: int
    repeats: int

    @property
    def n(self) -> int:
        """Cases."""
        return int(self.y.size)

    @property
    def name(self) -> str:
        """What was done, for texts."""
        if self.made.n_rows == 1:
            return "one test set"
        more = f", repeats={self.repeats}" if self.repeats > 1 else ""
        return f"cv(k={self.folds}{more}), computed elsewhere"

    @classmethod
    def of(cls, y: np.ndarray, fold: Any, repeat: Any, case: Any, groups: Any) -> _Tests:
        """Check the columns and arrange the rows by repetition, case and fold."""
        if repeat is not None and fold is None:
            raise UsageError("repeat was given without fold; expected both; give fold")
        codes = {}
        for name, given in (("fold", fold), ("repeat", repeat), ("case", case), ("groups", groups)):
            column = np.zeros(y.size) if given is None else _column(name, given)
            if column.size != y.size:
                raise UsageError(f"{name} has {column.size} rows and y_true {y.size}; expected as many in both")
            codes[name] = np.unique(column, return_inverse=True)[1]
        rows = pd.DataFrame({"y": y, "row": np.arange(y.size), **codes})
        if case is None:
            rows["case"] = rows.groupby("repeat").cumcount()
        n, repeats = rows["case"].max() + 1, rows["repeat"].max() + 1
        if rows.duplicated(["repeat", "case"]).any() or len(rows) != n * repeats:
            raise UsageError(
                "repetitions have different numbers of rows, or one lacks a case or tests it twice; expected every "
                "case once in each"
            )
        if rows.groupby("case")["y"].nunique().max() > 1:
            raise UsageError(
                "the classes of the cases differ between repetitions", "name the case of each row with case"
            )
        if groups is not None and rows.groupby(["repeat", "groups"])["fold"].nunique().max() > 1:
            raise UsageError("a group is in two folds of one repetition; expected whole groups in each fold")
        table = rows.sort_values(["repeat", "case"])
        folds = table["fold"].to_numpy().reshape(repeats, n)
        made = from_positions(n, np.tile(np.arange(n), (repeats, 1)), folds)
        order = table["row"].to_numpy().reshape(repeats, n)[made.replicate[made.row_of_test()], made.cases]
        first = table.head(n)
        of_cases = None if groups is None else first["groups"].to_numpy()
        return cls(first["y"].to_numpy(), made, order, of_cases, int(folds.max()) + 1, int(repeats))


def _refuse_sparse(y_pred: Any) -> None:
    if hasattr(y_pred, "tocsr"):
        raise UsageError("y_pred is a sparse matrix; expected an array; pass y_pred.toarray()")


def _column(name: str, values: Any) -> np.ndarray:
    column = np.asarray(values)
    if column.ndim != 1 or not column.size:
        raise UsageError(f"{name} has shape {column.shape}; expected one value for each prediction")
    if missing := int(pd.isna(column).sum()):
        raise UsageError(f"{name} lacks {missing} value(s); expected one for each prediction")
    return column.astype(str) if column.dtype.kind == "O" else column


def _labels(y_pred: Any, labels: np.ndarray, positive: int) -> np.ndarray:
    """Return predicted class numbers; the most probable class of probabilities."""
    if getattr(y_pred, "ndim", 1) == 2 or np.ndim(y_pred) == 2:
        return np.asarray(_probabilities(y_pred, labels, positive).argmax(axis=1))
    predicted, known = np.array(names_of(_column("y_pred", y_pred))), names_of(labels)
    numbers = pd.Index(known).get_indexer(pd.Index(predicted))
    if (numbers < 0).any():
        raise UsageError(
            f"y_pred has {min(predicted[numbers < 0].tolist())!r}, which y_true has not; expected one of "
            f"{', '.join(known[:6])}",
            "for probabilities name a score that needs them, such as scoring='brier'",
        )
    return np.asarray(numbers)


def _probabilities(y_pred: Any, labels: np.ndarray, positive: int) -> np.ndarray:
    """Return probabilities of the classes; float array, shape (n, K)."""
    if hasattr(y_pred, "columns"):
        named = {str(c): c for c in y_pred.columns}
        if set(named) == set(names_of(labels)):
            y_pred = y_pred[[named[name] for name in names_of(labels)]]
    try:
        p = np.asarray(y_pred, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError("y_pred holds no numbers; expected probabilities, which this score needs") from None
    if p.ndim == 1 and labels.size == 2:
        p = np.stack([1 - p, p] if positive == 1 else [p, 1 - p], axis=1)
    if p.ndim != 2 or p.shape[1] != labels.size:
        raise UsageError(
            f"y_pred has shape {p.shape}; expected one column of probabilities for each of {labels.size} classes"
        )
    if not (p >= 0).all() or not np.allclose(p.sum(axis=1), 1, atol=1e-3):
        raise UsageError("the probabilities of y_pred are negative or do not sum to 1; expected probabilities")
    return p


def _interval_of(interval: str | None, tests: _Tests, problem: Problem, measure: Scoring) -> str | None:
    """Return the name of the interval, and check that it can be computed."""
    if interval is None:
        return None
    single, metric, legal = tests.made.n_rows == 1, measure.metric, []
    if metric.zero_one and tests.groups is None:
        legal += ["wilson", "clopper-pearson"] if single else ["wilson"]
    if metric.ranks and class_sizes(problem, measure.bound).min() >= of_folds.LEAST_OF_A_CLASS:
        legal.append("score")
    if metric.decomposable and tests.repeats == 1:
        legal.append("wald")
    if not single:
        legal.append("corrected-t")
    if interval == "auto":
        return legal[0] if legal else None
    if interval not in legal:
        legal_here = ", ".join(legal) or "none"
        raise UsageError(f"interval = {interval!r} was given; expected one of {legal_here} for {tests.name}")
    return interval


def _method_of(chosen: str, tests: _Tests, metric: Metric) -> IntervalMethod:
    """Return the interval of the library that has the formula; its settings name no resamples here."""
    single, k = tests.made.n_rows == 1, max(2, tests.folds)
    match chosen:
        case "wilson":
            return holdouts.HoldoutWilson() if single else of_folds.CvKohavi(k)
        case "clopper-pearson":
            return holdouts.HoldoutClopperPearson()
        case "wald":
            return holdouts.HoldoutWald() if single else of_folds.CvWald(k)
        case "score":
            return of_folds.CvBoyd(k) if metric.name == AveragePrecision.name else of_folds.CvHanleyMcNeil(k)
        case _:
            return of_folds.CvCorrectedT(k)


def _limits(
    chosen: str, method: IntervalMethod, problem: Problem, outcome: Outcome, loss: float, measure: Scoring, level: float
) -> tuple[ConfidenceInterval, float | None]:
    """Return the interval and the standard error; the limits of counts have none."""
    groups = problem.groups
    found = method.reduce(Measured(problem.sample, {method.schemes[0]: outcome}, level, groups=groups))
    if method.even:
        se = found.se
        if chosen == "wald" and groups is not None:
            # linearised variance of the ratio of the groups' sums of losses and their sizes
            group = groups[outcome.resamples.cases]
            off = np.bincount(group, outcome.losses) - loss * np.bincount(group)
            se = sqrt(off.size / max(1, off.size - 1) * float((off**2).sum())) / group.size
        found = found.about(loss, se)
    low, high = (float(np.clip(v, *measure.bounds())) for v in measure.limits(found.low, found.high))
    about = (chosen, method.target, _AIMS[chosen].format(measure.noun), level, high - low <= NO_WIDTH)
    of_counts = chosen in ("wilson", "clopper-pearson")
    return ConfidenceInterval(low, high, *about, percent=measure.percent), None if of_counts else found.se
