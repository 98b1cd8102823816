"""Error rates and scores of predictions that were made elsewhere, by any program in any language."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import pandas as pd

from errorest.assessment.caution import Caution, not_ignored
from errorest.assessment.cautions import classes_written_alike, few_groups, score_cautions, without_sense
from errorest.assessment.estimates import ErrorEstimate, ScoreEstimate, result_of
from errorest.assessment.estimating import coverage_of, interval_shown
from errorest.assessment.features import names_of
from errorest.assessment.inputs import ROW, Problem, check_order
from errorest.assessment.measure import Scoring, measure_of
from errorest.assessment.plan import intervals_of_splits
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import RunOutcomes, in_groups, units_of
from errorest.assessment.splitters import SplitterScheme
from errorest.data.labels import as_array, distinct, positions
from errorest.data.sample import Sample
from errorest.errors import UsageError, nearest, quoted
from errorest.estimation.intervals import IntervalMethod, Measured
from errorest.estimation.outcomes import Outcome, measured
from errorest.estimation.proportions import check_confidence
from errorest.resampling.multisets import Resamples, from_positions

# What intervals are called where predictions alone are given
_NAMES = {
    **dict.fromkeys(("holdout-wilson", "kohavi", "loo-kohavi"), "wilson"),
    "holdout-clopper-pearson": "clopper-pearson",
    **dict.fromkeys(("holdout-hanley-mcneil", "holdout-boyd", "cv-hanley-mcneil", "cv-boyd"), "score"),
    **dict.fromkeys(("holdout-wald", "cv-wald", "loo-wald"), "wald"),
    **dict.fromkeys(("holdout-influence", "cv-influence"), "influence"),
    "cv-corrected-t": "corrected-t",
}

_AIMS = {
    **dict.fromkeys(("wilson", "clopper-pearson", "score"), "the {} of the classifier that made these predictions"),
    **dict.fromkeys(("wald", "influence"), "the mean {} of the classifiers that made these predictions"),
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
        Predicted labels, which are compared by value (0, 0.0 and False are equal); or probabilities: of the positive
        class, or one column for each class in sorted order (as ``predict_proba``), or a data frame whose columns are
        named after the classes.  A Series named after a class holds the probabilities of that class.
    fold : array-like, shape (n,), optional
        Which test set of a cross-validation a row belongs to; without it all rows are one test set.
    repeat : array-like, shape (n,), optional
        Which repetition of the cross-validation a row belongs to.
    case : array-like, shape (n,), optional
        Which case a row is about.  Needed with ``repeat`` only if the cases are not in the same order in each.
    groups : array-like, shape (n,), optional
        Cases of one group are dependent, such as several images of one patient.
    scoring : str, mapping, table, callable or Metric
        As :func:`~errorest.assessment.estimate` takes it.
    pos_label : label, optional
        The class that a score is about; by default the last of two in sorted order.
    interval : {"auto", "wilson", "clopper-pearson", "score", "wald", "influence", "corrected-t"} or None
        ``"auto"`` is what :func:`~errorest.assessment.estimate` takes: Wilson's for the error rate, sensitivity,
        specificity and balanced accuracy, as if each case were an independent test; the score limits of
        ``cv-hanley-mcneil`` or ``cv-boyd`` for AUCs and average precision; Wald's (Bayle et al., 2020) for means of
        cases tested once; for other scores of one test set the standard error of their influence function; else, as
        for repeated cross-validation, the corrected t (Nadeau & Bengio, 2003).
    confidence_level : float
    name : str
        Of the classifier, for texts.

    Returns
    -------
    ErrorEstimate or ScoreEstimate

    Raises
    ------
    UsageError
        If lengths differ, values are missing, labels are unknown, columns are named after some of the classes alone, a
        case is tested twice in one repetition, a group is in two folds, or the interval cannot be computed from such
        predictions.

    Notes
    -----
    A loss of cases is averaged over all predictions; a score such as the AUC over the test sets, since pooling
    probabilities of different classifiers biases it (Parker, Guenter & Bedo, 2007); average precision over the
    repetitions, since that of a few cases is too high.  With groups Wald's variance is that of the sums of the groups'
    losses, with Student's quantile.  Limits of a balanced accuracy add the squared distances of Wilson's limits of the
    classes (Newcombe, 1998).

    Limits of F1 and of Matthews correlation have no width where the score is 1, or where all answers are alike, and a
    warning says so.  Elsewhere 95 % limits of one test set of 40 or 100 cases held the score in .89 to .94 of
    simulated samples.

    References
    ----------
    Wilson (1927); Newcombe (1998); Bayle, Bayle, Janson & Mackey (2020); Nadeau & Bengio (2003).

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
    check_order(y_true=y_true, y_pred=y_pred, fold=fold, repeat=repeat, case=case, groups=groups)
    labels, y = _column("y_true", y_true)
    if labels.size < 2:
        raise UsageError(f"y_true has {labels.size} class; expected at least two")
    _refuse_sparse(y_pred)
    tests = _Tests.of(y, fold, repeat, case, groups)
    names = _column("case", case)[0] if case is not None else np.arange(tests.n)
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
    method, between, se = _interval_of(interval, tests, problem, outcome, loss, measure, confidence_level)
    value, warnings = measure.value(loss), list[str](few_groups(problem))
    if measure.score is not None:
        warnings += score_cautions(problem, measure, method, between, value)
    elif between is not None:
        warnings += without_sense(between, value, "E403.error", "every prediction has the same loss")
    if between is None and interval is not None:
        warnings.append(Caution.of("E407.predictions", name=tests.name, what=measure.noun))
    if undefined := int(np.isnan(outcome.row_rates).sum()):
        warnings.append(Caution.of("E308.predictions", without=undefined, of=made.n_rows))
    return result_of(
        problem,
        measure,
        RunOutcomes({_Given(made=made): outcome}, {}, {}),
        classifier=name,
        estimator=tests.name,
        estimate=value,
        interval=between,
        standard_error=se,
        coverage=coverage_of(method, problem, measure, between, value),
        confidence=confidence_level,
        warnings=not_ignored([*warnings, *classes_written_alike(names_of(labels))], frozenset()),
        fits=(),
    )


@dataclass(frozen=True, eq=False)
class _Tests:
    """The test sets: classes of the cases, resamples, and the row of the input behind each test."""

    y: np.ndarray
    splits: Resamples  # of cases
    made: Resamples  # the same, with the cases of a group behind one another
    units: Resamples  # the same, of groups
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
            numbers = np.zeros(y.size, dtype=np.int64) if given is None else _column(name, given)[1]
            if numbers.size != y.size:
                raise UsageError(f"{name} has {numbers.size} rows and y_true {y.size}; expected as many in both")
            codes[name] = numbers
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
        # folds may have other names in each repetition, as caret's have
        rows["fold"] = rows.groupby("repeat")["fold"].rank("dense").astype(int) - 1
        table = rows.sort_values(["repeat", "case"])
        folds = table["fold"].to_numpy().reshape(repeats, n)
        splits = made = units = from_positions(n, np.tile(np.arange(n), (repeats, 1)), folds)
        first, of_cases = table.head(n), None
        if groups is not None:
            of_cases = first["groups"].to_numpy()
            units = units_of(splits, of_cases)
            made = in_groups(units, of_cases)
        order = table["row"].to_numpy().reshape(repeats, n)[made.replicate[made.row_of_test()], made.cases]
        k = made.n_rows // int(repeats)
        return cls(first["y"].to_numpy(), splits, made, units, order, of_cases, k, int(repeats))


def _refuse_sparse(y_pred: Any) -> None:
    if hasattr(y_pred, "tocsr"):
        raise UsageError("y_pred is a sparse matrix; expected an array; pass y_pred.toarray()")


def _column(name: str, values: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted distinct values of a column, and the number of each row."""
    column = as_array(values, name)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.ndim != 1 or not column.size:
        raise UsageError(f"{name} has shape {column.shape}; expected one value for each prediction")
    return distinct(column, f"{name} lacks a value", "expected one for each prediction")


