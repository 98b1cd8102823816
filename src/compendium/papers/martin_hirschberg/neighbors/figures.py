"""Figures of Martin & Hirschberg (1996), section 5: nearest neighbours, their trees, their estimates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from compendium.evidence.records import parts
from compendium.evidence.results import ResultsByScale
from compendium.papers.martin_hirschberg.names import NAMES
from compendium.papers.martin_hirschberg.neighbors.experiment import ESTIMATORS, NeighborsParameters
from errorest import plots
from errorest.inducers.base import IntervalClassifier
from errorest.inducers.trees import TreeLayout, interval_tree_layout
from errorest.plots import BLACK, BLUE, FONT_SIZE, GREY, VERMILION

_CLASS_COLOURS = (BLUE, VERMILION)
_CLASS_MARKS = ("o", "X")
_CLASS_NAMES = ("O", "X")
_LETTERS = "abcdef"

_SIZE_COLOURS = ("#081D58", "#225EA8", "#1D91C0", "#41B6C4", "#7FCDBB")
"""From the smallest samples to the largest: the dark ones are the small ones, which stray."""


@plots.in_style
def draw_figure_8(p: NeighborsParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw Figure 8: a sample, what each k predicts along the axis, its true error, and its tree."""
    result = made.published
    intervals = {k: result.data["classifiers"].query("k == @k") for k in p.neighbors}
    layouts = {k: _layout(table) for k, table in intervals.items()}
    levels = [1.0 + float(layout.y.max()) for layout in layouts.values()]
    heights = [2.3] * len(p.neighbors) + [0.35 + 0.55 * level for level in levels]
    figure, grid = plots.new_figure(2 * len(p.neighbors), 1, sum(heights) + 0.6, height_ratios=heights)
    for i, k in enumerate(p.neighbors):
        axes = grid[i, 0]
        _classifier(axes, result.data["densities"], result.data["points"], intervals[k])
        plots.panel_title(axes, _LETTERS[i], f"{k}-NN")
        if i == len(p.neighbors) - 1:
            axes.set_xlabel("x (standard deviations)")
        below = grid[len(p.neighbors) + i, 0]
        _tree(below, layouts[k])
        plots.panel_title(below, _LETTERS[len(p.neighbors) + i], f"the tree of {k}-NN")
    classes = {
        f"class {c}, ‘{_CLASS_NAMES[c]}’": {"marker": _CLASS_MARKS[c], "color": _CLASS_COLOURS[c], "markersize": 7}
        for c in range(2)
    }
    plots.legend_of(figure, classes, columns=2)
    counts = result.data["points"]["class"].value_counts()
    return plots.Drawn(
        figure,
        f"Two overlapping bell curves with a sample of {p.figure_8_cases} cases above them, {counts.get(0, 0)} of "
        f"class 0 and {counts.get(1, 0)} of class 1, once for each classifier with what it labels wrongly shaded; "
        "below, the equivalent decision trees.",
        f"One sample of {p.figure_8_cases} cases and what nearest neighbours make of it. Above the curves stand the "
        "sample and, as a band, the predicted class; dashed lines are cut-points; the shaded area is the true error. "
        f"The trees predict exactly the same: go left if the test holds. The inherent error is "
        f"{100 * p.figure_8_inherent_error:.3g} %. True errors are exact, so no uncertainty is drawn.",
    )


def _layout(intervals: pd.DataFrame) -> TreeLayout:
    classifier = IntervalClassifier(tuple(intervals["right"][:-1]), tuple(intervals["class"]))
    return interval_tree_layout(classifier, "x", _CLASS_NAMES)


