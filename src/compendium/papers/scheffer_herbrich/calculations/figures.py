"""Scheffer & Herbrich (1997): Figures 1 and 2 as diagrams, and the chances of the examples as curves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.ticker import MaxNLocator

from compendium.evidence.records import parts, printed_values
from compendium.evidence.results import ResultsByScale
from compendium.papers.scheffer_herbrich.names import EXAMPLES
from compendium.plots.picture import Drawing
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, FONT_SIZE, GREEN, GREY, PUBLISHED, VERMILION


def _blank(axes: Axes, width: float, height: float) -> None:
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.set_axis_off()


def _box(
    axes: Axes, x: float, y: float, text: str, colour: str = GREY, width: float = 2.7, height: float = 1.1
) -> None:
    """Draw a box with a text, centred at (x, y)."""
    axes.add_patch(
        FancyBboxPatch(
            (x - width / 2, y - height / 2),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=0.15",
            facecolor="white",
            edgecolor=colour,
            linewidth=1.6,
        )
    )
    axes.text(x, y, text, ha="center", va="center", color=BLACK, linespacing=1.25)


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str = GREY) -> None:
    axes.annotate(
        "", xy=end, xytext=start, arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2.0, "shrinkB": 0}
    )


def _says(axes: Axes, x: float, y: float, text: str, colour: str = BLACK, **settings: Any) -> None:
    axes.text(
        x, y, text, color=plots.ink(colour), fontsize=FONT_SIZE - 1, **{"ha": "center", "va": "center", **settings}
    )


@plots.in_style
def draw_channel(parameters: Any, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 1: tuning on the test set makes the parameters a channel."""
    figure, grid = plots.new_figure(height=3.3)
    axes = grid[0, 0]
    _blank(axes, 12.0, 6.0)
    for x, text in ((1.5, "Training set"), (6.0, "Learner"), (10.5, "Hypothesis h")):
        _box(axes, x, 4.9, text)
    _box(axes, 10.5, 1.3, "Test set\nof m cases", VERMILION)
    _box(axes, 6.0, 1.3, "Parameter\noptimizer", VERMILION)
    _box(axes, 1.5, 1.3, "Submitted: best\naccuracy seen", width=2.9)
    _arrow(axes, (2.85, 4.9), (4.65, 4.9))
    _arrow(axes, (7.35, 4.9), (9.15, 4.9))
    _arrow(axes, (10.5, 4.35), (10.5, 1.85))
    _arrow(axes, (9.15, 1.3), (7.35, 1.3), VERMILION)
    _arrow(axes, (6.0, 1.85), (6.0, 4.35), VERMILION)
    _arrow(axes, (4.65, 1.3), (2.95, 1.3))
    _says(axes, 10.3, 3.1, "is tested on", ha="right")
    _says(axes, 8.25, 0.55, "hits, t times", VERMILION)
    _says(axes, 5.8, 3.1, "parameters:\np bits", VERMILION, ha="right")
    return Drawing(figure)


