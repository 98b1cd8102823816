"""Figures of the coverage study: a map of all intervals, their widths, a close-up of small samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
from matplotlib.lines import Line2D

from compendium.evidence.regenerated import Made, at_largest
from compendium.guide import marks
from compendium.guide.coverage.experiment import METHODS, RECOMMENDED
from compendium.guide.coverage.own_inducers import CoverageParameters
from compendium.guide.names import INTERVALS, TARGETS
from compendium.plots.dark import as_drawn
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, FONT_SIZE, GREY, VERMILION

__all__ = ["CLOSE_UP", "draw_close_up", "draw_map", "draw_widths"]

CLOSE_UP = (*RECOMMENDED, "holdout-Wilson", "10-fold-CV-Wald", "out-of-bag", ".632+")
"""What the close-up shows: the recommended three and what people use instead."""

_LOWEST = 0.6
_TOO_FEW = LinearSegmentedColormap.from_list("coverage", [VERMILION, "#FFFFFF", BLUE])
_BEHIND = "#B5B5B5"


def _order(methods: pd.Series) -> list[str]:
    kept = set(methods)
    return [m for m in METHODS if m in kept]


def _ink_on(ground: tuple[float, ...]) -> str:
    """Choose black or white, whichever stands out more from a ground."""
    rgb = np.array(ground[:3])
    linear = np.where(rgb <= 0.03928, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ np.array([0.2126, 0.7152, 0.0722]))
    return BLACK if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "white"


@plots.in_style
def draw_map(p: CoverageParameters, made: Made, published: pd.DataFrame) -> plots.Drawn:
    """Draw the mean coverage of every interval by size as a map, the worst cell below it, a panel a target."""
    scale, result = at_largest(made)
    table = result.data["map"]
    methods = _order(table["method"])
    norm = TwoSlopeNorm(p.confidence, vmin=min(_LOWEST, p.confidence - 0.1), vmax=1.0)
    figure, grid = plots.new_figure(1, 2, 1.1 + 0.42 * len(methods), sharey=True)
    for axes, (target, named) in zip(grid[0], TARGETS.items(), strict=True):
        values = np.full((len(methods), len(p.sizes)), np.nan)
        for r in table[table["target"] == target].itertuples(index=False):
            row, column = methods.index(str(r.method)), p.sizes.index(int(str(r.n)))
            coverage, worst = float(str(r.coverage)), float(str(r.worst))
            values[row, column] = coverage
            colour = _ink_on(_TOO_FEW(norm(coverage)))
            as_drawn(axes.text(column, row - 0.2, f"{100 * coverage:.0f}", color=colour, **_text(weight="bold")))
            as_drawn(axes.text(column, row + 0.22, f"{100 * worst:.0f}", color=colour, **_text()))
        axes.imshow(values, cmap=_TOO_FEW, norm=norm, aspect="auto")
        for row, column in zip(*np.nonzero(np.isnan(values)), strict=True):
            axes.text(column, row, "–", color=GREY, **_text())
        axes.set_xticks(range(len(p.sizes)), [str(n) for n in p.sizes])
        axes.set_yticks(range(len(methods)), [INTERVALS[m] for m in methods])
        for tick, method in zip(grid[0, 0].get_yticklabels(), methods, strict=True):
            tick.set_fontweight("bold" if method in RECOMMENDED else "normal")
        axes.tick_params(length=0)
        axes.set_xlabel("cases of the sample")
        plots.panel_title(axes, "", named.title)
    return plots.Drawn(
        figure,
        f"A coloured map of the coverage of {len(methods)} intervals (rows) by sample size (columns), a panel for each "
        "target, with its percent in every cell. Data in the table below.",
        f"How often intervals of nominal {100 * p.confidence:g} % hold the error of *this* classifier (left) and the "
        "mean error of the procedure (right), in percent. Bold: mean over populations and inducers; below it: the "
        f"worst of these cells. Orange: too seldom; blue: more often than asked; a dash: not run. {p.repetitions:,} "
        f"samples a cell ({scale} scale). Bold names: what the benchmark recommends.",
    )


def _text(**more: Any) -> dict[str, Any]:
    return {"ha": "center", "va": "center", "fontsize": FONT_SIZE - 1, **more}


@plots.in_style
def draw_widths(p: CoverageParameters, made: Made, published: pd.DataFrame) -> plots.Drawn:
    """Draw each interval's width, as a multiple of the binomial one, against the sample size."""
    scale, result = at_largest(made)
    table = result.data["widths"]
    methods = _order(table["method"])
    figure, grid = plots.new_figure(1, 1, 4.6)
    axes = grid[0, 0]
    named = (*RECOMMENDED, "holdout-Wilson", "10-fold-CV-Wald", ".632+")
    colours = dict(zip(named, COLOURS, strict=True))
    labels = []
    for method in sorted(methods, key=lambda m: m in named):
        own = table[table["method"] == method].sort_values("n")
        n, multiple = own["n"].to_numpy(), own["multiple"].to_numpy()
        if method in named:
            marker = marks.look(named.index(method))["marker"]
            axes.plot(n, multiple, color=colours[method], marker=marker)
            if n[-1] == max(table["n"]):
                labels.append(plots.EndLabel(float(n[-1]), float(multiple[-1]), INTERVALS[method], colours[method]))
            else:
                plots.note(axes, 1.08 * n[-1], multiple[-1], INTERVALS[method], colours[method], va="center")
        else:
            axes.plot(n, multiple, color=_BEHIND, linewidth=1, marker=".", markersize=4)
    axes.axhline(1, color=GREY, linewidth=1, linestyle="--")
    plots.log_axis(axes, p.sizes)
    axes.set_ylim(0, None)
    axes.set_xlabel("cases of the sample (logarithmic)")
    axes.set_ylabel("width, multiples of the binomial")
    plots.label_ends(axes, labels)
    others = ", ".join(INTERVALS[m] for m in methods if m not in named)
    return plots.Drawn(
        figure,
        f"Lines of the width of {len(methods)} intervals against sample size, as a multiple of the binomial width. "
        "Data in the table below.",
        "Mean width, cut at 0 and 1, over that of Wald's interval for as many independent tests of a classifier of the "
        f"same error as the sample has cases (dashed: 1); {p.repetitions:,} samples a cell ({scale} scale). Lines end "
        f"where an interval was left out for its cost. Grey: {others or 'none'}.",
    )


