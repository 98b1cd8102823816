"""Figures of Martin & Hirschberg (1996), section 5: nearest neighbours, their trees, their estimates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from compendium.evidence.results import ResultsByScale
from compendium.papers.martin_hirschberg.names import NAMES
from compendium.papers.martin_hirschberg.neighbors.experiment import ESTIMATORS, NeighborsParameters
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.inducers.base import IntervalClassifier
from errorest.inducers.trees import TreeLayout, lay_out
from errorest.plots import BLACK, BLUE, FONT_SIZE, GREY, VERMILION

_CLASS_COLOURS = (BLUE, VERMILION)
_CLASS_MARKS = ("o", "X")
_CLASS_NAMES = ("O", "X")

_SIZE_COLOURS = ("#081D58", "#225EA8", "#1D91C0", "#41B6C4", "#7FCDBB")
"""From the smallest samples to the largest: the dark ones are the small ones, which stray."""


@plots.in_style
def draw_figure_8(p: NeighborsParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 8: a sample, what each k predicts along the axis, its true error, and its tree."""
    result = made.published
    intervals = {k: result.data["classifiers"].query("k == @k") for k in p.neighbors}
    layouts = {k: _layout(table) for k, table in intervals.items()}
    levels = [1.0 + float(layout.y.max()) for layout in layouts.values()]
    heights = [2.3] * len(p.neighbors) + [0.35 + 0.55 * level for level in levels]
    panels = {("line", k): f"{k}-NN" for k in p.neighbors} | {("tree", k): f"the tree of {k}-NN" for k in p.neighbors}
    labels = {("line", p.neighbors[-1]): "x (standard deviations)"}
    picture = Picture(sum(heights) + 0.6, panels, columns=1, letters=True, x=labels, height_ratios=heights)
    for k in p.neighbors:
        _classifier(picture.axes["line", k], result.data["densities"], result.data["points"], intervals[k])
        _tree(picture.axes["tree", k], layouts[k])
    classes = {
        f"class {c}, ‘{_CLASS_NAMES[c]}’": {"marker": _CLASS_MARKS[c], "color": _CLASS_COLOURS[c], "markersize": 7}
        for c in range(2)
    }
    counts = result.data["points"]["class"].value_counts()
    return picture.done(columns=2, legend=classes, zeros=counts.get(0, 0), ones=counts.get(1, 0))


def _layout(intervals: pd.DataFrame) -> TreeLayout:
    classifier = IntervalClassifier(tuple(intervals["right"][:-1]), tuple(intervals["class"]))
    return interval_tree_layout(classifier, "x", _CLASS_NAMES)


def interval_tree_layout(classifier: IntervalClassifier, name: str, classes: tuple[str, ...]) -> TreeLayout:
    """Lay out the binary tree that predicts what a classifier on one attribute predicts.

    Each inner node tests one cut-point, the middle one of those that are left, so that the tree is as low as can be;
    its left branch is ``x <= cut`` (Martin & Hirschberg 1996, section 5, Figures 8c and 8d).
    """
    first, last = [0], [len(classifier.cuts)]
    branch = [""]
    text: list[str] = []
    label: list[int] = []
    children: list[tuple[int, ...]] = []
    node = 0
    while node < len(first):
        a, b = first[node], last[node]
        if a == b:
            text.append(classes[classifier.labels[a]])
            label.append(classifier.labels[a])
            children.append(())
        else:
            middle = (a + b) // 2
            text.append(f"{name} <= {classifier.cuts[middle]:.3g}")
            label.append(-1)
            children.append((len(first), len(first) + 1))
            first += [a, middle + 1]
            last += [middle, b]
            branch += ["yes", "no"]
        node += 1
    return lay_out(children, tuple(text), tuple(branch), np.array(label, dtype=np.int64))


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


def draw_figure_9(p: NeighborsParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 9: mean estimate against mean true error, a panel for each estimator and k."""
    result = made.published
    points = result.data["points"]
    picture = Picture(
        2.15 * len(ESTIMATORS) + 0.7,
        {(e, k): f"{NAMES[e].symbol}, {k}-NN" for e in ESTIMATORS for k in p.neighbors},
        ("estimator", "k"),
        columns=len(p.neighbors),
        x="mean true error (%)",
        y="mean estimate (%)",
        sharex=True,
        sharey=True,
    )
    far = 1.08 * float(points["true_error"].max())
    top = 1.04 * max(far, float((points["estimate"] + 2 * points["estimate_se"]).max()))
    picture.guide(to=far)
    picture.scatter(
        *(points, "true_error", "estimate"),
        se="estimate_se",
        x_se="true_error_se",
        by="n",
        looks={n: _SIZE_COLOURS[min(i, len(_SIZE_COLOURS) - 1)] for i, n in enumerate(sorted(p.sizes))},
        names="N = {}".format,
        markersize=3.6,
    )
    ticks = {"xticks": range(0, int(far) + 1, 10), "yticks": range(0, int(top) + 1, 20)}
    picture.limits(xlim=(-1, far), ylim=(-2, top), **ticks)
    samples = int(result.rows[0].n / max(1, len(p.sizes) * len(p.inherent_errors)))
    return picture.done(columns=5, samples=samples)
