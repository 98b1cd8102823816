"""The calculator's pictures: curves over the trials in each scenario, and the map of the greedy optimizer's chances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from compendium.evidence.claims import counted
from compendium.evidence.records import distinct
from compendium.evidence.results import ResultsByScale
from compendium.papers.scheffer_herbrich.calculator.experiment import CalculatorParameters
from compendium.papers.scheffer_herbrich.names import SCENARIOS
from compendium.plots.dark import as_drawn
from compendium.plots.picture import Drawing
from errorest.plots import BLUE, GREY, VERMILION, in_style, legend_of, new_figure, panels

__all__ = ["draw_biases", "draw_map", "draw_sizes"]

_LOOKS: dict[str, dict[str, Any]] = {
    "greedy": {"color": VERMILION, "linestyle": "-"},
    "independent": {"color": BLUE, "linestyle": "-"},
    "listed": {"color": BLUE, "linestyle": (0, (4, 2))},
    "adaptive": {"color": GREY, "linestyle": (0, (1, 1.5))},
}


def _curves(
    table: pd.DataFrame, by: str, value: str, title: Callable[[Any], str], height: float, up: str, **scales: str
) -> Figure:
    """Draw a value over the trials, a panel for each value of ``by`` and a line a scenario."""
    shown = distinct(table[by])
    titles = [title(one) for one in shown]
    figure, drawn = panels(titles, lambda _: height, columns=len(shown), across="Trials, t", up=up, sharey=True)
    for one, axes in zip(shown, drawn, strict=True):
        for scene, look in _LOOKS.items():
            own = table[(table[by] == one) & (table["scenario"] == scene)]
            axes.plot(own["trials"], own[value], **look)
        axes.set(xscale="log", **scales)
        axes.grid()
    legend_of(figure, {name.heading: _LOOKS[scene] for scene, name in SCENARIOS.items()}, columns=2)
    return figure


@in_style
def draw_biases(p: CalculatorParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the calculator's expected bias over the trials, a panel a test size."""
    table = made.published.data["biases"]
    figure = _curves(table, "m", "bias", lambda m: f"m = {m}", 3.7, "Expected bias, points")
    return Drawing(figure)


@in_style
def draw_sizes(p: CalculatorParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the test size that is needed over the trials, a panel a gain."""
    table = made.published.data["sizes"]
    figure = _curves(
        table, "gain", "size", lambda gain: f"Gain {100 * gain:g} %", 3.8, "Test cases needed", yscale="log"
    )
    return Drawing(figure)


@in_style
def draw_map(p: CalculatorParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the probability of a gain over test-set size and labels told."""
    one = made.published
    table = one.data["map"].pivot_table(index="c", columns="m", values="probability", dropna=False)
    figure, grid = new_figure(height=4.4)
    axes = grid[0, 0]
    m, c, chance = table.columns.to_numpy(float), table.index.to_numpy(float), 100 * table.to_numpy()
    axes.set_facecolor("#E3E3E3")
    mesh = axes.pcolormesh(m, c, chance, cmap="cividis", vmin=0, vmax=100, shading="nearest", rasterized=True)
    lines = axes.contour(m, c, chance, levels=[5, 50, 95], colors=["white", "white", "black"], linewidths=1.2)
    for kept in (lines, *axes.clabel(lines, fmt=lambda level: f"{level:g} %")):
        as_drawn(kept)
    bar = figure.colorbar(mesh, ax=axes)
    bar.set_label("Probability of the gain, %")
    axes.set(xlabel="Test cases, m", ylabel="Labels told, c")
    facts = {"gain": counted(100 * p.map_gain, "point"), "m_low": m[0], "m_high": m[-1]}
    return Drawing(figure, facts={**facts, "c_low": c[0], "c_high": c[-1]})
