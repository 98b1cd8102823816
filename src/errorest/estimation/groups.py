"""Groups of cases as the units of resampling and of intervals."""

from __future__ import annotations

import numpy as np

from errorest.data.sample import Attribute, Sample

_UNIT = (Attribute("unit", "integer"),)


def unit_sample(sample: Sample, groups: np.ndarray | None) -> Sample:
    """Return a sample with one case a group, of the group's most frequent class; without groups, the sample."""
    if groups is None:
        return sample
    number = int(groups.max()) + 1
    return Sample(
        np.arange(number, dtype=np.float64)[:, None], most_frequent(sample.y, groups), _UNIT, sample.classes, "groups"
    )


def most_frequent(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return the most frequent value of each group; the smallest of several."""
    table = np.zeros((int(groups.max()) + 1, int(values.max()) + 1), dtype=np.int64)
    np.add.at(table, (groups, values), 1)
    return table.argmax(axis=1)
