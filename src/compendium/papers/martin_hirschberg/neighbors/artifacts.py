"""Section 5 on nearest neighbours: Figure 8's classifiers and Figure 9's estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claim, judge_claims
from compendium.evidence.estimate import Condition, Estimate, exact
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.evidence.trials import Levels, Trials
from compendium.methods.learners.threshold import IntervalClassifier
from compendium.papers.martin_hirschberg.names import FACTORS, NAMES
from compendium.papers.martin_hirschberg.neighbors import experiment
from compendium.papers.martin_hirschberg.one_sample import densities, first_sample
from compendium.papers.martin_hirschberg.tree_layout import TreeLayout, lay_out
from compendium.plots.picture import Drawing, Picture
from compendium.studies.populations import TwoNormals, intervals_of
from compendium.studies.study import Study
from errorest import plots
from errorest.data.sample import Sample
from errorest.learners.neighbors import KNN
from errorest.plots import BLACK, BLUE, FONT_SIZE, GREY, VERMILION
from errorest.streams import Streams

_CLASS_COLOURS = (BLUE, VERMILION)
_CLASS_MARKS = ("o", "X")
_CLASS_NAMES = ("O", "X")

# From the smallest samples to the largest: the dark ones are the small ones, which stray
_SIZE_COLOURS = ("#081D58", "#225EA8", "#1D91C0", "#41B6C4", "#7FCDBB")


@plots.in_style
def draw_figure_8(p: experiment.NeighborsParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 8: a sample, what each k predicts along the axis, its true error, and its tree."""
    result = made.published
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
        f"class {c}, ‘{_CLASS_NAMES[c]}’": {"marker": _CLASS_MARKS[c], "color": _CLASS_COLOURS[c], "markersize": 7}
        for c in range(2)
    }
    counts = result.data["points"]["class"].value_counts()
    return picture.done(columns=2, legend=classes, zeros=counts.get(0, 0), ones=counts.get(1, 0))


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


