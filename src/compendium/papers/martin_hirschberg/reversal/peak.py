"""Where the expected increase of the error peaks (Figure 17d).

Each of the paper's words has a definition that a program can apply, and an error from redrawing the simulated cells
with their Monte Carlo errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import ndtr

from compendium.evidence.estimate import Estimate

_REDRAWS = 400


@dataclass(frozen=True)
class Peak:
    """The peak of likelihood times difference; height (points) and place are those of the first and the last size."""

    keys: Mapping[str, Estimate]
    heights: tuple[float, float]
    places: tuple[float, float]


def around_peak(increase: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns of the two neighbours around the highest column."""
    last = increase.shape[-1] - 1
    top = increase.argmax(axis=-1)
    left, right = (
        np.take_along_axis(increase, np.clip(top + step, 0, last)[..., None], axis=-1)[..., 0] for step in (-1, 1)
    )
    lower = np.where((top == last) | ((left > right) & (top > 0)), top - 1, top)
    return lower, lower + 1


def slow_from(sizes: np.ndarray, increase: np.ndarray, slow_change: float) -> np.ndarray:
    """Return the size from which the peak changes slowly.

    From there on its height changes from one size to the next by less than
    ``slow_change`` of itself, and its place by no more than one distance.
    """
    height, place = increase.max(axis=-1), increase.argmax(axis=-1)
    change = np.abs(np.diff(height, axis=-1)) / np.maximum(height[..., :-1], np.finfo(float).tiny)
    fast = (change >= slow_change) | (np.abs(np.diff(place, axis=-1)) > 1)
    steps = np.arange(1, fast.shape[-1] + 1)
    return sizes[np.where(fast, steps, 0).max(axis=-1, initial=0)]


def grid_of(cells: pd.DataFrame, column: str) -> np.ndarray:
    """Return a column of the cells by sizes and distances."""
    return cells[column].to_numpy(dtype=float).reshape(cells["n"].nunique(), -1)


def find_peak(cells: pd.DataFrame, slow_change: float, samples: int, rng: np.random.Generator) -> Peak:
    """Find the peak of the product of difference and likelihood."""
    increase, errors, se = (grid_of(cells, c) for c in ("increase", "reversed_error", "reversed_se"))
    distance, sizes = grid_of(cells, "distance")[0], grid_of(cells, "n")[:, 0]
    noise = rng.standard_normal((_REDRAWS, *increase.shape))
    every = np.concatenate([increase[None], increase + noise * grid_of(cells, "increase_se")])
    lower, upper = around_peak(every[:, -1])

    def measured(values: np.ndarray) -> Estimate:
        spread = 0.0 if np.ptp(values) == 0 else float(values[1:].std(ddof=1))
        return Estimate(float(values[0]), spread, samples)

    keys = {
        "peak-lower-distance": measured(distance[lower]),
        "peak-upper-distance": measured(distance[upper]),
        "peak-lower-inherent-percent": measured(100 * ndtr(-distance[upper] / 2)),
        "peak-upper-inherent-percent": measured(100 * ndtr(-distance[lower] / 2)),
    }
    for side, column in (("lower", lower[0]), ("upper", upper[0])):
        true_error = Estimate(float(errors[-1, column]), float(se[-1, column]), samples)
        keys[f"peak-{side}-true-error-percent"] = true_error * 100
    keys["slow-above-N"] = measured(slow_from(sizes, every, slow_change))
    ends = increase[[0, -1]]
    return Peak(keys, tuple(100 * ends.max(axis=1)), tuple(distance[ends.argmax(axis=1)]))
