"""Figure 8: one sample, its nearest-neighbour classifiers and their trees; the remarks on it, counted."""

from __future__ import annotations

from math import inf

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claim, judge_claims
from compendium.evidence.estimate import Condition, exact
from compendium.evidence.records import each
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.evidence.trials import Trials
from compendium.methods.learners.threshold import IntervalClassifier
from compendium.papers.martin_hirschberg.neighbors.study import (
    OURS,
    NeighborsParameters,
    apparent_error,
    shapes_study,
    splits_alike,
    trials,
)
from compendium.papers.martin_hirschberg.one_sample import CLASS_COLOURS, CLASS_MARKS, densities, first_sample
from compendium.papers.martin_hirschberg.tree_layout import lay_out
from compendium.plots.picture import Drawing, Picture
from compendium.studies.populations import TwoNormals, intervals_of
from errorest import plots
from errorest.data.sample import Sample
from errorest.learners.neighbors import KNN
from errorest.plots import BLACK, FONT_SIZE, GREY
from errorest.streams import Streams

_CLASS_NAMES = ("O", "X")


def first_bent_sample(p: NeighborsParameters, population: TwoNormals) -> Sample:
    """Draw until 1-NN bends to an outlier and the largest k divides two neighbours of one class; else the first."""
    streams = Streams(p.seed).child("martin-hirschberg-figure-8")
    low, high = min(p.neighbors), max(p.neighbors)

    def bent(sample: Sample) -> bool:
        rough, smooth = (intervals_of(KNN(k).fit(sample)) for k in (low, high))
        return low == high or (0 < len(smooth.cuts) < len(rough.cuts) and splits_alike(smooth, sample))

    sample, _ = first_sample(population, p.figure_8_cases, bent, streams, p.draws)
    return sample or population.sample(p.figure_8_cases, streams.child(0).generator("sample"))


SMOOTHER = Claims("martin-hirschberg-figure-8")


@SMOOTHER.claim
def more_vary(one: Trials, smooth: Trials) -> list[Condition]:
    return [
        smooth.mean("splits-alike").named("samples on which it does", sign="") > 0,
        smooth.mean("as-tree").named("samples with the cut-points of the full tree", sign="") < 50,
    ]


@SMOOTHER.claim
def outliers(one: Trials, smooth: Trials) -> list[Condition]:
    return [
        one.average(one["true-error"] - smooth["true-error"]).named("true error more", "points") > 0,
        one.average((one.frame["cut-points"] - smooth.frame["cut-points"]).to_numpy()).named("cut-points more") > 0,
    ]