def _classifier(axes: Axes, densities: pd.DataFrame, points: pd.DataFrame, intervals: pd.DataFrame) -> None:
    x = densities["x"].to_numpy()
    top = float(max(densities["class_0"].max(), densities["class_1"].max()))
    for c in range(2):
        axes.plot(x, densities[f"class_{c}"], color=_CLASS_COLOURS[c])
        own = points[points["class"] == c]
        axes.plot(
            own["x"], np.full(len(own), (1.21 - 0.12 * c) * top), _CLASS_MARKS[c], color=_CLASS_COLOURS[c], markersize=7
        )
    for part in intervals.to_dict("records"):
        left, right = max(part["left"], x[0]), min(part["right"], x[-1])
        predicted = int(part["class"])
        inside = np.concatenate([[left], x[(x > left) & (x < right)], [right]])
        axes.fill_between(
            inside,
            np.interp(inside, x, densities[f"class_{1 - predicted}"]),
            color=_CLASS_COLOURS[1 - predicted],
            alpha=0.3,
            linewidth=0,
        )
        axes.fill_between(
            [left, right], 1.3 * top, 1.52 * top, color=_CLASS_COLOURS[predicted], alpha=0.25, linewidth=0
        )
        if right - left > 0.3:
            axes.text(
                (left + right) / 2,
                1.4 * top,
                _CLASS_NAMES[predicted],
                ha="center",
                va="center",
                color=plots.ink(_CLASS_COLOURS[predicted]),
                weight="bold",
            )
        if np.isfinite(part["right"]):
            axes.plot([right, right], [0, 1.52 * top], color=GREY, linewidth=1.0, linestyle="--")
    axes.set_ylim(0, 1.55 * top)
    axes.set_xlim(x[0], x[-1])
    axes.set_yticks([0.4 * top, 1.15 * top, 1.41 * top], ["density", "sample", "predicted"])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _tree(axes: Axes, layout: TreeLayout) -> None:
    for i, parent in enumerate(layout.parent):
        if parent < 0:
            continue
        x, y = layout.x[[parent, i]], layout.y[[parent, i]]
        axes.plot(x, y, color=GREY, linewidth=1.0, zorder=1)
        if parent == 0:
            axes.text(x.mean(), y.mean(), layout.branch[i], ha="center", va="center", **_ON_WHITE)
    for i, text in enumerate(layout.text):
        colour = _CLASS_COLOURS[layout.label[i]] if layout.leaf[i] else BLACK
        axes.text(
            layout.x[i],
            layout.y[i],
            text.replace("<=", "≤"),
            ha="center",
            va="center",
            color=plots.ink(colour),
            weight="bold" if layout.leaf[i] else "normal",
            fontsize=FONT_SIZE if layout.leaf[i] else FONT_SIZE - 1,
            bbox={"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": colour, "linewidth": 1.0},
            zorder=2,
        )
    axes.set_ylim(layout.y.max() + 0.45, -0.45)
    axes.set_xlim(layout.x.min() - 0.6, layout.x.max() + 0.6)
    axes.set_axis_off()


_ON_WHITE: dict[str, Any] = {
    "fontsize": FONT_SIZE - 1,
    "color": "#333333",
    "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 1.0},
}


@plots.in_style
def draw_figure_9(p: NeighborsParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw Figure 9: mean estimate against mean true error, a panel for each estimator and k."""
    result = made.published
    points = result.data["points"]
    own_points = parts(points, "estimator", "k")
    shown = {(name, k): own_points[name, k] for name in ESTIMATORS for k in p.neighbors}
    titles = [f"{NAMES[name].symbol}, {k}-NN" for name, k in shown]
    figure, drawn = plots.panels(
        titles,
        lambda rows: 2.15 * rows + 0.7,
        columns=len(p.neighbors),
        across="mean true error (%)",
        sharex=True,
        sharey=True,
    )
    far = 1.08 * float(points["true_error"].max())
    top = 1.04 * max(far, float((points["estimate"] + 2 * points["estimate_se"]).max()))
    colours = {n: _SIZE_COLOURS[min(i, len(_SIZE_COLOURS) - 1)] for i, n in enumerate(sorted(p.sizes))}
    for axes, panel in zip(drawn, shown.values(), strict=True):
        axes.plot([0, far], [0, far], color=GREY, linewidth=1.0)
        for n, own in parts(panel, "n").items():
            bars: dict[str, Any] = {"xerr": 2 * own["true_error_se"], "yerr": 2 * own["estimate_se"], "elinewidth": 0.9}
            axes.errorbar(own["true_error"], own["estimate"], **bars, fmt="o", color=colours[n], markersize=3.6)
        axes.set_xlim(-1, far)
        axes.set_ylim(-2, top)
        axes.set_xticks(range(0, int(far) + 1, 10))
        axes.set_yticks(range(0, int(top) + 1, 20))
    figure.supylabel("mean estimate (%)", fontsize=FONT_SIZE)
    look: dict[str, Any] = {"marker": "o", "linestyle": "none", "markersize": 6}
    plots.legend_of(figure, {f"N = {n}": {**look, "color": colour} for n, colour in colours.items()}, columns=5)
    samples = int(result.rows[0].n / max(1, len(p.sizes) * len(p.inherent_errors)))
    return plots.Drawn(
        figure,
        f"A grid of {len(ESTIMATORS)} by {len(p.neighbors)} panels: mean estimate against mean true error for "
        f"{len(p.sizes) * len(p.inherent_errors)} combinations of sample size and population, with the "
        "diagonal of equality. Data in the table below.",
        f"Each point is one combination of sample size and population, a mean of {samples} samples; bars are two "
        "standard errors either way. On the diagonal an estimate is right on average, below it optimistic. Dark points "
        "are small samples.",
    )
