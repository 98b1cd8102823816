"""Resamples that keep groups whole or strata in proportion.

A scheme is drawn over the units that may be parted (groups, or cases), and every unit is then
replaced by its cases: so a group k-fold and a group bootstrap are the plain ones with groups in
place of cases.  Strata follow Kohavi's deal: units are shuffled, sorted by stratum and dealt.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.groups import most_frequent, unit_sample
from errorest.resampling.multisets import Resamples, from_training_counts
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

__all__ = ["by_groups", "check_folds", "draw_arranged", "in_groups"]


def draw_arranged(
    scheme: Scheme,
    sample: Sample,
    streams: Streams,
    groups: np.ndarray | None = None,
    strata: np.ndarray | None = None,
    names: Sequence[str] = (),
) -> Resamples:
    """Draw the resamples of a scheme over units: groups where they are given, else cases."""
    units = unit_sample(sample, groups)
    if scheme.cloned:
        raise UsageError(
            f"{scheme.id} draws clones of single cases and groups or strata were given; expected resamples; name an "
            "estimator without clones, such as 632+ or cv(k=10)"
        )
    if groups is not None:
        check_folds(scheme, units.n, grouped=True)
    if strata is None:
        return scheme.draw(units, streams)
    of_units = strata if groups is None else most_frequent(strata, groups)
    return scheme.within(of_units, streams.generator(scheme.key), names)


def check_folds(scheme: Scheme, n: int, *, grouped: bool) -> None:
    """Refuse more folds than there are units."""
    if n < scheme.least:
        unit = "group" if grouped else "case"
        there = "is 1" if n == 1 else f"are {n}"
        raise UsageError(
            f"{scheme.least} folds were asked for and there {there} {unit}{'' if n == 1 else 's'}; "
            f"expected at least one {unit} a fold; "
            + (f"ask for cv(k={n}) or fewer folds" if n > 1 else f"give {unit}s that can be parted")
        )


def in_groups(units: Resamples, groups: np.ndarray) -> Resamples:
    """Replace every unit of resamples by the cases of that group, in training and in testing."""
    counts = units.training_counts()[:, groups]
    sizes = np.bincount(groups)
    order = np.argsort(groups, kind="stable").astype(np.int32)
    first = np.cumsum(sizes) - sizes
    size = sizes[units.cases]
    ends = np.cumsum(size)
    within = np.arange(int(size.sum())) - np.repeat(ends - size, size)
    cases = order[np.repeat(first[units.cases], size) + within]
    start = np.concatenate([[0], ends])[units.start].astype(np.int64)
    return from_training_counts(np.ascontiguousarray(counts), start, cases, units.replicate, units.repeats)


def by_groups(folds: Resamples, groups: np.ndarray) -> tuple[Resamples, Resamples]:
    """Return folds of whole groups with their tests sorted by group, and the same folds with groups for cases."""
    row, n_groups = folds.row_of_test(), int(groups.max()) + 1
    order = np.lexsort((groups[folds.cases], row))
    counts = folds.training_counts()
    tested = np.unique(row * n_groups + groups[folds.cases])
    start = np.searchsorted(tested, n_groups * np.arange(folds.n_rows + 1)).astype(np.int64)
    units = (tested % n_groups).astype(np.int32)
    first = np.unique(groups, return_index=True)[1]
    repeats = folds.replicate, folds.repeats
    return (
        from_training_counts(counts, folds.start, folds.cases[order], *repeats),
        from_training_counts(np.ascontiguousarray(counts[:, first]), start, units, *repeats),
    )