@plots.in_style
def draw_close_up(p: CoverageParameters, made: Made, published: pd.DataFrame) -> plots.Drawn:
    """Draw the coverage of single cells at small sizes, a panel for each size and target."""
    scale, result = at_largest(made)
    table = result.data["cells"]
    methods = [m for m in CLOSE_UP if m in set(table["method"])]
    colours = dict(zip(p.inducers, [*COLOURS, BLACK] * len(p.inducers), strict=False))
    rows = len(p.close_up)
    figure, grid = plots.new_figure(rows, 2, 1.3 + (0.5 + 0.4 * len(methods)) * rows, sharex=True, sharey=True)
    for row, n in enumerate(p.close_up):
        for column, (target, named) in enumerate(TARGETS.items()):
            axes = grid[row, column]
            axes.axvline(100 * p.confidence, color=GREY, linewidth=1, linestyle="--")
            own = table[(table["n"] == n) & (table["target"] == target)]
            for place, inducer in enumerate(p.inducers):
                at = own[own["inducer"] == inducer]
                y = marks.beside([methods.index(m) for m in at["method"]], place, len(p.inducers), 0.12)
                dots = {**marks.look(place), "color": colours[inducer], "linestyle": "none"}
                axes.plot(100 * at["coverage"], y, markersize=4, alpha=0.85, **dots)
            axes.grid(axis="x")
            plots.panel_title(axes, "abcd"[2 * row + column], f"n = {n}, {named.title}")
            if row == rows - 1:
                axes.set_xlabel("coverage (%)")
    grid[0, 0].set_yticks(range(len(methods)), [INTERVALS[m] for m in methods])
    grid[0, 0].set_ylim(len(methods) - 0.5, -0.5)
    handles = [
        Line2D([], [], **{**marks.look(k), "color": colours[i]}, linestyle="none", markersize=5)
        for k, i in enumerate(p.inducers)
    ]
    plots.legend_below(figure, handles, p.inducers, columns=len(p.inducers))
    return plots.Drawn(
        figure,
        f"Coverage of {len(methods)} intervals in single cells, a panel for each sample size and target, a mark for "
        "each population and inducer. Data in the table below.",
        f"Each mark is a population with an inducer: how often the interval held the truth in {p.repetitions:,} "
        f"samples ({scale} scale), for the error of this classifier (left) and the mean error of the procedure (right)."
        f" Dashed: the nominal {100 * p.confidence:g} %. A mark's own error is at most "
        f"{100 / p.repetitions**0.5:.1f} points (two standard errors).",
    )
