"""The settings of clones with their bounds, and the schemes that draw them (Shakhnarovich, El-Yaniv & Baram, 2001)."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, nan
from typing import Any, ClassVar, Literal

import numpy as np

from compendium.methods.clones.bandwidths import check_kernel, check_stages
from errorest.data.sample import Labelled, Sample
from errorest.errors import UsageError, nearest
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Folds, Scheme, folds_of
from errorest.spec import Spec, settings_of
from errorest.streams import Streams


def resolve_bounds(sample: Sample, bounds: Any) -> np.ndarray:
    """Turn any form of bounds into one pair an attribute, and check the sample against them."""
    box = np.tile(np.array([-np.inf, np.inf]), (sample.d, 1))
    numeric = [j for j, a in enumerate(sample.attributes) if a.kind != "nominal"]
    if bounds is None:
        return box
    if isinstance(bounds, str):
        if bounds != "sample":
            raise UsageError(
                f"bounds are '{bounds}'; expected None, 'sample', an array of shape (d, 2) or pairs by name; "
                "choose one of these"
            )
        for j in numeric:
            known = sample.X[~np.isnan(sample.X[:, j]), j]
            if known.size:
                box[j] = known.min(), known.max()
        return box
    names = [a.name for a in sample.attributes]
    if isinstance(bounds, Mapping):
        wrong = next((name for name in bounds if name not in names or names.index(name) not in numeric), None)
        if wrong is not None:
            kind = "nominal" if wrong in names else "no attribute"
            raise UsageError(
                f"bounds are stated for '{wrong}', which is {kind}; expected continuous or integer attributes; "
                + nearest(str(wrong), [names[j] for j in numeric])
            )
        stated = {names.index(name): pair for name, pair in bounds.items()}
    else:
        pairs = list(bounds) if np.iterable(bounds) else []
        if len(pairs) != sample.d:
            raise UsageError(
                f"bounds are no array of shape ({sample.d}, 2); expected a low and a high number for each of the "
                f"{sample.d} attributes; state them so, or by name"
            )
        stated = {j: pairs[j] for j in numeric}
    for j, pair in stated.items():
        box[j] = ordered_pair(f"'{sample.attributes[j].name}'", pair)
        values = sample.X[:, j]
        outside = np.flatnonzero((values < box[j, 0]) | (values > box[j, 1]))
        if outside.size:
            raise UsageError(
                f"{sample.name}: attribute '{sample.attributes[j].name}' is {values[outside[0]]:g} in case "
                f"{outside[0] + 1}, outside its bounds {box[j, 0]:g} to {box[j, 1]:g}; expected bounds that hold every "
                "case; widen them or correct the case"
            )
    return box


def ordered_pair(name: str, pair: Any) -> tuple[float, float]:
    """Return a low and a high bound; None is infinite."""
    try:
        low, high = (float(side if v is None else v) for v, side in zip(pair, (-inf, inf), strict=True))
    except (TypeError, ValueError):
        low, high = nan, nan
    if not low <= high:
        raise UsageError(f"the bounds of {name} are {pair!r}; expected two numbers, the lower one first")
    return low, high


Bounds = Literal["sample"] | tuple[tuple[float | None, float | None], ...]
"""Those of the sample, or the least and the greatest value of each attribute; None where there is none."""


@dataclass(frozen=True, eq=False)
class Cloning(Spec):
    """The settings of :class:`~compendium.methods.clones.Cloner`, as plain values.

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
        if isinstance(self.bounds, str):
            if self.bounds != "sample":
                raise UsageError(
                    f"the bounds of clones are '{self.bounds}'; expected 'sample' or a pair of numbers an attribute"
                )
        elif self.bounds is not None:
            pairs = [ordered_pair(f"attribute {number}", pair) for number, pair in enumerate(self.bounds, start=1)]
            sides = tuple((None if low == -inf else low, None if high == inf else high) for low, high in pairs)
            object.__setattr__(self, "bounds", sides)

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
        if text == "sample":
            return text
        pairs = [part.split(":") for part in text.split("/")]
        return tuple(tuple(float(side) if side.strip() else None for side in (low, high)) for low, high in pairs)


def _number(value: float | None) -> str:
    if value is None:
        return ""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


@dataclass(frozen=True, eq=False)
class CloneScheme(Scheme):
    """A scheme that draws B clones of the sample; ``tested`` says on what their classifiers are tested."""

    unseen = False
    tested: ClassVar[Literal["cases", "folds", "left-out"]]

    replicates: int = 200
    cloning: Cloning = Cloning()

    @cached_property
    def samples(self) -> Scheme:
        return CloneCases(self.replicates, self.cloning)

    def shown(self) -> Iterator[tuple[str, str]]:
        own = [(f.name, str(getattr(self, f.name))) for f in settings_of(type(self)) if f.name != "cloning"]
        yield from sorted(own + [(key, str(getattr(self.cloning, key))) for key, _ in self.cloning.shown()])

    def draw(self, sample: Labelled, streams: Streams) -> Resamples:
        """Refuse: clones are no resamples; :func:`~compendium.methods.run.run_inducers` runs them."""
        raise UsageError(f"{self.id} draws clones, which are no resamples; expected another scheme; run it instead")

    def fits(self, n: int) -> int:
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
        return folds_of(self.k, 2)

    def fits(self, n: int) -> int:
        return self.replicates * folds_of(self.k, n)


@dataclass(frozen=True, eq=False)
class CloneLeftOut(CloneScheme):
    """For each case, clones of the sample without it, tested on that case."""

    name = "leave_one_out_clones"
    tested = "left-out"

    @property
    def samples(self) -> Scheme:
        return self

    def fits(self, n: int) -> int:
        return n * self.replicates