def draw_figure_9(p: experiment.NeighborsParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 9: mean estimate against mean true error, a panel for each estimator and k."""
    result = made.published
    points = result.data["points"]
    picture = Picture(
        2.15 * len(experiment.ESTIMATORS) + 0.7,
        {(e, k): f"{NAMES[e].symbol}, {k}-NN" for e in experiment.ESTIMATORS for k in p.neighbors},
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


LITERAL, DEVIATION, OURS = "literal", "fitted:standard-deviation", "unstated:our-populations"
CLAIMS = "martin-hirschberg-claims"
APPARENT, CV, LOO, BOOT, STAR = experiment.ESTIMATORS

ROUGHLY = 2.0  # A bias up to this many points, and not clearly more, is approximately none
SAME = 0.1  # A ratio of variances this close to one is essentially one
CLAIMED = 40.0  # By how much the variance is said to be lower, percent; no result is computed from it


def trials(p: experiment.NeighborsParameters, run: Run, study: Study) -> Mapping[int, Trials]:
    """Run a study; its samples by number of neighbours, the same ones for each."""
    results = run(study)
    return {
        k: Trials.of(
            results, experiment.inducer_name(k), reading=LITERAL, names=NAMES, factors=FACTORS, label=f"k = {k}"
        )
        for k in p.neighbors
    }


# Figure 8

SMOOTHER = Claims(
    "martin-hirschberg-figure-8",
    {
        "more-vary": lambda one, smooth: [
            smooth.mean("splits-alike").named("samples on which it does", sign="") > 0,
            smooth.mean("as-tree").named("samples with the cut-points of the full tree", sign="") < 50,
        ],
        "outliers": lambda one, smooth: [
            one.average(one["true-error"] - smooth["true-error"]).named("true error more", "points") > 0,
            one.average((one.frame["cut-points"] - smooth.frame["cut-points"]).to_numpy()).named("cut-points more") > 0,
        ],
    },
)


@artifact("martin-hirschberg-figure-8", draw=draw_figure_8, enlarge=False)
def figure_8(p: experiment.NeighborsParameters, run: Run) -> ArtifactResult:
    """Figure 8: one sample, its nearest-neighbour classifiers and their trees; the remarks on it, counted."""
    population = TwoNormals.of_inherent_error(p.figure_8_inherent_error)
    sample = telling_sample(p, population)
    rows: list[Row] = []
    intervals = []
    for k in p.neighbors:
        classifier = intervals_of(KNN(k).fit(sample))
        for name, value in (
            ("cut-points", len(classifier.cuts)),
            ("tree-leaves", len(classifier.labels)),
            ("true-error-percent", 100 * population.true_error(classifier)),
            ("apparent-error-percent", 100 * experiment.apparent_error(classifier, sample)),
        ):
            rows.append(Row.exact(OURS, name, f"this-sample/k={k}", value))
        cuts = [-inf, *classifier.cuts, inf]
        intervals.append(pd.DataFrame({"k": k, "left": cuts[:-1], "right": cuts[1:], "class": classifier.labels}))
    study = experiment.shapes_study(p.figure_8_cases, p.figure_8_inherent_error, p.shapes, p.neighbors, p.seed)
    shapes = trials(p, run, study)
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


def telling_sample(p: experiment.NeighborsParameters, population: TwoNormals) -> Sample:
    """Draw until 1-NN bends to an outlier and the largest k divides two neighbours of one class; else the first."""
    streams = Streams(p.seed).child("martin-hirschberg-figure-8")
    low, high = min(p.neighbors), max(p.neighbors)

    def telling(sample: Sample) -> bool:
        rough, smooth = (intervals_of(KNN(k).fit(sample)) for k in (low, high))
        return low == high or (0 < len(smooth.cuts) < len(rough.cuts) and experiment.splits_alike(smooth, sample))

    sample, _ = first_sample(population, p.figure_8_cases, telling, streams, p.draws)
    return sample or population.sample(p.figure_8_cases, streams.child(0).generator("sample"))


# Figure 9


def ratio_over_all(ts: Sequence[Trials], one: str, other: str) -> Estimate:
    """Ratio of two estimators' variances within combinations, pooled over every k; paired."""
    if not ts[0].n:
        raise NotRun("no such combinations")
    a, b = (np.column_stack([t[e] for t in ts]) for e in (one, other))
    return monte_carlo.variance_ratio(a, b, ts[0].cell).named("ratio of variances", sign="")


def lower_by(ratio: Estimate) -> Estimate:
    """By how many percent a ratio lies below one."""
    return Estimate(100 * (1 - ratio.value), 100 * ratio.se, ratio.n)


def corner(t: Trials, largest: int, least: float, most: float = 0.5) -> Trials:
    """Take the samples up to a size, of inherent errors in a range, ends included."""
    return t.where((t.frame["n"] <= largest) & t.frame["inherent_error"].between(least, most))


def last(ts: Levels) -> Trials:
    """Return the samples of the last k, of at least two."""
    result: Trials = ts[max(1, len(ts) - 1)]
    return result


def biased(ts: Levels, estimator: str, limit: float) -> list[Condition]:
    """Ask for a bias for every k, and for another one for the first k than for the last."""
    return [*(abs(t.bias(estimator)) > limit for t in ts), abs(ts[0].bias_beyond(last(ts), estimator)) > limit]


def star_biases(ts: Levels) -> list[Estimate]:
    """Bias of LOO*: on the whole, and in the two corners that the text names."""
    results = []
    for t in ts:
        corners = {"N up to 20, 40 % or more": corner(t, 20, 0.4), "N = 10, up to 10 %": corner(t, 10, 0, 0.1)}
        parts = [part.bias(STAR).named(f"{where}, {t.label}") for where, part in corners.items() if part.n]
        results += [t.bias(STAR), *parts]
    return results


FIGURE_9 = Claims(
    "martin-hirschberg-figure-9",
    {
        "same-means": lambda ts, limit: [abs(t.gap(CV, LOO)) <= limit for t in ts],
        "unbiased": lambda ts, limit: [abs(t.bias(e)) <= limit for e in (CV, LOO) for t in ts],
        "app-biased": lambda ts, limit: biased(ts, APPARENT, limit),
        "632-biased": lambda ts, limit: biased(ts, BOOT, limit),
        "vary-less": lambda ts, limit: [
            t.variance_ratio(a, b) < 1 for t in ts for a in (APPARENT, BOOT) for b in (CV, LOO)
        ],
        "632-below-loo": lambda ts, limit: (
            lower_by(ratio_over_all(ts, BOOT, LOO))
            .named("over every k the variance is lower by", "%", 0, "")
            .within(0.8 * CLAIMED, 1.2 * CLAIMED)
        ),
        "632-same": lambda ts, limit: (
            monte_carlo.variance_ratio(ts[0][BOOT], last(ts)[BOOT], ts[0].cell)
            .named("ratio", sign="")
            .within(1 - SAME, 1 + SAME)
        ),
        "loo-star-unbiased": lambda ts, limit: [abs(e) <= ROUGHLY for e in star_biases(ts)],
        "loo-star-precision": lambda ts, limit: ratio_over_all(ts, STAR, LOO).within(1 - 2 * SAME, 1 + 2 * SAME),
        "loo-star-above-632": lambda ts, limit: ratio_over_all(ts, STAR, BOOT) > 1,
        "loo-star-below-loo": lambda ts, limit: ratio_over_all([corner(t, 20, 0.25) for t in ts], STAR, LOO) < 1,
    },
)


@artifact("martin-hirschberg-figure-9", draw=draw_figure_9)
def figure_9(p: experiment.NeighborsParameters, run: Run) -> ArtifactResult:
    """Figure 9: mean estimate against mean true error, and the claims of section 5."""
    settings = (p.neighbors, p.cv_repeats, p.bootstrap_replicates, p.seed)
    by_k = trials(p, run, experiment.neighbors_study(p.sizes, p.inherent_errors, p.samples, *settings))
    ts = Levels(by_k.values())
    rows = []
    for k, t in by_k.items():
        rows += t.rows(["true-error"], {f"mean-percent/k={k}": Trials.mean})
        columns = {"bias": Trials.bias, "rms": Trials.rms, "std": Trials.spread}
        rows += t.rows(
            experiment.ESTIMATORS, {f"{name}-percent/k={k}": statistic for name, statistic in columns.items()}
        )
    ratios = {"-nearest-neighbors": ratio_over_all(ts, BOOT, LOO)}
    ratios |= {f"/k={k}": t.variance_ratio(BOOT, LOO) for k, t in by_k.items()}
    for where, ratio in ratios.items():
        column, of = f"632-below-loo-variance-percent{where}", CLAIMS if where.startswith("-") else ""
        rows += [Row.of(LITERAL, "text", column, lower_by(ratio), of)]
        rows += [Row.of(DEVIATION, "text", column, lower_by(monte_carlo.root_of(ratio)), of)]
    points = []
    for cells in zip(*(t.cells("cell") for t in ts), strict=True):
        for (k, e), t in (((k, e), t) for k, t in zip(by_k, cells, strict=True) for e in experiment.ESTIMATORS):
            of_point = {"k": k, "n": t.level("n"), "inherent_error": t.level("inherent_error"), "estimator": e}
            for name, m in (("true_error", t.mean("true-error")), ("estimate", t.mean(e)), ("bias", t.bias(e))):
                of_point |= {name: m.value, f"{name}_se": m.se}
            points.append(of_point)
    checks = judge_claims(FIGURE_9, ts, p.negligible, first=p.neighbors[0], last=p.neighbors[-1])
    return ArtifactResult(rows, {"points": pd.DataFrame(points)}, checks)
