"""Figures of Martin & Hirschberg (1996), section 3: bias against true error (Figures 6 and 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from errorest.evidence.regenerated import Made, at_base, at_largest
from errorest.papers.martin_hirschberg.discriminant.experiment import READINGS
from errorest.papers.martin_hirschberg.names import NAMES
from errorest.papers.martin_hirschberg.windows.experiment import WindowsParameters
from errorest.papers.martin_hirschberg.windows.statistics import HALF, ROUNDING
from errorest.plots import (
    BLUE,
    COLOURS,
    GREY,
    ORANGE,
    SKY,
    VERMILION,
    Drawn,
    in_style,
    legend_below,
    new_figure,
    panel_title,
    signed,
)

__all__ = ["draw_figure_6", "draw_figure_7"]

_FEWEST = 5
"""Samples in a window whose error bar is drawn in Figure 7."""


def _readings(p: WindowsParameters) -> dict[str, str]:
    return {rule: READINGS[rule].replace(":", ": ") for rule in p.reversal_rules}


def _column_titles(axes: Iterable[Axes], texts: Iterable[str]) -> None:
    for one, text in zip(axes, texts, strict=True):
        one.annotate(
            text,
            (0.5, 1.0),
            xycoords="axes fraction",
            xytext=(0, 26),
            textcoords="offset points",
            ha="center",
            fontweight="bold",
        )


def _said_of_windows(windows: pd.DataFrame) -> str:
    """Say on which side of the diagonal the means of one experiment lie."""
    above = windows["estimate"] > windows["true_error"]
    below_half = windows["window"] < HALF
    return (
        f"{int((above & below_half).sum())} of {int(below_half.sum())} window means below 50 % lie above the diagonal, "
        f"{int((above & ~below_half).sum())} of {int((~below_half).sum())} from 50 % on"
    )


def _experiments(panels: Sequence[Axes], data: Mapping[str, pd.DataFrame], width: float) -> str:
    """Draw one reading: an experiment, its windows, the repeats' means, all splines; say what is seen."""
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
    above = int((scatter["true_error"] > HALF + ROUNDING).sum())
    return (
        f"{above} of {len(scatter)} true errors above 50 %; {_said_of_windows(first)}; {len(outside)} "
        f"of {len(later)} window means of the repeats ({100 * len(outside) / len(later):.1f} %) outside"
    )


