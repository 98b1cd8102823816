"""The cloner: a kernel estimate of a sample's density, from which whole new samples (clones) are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, get_args

import numpy as np

from compendium.methods.clones.bandwidths import check_stages, roughness_ratio
from compendium.methods.clones.cloning import resolve_bounds
from compendium.methods.clones.draw import MOST_REJECTIONS, Plan, draw_clones
from compendium.methods.clones.smoothing import Smoothing, fit_smoothing
from errorest.counting import count_each
from errorest.data.sample import Kind, Sample, SampleStack
from errorest.errors import UsageError

POOLED = -1
"""Key of the fit where classes are pooled; classes have their numbers."""


@dataclass(frozen=True, eq=False)
class Cloner:
    """A sample's smoothed distribution, to draw clones from.

    A clone's case is made from a case of the sample, each as likely as any other: its continuous
    values get kernel noise along the whitened directions of its class, its integer values go to
    values seen in its class, its nominal values come from cases of its class with numbers like the
    new ones, and its class stays.  So a clone is no more balanced than the sample, and makes no
    combination of nominal values that the class lacks.

    What cannot be smoothed stays as it is: an attribute with one value, linear relations between
    attributes, and all numbers of a class with one case.  A missing value stays missing: continuous
    attributes are then smoothed in the known ones, as these vary in all cases of the class that have
    them, and the nominal values come from cases that lack the same numbers; a missing nominal value
    counts as a category.

    Parameters
    ----------
    origin : Sample
        The sample to clone.
    per_class : bool
        Fit directions, bandwidths and the values of integer attributes to each class by itself;
        otherwise to all cases together.  Nominal values come from the same class in any case.
    kernel : {"epanechnikov", "gaussian"}
        For continuous attributes.
    stages : int
        Of the direct plug-in bandwidths, 0 to 6.
    bounds : None, "sample", float array of shape (d, 2), or mapping of str to (low, high)
        Where continuous values must stay: nowhere in particular, between the least and greatest of
        this sample, or as stated (:func:`~compendium.methods.clones.cloning.resolve_bounds`).  Noise that leads
        outside is drawn again, all of a case's.  Integer attributes keep to values of the sample.

    Raises
    ------
    UsageError
        If a setting is unknown, bounds exclude a case of the sample, or an attribute's values spread
        so far, or so little, that their variance is no number.

    References
    ----------
    Shakhnarovich, El-Yaniv & Baram (2001), sections 4 and 7, Algorithms 1 to 5.

    Examples
    --------
    >>> sample = Sample.from_arrays([[1.0], [2.0], [4.0], [7.0], [9.0]], ["a", "a", "a", "b", "b"])
    >>> cloner = Cloner(sample, bounds="sample")
    >>> clone = cloner.sample(100, np.random.default_rng(0))
    >>> clone.n, bool(clone.X.min() >= 1.0), bool(clone.X.max() <= 9.0)
    (100, True, True)
    """

    origin: Sample
    per_class: bool = field(default=True, kw_only=True)
    kernel: str = field(default="epanechnikov", kw_only=True)
    stages: int = field(default=2, kw_only=True)
    bounds: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        roughness_ratio(self.kernel)
        check_stages(self.stages)
        if self.origin.n == 0:
            raise UsageError(f"{self.origin.name}: there is no case to clone; expected at least one; give a sample")
        for attribute, values in zip(self.origin.attributes, self.origin.X.T, strict=True):
            known = values[~np.isnan(values)]
            spread = float(np.ptp(known)) if known.size else 0.0
            if spread > 0.0 and not 1e-150 < spread < 1e150:
                raise UsageError(
                    f"{self.origin.name}: the values of '{attribute.name}' are up to {spread:g} apart, which has no "
                    "square; expected a spread between 1e-150 and 1e150; rescale the attribute"
                )
        # everything that can be wrong is found here and not when the first clone is drawn
        _ = self._plan

    @cached_property
    def _box(self) -> np.ndarray:
        return resolve_bounds(self.origin, self.bounds)

    @cached_property
    def _columns(self) -> list[np.ndarray]:
        """Columns of the continuous, integer and nominal attributes."""
        kinds = [a.kind for a in self.origin.attributes]
        return [np.array([j for j, k in enumerate(kinds) if k == kind], dtype=np.int64) for kind in get_args(Kind)]

    @cached_property
    def _fits(self) -> dict[int, Smoothing]:
        return {key: self._fit(self.origin, cases) for key, cases in self._cases(self.origin).items()}

    @cached_property
    def _plan(self) -> Plan:
        return self._plan_for(self.origin, self._fits, self._box)

    def _cases(self, sample: Sample) -> dict[int, np.ndarray]:
        """List the cases that each fit is made from, by class number or under :data:`POOLED`."""
        if not self.per_class:
            return {POOLED: np.arange(sample.n)}
        return {k: cases for k in range(sample.n_classes) if (cases := np.flatnonzero(sample.y == k)).size}

    def _fit(self, sample: Sample, cases: np.ndarray) -> Smoothing:
        continuous, integer, _ = self._columns
        X = sample.X[cases]
        return fit_smoothing(X[:, continuous], X[:, integer], self.stages, roughness_ratio(self.kernel))

    def _plan_for(self, sample: Sample, fits: Mapping[int, Smoothing], box: np.ndarray) -> Plan:
        """Put the fits of a sample's classes one after another, so that a case left out needs one new fit."""
        continuous, integer, nominal = self._columns
        n, p, q = sample.n, continuous.size, integer.size
        group, smoothing = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
        scaled, level = np.zeros((n, p)), np.zeros((n, q), dtype=np.int64)
        start, table_start = [], []
        groups = values = places = 0
        where = self._cases(sample)
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
        family = group if self.per_class else np.unique(group * sample.n_classes + sample.y, return_inverse=True)[1]
        return Plan(
            X=np.ascontiguousarray(sample.X, dtype=np.float64),
            y=np.ascontiguousarray(sample.y, dtype=np.int64),
            continuous=continuous,
            integer=integer,
            nominal=nominal,
            low=np.ascontiguousarray(box[continuous, 0]),
            high=np.ascontiguousarray(box[continuous, 1]),
            gaussian=self.kernel == "gaussian",
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
            member_start=np.concatenate([[0], np.cumsum(count_each(family))]),
            member=np.argsort(family, kind="stable"),
        )

    @cached_property
    def bandwidths(self) -> MappingProxyType[str, np.ndarray]:
        """Bandwidths of the continuous attributes by class, as they are used.

        Each is a float array of shape (r,): one a whitened direction, the most variable first, in
        units of that direction's standard deviation.  r is the rank of the class's covariance matrix;
        0 where nothing is smoothed.  Where continuous values are missing, they are those of the cases
        whose pattern of known values is the most frequent.  A class without a case has none.
        """
        results = {}
        for k, label in enumerate(self.origin.classes):
            fitted = self._fits.get(k if self.per_class else POOLED)
            if fitted is not None:
                smooth = fitted.continuous
                usual = int(np.argmax(count_each(smooth.pattern)))
                results[label] = smooth.bandwidths[usual, : smooth.rank[usual]].copy()
        return MappingProxyType(results)

    def sample(self, n: int, rng: np.random.Generator) -> Sample:
        """Draw one clone.

        Parameters
        ----------
        n : int
            Its cases.
        rng : numpy.random.Generator

        Returns
        -------
        Sample
            With the attributes and classes of the original; classes may have no case.

        Raises
        ------
        UsageError
            As :meth:`stack`.

        Examples
        --------
        >>> sample = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
        >>> Cloner(sample).sample(5, np.random.default_rng(0)).X.shape
        (5, 1)
        """
        one = self.stack(1, n, rng)
        name = f"clone of {self.origin.name}"
        return Sample(one.X[0], one.y[0], self.origin.attributes, self.origin.classes, name)

    def stack(self, clones: int, n: int, rng: np.random.Generator) -> SampleStack:
        """Draw many clones of one size.

        Random numbers are taken clone after clone, so that two stacks in a row are the one stack of
        as many clones.

        Parameters
        ----------
        clones : int
            How many, S.
        n : int
            Cases of each.
        rng : numpy.random.Generator

        Returns
        -------
        SampleStack
            S clones; they take 8 S n (d + 1) bytes.

        Raises
        ------
        UsageError
            If a number is not positive, or the bounds rejected the noise around a case 100,000
            times in a row.

        Examples
        --------
        >>> sample = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
        >>> Cloner(sample).stack(7, 5, np.random.default_rng(0)).X.shape
        (7, 5, 1)
        """
        return _stack_of(self._plan, self.origin, clones, n, rng)


