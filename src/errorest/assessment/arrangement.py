"""Resamples that keep groups whole or strata in proportion.

A scheme is drawn over the units that may be parted (groups, or cases), and every unit is then
replaced by its cases: so a group k-fold and a group bootstrap are the plain ones with groups in
place of cases.  Strata follow Kohavi's deal: units are shuffled, sorted by stratum and dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from errorest.data.sample import Attribute, Sample
from errorest.errors import UsageError
from errorest.estimation.run import Scheme
from errorest.resampling import draw as resampling
from errorest.resampling.multisets import Resamples, from_training_counts
from errorest.streams import Streams

__all__ = ["check_folds", "draw_arranged", "in_groups", "of_counts", "unit_sample"]

_UNIT = (Attribute("unit", "integer"),)


def unit_sample(sample: Sample, groups: np.ndarray | None) -> Sample:
    """Return a sample with one case a group, of the group's most frequent class; without groups, the sample.

    Parameters
    ----------
    sample : Sample
    groups : int array, shape (n,), or None
        Group numbers, 0 to G - 1.

    Examples
    --------
    >>> s = Sample.from_arrays([1.0, 2.0, 3.0], ["a", "b", "b"])
    >>> unit_sample(s, np.array([0, 1, 1])).y.tolist()
    [0, 1]
    """
    if groups is None:
        return sample
    number = int(groups.max()) + 1
    return Sample(
        np.arange(number, dtype=np.float64)[:, None], _most_frequent(sample.y, groups), _UNIT, sample.classes, "groups"
    )


def draw_arranged(
    scheme: Scheme,
    sample: Sample,
    streams: Streams,
    groups: np.ndarray | None = None,
    strata: np.ndarray | None = None,
    names: Sequence[str] = (),
) -> Resamples:
    """Draw the resamples of a scheme over units: groups where they are given, else cases.

    Parameters
    ----------
    scheme : Scheme
    sample : Sample
    streams : Streams
        The scheme's own stream is named by it.
    groups, strata : int arrays, shape (n,), or None
        With groups, a unit's stratum is the most frequent one of its cases.
    names : sequence of str
        What the strata are called, for messages.

    Returns
    -------
    Resamples
        Of the units; :func:`in_groups` turns them into resamples of the cases.

    Raises
    ------
    UsageError
        If there are fewer groups than folds, or the scheme cannot keep strata.

    Examples
    --------
    >>> s = Sample.from_arrays([1.0, 2.0, 3.0, 4.0], ["a", "b", "b", "a"])
    >>> units = draw_arranged(Scheme("leave_one_out"), s, Streams(0), np.array([0, 0, 1, 1]))
    >>> in_groups(units, np.array([0, 0, 1, 1])).training_counts().tolist()
    [[0, 0, 1, 1], [1, 1, 0, 0]]
    """
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
    of_units = strata if groups is None else _most_frequent(strata, groups)
    return _stratified(scheme, units, streams.generator(scheme.key), of_units, names)


def _most_frequent(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    table = np.zeros((int(groups.max()) + 1, int(values.max()) + 1), dtype=np.int64)
    np.add.at(table, (groups, values), 1)
    return table.argmax(axis=1)


def check_folds(scheme: Scheme, n: int, *, grouped: bool) -> None:
    """Refuse more folds than there are units.

    Parameters
    ----------
    scheme : Scheme
    n : int
        Groups, or cases.
    grouped : bool

    Raises
    ------
    UsageError
        Saying how many folds there can be.

    Examples
    --------
    >>> check_folds(Scheme("k_fold", (("k", 3),)), 3, grouped=True)
    """
    folds = dict(scheme.settings).get("k", 2)
    if n < (2 if folds == "n" else folds):
        unit = "group" if grouped else "case"
        raise UsageError(
            f"{folds} folds were asked for and there {'is 1' if n == 1 else f'are {n}'} {unit}{'' if n == 1 else 's'}; "
            f"expected at least one {unit} a fold; "
            + (f"ask for cv(k={n}) or fewer folds" if n > 1 else f"give {unit}s that can be parted")
        )


def _stratified(
    scheme: Scheme, units: Sample, rng: np.random.Generator, strata: np.ndarray, names: Sequence[str]
) -> Resamples:
    settings: dict[str, Any] = dict(scheme.settings)
    settings.pop("stratified", None)
    if scheme.name in ("resubstitution", "leave_one_out"):
        return scheme.resamples(units, rng)
    if scheme.name == "k_fold":
        return resampling.k_fold(units.n, settings.pop("k"), rng, **{**settings, "strata": strata})
    if scheme.name == "holdout":
        return _stratified_holdout(units.n, rng, strata, **settings)
    if scheme.name == "bootstrap" and "test" not in settings:
        return _stratified_bootstrap(units.n, rng, strata, settings["replicates"], names)
    raise UsageError(
        f"{scheme.id} cannot keep strata in proportion; expected one of k_fold, holdout, bootstrap, leave_one_out; "
        "leave out strata, or choose another estimator or interval"
    )


def _stratified_holdout(n: int, rng: np.random.Generator, strata: np.ndarray, test: Any, repeats: int = 1) -> Resamples:
    plain = resampling.holdout(n, rng, test=test, repeats=repeats)
    size = int(plain.start[1])
    labels = np.full((repeats, n), -1, dtype=np.int32)
    for m in range(repeats):
        shuffled = rng.permutation(n)
        by_stratum = shuffled[np.argsort(strata[shuffled], kind="stable")]
        # every n/size-th unit from a random place on: each stratum gives its share, to within one
        at = ((np.arange(size) + rng.random()) * n / size).astype(np.int64)
        labels[m, by_stratum[at]] = 0
    start, cases = plain.start, np.nonzero(labels == 0)[1].astype(np.int32)
    return Resamples(plain.compact._replace(labels=labels), start, cases, plain.replicate, repeats, plain.layout)


def _stratified_bootstrap(
    n: int, rng: np.random.Generator, strata: np.ndarray, replicates: int, names: Sequence[str]
) -> Resamples:
    counts = np.zeros((replicates, n), dtype=np.int32)
    for stratum in range(int(strata.max()) + 1):
        members = np.nonzero(strata == stratum)[0]
        if members.size == 1:
            name = names[stratum] if names else stratum
            raise UsageError(
                f"stratum '{name}' has one case, which a bootstrap within strata draws every time and never tests; "
                "expected at least two; join it to another stratum, or choose cv(k=10) or loo"
            )
        if members.size:
            drawn = resampling.bootstrap(members.size, replicates, rng).training_counts()
            counts[:, members] = drawn
    return of_counts(counts)


def of_counts(
    counts: np.ndarray,
    start: np.ndarray | None = None,
    cases: np.ndarray | None = None,
    replicate: np.ndarray | None = None,
    repeats: int = 0,
) -> Resamples:
    """Make resamples of training counts.

    Parameters
    ----------
    counts : int32 array, shape (R, n)
        How often each case is trained on.
    start, cases : int arrays, shapes (R + 1,) and (T,), optional
        The tested cases, row by row; by default those that are not trained on.
    replicate : int array, shape (R,), optional
        Repetition of each row; by default every row is one.
    repeats : int
        Their number.

    Examples
    --------
    >>> of_counts(np.array([[2, 0, 1]], dtype=np.int32)).cases.tolist()
    [1]
    """
    if start is None or cases is None:
        tested = counts == 0
        cases = np.nonzero(tested)[1].astype(np.int32)
        start = np.concatenate([[0], np.cumsum(tested.sum(axis=1))]).astype(np.int64)
    if replicate is None:
        return from_training_counts(counts, start, cases)
    return from_training_counts(counts, start, cases, replicate, repeats)


def in_groups(units: Resamples, groups: np.ndarray) -> Resamples:
    """Replace every unit of resamples by the cases of that group, in training and in testing.

    Parameters
    ----------
    units : Resamples
        Over the groups.
    groups : int array, shape (n,)
        Group numbers, 0 to G - 1.

    Returns
    -------
    Resamples
        Over the cases, row for row.

    Examples
    --------
    >>> units = resampling.leave_one_out(2)
    >>> in_groups(units, np.array([0, 1, 0])).training_counts().tolist()
    [[0, 1, 0], [1, 0, 1]]
    """
    counts = units.training_counts()[:, groups]
    sizes = np.bincount(groups)
    order = np.argsort(groups, kind="stable").astype(np.int32)
    first = np.cumsum(sizes) - sizes
    size = sizes[units.cases]
    ends = np.cumsum(size)
    within = np.arange(int(size.sum())) - np.repeat(ends - size, size)
    cases = order[np.repeat(first[units.cases], size) + within]
    start = np.concatenate([[0], ends])[units.start].astype(np.int64)
    return of_counts(np.ascontiguousarray(counts), start, cases, units.replicate, units.repeats)
