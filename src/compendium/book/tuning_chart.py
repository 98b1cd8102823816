"""The interactive chart of the tuning bias: sliders for test size, accuracy and trials, drawn offline.

At staging the numbers are computed once, on a grid that the sliders run over, and written with Vega's
scripts into the stage's ``extra`` folder; a page opened from a folder may load scripts but fetch nothing.
Without scripts the page shows a drawn chart and the same numbers as a table.
"""

from __future__ import annotations

import json
from math import floor, log2
from pathlib import Path
from typing import Any, NamedTuple

import vl_convert

from compendium.book.places import write_whole
from compendium.book.templating import fill
from errorest.tuning_bias.gains import adaptive_bits, bias_bound, greedy_gain, independent_gain

__all__ = ["write_chart"]


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
"""The grid of the book's chart."""

SCENARIOS = ("Greedy worst case", "Best of t independent", "Bound, settings listed", "Bound, adaptive")
"""Ways of seeing the tuning, in the order of a row of the grid; two equally frequent classes."""

_COLOURS = ("#D55E00", "#0072B2", "#0072B2", "#6B6B6B")
_DASHES = ([1, 0], [1, 0], [6, 3], [2, 3])
_FOLDER = "tuning-bias"
_DIGITS = 3


def _biases(m: int, accuracy: float, t: int) -> list[float]:
    """Expected bias in points under each scenario, as :func:`errorest.tuning_bias.tuning_bias` has it."""
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
    """Calculate the expected bias, in points, over the grid."""
    return [[[_biases(m, a, t) for t in grid.trials] for a in grid.accuracies] for m in grid.sizes]


def _points(numbers: list[list[float]], grid: Grid) -> list[dict[str, Any]]:
    """Unfold one size and accuracy of the grid to a line a point, as the chart reads them."""
    return [
        {"t": t, "bias": bias, "scenario": name}
        for t, row in zip(grid.trials, numbers, strict=True)
        for name, bias in zip(SCENARIOS, row, strict=True)
    ]


def chart_spec(points: list[dict[str, Any]], trials: int, description: str) -> dict[str, Any]:
    """Write the chart in Vega-Lite: bias over trials, a line a scenario, and a rule at the trials chosen."""
    style = {"domain": list(SCENARIOS)}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "description": description,
        "width": "container",
        "height": 300,
        "background": "white",
        "padding": {"left": 4, "right": 14, "top": 6, "bottom": 4},
        "autosize": {"type": "fit-x", "contains": "padding"},
        "params": [{"name": "t", "value": trials}],
        "data": {"name": "points", "values": points},
        "encoding": {
            "x": {
                "field": "t",
                "type": "quantitative",
                "scale": {"type": "log"},
                "axis": {"title": "Settings tried, t", "values": [1, 3, 10, 30, 100, 300, 1000], "format": "d"},
            },
            "y": {"field": "bias", "type": "quantitative", "axis": {"title": "Expected bias, points"}},
            "color": {
                "field": "scenario",
                "type": "nominal",
                "scale": {**style, "range": list(_COLOURS)},
                "legend": {
                    "title": None,
                    "orient": "bottom",
                    "columns": 1,
                    "symbolType": "stroke",
                    "labelLimit": 240,
                    "symbolSize": 400,
                    "symbolStrokeWidth": 2.5,
                },
            },
            "strokeDash": {"field": "scenario", "type": "nominal", "scale": {**style, "range": list(_DASHES)}},
        },
        "layer": [
            {"mark": {"type": "line", "strokeWidth": 2.5}},
            {
                "transform": [{"filter": "datum.t == t"}],
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1, "strokeDash": [1, 0]},
            },
            {
                "transform": [{"filter": "datum.t == t"}, {"aggregate": [], "groupby": ["t"]}],
                "mark": {"type": "rule", "color": "#444444"},
                "encoding": {"y": None, "color": None, "strokeDash": None},
            },
        ],
        "config": {
            "font": "sans-serif",
            "axis": {"labelFontSize": 13, "titleFontSize": 13, "titleFontWeight": "normal", "gridColor": "#E3E3E3"},
            "legend": {"labelFontSize": 13},
            "view": {"stroke": None},
        },
    }


def write_chart(stage: Path, grid: Grid = GRID, to_root: str = "../") -> str:
    """Write the chart's scripts and still picture into a stage, and return the HTML for the page."""
    folder = stage / "extra" / _FOLDER
    numbers = bias_grid(grid)
    i, j, k = grid.start
    m, accuracy, t = grid.sizes[i], grid.accuracies[j], grid.trials[k]
    shown = numbers[i][j]
    biases = "; ".join(f"{name.lower()} {bias:.2f}" for name, bias in zip(SCENARIOS, shown[k], strict=True))
    description = (
        f"Lines of the expected bias in points over the number of settings tried, for {m} test cases and an accuracy "
        f"of {100 * accuracy:g} %. With {t} settings: {biases}."
    )
    spec = chart_spec(_points(shown, grid), t, description)
    bundle = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its stub asks for what the function does not
    # a wrapper keeps the library's own names to itself
    write_whole(folder / "vega.js", f"(() => {{\n{bundle}\n}})();\n")
    data = {
        "sizes": grid.sizes,
        "accuracies": grid.accuracies,
        "trials": grid.trials,
        "scenarios": SCENARIOS,
        "bias": numbers,
        "spec": {**spec, "data": {"name": "points"}, "description": "Expected bias over the settings tried."},
    }
    write_whole(folder / "data.js", f"window.errorestTuning = {json.dumps(data, separators=(',', ':'))};\n")
    write_whole(folder / "chart.svg", vl_convert.vegalite_to_svg({**spec, "width": 620}, vl_version="6.4"))
    return fill(
        "tuning_chart.html",
        to_root=to_root,
        folder=_FOLDER,
        description=description,
        sliders=[
            ("size", "Test size", len(grid.sizes) - 1, i),
            ("accuracy", "Accuracy", len(grid.accuracies) - 1, j),
            ("trials", "Settings tried", len(grid.trials) - 1, k),
        ],
        shown=f"{m} cases, accuracy {100 * accuracy:g} %",
        scenarios=SCENARIOS,
        rows=list(zip(grid.trials, shown, strict=True)),
        chosen=k,
    )
