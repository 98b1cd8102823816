"""Costs of wrong labels as a table: a row for each true class and a column for each label."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from errorest.data.columns import number_of
from errorest.data.labels import positions
from errorest.data.tables import read_table
from errorest.errors import UsageError, nearest, quoted

_SIDES = {"fn", "fp"}
_POSITIVE = "pos_label"
# So many costs are listed one by one
_LISTED = 6


def cost_table(costs: Any, labels: np.ndarray, names: Sequence[str], pos_label: Any = None) -> np.ndarray:
    """Read costs: a text or mapping of fn and fp or of classes, a table, a DataFrame, or the CSV file of a table.

    Parameters
    ----------
    costs : str, mapping, DataFrame or array-like, shape (K, K)
    labels : array, shape (K,)
    names : sequence of str
        The labels as texts.
    pos_label : label, optional
        The class of which fn and fp speak; by default the last.

    Returns
    -------
    float array, shape (K, K)
    """
    if isinstance(costs, str) and costs.endswith((".csv", ".csv.gz")):
        costs = _of_file(costs, labels, names)
    elif isinstance(costs, str):
        pairs = [part.rpartition("=") for part in costs.split(",")]
        if not all(sign for _, sign, _ in pairs):
            raise UsageError(f"scoring = {costs!r}; expected costs such as fn=5,fp=1, or a cost for each class")
        texts = {name.strip(): value.strip() for name, _, value in pairs}
        costs = {name: value if name == _POSITIVE else _cost(value) for name, value in texts.items()}
    if hasattr(costs, "iloc") and costs.ndim == 1:
        costs = costs.to_dict()
    if isinstance(costs, Mapping):
        costs = _of_mapping(costs, labels, names, pos_label)
    elif hasattr(costs, "iloc"):
        rows, columns = (_as_named(given, labels, names) for given in (costs.index, costs.columns))
        costs = _sorted(costs.to_numpy(), rows, columns, names, "the table of costs")
    try:
        table = np.empty(0) if np.iscomplexobj(costs) else np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        table = np.empty(0)
    k = len(names)
    if table.shape != (k, k) or not np.isfinite(table).all():
        raise UsageError(
            f"a table of costs of shape {table.shape} was given, or one with values that are no finite numbers; "
            f"expected ({k}, {k}), a row for each true class"
        )
    if (table[~np.eye(k, dtype=bool)] == 0).all():
        raise UsageError("no wrong answer costs anything; expected a cost above 0")
    return table


def costs_in_words(table: np.ndarray, names: Sequence[str]) -> str:
    """List what each mistake costs, by class where a class has one cost."""
    k = len(names)
    by_class = [set(np.delete(table[i], i)) for i in range(k)]
    if k > 2 and all(len(costs) == 1 for costs in by_class):
        parts = [f"{next(iter(costs)):g} for '{name}' got wrong" for costs, name in zip(by_class, names, strict=True)]
    else:
        wrong = [(i, j) for i in reversed(range(k)) for j in range(k) if i != j and table[i, j] != 0]
        parts = [f"{table[i, j]:g} for '{names[i]}' taken for '{names[j]}'" for i, j in wrong]
    return ", ".join(parts[:_LISTED]) + (f", and {len(parts) - _LISTED} more" if len(parts) > _LISTED else "")


def _cost(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number) or number < 0:
        raise UsageError(f"a cost of {value!r} was given; expected a finite number from 0")
    return number


def _of_mapping(costs: Mapping[Any, Any], labels: np.ndarray, names: Sequence[str], pos_label: Any) -> np.ndarray:
    given = dict(zip(_as_named(costs, labels, names), costs.values(), strict=True))
    if _SIDES <= set(given) <= {*_SIDES, _POSITIVE} and not set(given) <= set(names):
        if len(names) != 2:
            raise UsageError(
                f"false negatives and positives were given for {len(names)} classes; give a cost for each class"
            )
        positive = given.get(_POSITIVE, names[-1] if pos_label is None else pos_label)
        one = positions([positive], labels)[0]
        if one < 0:
            raise UsageError(
                f"pos_label = '{positive}' was given; expected one of the classes; {nearest(str(positive), names)}"
            )
        table = np.zeros((2, 2))
        table[one, 1 - one], table[1 - one, one] = _cost(given["fn"]), _cost(given["fp"])
        return table
    if set(given) != set(names):
        raise UsageError(
            f"the costs name {', '.join(given)} and the classes are {', '.join(names)}; name fn and fp, or each"
        )
    return np.array([[_cost(given[name])] * len(names) for name in names]) * (1 - np.eye(len(names)))


def _of_file(path: str, labels: np.ndarray, names: Sequence[str]) -> np.ndarray:
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
    rows, columns = (_as_named(given, labels, names) for given in (true, answers))
    return _sorted(costs, rows, columns, names, f"{path}: the table of costs")


def _as_named(given: Iterable[Any], labels: np.ndarray, names: Sequence[str]) -> list[str]:
    """Write labels as the classes that they are the same as; others as text."""
    written = list(given)
    return [str(one) if k < 0 else names[k] for one, k in zip(written, positions(written, labels), strict=True)]


def _sorted(
    costs: np.ndarray, rows: Sequence[str], columns: Sequence[str], names: Sequence[str], what: str
) -> np.ndarray:
    """Put the rows and columns of a table into the order of the classes that they name."""
    if sorted(rows) != sorted(names) or sorted(columns) != sorted(names):
        raise UsageError(
            f"{what} has rows {', '.join(rows)} and columns {', '.join(columns)}; expected the classes "
            f"{', '.join(names)} in both"
        )
    return costs[np.ix_(*([list(given).index(n) for n in names] for given in (rows, columns)))]
