"""From a sample to the arrays that clones are drawn from; each class is fitted by itself, or all together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, get_args

import numpy as np

from errorest.data.sample import Attribute, Kind, Sample
from errorest.resampling.clones.draw import Plan
from errorest.resampling.clones.smoothing import Smoothing, fit_smoothing

# Key of the fit where classes are pooled; classes have their numbers.
POOLED = -1


class Columns(NamedTuple):
    """Columns of a sample's attributes by kind; int arrays."""

    continuous: np.ndarray
    integer: np.ndarray
    nominal: np.ndarray


def columns_of(attributes: tuple[Attribute, ...]) -> Columns:
    """Sort the columns of a sample by the kinds of their attributes."""
    kinds = [a.kind for a in attributes]
    return Columns(
        *(np.array([j for j, k in enumerate(kinds) if k == kind], dtype=np.int64) for kind in get_args(Kind))
    )


def cases_of(sample: Sample, per_class: bool) -> dict[int, np.ndarray]:
    """List the cases that each fit is made from, by class number or under :data:`POOLED`."""
    if not per_class:
        return {POOLED: np.arange(sample.n)}
    return {k: cases for k in range(sample.n_classes) if (cases := np.flatnonzero(sample.y == k)).size}


def fit_one(sample: Sample, cases: np.ndarray, columns: Columns, stages: int, ratio: float) -> Smoothing:
    """Fit the smoothing of some cases of a sample (see :func:`~errorest.resampling.clones.smoothing.fit_smoothing`)."""
    X = sample.X[cases]
    return fit_smoothing(X[:, columns.continuous], X[:, columns.integer], stages, ratio)


def fit_classes(sample: Sample, per_class: bool, columns: Columns, stages: int, ratio: float) -> dict[int, Smoothing]:
    """Fit every class that has a case, or all cases under :data:`POOLED`."""
    return {key: fit_one(sample, cases, columns, stages, ratio) for key, cases in cases_of(sample, per_class).items()}


def build_plan(
    sample: Sample,
    fits: Mapping[int, Smoothing],
    columns: Columns,
    *,
    per_class: bool,
    gaussian: bool,
    box: np.ndarray,
) -> Plan:
    """Put the fits of a sample's classes together."""
    continuous, integer, nominal = columns
    n, p, q = sample.n, continuous.size, integer.size
    group, smoothing = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    scaled, level = np.zeros((n, p)), np.zeros((n, q), dtype=np.int64)
    start, table_start = [], []
    groups = values = places = 0
    where = cases_of(sample, per_class)
    for row, (key, cases) in enumerate(where.items()):
        smooth, discrete = fits[key]
        group[cases] = smooth.pattern + groups
        scaled[cases] = smooth.scaled
        groups += smooth.rank.size
        smoothing[cases] = row
        level[cases] = discrete.level
        start.append(discrete.start + values)
        table_start.append(np.where(discrete.table_start < 0, -1, discrete.table_start + places))
        values += discrete.support.size
        places += discrete.table.size
    used = [fits[key] for key in where]
    family = group if per_class else np.unique(group * sample.n_classes + sample.y, return_inverse=True)[1]
    return Plan(
        X=np.ascontiguousarray(sample.X, dtype=np.float64),
        y=np.ascontiguousarray(sample.y, dtype=np.int64),
        continuous=continuous,
        integer=integer,
        nominal=nominal,
        low=np.ascontiguousarray(box[continuous, 0]),
        high=np.ascontiguousarray(box[continuous, 1]),
        gaussian=gaussian,
        group=group,
        rank=np.concatenate([f.continuous.rank for f in used]),
        noise=np.concatenate([f.continuous.noise for f in used]),
        scaled=scaled,
        smoothing=smoothing,
        level=level,
        support=np.concatenate([f.integer.support for f in used]),
        total=np.concatenate([f.integer.total for f in used]),
        table=np.concatenate([f.integer.table for f in used]),
        start=np.array(start),
        size=np.array([f.integer.size for f in used]),
        table_start=np.array(table_start),
        log_h=np.array([f.integer.log_h for f in used]),
        family=family,
        member_start=np.concatenate([[0], np.cumsum(np.bincount(family))]),
        member=np.argsort(family, kind="stable"),
    )