def _labels(y_pred: Any, labels: np.ndarray, positive: int) -> np.ndarray:
    """Return predicted class numbers; the most probable class of probabilities."""
    if len(getattr(y_pred, "shape", ()) or as_array(y_pred, "y_pred").shape) == 2:
        return np.asarray(_probabilities(y_pred, labels, positive).argmax(axis=1))
    predicted, rows = _column("y_pred", y_pred)
    numbers = np.array(positions(predicted.tolist(), labels))
    if (numbers < 0).any():
        names, unknown = names_of(labels), str(predicted[np.argmax(numbers < 0)])
        raise UsageError(
            f"y_pred has {quoted(unknown)}, which y_true has not; expected one of {', '.join(names[:6])}",
            "for probabilities name a score that needs them, such as scoring='brier'"
            if predicted.dtype.kind in "fc"
            else nearest(unknown, names),
        )
    return numbers[rows]


def _probabilities(y_pred: Any, labels: np.ndarray, positive: int) -> np.ndarray:
    """Return probabilities of the classes; float array, shape (n, K).  Names of columns say of which class each is."""
    names = names_of(labels)
    if hasattr(y_pred, "columns"):
        columns = [str(c) for c in y_pred.columns]
        of_classes = set(columns) & set(names)
        if len(set(columns)) < len(columns) or (of_classes and len(columns) > 1 and set(columns) != set(names)):
            raise UsageError(
                f"the columns of y_pred are {', '.join(columns[:6])} and the classes {', '.join(names[:6])}",
                "name one column after each class, or none",
            )
        if len(columns) == 1:
            y_pred = y_pred[y_pred.columns[0]]
        elif of_classes:
            order = [columns.index(name) for name in names]
            y_pred = np.column_stack([np.asarray(y_pred[y_pred.columns[k]]) for k in order])
    # a column that is named by a number may be the first of a table
    name = getattr(y_pred, "name", None)
    of_one = names.index(name) if isinstance(name, str) and name in names else positive
    try:
        p = np.asarray(y_pred)
        p = p if p.dtype.kind == "c" else p.astype(np.float64)
    except (TypeError, ValueError):
        raise UsageError("y_pred holds no numbers; expected probabilities, which this score needs") from None
    if p.ndim == 2 and p.shape[1] == 1:
        p = p[:, 0]
    if p.ndim == 1 and labels.size == 2:
        p = np.stack([1 - p, p] if of_one == 1 else [p, 1 - p], axis=1)
    if p.ndim != 2 or p.shape[1] != labels.size:
        raise UsageError(
            f"y_pred has shape {p.shape}; expected one column of probabilities for each of {labels.size} classes"
        )
    if p.dtype.kind == "c" or not (p >= 0).all() or not np.allclose(p.sum(axis=1), 1, atol=1e-3):
        raise UsageError("the probabilities of y_pred are negative or do not sum to 1; expected probabilities")
    return p