@in_style
def draw_figure_6(p: WindowsParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw Figures 6a to 6d, one column for each reading of the reversal rule."""
    result = at_base(made)
    readings = _readings(p)
    figure, grid = new_figure(4, len(readings), 12.0, sharex=True, sharey=True)
    right = 5 * np.ceil((result.data["windows"]["true_error"].max() + 1) / 5)
    top = min(100.0, 5 * np.ceil((result.data["scatter"]["estimate"].max() + 2) / 5))
    titles = ("one experiment", "window means", f"{p.figure_6_repeats} repeats", "all splines")
    texts = []
    for column, (rule, reading) in enumerate(readings.items()):
        for letter, title, axes in zip("abcd", titles, grid[:, column], strict=True):
            axes.plot([0, min(right, top)], [0, min(right, top)], color=GREY, linewidth=1, linestyle="--", zorder=1)
            panel_title(axes, letter, title)
            if column == 0:
                axes.set_ylabel("2-CV* (%)")
        grid[-1, column].set_xlabel("true error (%)")
        own = {name: table[table["rule"] == rule] for name, table in result.data.items()}
        texts.append(f"{reading}: {_experiments(list(grid[:, column]), own, p.window)}")
    grid[0, 0].set_xlim(-2, right)
    grid[0, 0].set_ylim(-2, top)
    _column_titles(grid[0], readings.values())
    n, size = p.sizes[0], p.samples * len(p.inherent_errors)
    return Drawn(
        figure,
        "Four rows of panels, a column for each reading, all with true error across and the 2-CV* estimate upwards, "
        f"N = {n}. Row a: points cluster at the inherent errors. Row b: window means with error bars and a smooth "
        "curve. Row c: means of the repeats and the first experiment's limits. Row d: the curves of all experiments. "
        f"{'. '.join(texts)}.",
        f"Bias against true error, N = {n}. (a) {size} samples; the orange strip is one window of {p.window:g} %. (b) "
        "Mean estimate in each window with two standard errors, pooled as the paper says, and the smoothing spline. "
        f"(c) The same limits (blue) and the means of {p.figure_6_repeats} further experiments: + within, circles "
        f"outside. (d) The splines of all {1 + p.figure_6_repeats} experiments, the first in red. Dashed: no bias. "
        f"{'. '.join(texts)}.",
    )


_CURVES = ("cv-10", "bootstrap-632")


@in_style
def draw_figure_7(p: WindowsParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw Figure 7: bias of 10-CV and 632b over the true error, a row an estimator and a column a reading."""
    scale, result = at_largest(made)
    readings = _readings(p)
    figure, grid = new_figure(2, len(readings), 6.6, sharex=True, sharey=True)
    sizes = sorted(p.sizes)
    colours = dict(zip(sizes, COLOURS * len(sizes), strict=False))
    windows, curves, whole = (result.data[k] for k in ("windows", "curves", "means"))
    texts = []
    for column, (rule, reading) in enumerate(readings.items()):
        for row, name in enumerate(_CURVES):
            axes = grid[row, column]
            axes.axhline(0, color=GREY, linewidth=1, linestyle="--", zorder=1)
            axes.axvline(HALF, color="#C8C8C8", linewidth=1, zorder=1)
            said = []
            for n in sizes:
                means, line = (
                    t[(t["rule"] == rule) & (t["estimator"] == name) & (t["N"] == n)] for t in (windows, curves)
                )
                dense = means[means["n"] >= _FEWEST]
                bars = {"fmt": "none", "ecolor": colours[n], "elinewidth": 0.8, "alpha": 0.4}
                axes.errorbar(dense["true_error"], dense["bias"], 2 * dense["se"], **bars)
                axes.plot(line["true_error"], line["bias"], color=colours[n], zorder=3)
                mean = whole[(whole["rule"] == rule) & (whole["estimator"] == name) & (whole["N"] == n)].iloc[0]
                said.append(f"{mean['bias']:+.2f} ± {2 * mean['se']:.2f} at N = {n}")
            texts.append(f"{NAMES[name].symbol}, {reading}: {', '.join(said)}")
            panel_title(axes, "abcd"[2 * row + column] if len(readings) == 2 else "ab"[row], NAMES[name].symbol)
            axes.yaxis.set_major_formatter(signed())
            if column == 0:
                axes.set_ylabel("bias (points)")
            if row == 1:
                axes.set_xlabel("true error (%)")
    _column_titles(grid[0], readings.values())
    # a few samples of very high true error would flatten everything else
    low, high = curves["bias"].min() if len(curves) else -1.0, curves["bias"].max() if len(curves) else 1.0
    grid[0, 0].set_ylim(max(low - 3, -32), min(high + 5, 20))
    # of few samples no window holds enough for its bar
    dense = windows[windows["n"] >= _FEWEST]
    far = (dense if len(dense) else windows)["true_error"].max()
    grid[0, 0].set_xlim(-1, 5 * np.ceil((far + 2) / 5))
    legend_below(figure, [Line2D([], [], color=colours[n]) for n in sizes], [f"N = {n}" for n in sizes])
    listed = ", ".join(str(n) for n in sizes)
    return Drawn(
        figure,
        "Bias of 10-CV (upper row) and 632b (lower row) against the true error, a column for each reading and a curve "
        f"for each of N = {listed}. Mean bias of the samples below 50 % true error, in points: {'; '.join(texts)}.",
        f"Smoothed bias (estimate minus true error; {scale} scale); bars are two standard errors of windows that "
        f"hold at least {_FEWEST} samples. Dashed: no bias; the upright line is a true error of 50 %. Mean bias of the "
        f"samples below it, in points, with two standard errors: {'; '.join(texts)}.",
    )
