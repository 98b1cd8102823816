"""Predictions that were made elsewhere, by any program in any language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from errorest.assessment.problem import check_order
from errorest.assessment.splitters import OfPredictions, SplitterScheme
from errorest.data.labels import as_array, distinct, names_of, positions
from errorest.errors import UsageError, nearest, quoted, refuse_sparse
from errorest.estimation.groups import in_groups, units_of
from errorest.resampling.multisets import Resamples, from_positions


def arrange(
    y_true: Any, y_pred: Any, y_prob: Any, columns: Mapping[str, Any], labels: Any, pos_label: Any
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Check columns of predictions; return fields of :class:`Run` and of :class:`Predictions`."""
    if y_pred is None and y_prob is None:
        raise UsageError("neither y_pred nor y_prob was given; expected labels, probabilities, or both", "give y_pred")
    check_order(y_true=y_true, y_pred=y_pred, y_prob=y_prob, **columns)
    known, y = column("y_true", y_true)
    if labels is not None:
        wanted = as_array(labels, "labels")
        if wanted.ndim != 1 or distinct(wanted, "labels lack a class")[0].size < wanted.size:
            raise UsageError(f"labels = {' '.join(str(labels).split())}; expected each class once")
        found = np.array(positions(known.tolist(), wanted))
        if (found < 0).any():
            lacking = quoted(str(known[np.argmax(found < 0)]))
            raise UsageError(f"y_true has {lacking}, which labels lack", "name every class in labels")
        known, y = wanted, found[y]
    if known.size < 2:
        raise UsageError(f"y_true has {known.size} class; expected at least two")
    positive = known.size - 1 if pos_label is None else positions([pos_label], known)[0]
    if positive < 0:
        raise UsageError(f"pos_label = {pos_label!r}; expected one of {', '.join(names_of(known)[:6])}", "name a class")
    refuse_sparse(y_pred, "y_pred")
    tests = _Tests.of(y, **columns)
    scores = None if y_prob is None else _probabilities(y_prob, known, positive)
    if y_pred is None:
        assert scores is not None
        codes = scores.argmax(axis=1)
    else:
        predicted, rows = column("y_pred", y_pred)
        numbers = np.array(positions(predicted.tolist(), known))
        if (numbers < 0).any():
            names, unknown = names_of(known), str(predicted[np.argmax(numbers < 0)])
            raise UsageError(
                f"y_pred has {quoted(unknown)}, which y_true has not; expected one of {', '.join(names[:6])}",
                "for probabilities name a score that needs them, such as scoring='brier'"
                if predicted.dtype.kind in "fc"
                else nearest(unknown, names),
            )
        codes = numbers[rows]
    for what, given in (("y_prob", scores), ("y_pred", codes)):
        if given is not None and len(given) != y.size:
            raise UsageError(f"y_true has {y.size} rows and {what} {len(given)}; expected as many in both")
    scheme = Given("predictions", made=tests.made)
    answers = codes[tests.order].astype(np.min_scalar_type(-known.size))
    run = (tests.made, answers, None if scores is None else scores[tests.order], tests.units)
    case = columns["case"]
    return run, {
        "y": tests.y,
        "labels": known,
        "case_names": np.arange(tests.y.size) if case is None else column("case", case)[0],
        "groups": tests.groups,
        "method": OfPredictions(scheme),
    }


@dataclass(frozen=True, eq=False)
class Given(SplitterScheme):
    """Test sets of predictions that were made elsewhere."""

    name = "predictions"


class _Tests(NamedTuple):
    """The test sets: classes of the cases, resamples, and the row of the input behind each test."""

    y: np.ndarray
    made: Resamples  # with the cases of a group behind one another
    units: Resamples | None  # the same, of groups
    order: np.ndarray
    groups: np.ndarray | None

    @classmethod
    def of(cls, y: np.ndarray, fold: Any, repeat: Any, case: Any, groups: Any) -> _Tests:
        """Check the columns and arrange the rows by repetition, case and fold."""
        import pandas as pd

        if repeat is not None and fold is None:
            raise UsageError("repeat was given without fold; expected both; give fold")
        codes = {}
        for name, given in (("fold", fold), ("repeat", repeat), ("case", case), ("groups", groups)):
            numbers = np.zeros(y.size, dtype=np.int64) if given is None else column(name, given)[1]
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
        # repetitions are averaged case by case, so that a case must be the same in each
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
        made, units = from_positions(n, np.tile(np.arange(n), (repeats, 1)), folds), None
        first, of_cases = table.head(n), None
        if groups is not None:
            of_cases = first["groups"].to_numpy()
            if not of_cases.max():
                raise UsageError("there is 1 group; expected at least two groups")
            units = units_of(made, of_cases)
            made = in_groups(units, of_cases)
        order = table["row"].to_numpy().reshape(repeats, n)[made.replicate[made.row_of_test()], made.cases]
        return cls(first["y"].to_numpy(), made, units, order, of_cases)


def column(name: str, values: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted distinct values of a column, and the number of each row."""
    column = as_array(values, name)
    if column.ndim != 1 or not column.size:
        raise UsageError(f"{name} has shape {column.shape}; expected one value for each prediction")
    return distinct(column, f"{name} lacks a value", "expected one for each prediction")


def _probabilities(y_prob: Any, labels: np.ndarray, positive: int) -> np.ndarray:
    """Return probabilities of the classes; float array, shape (n, K).  Names of columns say of which class each is."""
    names = names_of(labels)
    if hasattr(y_prob, "columns"):
        columns = [str(c) for c in y_prob.columns]
        of_classes = set(columns) & set(names)
        if len(set(columns)) < len(columns) or (of_classes and len(columns) > 1 and set(columns) != set(names)):
            raise UsageError(
                f"the columns of probabilities are {', '.join(columns[:6])} and the classes {', '.join(names[:6])}",
                "name one column after each class, or none",
            )
        if len(columns) == 1:
            y_prob = y_prob[y_prob.columns[0]]
        elif of_classes:
            order = [columns.index(name) for name in names]
            y_prob = np.column_stack([np.asarray(y_prob[y_prob.columns[k]]) for k in order])
    # a column that is named by a number may be the first of a table
    name = getattr(y_prob, "name", None)
    of_one = names.index(name) if isinstance(name, str) and name in names else positive
    try:
        p = np.asarray(y_prob)
        p = p if p.dtype.kind == "c" else p.astype(np.float64)
    except (TypeError, ValueError):
        raise UsageError("the probabilities are no numbers; expected numbers from 0 to 1") from None
    if p.ndim == 2 and p.shape[1] == 1:
        p = p[:, 0]
    if p.ndim == 1 and labels.size == 2:
        p = np.stack([1 - p, p] if of_one == 1 else [p, 1 - p], axis=1)
    if p.ndim != 2 or p.shape[1] != labels.size:
        raise UsageError(
            f"the probabilities have shape {p.shape}; expected one column for each of {labels.size} classes"
        )
    if p.dtype.kind == "c" or not (p >= 0).all() or not np.allclose(p.sum(axis=1), 1, atol=1e-3):
        raise UsageError("some probabilities are missing, negative or do not sum to 1; expected numbers from 0 to 1")
    return p
