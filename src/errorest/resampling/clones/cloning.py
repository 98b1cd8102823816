"""The settings of clones, and the schemes that draw them (Shakhnarovich, El-Yaniv & Baram, 2001, section 5)."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np

from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.resampling.clones.bandwidths import check_stages
from errorest.resampling.clones.bounds import ordered_pair
from errorest.resampling.clones.kernels import check_kernel
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Folds, Scheme, folds_of
from errorest.spec import Spec, settings_of
from errorest.streams import Streams

Bounds = Literal["sample"] | tuple[tuple[float | None, float | None], ...]
"""Those of the sample, or the least and the greatest value of each attribute; None where there is none."""


@dataclass(frozen=True, eq=False)
class Cloning(Spec):
    """The settings of :class:`~errorest.resampling.clones.Cloner`, as plain values.

    Parameters
    ----------
    per_class : bool
        Whiten and smooth each class by itself.
    kernel : str
        Of continuous attributes.
    stages : int
        Of the plug-in bandwidth.
    bounds : "sample" or sequence of pairs, optional
        Those of the sample, or the least and the greatest value of each attribute; None or an infinite
        value where there is none.

    Raises
    ------
    UsageError
        If a setting is unknown, a bound is no number, or a pair is not in order.

    Examples
    --------
    >>> Cloning(bounds=[(0, None), (1, 10)]).id
    'cloning(bounds=0:/1:10)'
    """

    name = "cloning"
    likes: ClassVar = {"bounds": "sample or 0:1/0:/: (a pair an attribute)"}

    per_class: bool = True
    kernel: str = "epanechnikov"
    stages: int = 2
    bounds: Bounds | None = None

    def __post_init__(self) -> None:
        check_kernel(self.kernel)
        check_stages(self.stages)
        if self.bounds is not None:
            object.__setattr__(self, "bounds", _checked(self.bounds))

    def written(self, key: str) -> str:
        """Return the value of a setting as it stands in an id; bounds as in ``0:1/0:``."""
        if isinstance(value := getattr(self, key), tuple):
            return "/".join(f"{_number(low)}:{_number(high)}" for low, high in value)
        return str(value)

    @classmethod
    def value_of(cls, key: str, text: str) -> Any:
        """Read the value of a setting; bounds also as a tuple of pairs."""
        if key != "bounds":
            return super().value_of(key, text)
        if text.startswith("("):
            return literal_eval(text)
        return text if text == "sample" else tuple(_pair(part) for part in text.split("/"))

    @property
    def arguments(self) -> dict[str, Any]:
        """The settings as keyword arguments of :class:`~errorest.resampling.clones.Cloner`."""
        bounds: Any = self.bounds
        if isinstance(bounds, tuple):
            bounds = np.array([(-inf if low is None else low, inf if high is None else high) for low, high in bounds])
        return {"per_class": self.per_class, "kernel": self.kernel, "stages": self.stages, "bounds": bounds}


def _checked(bounds: Any) -> Bounds:
    if isinstance(bounds, str):
        if bounds != "sample":
            raise UsageError(
                f"the bounds of clones are '{bounds}'; expected 'sample' or a pair of numbers an attribute"
            )
        return "sample"
    pairs = [ordered_pair(f"attribute {number}", pair) for number, pair in enumerate(bounds, start=1)]
    return tuple((None if low == -inf else low, None if high == inf else high) for low, high in pairs)


def _number(value: float | None) -> str:
    if value is None:
        return ""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def _pair(text: str) -> tuple[float | None, float | None]:
    low, high = text.split(":")
    return (float(low) if low.strip() else None, float(high) if high.strip() else None)


@dataclass(frozen=True, eq=False)
class CloneScheme(Scheme):
    """A scheme that draws B clones of the sample; ``tested`` says on what their classifiers are tested."""

    cloned = True
    unseen = False
    tested: ClassVar[Literal["cases", "folds", "left-out"]]

    replicates: int = 200
    cloning: Cloning = Cloning()

    @cached_property
    def samples(self) -> Scheme:
        """The scheme whose random stream draws the clones."""
        return CloneCases(self.replicates, self.cloning)

    def shown(self) -> Iterator[tuple[str, str]]:
        """Yield the settings that stand in the id, those of cloning among them, sorted by name."""
        own = [(f.name, str(getattr(self, f.name))) for f in settings_of(type(self)) if f.name != "cloning"]
        yield from sorted(own + [(key, str(getattr(self.cloning, key))) for key, _ in self.cloning.shown()])

    def draw(self, sample: Sample, streams: Streams) -> Resamples:
        """Refuse: clones are no resamples."""
        raise UsageError(f"{self.id} draws clones, which are no resamples; expected another scheme; run it instead")

    def fits(self, n: int) -> int:
        """Count one classifier a clone."""
        return self.replicates


@dataclass(frozen=True, eq=False)
class CloneCases(CloneScheme):
    """Clones, whose classifiers are tested on the cases of the sample."""

    name = "clones"
    tested = "cases"


@dataclass(frozen=True, eq=False)
class CloneFolds(CloneScheme):
    """Clones that are cross-validated in k folds; they have no copies."""

    name = "cross_validated_clones"
    tested = "folds"

    k: Folds = 10

    @property
    def least(self) -> int:
        """One case a fold."""
        return folds_of(self.k, 2)

    def fits(self, n: int) -> int:
        """Count one classifier a fold."""
        return self.replicates * folds_of(self.k, n)


@dataclass(frozen=True, eq=False)
class CloneLeftOut(CloneScheme):
    """For each case, clones of the sample without it, tested on that case."""

    name = "leave_one_out_clones"
    tested = "left-out"

    @property
    def samples(self) -> Scheme:
        """Itself: no other scheme draws such clones."""
        return self

    def fits(self, n: int) -> int:
        """Count B classifiers a case."""
        return n * self.replicates
