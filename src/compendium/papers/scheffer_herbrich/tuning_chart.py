"""The chart of the tuning bias, with sliders for test size, accuracy and trials: its numbers and its first picture.

The numbers are computed on the grid of the sliders and stand in the page; its script draws other lines from them.
Without scripts the page shows the first picture and the same numbers as a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import floor, log2, log10
from typing import Any, NamedTuple

from compendium.methods.tuning_bias.distributions import adaptive_bits, bias_bound, greedy_gain, independent_gain


class Grid(NamedTuple):
    """What the sliders run over, and where they stand at first (positions)."""

    sizes: tuple[int, ...]
    accuracies: tuple[float, ...]
    trials: tuple[int, ...]
    start: tuple[int, int, int]


GRID = Grid(
    (50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000, 30_000, 100_000),
    (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98),
    (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000),
    (5, 5, 8),
)

# Ways of seeing the tuning, with the class and the dashes of their lines; two equally frequent classes
SCENARIOS = {
    "Label-spelling search": ("search", ""),
    "Best of t independent": ("blue", ""),
    "Bound, settings listed": ("blue", "6 3"),
    "Bound, adaptive": ("grey", "2 3"),
}

# The area of the lines within the picture, in its units: left, right, top, bottom
AREA = (52, 600, 12, 262)
_DIGITS = 3


def _biases(m: int, accuracy: float, t: int) -> list[float]:
    """Expected bias in points under each scenario, as :func:`compendium.methods.tuning_bias.tuning_bias` has it."""
    hits = floor(accuracy * m + 0.5)
    share = hits / m
    greedy = greedy_gain("one-shot", m, hits, min(m, t // 2), 1, 0.5)
    biases = [
        greedy.mean_above_zero() / m,
        independent_gain("one-shot", m, hits, t, 1).mean() / m,
        bias_bound(log2(t), m, share),
        bias_bound(adaptive_bits(t, m), m, share),
    ]
    return [round(100 * max(0.0, b), _DIGITS) for b in biases]


def bias_grid(grid: Grid = GRID) -> list[list[list[list[float]]]]:
    """Return the biases by test size, accuracy, trials and scenario."""
    return [[[_biases(m, a, t) for t in grid.trials] for a in grid.accuracies] for m in grid.sizes]


def top_of(highest: float) -> float:
    """Return the end of the axis of biases: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10(max(highest, 0.01)))
    return next(step * power for step in (1, 2, 5, 10) if highest <= step * power)


def chart(manifests: Mapping[str, Any], data: Callable[..., Any], grid: Grid = GRID) -> dict[str, Any]:
    """Return the values of the chart's template; no run has a part in them."""
    numbers = bias_grid(grid)
    i, j, k = grid.start
    shown, (left, right, top, bottom) = numbers[i][j], AREA
    end = top_of(max(map(max, shown)))
    across = [left + (right - left) * log10(t) / log10(grid.trials[-1]) for t in grid.trials]
    heights = [[bottom - (bottom - top) * bias / end for bias in biases] for biases in shown]
    return {
        "grid": grid,
        "numbers": {"sizes": grid.sizes, "accuracies": grid.accuracies, "trials": grid.trials, "bias": numbers},
        "scenarios": SCENARIOS,
        "area": AREA,
        "end": end,
        "across": across,
        "lines": [[(x, y[n]) for x, y in zip(across, heights, strict=True)] for n in range(len(SCENARIOS))],
        "cases": grid.sizes[i],
        "accuracy": 100 * grid.accuracies[j],
        "biases": dict(zip(SCENARIOS, shown[k], strict=True)),
        "rows": list(zip(grid.trials, shown, strict=True)),
    }
