"""Figures of Martin & Hirschberg (1996), section 3: bias against true error (Figures 6 and 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from compendium.evidence.results import ResultsByScale
from compendium.papers.martin_hirschberg.discriminant.experiment import READINGS
from compendium.papers.martin_hirschberg.names import NAMES
from compendium.papers.martin_hirschberg.windows.curves import HALF
from compendium.papers.martin_hirschberg.windows.experiment import WindowsParameters
from errorest import plots
from errorest.plots import BLUE, GREY, ORANGE, SKY, VERMILION
from errorest.plots.beside import over_columns

_FEWEST = 5
"""Samples in a window whose error bar is drawn in Figure 7."""


def _readings(p: WindowsParameters) -> dict[str, str]:
    return {rule: READINGS[rule].replace(":", ": ") for rule in p.reversal_rules}


def _experiments(panels: Sequence[Axes], data: Mapping[str, pd.DataFrame], width: float) -> None:
    """Draw one reading: an experiment, its windows, the repeats' means, all splines."""
    a, b, c, d = panels
    scatter, windows, splines = (data[name] for name in ("scatter", "windows", "splines"))
    first, later = windows[windows["set"] == 0], windows[windows["set"] > 0]
    points: dict[str, Any] = {"color": BLUE, "markersize": 3.5, "alpha": 0.45, "markeredgewidth": 0}
    a.plot(scatter["true_error"], scatter["estimate"], ".", **points)
    # an example of a window: the fullest one where the points do not cover it
    middle = first[first["window"].between(20, 45)].sort_values("n")
    strip = float(middle["window"].iloc[-1]) if len(middle) else 0.0
    a.axvspan(strip - width / 2, strip + width / 2, color=ORANGE, alpha=0.35, linewidth=0)
    bars: dict[str, Any] = {"x": first["true_error"], "y": first["estimate"], "yerr": 2 * first["se"]}
    b.errorbar(**bars, fmt="o", color=BLUE, markersize=3.5, elinewidth=1.1, capsize=0)
    c.errorbar(**bars, fmt="none", ecolor=SKY, elinewidth=3.2, alpha=0.8, zorder=1)
    inside, outside = later[~later["outside"]], later[later["outside"]]
    c.plot(inside["true_error"], inside["estimate"], "+", color=GREY, markersize=5)
    hollow: dict[str, Any] = {"markerfacecolor": "none", "color": VERMILION, "markersize": 5.5}
    c.plot(outside["true_error"], outside["estimate"], "o", **hollow)
    for number, line in splines.groupby("set", sort=True):
        look: dict[str, Any] = {"color": VERMILION, "zorder": 3} if number == 0 else {"color": GREY, "linewidth": 0.9}
        for axes in (d, b) if number == 0 else (d,):
            axes.plot(line["true_error"], line["estimate"], **look)


