"""The interactive chart of the tuning bias: sliders for test size, accuracy and trials, drawn offline.

At staging the numbers are computed once, on a grid that the sliders run over, and written with Vega's
scripts into the stage's ``extra`` folder; a page opened from a folder may load scripts but fetch nothing.
Without scripts the page shows a drawn chart and the same numbers as a table.
"""

from __future__ import annotations

import json
from html import escape
from math import floor, log2
from pathlib import Path
from typing import Any, NamedTuple

import vl_convert

from compendium.book.places import write_whole
from errorest.tuning_bias import bias_bound
from errorest.tuning_bias.gains import adaptive_bits, greedy_gain, independent_gain

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
_IN_THE_DARK = {"#D55E00": "#F0884A", "#0072B2": "#56B4E9", "#6B6B6B": "#B4B4B4", "#444444": "#E4E4E4"}
"""What stands for the drawing's colours on a dark page."""
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


_SCRIPT = """(() => {
  const data = __DATA__;
  const place = document.getElementById("tuning-chart");
  const inputs = ["size", "accuracy", "trials"].map((name) => document.getElementById(`tuning-${name}`));
  const percent = (a) => `${Math.round(1000 * a) / 10} %`;
  const whole = (n) => n.toLocaleString("en").replaceAll(",", "\u202f");
  const text = [(i) => `${whole(data.sizes[i])} cases`, (i) => percent(data.accuracies[i]),
    (i) => (i ? `${whole(data.trials[i])} settings` : "1 setting")];
  const now = () => inputs.map((input) => Number(input.value));
  const points = ([m, a]) => data.trials.flatMap((t, i) =>
    data.scenarios.map((scenario, k) => ({ t, scenario, bias: data.bias[m][a][i][k] })));
  let view = null;
  function tell() {
    const at = now();
    inputs.forEach((input, i) => {
      input.setAttribute("aria-valuetext", text[i](at[i]));
      document.getElementById(`${input.id}-value`).textContent = text[i](at[i]);
    });
    const chosen = data.bias[at[0]][at[1]][at[2]];
    document.getElementById("tuning-answer").textContent =
      `${text[0](at[0])}, accuracy ${text[1](at[1])}, ${text[2](at[2])} tried: ` +
      data.scenarios.map((name, k) => `${name.toLowerCase()} ${chosen[k].toFixed(2)}`).join("; ") + " points.";
    document.getElementById("tuning-shown").textContent = `${text[0](at[0])}, accuracy ${text[1](at[1])}`;
    document.querySelectorAll("#tuning-table tbody tr").forEach((row, i) => {
      row.classList.toggle("tuning-chosen", i === at[2]);
      [...row.querySelectorAll("td")].forEach((cell, k) => {
        cell.textContent = data.bias[at[0]][at[1]][i][k].toFixed(2);
      });
    });
    if (view) view.data("points", points(at)).signal("t", data.trials[at[2]]).runAsync();
  }
  inputs.forEach((input) => input.addEventListener("input", tell));
  document.getElementById("tuning-controls").hidden = false;
  tell();
  if (window.vegaEmbed) {
    const still = place.innerHTML;
    const spec = structuredClone(data.spec);
    spec.data.values = points(now());
    window.vegaEmbed(place, spec, { actions: false, renderer: "svg" })
      .then((made) => { view = made.view; tell(); })
      .catch(() => { place.innerHTML = still; });
  }
})();
"""