def _interval_of(
    interval: str | None,
    tests: _Tests,
    problem: Problem,
    outcome: Outcome,
    loss: float,
    measure: Scoring,
    confidence: float,
) -> tuple[IntervalMethod | None, ConfidenceInterval | None, float | None]:
    """Return the method of an interval that can be computed, the interval, and its standard error."""
    intervals = intervals_of_splits(tests.splits, measure.metric, tests.groups, measure.metric.weights)
    legal = {_NAMES[name]: method for name, method in intervals.items() if name in _NAMES}
    if interval not in (None, "auto", *legal):
        raise UsageError(
            f"interval = {interval!r} was given; expected one of {', '.join(legal) or 'none'} for {tests.name}"
        )
    chosen = next(iter(legal), None) if interval == "auto" else interval
    if chosen is None:
        return None, None, None
    method = legal[chosen]
    (scheme,) = method.schemes
    units = {} if tests.groups is None else {scheme: tests.units}
    of = Measured(problem.sample, {scheme: outcome}, confidence, groups=tests.groups, units=units)
    found, between = interval_shown(method, of, loss, measure, _AIMS[chosen].format(measure.noun))
    # limits of counts are made without a standard error
    counted = chosen in ("wilson", "clopper-pearson")
    return method, replace(between, method=chosen), None if counted or np.isnan(found.se) else float(found.se)
