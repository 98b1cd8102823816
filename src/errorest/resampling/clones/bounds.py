"""Bounds between which the continuous attributes of a clone must stay."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, nan
from typing import Any

import numpy as np

from errorest.data.sample import Sample
from errorest.errors import UsageError, nearest


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
    stated = _by_name(sample, bounds) if isinstance(bounds, Mapping) else _by_row(sample, bounds, numeric)
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


def _by_name(sample: Sample, bounds: Mapping[Any, Any]) -> dict[int, Any]:
    names = [a.name for a in sample.attributes]
    for name in bounds:
        if name not in names:
            raise UsageError(
                f"bounds are stated for '{name}', which is no attribute; expected names of attributes; "
                + nearest(str(name), names)
            )
        if sample.attributes[names.index(name)].kind == "nominal":
            raise UsageError(
                f"bounds are stated for '{name}', which is nominal; expected a continuous or integer attribute; "
                "leave it out"
            )
    return {names.index(name): pair for name, pair in bounds.items()}


def _by_row(sample: Sample, bounds: Any, numeric: list[int]) -> dict[int, Any]:
    try:
        rows = np.asarray(bounds, dtype=np.float64)
    except (TypeError, ValueError):
        rows = np.empty(0)
    if rows.shape != (sample.d, 2):
        raise UsageError(
            f"bounds are no array of shape ({sample.d}, 2); expected a low and a high number for each of the "
            f"{sample.d} attributes; state them so, or by name"
        )
    return {j: rows[j] for j in numeric}


def ordered_pair(name: str, pair: Any) -> tuple[float, float]:
    """Return a low and a high bound; None is infinite."""
    try:
        low, high = (float(side if v is None else v) for v, side in zip(pair, (-inf, inf), strict=True))
    except (TypeError, ValueError):
        low, high = nan, nan
    if not low <= high:
        raise UsageError(f"the bounds of {name} are {pair!r}; expected two numbers, the lower one first")
    return low, high
