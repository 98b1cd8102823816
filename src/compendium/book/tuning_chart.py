"""The interactive chart of the tuning bias: sliders for test size, accuracy and trials, drawn offline.

The numbers are computed once, on the grid of the sliders, and written with Vega's scripts into files beside the pages,
since a page opened from a folder may load scripts but fetch nothing.  Without scripts the page shows a picture and the
same numbers as a table.
"""

from __future__ import annotations

import json
from math import floor, log2
from pathlib import Path
from typing import Any, NamedTuple

import vl_convert

from compendium.book.places import write_whole
from compendium.book.templating import TEMPLATES, fill
from compendium.methods.tuning_bias.distributions import adaptive_bits, bias_bound, greedy_gain, independent_gain


class Grid(NamedTuple):
    """What the sliders run over, and where they stand at first (positions)."""

    sizes: tuple[int, ...]
    accuracies: tuple[float, ...]
    trials: tuple[int, ...]
    start: tuple[int, int, int]


# The grid of the book's chart
GRID = Grid(
    (50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000, 30_000, 100_000),
    (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98),
    (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000),
    (5, 5, 8),
)

# The chart in Vega-Lite without its points: bias over trials, a line a scenario, and a rule at the trials chosen
SPEC: dict[str, Any] = json.loads((TEMPLATES / "tuning_chart.json").read_text(encoding="utf-8"))

# Ways of seeing the tuning, in the order of a row of the grid; two equally frequent classes
SCENARIOS: tuple[str, ...] = tuple(SPEC["encoding"]["color"]["scale"]["domain"])

_FOLDER = "tuning-bias"
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
    return [[[_biases(m, a, t) for t in grid.trials] for a in grid.accuracies] for m in grid.sizes]


def write_chart(work: Path, grid: Grid = GRID, to_root: str = "../") -> str:
    """Write the chart's scripts and still picture into a folder of a build, and return the HTML for the page."""
    folder = work / "extra" / _FOLDER
    numbers = bias_grid(grid)
    i, j, k = grid.start
    m, accuracy, t = grid.sizes[i], 100 * grid.accuracies[j], grid.trials[k]
    shown = numbers[i][j]
    biases = dict(zip(SCENARIOS, shown[k], strict=True))
    description = fill("tuning_description.txt", cases=m, accuracy=accuracy, trials=t, biases=biases)
    spec = {**SPEC, "params": [{"name": "t", "value": t}]}
    points = [
        {"t": trials, "bias": bias, "scenario": name}
        for trials, row in zip(grid.trials, shown, strict=True)
        for name, bias in zip(SCENARIOS, row, strict=True)
    ]
    still = {**spec, "data": {"name": "points", "values": points}, "description": description, "width": 620}
    data = {
        "sizes": grid.sizes,
        "accuracies": grid.accuracies,
        "trials": grid.trials,
        "scenarios": SCENARIOS,
        "bias": numbers,
        "spec": spec,
    }
    bundle = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its stub asks for what the function does not
    # a wrapper keeps the library's own names to itself
    write_whole(folder / "vega.js", f"(() => {{\n{bundle}\n}})();\n")
    write_whole(folder / "data.js", f"window.errorestTuning = {json.dumps(data, separators=(',', ':'))};\n")
    write_whole(folder / "chart.svg", vl_convert.vegalite_to_svg(still, vl_version="6.4"))
    return fill(
        "tuning_chart.html",
        to_root=to_root,
        folder=_FOLDER,
        description=description,
        grid=grid,
        shown=f"{m} cases, accuracy {accuracy:g} %",
        scenarios=SCENARIOS,
        rows=list(zip(grid.trials, shown, strict=True)),
    )
