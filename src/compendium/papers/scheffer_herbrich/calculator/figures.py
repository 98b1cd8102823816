"""The calculator's pictures: curves over the trials in each scenario, and the map of the greedy optimizer's chances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from compendium.evidence.claims import counted
from compendium.evidence.records import distinct
from compendium.evidence.regenerated import Made, at_base
from compendium.papers.scheffer_herbrich.calculator.experiment import CalculatorParameters
from compendium.papers.scheffer_herbrich.names import SCENARIOS
from compendium.plots.dark import as_drawn
from errorest.plots import BLUE, GREY, VERMILION, Drawn, in_style, legend_of, new_figure, panels

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
def draw_biases(p: CalculatorParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the calculator's expected bias over the trials, a panel a test size."""
    table = at_base(made).data["biases"]
    figure = _curves(table, "m", "bias", lambda m: f"m = {m}", 3.7, "Expected bias, points")
    return Drawn(
        figure,
        "Rising curves of the expected bias against the number of trials, a panel a test size, a line for each way of "
        "tuning. Data in the table below.",
        "How much too good the reported accuracy is on average, under each way of seeing the tuning, at an accuracy of "
        f"{p.accuracy:g} and {p.classes} equal classes.",
    )


@in_style
def draw_sizes(p: CalculatorParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the test size that is needed over the trials, a panel a gain."""
    table = at_base(made).data["sizes"]
    figure = _curves(
        table, "gain", "size", lambda gain: f"Gain {100 * gain:g} %", 3.8, "Test cases needed", yscale="log"
    )
    return Drawn(
        figure,
        "Rising curves of the test cases needed against the number of trials, a panel a gain, a line for each way of "
        "tuning. Data in the table below.",
        "Test size from which on t trials do not buy the gain with a probability of more than "
        f"{100 * p.risk:g} %, at an accuracy of {p.accuracy:g}, under each way of seeing the tuning.",
    )


@in_style
def draw_map(p: CalculatorParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the probability of a gain over test-set size and labels told."""
    one = at_base(made)
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
    gain = counted(100 * p.map_gain, "point")
    return Drawn(
        figure,
        f"Heat map of the probability that told labels gain {gain} of accuracy, over "
        f"test sets of {m[0]:.0f} to {m[-1]:.0f} cases and {c[0]:.0f} to {c[-1]:.0f} labels: a fan of contours from "
        "the origin, with a step at every whole hit.",
        f"Probability that c told labels gain {gain} on m test cases, by equation (4), "
        f"at an accuracy of {p.accuracy:g}. Lines: 5, 50 and 95 %; a step is a whole hit. Grey: more labels "
        "than cases.",
    )