@plots.in_style
def draw_figure_8(p: NeighborsParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 8: a sample, what each k predicts along the axis, its true error, and its tree."""
    result = results.published
    intervals = {k: result.data["classifiers"].query("k == @k") for k in p.neighbors}
    layouts = {}
    for k, table in intervals.items():
        classifier = IntervalClassifier(tuple(table["right"][:-1]), tuple(table["class"]))
        layouts[k] = interval_tree_layout(classifier, "x", _CLASS_NAMES)
    levels = [1.0 + float(layout.y.max()) for layout in layouts.values()]
    heights = [2.3] * len(p.neighbors) + [0.35 + 0.55 * level for level in levels]
    panels = {("line", k): f"{k}-NN" for k in p.neighbors} | {("tree", k): f"the tree of {k}-NN" for k in p.neighbors}
    labels = {("line", p.neighbors[-1]): "x (standard deviations)"}
    picture = Picture(sum(heights) + 0.6, panels, columns=1, letters=True, x=labels, height_ratios=heights)
    for k in p.neighbors:
        _classifier(picture.axes["line", k], result.data["densities"], result.data["points"], intervals[k])
        _tree(picture.axes["tree", k], layouts[k])
    classes = {
        f"class {c}, ‘{_CLASS_NAMES[c]}’": {"marker": CLASS_MARKS[c], "color": CLASS_COLOURS[c], "markersize": 7}
        for c in range(2)
    }
    counts = result.data["points"]["class"].value_counts()
    return picture.done(columns=2, legend=classes, zeros=counts.get(0, 0), ones=counts.get(1, 0))


def interval_tree_layout(classifier: IntervalClassifier, name: str, classes: tuple[str, ...]) -> pd.DataFrame:
    """Lay out the binary tree that predicts what a classifier on one attribute predicts; ``label`` is a leaf's class.

    Each inner node tests one cut-point, the middle one of those that are left, so that the tree is as low as can be;
    its left branch is ``x <= cut`` (Martin & Hirschberg 1996, section 5, Figures 8c and 8d).
    """
    # a node divides the cut-points from first to last, without the last; the list grows while it is read
    ranges, branch = [(0, len(classifier.cuts))], [""]
    text: list[str] = []
    label: list[int] = []
    children: list[tuple[int, ...]] = []
    for first, last in ranges:
        if first == last:
            text.append(classes[classifier.labels[first]])
            label.append(classifier.labels[first])
            children.append(())
        else:
            middle = (first + last) // 2
            text.append(f"{name} <= {classifier.cuts[middle]:.3g}")
            label.append(-1)
            children.append((len(ranges), len(ranges) + 1))
            ranges += [(first, middle), (middle + 1, last)]
            branch += ["yes", "no"]
    return lay_out(children, text, branch).assign(label=label)


def _classifier(axes: Axes, densities: pd.DataFrame, points: pd.DataFrame, intervals: pd.DataFrame) -> None:
    x = densities["x"].to_numpy()
    top = float(max(densities["class_0"].max(), densities["class_1"].max()))
    for c in range(2):
        axes.plot(x, densities[f"class_{c}"], color=CLASS_COLOURS[c])
        x_c = points.loc[points["class"] == c, "x"]
        axes.plot(x_c, np.full(len(x_c), (1.21 - 0.12 * c) * top), CLASS_MARKS[c], color=CLASS_COLOURS[c], markersize=7)
    for part in intervals.to_dict("records"):
        left, right = max(part["left"], x[0]), min(part["right"], x[-1])
        predicted = int(part["class"])
        inside = np.concatenate([[left], x[(x > left) & (x < right)], [right]])
        axes.fill_between(
            inside,
            np.interp(inside, x, densities[f"class_{1 - predicted}"]),
            color=CLASS_COLOURS[1 - predicted],
            alpha=0.3,
            linewidth=0,
        )
        axes.fill_between([left, right], 1.3 * top, 1.52 * top, color=CLASS_COLOURS[predicted], alpha=0.25, linewidth=0)
        if right - left > 0.3:
            axes.text(
                (left + right) / 2,
                1.4 * top,
                _CLASS_NAMES[predicted],
                ha="center",
                va="center",
                color=plots.ink(CLASS_COLOURS[predicted]),
                weight="bold",
            )
        if np.isfinite(part["right"]):
            axes.plot([right, right], [0, 1.52 * top], color=GREY, linewidth=1.0, linestyle="--")
    axes.set_ylim(0, 1.55 * top)
    axes.set_xlim(x[0], x[-1])
    axes.set_yticks([0.4 * top, 1.15 * top, 1.41 * top], ["density", "sample", "predicted"])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _tree(axes: Axes, layout: pd.DataFrame) -> None:
    for number, node in enumerate(each(layout)):
        if node.parent < 0:
            continue
        ends = layout.loc[[node.parent, number]]
        axes.plot(ends["x"], ends["y"], color=GREY, linewidth=1.0, zorder=1)
        if node.parent == 0:
            axes.text(
                *(ends["x"].mean(), ends["y"].mean(), node.branch),
                ha="center",
                va="center",
                fontsize=FONT_SIZE - 1,
                color="#333333",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
            )
    for node in each(layout):
        colour = CLASS_COLOURS[node.label] if node.leaf else BLACK
        axes.text(
            *(node.x, node.y, node.text.replace("<=", "≤")),
            ha="center",
            va="center",
            color=plots.ink(colour),
            weight="bold" if node.leaf else "normal",
            fontsize=FONT_SIZE if node.leaf else FONT_SIZE - 1,
            bbox={"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": colour, "linewidth": 1.0},
            zorder=2,
        )
    axes.set_ylim(layout["y"].max() + 0.45, -0.45)
    axes.set_xlim(layout["x"].min() - 0.6, layout["x"].max() + 0.6)
    axes.set_axis_off()


@artifact("martin-hirschberg-figure-8", draw=draw_figure_8, enlarge=False)
def figure_8(p: NeighborsParameters, run: Run) -> ArtifactResult:
    """Figure 8: one sample, its nearest-neighbour classifiers and their trees; the remarks on it, counted."""
    population = TwoNormals.of_inherent_error(p.figure_8_inherent_error)
    sample = first_bent_sample(p, population)
    rows: list[Row] = []
    intervals = []
    for k in p.neighbors:
        classifier = intervals_of(KNN(k).fit(sample))
        for name, value in (
            ("cut-points", len(classifier.cuts)),
            ("tree-leaves", len(classifier.labels)),
            ("true-error-percent", 100 * population.true_error(classifier)),
            ("apparent-error-percent", 100 * apparent_error(classifier, sample)),
        ):
            rows.append(Row.exact(OURS, name, f"this-sample/k={k}", value))
        cuts = [-inf, *classifier.cuts, inf]
        intervals.append(pd.DataFrame({"k": k, "left": cuts[:-1], "right": cuts[1:], "class": classifier.labels}))
    shapes = trials(p, run, shapes_study(p))
    for k, t in shapes.items():
        many = {
            "cut-points": t.count("cut-points"),
            "true-error-percent": t.mean("true-error"),
            "apparent-error-percent": t.mean("apparent-error"),
            "splits-adjacent-cases-of-one-class-percent": t.mean("splits-alike"),
            "same-cut-points-as-a-full-tree-percent": t.mean("as-tree"),
        }
        rows += [Row.of(OURS, name, f"many-samples/k={k}", m) for name, m in many.items()]
    checks = []
    if one := shapes.get(1):
        constant = [
            exact(one["splits-alike"].mean(), "samples on which it does", "%").equals(0),
            exact(one["apparent-error"].mean(), "mean apparent error", "%", 2).equals(0),
        ]
        full = exact(one["as-tree"].mean(), "samples with equal cut-points", "%").equals(100)
        checks.append(judge_claim("martin-hirschberg-figure-8", "one-constant", constant))
        checks.append(judge_claim("martin-hirschberg-figure-8", "one-full-tree", full))
    for k in (k for k in shapes if k > 1 and 1 in shapes):
        checks += judge_claims(SMOOTHER, shapes[1], shapes[k], k=k)
    data = {
        "densities": densities(population),
        "points": pd.DataFrame({"x": sample.X[:, 0], "class": sample.y}),
        "classifiers": pd.concat(intervals, ignore_index=True),
    }
    return ArtifactResult(rows, data, checks)
