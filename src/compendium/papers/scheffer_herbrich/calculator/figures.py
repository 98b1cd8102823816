"""The calculator's pictures: curves over the trials in each scenario, and the map of the greedy optimizer's chances."""

from __future__ import annotations

from typing import Any

import pandas as pd

from compendium.evidence.claims import counted
from compendium.evidence.records import distinct
from compendium.evidence.results import ResultsByScale
from compendium.papers.scheffer_herbrich.calculator.experiment import CalculatorParameters
from compendium.papers.scheffer_herbrich.names import SCENARIOS
from compendium.plots.dark import keep_colours
from compendium.plots.picture import Drawing, Picture
from errorest.plots import BLUE, GREY, VERMILION, in_style, new_figure

_LOOKS: dict[str, dict[str, Any]] = {
    "greedy": {"color": VERMILION, "linestyle": "-"},
    "independent": {"color": BLUE, "linestyle": "-"},
    "listed": {"color": BLUE, "linestyle": (0, (4, 2))},
    "adaptive": {"color": GREY, "linestyle": (0, (1, 1.5))},
}


def _draw_curves(table: pd.DataFrame, panels: tuple[str, dict[Any, str]], value: str, height: float, y: str) -> Picture:
    """Draw a value over the trials, a line a scenario."""
    by, titles = panels
    picture = Picture(height, titles, by, columns=len(titles), x="Trials, t", y=y, sharey=True)
    how: dict[str, Any] = {"by": "scenario", "looks": _LOOKS, "names": lambda scene: SCENARIOS[scene].heading}
    picture.lines(table, "trials", value, **how)
    picture.limits(xscale="log")
    return picture


def draw_biases(p: CalculatorParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the calculator's expected bias over the trials, a panel a test size."""
    table = made.published.data["biases"]
    titles = {m: f"m = {m}" for m in distinct(table["m"])}
    return _draw_curves(table, ("m", titles), "bias", 3.7, "Expected bias, points").done(columns=2)


def draw_sizes(p: CalculatorParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the test size that is needed over the trials, a panel a gain."""
    table = made.published.data["sizes"]
    titles = {gain: f"Gain {100 * gain:g} %" for gain in distinct(table["gain"])}
    picture = _draw_curves(table, ("gain", titles), "size", 3.8, "Test cases needed")
    picture.limits(yscale="log")
    return picture.done(columns=2)


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
    for selected in (lines, *axes.clabel(lines, fmt=lambda level: f"{level:g} %")):
        keep_colours(selected)
    bar = figure.colorbar(mesh, ax=axes)
    bar.set_label("Probability of the gain, %")
    axes.set(xlabel="Test cases, m", ylabel="Labels told, c")
    facts = {"gain": counted(100 * p.map_gain, "point"), "m_low": m[0], "m_high": m[-1]}
    return Drawing(figure, facts={**facts, "c_low": c[0], "c_high": c[-1]})