def _stack_of(plan: Plan, sample: Sample, clones: int, n: int, rng: np.random.Generator) -> SampleStack:
    if clones < 1 or n < 1:
        raise UsageError(
            f"{clones} clones of {n} cases were asked for; expected at least one of each; choose positive numbers"
        )
    X, y = np.empty((clones, n, sample.d)), np.empty((clones, n), dtype=np.int64)
    stuck = draw_clones(plan, rng, X, y)
    if stuck >= 0:
        raise UsageError(
            f"{sample.name}: noise around case {stuck + 1} left the bounds {MOST_REJECTIONS} times in a row; expected "
            "bounds with room for every case in all attributes at once; widen them, or clone fewer attributes"
        )
    return SampleStack(X, y, sample.attributes, sample.classes)


def leave_one_out_stacks(
    whole: Cloner, clones: int, n: int, rng: np.random.Generator
) -> Iterator[tuple[int, SampleStack]]:
    """Yield clones of the sample without each of its cases in turn (Shakhnarovich et al. 2001, section 5.1)."""
    sample = whole.origin
    if sample.n < 2:
        raise UsageError(
            f"{sample.name}: a case was to be left out of {sample.n}; expected two cases or more; give a larger sample"
        )
    for i in range(sample.n):
        rest = sample.take(np.delete(np.arange(sample.n), i))
        key = int(sample.y[i]) if whole.per_class else POOLED
        # the other classes' cases are the same, and so are their fits
        fits = dict(whole._fits)
        cases = whole._cases(rest).get(key)
        if cases is not None:
            fits[key] = whole._fit(rest, cases)
        box = resolve_bounds(rest, "sample") if isinstance(whole.bounds, str) else whole._box
        yield i, _stack_of(whole._plan_for(rest, fits, box), rest, clones, n, rng)