def write_chart(stage: Path, grid: Grid = GRID, to_root: str = "../") -> str:
    """Write the chart's scripts and still picture into a stage, and return the HTML for the page."""
    folder = stage / "extra" / _FOLDER
    numbers = bias_grid(grid)
    i, j, k = grid.start
    m, accuracy, t = grid.sizes[i], grid.accuracies[j], grid.trials[k]
    shown = numbers[i][j]
    said = "; ".join(f"{name.lower()} {bias:.2f}" for name, bias in zip(SCENARIOS, shown[k], strict=True))
    description = (
        f"Lines of the expected bias in points over the number of settings tried, for {m} test cases and an accuracy "
        f"of {100 * accuracy:g} %. With {t} settings: {said}."
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
    text = json.dumps(data, separators=(",", ":"))
    write_whole(folder / "chart.js", _SCRIPT.replace("__DATA__", text))
    write_whole(folder / "chart.svg", vl_convert.vegalite_to_svg({**spec, "width": 620}, vl_version="6.4"))
    return _html(grid, shown, description, f"{to_root}{_FOLDER}/")


def _html(grid: Grid, shown: list[list[float]], description: str, files: str) -> str:
    i, j, k = grid.start
    sliders = "".join(
        _slider(name, label, len(values), at)
        for name, label, values, at in (
            ("size", "Test size", grid.sizes, i),
            ("accuracy", "Accuracy", grid.accuracies, j),
            ("trials", "Settings tried", grid.trials, k),
        )
    )
    heads = "".join(f'<th scope="col">{name}</th>' for name in SCENARIOS)
    rows = "".join(
        f'<tr{_chosen(n == k)}><th scope="row">{t}</th>{"".join(f"<td>{bias:.2f}</td>" for bias in row)}</tr>'
        for n, (t, row) in enumerate(zip(grid.trials, shown, strict=True))
    )
    where = f"{grid.sizes[i]} cases, accuracy {100 * grid.accuracies[j]:g} %"
    caption = f'<caption>Expected bias in points of accuracy: <span id="tuning-shown">{where}</span></caption>'
    still = f'<img src="{files}chart.svg" alt="{escape(description)}"/>'
    # the drawing takes its width from the inner box, which has no padding
    picture = f'<div class="tuning-frame"><div id="tuning-chart">{still}</div></div>'
    return "\n".join(
        [
            '<div class="errorest-chart">',
            f"<style>{_STYLE}</style>",
            f'<div id="tuning-controls" role="group" aria-label="What was tuned" hidden>{sliders}</div>',
            picture,
            '<p id="tuning-answer" role="status"></p>',
            '<div class="errorest-scroll" tabindex="0" role="region" aria-label="The numbers of the chart">',
            f'<table id="tuning-table" class="errorest-table">{caption}',
            f'<thead><tr><th scope="col">Settings tried</th>{heads}</tr></thead><tbody>{rows}</tbody></table>',
            "</div>",
            f'<script src="{files}vega.js" defer></script>',
            f'<script src="{files}chart.js" defer></script>',
            "</div>",
        ]
    )


def _chosen(here: bool) -> str:
    return ' class="tuning-chosen"' if here else ""


def _slider(name: str, label: str, steps: int, at: int) -> str:
    return (
        f'<p class="tuning-slider"><label for="tuning-{name}">{label}</label>'
        f'<input id="tuning-{name}" type="range" min="0" max="{steps - 1}" step="1" value="{at}" autocomplete="off"/>'
        f'<output id="tuning-{name}-value" for="tuning-{name}"></output></p>'
    )


_STYLE = (
    ".errorest-chart{margin:1.2rem 0}"
    ".tuning-slider{align-items:center;display:grid;gap:.2rem .8rem;grid-template-columns:8.5rem 1fr 8rem;"
    "margin:.35rem 0;max-width:44rem}"
    ".tuning-slider input{accent-color:var(--pst-color-primary);min-width:0;width:100%}"
    ".tuning-slider output{font-variant-numeric:tabular-nums;text-align:right}"
    "@media (max-width:30rem){.tuning-slider{grid-template-columns:1fr auto}"
    ".tuning-slider input{grid-column:1/-1;grid-row:2}}"
    ".tuning-frame{background:#fff;border:1px solid var(--pst-color-border);border-radius:.4rem;margin:.8rem 0;"
    "max-width:44rem;padding:.4rem}"
    'html[data-theme="dark"] .tuning-frame,html[data-theme="dark"] .tuning-frame .background{'
    "background:transparent;fill:transparent}"
    # the drawing brings a ground of its own, inline
    'html[data-theme="dark"] .tuning-frame svg{background-color:transparent!important}'
    'html[data-theme="dark"] .tuning-frame text{fill:var(--pst-color-text-base)}'
    'html[data-theme="dark"] .tuning-frame .role-axis-grid line{stroke:var(--pst-color-border)}'
    "#tuning-chart{width:100%}"
    "#tuning-chart img{display:block;height:auto;max-width:100%}"
    ".errorest-table tbody tr.tuning-chosen :is(th,td){background:var(--errorest-head);font-weight:650}"
    + "".join(
        f'html[data-theme="dark"] .tuning-frame [{what}="{light}"]{{{what}:{dark}}}'
        for what in ("stroke", "fill")
        for light, dark in _IN_THE_DARK.items()
    )
)