@plots.in_style
def draw_separation(parameters: Any, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 2: the setting is chosen within the training part of each fold."""
    figure, grid = plots.new_figure(height=3.7)
    axes = grid[0, 0]
    _blank(axes, 12.0, 6.8)
    axes.add_patch(Rectangle((0.1, 3.0), 11.8, 3.65, facecolor=BLUE, alpha=0.09, edgecolor="none"))
    axes.add_patch(Rectangle((0.1, 0.2), 11.8, 2.3, facecolor=GREEN, alpha=0.11, edgecolor="none"))
    _says(axes, 0.35, 6.3, "Training part of fold i", BLUE, ha="left")
    _says(axes, 0.35, 2.15, "Test part of fold i", GREEN, ha="left")
    _box(axes, 2.0, 4.6, "m inner folds:\nfit and test\neach setting", BLUE, width=2.9, height=1.7)
    _box(axes, 6.0, 4.6, "Best setting", BLUE)
    _box(axes, 10.1, 4.6, "Fit on the whole\ntraining part", BLUE, width=3.1)
    _box(axes, 10.1, 1.1, "Hits on the\ntest part, once", GREEN, width=3.1)
    _box(axes, 4.6, 1.1, "Accuracy: averaged\nover the n folds", GREEN, width=3.7)
    _arrow(axes, (3.45, 4.6), (4.65, 4.6), BLUE)
    _arrow(axes, (7.35, 4.6), (8.55, 4.6), BLUE)
    _arrow(axes, (10.1, 4.05), (10.1, 1.65), GREEN)
    _arrow(axes, (8.55, 1.1), (6.45, 1.1), GREEN)
    _says(axes, 9.9, 2.75, "classifier", ha="right")
    uses = made.published.data["uses"].set_index("scheme")["tested cases that chose"]
    return Drawing(figure, facts={"apart": uses.iloc[1], "tuned": uses.iloc[0]})


@plots.in_style
def draw_chances(parameters: Any, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the chance of gaining the rank over the labels told, with the greedy optimizer's own successes."""
    one = made.published
    greedy = one.data["greedy"].set_index(["example", "reading"])
    printed = {row: v for (row, column), v in printed_values(published).items() if column == "probability-percent"}
    figure, grid = plots.new_figure(height=3.9)
    axes = grid[0, 0]
    curves: dict[str, tuple[str, pd.DataFrame]] = {}
    for (row, reading), curve in parts(one.data["chances"], "example", "reading").items():
        name = EXAMPLES[row] + (", 15 hits" if reading == "fitted:15-hits" else "")
        run = greedy.loc[(row, reading)]
        # an example that only changes c lies on the curve of the one before
        if name not in curves:
            curves[name] = COLOURS[len(curves)], curve
            axes.plot(curve.c, 100 * curve.probability, color=curves[name][0])
        middle, revealed = 100 * run.simulated, int(run.told)
        reach = [[middle - 100 * run.low], [100 * run.high - middle]]
        axes.errorbar([revealed], [middle], yerr=reach, color=curves[name][0], capsize=4, zorder=5, **_DOT)
        if row in printed:
            axes.plot([revealed], [printed[row]], **PUBLISHED)
    axes.set(xlabel="Labels told, c", ylabel="Chance of the rank, %", ylim=(-3, 106))
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y")
    _name_curves(axes, curves)
    looks = {"equation": {"color": GREY}, "greedy optimizer, run": {"color": GREY, **_DOT}}
    plots.legend_of(figure, {**looks, "printed": PUBLISHED} if printed else looks)
    covered = "all" if one.checks[0].outcome == "holds" else "not all"
    return Drawing(figure, facts={"confidence": 1 - greedy["false alarm"].iloc[0], "held": covered})


_DOT: dict[str, Any] = {"marker": "o", "markersize": 4, "linestyle": "none"}


def _name_curves(axes: Axes, curves: dict[str, tuple[str, pd.DataFrame]]) -> None:
    """Write names beside the curves where they rise, the first to rise on its left; a flat one above its end."""
    rising = [name for name, (_, curve) in curves.items() if curve.probability.max() > 0.5]
    rises = {name: float(np.interp(0.5, curves[name][1].probability, curves[name][1].c)) for name in rising}
    first = min(rising, key=rises.__getitem__, default="")
    gap = 0.02 * axes.get_xlim()[1]
    for name, (colour, curve) in curves.items():
        if name not in rising:
            c, chance = float(curve.c.to_numpy()[-1]), float(curve.probability.to_numpy()[-1])
            plots.note(axes, c, 100 * chance + 5, name, colour, ha="right")
            continue
        level, side, move = (0.72, "right", -gap) if name == first else (0.5, "left", gap)
        x = float(np.interp(level, curve.probability, curve.c))
        plots.note(axes, x + move, 100 * level, name, colour, ha=side, va="center")
