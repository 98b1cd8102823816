"""Figures of Shakhnarovich, El-Yaniv & Baram (2001), sections 4 and 7: kernels, boundaries, and clones of Pima."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from compendium.evidence.results import ArtifactResult, ResultsByScale
from compendium.papers.shakhnarovich.clones.experiment import GAMMAS, ClonesParameters
from compendium.papers.shakhnarovich.uci.experiment import uci_set
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, GREY, ORANGE, VERMILION

__all__ = ["draw_figure_1", "draw_figure_2", "draw_figure_3", "draw_figure_6", "draw_figure_7"]

_LEVELS = 9
_NAMES = {"original": "original", "clone": "clone", "bootstrap-sample": "bootstrap sample"}
_DOT = {"s": 4.0, "linewidths": 0.0, "alpha": 0.55}


def _values(result: ArtifactResult, row: str) -> dict[str, float]:
    return {r.column: r.value for r in result.rows if r.row == row}


@plots.in_style
def draw_figure_1(p: ClonesParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the product kernel, the kernel cut off at bounds, and both at once."""
    result = made.published
    line, surface = result.data["line"], result.data["surface"]
    figure, grid = plots.new_figure(1, 3, 2.7, width_ratios=[1, 1.15, 1])
    size = int(np.sqrt(len(surface)))
    x, y = (surface[k].to_numpy().reshape(size, size) for k in ("x", "y"))
    top = float(surface["corrected"].max())
    for axes, column, letter in ((grid[0, 0], "kernel", "a"), (grid[0, 2], "corrected", "c")):
        z = surface[column].to_numpy().reshape(size, size)
        axes.contourf(x, y, z, levels=np.linspace(1e-9, top, _LEVELS + 1), cmap="Blues")
        axes.set_aspect("equal")
        axes.set_xlabel("first dimension")
        axes.set_xticks([-1, 0, 1])
        axes.set_yticks([-1, 0, 1])
        plots.panel_title(axes, letter, f"peak {z.max():.2f}")
    axes = grid[0, 1]
    low, high = p.bounds
    out = (line["x"] < low) | (line["x"] > high)
    axes.fill_between(line["x"], line["kernel"].where(out), color=ORANGE, alpha=0.5, linewidth=0)
    axes.plot(line["x"], line["kernel"], color=GREY, linestyle="--")
    axes.plot(line["x"], line["corrected"], color=BLUE)
    axes.set_ylim(0, None)
    axes.set_xticks([-1, 0, 1])
    axes.set_xlabel("bandwidths from the case")
    plots.panel_title(axes, "b", "one dimension")
    one, two = _values(result, "one-dimension"), _values(result, "two-dimensions")
    return plots.Drawn(
        figure,
        "Three panels: the product kernel of two dimensions, a dome over a square; a kernel of one dimension cut off "
        f"below {low:g} and above {high:g}, whose rest of {100 * one['share-inside']:.1f} % stands higher; and the "
        f"dome cut off, of which {100 * two['share-inside']:.1f} % are left.",
        "The Epanechnikov kernel 3(1 − x²)/4 around a case at 0. (a) Product kernel in two dimensions, from above; "
        "darker is denser. (b) In one dimension: dashed, the kernel; solid (blue), the corrected kernel; shaded, what "
        "is cut off and made up for inside. (c) The corrected product kernel.",
    )


