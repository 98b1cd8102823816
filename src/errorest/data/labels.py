"""Labels as they come, of classes, groups, strata or folds: compared and sorted by value, whatever holds them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from errorest.counting import count_each
from errorest.data.columns import number_of
from errorest.errors import UsageError


@dataclass(frozen=True, eq=False)
class LabelledCases:
    """Cases with class labels, perhaps in groups: what metrics, methods and checks need of a problem or of predictions.

    Parameters
    ----------
    y : int array, shape (n,)
        Class numbers.
    labels : array, shape (K,)
        The user's labels of the classes, sorted.
    case_names : sequence, length n
        The index of a frame, else positions.
    groups : int array, shape (n,), optional
        Group numbers.
    self_tuning : tuple of str
        Parts of the model that split their training set to tune themselves.
    bootstrap_differs : bool
        Whether bootstrap samples make other kinds of classifiers than the sample.
    """

    y: np.ndarray
    labels: np.ndarray
    case_names: Any = field(default=(), repr=False, kw_only=True)
    groups: np.ndarray | None = field(default=None, repr=False, kw_only=True)
    self_tuning: tuple[str, ...] = field(default=(), kw_only=True)
    bootstrap_differs: bool = field(default=False, kw_only=True)

    @property
    def n(self) -> int:
        """Number of cases."""
        return int(self.y.shape[0])

    @property
    def n_classes(self) -> int:
        """Number of classes, K."""
        return int(self.labels.shape[0])

    @property
    def names(self) -> tuple[str, ...]:
        """The classes as text."""
        return names_of(self.labels)

    @property
    def n_groups(self) -> int | None:
        """Number of groups; None without groups."""
        return None if self.groups is None else int(self.groups.max()) + 1

    def class_counts(self) -> np.ndarray:
        """Count the cases of each class; int array, shape (K,)."""
        return count_each(self.y, minlength=self.n_classes)


def names_of(labels: np.ndarray) -> tuple[str, ...]:
    """Write labels as text."""
    return tuple(str(v) for v in labels.tolist())


def as_array(values: Any, name: str) -> np.ndarray:
    """Return labels as an array that keeps the type of each: numpy writes all of a mixed list as text."""
    if isinstance(values, str):
        raise UsageError(f"{name} = {values!r} is a text", f"pass the values: {name}=df[{values!r}]")
    if isinstance(values, np.ma.MaskedArray):
        array = np.array(values.data, dtype=object)
        array[np.ma.getmaskarray(values)] = None
    elif hasattr(values, "__array__"):
        array = np.asarray(values)
    else:
        array = np.array(values, dtype=object)
        kinds = set(map(type, array.ravel().tolist()))
        # labels of one type need no look at each, for which pandas is imported
        if len(kinds) == 1 and kinds <= {str, bool, int, float}:
            array = np.array(array.tolist())
    # one column of a table is a list of labels
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array


def distinct(values: np.ndarray, lacks: str, hint: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted distinct values and the number of each; refuse gaps, and values that have no order."""
    what, kind = lacks.partition(" ")[0], values.dtype.kind
    if kind == "c":
        raise UsageError(f"{what}: complex numbers cannot be sorted", "write all as text")
    missing = np.zeros(values.shape[0], dtype=bool)
    if kind == "f":
        missing = np.isnan(values)
    elif kind in "OTmM":
        import pandas as pd

        missing = np.asarray(pd.isna(values))
    if missing.any():
        first = int(np.argmax(missing))
        raise UsageError(f"{lacks} for {int(missing.sum())} case(s); the first is at position {first}", hint)
    if kind != "O":
        return np.unique(values, return_inverse=True)
    items = values.tolist()
    try:
        # 1, 1.0 and True are one key
        ordered = sorted(dict.fromkeys(items))
    except TypeError:
        lists = any(isinstance(item, list | dict | set | np.ndarray) for item in items)
        problem = "lists are no labels" if lists else "numbers and text cannot be sorted"
        raise UsageError(f"{what}: {problem}; write all as text") from None
    number = {label: k for k, label in enumerate(ordered)}
    codes = np.array([number[item] for item in items], dtype=np.int64)
    labels = np.array(ordered)
    if labels.shape != (len(ordered),):  # of tuples, say
        labels = np.empty(len(ordered), dtype=object)
        labels[:] = ordered
    return labels, codes


def sorted_texts(texts: Iterable[str], decimal: str = ".") -> list[str]:
    """Sort the distinct labels of a file: as numbers where all are numbers, so that 10 comes after 2, else as text."""
    labels = sorted(set(texts))
    numbers = {label: number_of(label, decimal) for label in labels}
    return sorted(labels, key=lambda label: numbers[label] or 0.0) if None not in numbers.values() else labels


def positions(wanted: Sequence[Any], labels: np.ndarray) -> list[int]:
    """Return the position of each wanted label, -1 where there is none.

    Two are the same if they are equal (1, 1.0 and True), are written the same (1 and "1"), or are one number ("1.0"
    and 1); "01" is a text.  Of several that are one number, the first two ways decide alone.
    """
    known: list[dict[Any, int]] = [{}, {}, {}]
    one_number = [_value(label) for label in labels.tolist()]
    for k, label in enumerate(labels.tolist()):
        known[0][label] = known[1][str(label)] = k
        if one_number.count(one_number[k]) == 1:
            known[2][one_number[k]] = k
    keys = ((one if isinstance(one, Hashable) else None, str(one), _value(one)) for one in wanted)
    return [next((known[i][key] for i, key in enumerate(three) if key in known[i]), -1) for three in keys]


def numbers_of_texts(texts: Sequence[str], decimal: str = ".") -> list[Any]:
    """Read the cells of a column as numbers where all are numbers without leading zeros; else return the texts."""
    numbers = {text: _value(text, decimal) for text in set(texts)}
    if any(isinstance(number, str) for number in numbers.values()):
        return list(texts)
    # a whole number is read as it stands, however long
    return [int(text) if re.fullmatch(r"[+-]?\d+", text) else numbers[text] for text in texts]


def _value(label: Any, decimal: str = ".") -> Any:
    """Return the number that a label is, or is written as without leading zeros; else its text."""
    if isinstance(label, str):
        number = None if re.match(r"[+-]?0\d", label) else number_of(label, decimal)
        return label if number is None else number
    return float(label) if isinstance(label, int | float | np.number | np.bool_) else str(label)