@plots.in_style
def draw_figure_6(p: WindowsParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw Figures 6a to 6d, one column for each reading of the reversal rule."""
    result = made.published
    readings = _readings(p)
    figure, grid = plots.new_figure(4, len(readings), 12.0, sharex=True, sharey=True)
    right = 5 * np.ceil((result.data["windows"]["true_error"].max() + 1) / 5)
    top = min(100.0, 5 * np.ceil((result.data["scatter"]["estimate"].max() + 2) / 5))
    titles = ("one experiment", "window means", f"{p.figure_6_repeats} repeats", "all splines")
    for column, rule in enumerate(readings):
        for letter, title, axes in zip("abcd", titles, grid[:, column], strict=True):
            axes.plot([0, min(right, top)], [0, min(right, top)], color=GREY, linewidth=1, linestyle="--", zorder=1)
            plots.panel_title(axes, f"{letter}{column + 1}" if len(readings) > 1 else letter, title)
            if column == 0:
                axes.set_ylabel("2-CV* (%)")
        grid[-1, column].set_xlabel("true error (%)")
        own = {name: table[table["rule"] == rule] for name, table in result.data.items()}
        _experiments(list(grid[:, column]), own, p.window)
    grid[0, 0].set_xlim(-2, right)
    grid[0, 0].set_ylim(-2, top)
    over_columns(grid[0], readings.values(), 26)
    n, size = p.sizes[0], p.samples * len(p.inherent_errors)
    return plots.Drawn(
        figure,
        f"Estimates by 2-CV* against the true error, N = {n}: points of one experiment, its window means with their "
        f"spline, the means of {p.figure_6_repeats} repeats, and all splines, about the diagonal. Data in the table "
        "below.",
        f"Bias against true error, N = {n}. (a) {size} samples; the orange strip is one window of {p.window:g} %. (b) "
        "Mean estimate in each window with two standard errors, pooled as the paper says, and the smoothing spline. "
        f"(c) The same limits as pale bars and the means of {p.figure_6_repeats} further experiments: + within, open "
        f"circles outside. (d) The splines of all {1 + p.figure_6_repeats} experiments, the first thicker (red). "
        "Dashed: no bias.",
    )


_CURVES = ("cv-10", "bootstrap-632")
_LOOKS = ({"color": BLUE, "fmt": "o"}, {"color": VERMILION, "fmt": "s"})
_SHAPES = ("circles", "squares")


@plots.in_style
def draw_figure_7(p: WindowsParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw Figure 7: bias of 10-CV and 632b over the true error, a row a sample size and a column an estimator.

    Window means with their errors are drawn and no spline through them: its swings look like findings.
    """
    scale, result = made.largest
    windows = result.data["windows"]
    dense = windows[windows["n"] >= _FEWEST]
    shown = dense if len(dense) else windows
    sizes, readings = sorted(p.sizes), _readings(p)
    figure, grid = plots.new_figure(len(sizes), len(_CURVES), 1.0 + 1.9 * len(sizes), sharex=True, sharey="row")
    for row, n in enumerate(sizes):
        for column, name in enumerate(_CURVES):
            axes = grid[row, column]
            axes.axhline(0, color=GREY, linewidth=1, linestyle="--", zorder=1)
            axes.axvline(HALF, color="#C8C8C8", linewidth=1, zorder=1)
            for place, rule in enumerate(readings):
                own = shown[(shown["rule"] == rule) & (shown["estimator"] == name) & (shown["N"] == n)]
                look: dict[str, Any] = {**_LOOKS[place % len(_LOOKS)], "markersize": 3.5, "elinewidth": 0.9}
                axes.errorbar(own["true_error"] + 0.5 * place, own["bias"], 2 * own["se"], **look)
            plots.panel_title(axes, "abcdefghijkl"[2 * row + column], f"{NAMES[name].symbol}, N = {n}")
            axes.yaxis.set_major_formatter(plots.signed())
            axes.grid(axis="y")
        grid[row, 0].set_ylabel("bias (points)")
    for axes in grid[-1]:
        axes.set_xlabel("true error (%)")
    grid[0, 0].set_xlim(-1, 5 * np.ceil((shown["true_error"].max() + 2) / 5))
    marks = [Line2D([], [], color=k["color"], marker=k["fmt"], linestyle="none") for k in _LOOKS]
    plots.legend_below(figure, marks[: len(readings)], list(readings.values()))
    shapes = " and ".join(f"{_SHAPES[k]}: {reading}" for k, reading in enumerate(readings.values()))
    return plots.Drawn(
        figure,
        f"Bias of 10-CV (left) and 632b (right) against the true error, window means with bars, a row for each of N = "
        f"{', '.join(str(n) for n in sizes)}. Data in the table below.",
        f"Mean of estimate minus true error in windows of {p.window:g} % that hold at least {_FEWEST} samples, with "
        f"two standard errors ({scale} scale); filled {shapes}. Dashed: no bias; the upright line is a true error of "
        "50 %.",
    )