@plots.in_style
def draw_figure_2(p: ClonesParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the true density, the estimate, and the corrected estimate near the boundary."""
    result = made.published
    curves = result.data["curves"]
    figure, grid = plots.new_figure(1, len(GAMMAS), 3.4)
    looks: dict[str, tuple[dict[str, Any], str]] = {
        "true": ({"color": BLACK, "linestyle": ":"}, "true density"),
        "plain": ({"color": VERMILION, "linestyle": "--"}, "kernel estimate"),
        "corrected": ({"color": BLUE}, "corrected"),
    }
    said = []
    for place, (axes, name) in enumerate(zip(grid[0], GAMMAS, strict=True)):
        own = curves[curves["distribution"] == name]
        for column, (look, _) in looks.items():
            axes.plot(own["x"], own[column], **look)
        axes.axvline(0, color=GREY, linewidth=0.8)
        axes.set_xlabel("value")
        axes.set_ylim(0, None)
        plots.panel_title(axes, "ab"[place], f"Γ({name.removeprefix('gamma(').removesuffix(')').replace(',', ', ')})")
        reduced = _values(result, name)["l1-error-reduction-percent"]
        said.append(f"{name}: {'less' if reduced >= 0 else 'more'} L1 error with the correction, {abs(reduced):.1f} %")
    grid[0, 0].set_ylabel("density")
    plots.legend_below(figure, [Line2D([], [], **look) for look, _ in looks.values()], [t for _, t in looks.values()])
    return plots.Drawn(
        figure,
        "Two densities that end at 0, each with a kernel estimate that leaks below 0 and a corrected one that does "
        "not. Data in the table below.",
        f"Density estimates from {p.gamma_cases:,} cases over one bandwidth to either side of the boundary at 0. "
        f"{'; '.join(said)} in {'this sample' if p.gamma_samples == 1 else 'these samples on average'}.",
    )


@plots.in_style
def draw_figure_3(p: ClonesParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the weights that each case of a small sample of integers spreads over the values."""
    weights = made.published.data["weights"]
    figure, grid = plots.new_figure(len(p.values), 1, 0.9 + 0.85 * len(p.values), sharex=True, sharey=True)
    said = []
    for place, (axes, centre) in enumerate(zip(grid[:, 0], p.values, strict=True)):
        own = weights[weights["centre"] == centre]
        axes.bar(own["value"], own["weight"], width=0.35, color=COLOURS[place % len(COLOURS)])
        axes.set_ylim(0, 1)
        axes.set_yticks([0, 1])
        axes.set_ylabel(f"$x_{{{place + 1}}}$ = {centre}", rotation=0, ha="right", va="center")
        at = own.set_index("value")["weight"]
        said.append(f"{centre} stays {centre} with weight {at[centre]:.2f}")
    grid[-1, 0].set_xticks(p.values)
    grid[-1, 0].set_xlabel("value")
    return plots.Drawn(
        figure,
        f"Bars of weights over the values {', '.join(map(str, p.values))}, a row for each case.",
        "Discrete kernels: with which chance does a case of the sample, one a row, become which of the values that "
        f"were seen? Near values are likelier; {'; '.join(said)}.",
    )


def _scatter(axes: Any, points: pd.DataFrame, classes: list[str]) -> None:
    for number, name in enumerate(classes):
        own = points[points["class"] == name]
        axes.scatter(own["x"], own["y"], color=COLOURS[number % len(COLOURS)], **_DOT)


def _draw_points(p: ClonesParameters, points: pd.DataFrame, pairs: list[list[int]]) -> tuple[Any, list[str]]:
    whole = uci_set(p.data_set)
    samples = list(dict.fromkeys(points["sample"]))
    classes = list(whole.classes)
    figure, grid = plots.new_figure(len(samples), len(pairs), 0.9 + 2.0 * len(samples), sharex="col", sharey="col")
    said = []
    for column, pair in enumerate(pairs):
        x, y = (whole.attributes[k - 1].name for k in pair)
        for row, name in enumerate(samples):
            axes = grid[row, column]
            own = points[(points["sample"] == name) & (points["x_attribute"] == pair[0])]
            own = own[own["y_attribute"] == pair[1]]
            _scatter(axes, own, classes)
            plots.panel_title(axes, "abcdefghi"[row * len(pairs) + column], _NAMES[name])
            axes.set_ylabel(f"{pair[1]} ({y})")
        grid[-1, column].set_xlabel(f"{pair[0]} ({x})")
        said.append(f"attributes {pair[0]} ({x}) and {pair[1]} ({y})")
    handles = [
        Line2D([], [], color=COLOURS[k % len(COLOURS)], marker="o", linestyle="none", markersize=4)
        for k in range(len(classes))
    ]
    plots.legend_below(figure, handles, [f"class {c}" for c in classes])
    return figure, said


@plots.in_style
def draw_figure_6(p: ClonesParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the data set above a clone of it, for each pair of attributes."""
    result = made.published
    figure, said = _draw_points(p, result.data["points"], p.pairs)
    correlations = []
    for i, j in p.pairs:
        found = _values(result, f"attributes={i},{j}")
        correlations.append(
            f"correlation of {i} and {j}: {found['correlation/original']:.2f} in the data, "
            f"{found['correlation/clone']:.2f} in the clone"
        )
    return plots.Drawn(
        figure,
        f"Scatter plots of {p.data_set}, the data above and one clone below, for {' and for '.join(said)}. Data in the "
        "table below.",
        f"The whole of {p.data_set} (above) and one clone of as many cases (below), two attributes at a time. "
        f"{'; '.join(correlations).capitalize()}. Which pairs the paper drew is not said.",
    )


@plots.in_style
def draw_figure_7(p: ClonesParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the data set, a clone and a bootstrap sample where many cases share a value."""
    result = made.published
    figure, said = _draw_points(p, result.data["points"], [p.spike])
    counts = {name: _values(result, name) for name in _NAMES}
    told = "; ".join(
        f"{_NAMES[name]}: {found['distinct-points']:.0f} distinct points, {100 * found['share-at-spike']:.0f} % of the "
        "cases at the most frequent value"
        for name, found in counts.items()
    )
    printed = {(r["row"], r["column"]): r["value"] for r in published.to_dict("records")}
    against = ", ".join(
        f"{_NAMES[name]} {printed[name, 'distinct-points']}" for name in _NAMES if (name, "distinct-points") in printed
    )
    return plots.Drawn(
        figure,
        f"Three scatter plots of {' and '.join(said)}: the data, a clone, a bootstrap sample. Data in the table below.",
        f"The data, one clone and one bootstrap sample of {p.data_set}. {told[0].upper()}{told[1:]}"
        + (f". Distinct points as printed: {against}." if against else "."),
    )
