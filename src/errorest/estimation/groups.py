"""Groups of cases as the units of resampling and of intervals."""

from __future__ import annotations

import numpy as np

from errorest.counting import count_each
from errorest.data.sample import ClassNumbers, Labelled
from errorest.resampling.multisets import Resamples, from_training_counts


def unit_sample(sample: Labelled, groups: np.ndarray) -> ClassNumbers:
    """Return groups as cases, each with the most frequent class of its cases."""
    return ClassNumbers(most_frequent(sample.y, groups), sample.n_classes)


def most_frequent(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return the most frequent value of each group; the smallest of several."""
    table = np.zeros((int(groups.max()) + 1, int(values.max()) + 1), dtype=np.int64)
    np.add.at(table, (groups, values), 1)
    return table.argmax(axis=1)


def in_groups(units: Resamples, groups: np.ndarray) -> Resamples:
    """Replace every unit of resamples by the cases of that group, in training and in testing."""
    # a group that is drawn twice trains with every one of its cases twice
    counts = units.training_counts()[:, groups]
    sizes = count_each(groups)
    members = np.split(np.argsort(groups, kind="stable").astype(np.int32), np.cumsum(sizes)[:-1])
    cases = np.concatenate([members[unit] for unit in units.cases])
    start = np.concatenate([[0], np.cumsum(sizes[units.cases])])[units.start].astype(np.int64)
    return from_training_counts(np.ascontiguousarray(counts), start, cases, units.replicate, units.repeats)


def units_of(folds: Resamples, groups: np.ndarray) -> Resamples:
    """Return splits of whole groups with groups for cases."""
    row, n_groups = folds.row_of_test(), int(groups.max()) + 1
    tested = np.unique(row * n_groups + groups[folds.cases])
    start = np.searchsorted(tested, n_groups * np.arange(folds.n_rows + 1, dtype=np.int64)).astype(np.int64)
    # the cases of a group are trained on equally often, so that the count of one is that of the group
    first = np.unique(groups, return_index=True)[1]
    counts = np.ascontiguousarray(folds.training_counts()[:, first])
    return from_training_counts(counts, start, (tested % n_groups).astype(np.int32), folds.replicate, folds.repeats)
