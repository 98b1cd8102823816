"""Read the costs of wrong answers into a table: a row for each true class and a column for each answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from errorest.assessment.features import names_of
from errorest.data.columns import number_of
from errorest.data.labels import positions
from errorest.data.tables import read_table
from errorest.errors import UsageError, nearest, quoted
from errorest.estimation.metrics.metric import ERROR_RATE, CaseMetric, metric_of_loss

_SIDES = ("fn", "fp")
_POSITIVE = "pos_label"
# So many costs are listed one by one
_LISTED = 6

KINDS = {
    "0/1": "error rate",
    "balanced": "balanced error rate",
    "costs": "mean cost",
    "own": "mean loss",
}
"""Kinds of loss, and what the mean of each is called."""


class Costs(NamedTuple):
    """A loss with its kind, and the costs in words where some were given."""

    loss: CaseMetric
    kind: Literal["0/1", "balanced", "costs", "own"]
    words: str = ""


def read_costs(loss: Any, labels: np.ndarray, counts: np.ndarray) -> Costs:
    """Read a loss as a user names it: "error", "balanced", costs, a table or its file, or a callable."""
    if isinstance(loss, str):
        if loss == "error":
            return Costs(ERROR_RATE, "0/1")
        if loss == "balanced":
            weights = counts.sum() / (labels.size * counts)
            return Costs(_tabled(weights[:, None] * (1 - np.eye(labels.size))), "balanced", "every class counts alike")
        if loss.endswith((".csv", ".csv.gz")):
            return _of_table(_of_file(loss, labels), labels)
        costs: dict[str, float | str] = {}
        for part in loss.split(","):
            name, sign, value = part.rpartition("=")
            if not sign:
                raise UsageError(f"scoring = {loss!r}; expected costs such as fn=5,fp=1, or a cost for each class")
            key = name.strip()
            costs[key] = value.strip() if key == _POSITIVE else _number(value.strip())
        loss = costs
    if isinstance(loss, Mapping):
        return _of_table(_of_mapping(loss, labels), labels)
    if callable(loss):
        own = metric_of_loss(lambda true, said: loss(labels[true], labels[said]), labels.shape[0])
        return Costs(own, "0/1" if own is ERROR_RATE else "own")
    if hasattr(loss, "iloc"):
        rows, columns = (_as_named(given, labels) for given in (loss.index, loss.columns))
        return _of_table(_sorted(loss.to_numpy(), rows, columns, labels, "the table of costs"), labels)
    return _of_table(loss, labels)


def _number(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number) or number < 0:
        raise UsageError(f"a cost of {value!r} was given; expected a finite number from 0")
    return number


def _of_mapping(costs: Mapping[Any, Any], labels: np.ndarray) -> np.ndarray:
    names = names_of(labels)
    given = dict(zip(_as_named(costs, labels), costs.values(), strict=True))
    table = np.zeros((labels.size, labels.size))
    if set(_SIDES) <= set(given) <= {*_SIDES, _POSITIVE} and not set(given) <= set(names):
        if labels.size != 2:
            raise UsageError(
                f"false negatives and positives were given for {labels.size} classes; give a cost for each class"
            )
        positive = given.get(_POSITIVE, names[-1])
        one = positions([positive], labels)[0]
        if one < 0:
            raise UsageError(
                f"pos_label = '{positive}' was given; expected one of the classes; {nearest(str(positive), names)}"
            )
        table[one, 1 - one], table[1 - one, one] = _number(given["fn"]), _number(given["fp"])
        return table
    if set(given) != set(names):
        raise UsageError(
            f"the costs name {', '.join(given)} and the classes are {', '.join(names)}; name fn and fp, or each"
        )
    return np.array([[_number(given[name])] * labels.size for name in names]) * (1 - np.eye(labels.size))


def _as_named(given: Iterable[Any], labels: np.ndarray) -> list[str]:
    """Write labels as the classes that they are the same as; others as text."""
    written, names = list(given), names_of(labels)
    return [str(one) if k < 0 else names[k] for one, k in zip(written, positions(written, labels), strict=True)]


def _of_file(path: str, labels: np.ndarray) -> np.ndarray:
    table = read_table(path)
    true, answers = table.columns[0], table.header[1:]
    costs = np.empty((len(true), len(answers)))
    for i, (line, row) in enumerate(zip(table.lines, zip(*table.columns[1:], strict=True), strict=True)):
        for j, cell in enumerate(row):
            value = number_of(cell)
            if value is None:
                raise UsageError(
                    f"{path}: line {line} has {quoted(cell)} as the cost of {quoted(true[i])} taken for "
                    f"{quoted(answers[j])}; expected a number, 0 for a right answer"
                )
            costs[i, j] = value
    rows, columns = (_as_named(given, labels) for given in (true, answers))
    return _sorted(costs, rows, columns, labels, f"{path}: the table of costs")


def _sorted(
    costs: np.ndarray, rows: Sequence[str], columns: Sequence[str], labels: np.ndarray, what: str
) -> np.ndarray:
    """Put the rows and columns of a table into the order of the classes that they name."""
    names = names_of(labels)
    if sorted(rows) != sorted(names) or sorted(columns) != sorted(names):
        raise UsageError(
            f"{what} has rows {', '.join(rows)} and columns {', '.join(columns)}; expected the classes "
            f"{', '.join(names)} in both"
        )
    return costs[np.ix_(*([list(given).index(n) for n in names] for given in (rows, columns)))]


def _of_table(costs: Any, labels: np.ndarray) -> Costs:
    k = labels.size
    try:
        table = np.empty(0) if np.iscomplexobj(costs) else np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        table = np.empty(0)
    if table.shape != (k, k) or not np.isfinite(table).all():
        raise UsageError(
            f"a table of costs of shape {table.shape} was given, or one with values that are no finite numbers; "
            f"expected ({k}, {k}), a row for each true class"
        )
    if (table[~np.eye(k, dtype=bool)] == 0).all():
        raise UsageError("no wrong answer costs anything; expected a cost above 0")
    return Costs(_tabled(table), "costs", _words(table, names_of(labels)))


def _tabled(table: np.ndarray) -> CaseMetric:
    return metric_of_loss(lambda true, said: table[true, said], table.shape[0])


def _words(table: np.ndarray, names: tuple[str, ...]) -> str:
    wrong = {
        (i, j): table[i, j] for i in range(len(names))[::-1] for j in range(len(names)) if i != j and table[i, j] != 0
    }
    by_class = [set(table[i, [j for j in range(len(names)) if j != i]]) for i in range(len(names))]
    if len(names) > 2 and all(len(costs) == 1 for costs in by_class):
        parts = [f"{next(iter(costs)):g} for '{name}' got wrong" for costs, name in zip(by_class, names, strict=True)]
    else:
        parts = [f"{cost:g} for '{names[i]}' taken for '{names[j]}'" for (i, j), cost in wrong.items()]
    return ", ".join(parts[:_LISTED]) + (f", and {len(parts) - _LISTED} more" if len(parts) > _LISTED else "")
